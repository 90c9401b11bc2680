"""A file as rows of named values: JSONL, JSON, CSV, TSV, XLSX or Parquet; each fault of it with its line."""

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from data import limits
from data.errors import BadFile, FileProblem, quoted_names
from data.files.text_files import OTHER_SHEETS, SAVE_AS, check_size, lines_of, opening, read_text
from data.limits import LONGEST_LINE, MB, MOST_FIELDS, MOST_ROWS, nested

XLSX, PARQUET = "data.files.xlsx_rows:xlsx_rows", "data.files.parquet_rows:parquet_rows"
"""Imported for a file of that kind alone: openpyxl and the rest of pyarrow take long."""
SPACE = re.compile(r"[ \t\r\n]*")
HOLDING = frozenset({list, dict})
PLAIN = HOLDING | {str, int, bool, type(None)}
LONG_NUMBER = "has a number of more than 4,300 digits; write it as a text"


def json_records(text: str, name: str) -> Iterator[Any]:
    """Yield the records of a JSON text; raises BadFile where it is none, or holds neither a list nor objects."""
    try:
        yield from _elements(text) if text.startswith("[", _rest_after(text, 0)) else _wrapped(text, name)
    except RecursionError as error:
        raise BadFile(f"{name}: lists and objects are nested too deeply; the file is one list of objects") from error
    except json.JSONDecodeError as error:
        raise BadFile(
            f"{name}, line {error.lineno}: is not JSON ({error.msg}); the file is one list of objects"
        ) from error
    except ValueError as error:
        raise BadFile(f"{name}: {LONG_NUMBER}") from error


def _elements(text: str) -> Iterator[Any]:
    """Yield the elements of a list one by one: decoded as a whole, a large one would hold up everybody else."""
    decoder, at = json.JSONDecoder(), _rest_after(text, text.index("[") + 1)
    while text[at : at + 1] != "]":
        value, end = decoder.raw_decode(text, at)
        yield value
        at = _rest_after(text, end)
        if text[at : at + 1] == ",":
            at = _rest_after(text, at + 1)
            if text[at : at + 1] == "]":
                raise json.JSONDecodeError("Illegal trailing comma before end of array", text, at)
        elif text[at : at + 1] != "]":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    end = _rest_after(text, at + 1)
    if end < len(text):
        raise json.JSONDecodeError("Extra data", text, end)


def _rest_after(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at


def _wrapped(text: str, name: str) -> Iterator[Any]:
    if sum(map(text.count, ",[{")) > limits.MOST_VALUES:
        raise BadFile(f"{name}: holds more than {limits.MOST_VALUES} values; write it as JSONL, one object a line")
    records = _under_data(json.loads(text))
    if not isinstance(records, list):
        raise BadFile(
            f"{name}: holds a {type(records).__name__}; the file is one list of objects, or objects by their ids"
        )
    yield from records


def _under_data(value: Any) -> Any:
    """Return the records of a file that wraps them: {"data": [...]}, or {"data": {"test": [...]}} with one split.

    Records may stand under their ids ({"idiom_1": {...}, ...}): a record without an `id` of its own takes its key.
    """
    inner = value["data"] if isinstance(value, dict) and list(value) == ["data"] else value
    if inner is not value and isinstance(inner, dict) and len(inner) == 1:
        return next(iter(inner.values()))
    if isinstance(inner, dict) and inner and all(isinstance(record, dict) for record in inner.values()):
        return [{"id": key, **record} for key, record in inner.items()]
    return inner


DELIMITED = (".csv", ".tsv", ".txt")
ENDINGS = (".jsonl", ".json", *DELIMITED, ".parquet", ".xlsx")
DELIMITERS = ",;\t"
DEEP = f"has lists and objects within one another, more than {limits.DEEPEST} deep"
HEAD = MB  # bytes among which the line of the columns' names ends


class Row(NamedTuple):
    """One record of a file and the line it begins on, counted from 1; `source` is what it was before it was renamed."""

    line: int
    values: Mapping[str, Any]
    source: Mapping[str, Any] | None = None

    @property
    def as_read(self) -> Mapping[str, Any]:
        """The record as the file has it."""
        return self.values if self.source is None else self.source


def read_rows(path: Path, *, quoted: bool = True) -> tuple[list[Row], list[FileProblem]]:
    """Return the rows of a file in order and the lines that could not be read; raises BadFile as `each_row` does."""
    all_rows = list(each_row(path, quoted=quoted))
    rows = [row for row in all_rows if isinstance(row, Row)]
    return rows, [problem for problem in all_rows if isinstance(problem, FileProblem)]


def each_row(path: Path, *, quoted: bool = True) -> Iterator[Row | FileProblem]:
    """Yield the rows of a file in order, and each line that could not be read; only a JSON file is held as a whole.

    `quoted`: whether quotes in a delimited file bind cells together, or are characters like others.

    Raises BadFile where no line can be trusted: no such file, 0 bytes, not UTF-8, an ending that is not known.
    """
    check_size(path)
    ending = path.suffix.lower()
    if ending == ".jsonl":
        rows = _json_lines(lines_of(path), path.name)
    elif ending == ".json":
        rows = _objects(json_records(read_text(path), path.name), path.name)
    elif ending in DELIMITED:
        rows = _table(_delimited(path, quoted=quoted), path.name, quoted=quoted)
    elif ending == ".xlsx":
        rows = _table(resolve_name(XLSX)(path), path.name)
    elif ending == ".parquet":
        rows = _objects(map(_as_in_json, resolve_name(PARQUET)(path)), path.name)
    elif ending in OTHER_SHEETS:
        raise BadFile(f"{path.name}: is a spreadsheet; {SAVE_AS}")
    else:
        raise BadFile(f"{path.name}: the ending {ending!r} is not known; use one of {', '.join(ENDINGS)}")
    number = unread = 0
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise BadFile(f"{path.name}: has more than {MOST_ROWS} rows, the most of one file; write several")
        yield row
        if isinstance(row, FileProblem) and (unread := unread + 1) > limits.MOST_PROBLEMS:
            raise BadFile(
                f"{path.name}: more than {limits.MOST_PROBLEMS} lines cannot be read; is this the right file?"
            )
    if not number:
        raise BadFile(f"{path.name}: there is not one record in it; put at least one item below the header")


def named_columns(path: Path) -> list[str]:
    """Return the names of a delimited file's columns, quotes taken off; none for a file of another kind."""
    if path.suffix.lower() not in DELIMITED:
        return []
    text = _beginning(path)
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)), [])
    except csv.Error:  # whoever reads the rows says what is wrong with them
        return []


def _json_lines(lines: Iterable[str], name: str) -> Iterator[Row | FileProblem]:
    for number, ended in enumerate(lines, 1):
        line = ended.removesuffix("\n")
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except RecursionError:
            yield FileProblem(name, DEEP, number)
            continue
        except ValueError as error:
            wrong = f"is not JSON ({error}); each line is one object"
            yield FileProblem(name, wrong if isinstance(error, json.JSONDecodeError) else LONG_NUMBER, number)
            continue
        yield _checked(values, name, number)


def _objects(records: Iterable[Any], name: str) -> Iterator[Row | FileProblem]:
    """Return the rows of a JSON list or of a Parquet file; their lines are their numbers."""
    return (_checked(values, name, number) for number, values in enumerate(records, 1))


def _as_in_json(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if type(value) in PLAIN else _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    """Return a value of Parquet that is not PLAIN as JSON would bring it: a missing number is None, a moment text."""
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _checked(values: Any, name: str, number: int) -> Row | FileProblem:
    """Return an object as a row; NUL and halves of surrogate pairs can hide in JSON as escapes."""
    if not isinstance(values, dict):
        return FileProblem(name, f"is a {type(values).__name__}; each record is an object with named fields", number)
    if len(values) > MOST_FIELDS:
        return FileProblem(name, f"has {len(values)} fields; a record has at most {MOST_FIELDS}", number)
    nests = not HOLDING.isdisjoint(map(type, values.values()))
    if nests and nested(values):
        return FileProblem(name, DEEP, number)
    # Most records are flat, and a million of them is a file.
    parts = _texts(values) if nests else [part for pair in values.items() for part in pair if type(part) is str]
    text = "".join(parts)
    if "\0" in text:
        return FileProblem(name, "has a NUL character, which no database can keep; remove it", number)
    if half := _half_character(text):
        fault = f"half of a character (\\u{half:x})"
        return FileProblem(name, f"has {fault}, which no database can keep; remove it", number)
    return Row(number, values)


def _half_character(text: str) -> int | None:
    """Return the number of the first half of a surrogate pair, which alone is no character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return ord(text[error.start])
    return None


def _texts(value: Any) -> Iterator[str]:
    """Yield every text inside JSON data, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _delimiter(text: str) -> str:
    """Return the sign that stands between the columns' names of a file that begins so."""
    head = _bare_head(text)
    # Toloka parts the columns of its workers' skills by bars; a bar may stand in any name of a column elsewhere.
    return max(DELIMITERS, key=head.count) if set(head) & set(DELIMITERS) else "|"


def _bare_head(text: str) -> str:
    """Return the line of the columns' names without what stands in quotes, separators and line ends among it."""
    head = re.match(r'(?:"[^"]*"|[^\r\n])*', text)
    return re.sub(r'"[^"]*"', "", head[0]) if head else ""


class _Pieces:
    """The lines of a delimited file, and how many characters of them the record holds that is being read."""

    def __init__(self, path: Path) -> None:
        self.path, self.held = path, 0

    def __iter__(self) -> Iterator[str]:
        # A bare CR ends a line too, and the csv module wants no line end inside of a line.
        for number, line in enumerate(lines_of(self.path, newline=""), 1):
            self.held += len(line)
            if self.held > LONGEST_LINE:
                raise BadFile(
                    f"{self.path.name}, line {number}: the row has more than {LONGEST_LINE // MB} MB; is a quote open?"
                )
            yield line


def _delimited(path: Path, *, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of a delimited file and the lines on which they begin; quoted line ends are kept."""
    csv.field_size_limit(limits.LONGEST_CELL)
    pieces = _Pieces(path)
    reader = csv.reader(
        iter(pieces),
        delimiter=_delimiter(_beginning(path)),
        strict=True,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    )
    line = 1
    try:
        for cells in reader:
            pieces.held = 0
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadFile(f"{path.name}, line {line}: cannot be read as a table ({error}); check the quotes") from error


def _table(records: Iterator[tuple[int, list[Any]]], name: str, *, quoted: bool = True) -> Iterator[Row | FileProblem]:
    """Yield the records as rows under the names that the first one has."""
    at, header = next(records, (1, []))
    if len(header) > limits.MOST_COLUMNS:
        raise BadFile(f"{name}, line {at}: names {len(header)} columns; a table has at most {limits.MOST_COLUMNS}")
    twice = [column for column, times in Counter(header).items() if times > 1 and column]
    if twice:
        raise BadFile(f"{name}, line {at}: the column {twice[0]!r:.60} appears twice; give each its own name")
    width = len(header)
    for line, cells in records:
        if len(cells) == width and cells:
            yield Row(line, dict(zip(header, cells)))  # noqa: B905 - they are as many, and asking costs a third more
        elif cells:
            values = dict(zip(header, cells, strict=False))
            yield FileProblem(name, _ragged(cells, header, quoted=quoted), line, source=values)


def _ragged(cells: list[str], header: list[str], *, quoted: bool) -> str:
    """Return what is wrong with a row that has not as many cells as there are columns."""
    count = f"has {len(cells)} cells where the header has {len(header)}"
    if quoted:
        return f"{count}; check the quotes"
    missing = quoted_names(header[len(cells) :])
    lacks = f"there is none for {missing}; an empty cell needs its separator, at the end of a line too"
    return f"{count}; {lacks if missing else 'a cell may hold no separator'}"


def _beginning(path: Path) -> str:
    """Return about as much of a file as holds the names of its columns."""
    with opening(path), path.open("rb") as file:
        return file.read(HEAD).decode("utf-8-sig", "ignore")
