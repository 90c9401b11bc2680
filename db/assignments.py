"""Leases: which item a worker holds now, claimed so that no item ever gets more judgments than it wants.

For every main item `free` = target - filled - held. A lease takes one from `free` and adds one to `held` in the same
transaction that stores the assignment; an answer moves one from `held` to `filled`; expiry gives it back to `free`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, exists, update
from sqlmodel import Session, col, func, select

from data.task import Role
from db.engine import Contended
from db.items import SHUFFLE_RANGE, StoredItem, stored
from db.judgments import has_judged, next_repeat
from db.tables import AssignmentRow, AssignmentStatus, EnrolmentRow, ItemRow, JudgmentRow, JudgmentStatus
from db.workers import Enrolment


@dataclass(frozen=True)
class Assignment:
    """The lease of one item. `place` counts the worker's leases in this study from 0: by it the page names a lease."""

    id: int
    place: int
    status: AssignmentStatus
    item: StoredItem
    leased_at: datetime


def current(session: Session, *, enrolment: Enrolment) -> Assignment | None:
    """Return what the worker holds now, or the training answer being explained; None when there is nothing."""
    open_lease = col(AssignmentRow.status).in_(("held", "shown"))
    return _find(session, (col(AssignmentRow.enrolment_id) == enrolment.id) & open_lease)


def at_place(session: Session, *, enrolment: Enrolment, place: int) -> Assignment | None:
    """Return the worker's lease with that place, whatever became of it."""
    return _find(session, (col(AssignmentRow.enrolment_id) == enrolment.id) & (col(AssignmentRow.place) == place))


def extend(session: Session, *, assignment: Assignment, until: datetime) -> None:
    """Let a lease last longer: any request of its worker shows that somebody is there."""
    session.get_one(AssignmentRow, assignment.id).expires_at = until


def settle_expired(session: Session, *, study_id: int, moment: datetime) -> int:
    """Give back the slots of leases that ran out before `moment` (training and controls have none); return how many.

    Rows that another transaction is working on are passed over: it is settling or answering them itself.
    """
    statement = (
        select(AssignmentRow, ItemRow)
        .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(AssignmentRow.study_id == study_id, AssignmentRow.status == "held", AssignmentRow.expires_at < moment)
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    )
    rows = session.exec(statement).all()
    for assignment, item in rows:
        assignment.status = "expired"
        if item.role == "main":
            _give_back(item)
    return len(rows)


def claim_main(
    session: Session, *, enrolment: Enrolment, probe: int, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease a main item that wants answers and that this worker has not judged: the first one after `probe`, or round.

    Returns None when there is none; raises Contended when the only ones left are in other hands for the moment.
    """
    beyond, before = col(ItemRow.shuffle) >= probe, col(ItemRow.shuffle) < probe
    for part in (beyond, before):
        row = session.exec(_claimable(enrolment, part).with_for_update(skip_locked=True, of=ItemRow)).first()
        if row is not None:
            row.held, row.free = row.held + 1, row.free - 1
            return _lease(session, enrolment, row, moment, lease)
    if can_claim(session, enrolment=enrolment):
        raise Contended
    return None


def can_claim(session: Session, *, enrolment: Enrolment) -> bool:
    """Return whether some main item still wants an answer from this worker."""
    return session.exec(_claimable(enrolment, col(ItemRow.shuffle) < SHUFFLE_RANGE)).first() is not None


def lease_item(
    session: Session, *, enrolment: Enrolment, item_key: int, moment: datetime, lease: timedelta
) -> Assignment:
    """Lease a training or control item: these have no slots to keep."""
    return _lease(session, enrolment, session.get_one(ItemRow, item_key), moment, lease)


def least_met(session: Session, *, enrolment: Enrolment, role: Role) -> list[int]:
    """Return the keys of the items of a role that this worker has met least often, in their order."""
    met = (
        select(AssignmentRow.item_id, func.count().label("times"))
        .where(AssignmentRow.enrolment_id == enrolment.id)
        .group_by(col(AssignmentRow.item_id))
    )
    times: dict[int | None, int] = {}
    times.update(session.exec(met).all())
    keys = session.exec(
        select(ItemRow.id)
        .where(ItemRow.study_id == enrolment.study_id, ItemRow.role == role)
        .order_by(col(ItemRow.place))
    ).all()
    fewest = min((times.get(key, 0) for key in keys), default=0)
    return [cast(int, key) for key in keys if times.get(key, 0) == fewest]


def answer(
    session: Session,
    *,
    enrolment: Enrolment,
    assignment: Assignment,
    label: str,
    seconds: float,
    price: float,
    moment: datetime,
) -> JudgmentStatus | None:
    """Store the answer to a lease and move the counts; return what became of it, None when it was answered before.

    A late answer is counted while its item still wants one and kept as `surplus` otherwise; none is dropped.
    """
    lease = session.get_one(AssignmentRow, assignment.id, with_for_update=True)
    item = session.get_one(ItemRow, assignment.item.key, with_for_update=True)
    if lease.status in ("done", "shown"):
        return None
    held, main = lease.status == "held", item.role == "main"
    lease.status = "shown" if item.role == "training" else "done"
    if main and has_judged(session, item_key=assignment.item.key, worker_key=enrolment.worker_id):
        if held:
            _give_back(item)
        return None
    status = _take_slot(item, held=held) if main else "counted"
    session.add(
        JudgmentRow(
            study_id=enrolment.study_id,
            item_id=assignment.item.key,
            worker_id=enrolment.worker_id,
            repeat=0 if main else next_repeat(session, item_key=assignment.item.key, worker_key=enrolment.worker_id),
            label=label,
            status=status,
            price=price,
            seconds=seconds,
            submitted_at=moment,
        )
    )
    return status


def acknowledge(session: Session, *, assignment: Assignment) -> None:
    """Close a training item whose explanation was read."""
    session.get_one(AssignmentRow, assignment.id).status = "done"


def first_unjudged(session: Session, *, enrolment: Enrolment, role: Role) -> int | None:
    """Return the key of the first item of a role that this worker has not answered, None when all are."""
    statement = (
        select(ItemRow.id)
        .where(ItemRow.study_id == enrolment.study_id, ItemRow.role == role, ~_judged_by(enrolment))
        .order_by(col(ItemRow.place))
    )
    return session.exec(statement).first()


def work_served(session: Session, *, enrolment: Enrolment) -> int:
    """Return how many main and control items this worker was given so far."""
    statement = (
        select(func.count())
        .select_from(AssignmentRow)
        .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(AssignmentRow.enrolment_id == enrolment.id, ItemRow.role != "training")
    )
    return session.exec(statement).one()


def work_ahead(session: Session, *, enrolment: Enrolment, recent: int, most: int) -> int:
    """Return how many main items were open to this worker when the last `recent` items began, at most `most`.

    Counted from there, the number does not tell which of the items given since are main items and which are checks.
    """
    given = (
        select(ItemRow.id, ItemRow.role)
        .join(AssignmentRow, col(ItemRow.id) == col(AssignmentRow.item_id))
        .where(AssignmentRow.enrolment_id == enrolment.id, ItemRow.role != "training")
        .order_by(col(AssignmentRow.place).desc())
        .limit(recent)
    )
    mains = {key for key, role in session.exec(given) if role == "main"}
    wanted = (ItemRow.study_id == enrolment.study_id, ItemRow.free > 0, col(ItemRow.id).not_in(mains))
    still = select(ItemRow.id).where(*wanted, ~_judged_by(enrolment)).limit(most).subquery()
    return min(most, len(mains) + session.exec(select(func.count()).select_from(still)).one())


def _judged_by(enrolment: Enrolment) -> ColumnElement[bool]:
    return exists().where(
        col(JudgmentRow.item_id) == col(ItemRow.id), col(JudgmentRow.worker_id) == enrolment.worker_id
    )


def _claimable(enrolment: Enrolment, part: ColumnElement[bool]) -> Any:
    return (
        select(ItemRow)
        .where(ItemRow.study_id == enrolment.study_id, ItemRow.free > 0, part, ~_judged_by(enrolment))
        .order_by(col(ItemRow.shuffle))
        .limit(1)
        .execution_options(populate_existing=True)
    )


def _lease(session: Session, enrolment: Enrolment, item: ItemRow, moment: datetime, lease: timedelta) -> Assignment:
    row = AssignmentRow(
        study_id=enrolment.study_id,
        enrolment_id=enrolment.id,
        item_id=cast(int, item.id),
        place=enrolment.served,
        leased_at=moment,
        expires_at=moment + lease,
    )
    session.add(row)
    served = update(EnrolmentRow).where(col(EnrolmentRow.id) == enrolment.id).values(served=enrolment.served + 1)
    session.exec(served)
    session.flush()
    return as_assignment(row, item)


def _find(session: Session, which: ColumnElement[bool]) -> Assignment | None:
    statement = select(AssignmentRow, ItemRow).join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id)).where(which)
    found = session.exec(statement).first()
    return as_assignment(*found) if found else None


def as_assignment(row: AssignmentRow, item: ItemRow) -> Assignment:
    """Return a lease and its item as the rest of the program sees them."""
    status = cast(AssignmentStatus, row.status)
    return Assignment(cast(int, row.id), row.place, status, stored(item), row.leased_at)


def _give_back(item: ItemRow) -> None:
    item.held, item.free = item.held - 1, item.free + 1


def _take_slot(item: ItemRow, *, held: bool) -> JudgmentStatus:
    if held:
        item.held, item.filled = item.held - 1, item.filled + 1
    elif item.free > 0:
        item.free, item.filled = item.free - 1, item.filled + 1
    else:
        return "surplus"
    return "counted"
