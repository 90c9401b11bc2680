"""Stops and appeals: why a worker was stopped, in words that give no check away, and what was written about it."""

from datetime import datetime, timedelta

from annotate.answer_errors import checked_message
from annotate.worker.stages import Stage
from annotate.worker.view import Stop
from data.errors import BadAnswer
from data.wording import Language, texts
from db.engine import Session
from db.events import Cause, add_event, last_stop, lifted
from db.records import ON_APPEAL, add_appeal, appeals_of, unread
from db.studies import Study
from db.workers import Enrolment
from eval.workers import RULES

A_DAY = 3  # appeals of one worker in 24 hours, one after the other
PEOPLE = "people"
"""The text under `[stopped]` for whom no rule stopped."""
STOPPED: tuple[Stage, ...] = ("stopped", "on_hold")


def stop_of(session: Session, *, study: Study, enrolment: Enrolment, stage: Stage, moment: datetime) -> Stop | None:
    """Return what somebody reads who was stopped or waits for a look, None in the other stages."""
    if stage not in STOPPED:
        return None
    rule = last_stop(session, study_id=study.id, worker_id=enrolment.worker_id)
    appeals = appeals_of(session, enrolment=enrolment)
    return Stop(
        why=_why(rule, enrolment.language),
        worker=enrolment.worker,
        contact=study.settings.contact,
        decide=study.settings.pay_after_exclusion == "decide",
        messages=tuple(appeals[:A_DAY]),
        a_day=A_DAY,
        often=sum(moment - appeal.sent_at < timedelta(days=1) for appeal in appeals) >= A_DAY,
    )


def _why(rule: str, language: Language) -> str:
    """Return the name of what is told to somebody whom a rule stopped; where that is not written, what people say."""
    said = RULES[rule].stopped_text if rule in RULES else PEOPLE
    return said if said in texts(language)["stopped"] else PEOPLE


def note_of(session: Session, enrolment: Enrolment, stage: Stage) -> str:
    """Return what is told to somebody who was taken back: the answer to an appeal once, else that the stop is lifted.

    The latter until the next answer, where there is something to answer; "" for everybody else.
    """
    words = texts(enrolment.language)["appeal"]
    if reply := unread(session, enrolment=enrolment):
        return str(words["answered"].format(text=reply))
    if stage not in ("training", "work"):
        return ""
    why = lifted(session, study_id=enrolment.study_id, worker_id=enrolment.worker_id)
    return "" if why in (None, ON_APPEAL) else str(words["lifted"])


def appeal(session: Session, *, study: Study, enrolment: Enrolment, value: object, moment: datetime) -> None:
    """Keep what somebody writes who was stopped, {"text": ...}; nothing from others, and while an earlier one is open.

    Raises BadAnswer for what says nothing or is too long, and for more than A_DAY in 24 hours.
    """
    if enrolment.status not in ("excluded", "paused"):
        return
    given = value.get("text") if isinstance(value, dict) else None
    text = checked_message(given) if isinstance(given, str) else ""
    if not text:
        raise BadAnswer("nothing_written")
    stop = stop_of(session, study=study, enrolment=enrolment, stage="stopped", moment=moment)
    if stop is None or stop.waits:
        return
    if stop.often:
        raise BadAnswer("too_often", limit=A_DAY)
    add_appeal(session, enrolment=enrolment, text=text, moment=moment)
    cause = Cause(enrolment.worker, moment)
    add_event(session, study_id=study.id, worker_id=enrolment.worker_id, kind="appealed", cause=cause)
