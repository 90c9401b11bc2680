"""Items as pages look them up: by name, with votes, replies, reports and the rows of the files they came from."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, func, select

from data.task import Item, Task
from db.engine import Session, read
from db.items import StoredItem, stored
from db.judgments import UNDONE
from db.runs import Prediction
from db.studies import Study
from db.tables import ITEM, JUDGMENT, PREDICTION, REPORT, SOURCE_ROW, WORKER, columns_of


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


_VOTES_ON = (
    select(*columns_of(Vote, JUDGMENT, worker=WORKER.c.name, simulated=WORKER.c.simulated))
    .join_from(JUDGMENT, WORKER)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.item_id == bindparam("item"))
    .order_by(JUDGMENT.c.id)
)
_ITEMS = select(ITEM).where(ITEM.c.study_id == bindparam("study"))
_MAIN = _ITEMS.where(ITEM.c.role == "main")


_REPLIES = (
    select(PREDICTION.c.run_id, ITEM.c.key, *columns_of(Prediction, PREDICTION))
    .join_from(PREDICTION, ITEM)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == "main")
    .order_by(PREDICTION.c.sample)
)
Replies = dict[tuple[int, str], tuple[Prediction, ...]]
"""Replies by the run and the item."""


def main_item(session: Session, *, study: Study, id: str) -> StoredItem | None:
    """Return the main item with this id, None where there is none."""
    row = read(session, _MAIN.where(ITEM.c.key == id), study=study.id).first()
    return stored(row) if row else None


def votes_on(session: Session, *, study: Study, item_key: int) -> list[Vote]:
    """Return every judgment of an item in the order they were stored, surplus and void ones included."""
    return [Vote(*row) for row in read(session, _VOTES_ON, study=study.id, item=item_key)]


def main_items(session: Session, *, study: Study, ids: Collection[str]) -> dict[str, Item]:
    """Return the main items with these ids, by id."""
    return {row.key: stored(row).item for row in read(session, _MAIN.where(ITEM.c.key.in_(ids)), study=study.id)}


def found_items(session: Session, *, study: Study, words: str) -> list[int]:
    """Return the keys of the main items whose id and texts have all these words, in the order they were given."""
    asked = words.casefold().split()
    rows = read(
        session, _MAIN.with_only_columns(ITEM.c.id, ITEM.c.key, ITEM.c.fields).order_by(ITEM.c.id), study=study.id
    )
    texts = ((key, " ".join((name, *fields.values())).casefold()) for key, name, fields in rows)
    return [key for key, text in texts if all(word in text for word in asked)]


def main_order(session: Session, *, study: Study) -> list[str]:
    """Return the ids of the main items in the order they were given."""
    return list(read(session, _MAIN.with_only_columns(ITEM.c.key).order_by(ITEM.c.place), study=study.id).scalars())


def replies(session: Session, *, study: Study, run_ids: Collection[int], ids: Collection[str]) -> Replies:
    """Return what each run replied to each of these main items, in the order of its samples; nothing where it did not.

    All runs are asked of at once: a statement for each takes longer than what it finds.
    """
    statement = _REPLIES.where(PREDICTION.c.run_id.in_(run_ids), ITEM.c.key.in_(ids))
    by_item: Replies = {}
    for run, item, *columns in read(session, statement, study=study.id):
        by_item[run, item] = (*by_item.get((run, item), ()), Prediction(*columns))
    return by_item


MODELS_MAY_READ = "models_may_read"
"""The column in which `written` says whether the consent of who wrote a row said that models read it: "yes" or "no"."""
_WITHHELD = (
    select(SOURCE_ROW.c.id)
    .join(ITEM, (ITEM.c.study_id == SOURCE_ROW.c.study_id) & (ITEM.c.place == SOURCE_ROW.c.place))
    .where(SOURCE_ROW.c.study_id == bindparam("study"), ITEM.c.role == "main")
    .where(SOURCE_ROW.c.columns.contains(json.dumps({MODELS_MAY_READ: "no"})[1:-1]))
    .limit(1)
)
_SOURCES = select(SOURCE_ROW).where(SOURCE_ROW.c.study_id == bindparam("study"))


@dataclass(frozen=True)
class SourceRow:
    """A row by its own columns, and the item it became; of one that was left out `item` is None, and `why` says it."""

    columns: Mapping[str, Any]
    item: Item | None
    why: str = ""


def models_may_read(session: Session, *, study: Study) -> bool:
    """Return whether no main item of a study was written by people whose consent did not say that models read it."""
    return read(session, _WITHHELD, study=study.id).first() is None


def source_rows(session: Session, *, study: Study) -> list[SourceRow]:
    """Return the rows in the order of the files; of items whose rows were not kept what is known of them."""
    items = {row.place: stored(row).item for row in read(session, _ITEMS, study=study.id)}
    kept = {row.place: (json.loads(row.columns), row.why) for row in read(session, _SOURCES, study=study.id)}
    rows = []
    for place in sorted({*items, *kept}):
        item = items.get(place)
        given, why = kept.get(place, (None, ""))
        rows.append(SourceRow(_source_columns(study.task, item, given), item, why))
    return rows


def _source_columns(task: Task, item: Item | None, given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if item is None:
        return given or {}
    if given is None:
        return {**item.fields, task.answer_column: item.gold}
    ours = task.aliases.columns
    return {name: item.fields.get(ours.get(name, name)) if value is None else value for name, value in given.items()}


_STUDY: BindParameter[int] = bindparam("study")
_COUNTED = (JUDGMENT.c.study_id == _STUDY) & (JUDGMENT.c.status == "counted")
_NOT_UNDONE = func.coalesce(JUDGMENT.c.reason, "") != UNDONE
_VOTES_BY_ITEM = (
    select(JUDGMENT.c.item_id, JUDGMENT.c.label, func.count())
    .join_from(JUDGMENT, ITEM)
    .where(_COUNTED, _NOT_UNDONE, ITEM.c.role == "main")
    .group_by(JUDGMENT.c.item_id, JUDGMENT.c.label)
)
_JUDGMENTS = select(func.count()).select_from(JUDGMENT).where(JUDGMENT.c.study_id == _STUDY)
_REPORTS = (
    select(REPORT.c.item_id, func.count())
    .join_from(REPORT, ITEM)
    .where(REPORT.c.study_id == _STUDY, ITEM.c.role == "main")
    .group_by(REPORT.c.item_id)
)
# By key and not by place: the index on the study has the keys in their order, and no million rows are sorted.
_KEYS = _MAIN.with_only_columns(ITEM.c.id).order_by(ITEM.c.id)


@dataclass(frozen=True)
class QueuedItem:
    """A main item with its counts: judgments counted (`filled`), awaited (`held`) and wanted (`target`)."""

    item: Item
    key: int
    filled: int
    held: int
    target: int


def count_judgments(session: Session, *, study: Study) -> int:
    """Return how many judgments a study has, of every role and status."""
    return int(read(session, _JUDGMENTS, study=study.id).scalar_one())


def votes_by_item(session: Session, *, study: Study, keys: list[int] | None = None) -> dict[int, Counter[str]]:
    """Return how many counted judgments give each answer, by the keys of the main items that have any.

    `keys`: of these items only.
    """
    asked = _VOTES_BY_ITEM if keys is None else _VOTES_BY_ITEM.where(JUDGMENT.c.item_id.in_(keys))
    votes: dict[int, Counter[str]] = {}
    for item, label, number in read(session, asked, study=study.id):
        votes.setdefault(item, Counter())[label] = number
    return votes


def reports_by_item(session: Session, *, study: Study) -> dict[int, int]:
    """Return how often each main item was reported, by its key."""
    return {int(item): int(number) for item, number in read(session, _REPORTS, study=study.id)}


def main_keys(session: Session, *, study: Study, first: int, most: int) -> list[int]:
    """Return the keys of main items in their order, `most` of them from the place `first` (from 0) on."""
    return list(read(session, _KEYS.limit(most).offset(first), study=study.id).scalars())


def queued_items(session: Session, *, study: Study, keys: list[int]) -> list[QueuedItem]:
    """Return the main items of a study with these keys, in the order of the keys; others are left out."""
    asked = _MAIN.where(ITEM.c.id.in_(keys))
    rows = {row.id: row for row in read(session, asked, study=study.id)}
    return [
        QueuedItem(stored(row).item, row.id, row.filled, row.held, row.target) for key in keys if (row := rows.get(key))
    ]
