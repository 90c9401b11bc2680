"""Reading logs of answers: which column holds what, one row per answer, and what was left out on the way."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from string import digits
from typing import Any

from annotate.imports.import_settings import AS_IT_IS, ImportSettings
from data.answers.answer_type import packed
from data.errors import BadFile, BadSetting, FileProblem, quoted_names
from data.files.column_names import OF_ANSWERS, OF_PAY, column_of, plain_name
from data.files.item_files import field_value, renamed
from data.files.prediction_files import gold_columns
from data.files.rows import Row, read_rows
from data.files.text_files import read_text
from data.formats import format_named
from data.table_files import GUARDED, as_before
from data.task import Role, Task


@dataclass(frozen=True)
class LogColumns:
    """Where one file keeps what: field -> its column, and the columns of the rest, None where it has none.

    A cell in any of `controls` makes its row a control, and so does a yes in `control`; `golden` is the one of them
    with the right answer. `gold` holds the right answer of any row, `clusters` what binds its item to others.
    `item_id` is the column that names the item; `recognised` are those that only their names tell, by what they hold.
    """

    fields: Mapping[str, str]
    answer: str
    worker: str
    golden: str | None = None
    controls: tuple[str, ...] = ()
    control: str | None = None
    gold: str | None = None
    clusters: tuple[str, ...] = ()
    item_id: str | None = None
    page: str | None = None
    status: str | None = None
    price: str | None = None
    started: str | None = None
    submitted: str | None = None
    seconds: str | None = None
    recognised: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> set[str]:
        """Return every column that says something about an item, an answer or a worker."""
        of_pay = (self.page, self.price, self.started, self.submitted, self.seconds)
        others = filter(None, (self.gold, self.control, self.item_id, *of_pay))
        return {*self.fields.values(), *self.controls, *self.clusters, self.answer, self.worker, *others}


INPUT, OUTPUT, GOLDEN, ASSIGNMENT = "INPUT:", "OUTPUT:", "GOLDEN:", "ASSIGNMENT:"
OF_POOLS = {"page": "assignment_id", "price": "reward", "started": "started", "submitted": "submitted", "seconds": ""}
"""What Toloka calls the columns of price, times and page."""


@dataclass(frozen=True)
class Header:
    """The columns of one file, and the settings that may name some of them, with or without their prefix."""

    columns: Sequence[str]
    wanted: ImportSettings
    file: str

    def named(self, name: str, option: str, prefix: str = "") -> str:
        """Return the column that an option names; raises BadSetting with what there is."""
        for column in (name, prefix + name):
            if column in self.columns:
                return column
        has = quoted_names(self.columns)
        raise BadSetting(f"{self.file}: {option} names {name!r}, but there is no such column; the file has {has}")

    def option(self, setting: str, prefix: str = "") -> str | None:
        """Return the column that this setting names, None where it names none."""
        name = getattr(self.wanted, setting)
        return self.named(name, f"--{setting.replace('_', '-')}", prefix) if name else None

    def clusters(self, prefix: str = "") -> tuple[str, ...]:
        """Return the columns that bind items together."""
        return tuple(self.named(name, "--cluster", prefix) for name in self.wanted.cluster)

    def of_pool(self, name: str) -> str | None:
        """Return the column that Toloka calls so."""
        return ASSIGNMENT + name if ASSIGNMENT + name in self.columns else None


def toloka_columns(header: Header) -> LogColumns:
    """Return where a pool keeps what; every INPUT column is a field of the item unless fields are named."""
    inputs, outputs, controls = (
        [column for column in header.columns if column.startswith(prefix)] for prefix in (INPUT, OUTPUT, GOLDEN)
    )
    file, has = header.file, quoted_names(header.columns)
    fields = [header.named(name, "--fields", INPUT) for name in header.wanted.fields] or inputs
    if not fields:
        raise BadFile(f"{file}: there is no INPUT column; name the item's with --fields; the file has {has}")
    answer = header.option("answer", OUTPUT)
    if not answer and not outputs:
        raise BadFile(f"{file}: there is no OUTPUT column; name the answer's with --answer; it has {has}")
    if not answer and len(outputs) > 1:
        raise BadFile(f"{file}: has several answers, {quoted_names(outputs)}; choose one with --answer")
    answer = answer or outputs[0]
    worker = header.option("worker", ASSIGNMENT) or header.of_pool("worker_id")
    if not worker:
        lacking = f"there is no column '{ASSIGNMENT}worker_id'; name yours with --worker"
        raise BadFile(f"{file}: {lacking}; the file has {has}")
    of_pay: dict[str, Any] = {use: header.option(use, ASSIGNMENT) or header.of_pool(OF_POOLS[use]) for use in OF_PAY}
    return LogColumns(
        fields={column.removeprefix(INPUT): column for column in fields},
        answer=answer,
        worker=worker,
        golden=_golden(answer, outputs, controls),
        controls=tuple(controls),
        gold=header.option("gold_column", GOLDEN),
        control=header.option("control_column"),
        clusters=header.clusters(INPUT),
        status=header.of_pool("status"),
        **of_pay,
    )


def _golden(answer: str, outputs: Sequence[str], controls: Sequence[str]) -> str | None:
    """Return the column with the right answers: the one named like the answer, or the only pair there is."""
    same_name = GOLDEN + answer.removeprefix(OUTPUT)
    if same_name in controls:
        return same_name
    return controls[0] if len(controls) == len(outputs) == 1 else None


DECIMAL_COMMA = re.compile(r"^(0|[1-9]\d*),(\d{1,2}|\d{4,}|(?<=^0,)\d{3})$")
"""A comma before the fraction. Of three digits behind it (1,234) nobody can say whether they are thousands."""

THOUSANDS = re.compile(r"[1-9]\d*,\d{3}")
CONTROL = frozenset({"1", "true", "yes", "y", "x", "control", "honeypot", "да", "контроль"})
NO_CONTROL = frozenset({"", "0", "false", "no", "n", "main", "нет"})


@dataclass(frozen=True)
class Cells:
    """The cells of one row. What a column's time or price cannot be read from is counted in `unread`."""

    row: Row
    unread: Counter[str] = field(default_factory=Counter)

    def text(self, column: str | None) -> str:
        """Return a cell as it stands; an absent column and JSON's null are empty, JSON's true is "true"."""
        cell = as_text(self.row.values.get(column)) if column is not None else ""
        return as_before(cell, self.row.values.get(GUARDED))

    def filled(self, column: str | None) -> str | None:
        """Return a cell as it stands, None where it is empty or blank."""
        cell = self.text(column)
        return cell if cell.strip() else None

    def moment(self, column: str | None) -> datetime | None:
        """Return a moment written in ISO 8601; without a zone it is UTC, as Toloka writes it."""
        cell = self.filled(column)
        if cell is None:
            return None
        try:
            moment = datetime.fromisoformat(cell.strip())
        except ValueError:
            self.unread[str(column)] += 1
            return None
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)

    def amount(self, column: str | None) -> float | None:
        """Return a finite amount, of money or of seconds, that is not negative: 0.5, or 0,5 with a decimal comma."""
        cell = self.filled(column)
        if cell is None:
            return None
        try:
            amount = float(DECIMAL_COMMA.sub(r"\1.\2", cell.strip()))
        except ValueError:
            amount = -1
        if isfinite(amount) and amount >= 0:
            return amount
        doubt = f" (thousands or a fraction, as in {cell.strip()}?)" if THOUSANDS.fullmatch(cell.strip()) else ""
        self.unread[f"{column}{doubt}"] += 1
        return None

    def is_control(self, column: str | None) -> bool:
        """Whether a cell says that its row is a control; what says neither yes nor no is counted in `unread`."""
        cell = self.filled(column)
        word = "" if cell is None else cell.strip().casefold()
        if word not in CONTROL | NO_CONTROL:
            self.unread[str(column)] += 1
        return word in CONTROL


def as_text(value: Any) -> str:
    """Return what JSON or a table holds as text: nothing is stripped, rounded or translated."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


SHOWN = 12
TASK = "task"
"""The field of an item of which a log has nothing but the id."""
OF_ROWS = ("id", "idx", "uid")
"""Columns that may number rows: of several people's answers they name the item only where one comes twice."""

OF_IDS = tuple(name for name in OF_ANSWERS["item"] if name not in ("task", "item"))
"""Columns that can hold nothing but ids; a column `task` or `item` may hold what is asked."""


def table_columns(header: Header, rows: Sequence[Row], task: Task | None) -> LogColumns:
    """Return where a table keeps what; raises BadFile or BadSetting where it cannot be told.

    Unless they are named, an item's fields are all columns that tell nothing else: those that say the same wherever
    the item's id stands, and every one where items have no id. A named one that holds the ids
    is the id and no field. A task has the first call on its own fields.
    """
    wanted = header.wanted
    free = [column for column in header.columns if column not in wanted.fields and not _shown(column, task)]
    worker = header.option("worker") or column_of(free, OF_ANSWERS["worker"])
    others = [column for column in free if column != worker]
    answer = header.option("answer") or column_of(others, OF_ANSWERS["answer"])
    control = header.option("control_column") or column_of(free, OF_ANSWERS["control"])
    if worker is None or answer is None:
        raise _unknown(header)
    others = [column for column in others if column != answer]
    golds = gold_columns(task) if task else ()
    gold = header.option("gold_column") or next((column for column in golds if column in others), None)
    of_pay: dict[str, Any] = {use: header.option(use) or column_of(free, OF_ANSWERS[use]) for use in OF_PAY}
    if wanted.fields:
        fields = {name: header.named(name, "--fields") for name in wanted.fields}
        item = _item_among(list(fields.values()), rows, worker)
        fields = {name: column for name, column in fields.items() if column != item}
    else:
        item = _item([column for column in free if column not in of_pay.values()], rows, worker)
    left = [
        column for column in header.columns if column not in (worker, answer, gold, control, item, *of_pay.values())
    ]
    if not wanted.fields:
        fields = {name: name for name in _same_in_each(_item_columns(left, task), rows, item)}
    if not fields and item:
        fields = {TASK: item}
    if not fields:
        raise _unknown(header)
    known = {"worker": worker, "answer": answer, "gold": gold, "control": control, "item": item, **of_pay}
    typed = vars(wanted) | {"gold": wanted.gold_column, "control": wanted.control_column}
    return LogColumns(
        fields=fields,
        answer=answer,
        worker=worker,
        gold=gold,
        control=control,
        clusters=header.clusters(),
        item_id=item,
        recognised={use: column for use, column in known.items() if column and not typed.get(use)},
        **of_pay,
    )


def _shown(column: str, task: Task | None) -> bool:
    return task is not None and bool({field.name for field in task.fields} & set(renamed({column: ""}, task)))


def _item(free: Sequence[str], rows: Sequence[Row], worker: str) -> str | None:
    """Return the column of the item's id: ids of rows, which never come again, are none."""
    left = [column for column in free if column != worker]
    while column := column_of(left, OF_ANSWERS["item"]):
        people: dict[str, set[str]] = {}
        for row in rows:
            people.setdefault(as_text(row.values.get(column)), set()).add(as_text(row.values.get(worker)))
        several = len(set().union(*people.values())) > 1
        if plain_name(column) not in OF_ROWS or not several or any(len(names) > 1 for names in people.values()):
            return column
        left.remove(column)
    return None


def _item_among(columns: Sequence[str], rows: Sequence[Row], worker: str) -> str | None:
    """Return the column with the item's id among those that are said to make an item: a rest that differs denies it."""
    ids = [column for column in columns if plain_name(column) in OF_IDS]
    item = _item(ids, rows, worker)
    others = [column for column in columns if column != item]
    return item if item and _same_in_each(others, rows, item) == others else None


def _item_columns(left: Sequence[str], task: Task | None) -> list[str]:
    """Return the columns that may tell of the item: all but those that are called as something else, gold among it."""
    others = {*OF_ANSWERS["ignored"], *OF_ANSWERS["item"], *OF_ANSWERS["gold"]}
    return [column for column in left if column and (_shown(column, task) or plain_name(column) not in others)]


def _same_in_each(columns: Sequence[str], rows: Sequence[Row], item: str | None) -> list[str]:
    """Return the columns that say one thing of each item; all of them where items have no id."""
    if item is None:
        return list(columns)
    said: dict[tuple[str, str], str] = {}
    apart = set()
    for row in rows:
        for column in columns:
            value = as_text(row.values.get(column))
            if said.setdefault((as_text(row.values.get(item)), column), value) != value:
                apart.add(column)
    return [column for column in columns if column not in apart]


def _unknown(header: Header) -> BadFile:
    columns = header.columns
    more = f" and {len(columns) - SHOWN} more" if len(columns) > SHOWN else ""
    return BadFile(
        f"{header.file}: is no pool (columns INPUT:..., OUTPUT:...), no plain log (task, worker, label, or their usual "
        f"names) and has no columns annotator1, annotator2, …; name the columns with --fields A,B --worker COLUMN "
        f"--answer COLUMN. For the answers of a model, see import-run; the file has "
        f"{quoted_names(columns[:SHOWN])}{more}"
    )


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
        rows = list(format_named(task.file_format).unfold(cells))
        if len(rows) != 1:
            raise ValueError(f"holds {len(rows)} items of task {task.id!r}; a row of a log is about one")
        ours = renamed(rows[0], task)
    except ValueError as error:
        if all(str(cell).strip() for cell in cells.values()):
            raise BadFile(str(FileProblem(file, str(error), line))) from error
        return dict.fromkeys((declared.name for declared in task.fields), "")
    absent = [declared.name for declared in task.fields if declared.name not in ours and not declared.optional]
    if absent:
        has = quoted_names(list(cells))
        raise BadFile(f"{file}: task {task.id!r} shows {quoted_names(absent)}, but the items of this file have {has}")
    return {declared.name: _stored(ours.get(declared.name, "")) for declared in task.fields}


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


ITEM, WORKER, LABEL = "item", "(annotator)", "(answer)"
"""Columns of the rows that are made; a file may have a `worker` or a `label` of its own."""
FEWEST = 2
NUMBERED = re.compile(rf"(?:{'|'.join(OF_ANSWERS['worker'])})_?\d+")
"""The name of a column that holds the answers of one annotator: `annotator1`."""
SHORT = re.compile(r"(?:ann|anno|person|judge|expert|[awrj])_?\d+")
"""A name that may be of such a column, in a table that names neither workers nor answers: `ann1`, `w2`."""


def answer_rows(path: Path, wanted: ImportSettings) -> tuple[list[Row], list[str], ImportSettings]:
    """Return the rows of a log, one for each answer, its columns, and which of them are wanted.

    Cells without an answer of a table with a column for each annotator or each item make no row. Raises BadFile where
    the file cannot be read.
    """
    rows, header = sound_rows(path)
    if wanted.answer or wanted.worker:
        return rows, header, wanted
    made = wanted.model_copy(update={"worker": WORKER, "answer": LABEL})
    people = [name for name in header if NUMBERED.fullmatch(plain_name(name))]
    if not people and not any(column_of(header, OF_ANSWERS[use]) for use in ("worker", "answer")):
        people = [name for name in header if SHORT.fullmatch(plain_name(name))]
    if len(people) >= FEWEST:
        return _row_for_each(rows, people), [*(name for name in header if name not in people), WORKER, LABEL], made
    if _by_annotator(path, rows, header):
        return _of_annotators(rows, "id"), [ITEM, WORKER, LABEL], made
    if worker := _worker_of_items(header):
        return _of_annotators(rows, worker), [ITEM, WORKER, LABEL], made
    return rows, header, wanted


def _worker_of_items(header: Sequence[str]) -> str | None:
    """Return the column of the workers where all others are numbered items (`q1`, `q2`); None for other tables."""
    worker = column_of(header, OF_ANSWERS["worker"])
    stems = {name.rstrip(digits).rstrip(" _-") for name in header if name != worker}
    return worker if len(header) > FEWEST and len(stems) == 1 and not stems & set(header) else None


def _row_for_each(rows: Sequence[Row], people: Sequence[str]) -> list[Row]:
    """Return a row for each annotator of each row who has answered."""
    long_rows = []
    for row in rows:
        item = {name: value for name, value in row.values.items() if name not in people}
        given = {name: row.values.get(name) for name in people}
        long_rows += [
            Row(row.line, item | {WORKER: name, LABEL: said}) for name, said in given.items() if _is_filled(said)
        ]
    return long_rows


def _by_annotator(path: Path, rows: Sequence[Row], header: Sequence[str]) -> bool:
    """Whether a file is one JSON object of objects, none of whose values is named as columns of logs are."""
    if path.suffix.lower() != ".json" or header[:1] != ["id"] or not read_text(path).lstrip().startswith("{"):
        return False
    plain = all(not isinstance(value, list | dict) for row in rows for value in row.values.values())
    return plain and not any(column_of(header, OF_ANSWERS[use]) for use in ("worker", "answer", "gold"))


def _of_annotators(rows: Sequence[Row], worker: str) -> list[Row]:
    """Return the answers of rows that hold all that an annotator said; a line is that of the annotator."""
    return [
        Row(row.line, {ITEM: item, WORKER: row.values[worker], LABEL: label})
        for row in rows
        for item, label in row.values.items()
        if item != worker and _is_filled(label)
    ]


def _is_filled(value: object) -> bool:
    return value is not None and str(value).strip() != ""


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


@dataclass
class AnswerLog:
    """The rows of one or several files, in their order, as far as these were read.

    `read` counts all rows of the files, `page_rows` those of each page (by `page_key`), dropped ones included.
    `dropped` says of each row that holds no usable answer what it lacks. `unread` counts the times and prices that
    could not be read, by column; `unused` are columns that were left aside, `recognised` those that were known by their
    names, by what they hold.
    """

    files: list[str] = field(default_factory=list)
    rows: list[LogRow] = field(default_factory=list)
    field_names: tuple[str, ...] = ()
    answer_name: str = ""
    read: int = 0
    dropped: list[FileProblem] = field(default_factory=list)
    page_rows: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    unused: list[str] = field(default_factory=list)
    recognised: dict[str, str] = field(default_factory=dict)

    def reasons(self) -> Counter[str]:
        """Return how many rows were dropped for which reason."""
        return Counter(row.message for row in self.dropped)


BOOKKEEPING = ("HINT:", ASSIGNMENT)


def read_log(files: Sequence[Path], *, wanted: ImportSettings = AS_IT_IS, task: Task | None = None) -> AnswerLog:
    """Return the rows of all files in their order; a task gives its own names to columns and values.

    Rows with an empty field, an empty answer or no worker are dropped and listed. Raises BadFile or BadSetting where a
    file cannot be read, lacks a column, or asks something else than the file before it.
    """
    if not files:
        raise BadSetting("there is no file to import; name at least one")
    again = [path.name for path, times in Counter(path.resolve() for path in files).items() if times > 1]
    if again:
        raise BadSetting(f"{again[0]} is named twice; each file is imported once")
    log = AnswerLog()
    for path in files:
        _read_file(path, wanted, task, log)
    if not log.rows:
        lacking = ", ".join(f"{number} with {reason}" for reason, number in log.reasons().items())
        raise BadFile(f"{', '.join(log.files)}: not one of {log.read} rows holds a usable answer ({lacking})")
    if task:
        log.field_names = _joining_fields(log.rows, task)
    return log


def _check_same_question(log: AnswerLog, columns: LogColumns, answer: str, file: str) -> None:
    first, asks = log.files[0], "the files of one study ask the same"
    if sorted(log.field_names) != sorted(columns.fields):
        raise BadFile(
            f"{file}: its items have {quoted_names(list(columns.fields))}, those of {first} have "
            f"{quoted_names(log.field_names)}; {asks}"
        )
    if log.answer_name != answer:
        raise BadFile(f"{file}: its answers are in {answer!r}, those of {first} in {log.answer_name!r}; {asks}")


def _read_file(path: Path, wanted: ImportSettings, task: Task | None, log: AnswerLog) -> None:
    """Add the rows of a file to a log."""
    answers, header, wanted = answer_rows(path, wanted)
    known = Header(header, wanted, path.name)
    is_toloka = any(column.startswith((INPUT, OUTPUT)) for column in header)
    columns = toloka_columns(known) if is_toloka else table_columns(known, answers, task)
    if not task and not wanted.fields:
        columns = _without_blank(columns, answers)
    answer = columns.answer.removeprefix(OUTPUT)
    if not log.files:
        log.field_names, log.answer_name = tuple(columns.fields), answer
    elif task is None:
        _check_same_question(log, columns, answer, path.name)
    for row in answers:
        cells = Cells(row, log.unread)
        log.page_rows.update([_page(Cells(row), columns)])  # what cannot be read is counted where the row is read
        texts = {name: cells.text(column) for name, column in columns.fields.items()}
        fields = own_fields(texts, task, path.name, row.line)
        if lacking := _lacking(_needed(fields, task, columns), cells, columns):
            log.dropped.append(FileProblem(path.name, lacking, row.line))
        else:
            check_values(fields, task, path.name, row.line)
            log.rows.append(replace(_log_row(fields, cells, columns, path.name), pool=len(log.files)))
    log.files.append(path.name)
    log.read += len(answers)
    log.unused += [column for column in _unused(header, columns, task) if column not in log.unused]
    log.recognised |= columns.recognised


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
