"""Rows of a file become the items of a task; every problem names file, line and field."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

from data.answers.answer_type import packed
from data.composed_text import composed
from data.errors import BadAnswer, BadFile, FileProblem, quoted_names
from data.files.rows import Row, each_row
from data.formats import format_named
from data.formats.record_format import Unfold
from data.limits import MOST_PROBLEMS
from data.task import CHAT_ROLES, DATA_KINDS, Field, Item, Role, Task

ID_COLUMNS = ("id", "idx")
AHEAD = 1000  # rows among which every column of a file shows itself
NEEDS_GOLD: tuple[Role, ...] = ("training", "control")
NEEDED = {"not_spans": "offsets inside the text are needed, such as 2:10, or [2, 10] in JSON"}
"""What to write instead of an answer that is none, by the code of the mistake, where no list of what may be says it."""
SPELLINGS, LONGEST_SPELLING = 10_000, 100  # of right answers, that are remembered while a file is read; characters
BATCH = 100  # rows that are checked together
RightAnswer = Callable[[Any, Mapping[str, str]], str | None]
ItemOrProblem = tuple[Row, Item] | FileProblem
"""An item with the row it is made of, or what is wrong on some line."""


@dataclass(frozen=True)
class CheckedRows:
    """Rows of a file, one after another, that are items of a role, and what these are made of: ids, fields, gold."""

    role: Role
    rows: Sequence[Row]
    ids: Sequence[str]
    fields: Sequence[Mapping[str, str]]
    golds: Sequence[str | None]

    def __getitem__(self, places: slice) -> "CheckedRows":
        return CheckedRows(self.role, self.rows[places], self.ids[places], self.fields[places], self.golds[places])

    def items(self) -> Iterator[Item]:
        """Make the items, one by one."""
        for (_, values, source), key, fields, gold in zip(self.rows, self.ids, self.fields, self.golds, strict=True):
            explanation = str(values.get("explanation") or "")
            yield Item(key, fields, gold, self.role, explanation, values if source is None else source)


Checked = CheckedRows | FileProblem
"""What a part of a file holds: items, or what is wrong on some line."""
Check = Callable[[Sequence[Row | FileProblem]], CheckedRows | Sequence[FileProblem]]


def read_items(path: Path, task: Task, *, role: Role = "main") -> list[Item]:
    """Return the items of a file; raises BadFile with the first problem and how many more there are."""
    items, problems = check_items(path, task, role=role)
    if problems:
        more = f" (and {len(problems) - 1} more; `check` lists them all)" if len(problems) > 1 else ""
        raise BadFile(f"{problems[0]}{more}")
    return items


def check_items(path: Path, task: Task, *, role: Role = "main") -> tuple[list[Item], list[FileProblem]]:
    """Return the items that can be read and every problem met on the way, in the order of the file."""
    return _items_and_problems(checked(path, task, role=role), path.name)


def items_of(records: Sequence[Row], task: Task) -> tuple[list[Item], list[FileProblem]]:
    """Return the main items that records in memory hold, and every problem, as `check_items` does for a file."""
    rows = _rows(records, task, format_named(task.file_format).unfold, "record")
    return _items_and_problems(_parts_of(rows, task, "main", "record"), "record")


def with_own_ids(parts: Iterable[Checked], name: str) -> Iterator[Checked]:
    """Yield what a file holds, in its order; of two items with one id the second is a problem."""
    first_line: dict[str, int] = {}
    for part in parts:
        if isinstance(part, FileProblem):
            yield part
            continue
        lines = [row.line for row in part.rows]
        first = list(map(first_line.setdefault, part.ids, lines))
        if first == lines:
            yield part
            continue
        for place, item in enumerate(part.items()):
            again = first[place] != lines[place]
            yield same_id(name, item, lines[place], first[place]) if again else part[place : place + 1]


def same_id(name: str, item: Item, line: int, first: int) -> FileProblem:
    """Return what is wrong with an item whose id another one bears already."""
    return FileProblem(name, f"id {item.id!r:.80} is already on line {first}", line, "id", item.source)


def each_item(path: Path, task: Task, *, role: Role = "main") -> Iterator[ItemOrProblem]:
    """Yield each item that can be read with its row, and each problem, while the file is read.

    A column that none of the first rows has is told once, and nothing is read after them. Whether two items bear one
    id is for the caller to see, who knows how many there may be.
    """
    return _each(checked(path, task, role=role))


def checked(path: Path, task: Task, *, role: Role = "main") -> Iterator[Checked]:
    """Yield what `each_item` does, of rows that are in order many at once; items are made when they are wanted."""
    file_format = format_named(task.file_format)
    rows = _rows(each_row(path, quoted=file_format.quoted), task, file_format.unfold, path.name)
    return _parts_of(rows, task, role, path.name)


def each_predicted(path: Path, task: Task) -> Iterator[ItemOrProblem]:
    """Yield each item of a file of predictions that has the form of the items, without gold, and its row.

    What stands in the column of gold is for the caller to read, and need not be an answer.
    """
    file_format = format_named(task.file_format)
    records = each_row(path, quoted=file_format.quoted)
    rows = _rows(records, task, file_format.predicted or file_format.unfold, path.name)
    return _each(_parts_of(rows, task, "main", path.name, right=lambda *_: None))


def _each(parts: Iterable[Checked]) -> Iterator[ItemOrProblem]:
    for part in parts:
        if isinstance(part, FileProblem):
            yield part
        else:
            yield from zip(part.rows, part.items(), strict=True)


def _items_and_problems(parts: Iterable[Checked], name: str) -> tuple[list[Item], list[FileProblem]]:
    """Return the items and the problems in the order of the file; of two items with one id the second is a problem."""
    items: list[Item] = []
    problems: list[FileProblem] = []
    for part in with_own_ids(parts, name):
        if len(problems) > MOST_PROBLEMS:
            raise BadFile(f"{problems[0]}; {MOST_PROBLEMS} more lines are wrong; is it the right file?")
        if isinstance(part, FileProblem):
            problems.append(part)
        else:
            items += part.items()
    return items, sorted(problems, key=lambda problem: problem.line or 0)


def _parts_of(
    rows: Iterator[Row | FileProblem], task: Task, role: Role, name: str, *, right: RightAnswer | None = None
) -> Iterator[Checked]:
    check = _row_checker(task, role, name, right or _right_answers(task))
    first = list(islice(rows, AHEAD))
    read = [row for row in first if isinstance(row, Row)]
    needed = [field.name for field in task.fields if not field.optional]
    absent = [column for column in needed if not any(column in row.values for row in read)]
    if read and absent:
        has = quoted_names(read[0].values)
        yield from (row for row in first if isinstance(row, FileProblem))
        yield from (
            FileProblem(name, f"there is no such column; the file has {has}", field=column) for column in absent
        )
        return
    for batch in filter(None, chain([first], _batches(rows))):
        yield from _divided(batch, check)


def _batches(rows: Iterator[Row | FileProblem]) -> Iterator[list[Row | FileProblem]]:
    """Yield rows many at once; what ends the reading is raised after the rows before it."""
    batch: list[Row | FileProblem] = []
    try:
        for row in rows:
            batch.append(row)
            if len(batch) == BATCH:
                yield batch
                batch = []
    except BadFile:
        yield batch
        raise
    yield batch


def _divided(records: Sequence[Row | FileProblem], check: Check) -> Iterator[Checked]:
    """Yield what the records hold, checked together; where one of them is wrong, each half of them on its own."""
    found = check(records)
    if isinstance(found, CheckedRows):
        yield found
    elif len(records) > 1:
        half = len(records) // 2
        yield from _divided(records[:half], check)
        yield from _divided(records[half:], check)
    else:
        yield from found


def _rows(records: Iterable[Row | FileProblem], task: Task, unfold: Unfold, name: str) -> Iterator[Row | FileProblem]:
    """Yield the rows that records hold, under our own names and on the lines of their records, and what holds none.

    The few formats that need the whole file get it.
    """
    if not (task.file_format or task.aliases.columns or task.aliases.values):
        yield from records  # each is a row as it stands
        return
    if survey := format_named(task.file_format).surveyed:
        every = list(records)
        yield from (record for record in every if isinstance(record, FileProblem))
        read = [record for record in every if isinstance(record, Row)]
        surveyed = survey([record.values for record in read])
        records = [Row(record.line, values) for record, values in zip(read, surveyed, strict=True)]
    for record in records:
        if isinstance(record, FileProblem):
            yield record
            continue
        try:
            held = list(unfold(record.values))
        except ValueError as error:
            yield FileProblem(name, str(error), record.line)
            continue
        for values in held:
            yield Row(record.line, renamed(values, task), values)


def renamed(values: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
    """Return a row with other people's column names and values turned into the task's own.

    A column never takes the name of another that stays; one that is renamed itself makes room.
    """
    row, columns = values, task.aliases.columns
    if not columns.keys().isdisjoint(values):
        taken = {name for name in values if name not in columns}
        row = {
            columns[name] if name in columns and columns[name] not in taken else name: value
            for name, value in values.items()
        }
    for name, ours in task.aliases.values.items():
        if isinstance(row.get(name), str):
            row = {**row, name: ours.get(row[name], row[name])}
    return row


def content_id(fields: Mapping[str, str]) -> str:
    """Return a stable id made of all an item's fields exactly as they are."""
    text = json.dumps(dict(sorted(fields.items())), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def gold_label(value: Any, task: Task, fields: Mapping[str, str]) -> str | None:
    """Return the canonical gold of a cell, None where the cell is empty; raises BadAnswer for what is not an answer."""
    return None if value is None or value in ("", []) else task.answer_for(fields).gold(_stated(value, task), fields)


class _Watched(Mapping[str, str]):
    """The fields of an item, and whether anything of them `was_read`."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields, self.was_read = fields, False

    def __getitem__(self, name: str) -> str:
        self.was_read = True
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        self.was_read = True
        return iter(self._fields)

    def __len__(self) -> int:
        self.was_read = True
        return len(self._fields)


def _right_answers(task: Task) -> RightAnswer:
    """Return `gold_label` of a task; a spelling that means the same whatever the item holds is looked up once."""
    known: dict[str, str | None] = {}
    left = SPELLINGS

    def right(value: Any, fields: Mapping[str, str]) -> str | None:
        nonlocal left
        spelling = isinstance(value, str) and len(value) <= LONGEST_SPELLING
        if spelling and value in known:
            return known[value]
        if not spelling or not left:
            return gold_label(value, task, fields)
        left -= 1
        watched = _Watched(fields)
        label = gold_label(value, task, watched)
        if not watched.was_read:
            known[value] = label
        return label

    return right


def predicted_label(value: Any, task: Task, fields: Mapping[str, str]) -> str | None:
    """Return `gold_label` of a cell that stands for a prediction: whatever of it a metric can score."""
    if value is None or value in ("", []):
        return None
    return task.answer_for(fields).predicted(_stated(value, task), fields)


def answer_label(value: Any, task: Task, fields: Mapping[str, str]) -> str:
    """Return the canonical answer that stands in a cell; raises BadAnswer for what is not an answer."""
    return task.answer_for(fields).validate(_stated(value, task), fields)


def _stated(value: Any, task: Task) -> Any:
    """Return what a cell states, in our own labels: several of them where the task's sign parts them."""
    if task.several and isinstance(value, str) and task.several in value and not value.startswith("["):
        return [_known(part.strip(), task) for part in value.split(task.several) if part.strip()]
    return _known(value, task)


def _known(value: Any, task: Task) -> Any:
    """Return our own label for other people's, and anything else as it is."""
    known = task.aliases.answers
    if known and isinstance(value, str | int | float) and not isinstance(value, bool):
        written = composed(str(value))
        return known.get(str(value)) or known.get(written) or known.get(written.strip()) or value
    return value


def field_value(field: Field, value: Any) -> str:
    """Return a cell as the text of a field; raises ValueError with the reason where it is none."""
    if field.kind in DATA_KINDS:
        return packed(checked_data(field, value))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"is a {type(value).__name__}; a text is needed")
    text = str(value)
    if not text.strip():
        raise ValueError("is empty; every shown field needs a text")
    if field.values and text not in field.values:
        raise ValueError(f"{text[:60]!r} is not known; use one of {quoted_names(field.values)}")
    return text


def checked_data(field: Field, value: Any) -> list[Any]:
    """Return a cell as the list that a field of data holds; raises ValueError with the reason where it is none."""
    data = value
    if isinstance(value, str) and field.separator and not value.startswith("["):
        data = [part.strip() for part in value.split(field.separator) if part.strip()]
    elif isinstance(value, str):
        try:
            data = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"is not JSON ({error!s:.100}); the field holds a list") from error
    if not isinstance(data, list) or not data:
        raise ValueError(f"is {data!r:.60}; a list with at least one element is needed")
    fits = {
        "chat": _is_turn,
        "table": lambda entry: isinstance(entry, list) and all(isinstance(cell, str) for cell in entry),
        "options": lambda entry: isinstance(entry, str) and bool(entry.strip()),
        "questions": lambda entry: isinstance(entry, dict),
        "offsets": _is_offset,
    }[field.kind]
    wrong = next((entry for entry in data if not fits(entry)), None)
    if wrong is not None:
        raise ValueError(f"has {wrong!r:.60}, which is nothing that a field of kind {field.kind!r} holds")
    return data


def _is_turn(value: Any) -> bool:
    """Whether a value is {"role", "content"}: who says something, and what."""
    shaped = isinstance(value, dict) and value.keys() == {"role", "content"} and value["role"] in CHAT_ROLES
    return shaped and isinstance(value["content"], str)


def _is_offset(value: Any) -> bool:
    """Whether a value is [begin, end] or [begin, end, label] with 0 <= begin <= end."""
    shaped = isinstance(value, list) and len(value) in (2, 3) and all(type(end) is int for end in value[:2])
    return shaped and 0 <= value[0] <= value[1] and all(isinstance(label, str) for label in value[2:])


def _row_checker(task: Task, role: Role, name: str, right: RightAnswer) -> Check:
    """Return what checks rows together, column by column: of rows that are not all right it tells what is wrong.

    That is every problem of a row that is alone, and of several no more than that there is one.
    """
    names = [field.name for field in task.fields]
    shown = [field for field in task.fields if field.kind != "hidden"]
    may_be_blank = all(field.optional for field in shown)

    def check(records: Sequence[Row | FileProblem]) -> CheckedRows | Sequence[FileProblem]:
        problems = [record for record in records if isinstance(record, FileProblem)]
        rows = [record for record in records if isinstance(record, Row)]
        values = [row.values for row in rows]
        columns: list[Sequence[str]] = []

        def wrong(message: str, column: str | None = None) -> list[FileProblem]:
            problems.append(FileProblem(name, message, rows[0].line, column, rows[0].as_read))
            return problems

        for field in task.fields:
            try:
                columns.append(_texts(field, [row.get(field.name) for row in values]))
            except ValueError as error:
                wrong(str(error) if field.name in values[0] else "is missing", field.name)
        if problems:
            return problems
        texts = zip(*columns, strict=True) if columns else repeat((), len(rows))
        fields = list(map(dict, map(zip, repeat(names), texts)))
        if may_be_blank and not all(any(item[field.name] for field in shown) for item in fields):
            return wrong("shows nothing: all its texts are empty")
        stated, golds = None, []
        try:
            for stated, item in zip((row.get(task.answer_column) for row in values), fields, strict=True):
                golds.append(right(stated, item))
        except BadAnswer as error:
            return wrong(no_answer(stated, error), task.answer_column)
        if role in NEEDS_GOLD and None in golds:
            return wrong(f"a {role} item needs its right answer", task.answer_column)
        return CheckedRows(role, rows, list(map(_item_id, values, fields)), fields, golds)

    return check


def _item_id(values: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """Return what an item is called: by its file, or by what its fields are."""
    for column in ID_COLUMNS:
        if (given := values.get(column)) not in (None, ""):
            return str(given)
    return content_id(fields)


def _texts(field: Field, cells: Sequence[Any]) -> Sequence[str]:
    """Return the cells of a column as texts of a field; raises ValueError with what is wrong with one of them."""
    any_text = not field.values and field.kind not in DATA_KINDS
    if any_text and {*map(type, cells)} == {str} and all(map(str.strip, cells)):
        return cells
    return ["" if field.optional and cell in (None, "", []) else field_value(field, cell) for cell in cells]


def no_answer(got: Any, error: BadAnswer) -> str:
    """Return why a cell is no right answer, and what to write instead."""
    if equal := error.parameters.get("equal"):
        shown = error.parameters.get("value", got)
        same = f"is the text of several equal options ({equal:.80})"
        return f"{shown!r:.80} {same}; make them differ, or write the label of one"
    if allowed := error.parameters.get("allowed"):
        return f"{got!r:.80} is not an answer; use one of {allowed:.200}"
    needed = NEEDED.get(error.code, f"{error.code.replace('_', ' ')}: write it as our own files have answers")
    return f"{got!r:.80} is not an answer; {needed}"
