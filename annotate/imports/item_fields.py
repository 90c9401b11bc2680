"""An item's cells become its fields: under the task's own names where a task is known, else as they are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from data.answers.composite import packed
from data.errors import BadFile, FileProblem, quoted_names
from data.files.item_files import field_value, renamed
from data.files.rows import Row, read_rows
from data.formats import format_named
from data.task import Task


def sound_rows(path: Path) -> tuple[list[Row], list[str]]:
    """Return the rows of a file and its columns; one line that cannot be read fails the file."""
    rows, problems = read_rows(path)
    if problems:
        more = f" (and {len(problems) - 1} more lines)" if len(problems) > 1 else ""
        raise BadFile(f"{problems[0]}{more}")
    return rows, list(dict.fromkeys(name for row in rows for name in row.values))


def own_fields(cells: Mapping[str, Any], task: Task | None, file: str, line: int) -> dict[str, str]:
    """Return the fields that an item's cells give, in the task's own format; cells that it does not show are left out.

    An optional field that the file does not have is empty. Raises BadFile where a field is missing, or where the cells
    are nothing that the task's format knows; only where one of them is blank all fields are, and the row is no answer.
    """
    if task is None:
        return dict(cells)
    try:
        ours = renamed(_shaped(cells, task), task)
    except ValueError as error:
        if all(str(cell).strip() for cell in cells.values()):
            raise BadFile(str(FileProblem(file, str(error), line))) from error
        return dict.fromkeys((declared.name for declared in task.fields), "")
    absent = [declared.name for declared in task.fields if declared.name not in ours and not declared.optional]
    if absent:
        has = quoted_names(list(cells))
        raise BadFile(f"{file}: task {task.id!r} shows {quoted_names(absent)}, but the items of this file have {has}")
    return {declared.name: _stored(ours.get(declared.name, "")) for declared in task.fields}


def _shaped(cells: Mapping[str, Any], task: Task) -> Mapping[str, Any]:
    rows = list(format_named(task.file_format).unfold(cells))
    if len(rows) != 1:
        raise ValueError(f"holds {len(rows)} items of task {task.id!r}; a row of a log is about one")
    return rows[0]


def _stored(value: Any) -> str:
    return value if isinstance(value, str) else packed(value)


def not_shown(names: Mapping[str, str], task: Task | None) -> list[str]:
    """Return the columns (by the names of their fields) that the task has no field for."""
    shown = {declared.name for declared in task.fields} if task else set(names)
    return [column for name, column in names.items() if task and not shown & set(renamed({name: ""}, task))]


def check_values(fields: Mapping[str, str], task: Task | None, file: str, line: int) -> None:
    """Refuse a value that the task's field does not allow."""
    for declared in task.fields if task else ():
        if declared.optional and not fields[declared.name].strip():
            continue
        try:
            field_value(declared, fields[declared.name])
        except ValueError as error:
            raise BadFile(str(FileProblem(file, str(error), line, declared.name))) from error
