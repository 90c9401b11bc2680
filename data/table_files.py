"""Files that leave, among them tables as CSV, JSONL and Parquet bytes; CSV is made safe to open in a spreadsheet."""

import codecs
import csv
import io
import json
import math
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from data.errors import UnknownName, look_up
from data.tables import Table

GUARDED, EVERYWHERE = "HINT:guarded", "everywhere"

WORKBOOK = "data.xlsx_workbook:workbook"
PACKED = (1980, 1, 1, 0, 0, 0)
"""The time of the files in an archive."""

R = TypeVar("R")


@dataclass(frozen=True)
class Export(Generic[R]):
    """A file that may leave a study; whoever asks for it says with an R from what it is to be made.

    `key` names it in addresses, in its own name and in the command `export`; `title` and `help` say on a page what it
    is. `forms` are the endings it comes with, and what returns its bytes. `for_viewers`: whoever may look at results
    may have it, as it names no worker. `titles` are what its forms are called where that is not their usual name.
    `by_rules`: it follows the rules by which judgments become one answer; others hold what happened, whatever these.
    `among_files`: it stands on the study's page too, as what is not for viewers does.
    """

    key: str
    title: str
    help: str
    forms: Mapping[str, Callable[[R], bytes]]
    for_viewers: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)
    by_rules: bool = False
    among_files: bool = False

    @property
    def named_forms(self) -> list[tuple[str, str]]:
        """Its forms by their endings, each with what people call it."""
        return [(form, self.titles.get(form, FORM_TITLES[form])) for form in self.forms]


@dataclass(frozen=True)
class Download:
    """A file as it is sent to a browser."""

    name: str
    content: bytes
    media_type: str

    @property
    def headers(self) -> dict[str, str]:
        """What a browser is told, so that it saves the file under its name and keeps no copy."""
        named = f"attachment; filename*=UTF-8''{quote(self.name, safe='')}"
        return {"Content-Disposition": named, "Cache-Control": "no-store"}


def as_table(rows: Callable[[R], pd.DataFrame]) -> dict[str, Callable[[R], bytes]]:
    """Return the forms of an export that is a table: each of FORMATS writes the same rows."""

    def written(form: str, asked: R) -> bytes:
        return write_frame(rows(asked), form)

    return {form: partial(written, form) for form in FORMATS}


def needed_form(exports: Mapping[str, Export[R]], key: str, form: str) -> Callable[[R], bytes]:
    """Return what writes one of these exports, by their keys, in one of its forms; raises UnknownName."""
    if key not in exports or form not in exports[key].forms:
        known = [f"{name}.{end}" for name, export in exports.items() for end in export.forms]
        raise UnknownName("the file", f"{key}.{form}", known)
    return exports[key].forms[form]


def write_frame(frame: pd.DataFrame, form: str) -> bytes:
    """Return the table in one of FORMATS; None and NaN are missing values, anything else is kept as it is.

    JSONL and Parquet give the same values back. CSV does not: it has only text, and what a spreadsheet would run as a
    formula has an apostrophe before it (`guarded`).
    """
    return look_up("the format", form, FORMATS)(frame)


def write_table(table: Table[Any], form: str) -> bytes:
    """Return the data of a table in one of FORMATS."""
    return write_frame(frame_of(table), form)


def frame_of(table: Table[Any]) -> pd.DataFrame:
    """Return the data of a table as a frame, which every one of FORMATS is written from."""
    return pd.DataFrame(table.flat.records, columns=[column.key for column in table.columns], dtype=object)


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


def _delimited(frame: pd.DataFrame, delimiter: str = ",") -> bytes:
    """Return RFC 4180 in UTF-8: a header line, rows that end in CRLF; a missing value is an empty cell."""
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


def _csv_for_excel(frame: pd.DataFrame) -> bytes:
    """Return CSV as a spreadsheet of most of Europe opens it by a double click: semicolons, and a byte order mark."""
    return codecs.BOM_UTF8 + _delimited(frame, ";")


def _xlsx(frame: pd.DataFrame) -> bytes:
    """Return a workbook of one sheet."""
    rows = ([_in_sheet(value) for value in row.values()] for row in _rows(frame))
    return bytes(resolve_name(WORKBOOK)([[str(name) for name in frame.columns], *rows]))


def _in_sheet(value: Any) -> Any:
    """Return a value as a workbook takes it: numbers stay numbers, all others are texts."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return json.dumps(value, ensure_ascii=False, default=_text_of).strip('"')


def archived(files: Mapping[str, bytes]) -> bytes:
    """Return files in a zip, in their order; the same files give the same bytes at any time."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, PACKED)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


FORMATS: dict[str, Callable[[pd.DataFrame], bytes]] = {"csv": _delimited, "jsonl": _jsonl, "parquet": _parquet}
FORMS = {
    "csv": ("CSV", "text/csv; charset=utf-8"),
    "jsonl": ("JSONL", "application/jsonl; charset=utf-8"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
    "tsv": ("TSV", "text/tab-separated-values; charset=utf-8"),
    "toml": ("TOML", "application/toml; charset=utf-8"),
    "html": ("HTML", "text/html; charset=utf-8"),
    "md": ("Markdown", "text/markdown; charset=utf-8"),
    "tex": ("LaTeX", "application/x-tex; charset=utf-8"),
    "json": ("JSON", "application/json"),
    "zip": ("ZIP", "application/zip"),
    "svg": ("SVG", "image/svg+xml"),
}
"""What people call the files of each ending, and what they are sent as."""
FORM_TITLES = {form: title for form, (title, _) in FORMS.items()}
MEDIA_TYPES = {form: media_type for form, (_, media_type) in FORMS.items()}
_PLAIN = {form: (FORM_TITLES[form], form, write) for form, write in FORMATS.items()}
DATASET_TABLES = {
    "csv": _PLAIN["csv"],
    "csv-excel": ("CSV for Excel (semicolons)", "csv", _csv_for_excel),
    "xlsx": ("XLSX", "xlsx", _xlsx),
    **_PLAIN,
}
"""The tables of a dataset: what people call the form, its ending, and what writes it."""


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
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return value  # as JSON has it, but at once
    return "" if value is None else json.dumps(value, default=_text_of).strip('"')


def _text_of(value: Any) -> str:
    """Return a moment as ISO 8601, and whatever else JSON does not know as its text."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


SIGNS = "=+\\-@＝＋－＠"
RUNS = re.compile(rf'(?:^|(?<=[,;\t\r\n]))(\'*)(?="*(?:[{SIGNS}]|[ \u00a0]+[=＝])|(?:(?<![,;\t\r\n])[\t\r]))')
"""A place where a cell may begin, the apostrophes there, and what could be run behind them."""
NUMBER = re.compile(r"[+-]\d+(?:[.,]\d+)*[ \u00a0]?%?(?:[ \u00a0][^\W\d_][\w \u00a0.,;?]*)?")
ENDS = re.compile(r"[,;\t\r\n]")


def guarded(text: str) -> str:
    r"""Return a text with an apostrophe before whatever a spreadsheet would run; `unguarded` takes it away again.

    A spreadsheet that splits at another sign than the file was written for sees cells begin in the middle of ours:
    behind every separator, and behind every line break, since quotes bind nothing there. At each such place a text that
    could be a formula gets an apostrophe before it. A text that is a number, or a number with words behind it, runs
    nothing and stays as it is.

    >>> guarded("a;=1+1;b"), guarded("-5 баллов, не больше"), guarded("x\t@SUM(1)"), guarded("-2+3")
    ("a;'=1+1;b", '-5 баллов, не больше', "x\t'@SUM(1)", "'-2+3")
    """
    return RUNS.sub(lambda place: f"{place[0]}'" if place[1] or place.end() or not _is_number(text) else place[0], text)


def unguarded(text: str) -> str:
    """Return the text of which `guarded` made this."""
    return RUNS.sub(lambda place: place[0][1:] if place[1] else place[0], text)


def _is_number(text: str) -> bool:
    """Return whether a text, and what stands of it before the first separator, is a number, words behind it or not."""
    return all(NUMBER.fullmatch(piece) for piece in (text, ENDS.split(text, maxsplit=1)[0]))
