"""Withdrawals: an item that a worker skips or reports, with a reason; an answer that is taken back to be given anew."""

from datetime import datetime, timedelta

from annotate import overlap
from annotate.answer_errors import checked_message
from annotate.worker import live_rules
from annotate.worker.assignment import attempt_of, facts_of, skips_left
from annotate.worker.stages import ACTS, Act, stage_of
from data.errors import BadAnswer
from db import assignments
from db.engine import Session
from db.records import REASONS, add_report
from db.studies import Study
from db.workers import Enrolment


def withdraw(
    session: Session, study: Study, enrolment: Enrolment, act: Act, *, place: int | None, moment: datetime
) -> None:
    """Skip or report the item in hand, or take back the answer before it; nothing where another item is in hand.

    `place` is that of the item on the page. Raises BadAnswer for a report without a reason.
    """
    lease = assignments.current(session, enrolment=enrolment)
    attempt = attempt_of(session, study=study, enrolment=enrolment)
    stage = stage_of(facts_of(study=study, enrolment=enrolment, lease=lease, attempt=attempt))
    if lease is None or act.kind not in ACTS.get(stage, ()) or place != lease.place:
        return
    if act.kind == "undo":
        lasting = timedelta(minutes=study.settings.lease_minutes)
        sitting = study.settings.sitting
        back = assignments.undo(session, enrolment=enrolment, held=lease, sitting=sitting, moment=moment, lease=lasting)
        if back is not None and back.item.role == "main":
            overlap.adjust_target(session, study=study, item_key=back.key)
    elif skips_left(study, enrolment):
        if act.kind == "report":
            reason, text = checked_report(act.value)
            key = lease.item.key
            add_report(session, enrolment=enrolment, item_key=key, reason=reason, text=text, moment=moment)
        assignments.skip(session, enrolment=enrolment, assignment=lease)
        if act.kind == "skip":
            live_rules.after_skip(session, study=study, enrolment=enrolment, moment=moment)


def checked_report(value: object) -> tuple[str, str]:
    """Return the reason, and what was written about it, which only "other" needs; raises BadAnswer."""
    report = value if isinstance(value, dict) else {}
    reason, text = report.get("reason"), report.get("text", "")
    if reason not in REASONS or not isinstance(text, str) or (reason == "other" and not text.strip()):
        raise BadAnswer("no_reason")
    return reason, checked_message(text)
