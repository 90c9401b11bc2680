"""Claims: which item a worker may take next, taken so that no item ever gets more judgments than it wants."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Exists, Select, bindparam, exists, func, insert, select
from sqlmodel import Session

from data.task import Role
from db.assignments import Assignment, move
from db.engine import Contended, execute
from db.items import SHUFFLE_RANGE, StoredItem, stored, stored_item
from db.tables import ASSIGNMENT, ITEM, JUDGMENT, word
from db.workers import Enrolment, add_lease

_JUDGED: Exists = exists().where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"))
_SKIP = ASSIGNMENT.alias("skip")
# The status stands in the statement itself: SQLite uses a partial index only where it can see that it fits.
_SKIPPED: Exists = exists().where(
    _SKIP.c.item_id == ITEM.c.id,
    _SKIP.c.enrolment_id == bindparam("enrolment"),
    _SKIP.c.status == word("skipped"),
)
_WANTED = (ITEM.c.study_id == bindparam("study"), ITEM.c.free > word(0))
_CLAIMABLE: Select[Any] = (
    select(ITEM)
    .where(*_WANTED, ITEM.c.shuffle >= bindparam("low"), ITEM.c.shuffle < bindparam("high"), ~_JUDGED, ~_SKIPPED)
    .order_by(ITEM.c.shuffle)
    .limit(1)
)
_CLAIM = _CLAIMABLE.with_for_update(skip_locked=True)
_AHEAD = select(func.count()).select_from(
    # In this order, so that the index of what is still wanted is gone through and not the whole study.
    select(ITEM.c.id).where(*_WANTED, ~_JUDGED, ~_SKIPPED).order_by(ITEM.c.shuffle).limit(bindparam("most")).subquery()
)
_UNJUDGED = (
    select(ITEM.c.id)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == bindparam("role"), ~_JUDGED)
    .order_by(ITEM.c.place)
    .limit(1)
)
_MET = (
    select(ITEM.c.id, func.count(ASSIGNMENT.c.id).label("times"))
    .join_from(
        ITEM,
        ASSIGNMENT,
        (ASSIGNMENT.c.item_id == ITEM.c.id)
        & (ASSIGNMENT.c.enrolment_id == bindparam("enrolment"))
        & ASSIGNMENT.c.status.not_in(("left", "undone")),
        isouter=True,
    )
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == bindparam("role"), ~_SKIPPED)
    .group_by(ITEM.c.id)
    .order_by(ITEM.c.place)
)
_LEASE = insert(ASSIGNMENT).returning(ASSIGNMENT.c.id)


def claim_main(
    session: Session, *, enrolment: Enrolment, probe: int, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease a main item that wants answers and that this worker has not judged: the first one after `probe`, or round.

    Returns None when there is none; raises Contended when the only ones left are in other hands for the moment.
    """
    for low, high in ((probe, SHUFFLE_RANGE), (0, probe)):
        row = execute(session, _CLAIM, **_of(enrolment), low=low, high=high).first()
        if row is not None:
            move(session, item_key=row.id, to_free=-1, to_held=1)
            return _leased(session, enrolment, stored(row), moment, lease)
    if can_claim(session, enrolment=enrolment):
        raise Contended
    return None


def can_claim(session: Session, *, enrolment: Enrolment) -> bool:
    """Return whether some main item still wants an answer from this worker."""
    return execute(session, _CLAIMABLE, **_of(enrolment), low=0, high=SHUFFLE_RANGE).first() is not None


def lease_item(
    session: Session, *, enrolment: Enrolment, item_key: int, moment: datetime, lease: timedelta
) -> Assignment:
    """Lease a training or control item: these have no slots to keep."""
    return _leased(session, enrolment, stored_item(session, key=item_key), moment, lease)


def lease_again(
    session: Session, *, enrolment: Enrolment, item: StoredItem, worked: int, moment: datetime, lease: timedelta
) -> Assignment:
    """Lease an item once more whose slot the caller has kept; `worked` is what that adds to the items given so far."""
    return _leased(session, enrolment, item, moment, lease, worked=worked)


def least_met(session: Session, *, enrolment: Enrolment, role: Role) -> list[int]:
    """Return the keys of the items of a role that this worker has met least often, in their order; none skipped."""
    met = execute(session, _MET, enrolment=enrolment.id, study=enrolment.study_id, role=role).all()
    fewest = min((times for _, times in met), default=0)
    return [key for key, times in met if times == fewest]


def first_unjudged(session: Session, *, enrolment: Enrolment, role: Role) -> int | None:
    """Return the key of the first item of a role that this worker has not answered, None when all are."""
    return execute(session, _UNJUDGED, **_of(enrolment), role=role).scalar()


def ahead(session: Session, *, enrolment: Enrolment, most: int) -> int:
    """Return how many main items are open to this worker, at most `most`."""
    return int(execute(session, _AHEAD, **_of(enrolment), most=most).scalar_one())


def _of(enrolment: Enrolment) -> dict[str, int]:
    return {"study": enrolment.study_id, "worker": enrolment.worker_id, "enrolment": enrolment.id}


def _leased(
    session: Session,
    enrolment: Enrolment,
    item: StoredItem,
    moment: datetime,
    lease: timedelta,
    worked: int | None = None,
) -> Assignment:
    key = execute(
        session,
        _LEASE,
        study_id=enrolment.study_id,
        enrolment_id=enrolment.id,
        item_id=item.key,
        place=enrolment.served,
        status="held",
        leased_at=moment,
        expires_at=moment + lease,
    ).scalar_one()
    add_lease(
        session, enrolment_id=enrolment.id, worked=int(item.item.role != "training") if worked is None else worked
    )
    return Assignment(key, enrolment.served, "held", item, moment)
