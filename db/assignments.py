"""Leases: what a worker holds, for how long, and what becomes of it when it is answered or runs out.

For every main item `free` = target - filled - held. A lease takes one from `free` and adds one to `held` in the same
transaction that stores the assignment (`db/claims.py`); an answer moves one from `held` to `filled`; expiry gives it
back to `free`. The statements are made once: composing them anew for every answer would cost more than running them.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Select, bindparam, func, insert, select, update

from db.column_types import word
from db.engine import Session, execute
from db.items import StoredItem, stored
from db.judgments import UNDONE
from db.prepared_statements import Row
from db.statuses import AssignmentStatus, JudgmentStatus
from db.tables import ASSIGNMENT, ITEM, JUDGMENT
from db.workers import Enrolment, store_work

OPEN = (word("held"), word("shown"))

MOST_UNDONE = 20  # answers to an item that its worker may take back: more serve nobody, and each is kept

_LEASE = (
    ASSIGNMENT.c.id.label("lease"), ASSIGNMENT.c.place.label("turn"), ASSIGNMENT.c.status, ASSIGNMENT.c.leased_at,
    ASSIGNMENT.c.expires_at,
)  # fmt: skip
_FOUND: Select[Any] = select(*_LEASE, *(column.label(f"item_{column.name}") for column in ITEM.c)).join_from(
    ASSIGNMENT, ITEM, ITEM.c.id == ASSIGNMENT.c.item_id
)
_CURRENT = _FOUND.where(ASSIGNMENT.c.enrolment_id == bindparam("enrolment"), ASSIGNMENT.c.status.in_(OPEN))
_AT_PLACE = _FOUND.where(ASSIGNMENT.c.enrolment_id == bindparam("enrolment"), ASSIGNMENT.c.place == bindparam("turn"))
_MINE = (
    select(func.count())
    .select_from(JUDGMENT)
    .where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"))
    .correlate(ITEM)
)
_TIMES = _MINE.scalar_subquery().label("times")
_UNDONE = _MINE.where(JUDGMENT.c.reason == UNDONE).scalar_subquery().label("undone")
_LOCKED = _AT_PLACE.add_columns(_TIMES, _UNDONE).with_for_update(of=[ASSIGNMENT, ITEM])
_EXPIRED = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.item_id, ITEM.c.role)
    .join_from(ASSIGNMENT, ITEM, ITEM.c.id == ASSIGNMENT.c.item_id)
    .where(
        ASSIGNMENT.c.study_id == bindparam("study"),
        ASSIGNMENT.c.status == word("held"),
        ASSIGNMENT.c.expires_at < bindparam("moment"),
    )
    .with_for_update(skip_locked=True)
)
_ANEW = select(ASSIGNMENT.c.id).where(
    ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
    ASSIGNMENT.c.item_id == bindparam("item"),
    ASSIGNMENT.c.status.in_((word("held"), word("reserved"))),
)
_EXTEND = update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("lease")).values(expires_at=bindparam("until"))
_HELD_AT = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.leased_at, ASSIGNMENT.c.expires_at)
    .where(
        ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
        ASSIGNMENT.c.place == bindparam("turn"),
        ASSIGNMENT.c.status == word("held"),
    )
    .with_for_update()
)
_SET_STATUS = update(ASSIGNMENT).where(ASSIGNMENT.c.id == bindparam("lease")).values(status=bindparam("became"))
_MOVE = (
    update(ITEM)
    .where(ITEM.c.id == bindparam("item"))
    .values(
        free=ITEM.c.free + bindparam("to_free"),
        held=ITEM.c.held + bindparam("to_held"),
        filled=ITEM.c.filled + bindparam("to_filled"),
    )
)
_ANSWER = insert(JUDGMENT)


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
    out of sight meanwhile.
    """

    label: str
    seconds: float
    submitted_at: datetime
    clocked: float = 0.0
    pasted: bool = False
    away: bool = False


@dataclass(frozen=True)
class Late:
    """What holds for an answer whose lease ran out. `allowed`: the worker's limits leave room for one more.

    `paid`: it is paid even where nobody wants it any more. `again`: a control may be answered more than once.
    """

    allowed: bool = True
    paid: bool = False
    again: bool = False


@dataclass(frozen=True)
class AnswerOutcome:
    """What became of an answer (None: it was given before), and the worker's enrolment after it."""

    status: JudgmentStatus | None
    enrolment: Enrolment


def current(session: Session, *, enrolment: Enrolment) -> Assignment | None:
    """Return what the worker holds now, or the training answer being explained; None when there is nothing."""
    return _assignment_of(execute(session, _CURRENT, enrolment=enrolment.id).first())


def at_place(session: Session, *, enrolment: Enrolment, place: int, lock: bool = False) -> Assignment | None:
    """Return the worker's lease with that place, whatever became of it; `lock` it and its item to answer it."""
    if not lock:
        return _assignment_of(execute(session, _AT_PLACE, enrolment=enrolment.id, turn=place).first())
    row = execute(session, _LOCKED, enrolment=enrolment.id, turn=place, worker=enrolment.worker_id).first()
    held = _assignment_of(row)
    return None if held is None or row is None else replace(held, times=row.times, undone=row.undone)


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
) -> AnswerOutcome:
    """Store the answer to a lease read with `lock` and move the counts; return what became of it.

    What is in hand is counted: nobody is given more than is wanted. A late answer is counted while its item and its
    worker's limits (`late`) still want one, and kept as `surplus` otherwise; none is dropped. A second one to the same
    item changes nothing.
    """
    if assignment.status in ("done", "shown", "undone"):
        return AnswerOutcome(None, enrolment)
    key, role, held = assignment.item.key, assignment.item.item.role, assignment.status == "held"
    explained = role == "training" and (held or _makes_way(session, enrolment))
    execute(session, _SET_STATUS, lease=assignment.id, became="shown" if explained else "done")
    if assignment.times > assignment.undone and (role == "main" or (role == "control" and not late.again)):
        if held and role == "main":
            give_back(session, item_key=key)
        return AnswerOutcome(None, enrolment)
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
        label=given.label,
        status=status,
        price=paid,
        seconds=given.seconds,
        submitted_at=given.submitted_at,
        pasted=given.pasted,
        away=given.away,
    )
    work = role != "training"
    undoable = assignment.place if work and wanted and assignment.undone < MOST_UNDONE else None
    after = _worked(enrolment, given, answers=int(work), paid=paid, undoable=undoable)
    store_work(session, after)
    return AnswerOutcome(status, after)


def _taken_up_anew(session: Session, enrolment: Enrolment, item: int) -> bool:
    """Return whether the worker holds the item of a late answer again; that lease gives its place to the answer."""
    anew = execute(session, _ANEW, enrolment=enrolment.id, item=item).scalar()
    if anew is not None:
        execute(session, _SET_STATUS, lease=anew, became="undone")
    return anew is not None


def _worked(
    enrolment: Enrolment, given: SubmittedAnswer, *, answers: int, paid: float, undoable: int | None
) -> Enrolment:
    """Return the enrolment after an answer."""
    return replace(
        enrolment,
        answers=enrolment.answers + answers,
        seconds=enrolment.seconds + given.seconds,
        earned=enrolment.earned + paid,
        clocked=enrolment.clocked + given.clocked,
        answered_at=given.submitted_at,
        undoable=undoable,
    )


def let_go(session: Session, *, assignment: Assignment, sitting: bool) -> None:
    """Put back what a worker holds and may not answer any more; an item of a `sitting` waits on with the others."""
    set_status(session, assignment=assignment, became="reserved" if sitting else "left")
    if assignment.item.item.role == "main" and not sitting:
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


def _assignment_of(row: Row | None) -> Assignment | None:
    if row is None:
        return None
    status = cast(AssignmentStatus, row.status)
    return Assignment(
        row.lease, row.turn, status, stored(row, "item_"), row.leased_at, row.expires_at, room=row.item_free > 0
    )
