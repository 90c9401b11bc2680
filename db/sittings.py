"""Sittings: all main items of one cluster (an exam variant) claimed at once, answered in order, given back together.

Every item of a sitting is reserved in the transaction that begins it, so nobody else can break it. A sitting that runs
out is given back whole: its answers are kept, void, and count again if the worker comes back while there is room.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, update
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from data.task import Item
from db.assignments import Assignment
from db.engine import Contended
from db.items import stored
from db.judgments import BROKEN_OFF
from db.studies import Study
from db.tables import AssignmentRow, EnrolmentRow, ItemRow, JudgmentRow
from db.workers import Enrolment, add_work

LIVE = ("reserved", "held")


@dataclass(frozen=True)
class Standing:
    """How far a sitting is: items answered, and items in all."""

    answered: int
    size: int


def settle(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Give back the sittings of others that ran out before `moment`; one's own goes on.

    Rows that another transaction is working on are passed over, as in `assignments.settle_expired`.
    """
    live = (
        select(AssignmentRow, ItemRow)
        .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(
            ItemRow.study_id == study.id,
            ItemRow.held > 0,
            col(AssignmentRow.status).in_(LIVE),
            AssignmentRow.expires_at < moment,
            AssignmentRow.enrolment_id != enrolment.id,
        )
        .order_by(col(ItemRow.id))
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    )
    rows = session.exec(live).all()
    for enrolment_id in sorted({assignment.enrolment_id for assignment, _ in rows}):
        _give_back(session, [(one, item) for one, item in rows if one.enrolment_id == enrolment_id])
        _void(session, study, session.get_one(EnrolmentRow, enrolment_id).worker_id)


def extend(session: Session, *, enrolment: Enrolment, until: datetime) -> None:
    """Let what a worker has reserved last longer: any request of the worker shows that somebody is there."""
    reserved = (col(AssignmentRow.enrolment_id) == enrolment.id) & (col(AssignmentRow.status) == "reserved")
    session.exec(update(AssignmentRow).where(reserved).values(expires_at=until))


def next_item(
    session: Session, *, study: Study, enrolment: Enrolment, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease the next item of the worker's sitting, which begins (or goes on after a break) if it has to.

    Returns None where the sitting is over or there is no room for it; raises Contended when others were quicker.
    """
    found = _first_reserved(session, enrolment)
    if found is None:
        _claim(session, study, enrolment, moment, lease)
        found = _first_reserved(session, enrolment)
    if found is None:
        return None
    assignment, item = found
    assignment.status, assignment.leased_at, assignment.expires_at = "held", moment, moment + lease
    session.flush()
    return Assignment(cast(int, assignment.id), assignment.place, "held", stored(item), moment)


def standing(session: Session, *, enrolment: Enrolment) -> Standing:
    """Return how far the worker's sitting is."""
    statement = (
        select(AssignmentRow.status)
        .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(
            AssignmentRow.enrolment_id == enrolment.id,
            ItemRow.role == "main",
            col(AssignmentRow.status).not_in(("expired", "undone")),
        )
    )
    statuses = session.exec(statement).all()
    return Standing(answered=statuses.count("done"), size=len(statuses))


def answered(session: Session, *, study: Study, enrolment: Enrolment) -> list[tuple[Item, str]]:
    """Return the main items that the worker has answered, in their order, each with the answer."""
    given = _mine(study, enrolment.worker_id)
    rows = session.exec(
        select(ItemRow, JudgmentRow.label)
        .join(JudgmentRow, col(JudgmentRow.item_id) == col(ItemRow.id))
        .where(given, ItemRow.role == "main")
        .order_by(col(ItemRow.place))
    )
    return [(stored(row).item, label) for row, label in rows]


def longest_variant(session: Session, *, study: Study) -> int:
    """Return how many items the longest variant of a study has, 0 where it has no items."""
    return max(Counter(variant for _, variant, _ in _main_items(session, study)).values(), default=0)


def broken_off(session: Session, *, study: Study, enrolment: Enrolment) -> bool:
    """Return whether answers of a sitting stand aside because it ended halfway."""
    mine = (JudgmentRow.study_id == study.id, JudgmentRow.worker_id == enrolment.worker_id)
    aside = select(JudgmentRow.id).where(*mine, JudgmentRow.status == "void", JudgmentRow.reason == BROKEN_OFF)
    return session.exec(aside.limit(1)).first() is not None


def _claim(session: Session, study: Study, enrolment: Enrolment, moment: datetime, lease: timedelta) -> None:
    """Reserve every item of the worker's variant that is not answered, or none: only a whole sitting counts."""
    begun = _begun(session, study, enrolment)
    variant = begun if begun is not None else _freest(session, study)
    if variant is None:
        return
    items = _locked(session, study, variant)
    given = {row.item_id: row for row in session.exec(select(JudgmentRow).where(_mine(study, enrolment.worker_id)))}
    wanting = [item for item in items if (row := given.get(cast(int, item.id))) is None or row.status != "counted"]
    if any(item.free < 1 for item in wanting):
        if begun is None:
            raise Contended
        return _void(session, study, enrolment.worker_id)
    for item in wanting:
        item.free -= 1
    again = [item for item in wanting if item.id in given]
    for item in again:
        row = given[cast(int, item.id)]
        if row.status == "surplus" and not row.price:  # it came late and was not paid; now it counts after all
            row.price = study.settings.price
            add_work(session, enrolment_id=enrolment.id, answers=0, seconds=0.0, earned=row.price)
        row.status, row.reason, item.filled = "counted", None, item.filled + 1
    _reserve(session, enrolment, [item for item in wanting if item.id not in given], moment, lease)


def _reserve(
    session: Session, enrolment: Enrolment, items: Sequence[ItemRow], moment: datetime, lease: timedelta
) -> None:
    for place, item in enumerate(items, enrolment.served):
        item.held += 1
        row = AssignmentRow(
            study_id=enrolment.study_id,
            enrolment_id=enrolment.id,
            item_id=cast(int, item.id),
            place=place,
            status="reserved",
            leased_at=moment,
            expires_at=moment + lease,
        )
        session.add(row)
    served = update(EnrolmentRow).where(col(EnrolmentRow.id) == enrolment.id)
    session.exec(served.values(served=enrolment.served + len(items), worked=enrolment.worked + len(items)))
    session.flush()


def _begun(session: Session, study: Study, enrolment: Enrolment) -> str | None:
    """Return the variant whose items this worker has met, None before the first."""
    statement = (
        select(ItemRow)
        .join(AssignmentRow, col(AssignmentRow.item_id) == col(ItemRow.id))
        .where(AssignmentRow.enrolment_id == enrolment.id, ItemRow.role == "main")
    )
    met = session.exec(statement).first()
    return None if met is None else _variant(study, met.fields)


def _freest(session: Session, study: Study) -> str | None:
    """Return the variant with room for most sittings (the first of several), None where none has room for one."""
    room: dict[str, int] = {}
    for _, variant, free in _main_items(session, study):
        room[variant] = min(free, room.get(variant, free))
    best = max(room, key=lambda variant: room[variant], default=None)
    return best if best is not None and room[best] > 0 else None


def _locked(session: Session, study: Study, variant: str) -> list[ItemRow]:
    """Return the items of a variant in their order, locked: whoever claims it at the same time waits."""
    statement = (
        select(ItemRow)
        .where(col(ItemRow.id).in_([key for key, other, _ in _main_items(session, study) if other == variant]))
        .order_by(col(ItemRow.id))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return sorted(session.exec(statement), key=lambda item: item.place)


def _main_items(session: Session, study: Study) -> list[tuple[int, str, int]]:
    """Return the key, the variant and the free slots of every main item, in their order."""
    columns: tuple[Any, ...] = (ItemRow.id, ItemRow.fields, ItemRow.free)
    main = (col(ItemRow.study_id) == study.id) & (col(ItemRow.role) == "main")
    rows = session.connection().execute(select_columns(*columns).where(main).order_by(col(ItemRow.place)))
    return [(key, _variant(study, fields), free) for key, fields, free in rows]


def _first_reserved(session: Session, enrolment: Enrolment) -> tuple[AssignmentRow, ItemRow] | None:
    statement = (
        select(AssignmentRow, ItemRow)
        .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(AssignmentRow.enrolment_id == enrolment.id, AssignmentRow.status == "reserved")
        .order_by(col(AssignmentRow.place))
        .limit(1)
    )
    return session.exec(statement).first()


def _give_back(session: Session, rows: Sequence[tuple[AssignmentRow, ItemRow]]) -> None:
    for assignment, item in rows:
        assignment.status = "expired"
        item.held, item.free = item.held - 1, item.free + 1
    session.flush()


def _void(session: Session, study: Study, worker_id: int) -> None:
    """Void what a worker has answered in a sitting that ends halfway, so that somebody else can sit all of it.

    What it earned stays: the answers were given, and are paid as promised.
    """
    statement = (
        select(JudgmentRow, ItemRow)
        .join(ItemRow, col(ItemRow.id) == col(JudgmentRow.item_id))
        .where(_mine(study, worker_id), ItemRow.role == "main", JudgmentRow.status == "counted")
        .order_by(col(ItemRow.id))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    for judgment, item in session.exec(statement).all():
        judgment.status, judgment.reason = "void", BROKEN_OFF
        item.filled, item.free = item.filled - 1, item.free + 1
    session.flush()


def _mine(study: Study, worker_id: int) -> ColumnElement[bool]:
    """What a worker has answered in the study, what was voided for another reason than a break apart."""
    kept = (col(JudgmentRow.status) != "void") | (col(JudgmentRow.reason) == BROKEN_OFF)
    return (col(JudgmentRow.study_id) == study.id) & (col(JudgmentRow.worker_id) == worker_id) & kept


def _variant(study: Study, fields: Mapping[str, str]) -> str:
    """Return the cluster that an item belongs to; a task without clusters is one sitting as a whole."""
    return fields[study.task.cluster] if study.task.cluster else ""
