"""MERA: a zip with a file of JSON for each task, here USE, checked row by row.

MERA's server (`modules/scoring/src/tasks` of its repository) gives a whole task nothing for one row that is wrong.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from data.answers.composite import unpacked
from data.answers.sequence import Sequence as Numbers
from data.catalogue.families import Submitted
from data.errors import BadSetting
from data.submissions.leaderboard import SubmissionFormat, SubmissionSheet, in_json, number_of, zipped
from data.task import Item, Task

FILE = "USE.json"
NUMBERS = re.compile(r"[0-9]+(?:,[0-9]+)*")
LETTER = re.compile(r"[^\W\d_]")
Row = Mapping[str, Any]


def rows_of(sheet: SubmissionSheet) -> list[Row]:
    """Return a row for each item; numbers have bare commas between them: MERA's script takes a space for a part."""
    return [
        {
            "outputs": _outputs(sheet.task, item, answer),
            "meta": {
                "id": number_of(sheet.task, item.id),
                "id_task": item.fields["id_task"],
                "variant": number_of(sheet.task, item.fields["variant"]),
            },
        }
        for item, answer in sheet.rows
    ]


def check(task: Task, items: Sequence[Item], rows: Sequence[Row]) -> None:
    """Refuse (BadSetting) rows that the leaderboard would: every item once, with an answer of its own form.

    The sentence names the first row that is wrong, counted from 1.
    """
    wanted = {number_of(task, item.id): item for item in items}
    met: set[object] = set()
    for place, row in enumerate(rows, 1):
        number, outputs = _id_of(row), row.get("outputs")
        if problem := _problem(task, wanted, met, number, outputs):
            raise BadSetting(f"{FILE}, row {place} (id {number!r}): {problem}.")
        met.add(number)
    if absent := [number for number in wanted if number not in met]:
        raise BadSetting(f"{FILE}: {len(absent)} of {len(wanted)} items have no row, the first is id {absent[0]}.")


def write(takes: Submitted, sheets: Sequence[SubmissionSheet]) -> bytes:
    """Return the zip with USE.json; raises BadSetting for what MERA would refuse."""
    (sheet,) = sheets
    rows = rows_of(sheet)
    check(sheet.task, [item for item, _ in sheet.rows], rows)
    return zipped({takes.files[sheet.task.id]: in_json({"data": {"test": rows}}) + "\n"})


def _outputs(task: Task, item: Item, answer: str) -> str:
    if isinstance(task.answer_for(item.fields), Numbers):
        return ",".join(unpacked(answer))
    return answer


def _id_of(row: Row) -> object:
    meta = row.get("meta")
    return meta.get("id") if isinstance(meta, Mapping) else None


def _problem(task: Task, wanted: Mapping[int, Item], met: set[object], number: object, outputs: object) -> str:
    """Return what is wrong with a row, "" where nothing is."""
    if not isinstance(number, int) or isinstance(number, bool):
        return "its meta needs an id that is a whole number"
    if number not in wanted:
        return "no item of the study has this id"
    if number in met:
        return "a row before it has the same id"
    if not isinstance(outputs, str):
        return f"its outputs are {outputs!r:.60}; a text is needed"
    return _misshapen(task, wanted[number], outputs)


def _misshapen(task: Task, item: Item, outputs: str) -> str:
    """Return why the outputs do not have the form of the item's type, "" where they do."""
    asked = task.answer_for(item.fields)
    if not isinstance(asked, Numbers):
        return "" if LETTER.search(outputs) else f"its outputs are {outputs!r}; a word is needed"
    numbers = outputs.split(",")
    if not NUMBERS.fullmatch(outputs):
        return f"its outputs are {outputs!r}; numbers with commas and no spaces are needed, such as 1,3"
    if unknown := [number for number in numbers if number not in asked.offered(item.fields)]:
        return f"its outputs {outputs!r} name {unknown[0]}, which is none of the item's options"
    needed = len(asked.places(item.fields))
    if needed and len(numbers) != needed:
        return f"its outputs {outputs!r} are {len(numbers)} numbers; {needed} are needed"
    if not needed and len(set(numbers)) < len(numbers):
        return f"its outputs {outputs!r} have a number twice"
    return ""


FORMAT = SubmissionFormat(write, number=number_of)
