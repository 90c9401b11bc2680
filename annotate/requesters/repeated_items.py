"""Items that stand in two of a new study's files: a control that is a main item too would be asked twice."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from data.errors import FileProblem
from data.task import Role, Task


@dataclass(frozen=True)
class ItemPlace:
    """Where an item was read, and the texts that it shows."""

    role: Role
    line: int
    key: str
    shows: tuple[str, ...]


def repeated_items(task: Task, files: Mapping[Role, Path], kept: TextIO, main: int) -> list[FileProblem]:
    """Return a problem for each item of training or control that shows the same as an item of another file.

    `kept` are the gathered items, the `main` ones first: those are only looked up, the others are held in memory. Ids
    may be the same, since files number their items each for itself.
    """
    shown = [field.name for field in task.fields if field.kind != "hidden"]
    others: dict[tuple[str, ...], ItemPlace] = {}
    problems = []
    for place in _places(kept, shown, main, None):
        earlier = others.setdefault(place.shows, place)
        if earlier.role != place.role:
            problems.append(_problem(files, place, earlier))
    problems += [
        _problem(files, others[place.shows], place) for place in _places(kept, shown, 0, main) if place.shows in others
    ]
    return problems


def _places(kept: TextIO, shown: list[str], first: int, last: int | None) -> Iterator[ItemPlace]:
    kept.seek(0)
    for text in islice(kept, first, last):
        role, line, key, fields, *_ = json.loads(text)
        yield ItemPlace(role, line, key, tuple(fields.get(name, "") for name in shown))


def _problem(files: Mapping[Role, Path], place: ItemPlace, other: ItemPlace) -> FileProblem:
    where = f"the {other.role} item {other.key!r} ({files[other.role].name}, line {other.line})"
    sentence = f"the {place.role} item {place.key!r} shows the same as {where}; leave it out of one of the two files"
    return FileProblem(files[place.role].name, sentence, place.line)
