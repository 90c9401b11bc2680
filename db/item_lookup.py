"""A handful of items, and what models replied to them: what one page shows out of a large study."""

from collections.abc import Collection
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from datetime import datetime

from sqlalchemy import bindparam, select

from data.task import Item
from db.engine import Session, read
from db.items import StoredItem, stored
from db.run_tables import PREDICTION
from db.studies import Study
from db.tables import ITEM, JUDGMENT, WORKER

_VOTES = (
    select(
        WORKER.c.name,
        *(JUDGMENT.c[name] for name in ("label", "status", "reason", "seconds", "submitted_at", "pasted", "away")),
        WORKER.c.simulated,
    )
    .join_from(JUDGMENT, WORKER, WORKER.c.id == JUDGMENT.c.worker_id)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.item_id == bindparam("item"))
    .order_by(JUDGMENT.c.id)
)
_MAIN = select(ITEM).where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == "main")


@dataclass(frozen=True)
class RawReply:
    """One reply of a run to one item, as it came, and what was read in it (None unless the status is `ok`).

    `seconds` are those of the request, `cost` is what was paid (None without a price); a `cached` one was paid for
    before, and `cut` tells that the item's text was shortened for it.
    """

    item: str
    sample: int
    raw: str
    label: str | None
    status: str
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    cached: bool = False
    cut: bool = False


_REPLIES = (
    select(
        PREDICTION.c.run_id,
        ITEM.c.key,
        *(PREDICTION.c[field.name] for field in dataclass_fields(RawReply) if field.name != "item"),
    )
    .join_from(PREDICTION, ITEM, ITEM.c.id == PREDICTION.c.item_id)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == "main")
    .order_by(PREDICTION.c.sample)
)
Replies = dict[tuple[int, str], tuple[RawReply, ...]]
"""Replies by the run and the item."""


@dataclass(frozen=True)
class Vote:
    """One judgment of one item, whatever became of it, by the worker's pseudonym."""

    worker: str
    label: str
    status: str
    reason: str | None
    seconds: float | None
    submitted_at: datetime | None
    pasted: bool
    away: bool
    simulated: bool


def main_item(session: Session, *, study: Study, id: str) -> StoredItem | None:
    """Return the main item with this id, None where there is none."""
    row = read(session, _MAIN.where(ITEM.c.key == id), study=study.id).first()
    return stored(row) if row else None


def votes_on(session: Session, *, study: Study, item_key: int) -> list[Vote]:
    """Return every judgment of an item in the order they were stored, surplus and void ones included."""
    return [Vote(*row) for row in read(session, _VOTES, study=study.id, item=item_key)]


def main_items(session: Session, *, study: Study, ids: Collection[str]) -> dict[str, Item]:
    """Return the main items with these ids, by id."""
    return {row.key: stored(row).item for row in read(session, _MAIN.where(ITEM.c.key.in_(ids)), study=study.id)}


def first_main_item(session: Session, *, study: Study) -> Item | None:
    """Return the first main item in the order they were given, None where there is none."""
    row = read(session, _MAIN.order_by(ITEM.c.place).limit(1), study=study.id).first()
    return stored(row).item if row else None


def main_order(session: Session, *, study: Study) -> list[str]:
    """Return the ids of the main items in the order they were given."""
    return list(read(session, _MAIN.with_only_columns(ITEM.c.key).order_by(ITEM.c.place), study=study.id).scalars())


def replies(session: Session, *, study: Study, run_ids: Collection[int], ids: Collection[str]) -> Replies:
    """Return what each run replied to each of these main items, in the order of its samples; nothing where it did not.

    All runs are asked of at once: a statement for each takes longer than what it finds.
    """
    statement = _REPLIES.where(PREDICTION.c.run_id.in_(run_ids), ITEM.c.key.in_(ids))
    by_item: Replies = {}
    for run, *columns in read(session, statement, study=study.id):
        reply = RawReply(*columns)
        by_item[run, reply.item] = (*by_item.get((run, reply.item), ()), reply)
    return by_item
