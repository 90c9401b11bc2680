"""MERA: a zip with a file of JSON for each task, here USE, checked row by row.

MERA's server (`modules/scoring/src/tasks` of its repository) gives a whole task nothing for one row that is wrong.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from data.answers.answer_type import unpacked
from data.answers.sequence import Sequence as Numbers
from data.catalogue.families import Submitted
from data.errors import BadSetting
from data.submissions.leaderboard import SubmissionFormat, SubmissionSheet, check_unique, in_json, number_of
from data.table_files import archived
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


def write(takes: Submitted, sheets: Sequence[SubmissionSheet]) -> bytes:
    """Return the zip with USE.json; raises BadSetting for what MERA would refuse, with its row, counted from 1."""
    (sheet,) = sheets
    rows = rows_of(sheet)
    check_unique(sheet.task, [row["meta"]["id"] for row in rows])
    for place, ((item, _), row) in enumerate(zip(sheet.rows, rows, strict=True), 1):
        if problem := _misshapen(sheet.task, item, row["outputs"]):
            raise BadSetting(f"{FILE}, row {place} (id {row['meta']['id']}): {problem}.")
    return archived({takes.files[sheet.task.id]: f"{in_json({'data': {'test': rows}})}\n".encode()})


def _outputs(task: Task, item: Item, answer: str) -> str:
    if isinstance(task.answer_for(item.fields), Numbers):
        return ",".join(unpacked(answer))
    return answer


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
