"""Files that leave, among them tables as CSV, JSONL and Parquet bytes; CSV is made safe to open in a spreadsheet."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, Generic, TypeVar

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from data.errors import UnknownName
from data.spreadsheet import guarded, unguarded

LEDGER = ("name", "words")
GUARDED, EVERYWHERE = "HINT:guarded", "everywhere"


R = TypeVar("R")


LEFT_OUT = object()
"""The value of a column in a row that has nothing of the kind: the data of this row are without it."""


def as_it_is(value: Any) -> object:
    """Return a value for people as it stands in data."""
    return value


def plain(value: Any) -> Any:
    """Return a value as JSON holds it: what can say itself `as_dict` does, within mappings too."""
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    return value.as_dict() if hasattr(value, "as_dict") else value


@dataclass(frozen=True)
class Column(Generic[R]):
    """One column of a table, whichever form the table is written in.

    `key` names it in data, `title` heads it where people read and `help` says more of it. `value` takes it from a row
    as data hold it, `format` makes of that what people read. `forms` are the forms it stands in, () for all. `style`
    names the styles of its cells on a page.
    """

    key: str
    title: str
    help: str
    value: Callable[[R], Any]
    format: Callable[[Any], object] = as_it_is
    forms: tuple[str, ...] = ()
    style: str = ""

    def words(self, row: R) -> object:
        """Return what people read of a row."""
        return self.format(self.value(row))

    def called(self, **words: str) -> "Column[R]":
        """Return the column with these words filled into its title and its help."""
        return replace(self, title=self.title.format(**words), help=self.help.format(**words))


@dataclass(frozen=True)
class Table(Generic[R]):
    """Rows of anything with the columns that are shown of them."""

    caption: str
    columns: Sequence[Column[R]]
    rows: Sequence[R]

    def within(self, form: str) -> "Table[R]":
        """Return the table with the columns that stand in this form."""
        return replace(self, columns=tuple(c for c in self.columns if not c.forms or form in c.forms))

    def titled(self, titles: Mapping[str, str]) -> "Table[R]":
        """Return the table with other titles for some of its columns, by their keys."""
        return replace(self, columns=[replace(c, title=titles.get(c.key, c.title)) for c in self.columns])

    @property
    def header(self) -> list[str]:
        """What stands above the columns."""
        return [column.title for column in self.columns]

    @property
    def cells(self) -> list[list[object]]:
        """What people read in each row, column by column."""
        return [[column.words(row) for column in self.columns] for row in self.rows]

    @property
    def records(self) -> list[dict[str, Any]]:
        """Each row as plain data, by the keys of its columns."""
        every = ({column.key: column.value(row) for column in self.columns} for row in self.rows)
        return [{key: plain(value) for key, value in record.items() if value is not LEFT_OUT} for record in every]

    @property
    def frame(self) -> pd.DataFrame:
        """The data as a frame, which every one of FORMATS is written from."""
        return pd.DataFrame(self.records, columns=[column.key for column in self.columns], dtype=object)


def table_of(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Table[Sequence[object]]:
    """Return rows of values as a table, whose columns are called in data what stands above them."""
    columns: list[Column[Sequence[object]]] = [
        Column(title, title, "", itemgetter(place)) for place, title in enumerate(header)
    ]
    return Table(caption, columns, tuple(rows))


def ledger(rows: Iterable[tuple[str, object]]) -> Table[Sequence[object]]:
    """Return names and what is said of each as a table whose columns have no titles."""
    columns: list[Column[Sequence[object]]] = [Column(key, "", "", itemgetter(n)) for n, key in enumerate(LEDGER)]
    return Table("", columns, tuple(rows))


@dataclass(frozen=True)
class Export(Generic[R]):
    """A file that may leave a study; whoever asks for it says with an R from what it is to be made.

    `key` names it in addresses, in its own name and in the command `export`; `title` and `help` say on a page what it
    is. `forms` are the endings it comes with, and what returns its bytes. `for_viewers`: whoever may look at results
    may have it, as it names no worker.
    """

    key: str
    title: str
    help: str
    forms: Mapping[str, Callable[[R], bytes]]
    for_viewers: bool = False


@dataclass(frozen=True)
class Download:
    """A file as it is sent to a browser."""

    name: str
    content: bytes
    media_type: str


def as_table(rows: Callable[[R], pd.DataFrame]) -> dict[str, Callable[[R], bytes]]:
    """Return the forms of an export that is a table: each of FORMATS writes the same rows."""

    def written(form: str, asked: R) -> bytes:
        return write_frame(rows(asked), form)

    return {form: partial(written, form) for form in FORMATS}


def download(exports: Mapping[str, Export[R]], key: str, form: str, asked: R, *, of: str) -> Download:
    """Return one of these exports, by their keys, as a file named after what it is `of`; raises UnknownName."""
    if key not in exports or form not in exports[key].forms:
        known = [f"{name}.{end}" for name, export in exports.items() for end in export.forms]
        raise UnknownName("the file", f"{key}.{form}", known)
    return Download(f"{of}.{form}".replace("/", "-"), exports[key].forms[form](asked), MEDIA_TYPES[form])


def write_frame(frame: pd.DataFrame, form: str) -> bytes:
    """Return the table in one of FORMATS; None and NaN are missing values, anything else is kept as it is.

    JSONL and Parquet give the same values back. CSV does not: it has only text, and what a spreadsheet would run as a
    formula has an apostrophe before it (`data.spreadsheet`).
    """
    if form not in FORMATS:
        raise UnknownName("the format", form, FORMATS)
    return FORMATS[form](frame)


def write_log(frame: pd.DataFrame) -> bytes:
    """Return a table as tab-separated text that is safe to open in a spreadsheet and is read back as it was.

    The column GUARDED says to who reads the log (`as_before`) that apostrophes were put in.
    """
    return _delimited(frame.assign(**{GUARDED: EVERYWHERE}), "\t")


def as_before(cell: str, guard: str | None) -> str:
    """Return a cell of a log as it was before it was written; `guard` is what its column GUARDED has, None without one.

    Logs written by earlier versions have "yes" there, and an apostrophe at the beginning of a cell alone.
    """
    if guard is None:
        return cell
    return unguarded(cell) if guard == EVERYWHERE else cell.removeprefix("'")


def _csv(frame: pd.DataFrame) -> bytes:
    """Return RFC 4180 in UTF-8: a header line, rows that end in CRLF; a missing value is an empty cell."""
    return _delimited(frame, ",")


def _delimited(frame: pd.DataFrame, delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow([_cell(name) for name in frame.columns])
    writer.writerows([_cell(value) for value in row.values()] for row in _rows(frame))
    return text.getvalue().encode()


def _jsonl(frame: pd.DataFrame) -> bytes:
    """Return one object per line, UTF-8; a missing value is null and a moment its ISO 8601 text."""
    lines = (json.dumps(row, ensure_ascii=False, default=_text_of) for row in _rows(frame))
    return "".join(f"{line}\n" for line in lines).encode()


def _parquet(frame: pd.DataFrame) -> bytes:
    """Return a Parquet file whose column types are those of the values; a column without values is of texts."""
    columns = {name: [row[name] for row in _rows(frame)] for name in map(str, frame.columns)}
    arrays = {name: pa.array(values) for name, values in columns.items()}
    typed = {name: a.cast(pa.string()) if pa.types.is_null(a.type) else a for name, a in arrays.items()}
    sink = io.BytesIO()
    parquet.write_table(pa.table(typed), sink)
    return sink.getvalue()


FORMATS: dict[str, Callable[[pd.DataFrame], bytes]] = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "toml": "application/toml; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}
"""What the files of each ending are sent as."""


def _rows(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield each row by column name, with None for every missing value."""
    names = [str(name) for name in frame.columns]
    for values in frame.itertuples(index=False, name=None):
        yield dict(zip(names, map(_present, values), strict=True))


def _present(value: Any) -> Any:
    """Return a plain Python value, None where it is missing: pandas has four ways to say so."""
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    return None if value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value)) else value


def _cell(value: Any) -> Any:
    """Return a CSV cell: numbers stay numbers, a text that a spreadsheet would run is taken for text."""
    if isinstance(value, str):
        return guarded(value)
    return "" if value is None else json.dumps(value, default=_text_of).strip('"')


def _text_of(value: Any) -> str:
    """Return a moment as ISO 8601, and whatever else JSON does not know as its text."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
