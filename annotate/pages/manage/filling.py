"""A table of one's own fills the form: what its columns may be, what was chosen for them before, what its gold says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from annotate.pages.manage.form_drawing import draw_mapping
from annotate.pages.manage.mapping import WORDS, columns_of
from data.errors import BadFile
from data.guesses import answered_by, guessed, spelled_alike
from data.mapping import SHOWN_KINDS, USES, Column, Label, Sheet
from data.rows import Problem, Row, each_row
from data.wording import Wording

LOOKED_AT = 300  # rows that the guesses rest on
MOST_COLUMNS = 100
EXAMPLES = 3
INSTRUCTION = Wording("Прочитайте, что дано, и ответьте на вопрос.", "Read what is given and answer the question.")
ANSWERED = ("answered", "labels", "spellings", "named", "low", "high", "metric")
Told = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Filled:
    """What a table puts into the form: its columns, the drawing of them, and the values of NAMES that change."""

    columns: list[dict[str, Any]]
    drawn: str
    values: Mapping[str, Any]


def looked(path: Path) -> tuple[Sheet, list[Row]]:
    """Return what a table most likely is, and its first rows that can be read; raises BadFile where none can.

    A row that cannot be read is a problem that the check of the file lists; the others say what the columns are.
    """
    found = list(islice(each_row(path), LOOKED_AT))
    rows = [one for one in found if isinstance(one, Row)]
    if not rows:
        raise BadFile(str(next(one for one in found if isinstance(one, Problem))))
    if len(rows[0].values) > MOST_COLUMNS:
        raise BadFile(f"{path.name}: has {len(rows[0].values)} columns; a table here has at most {MOST_COLUMNS}")
    return guessed(path.stem, rows), rows


def filled(path: Path, before: Told = ()) -> Filled:
    """Return what a table puts into the form; raises BadFile.

    `before`: the columns of the table before it. Those that are still there keep what was chosen for them; then the
    words and the answers stay as they are too.
    """
    sheet, rows = looked(path)
    chosen = {column.name: column for column in columns_of(before)}
    kept = [chosen.get(column.name, column) for column in sheet.columns]
    order = list(chosen)
    kept.sort(key=lambda column: order.index(column.name) if column.name in chosen else len(order))
    examples = {column.name: [_shown(row.values.get(column.name)) for row in rows[:EXAMPLES]] for column in kept}
    held = {column.name for column in kept if column.use == "hidden" and column.name not in chosen}
    drawn = str(draw_mapping(kept, examples, USES, SHOWN_KINDS, held))
    stays = any(column.name in chosen for column in sheet.columns)
    return Filled([asdict(column) for column in kept], drawn, {} if stays else _begun(sheet))


def picked(path: Path, told: Told, before: Told) -> Mapping[str, Any]:
    """Return the values of NAMES that change with what was chosen for the columns of a table: those its gold says."""
    columns = columns_of(told)
    gold = _gold(columns)
    if not gold or (gold, _options(columns)) == (_gold(columns_of(before)), _options(columns_of(before))):
        return {}
    sheet, rows = looked(path)
    return _answers(answered_by(replace(sheet, columns=tuple(columns)), rows))


def merged(labels: str) -> tuple[str, str]:
    """Return the lines of answers without those that differ from one before only in case, ё and spaces; and these.

    Each of these is a line of its own: as the file has it = the answer that it means.
    """
    lines = [line for line in labels.splitlines() if line.strip()]
    alike = spelled_alike([_name(line) for line in lines])
    rest = "\n".join(line for line in lines if _name(line) not in alike)
    return rest, "\n".join(f"{written} = {meant}" for written, meant in alike.items())


def _begun(sheet: Sheet) -> dict[str, Any]:
    words = [sheet.title.ru, sheet.title.en, sheet.question.ru, sheet.question.en, INSTRUCTION.ru, INSTRUCTION.en]
    return {**dict(zip(WORDS, words, strict=True)), **_answers(sheet)}


def _answers(sheet: Sheet) -> dict[str, Any]:
    bounds = ["" if bound is None else f"{bound:g}" for bound in (sheet.low, sheet.high)]
    values = [sheet.answered, _lines(sheet.labels), "", sheet.named, *bounds, sheet.metric]
    return dict(zip(ANSWERED, values, strict=True))


def _lines(labels: Sequence[Label]) -> str:
    return "\n".join(" | ".join((one.label, one.ru, one.en)) for one in labels)


def _gold(columns: Sequence[Column]) -> str:
    return next((column.name for column in columns if column.use == "gold"), "")


def _options(columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns if column.use in ("option", "options"))


def _name(line: str) -> str:
    return line.split("|")[0].strip()


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:89]}…"
