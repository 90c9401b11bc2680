"""The rules on workers at work: after an answer, those that it concerns look, and act on whom they find."""

from datetime import datetime

from annotate import overlap
from annotate.rules.comparing import at_constant, at_copying, at_disagreement, at_pattern
from annotate.rules.looks import Fired, Look, at_attention, at_controls, at_skips, at_traps
from annotate.rules.speed import at_speed
from db.assignments import Assignment
from db.engine import Session
from db.events import add_event
from db.quality import exclude, leave_out, pause
from db.rules import STOPS
from db.statuses import JudgmentStatus
from db.studies import Study
from db.workers import Enrolment

RULES = {
    "control": "control_accuracy",
    "fast": "too_fast",
    "constant": "constant_answers",
    "pattern": "repeating_pattern",
    "skips": "skips",
    "disagreement": "disagreement",
    "copying": "copying",
    "attention": "inattention",
    "trap": "trap",
}
"""What events call each rule of the settings."""
TITLES = {
    "control_accuracy": "control items",
    "too_fast": "too fast",
    "constant_answers": "one answer all along",
    "repeating_pattern": "repeating pattern",
    "skips": "skipped items",
    "disagreement": "disagreement with others",
    "copying": "the same as another worker",
    "inattention": "paste and hidden page",
    "trap": "trap items",
}
ALWAYS = (at_constant, at_pattern, at_disagreement, at_copying)
LOOKS = {"control": (at_controls, at_traps, *ALWAYS), "main": (at_speed, at_attention, *ALWAYS)}


def after_answer(
    session: Session,
    *,
    study: Study,
    enrolment: Enrolment,
    assignment: Assignment,
    status: JudgmentStatus | None,
    seconds: float,
    moment: datetime,
    pasted: bool = False,
    away: bool = False,
) -> bool:
    """Let the rules look that this answer concerns; return whether the worker's enrolment or answers changed by it.

    `enrolment` is as it was, locked, before the answer. An answer that concerns no rule costs no statement. One that
    comes after its worker was excluded counts for nothing, and is not paid.
    """
    item = assignment.item.item
    if status is None or item.role == "training":
        return False
    if enrolment.status == "excluded":
        leave_out(session, enrolment=enrolment, item_key=assignment.item.key)
        return True
    look = Look(session, study, enrolment, item.id, seconds, pasted, away)
    for at in LOOKS[item.role]:
        fired = at(look)
        if fired is not None and _act(look, fired, moment):
            return True
    return False


def after_skip(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Let the rule on skipped items look, after one was skipped."""
    look = Look(session, study, enrolment)
    fired = at_skips(look)
    if fired is not None:
        _act(look, fired, moment)


def _act(look: Look, fired: Fired, moment: datetime) -> bool:
    """Write down what fired and, if the rule says so, pause or exclude the worker; return whether it was done."""
    session, enrolment = look.session, look.enrolment
    shown = {"items": list(fired.items)} if fired.items else {"judgments": list(fired.evidence)}
    add_event(
        session,
        study_id=enrolment.study_id,
        worker_id=enrolment.worker_id,
        kind="rule",
        rule=fired.rule,
        who="rule",
        reason=fired.reason,
        details={"action": fired.action, "value": fired.value, **shown},
        moment=moment,
    )
    if fired.action not in STOPS:
        return False
    told = {"enrolment": enrolment, "who": "rule", "reason": fired.reason, "moment": moment, "rule": fired.rule}
    if fired.action == "pause":
        pause(session, sitting=look.study.settings.sitting, **told)  # type: ignore[arg-type]
    else:
        exclude(session, **told)  # type: ignore[arg-type]
        overlap.settle_all(session, study=look.study, worker_key=enrolment.worker_id)
    return True
