"""A file of predictions: an id and an answer or a reply per record, or records like those of the file of items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.coding import Coding, alone, is_number, listed
from data.errors import BadFile
from data.reading import ID_COLUMNS, each_item
from data.rows import Problem, Row, read_rows
from data.shapes import shape_named
from data.task import Item, Task

Content = frozenset[tuple[str, str]]
ITEM_COLUMNS = ("item", *ID_COLUMNS)
REPLY_COLUMNS = ("raw", "reply", "response")
ANSWER_COLUMNS = ("prediction", "answer", "label")


@dataclass(frozen=True)
class Given:
    """One record of predictions and the line it begins on; `item` where the record is that of an item, gold and all."""

    line: int
    values: Mapping[str, Any]
    item: Item | None = None


@dataclass(frozen=True)
class Told:
    """What a record says: the canonical answer, None where it names none; the words in which it does.

    The text is None where the record names an answer by a code, or is no text: it is written as people's is.
    """

    label: str | None
    text: str | None


UNSET: Any = object()
"""The answer of a record that has none."""


def answer_columns(task: Task, columns: Iterable[str]) -> list[str]:
    """Return the columns that may hold an answer, of these, the likeliest first; a field of the item comes last."""
    theirs = [name for name, ours in task.aliases.columns.items() if ours == task.answer_column]
    known = dict.fromkeys((*ANSWER_COLUMNS[:2], task.answer_column, *theirs, *ANSWER_COLUMNS[2:]))
    shown = {field.name for field in task.fields}
    present = set(columns)
    return sorted((name for name in known if name in present), key=lambda name: name in shown)


def given_in(path: Path, task: Task) -> tuple[list[Given], list[Problem]]:
    """Return the records of a file of predictions, and the lines that cannot be read.

    Records without an id and an answer are read as the file of items is, so that the authors' own files will do, cells
    without quotes as well where these have none. Raises BadFile for a file that is neither.
    """
    quoted = shape_named(task.shape).quoted
    rows, problems = read_rows(path, quoted=quoted)
    if not _in_pairs(rows, task):
        return _as_items(path, task, rows)
    if not quoted:
        rows, problems = read_rows(path)
    return [Given(row.line, row.values) for row in rows], problems


def reply_in(values: Mapping[str, Any]) -> str | None:
    """Return the whole reply of a model that a record keeps, None where it keeps none."""
    return next((values[name] for name in REPLY_COLUMNS if isinstance(values.get(name), str)), None)


def answer_in(values: Mapping[str, Any], task: Task) -> Any:
    """Return the answer that a record states, UNSET where it states none."""
    return next((values[name] for name in answer_columns(task, values)), UNSET)


def told_by(given: Given, coding: Coding, fields: Mapping[str, str]) -> Told:
    """Return what a record says about the item with these fields; raises Unreadable as `Coding.read` does.

    A whole reply is parsed, as a model's is. A stated answer is read as gold is; only a text that is no answer in the
    coding of the file of items is parsed as a reply, "Ответ: 1".
    """
    own, reply = coding.task.answer_for(fields), reply_in(given.values)
    if given.item:
        return Told(own.best(given.item.gold, fields) if given.item.gold is not None else None, None)
    if reply is not None:
        return Told(own.parse(reply, fields), reply)
    stated = answer_in(given.values, coding.task)
    label = coding.read(stated, fields)
    if not isinstance(stated, str):
        return Told(label, None)
    if label is None:
        return Told(own.parse(stated, fields), stated)
    return Told(label, None if coding.coded(stated, fields) else stated.strip())


def counts_from_zero(path: Path, task: Task) -> bool:
    """Return whether a file of items has numbers for gold where items bring their own options, as our own files do."""
    rows, _ = read_rows(path, quoted=shape_named(task.shape).quoted)
    return any(is_number(alone(listed(answer_in(row.values, task)))) for row in rows)


def content_of(task: Task, fields: Mapping[str, str]) -> Content:
    """Return what people see of an item, with every run of white space as one space."""
    kept = [field.name for field in task.fields if field.kind != "hidden"]
    return frozenset((name, " ".join(fields.get(name, "").split())) for name in kept)


def _in_pairs(rows: Sequence[Row], task: Task) -> bool:
    columns = {name.strip('"') for row in rows for name in row.values}
    answers = (*answer_columns(task, columns), *columns.intersection(REPLY_COLUMNS))
    return bool(columns.intersection(ITEM_COLUMNS)) and bool(answers)


def _as_items(path: Path, task: Task, rows: Sequence[Row]) -> tuple[list[Given], list[Problem]]:
    found, problems = [], []
    for one in each_item(path, task):
        if isinstance(one, Problem):
            problems.append(one)
        else:
            found.append(Given(one[0], {}, one[1]))
    if not any(one.item and one.item.gold is not None for one in found):
        raise BadFile(f"{path.name}: {_lacks(task, rows)}{f'; {problems[0]}' if problems and problems[0].line else ''}")
    return found, problems


def _lacks(task: Task, rows: Sequence[Row]) -> str:
    """Return what records lack that have not both an id and an answer, and are no records of items either."""
    columns = dict.fromkeys(name for row in rows for name in row.values)
    answers = dict.fromkeys((*ANSWER_COLUMNS, task.answer_column, *REPLY_COLUMNS))
    asked = (("items", ITEM_COLUMNS), ("answers", answers))
    lacking = [f"no column of {what} ({', '.join(names)})" for what, names in asked if not {*names} & {*columns}]
    has = ", ".join(map(repr, columns))
    return f"has {' and '.join(lacking) or 'no answers'}, and its records are not those of items; it has {has}"
