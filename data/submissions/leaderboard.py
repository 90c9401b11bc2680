"""What a leaderboard is sent: the items of a task with one answer each, and in which form it takes them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.catalogue.families import Submitted
from data.errors import BadSetting
from data.task import Item, Task


@dataclass(frozen=True)
class SubmissionSheet:
    """The items of one task in their order, each with its one answer in canonical form."""

    task: Task
    rows: tuple[tuple[Item, str], ...]


@dataclass(frozen=True)
class SubmissionFormat:
    """The form in which a leaderboard takes answers.

    `write` makes the bytes of what is sent of one or more sheets, and raises BadSetting with the row that is wrong;
    they are a zip of files, or one plain file. `number` is that of an item on the leaderboard, by its id; None where a
    leaderboard goes by the order of rows.
    """

    write: Callable[[Submitted, Sequence[SubmissionSheet]], bytes]
    zipped: bool = True
    number: Callable[[Task, str], int] | None = None


@dataclass(frozen=True)
class Leaderboard:
    """What takes the answers to the tasks of a benchmark: what its `family.toml` says of it, and the form."""

    takes: Submitted
    form: SubmissionFormat

    def unknown(self, task: Task, ids: Sequence[str]) -> str:
        """Return why the leaderboard does not know the items with these ids; "" where it does, as far as ids tell."""
        if self.form.number is None:
            return ""
        try:
            for name in ids:
                self.form.number(task, name)
        except BadSetting as error:
            return str(error)
        return ""

    def absent(self, sheets: Sequence[SubmissionSheet]) -> list[str]:
        """Return the files that the leaderboard expects and that these sheets do not make, in their order."""
        there = {sheet.task.id for sheet in sheets}
        return [name for task, name in self.takes.files.items() if self.form.zipped and task not in there]


def sheet_of(task: Task, items: Sequence[Item], given: Mapping[str, str], *, remedy: str = "") -> SubmissionSheet:
    """Return the sheet of these answers, by the ids of items; a leaderboard wants every row, so that none may lack.

    Raises BadSetting with the number of items without an answer, the first of them, and the `remedy`.
    """
    silent = [item.id for item in items if item.id not in given]
    if silent or not items:
        raise BadSetting(
            f"{task.id}: {len(silent)} of {len(items)} items have no answer, first {silent[0] if silent else ''!r}; a "
            f"leaderboard wants every row{f': {remedy}' if remedy else ''}."
        )
    return SubmissionSheet(task, tuple((item, given[item.id]) for item in items))


def number_of(task: Task, value: object) -> int:
    """Return the number under which a leaderboard knows something; raises BadSetting for what is no whole number."""
    text = str(value)
    if not (text.isascii() and text.isdecimal()):
        raise BadSetting(
            f"{task.id}: {text!r} is no number of a leaderboard; make the study from the file its authors distribute."
        )
    return int(text)


def check_unique(task: Task, numbers: Sequence[int]) -> None:
    """Refuse (BadSetting) numbers of which one is there twice."""
    met: set[int] = set()
    for number in numbers:
        if number in met:
            raise BadSetting(f"{task.id}: two items have the number {number}, and a leaderboard knows it once.")
        met.add(number)


def in_json(value: Any) -> str:
    """Return plain data as JSON with its letters as they are."""
    return json.dumps(value, ensure_ascii=False)
