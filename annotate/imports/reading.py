"""Files of answers become one Log: columns are found, cells are read, rows without a usable answer are set aside."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from annotate.imports.columns import Columns, Wanted, listed
from annotate.imports.log import Dropped, Log, LogRow
from annotate.imports.plain import is_plain, plain_columns
from annotate.imports.toloka import MATTERING, is_toloka, table_columns, toloka_columns
from data.errors import BadFile, BadSetting
from data.reading import field_value, renamed
from data.rows import Problem, Row, read_rows
from data.task import Task

NOTHING = Wanted()


def read_log(files: Sequence[Path], *, wanted: Wanted = NOTHING, task: Task | None = None) -> Log:
    """Return the rows of all files in their order; a task gives its own names to columns and values.

    Rows with an empty field, an empty answer or no worker are dropped and listed. Raises BadFile or BadSetting where a
    file cannot be read, lacks a column, or asks something else than the file before it.
    """
    if not files:
        raise BadSetting("there is no file to import; name at least one")
    twice = [path for path, times in Counter(path.resolve() for path in files).items() if times > 1]
    if twice:
        raise BadSetting(f"{twice[0].name} is named twice; each file is imported once")
    reader = _Reader(wanted, task)
    for path in files:
        reader.read(path)
    return reader.log()


def text(value: Any) -> str:
    """Return a cell as text exactly as it stands; JSON's true is "true", its null is empty."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def bare_rows(path: Path) -> tuple[list[Row], list[str]]:
    """Return the rows of a file and its columns; a line that cannot be read fails the file."""
    rows, problems = read_rows(path)
    if problems:
        raise BadFile(str(problems[0]) + (f" (and {len(problems) - 1} more lines)" if len(problems) > 1 else ""))
    return rows, list(dict.fromkeys(name for row in rows for name in row.values))


def item_fields(cells: Mapping[str, str], task: Task | None, *, file: str, line: int) -> dict[str, str]:
    """Return the fields of an item, under the task's own names where a task is known; raises BadFile."""
    if task is None:
        return dict(cells)
    ours = renamed(cells, task)
    absent = [declared.name for declared in task.fields if declared.name not in ours]
    if absent:
        raise BadFile(
            f"{file}: task {task.id!r} shows {listed(absent)}, which this file does not have; its item columns are "
            f"{listed(list(cells))}"
        )
    for declared in task.fields:
        try:
            field_value(declared, ours[declared.name])
        except ValueError as error:
            raise BadFile(str(Problem(file, str(error), line, declared.name))) from error
    return {declared.name: ours[declared.name] for declared in task.fields}


@dataclass
class _Reader:
    """Collects the rows of file after file."""

    wanted: Wanted
    task: Task | None
    rows: list[LogRow] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    page_rows: Counter[str] = field(default_factory=Counter)
    unused: dict[str, None] = field(default_factory=dict)
    known: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    asked: tuple[str, tuple[str, ...], str] | None = None
    total: int = 0

    def read(self, path: Path) -> None:
        rows, header = bare_rows(path)
        columns = _without_blank(find_columns(header, self.wanted, path.name), rows)
        self._same_question(path.name, columns)
        for row in rows:
            self._row(row, columns, path.name)
        self.total += len(rows)
        self._note_unused(header, columns)

    def log(self) -> Log:
        if not self.rows or self.asked is None:
            reasons = Counter(row.reason for row in self.dropped)
            counts = ", ".join(f"{number} with {reason}" for reason, number in reasons.items())
            raise BadFile(f"not one usable answer is left of {self.total} rows ({counts}); check the columns")
        names = tuple(self.rows[0].fields)
        return Log(
            rows=tuple(self.rows),
            field_names=names,
            answer_name=self.asked[2],
            read=self.total,
            page_rows=self.page_rows,
            dropped=tuple(self.dropped),
            unread=self.unread,
            unused=tuple(self.unused),
        )

    def _same_question(self, file: str, columns: Columns) -> None:
        asked = file, tuple(sorted(columns.fields)), columns.answer.removeprefix("OUTPUT:")
        first = self.asked = self.asked or asked
        if self.task is None and asked[1:] != first[1:]:
            raise BadFile(
                f"{file}: asks for {asked[2]!r} about {listed(asked[1])}, but {first[0]} for {first[2]!r} about "
                f"{listed(first[1])}; one study asks one question"
            )

    def _row(self, row: Row, columns: Columns, file: str) -> None:
        cells = {name: text(row.values.get(column)) for name, column in columns.fields.items()}
        page = _cell(row, columns.page)
        if page:
            self.page_rows[page] += 1
        answer, worker = text(row.values.get(columns.answer)), text(row.values.get(columns.worker))
        empty = [name for name, cell in cells.items() if not cell.strip() and self._shown(name)]
        reason = "an empty field" if empty else "an empty answer" if not answer.strip() else ""
        reason = reason or ("no worker" if not worker.strip() else "")
        if reason:
            self.dropped.append(Dropped(file, row.line, reason))
            return
        started, submitted = self._moment(row, columns.started), self._moment(row, columns.submitted)
        if started and submitted and submitted < started:
            self.unread[f"{columns.started} later than {columns.submitted}"] += 1
            started = None
        self.rows.append(
            LogRow(
                file=file,
                line=row.line,
                fields=self._fields(cells, file, row.line),
                answer=answer,
                worker=worker,
                role="control" if any(_cell(row, column) for column in columns.controls) else "main",
                golden=_cell(row, columns.golden),
                item_id=_cell(row, columns.item_id),
                page=page,
                status=_cell(row, columns.status),
                price=self._price(row, columns.price),
                started=started,
                submitted=submitted,
            )
        )
