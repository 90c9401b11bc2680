"""Leases: which item a worker may claim, for how long, and what becomes of it when answered, skipped or run out."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Exists, Select, bindparam, exists, func, insert, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from db.engine import Contended, Session, execute
from db.items import SHUFFLE_RANGE, StoredItem, stored, stored_item
from db.judgments import UNDONE, take_back
from db.prepared_statements import Row
from db.statuses import LIVE, AssignmentStatus, JudgmentStatus
from db.study_settings import Order
from db.tables import ASSIGNMENT, ITEM, JUDGMENT, word
from db.workers import Enrolment, add_lease, add_skip, add_work, set_columns, unworked

OPEN = (word("held"), word("shown"))
_LIVE = ASSIGNMENT.c.status.in_(tuple(map(word, LIVE)))

MOST_UNDONE = 20  # answers to an item that its worker may take back: more serve nobody, and each is kept

_MINE, _AT = ASSIGNMENT.c.enrolment_id == bindparam("enrolment"), ASSIGNMENT.c.place == bindparam("turn")
_LEASE = (
    ASSIGNMENT.c.id.label("lease"),
    ASSIGNMENT.c.place.label("turn"),
    *ASSIGNMENT.c["status", "leased_at", "expires_at"],
)
_FOUND: Select[Any] = select(*_LEASE, *(column.label(f"item_{column.name}") for column in ITEM.c)).join_from(
    ASSIGNMENT, ITEM
)
_CURRENT = _FOUND.where(_MINE, ASSIGNMENT.c.status.in_(OPEN))
_CURRENT_LOCKED = _CURRENT.with_for_update(of=ASSIGNMENT)
_AT_PLACE = _FOUND.where(_MINE, _AT)
_ANSWERS_OF_WORKER = (
    select(func.count())
    .select_from(JUDGMENT)
    .where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"))
    .correlate(ITEM)
)
_TIMES = _ANSWERS_OF_WORKER.scalar_subquery().label("times")
_UNDONE = _ANSWERS_OF_WORKER.where(JUDGMENT.c.reason == UNDONE).scalar_subquery().label("undone")
_LOCKED = _AT_PLACE.add_columns(_TIMES, _UNDONE).with_for_update(of=[ASSIGNMENT, ITEM])
_LATEST = (
    _FOUND.add_columns(_UNDONE)
    .where(_MINE, ASSIGNMENT.c.status.in_((word("done"), word("skipped"))), ITEM.c.role != word("training"))
    .order_by(ASSIGNMENT.c.place.desc())
    .limit(bindparam("most"))
)
WITH_ITEM = select(ASSIGNMENT.c.id, ASSIGNMENT.c.item_id, ITEM.c.role).join_from(ASSIGNMENT, ITEM)
_RAN_OUT = WITH_ITEM.where(
    ASSIGNMENT.c.study_id == bindparam("study"), _LIVE, ASSIGNMENT.c.expires_at < bindparam("moment")
)
_EXPIRED = _RAN_OUT.with_for_update(skip_locked=True)
_ANEW = select(ASSIGNMENT.c.id).where(_MINE, ASSIGNMENT.c.item_id == bindparam("item"), _LIVE).with_for_update()
_EXTEND = update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("lease")).values(expires_at=bindparam("until"))
_HELD = ASSIGNMENT.c.status == word("held")
_HELD_AT = select(*ASSIGNMENT.c["id", "leased_at", "expires_at"]).where(_MINE, _AT, _HELD).with_for_update()
_SET_STATUS = update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("lease")).values(status=bindparam("became"))
_MOVE = (
    update(ITEM)
    .where(ITEM.c.id == bindparam("item"))
    .values({name: ITEM.c[name] + bindparam(f"to_{name}") for name in ("free", "held", "filled")})
)
_ANSWER = insert(JUDGMENT)
_AS_GIVEN = ("label", "seconds", "submitted_at", "pasted", "away", "options_shown")


@dataclass(frozen=True)
class Assignment:
    """The lease of one item. `place` counts the worker's leases in this study from 0: by it the page names a lease.

    `room`: whether the item wants one more answer than it has and waits for, as it stood when the lease was read.
    `times` and `undone`, of a lease read with `lock`: how often the worker has answered the item, which is the number
    of the next answer, from 0, and how many of these answers were taken back; the others stand.
    """

    id: int
    place: int
    status: AssignmentStatus
    item: StoredItem
    leased_at: datetime
    expires_at: datetime
    room: bool = False
    times: int = 0
    undone: int = 0

    def taken_away(self, moment: datetime) -> bool:
        """Return whether a stop took the item from its worker before its time was over, which it is not at `moment`."""
        return self.status == "expired" and moment <= self.expires_at


@dataclass(frozen=True)
class SubmittedAnswer:
    """An answer as it came: its canonical label, the active seconds it took, and when.

    `clocked` are the seconds that count against `max_hours`. `pasted`: text was pasted into it; `away`: the page was
    out of sight meanwhile. `options_shown`: in which order its worker saw the options, where it was drawn.
    """

    label: str
    seconds: float
    submitted_at: datetime
    clocked: float = 0.0
    pasted: bool = False
    away: bool = False
    options_shown: str | None = None


@dataclass(frozen=True)
class Late:
    """What holds for an answer whose lease ran out. `allowed`: the worker's limits leave room for one more.

    `paid`: it is paid even where nobody wants it any more. `again`: a control may be answered more than once.
    """

    allowed: bool = True
    paid: bool = False
    again: bool = False


def current(session: Session, *, enrolment: Enrolment, lock: bool = False) -> Assignment | None:
    """Return what the worker holds now, or the training answer being explained; None when there is nothing.

    `lock` it to let go of it: otherwise whoever settles what ran out may give it back at the same moment.
    """
    return _assignment_of(execute(session, _CURRENT_LOCKED if lock else _CURRENT, enrolment=enrolment.id).first())


def at_place(session: Session, *, enrolment: Enrolment, place: int, lock: bool = False) -> Assignment | None:
    """Return the worker's lease with that place, whatever became of it; `lock` it and its item to answer it."""
    if not lock:
        return _assignment_of(execute(session, _AT_PLACE, enrolment=enrolment.id, turn=place).first())
    row = execute(session, _LOCKED, enrolment=enrolment.id, turn=place, worker=enrolment.worker_id).first()
    return None if row is None else _assignment_of(row, times=row.times, undone=row.undone)


def latest(session: Session, *, enrolment: Enrolment, most: int) -> list[Assignment]:
    """Return the last items of the worker's work that were answered or skipped, at most `most`, the earliest first."""
    rows = execute(session, _LATEST, enrolment=enrolment.id, worker=enrolment.worker_id, most=most).all()
    return [found for row in reversed(rows) if (found := _assignment_of(row, undone=row.undone))]


def held_at(session: Session, *, enrolment: Enrolment, place: int) -> Row | None:
    """Return `id`, `leased_at` and `expires_at` of the worker's lease with that place, None where it is held no more.

    The item is left alone: it may be a book, and this is asked while somebody reads it.
    """
    return execute(session, _HELD_AT, enrolment=enrolment.id, turn=place).first()


def extend(session: Session, *, lease: int, until: datetime) -> None:
    """Let the lease with that key last until then: any request of its worker shows that somebody is there."""
    execute(session, _EXTEND, lease=lease, until=until)


def settle_expired(session: Session, *, study_id: int, moment: datetime) -> int:
    """Give back the slots of leases that ran out before `moment` (training and controls have none); return how many.

    Rows that another transaction is working on are passed over: it is settling or answering them itself.
    """
    rows = execute(session, _EXPIRED, study=study_id, moment=moment).all()
    for lease, item, role in rows:
        execute(session, _SET_STATUS, lease=lease, became="expired")
        if role == "main":
            give_back(session, item_key=item)
    return len(rows)


def answer(
    session: Session,
    given: SubmittedAnswer,
    *,
    enrolment: Enrolment,
    assignment: Assignment,
    price: float,
    late: Late = Late(),
) -> tuple[JudgmentStatus | None, Enrolment]:
    """Store the answer to a lease read with `lock` and move the counts; return what became of it (None: it was given
    before), and the worker's enrolment after it.

    What is in hand is counted: nobody is given more than is wanted. A late answer is counted while its item and its
    worker's limits (`late`) still want one, and kept as `surplus` otherwise; none is dropped. A second one to the same
    item changes nothing.
    """
    if assignment.status in ("done", "shown", "undone"):
        return None, enrolment
    key, role, held = assignment.item.key, assignment.item.item.role, assignment.status == "held"
    explained = role == "training" and (held or _makes_way(session, enrolment))
    execute(session, _SET_STATUS, lease=assignment.id, became="shown" if explained else "done")
    if assignment.times > assignment.undone and (role == "main" or (role == "control" and not late.again)):
        if held and role == "main":
            give_back(session, item_key=key)
        return None, enrolment
    kept = held or (role != "training" and late.allowed and _taken_up_anew(session, enrolment, key))
    wanted = kept or role == "training" or (late.allowed and (role == "control" or assignment.room))
    status: JudgmentStatus = "counted" if wanted else "surplus"
    if role == "main" and wanted:
        move(session, item_key=key, to_filled=1, **({"to_held": -1} if kept else {"to_free": -1}))
    paid = price if wanted or late.paid else 0.0
    execute(
        session,
        _ANSWER,
        study_id=enrolment.study_id,
        item_id=key,
        worker_id=enrolment.worker_id,
        repeat=assignment.times,
        status=status,
        price=paid,
        instruction=enrolment.instruction,
        **{name: getattr(given, name) for name in _AS_GIVEN},
    )
    work = role != "training"
    undoable = assignment.place if work and wanted and assignment.undone < MOST_UNDONE else None
    return status, _add_work(session, enrolment, given, int(work), paid, undoable)


def _add_work(
    session: Session, enrolment: Enrolment, given: SubmittedAnswer, answers: int, paid: float, undoable: int | None
) -> Enrolment:
    """Store what an answer adds to the worker's sums, and return the enrolment with them; it was read locked."""
    after: dict[str, Any] = {
        "answers": enrolment.answers + answers,
        "seconds": enrolment.seconds + given.seconds,
        "earned": enrolment.earned + paid,
        "clocked": enrolment.clocked + given.clocked,
        "answered_at": given.submitted_at,
        "undoable": undoable,
    }
    set_columns(session, enrolment_id=enrolment.id, **after)
    return replace(enrolment, **after)


def _taken_up_anew(session: Session, enrolment: Enrolment, item: int) -> bool:
    """Return whether the worker holds the item of a late answer again; that lease gives its place to the answer."""
    anew = execute(session, _ANEW, enrolment=enrolment.id, item=item).scalar()
    if anew is not None:
        execute(session, _SET_STATUS, lease=anew, became="undone")
    return anew is not None


def let_go(session: Session, *, assignment: Assignment, sitting: bool) -> None:
    """Put back what a worker holds and may not answer any more; an item of a `sitting` waits on with the others."""
    if sitting:
        set_status(session, assignment=assignment, became="reserved")
    else:
        _end(session, assignment, "left")


def _end(session: Session, assignment: Assignment, became: AssignmentStatus) -> None:
    """End a lease without an answer."""
    set_status(session, assignment=assignment, became=became)
    if assignment.item.item.role == "main":
        give_back(session, item_key=assignment.item.key)


def _makes_way(session: Session, enrolment: Enrolment) -> bool:
    """Return whether a late practice answer can be explained: one thing is on the screen at a time.

    A practice item that is in hand by now is given back and comes again; an explanation and the work are left alone.
    """
    hand = current(session, enrolment=enrolment)
    if hand is None:
        return True
    if hand.status != "held" or hand.item.item.role != "training":
        return False
    set_status(session, assignment=hand, became="expired")
    return True


def set_status(session: Session, *, assignment: Assignment, became: AssignmentStatus) -> None:
    """Record what has become of a lease; the counts of its item are for the caller to move."""
    execute(session, _SET_STATUS, lease=assignment.id, became=became)


def move(session: Session, *, item_key: int, to_free: int = 0, to_held: int = 0, to_filled: int = 0) -> None:
    """Move the counts of a main item by so much."""
    execute(session, _MOVE, item=item_key, to_free=to_free, to_held=to_held, to_filled=to_filled)


def give_back(session: Session, *, item_key: int) -> None:
    """Free the slot of a lease that ends without an answer."""
    move(session, item_key=item_key, to_free=1, to_held=-1)


def _assignment_of(row: Row | None, **counts: int) -> Assignment | None:
    if row is None:
        return None
    status, room = cast(AssignmentStatus, row.status), row.item_free > 0
    item = stored(row, "item_")
    return Assignment(row.lease, row.turn, status, item, row.leased_at, row.expires_at, room=room, **counts)


MOST_ROOM = 1_000_000  # more free places than any item has
_JUDGED: Exists = exists().where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"))
_SKIP = ASSIGNMENT.alias("skip")
# The status stands in the statement itself: SQLite uses a partial index only where it can see that it fits.
_WAS_SKIPPED: Exists = exists().where(
    _SKIP.c.item_id == ITEM.c.id, _SKIP.c.enrolment_id == bindparam("enrolment"), _SKIP.c.status == word("skipped")
)
_WANTED = (ITEM.c.study_id == bindparam("study"), ITEM.c.free > word(0))
_BETWEEN = (ITEM.c.shuffle >= bindparam("low"), ITEM.c.shuffle < bindparam("high"))
_ANY = select(ITEM.c.id).where(*_WANTED).limit(1)
_LAPSED = _RAN_OUT.where(ITEM.c.role == "main").limit(1)
_CLAIMABLE: Select[Any] = select(ITEM.c.id).where(*_WANTED, *_BETWEEN, ~_JUDGED, ~_WAS_SKIPPED)
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
    .where(*_WANTED, ~_JUDGED, ~_WAS_SKIPPED)
    .order_by(ITEM.c.free, ITEM.c.shuffle)
    .limit(bindparam("most"))
    .subquery()
)
# The worker's own leases are counted first: through the items, those of all workers would be gone through.
_LEASES_OF_WORKER = (
    select(ASSIGNMENT.c.item_id, func.count().label("times"))
    .where(_MINE, ASSIGNMENT.c.status.not_in((word("left"), word("undone"))))
    .group_by(ASSIGNMENT.c.item_id)
    .subquery()
)
_MET = (
    select(ITEM.c.id, func.coalesce(_LEASES_OF_WORKER.c.times, 0).label("times"))
    .join_from(ITEM, _LEASES_OF_WORKER, _LEASES_OF_WORKER.c.item_id == ITEM.c.id, isouter=True)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == word("control"), ~_WAS_SKIPPED)
    .order_by(ITEM.c.place)
)
_NOT_MET = _MET.where(_LEASES_OF_WORKER.c.times.is_(None)).with_only_columns(ITEM.c.id)
_LAPSE = WITH_ITEM.where(_MINE, _AT, ASSIGNMENT.c.status == word("expired"), ITEM.c.role != word("training"))
_RESERVED = _FOUND.where(_MINE, ASSIGNMENT.c.status == word("reserved"))
_TAKE_UP = (
    update(ASSIGNMENT)
    .where(ASSIGNMENT.c.id == bindparam("lease"))
    .values(status=word("held"), place=bindparam("turn"), leased_at=bindparam("moment"), expires_at=bindparam("until"))
)
_ADD_LEASE = insert(ASSIGNMENT).returning(ASSIGNMENT.c.id)


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


def reserve(
    session: Session, *, enrolment: Enrolment, order: Order, probe: int, moment: datetime, lease: timedelta
) -> Enrolment | None:
    """Keep a main item for a worker in training, unless one is kept; return the enrolment, None where none is left."""
    if execute(session, _RESERVED, enrolment=enrolment.id).first() is not None:
        return enrolment
    kept = claim_main(session, enrolment=enrolment, order=order, probe=probe, moment=moment, lease=lease)
    if kept is None:
        return None
    set_status(session, assignment=kept, became="reserved")
    unworked(session, enrolment_id=enrolment.id)
    return replace(enrolment, served=enrolment.served + 1)


def take_up(session: Session, *, enrolment: Enrolment, moment: datetime, lease: timedelta) -> Assignment | None:
    """Lease the main item that was kept for a worker during training, None where there is none (any more)."""
    kept = _assignment_of(execute(session, _RESERVED, enrolment=enrolment.id).first())
    if kept is None:
        return None
    until, turn = moment + lease, enrolment.served
    execute(session, _TAKE_UP, lease=kept.id, turn=turn, moment=moment, until=until)
    add_lease(session, enrolment_id=enrolment.id, worked=enrolment.worked + 1)
    return replace(kept, place=turn, status="held", leased_at=moment, expires_at=until)


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
    last = {"enrolment": enrolment.id, "turn": enrolment.served - 1}
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
    until, turn = moment + lease, enrolment.served - 1
    execute(session, _TAKE_UP, lease=lapse.id, turn=turn, moment=moment, until=until)
    return Assignment(lapse.id, turn, "held", item, moment, until)


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
    mine = {"study_id": enrolment.study_id, "enrolment_id": enrolment.id, "place": enrolment.served}
    times = {"leased_at": moment, "expires_at": moment + lease}
    key = execute(session, _ADD_LEASE, **mine, **times, item_id=item.key, status="held").scalar_one()
    add_lease(session, enrolment_id=enrolment.id, worked=enrolment.worked + given)
    return Assignment(key, enrolment.served, "held", item, moment, moment + lease)


def skip(session: Session, *, enrolment: Enrolment, assignment: Assignment) -> None:
    """End the lease in hand without an answer; the item is not offered to this worker again."""
    _end(session, assignment, "skipped")
    add_skip(session, enrolment_id=enrolment.id)


def pass_over(session: Session, *, enrolment: Enrolment, assignment: Assignment, price: float) -> None:
    """End the lease in hand with a report, which is paid `price`: another item of its kind takes its place on the page.

    It is no skip, and so nobody gets past a control by reporting it.
    """
    _end(session, assignment, "skipped")
    unworked(session, enrolment_id=enrolment.id)
    add_work(session, enrolment_id=enrolment.id, earned=price)


def undo(
    session: Session, *, enrolment: Enrolment, place: int, sitting: bool, moment: datetime, lease: timedelta
) -> StoredItem | None:
    """Void the answer of the lease with that place, lease its item again in place of the one in hand, and return it.

    The slot of the answer stays with the worker. The item in hand goes back: whoever answers the earlier one again most
    likely gets it next, as the place where it is looked for is the same; in a sitting it waits for its turn. Returns
    None, and changes nothing, where that answer may not be taken back, and while another is being changed: outside of a
    sitting its item would go to others, and with it what was answered.
    """
    before = at_place(session, enrolment=enrolment, place=place, lock=True)
    hand = current(session, enrolment=enrolment)
    held = at_place(session, enrolment=enrolment, place=hand.place, lock=True) if hand else None
    if before is None or before.status != "done" or before.undone >= MOST_UNDONE:
        return None
    if held is None or (held.undone and not sitting):
        return None
    worth = take_back(session, item_key=before.item.key, worker_key=enrolment.worker_id)
    if worth is None:
        return None
    seconds, earned = worth
    add_work(session, enrolment_id=enrolment.id, answers=-1, seconds=-seconds, earned=-earned)
    set_status(session, assignment=before, became="undone")
    if before.item.item.role == "main":
        move(session, item_key=before.item.key, to_filled=-1, to_held=1)
    let_go(session, assignment=held, sitting=sitting)
    _leased(session, enrolment, before.item, moment, lease, worked=0 if sitting else -1)
    return before.item
