"""Training: what an answer in practice was worth, how an attempt ended, and what comes then."""

from datetime import datetime, timedelta
from math import ceil

from annotate.worker.stages import Stage
from annotate.worker.view import Feedback, Tried
from annotate.workload import needed
from db.assignments import Assignment
from db.engine import Session
from db.judgments import last_label
from db.studies import Study
from db.training_attempts import TrainingAttempt, begin_again
from db.workers import Enrolment


def feedback_of(session: Session, *, study: Study, enrolment: Enrolment, lease: Assignment | None) -> Feedback | None:
    """Return what the answer to a practice item was worth and why, None where none is in hand."""
    if lease is None:
        return None
    key, item = lease.item.key, lease.item.item
    given = last_label(session, item_key=key, worker_key=enrolment.worker_id) or ""
    gold = item.gold or ""
    right = study.task.answer_for(item.fields).right(given, gold, item.fields)
    return Feedback(answer=given, gold=gold, right=right, explanation=item.explanation)


def tried_of(*, study: Study, stage: Stage, attempt: TrainingAttempt | None, moment: datetime) -> Tried | None:
    """Return how the training went for a worker who has not passed it, None where nothing was answered in it."""
    if attempt is None or not attempt.answered:
        return None
    return Tried(
        right=attempt.right,
        answered=attempt.answered,
        needed=needed(attempt.answered, study.settings.training_pass),
        attempts_left=attempts_left(study, attempt) if stage == "again" else 0,
        minutes=minutes_left(study, attempt, moment),
    )


def attempts_left(study: Study, attempt: TrainingAttempt) -> int:
    """Return how many attempts a worker has after this one."""
    return max(0, study.settings.training_attempts - attempt.number)


def minutes_left(study: Study, attempt: TrainingAttempt, moment: datetime) -> int:
    """Return how many minutes, begun ones whole, it is until the next attempt opens; 0 when it is open."""
    if attempt.answered_at is None:
        return 0
    opens = attempt.answered_at + timedelta(minutes=study.settings.training_pause_minutes)
    return max(0, ceil((opens - moment) / timedelta(minutes=1)))


def try_again(
    session: Session, *, study: Study, enrolment: Enrolment, attempt: TrainingAttempt, moment: datetime
) -> None:
    """Begin the training anew after this attempt, for somebody in the stage "again"; too early, nothing changes."""
    if not minutes_left(study, attempt, moment):
        begin_again(session, enrolment=enrolment, number=attempt.number + 1, moment=moment)
