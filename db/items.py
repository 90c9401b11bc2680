"""The items of a study and how many answers each has, holds and still wants."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random
from sys import intern
from typing import Any, cast

from sqlalchemy import Table, bindparam, case, func, insert, select, update

from data.errors import FileProblem
from data.numbers import counted
from data.task import Item, Role, Task
from db.engine import Session, execute, read, write
from db.prepared_statements import Row
from db.studies import Study
from db.tables import ITEM, SOURCE_ROW

SHUFFLE_RANGE = 2**31 - 1
BATCH = 5000  # items that are in memory at a time while a study is made
_BY_KEY = select(ITEM).where(ITEM.c.id == bindparam("key"))
_OF_STUDY = select(ITEM).where(ITEM.c.study_id == bindparam("study"))
_COVERAGE = select(
    func.count(),
    func.sum(ITEM.c.target),
    func.sum(ITEM.c.filled),
    func.sum(ITEM.c.held),
    func.sum(case((ITEM.c.filled >= ITEM.c.target, 1), else_=0)),
    func.min(ITEM.c.target),
    func.max(ITEM.c.target),
).where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == "main")
_COUNT = (
    select(func.count())
    .select_from(ITEM)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == bindparam("role"))
)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item with its key in the database."""

    key: int
    item: Item


@dataclass(frozen=True)
class Coverage:
    """How far the main items of a study are: judgments counted, held by someone now, and wanted in all.

    Of single items `least` to `most` are wanted: in a log as many as each has.
    """

    items: int
    target: int
    filled: int
    held: int
    complete: int
    least: int = 0
    most: int = 0

    @property
    def of_each(self) -> str:
        """How many judgments of an item are wanted, in words.

        >>> Coverage(1, 5, 0, 0, 0, least=5, most=5).of_each, Coverage(2, 8, 0, 0, 0, least=3, most=5).of_each
        ('5 judgments each', '3 to 5 judgments each')
        """
        most = counted(self.most, "judgment")
        return f"{most} each" if self.least == self.most else f"{self.least} to {most} each"


def add_items(
    session: Session,
    *,
    study: Study,
    items: Iterable[Item],
    targets: Mapping[str, int] | None = None,
    order: Random | None = None,
    first: int = 0,
) -> None:
    """Store items in their order, a batch at a time, from the place `first` on.

    A main item wants the study's overlap, or `targets` of its id.

    `order` draws in which order they are served, as `Signer.chance` does where people are to answer: who knew it could
    tell which items come too soon to be main ones. Without it the order follows from the study's seed and name.
    """
    drawn = order or Random(f"{study.seed}:{study.name}")
    for batch in row_batches(study, items, BATCH, drawn, targets, first=first):
        add_rows(session, batch)


RowBatch = dict[Table, list[dict[str, Any]]]
"""Rows to be stored by their table: the items, and the rows of files that they were or that are left out."""


def row_batches(
    study: Study,
    records: Iterable[Item | FileProblem],
    most: int,
    order: Random,
    targets: Mapping[str, int] | None = None,
    *,
    first: int = 0,
) -> Iterator[RowBatch]:
    """Yield the items of a study, and what is left out of its files, in their order; else as `add_items`."""
    remaining = enumerate(records, first)
    while batch := list(islice(remaining, most)):
        made: RowBatch = {ITEM: [], SOURCE_ROW: []}
        for place, record in batch:
            if isinstance(record, Item):
                target = (targets or {}).get(record.id, study.settings.overlap) if record.role == "main" else 0
                made[ITEM].append(
                    {
                        "study_id": study.id,
                        "key": record.id,
                        "role": record.role,
                        "place": place,
                        "fields": dict(record.fields),
                        "gold": record.gold,
                        "explanation": record.explanation,
                        "shuffle": order.randrange(SHUFFLE_RANGE),
                        "target": target,
                        "filled": 0,
                        "held": 0,
                        "free": target,
                    }
                )
            if record.source is not None or isinstance(record, FileProblem):
                made[SOURCE_ROW].append({"study_id": study.id, "place": place, **_source(record, study.task)})
        yield made


def _source(record: Item | FileProblem, task: Task) -> dict[str, str]:
    """Return what is kept of a row of a file: a text that stands in the item is not kept twice."""
    columns, ours = dict(record.source or {}), task.aliases.columns
    if isinstance(record, Item):
        of = record.fields
        columns = {name: None if of.get(ours.get(name, name)) == value else value for name, value in columns.items()}
    why = str(record) if isinstance(record, FileProblem) else ""
    return {"columns": json.dumps(columns, ensure_ascii=False, default=str), "why": why}


def add_rows(session: Session, batch: RowBatch) -> None:
    """Store a batch of `row_batches`."""
    for table, rows in batch.items():
        if rows:
            write(session, insert(table), rows)


def set_targets(session: Session, *, study: Study, target: int) -> None:
    """Let every main item want at least `target` answers, in a draft so many; who has more already wants no more."""
    wanted = target - ITEM.c.filled - ITEM.c.held
    statement = update(ITEM).where(ITEM.c.study_id == study.id, ITEM.c.role == "main")
    if study.status != "draft":
        statement = statement.where(ITEM.c.target < target)
    more = case((wanted > 0, wanted), else_=0)
    write(session, statement.values(target=target, free=more))


def next_place(session: Session, *, study: Study) -> int:
    """Return the place after all items of a study and all rows of its files."""
    places = (select(func.max(table.c.place)).where(table.c.study_id == study.id) for table in (ITEM, SOURCE_ROW))
    return 1 + max(read(session, last).scalar() or 0 for last in places)


def list_items(session: Session, *, study: Study, role: Role | None = None) -> list[StoredItem]:
    """Return the study's items in the order they were given; with `role`, those of that role."""
    statement = _OF_STUDY.order_by(ITEM.c.place)
    if role:
        statement = statement.where(ITEM.c.role == role)
    return [stored(row) for row in read(session, statement, study=study.id)]


def first_items(session: Session, *, study: Study, role: Role, most: int) -> list[Item]:
    """Return the first items of a role in the order they were given, at most so many."""
    statement = _OF_STUDY.where(ITEM.c.role == role).order_by(ITEM.c.id).limit(most)
    return [stored(row).item for row in read(session, statement, study=study.id)]


def coverage(session: Session, *, study: Study) -> Coverage:
    """Return how far the study's main items are."""
    return Coverage(*(int(value or 0) for value in read(session, _COVERAGE, study=study.id).one()))


def stored(row: Row, prefix: str = "") -> StoredItem:
    """Return a row as an item; `prefix` is what the names of its columns begin with."""
    key, item, fields, gold, role, explanation = (
        getattr(row, f"{prefix}{name}") for name in ("id", "key", "fields", "gold", "role", "explanation")
    )
    # Names of fields, roles and labels are few: each is one text, however many items have it.
    named = {intern(name): value for name, value in fields.items()}
    right = None if gold is None else intern(gold)
    return StoredItem(cast(int, key), Item(item, named, right, cast(Role, intern(role)), explanation))


def told_apart(item: Item) -> str:
    """Return an item's id in tables of all roles: files number each role for itself."""
    return item.id if item.role == "main" else f"{item.role}:{item.id}"


def stored_item(session: Session, *, key: int) -> StoredItem:
    """Return the item with that key."""
    return stored(execute(session, _BY_KEY, key=key).one())


def count_items(session: Session, *, study: Study, role: Role) -> int:
    """Return how many items of a role the study has."""
    return int(execute(session, _COUNT, study=study.id, role=role).scalar_one())
