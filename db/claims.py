"""Claims: which item a worker may take next; what is taken so never exceeds the overlap an item is to have."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Exists, Select, bindparam, exists, func, insert, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from db.assignments import Assignment
from db.collection_settings import Order
from db.column_types import word
from db.engine import Contended, Session, execute
from db.items import SHUFFLE_RANGE, StoredItem, stored, stored_item
from db.prepared_statements import Row
from db.tables import ASSIGNMENT, ITEM, JUDGMENT
from db.workers import Enrolment, add_lease

MOST_ROOM = 1_000_000  # more free places than any item has
_JUDGED: Exists = exists().where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"))
_SKIP = ASSIGNMENT.alias("skip")
# The status stands in the statement itself: SQLite uses a partial index only where it can see that it fits.
_SKIPPED: Exists = exists().where(
    _SKIP.c.item_id == ITEM.c.id,
    _SKIP.c.enrolment_id == bindparam("enrolment"),
    _SKIP.c.status == word("skipped"),
)
_WANTED = (ITEM.c.study_id == bindparam("study"), ITEM.c.free > word(0))
_BETWEEN = (ITEM.c.shuffle >= bindparam("low"), ITEM.c.shuffle < bindparam("high"))
_ANY = select(ITEM.c.id).where(*_WANTED).limit(1)
_LAPSED = (
    select(ASSIGNMENT.c.id)
    .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item_id)
    .where(
        ASSIGNMENT.c.study_id == bindparam("study"),
        ITEM.c.role == "main",
        ASSIGNMENT.c.status.in_((word("held"), word("reserved"))),
        ASSIGNMENT.c.expires_at < bindparam("moment"),
    )
    .limit(1)
)
_CLAIMABLE: Select[Any] = select(ITEM.c.id).where(*_WANTED, *_BETWEEN, ~_JUDGED, ~_SKIPPED)
_FIRST = _CLAIMABLE.order_by(ITEM.c.shuffle).limit(1)
# The order of the whole index, so that it is that index which is gone through.
_FIRST_WITH_ROOM = _CLAIMABLE.where(ITEM.c.free == bindparam("room")).order_by(ITEM.c.free, ITEM.c.shuffle).limit(1)


def _claiming(candidates: Select[Any]) -> ReturningUpdate[Any]:
    """Return the statement that takes a place of the item that is found and gives the item back."""
    first = candidates.with_for_update(skip_locked=True).scalar_subquery()
    taken = update(ITEM).where(ITEM.c.id == first).values(free=ITEM.c.free - 1, held=ITEM.c.held + 1)
    return taken.returning(ITEM)


_CLAIM_AGAIN = (
    update(ITEM)
    .where(ITEM.c.id == bindparam("item"), ITEM.c.free > word(0))
    .values(free=ITEM.c.free - 1, held=ITEM.c.held + 1)
    .returning(ITEM)
)
_CLAIM, _CLAIM_WITH_ROOM = _claiming(_FIRST), _claiming(_FIRST_WITH_ROOM)
_ROOM = select(ITEM.c.free).where(*_WANTED, ITEM.c.free > bindparam("least"), ITEM.c.free < bindparam("most")).limit(1)
_LEAST_ROOM, _MOST_ROOM = _ROOM.order_by(ITEM.c.free), _ROOM.order_by(ITEM.c.free.desc())
_AHEAD = select(func.count()).select_from(
    # In the order of an index of what is still wanted, so that it is gone through and not the whole study.
    select(ITEM.c.id)
    .where(*_WANTED, ~_JUDGED, ~_SKIPPED)
    .order_by(ITEM.c.free, ITEM.c.shuffle)
    .limit(bindparam("most"))
    .subquery()
)
# The worker's own leases are counted first: through the items, those of all workers would be gone through.
_MINE = (
    select(ASSIGNMENT.c.item_id, func.count().label("times"))
    .where(
        ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
        ASSIGNMENT.c.status.not_in((word("left"), word("undone"))),
    )
    .group_by(ASSIGNMENT.c.item_id)
    .subquery()
)
_MET = (
    select(ITEM.c.id, func.coalesce(_MINE.c.times, 0).label("times"))
    .join_from(ITEM, _MINE, _MINE.c.item_id == ITEM.c.id, isouter=True)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == word("control"), ~_SKIPPED)
    .order_by(ITEM.c.place)
)
_NOT_MET = _MET.where(_MINE.c.times.is_(None)).with_only_columns(ITEM.c.id)
_LAPSE = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.item_id, ITEM.c.role)
    .join_from(ASSIGNMENT, ITEM, ITEM.c.id == ASSIGNMENT.c.item_id)
    .where(
        ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
        ASSIGNMENT.c.place == bindparam("last"),
        ASSIGNMENT.c.status == word("expired"),
        ITEM.c.role != word("training"),
    )
)
_HOLD_AGAIN = (
    update(ASSIGNMENT)
    .where(ASSIGNMENT.c.id == bindparam("lease"))
    .values(status=word("held"), leased_at=bindparam("moment"), expires_at=bindparam("until"))
)
_LEASE = insert(ASSIGNMENT).returning(ASSIGNMENT.c.id)


def claim_main(
    session: Session, *, enrolment: Enrolment, order: Order, probe: int, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease a main item that wants answers and that this worker has not judged.

    In the order "random" that is the first one after `probe`, or round; else the same among those with the fewest free
    places ("finish") or the most ("spread"). Returns None when there is none; raises Contended when the only ones left
    are in other hands for the moment.
    """
    row = _first(session, enrolment, probe) if order == "random" else _by_room(session, enrolment, order, probe)
    if row is not None:
        return _leased(session, enrolment, stored(row), moment, lease)
    if can_claim(session, enrolment=enrolment):
        raise Contended
    return None


def _first(session: Session, enrolment: Enrolment, probe: int, room: int | None = None) -> Row | None:
    """Take a place of the first item after `probe`, or round; with `room` among those with so many free places."""
    among = {} if room is None else {"room": room}
    statement = _CLAIM if room is None else _CLAIM_WITH_ROOM
    for low, high in ((probe, SHUFFLE_RANGE), (0, probe)):
        row = execute(session, statement, **_of(enrolment), low=low, high=high, **among).first()
        if row is not None:
            return row
    return None


def _by_room(session: Session, enrolment: Enrolment, order: Order, probe: int) -> Row | None:
    """Take a place of an item with the fewest free places or the most, then of those with the next number, and so on.

    A worker alone at a study passes over what it has answered itself.
    """
    finish, least, most = order == "finish", 0, MOST_ROOM
    while True:
        near = {"study": enrolment.study_id, "least": least, "most": most}
        room = execute(session, _LEAST_ROOM if finish else _MOST_ROOM, **near).scalar()
        if room is None:
            return None
        row = _first(session, enrolment, probe, room)
        if row is not None:
            return row
        least, most = (room, most) if finish else (least, room)


def can_claim(session: Session, *, enrolment: Enrolment) -> bool:
    """Return whether some main item still wants an answer from this worker."""
    return execute(session, _FIRST, **_of(enrolment), low=0, high=SHUFFLE_RANGE).first() is not None


def any_left(session: Session, *, study_id: int, moment: datetime) -> bool:
    """Return whether a newcomer to a study would find a main item: one that is free, or whose lease has run out."""
    if execute(session, _ANY, study=study_id).first() is not None:
        return True
    return execute(session, _LAPSED, study=study_id, moment=moment).first() is not None


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


def controls_for(session: Session, *, enrolment: Enrolment, again: bool) -> list[int]:
    """Return the keys of the controls that may come next, in their order: those that this worker has not met.

    One whose time ran out was met: it is there again when its worker is (`claim_again`). With `again` an answered one
    may come again, when all others were met as often; one that was skipped never.
    """
    mine = {"enrolment": enrolment.id, "study": enrolment.study_id}
    if not again:
        return list(execute(session, _NOT_MET, **mine).scalars())
    met = execute(session, _MET, **mine).all()
    fewest = min((times for _, times in met), default=0)
    return [key for key, times in met if times == fewest]


def lapse_of(session: Session, *, enrolment: Enrolment) -> Row | None:
    """Return the `id`, `item_id` and `role` of a worker's last lease if its time ran out."""
    last = {"enrolment": enrolment.id, "last": enrolment.served - 1}
    return execute(session, _LAPSE, **last).first() if enrolment.served else None


def claim_again(
    session: Session, *, enrolment: Enrolment, lapse: Row, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease the very item whose time ran out, None where others have taken it or no main item is wanted any more.

    Both kinds come back, rather than neither: who waits sees one item however often its time runs out, by one token,
    so there is nothing to compare and one answer to give. Were another one drawn each time, a place that lets items run
    out would see as many as it likes unanswered and could compare them with other places; and at the end, when main
    items alone come back, would know the controls. Whoever returns from lunch finds the page as it was.
    """
    if lapse.role == "main":
        row = execute(session, _CLAIM_AGAIN, item=lapse.item_id).first()
        item = None if row is None else stored(row)
    else:
        item = stored_item(session, key=lapse.item_id) if can_claim(session, enrolment=enrolment) else None
    if item is None:
        return None
    until = moment + lease
    execute(session, _HOLD_AGAIN, lease=lapse.id, moment=moment, until=until)
    return Assignment(lapse.id, enrolment.served - 1, "held", item, moment, until)


def items_ahead(session: Session, *, enrolment: Enrolment, most: int) -> int:
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
    given = int(item.item.role != "training") if worked is None else worked
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
    add_lease(session, enrolment_id=enrolment.id, worked=enrolment.worked + given)
    return Assignment(key, enrolment.served, "held", item, moment, moment + lease)
