"""A file of predictions: an id and an answer or a reply per record, or records like those of the file of items."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from data.answers.answer_options import Offered
from data.errors import BadAnswer, BadFile, FileProblem, quoted_names
from data.files.answer_coding import Ambiguous, Coding, Unreadable, alone, is_number, list_or_value
from data.files.column_names import OF_ANSWERS, OF_PREDICTIONS, column_of, plain_name
from data.files.item_files import AHEAD, ID_COLUMNS, each_predicted, no_answer, predicted_label
from data.files.rows import Row, each_row, named_columns, read_rows
from data.formats import format_named
from data.numbers import counted
from data.task import Item, Task

ITEM_COLUMNS = ("item", *ID_COLUMNS)
REPLIES, ANSWERS, GOLDS, OTHERS = (OF_PREDICTIONS[name] for name in ("replies", "answers", "golds", "others"))
SHOWN = 3


@dataclass(frozen=True)
class PredictionColumns:
    """The columns of one file that say something: whole replies, stated answers, right answers; "" for none.

    `gold` is a column of right answers under a name that every record may have beside its id; `read` names the
    columns that are read.
    """

    reply: str = ""
    answer: str = ""
    gold: str = ""
    read: tuple[str, ...] = ()

    @property
    def predicted(self) -> bool:
        """Whether there is a column of predictions, so that right answers in the file are none."""
        return bool(self.reply or self.answer)

    def __str__(self) -> str:
        """Return the words in which a report names what was read."""
        names = quoted_names(self.read)
        return f"column{'s' if len(self.read) > 1 else ''} {names}" if names else ""


def columns_of(task: Task, present: Iterable[str], *, name: str, of_items: Collection[str] = ()) -> PredictionColumns:
    """Return which columns of the file called `name` say something; `of_items` are those of the file of items.

    A column of predictions goes before one of right answers. Raises BadFile where two may be the prediction, and where
    an unknown column stands beside right answers and may be it.
    """
    columns = list(dict.fromkeys(present))
    replies, answers = (_called(table, columns, task, of_items) for table in (REPLIES, ANSWERS))
    for candidates in (replies, answers):
        if len(candidates) > 1:
            raise BadFile(f"{name}: {_columns(candidates)} may each be the prediction; keep one of them")
    gold = next((column for column in gold_columns(task) if column in columns), "")
    reply, answer = "".join(replies), "".join(answers)
    if reply or answer:
        return PredictionColumns(reply, answer, gold, tuple(filter(None, (reply, answer))))
    golds = (gold,) if gold else tuple(each for each in GOLDS if each in columns and not _is_field(each, task))
    unknown = [column for column in columns if column and not _known(column, task, of_items)]
    if golds and unknown:
        raise BadFile(
            f"{name}: {_columns(unknown)} {'is' if len(unknown) == 1 else 'are'} not known, beside the answers in "
            f"{_columns(golds)}; call the column of predictions 'prediction', and remove what is none"
        )
    if not golds:
        field = next((column for column in columns if plain_name(column) in ANSWERS), "")
        return PredictionColumns(answer=field, read=(field,) if field else ())
    return PredictionColumns(gold=gold, read=golds)


def gold_columns(task: Task) -> list[str]:
    """Return the names of the column that holds the one right answer of an item, ours first; no field is among them."""
    theirs = [name for name, ours in task.aliases.columns.items() if ours == task.answer_column]
    return [name for name in dict.fromkeys((task.answer_column, *theirs, "label")) if not _is_field(name, task)]


def _called(table: Collection[str], columns: Iterable[str], task: Task, of_items: Collection[str]) -> list[str]:
    """Return the columns of a name in a table; what the file of items has as well counts only where nothing else does.

    Fields of the item and its right answer are none of them.
    """
    own = {*gold_columns(task), *task.aliases.columns}
    called = (column for column in columns if plain_name(column) in table)
    named = [column for column in called if column not in own and not _is_field(column, task)]
    return [column for column in named if column not in of_items] or named


def _known(column: str, task: Task, of_items: Collection[str]) -> bool:
    names = {*OTHERS, *GOLDS, *gold_columns(task), *task.aliases.columns, *of_items}
    return column in names or _is_field(column, task)


def _is_field(column: str, task: Task) -> bool:
    return any(field.name == column for field in task.fields)


def _columns(columns: Iterable[str]) -> str:
    *before, last = (f"column {column!r:.60}" for column in columns)
    return " and ".join([*before[:SHOWN], *(["others"] if len(before) > SHOWN else [last])])


Content = frozenset[tuple[str, str]]
FEWEST_READ = 5
"""Of so many rows one may be unreadable without a word of the person who gives the file."""
ACCEPT_UNREADABLE = "--accept-unreadable"


@dataclass(frozen=True)
class Given:
    """One record of predictions and the line it begins on; `item` where the record is that of an item.

    `columns` are those of its file: where none is a prediction, what stands as the `gold` of such a record is it.
    """

    line: int
    values: Mapping[str, Any]
    item: Item | None = None
    columns: PredictionColumns = field(default_factory=PredictionColumns)
    gold: Any = None


@dataclass(frozen=True)
class StatedAnswer:
    """What a record says: the canonical answer, None where it names none; the words in which it does.

    The text is None where the record names an answer by a code, or is no text: it is written as people's is.
    """

    label: str | None
    text: str | None


@dataclass(frozen=True)
class Predictions:
    """The records of a file of predictions, the lines that cannot be read, and the columns that are."""

    records: list[Given]
    problems: list[FileProblem]
    columns: PredictionColumns


UNSET: Any = object()
"""The answer of a record that has none."""


def given_in(path: Path, task: Task, *, of_items: Collection[str] = ()) -> Predictions:
    """Return the records of a file of predictions; `of_items` are the columns of the file of items, where it is known.

    Records without an id and an answer are read as the file of items is, so that the authors' own files will do, cells
    without quotes as well where these have none. Raises BadFile for a file that is neither, and for one that does not
    tell which of its columns is the prediction.
    """
    file_format = format_named(task.file_format)
    header = named_columns(path)
    in_pairs = _in_pairs(header) or _id_column(header, task) is not None
    rows, problems = read_rows(path, quoted=file_format.quoted or in_pairs)
    rows = _with_ids([Row(row.line, file_format.submitted(row.values)) for row in rows], task)
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    columns = columns_of(task, names, name=path.name, of_items=of_items)
    if _in_pairs(names) and (columns.predicted or columns.gold):
        return Predictions([Given(row.line, row.values, columns=columns) for row in rows], problems, columns)
    return _as_items(path, task, rows, columns)


def _id_column(names: Collection[str], task: Task) -> str | None:
    """Return the column that names the item under another of its usual names, in a file without fields of items."""
    own = {*ITEM_COLUMNS, *(declared.name for declared in task.fields), *task.aliases.columns}
    return None if own & {*names} else column_of(names, OF_ANSWERS["item"])


def _with_ids(rows: list[Row], task: Task) -> list[Row]:
    """Return the rows with the item's id under our name for it, where they call it by another of its usual names."""
    called = _id_column(list(dict.fromkeys(name for row in rows for name in row.values)), task)
    if called is None:
        return rows
    ours = {called: ITEM_COLUMNS[0]}
    return [Row(row.line, {ours.get(name, name): value for name, value in row.values.items()}) for row in rows]


def reply_in(given: Given) -> str | None:
    """Return the whole reply of a model that a record keeps, None for none; raises Unreadable for no text."""
    reply = given.values.get(given.columns.reply) if given.columns.reply else None
    if reply is None or isinstance(reply, str):
        return reply
    raise Unreadable(
        f"column {given.columns.reply!r} has {reply!r:.80}, which is no text; write the model's reply as a text in "
        "quotes, or an answer in a column `prediction`"
    )


def answer_in(given: Given) -> Any:
    """Return the answer that a record states, UNSET where it states none; gold is one where nothing is predicted."""
    columns = given.columns
    return given.values.get(columns.answer if columns.predicted else columns.gold, UNSET)


def stated_answer(given: Given, coding: Coding, fields: Mapping[str, str]) -> StatedAnswer:
    """Return what a record says about the item with these fields; raises Unreadable as `Coding.read` does.

    A whole reply is parsed, as a model's is. A stated answer is read as gold is; only a text that is no answer in the
    coding of the file of items is parsed as a reply, "Ответ: 1", and where its numbers might be codes it is refused.
    """
    own, reply = coding.task.answer_for(fields), reply_in(given)
    if given.item and not given.columns.predicted:
        return StatedAnswer(_as_gold(given, coding.task, fields), None)
    if reply is not None:
        return StatedAnswer(own.parse(reply, fields), reply)
    stated = answer_in(given)
    if stated is UNSET:
        return StatedAnswer(None, None)
    try:
        stated = format_named(coding.task.file_format).ordered(stated, fields)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    label = coding.read(stated, fields)
    if not isinstance(stated, str):
        return StatedAnswer(label, None)
    if label is None:
        return StatedAnswer(coding.parse(stated, fields), stated)
    return StatedAnswer(label, None if coding.is_code(stated, fields) else stated.strip())


def _as_gold(given: Given, task: Task, fields: Mapping[str, str]) -> str | None:
    """Return the answer that stands in the place of gold; raises Unreadable where it is none."""
    try:
        label = predicted_label(given.gold, task, fields)
    except BadAnswer as error:
        number = isinstance(task.answer_for(fields), Offered) and is_number(alone(list_or_value(given.gold)))
        raise (Ambiguous if number or error.parameters.get("equal") else Unreadable)(
            no_answer(given.gold, error)
        ) from error
    return None if label is None else task.answer_for(fields).best(label, fields)


def check_readable(problems: Sequence[FileProblem], rows: int, *, accepted: bool) -> None:
    """Refuse (BadFile) a file of which more than a fifth cannot be read, unless that is accepted."""
    if len(problems) * FEWEST_READ > rows and not accepted:
        raise BadFile(
            f"{problems[0]}; {len(problems)} of {counted(rows, 'row')} cannot be read, more than a fifth: put them "
            f"right, or let them count as wrong ({ACCEPT_UNREADABLE})"
        )


def columns_in(path: Path, task: Task) -> set[str]:
    """Return the columns of a file of items, those of its first records."""
    first = islice(each_row(path, quoted=format_named(task.file_format).quoted), AHEAD)
    return {name for row in first if isinstance(row, Row) for name in row.values}


def counts_from_zero(path: Path, task: Task) -> bool:
    """Return whether a file of items has numbers for gold where items bring their own options, as our own files do."""
    rows, _ = read_rows(path, quoted=format_named(task.file_format).quoted)
    golds = gold_columns(task)
    stated = [next((row.values[name] for name in golds if name in row.values), None) for row in rows]
    return any(is_number(alone(list_or_value(number))) for number in stated)


def content_of(task: Task, fields: Mapping[str, str]) -> Content:
    """Return what people see of an item, with every run of white space as one space."""
    seen = [field.name for field in task.fields if field.kind != "hidden"]
    return frozenset((name, " ".join(fields.get(name, "").split())) for name in seen)


def _in_pairs(columns: Collection[str]) -> bool:
    """Return whether records with these columns name their item by an id, and need not be those of items."""
    return not {*ITEM_COLUMNS}.isdisjoint(columns)


def _as_items(path: Path, task: Task, rows: Sequence[Row], columns: PredictionColumns) -> Predictions:
    """Return records that are those of items, each with its prediction, or else with the gold that stands for it."""
    values = {row.line: row.values for row in rows}
    records: list[Given] = []
    problems: list[FileProblem] = []
    for record in each_predicted(path, task):
        if isinstance(record, FileProblem):
            problems.append(record)
            continue
        row, item = record
        line, gold = row.line, row.values.get(task.answer_column)
        if columns.predicted and records and records[-1].line == line:
            raise BadFile(f"{path.name}, line {line}: holds several items and one prediction; give a record for each")
        records.append(Given(line, values.get(line, {}), item, columns, gold))
    if not any(columns.predicted or record.gold not in (None, "", []) for record in records):
        raise BadFile(_missing_parts(path.name, task, rows, problems))
    return Predictions(records, problems, columns)


def _missing_parts(name: str, task: Task, rows: Sequence[Row], problems: Sequence[FileProblem]) -> str:
    """Return what records lack that have not both an id and an answer, and are no records of items either."""
    if problems and problems[0].line and problems[0].field == task.answer_column:
        return str(problems[0])
    columns = dict.fromkeys(name for row in rows for name in row.values)
    answers = dict.fromkeys((*ANSWERS[:1], "answer", "label", task.answer_column, *REPLIES))
    asked = (("items", ITEM_COLUMNS), ("answers", answers))
    lacking = [f"no column of {what} ({', '.join(names)})" for what, names in asked if not {*names} & {*columns}]
    has = quoted_names(columns)
    first = f"; {problems[0]}" if problems and problems[0].line else ""
    what = " and ".join(lacking) or "no answers"
    return f"{name}: has {what}, and its records are not those of items; it has {has}{first}"
