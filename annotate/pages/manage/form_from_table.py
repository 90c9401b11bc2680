"""A table of one's own fills the form: what its columns may be, what was chosen for them before, what its gold says."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from annotate.pages.manage.form_drawing import draw_mapping
from annotate.pages.manage.own_table_form import TEXTS, columns_of, joined, sheet_of, split_line, text_name
from data.composed_text import composed
from data.errors import BadFile, FileProblem
from data.files.encodings import uploaded
from data.files.rows import Row, each_row
from data.own_tables.column_mapping import ALONE, SHOWN_KINDS, USES, AnswerLabel, MappedColumn, TableMapping
from data.own_tables.suggestions import answered_by, columns_to_hide, suggested_mapping
from data.wording import languages, own_wording

LOOKED_AT = 300  # rows that the guesses rest on
MOST_COLUMNS = 100
LONGEST_LOOKED, MOST_LOOKED = 2000, 50  # characters of a text and parts of a list that the guesses rest on
EXAMPLES = 3
COUNTED, MOST_SPELLINGS = 20_000, 60  # rows in which spellings are counted, and how many of them are a table
ANSWERED = ("answered", "labels", "spellings", "named", "low", "high", "metric")
CHOSEN = ("use", "kind", "separator")
TypedColumns = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Filled:
    """What a table puts into the form: its columns, the drawing of them, and the values of the inputs that change."""

    columns: list[dict[str, Any]]
    html: str
    values: Mapping[str, Any]


def read_table(path: Path) -> tuple[TableMapping, list[Row]]:
    """Return what a table most likely is, and the beginnings of its first rows that can be read.

    Raises BadFile where none can be read.
    A row that cannot be read is a problem that the check of the file lists; the others say what the columns are.
    """
    rows = _first_rows(path)
    return suggested_mapping(uploaded(path).stem, rows), rows


def fault_of(path: Path) -> str:
    """Return what is wrong with the first rows of a table, the first fault as a sentence; "" for nothing."""
    try:
        return next((str(row) for row in islice(each_row(path), LOOKED_AT) if isinstance(row, FileProblem)), "")
    except BadFile as error:
        return str(error)


def filled(path: Path, before: TypedColumns = ()) -> Filled:
    """Return what a table puts into the form; raises BadFile.

    `before`: the columns of the table before it. Those that are still there keep what a person chose for them; the
    rest is suggested_mapping anew.
    """
    sheet, rows = read_table(path)
    said, chosen = _chosen_by_column(before), {column.name: column for column in columns_of(before)}
    kept = [
        _as_said(column, chosen[column.name], said[column.name]) if column.name in chosen else column
        for column in sheet.columns
    ]
    sheet = answered_by(replace(sheet, columns=tuple(_one_each(kept, said))), rows)
    columns = _hidden(sheet.columns, columns_to_hide(sheet, rows), said)
    order = list(chosen)
    columns.sort(key=lambda column: order.index(column.name) if column.name in chosen else len(order))
    return _filled(columns, said, rows, _begun(sheet))


def picked(path: Path, typed: TypedColumns, before: TypedColumns) -> Mapping[str, Any]:
    """Return the values of inputs that change with what was chosen for the columns of a table: those its gold says."""
    columns = columns_of(typed)
    gold = _gold(columns)
    if not gold or (gold, _options(columns)) == (_gold(columns_of(before)), _options(columns_of(before))):
        return {}
    sheet, rows = read_table(path)
    return _answers(answered_by(replace(sheet, columns=tuple(columns)), rows))


def kept_back(path: Path, typed: TypedColumns, given: Mapping[str, Any]) -> Filled | None:
    """Return the columns without those that tell the answer which the form asks for now; None where none has to go.

    A column stays in sight where a person has said what it is.
    """
    sheet, rows, said = sheet_of(typed, given, path.stem), _first_rows(path), _chosen_by_column(typed)
    columns = _hidden(sheet.columns, columns_to_hide(sheet, rows), said)
    return None if columns == list(sheet.columns) else _filled(columns, said, rows, {})


def own(values: Mapping[str, Any], given: Mapping[str, Any], put: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those in whose place a person has written: what differs from what the page put."""
    return {name: value for name, value in values.items() if name not in put or given[name] == put[name]}


def gold_counts(path: Path, typed: TypedColumns, given: Mapping[str, Any]) -> Mapping[str, int]:
    """Return how often each value stands in the column of right answers, where labels are what they name; else {}."""
    columns = columns_of(typed)
    if given["answered"] != "choice" or not _gold(columns) or _options(columns):
        return {}
    return _counted(path, _gold(columns), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _counted(path: Path, column: str, _changed: int) -> Mapping[str, int]:
    rows = (row for row in islice(each_row(path), COUNTED) if isinstance(row, Row))
    values = Counter(composed(str(row.values.get(column) or "")).strip() for row in rows)
    return {} if len(values) > MOST_SPELLINGS else {value: times for value, times in values.items() if value}


def respelled(labels: str, rows: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the lines of answers and of spellings that follow from the label of each value."""
    meant = {value: label.strip() or value for value, label in rows}
    alike = {value: label for value, label in meant.items() if label != value}
    lines = {split_line(line, "|")[0]: line for line in labels.splitlines() if line.strip()}
    kept = [line for label, line in lines.items() if label not in alike]
    added = [
        joined((label,), "|") for label in dict.fromkeys(meant.values()) if label not in lines and label not in alike
    ]
    return "\n".join([*kept, *added]), _spelled(alike)


def _begins(row: Row) -> Row:
    return Row(row.line, {name: _beginning(value) for name, value in row.values.items()})


def _beginning(value: Any) -> Any:
    """Return as much of a cell as shows what its column is."""
    if isinstance(value, str):
        return value[:LONGEST_LOOKED]
    if isinstance(value, list):
        return [_beginning(part) for part in value[:MOST_LOOKED]]
    if isinstance(value, dict):
        return {name: _beginning(part) for name, part in islice(value.items(), MOST_LOOKED)}
    return value


def _begun(sheet: TableMapping) -> dict[str, Any]:
    begun = (sheet.title, sheet.question, own_wording("proposals", "instruction"))
    words = {
        text_name(name, language): text.get(language, "")
        for name, text in zip(TEXTS, begun, strict=True)
        for language in languages()
    }
    return words | _answers(sheet)


def _answers(sheet: TableMapping) -> dict[str, Any]:
    bounds = ["" if bound is None else f"{bound:g}" for bound in (sheet.low, sheet.high)]
    values = [sheet.answered, _lines(sheet.labels), _spelled(sheet.spellings), sheet.named, *bounds, sheet.metric]
    return dict(zip(ANSWERED, values, strict=True))


def _lines(labels: Sequence[AnswerLabel]) -> str:
    return "\n".join(joined((label.label, *_known(label.words)), "|") for label in labels)


def _known(words: Mapping[str, str]) -> list[str]:
    """Return words in the order of the languages, as far as there are any."""
    known = [words.get(language, "") for language in languages()]
    return known[: max((place for place, text in enumerate(known, 1) if text), default=0)]


def _gold(columns: Sequence[MappedColumn]) -> str:
    return next((column.name for column in columns if column.use == "gold"), "")


def _options(columns: Sequence[MappedColumn]) -> tuple[str, ...]:
    return tuple(column.name for column in columns if column.use in ("option", "options"))


def _spelled(alike: Mapping[str, str]) -> str:
    return "\n".join(joined(pair, "=") for pair in alike.items())


def _first_rows(path: Path) -> list[Row]:
    begun = [_begins(row) if isinstance(row, Row) else row for row in islice(each_row(path), LOOKED_AT)]
    rows = [row for row in begun if isinstance(row, Row)]
    if not rows:
        raise BadFile(str(next(row for row in begun if isinstance(row, FileProblem))))
    if len(rows[0].values) > MOST_COLUMNS:
        raise BadFile(f"{path.name}: has {len(rows[0].values)} columns; a table here has at most {MOST_COLUMNS}")
    return rows


def _chosen_by_column(typed: TypedColumns) -> dict[str, list[str]]:
    """Return what a person chose for each column: names out of CHOSEN, and of its titles."""
    known = {*CHOSEN, *(text_name("title", language) for language in languages())}
    return {str(column.get("name") or ""): sorted(known & {*str(column.get("said")).split()}) for column in typed}


def _as_said(column: MappedColumn, chosen: MappedColumn, said: Sequence[str]) -> MappedColumn:
    """Return a column with what a person chose for it before."""
    titles = {
        language: (chosen if text_name("title", language) in said else column).titles.get(language, "")
        for language in languages()
    }
    return replace(column, titles=titles, **{name: getattr(chosen, name) for name in CHOSEN if name in said})


def _one_each(columns: Sequence[MappedColumn], said: Mapping[str, Sequence[str]]) -> list[MappedColumn]:
    """Return the columns without a guessed use that only one can have and that a person gave to another."""
    taken = {column.use for column in columns if "use" in said.get(column.name, ()) and column.use in ALONE}
    spare = [column.use in taken and "use" not in said.get(column.name, ()) for column in columns]
    return [
        replace(column, use="hidden" if column.use == "gold" else "shown") if rival else column
        for column, rival in zip(columns, spare, strict=True)
    ]


def _hidden(columns: Sequence[MappedColumn], names: Set[str], said: Mapping[str, Sequence[str]]) -> list[MappedColumn]:
    unsaid = {name for name in names if "use" not in said.get(name, ())}
    return [replace(column, use="hidden") if column.name in unsaid else column for column in columns]


def _filled(
    columns: Sequence[MappedColumn], said: Mapping[str, Sequence[str]], rows: Sequence[Row], values: Mapping[str, Any]
) -> Filled:
    chosen = {column.name: " ".join(said.get(column.name, ())) for column in columns}
    examples = {column.name: [_shown(row.values.get(column.name)) for row in rows[:EXAMPLES]] for column in columns}
    guarded = {column.name for column in columns if column.use == "hidden" and "use" not in said.get(column.name, ())}
    html = str(draw_mapping(columns, examples, USES, SHOWN_KINDS, guarded, chosen))
    return Filled([_typed(column, chosen[column.name]) for column in columns], html, values)


def _typed(column: MappedColumn, said: str) -> dict[str, Any]:
    """Return a column as the page's script tells it."""
    titles = {text_name("title", language): column.titles.get(language, "") for language in languages()}
    return {name: getattr(column, name) for name in ("name", *CHOSEN)} | titles | {"said": said}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:89]}…"
