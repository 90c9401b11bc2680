"""What a worker gives back on purpose: an item that is skipped, an answer that is taken back to be given anew."""

from datetime import datetime, timedelta

from db.assignments import Assignment, at_place, give_back, let_go, move, set_status
from db.claims import lease_again
from db.engine import Session
from db.items import StoredItem
from db.judgments import take_back
from db.workers import Enrolment, add_skip, add_work


def skip(session: Session, *, enrolment: Enrolment, assignment: Assignment) -> None:
    """End the lease in hand without an answer; the item is not offered to this worker again."""
    set_status(session, assignment=assignment, became="skipped")
    if assignment.item.item.role == "main":
        give_back(session, item_key=assignment.item.key)
    add_skip(session, enrolment_id=enrolment.id)


def undo(
    session: Session, *, enrolment: Enrolment, held: Assignment, sitting: bool, moment: datetime, lease: timedelta
) -> StoredItem | None:
    """Void the worker's last answer, lease its item again in the place of the one that is `held` now, and return it.

    The slot of the answer stays with the worker. The item in hand goes back: whoever answers the earlier one again most
    likely gets it next, as the place where it is looked for is the same; in a sitting it waits for its turn. Returns
    None, and changes nothing, where no answer may be taken back any more.
    """
    if enrolment.undoable is None:
        return None
    before = at_place(session, enrolment=enrolment, place=enrolment.undoable, lock=True)
    if before is None or before.status != "done":
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
    again = {"worked": 0 if sitting else -1, "moment": moment, "lease": lease}
    lease_again(session, enrolment=enrolment, item=before.item, **again)  # type: ignore[arg-type]
    return before.item
