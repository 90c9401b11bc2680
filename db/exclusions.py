"""Pausing and excluding a worker of a study, and taking the worker back.

An excluded worker's counted answers to main items become void with the reason EXCLUDED and leave their places to
others; answers to controls stay, as the evidence, and are counted out with the worker. What was earned with them stays
in the worker's sums. The answer to the item that was in hand is one of them if it comes in its time; what else is sent
after that is kept as void with the reason AFTERWARDS, and earns nothing. Restoring counts all these answers again where
their items still have room and keeps the others as surplus. A paused worker's answers go on counting.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, case, select, update

from data.errors import UnknownName
from db.assignments import WITH_ITEM
from db.engine import Session, execute, read, write
from db.events import Cause, add_event
from db.judgments import AFTERWARDS, EXCLUDED, mark
from db.prepared_statements import Row
from db.statuses import EnrolmentStatus, EventKind
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, JUDGMENT, WORKER, word
from db.workers import Enrolment, get_enrolment, set_columns, sum_up

_OF_WORKER = (JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.worker_id == bindparam("worker"))
_WORK = (
    select(*JUDGMENT.c["id", "item_id", "seconds", "price", "status", "reason"], *ITEM.c["free", "role"])
    .join_from(JUDGMENT, ITEM)
    .where(*_OF_WORKER, ITEM.c.role != "training")
    .order_by(ITEM.c.id, JUDGMENT.c.id)
    .with_for_update()
)
_COUNTED = _WORK.where(ITEM.c.role == "main", JUDGMENT.c.status == "counted")
_OF_ITEM = _WORK.where(ITEM.c.id == bindparam("item"), JUDGMENT.c.status != "void")
_TAKEN_OUT = _WORK.where(JUDGMENT.c.status == "void", JUDGMENT.c.reason.in_((word(EXCLUDED), word(AFTERWARDS))))
_OPEN = ASSIGNMENT.c.status.in_((word("reserved"), word("held"), word("shown")))
_HELD = (
    WITH_ITEM.where(ASSIGNMENT.c.enrolment_id == bindparam("enrolment"), _OPEN).order_by(ITEM.c.id).with_for_update()
)
_NAMED = select(ENROLMENT.c.id).join_from(ENROLMENT, WORKER)


def enrolled(session: Session, *, study: Study, worker: str) -> Enrolment:
    """Return a worker's enrolment by the worker's name, locked; raises UnknownName with the nearest names."""
    here = _NAMED.where(ENROLMENT.c.study_id == study.id)
    key = read(session, here.where(WORKER.c.name == worker)).scalar()
    enrolment = get_enrolment(session, enrolment_id=key, lock=True) if key is not None else None
    if enrolment is None:
        names = read(session, here.with_only_columns(WORKER.c.name)).scalars().all()
        raise UnknownName(f"worker of the study {study.name!r}:", worker, names)
    return enrolment


def pause(session: Session, *, enrolment: Enrolment, cause: Cause, sitting: bool) -> bool:
    """Let a worker wait until somebody has looked: the answers count on, what is in hand is open to others again.

    The items of a `sitting` stay with the worker until they run out, as they do in any break. `enrolment` was read
    locked. Returns False, and changes nothing, for who is not at work.
    """
    if enrolment.status != "active":
        return False
    if not sitting:
        release(session, enrolment)
    _become(session, enrolment, "paused", "on_hold", cause)
    return True


def exclude(session: Session, *, enrolment: Enrolment, cause: Cause) -> bool:
    """Stop a worker: the answers count no more, their items and those in hand are open to others again.

    What was earned with them stays. `enrolment` was read locked. Returns False, and changes nothing, where the
    worker was excluded before.
    """
    if enrolment.status == "excluded":
        return False
    release(session, enrolment)
    rows = execute(session, _COUNTED, study=enrolment.study_id, worker=enrolment.worker_id).all()
    mark(session, rows, "void", EXCLUDED)
    _refill(session, rows, -1)
    _become(session, enrolment, "excluded", "excluded", cause, void=[row.id for row in rows])
    return True


def restore(session: Session, *, enrolment: Enrolment, cause: Cause, all_or_none: bool = False) -> bool:
    """Take a worker back: void answers count again where there is room, the others are kept as surplus.

    With `all_or_none` all of them count or none, as a sitting wants. What was sent while the worker was stopped is
    earned now. The rules look only at what the worker answers from now on. Returns False, and changes nothing, where
    the worker was not stopped.
    """
    if enrolment.status not in ("paused", "excluded", "failed"):
        return False
    rows = execute(session, _TAKEN_OUT, study=enrolment.study_id, worker=enrolment.worker_id).all()
    fitting = [row for row in rows if row.free > 0 or row.role != "main"]
    if all_or_none and len(fitting) < len(rows):
        fitting = []
    back = {row.id for row in fitting}
    surplus = [row for row in rows if row.id not in back]
    mark(session, fitting, "counted")
    mark(session, surplus, "surplus")
    _refill(session, fitting, 1)
    late = [row for row in rows if row.reason == AFTERWARDS]
    sum_up(session, enrolment_id=enrolment.id, judgments=late, times=1)
    details = {"counted": sorted(back), "surplus": [row.id for row in surplus]} if rows else {}
    _become(session, enrolment, "active", "restored", cause, **details)
    return True


def leave_out(session: Session, *, enrolment: Enrolment, item_key: int, in_hand: bool) -> None:
    """Void the answer that came after its worker was excluded: it is kept, counts for nothing and is not paid.

    One to the item that was `in_hand` when the stop came is treated as those before it: what was earned with it stays.
    """
    of_worker = {"study": enrolment.study_id, "worker": enrolment.worker_id}
    rows = execute(session, _OF_ITEM, **of_worker, item=item_key).all()[-1:]
    if in_hand:
        rows = [row for row in rows if row.role == "main"]
    mark(session, rows, "void", EXCLUDED if in_hand else AFTERWARDS)
    _refill(session, [row for row in rows if row.status == "counted"], -1)
    if not in_hand:
        sum_up(session, enrolment_id=enrolment.id, judgments=rows, times=-1)


def release(session: Session, enrolment: Enrolment) -> None:
    """Give back what a worker holds or has reserved; to what is in hand an answer may come till its time is over."""
    rows = execute(session, _HELD, enrolment=enrolment.id).all()
    if not rows:
        return
    leases, items = [row.id for row in rows], [row.item_id for row in rows if row.role == "main"]
    shown = case((ASSIGNMENT.c.status == "reserved", ASSIGNMENT.c.leased_at), else_=ASSIGNMENT.c.expires_at)
    taken = update(ASSIGNMENT).where(ASSIGNMENT.c.id.in_(leases))
    write(session, taken.values(status="expired", expires_at=shown))
    write(session, update(ITEM).where(ITEM.c.id.in_(items)).values(held=ITEM.c.held - 1, free=ITEM.c.free + 1))


def _refill(session: Session, rows: Sequence[Row], more: int) -> None:
    """Move the counts of the items of these judgments; an item with more answers than it wants has no free place."""
    keys = [row.item_id for row in rows if row.role == "main"]
    free = ITEM.c.target - ITEM.c.held - ITEM.c.filled - more
    statement = update(ITEM).where(ITEM.c.id.in_(keys))
    write(session, statement.values(filled=ITEM.c.filled + more, free=case((free > 0, free), else_=0)))


def _become(
    session: Session, enrolment: Enrolment, status: EnrolmentStatus, kind: EventKind, cause: Cause, **details: Any
) -> None:
    """Give a worker another status, and write down who did it and why."""
    set_columns(session, enrolment_id=enrolment.id, status=status)
    study, worker = enrolment.study_id, enrolment.worker_id
    add_event(session, study_id=study, worker_id=worker, kind=kind, cause=cause, details=details)
