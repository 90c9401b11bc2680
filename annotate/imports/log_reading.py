"""Reading logs of answers: one row per answer, and what was left out on the way."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from operator import add
from pathlib import Path

from annotate.imports.log_columns import (
    NOTHING,
    OUTPUT,
    Cells,
    LogColumns,
    Wanted,
    answer_rows,
    check_values,
    is_toloka,
    not_shown,
    own_fields,
    table_columns,
    toloka_columns,
)
from data.errors import BadFile, BadSetting, quoted_names
from data.files.rows import Row
from data.task import Role, Task


@dataclass(frozen=True)
class LogRow:
    """One answer of a log. `answer` and `golden` stand as they were written, moments are UTC.

    `golden` is the right answer where the row tells it, `cluster` what binds its item to others, "" for nothing.
    `item_id` is the id that the log itself gives the item, None where its fields are all that tells it from others.
    `pool` is the place of its file among those that were read.
    """

    file: str
    line: int
    fields: Mapping[str, str]
    answer: str
    worker: str
    role: Role = "main"
    golden: str | None = None
    cluster: str = ""
    item_id: str | None = None
    page: str | None = None
    status: str | None = None
    price: float | None = None
    started: datetime | None = None
    submitted: datetime | None = None
    seconds: float | None = None
    pool: int = 0

    @property
    def where(self) -> str:
        """The file and the line, as a sentence about the row begins."""
        return f"{self.file}, line {self.line}"


def page_key(worker: str, page: str | None, started: datetime | None) -> str:
    """Return what tells pages apart: each is of one worker, since many logs number the pages of everybody from 1.

    Where a log names none, what a worker began at one moment was one page.
    """
    return f"{worker} {page or started}"


@dataclass(frozen=True)
class UnusableRow:
    """A row that holds no usable answer, and what it lacks."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class AnswerLog:
    """The rows of one or several files, in their order.

    `read` counts all rows of the files, `page_rows` those of each page (by `page_key`), dropped ones included. `unread`
    counts the times and prices that could not be read, by column; `unused` are columns that were left aside,
    `recognised` those that were known by their names, by what they hold.
    """

    files: tuple[str, ...]
    rows: tuple[LogRow, ...]
    field_names: tuple[str, ...]
    answer_name: str
    read: int
    dropped: tuple[UnusableRow, ...] = ()
    page_rows: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    unused: tuple[str, ...] = ()
    recognised: Mapping[str, str] = field(default_factory=dict)

    def __add__(self, other: "AnswerLog") -> "AnswerLog":
        """Return both logs as one; that they ask the same question is for the reader to check."""
        return AnswerLog(
            files=self.files + other.files,
            rows=self.rows + other.rows,
            field_names=tuple(dict.fromkeys(self.field_names + other.field_names)),
            answer_name=self.answer_name,
            read=self.read + other.read,
            dropped=self.dropped + other.dropped,
            page_rows=self.page_rows + other.page_rows,
            unread=self.unread + other.unread,
            unused=tuple(dict.fromkeys(self.unused + other.unused)),
            recognised={**self.recognised, **other.recognised},
        )

    def reasons(self) -> Counter[str]:
        """Return how many rows were dropped for which reason."""
        return Counter(row.reason for row in self.dropped)


BOOKKEEPING = ("HINT:", "ASSIGNMENT:")


def read_log(files: Sequence[Path], *, wanted: Wanted = NOTHING, task: Task | None = None) -> AnswerLog:
    """Return the rows of all files in their order; a task gives its own names to columns and values.

    Rows with an empty field, an empty answer or no worker are dropped and listed. Raises BadFile or BadSetting where a
    file cannot be read, lacks a column, or asks something else than the file before it.
    """
    if not files:
        raise BadSetting("there is no file to import; name at least one")
    again = [path.name for path, times in Counter(path.resolve() for path in files).items() if times > 1]
    if again:
        raise BadSetting(f"{again[0]} is named twice; each file is imported once")
    logs = [_read_file(path, wanted, task, pool) for pool, path in enumerate(files)]
    for other in logs[1:] if task is None else ():
        _check_same_question(logs[0], other)
    log = reduce(add, logs)
    if not log.rows:
        lacking = ", ".join(f"{number} with {reason}" for reason, number in log.reasons().items())
        raise BadFile(f"{', '.join(log.files)}: not one of {log.read} rows holds a usable answer ({lacking})")
    return log


def _check_same_question(first: AnswerLog, other: AnswerLog) -> None:
    if sorted(first.field_names) != sorted(other.field_names):
        raise BadFile(
            f"{other.files[0]}: its items have {quoted_names(other.field_names)}, those of {first.files[0]} have "
            f"{quoted_names(first.field_names)}; the files of one study ask the same"
        )
    if first.answer_name != other.answer_name:
        raise BadFile(
            f"{other.files[0]}: its answers are in {other.answer_name!r}, those of {first.files[0]} in "
            f"{first.answer_name!r}; the files of one study ask the same"
        )


def _read_file(path: Path, wanted: Wanted, task: Task | None, pool: int) -> AnswerLog:
    answers, header, wanted = answer_rows(path, wanted)
    if is_toloka(header):
        columns = toloka_columns(header, wanted, path.name)
    else:
        columns = table_columns(header, answers, wanted, task, path.name)
    if not task and not wanted.fields:
        columns = _without_blank(columns, answers)
    rows: list[LogRow] = []
    dropped: list[UnusableRow] = []
    pages: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for row in answers:
        cells = Cells(row, unread)
        pages.update([_page(cells, columns)])
        texts = {name: cells.text(column) for name, column in columns.fields.items()}
        fields = own_fields(texts, task, path.name, row.line)
        if lacking := _lacking(_needed(fields, task, columns), cells, columns):
            dropped.append(UnusableRow(path.name, row.line, lacking))
        else:
            check_values(fields, task, path.name, row.line)
            rows.append(replace(_log_row(fields, cells, columns, path.name), pool=pool))
    return AnswerLog(
        files=(path.name,),
        rows=tuple(rows),
        field_names=_joining_fields(rows, task) if task else tuple(columns.fields),
        answer_name=columns.answer.removeprefix(OUTPUT),
        read=len(answers),
        dropped=tuple(dropped),
        page_rows=pages,
        unread=unread,
        unused=tuple(_unused(header, columns, task)),
        recognised=columns.recognised,
    )


def _page(cells: Cells, columns: LogColumns) -> str:
    """Return what answers were given together: a page, or what the worker began at one moment."""
    page = cells.filled(columns.page)
    return page_key(cells.text(columns.worker), page, None if page else cells.moment(columns.started))


def _without_blank(columns: LogColumns, rows: Sequence[Row]) -> LogColumns:
    """Return the columns without item columns that are blank in every row: they tell no item from another."""
    kept = {name: column for name, column in columns.fields.items() if any(Cells(row).filled(column) for row in rows)}
    return replace(columns, fields=kept or columns.fields)


def _needed(fields: Mapping[str, str], task: Task | None, columns: LogColumns) -> dict[str, str]:
    """Return the fields that no answer can do without: an item that has an id may lack any that no task asks for."""
    if task is None and columns.item_id:
        return {name: text for name, text in fields.items() if columns.fields[name] == columns.item_id}
    optional = {declared.name for declared in task.fields if declared.optional} if task else set()
    return {name: text for name, text in fields.items() if name not in optional}


def _joining_fields(rows: Sequence[LogRow], task: Task) -> tuple[str, ...]:
    """Return the fields by which a gold file is joined: those the log tells, but for places, told in several ways."""
    return tuple(
        declared.name
        for declared in task.fields
        if declared.kind != "offsets" and (not declared.optional or any(row.fields[declared.name] for row in rows))
    )


def _lacking(fields: Mapping[str, str], cells: Cells, columns: LogColumns) -> str:
    """Return what a row lacks to be an answer; nothing where it lacks nothing."""
    if not all(text.strip() for text in fields.values()):
        return "an empty field"
    if columns.item_id and not cells.filled(columns.item_id):
        return "no item"
    if not cells.filled(columns.answer):
        return "an empty answer"
    return "" if cells.filled(columns.worker) else "no worker"


def _log_row(fields: Mapping[str, str], cells: Cells, columns: LogColumns, file: str) -> LogRow:
    started, submitted = cells.moment(columns.started), cells.moment(columns.submitted)
    if started and submitted and submitted < started:
        cells.unread[f"{columns.submitted} before {columns.started}"] += 1
        started = None
    return LogRow(
        file=file,
        line=cells.row.line,
        fields=fields,
        answer=cells.text(columns.answer),
        worker=cells.text(columns.worker),
        role="control" if cells.is_control(columns.control) or any(map(cells.filled, columns.controls)) else "main",
        golden=cells.filled(columns.golden) or cells.filled(columns.gold),
        cluster=" | ".join(filter(None, map(cells.filled, columns.clusters))),
        item_id=cells.filled(columns.item_id),
        page=cells.filled(columns.page),
        status=cells.filled(columns.status),
        price=cells.amount(columns.price),
        started=started,
        submitted=submitted,
        seconds=cells.amount(columns.seconds),
    )


def _unused(header: Sequence[str], columns: LogColumns, task: Task | None) -> list[str]:
    """Return the columns that were left aside and might have mattered."""
    read = columns.read() - set(not_shown(columns.fields, task))
    return [column or "(unnamed)" for column in header if column not in read and not column.startswith(BOOKKEEPING)]
