"""Quality control while people work: after an answer or a skip the rules that are due are checked and act."""

from datetime import datetime

from annotate import overlap
from annotate.worker.live_frame import LiveFrame
from db.assignments import Assignment, SubmittedAnswer
from db.engine import Session
from db.events import Cause, add_event
from db.evidence import WorkerEvidence
from db.exclusions import exclude, leave_out, pause
from db.statuses import JudgmentStatus
from db.studies import Study
from db.workers import Enrolment
from eval.workers import rules_of
from eval.workers.rule import STOPS, Finding, Occasion, WorkerRule


def after_answer(
    session: Session,
    given: SubmittedAnswer,
    *,
    study: Study,
    enrolment: Enrolment,
    assignment: Assignment,
    status: JudgmentStatus | None,
) -> bool:
    """Let the rules look that are due after this answer; return whether the enrolment or its answers changed by it.

    `enrolment` is as it was, locked, before the answer. An answer after which no rule is due costs no statement. One
    that comes after its worker was excluded counts for nothing, and is paid only where the item was in hand then.
    """
    item = assignment.item.item
    if status is None or item.role == "training":
        return False
    if enrolment.status == "excluded":
        in_hand = assignment.taken_away(given.submitted_at)
        leave_out(session, enrolment=enrolment, item_key=assignment.item.key, in_hand=in_hand)
        return True
    occasion = Occasion(item.role, enrolment.answers + 1, item.id, given.seconds, given.pasted, given.away)
    return _look(session, study, enrolment, given.submitted_at, occasion)


def after_skip(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Let the rules look that are due after an item was skipped."""
    _look(session, study, enrolment, moment, Occasion("skipped"))


def _look(session: Session, study: Study, enrolment: Enrolment, moment: datetime, occasion: Occasion) -> bool:
    """Let the rules look that are due, up to one that stops the worker; return whether one did."""
    for rule in rules_of(study.settings.quality).each():
        if rule.action == "none" or not rule.due(occasion):
            continue
        finding = rule.find(LiveFrame(study, WorkerEvidence(session, enrolment, rule.key)))
        if finding is not None and _act(session, study, enrolment, moment, rule, finding):
            return True
    return False


def _act(
    session: Session, study: Study, enrolment: Enrolment, moment: datetime, rule: WorkerRule, finding: Finding
) -> bool:
    """Write down what was found and, if the rule says so, pause or exclude the worker; return whether it was done."""
    cause = Cause("rule", moment, finding.reason, rule.key)
    shown = "items" if "items_met" in rule.needs else "judgments"
    details = {"action": rule.action, "value": finding.value, shown: list(finding.evidence)}
    add_event(session, study_id=study.id, worker_id=enrolment.worker_id, kind="rule", cause=cause, details=details)
    if rule.action not in STOPS:
        return False
    if rule.action == "pause":
        pause(session, enrolment=enrolment, cause=cause, sitting=study.settings.sitting)
    else:
        exclude(session, enrolment=enrolment, cause=cause)
        overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
    return True
