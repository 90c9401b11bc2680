"""Where a table without Toloka's prefixes keeps what: as options name its columns, else by what columns are called."""

from collections.abc import Iterable, Mapping, Sequence

from annotate.imports.log_columns import LogColumns, Wanted, named
from annotate.imports.log_values import as_text
from data.errors import BadFile, quoted_names
from data.files.column_names import OF_ANSWERS, OF_PAY, column_of, plain_name
from data.files.item_files import renamed
from data.files.prediction_files import gold_columns
from data.files.rows import Row
from data.task import Task

SHOWN = 12
TASK = "task"
"""The field of an item of which a log has nothing but the id."""
OF_ROWS = ("id", "idx", "uid")
"""Columns that may number rows: of several people's answers they name the item only where one comes twice."""

OF_IDS = tuple(name for name in OF_ANSWERS["item"] if name not in ("task", "item"))
"""Columns that can hold nothing but ids; a column `task` or `item` may hold what is asked."""


def table_columns(
    header: Sequence[str], rows: Sequence[Row], wanted: Wanted, task: Task | None, file: str
) -> LogColumns:
    """Return where a table keeps what; raises BadFile or BadSetting where it cannot be told.

    Unless they are named, an item's fields are all columns that tell nothing else: those that say the same wherever
    the item's id stands, and every one where items have no id. A named one that holds the ids
    is the id and no field. A task has the first call on its own fields.
    """
    free = [column for column in header if column not in wanted.fields and not _shown(column, task)]
    worker = _column_named(header, free, wanted.worker, "worker", file)
    answer = _column_named(header, [column for column in free if column != worker], wanted.answer, "answer", file)
    control = _column_named(header, free, wanted.control, "control", file)
    if worker is None or answer is None:
        raise _unknown(header, file)
    gold = _gold_column(header, [column for column in free if column not in (worker, answer)], wanted.gold, task, file)
    of_pay = {use: _column_named(header, free, wanted.of_pay.get(use), use, file) for use in OF_PAY}
    if wanted.fields:
        fields = {name: named(header, name, option="--fields", file=file) for name in wanted.fields}
        item = _item_among(list(fields.values()), rows, worker)
        fields = {name: column for name, column in fields.items() if column != item}
    else:
        item = _item([column for column in free if column not in of_pay.values()], rows, worker)
    left = [column for column in header if column not in (worker, answer, gold, control, item, *of_pay.values())]
    if not wanted.fields:
        fields = {name: name for name in _same_in_each(_item_columns(left, task), rows, item)}
    if not fields and item:
        fields = {TASK: item}
    if not fields:
        raise _unknown(header, file)
    return LogColumns(
        fields=fields,
        answer=answer,
        worker=worker,
        gold=gold,
        control=control,
        clusters=tuple(named(header, name, option="--cluster", file=file) for name in wanted.clusters),
        item_id=item,
        recognised=_recognised(
            wanted, {"worker": worker, "answer": answer, "gold": gold, "control": control, "item": item, **of_pay}
        ),
        page=of_pay["page"],
        price=of_pay["price"],
        started=of_pay["started"],
        submitted=of_pay["submitted"],
        seconds=of_pay["seconds"],
    )


def _column_named(header: Sequence[str], free: Iterable[str], typed: str | None, use: str, file: str) -> str | None:
    """Return the column that an option names, else the one that is called so."""
    if typed:
        return named(header, typed, option="--control-column" if use == "control" else f"--{use}", file=file)
    return column_of(free, OF_ANSWERS[use])


def _gold_column(
    header: Sequence[str], free: Sequence[str], typed: str | None, task: Task | None, file: str
) -> str | None:
    """Return the column that holds right answers: as the option names it, else as the task does."""
    if typed:
        return named(header, typed, option="--gold-column", file=file)
    return next((column for column in (gold_columns(task) if task else ()) if column in free), None)


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


def _recognised(wanted: Wanted, columns: Mapping[str, str | None]) -> dict[str, str]:
    """Return what was recognised by its name, with its column."""
    typed = {
        "worker": wanted.worker,
        "answer": wanted.answer,
        "gold": wanted.gold,
        "control": wanted.control,
        **wanted.of_pay,
    }
    return {use: column for use, column in columns.items() if column and not typed.get(use)}


def _columns(header: Sequence[str]) -> str:
    more = f" and {len(header) - SHOWN} more" if len(header) > SHOWN else ""
    return quoted_names(header[:SHOWN]) + more


def _unknown(header: Sequence[str], file: str) -> BadFile:
    return BadFile(
        f"{file}: is neither a pool (columns INPUT:..., OUTPUT:...) nor a plain log (task, worker, label, under any of "
        f"their usual names), nor has it a column for each annotator (annotator1, annotator2, …); say what is what "
        f"with --fields A,B --worker COLUMN --answer COLUMN, or, where all answers are of one model, see import-run; "
        f"the file has {_columns(header)}"
    )
