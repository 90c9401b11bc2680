"""What a worker gets in the end: completion code, grade of an exam, why a stop, and a way to write about it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from annotate.answer_errors import checked_message
from annotate.worker.stages import Stage
from annotate.worker.view import Completion, Grade, Stop
from data.errors import BadAnswer
from data.task import Item, Task
from data.unified_state_exam import exam_task
from data.wording import Language, texts
from db import sittings
from db.engine import Session
from db.events import Cause, add_event, last_stop, lifted
from db.records import ON_APPEAL, add_appeal, appeals_of, unread
from db.studies import Study
from db.study_settings import StudySettings
from db.training_attempts import latest_attempt
from db.workers import Enrolment
from eval.metrics.use_points import exam_points, points
from eval.workers.table import RULES

A_DAY = 3  # appeals of one worker in 24 hours, one after the other
PEOPLE = "people"
"""The text under `[stopped]` for whom no rule stopped."""
STOPPED: tuple[Stage, ...] = ("stopped", "on_hold")


def stop_of(session: Session, *, study: Study, enrolment: Enrolment, stage: Stage, moment: datetime) -> Stop:
    """Return what somebody reads at an end: why, where somebody was stopped or waits for a look, and whom to ask."""
    rule = last_stop(session, study_id=study.id, worker_id=enrolment.worker_id) if stage in STOPPED else ""
    appeals = appeals_of(session, enrolment=enrolment)
    return Stop(
        why=_why(rule, enrolment.language) if stage in STOPPED else "",
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


def passed_note(session: Session, study: Study, enrolment: Enrolment) -> str:
    """Return what is told to somebody who has just passed the training."""
    attempt = latest_attempt(session, study=study, enrolment=enrolment)
    words = texts(enrolment.language)["tried"]["passed_paid" if study.settings.price else "passed"]
    return str(words.format(right=attempt.right, answered=attempt.answered))


def appeal(session: Session, *, study: Study, enrolment: Enrolment, value: object, moment: datetime) -> None:
    """Keep what a worker writes to the researchers, {"text": ...}; nothing while an earlier one is open.

    Raises BadAnswer for what says nothing or is too long, and for more than A_DAY in 24 hours.
    """
    given = value.get("text") if isinstance(value, dict) else None
    text = checked_message(given) if isinstance(given, str) else ""
    if not text:
        raise BadAnswer("nothing_written")
    stop = stop_of(session, study=study, enrolment=enrolment, stage="finished", moment=moment)
    if stop.waits:
        return
    if stop.often:
        raise BadAnswer("too_often", limit=A_DAY)
    add_appeal(session, enrolment=enrolment, text=text, moment=moment)
    cause = Cause(enrolment.worker, moment)
    add_event(session, study_id=study.id, worker_id=enrolment.worker_id, kind="appealed", cause=cause)


GRADED = "grade_norm"
FEWEST = 10  # graded answers: points in all of fewer would tell which of them are right


def graded(task: Task) -> bool:
    """Return whether a sitting of a task is an exam, in which a blank is worth nothing; elsewhere it is no answer."""
    return GRADED in task.metrics


def exam_grade(task: Task, answers: Sequence[tuple[Item, str]], *, by_task: bool) -> Grade | None:
    """Return the grade of the answers to items that have gold, None where the task is no exam or nothing has gold.

    Not `by_task`, there are points in all alone, and none for fewer than FEWEST answers.
    """
    if not graded(task):
        return None
    worths = [
        (exam_task(item.fields), points(task.answer, item.fields, item.gold, label))
        for item, label in answers
        if item.gold is not None
    ]
    if len(worths) < (1 if by_task else FEWEST):
        return None
    (total,) = exam_points(("", worth) for _, worth in worths).values()
    return Grade(total, tuple(exam_points(worths).items()) if by_task else ())


def ending_of(
    session: Session, *, study: Study, enrolment: Enrolment, stage: Stage, moment: datetime
) -> dict[str, Any]:
    """Return the parts of a view that belong to one of the ENDINGS, by their names."""
    sat = study.settings.sitting and stage in ("done", "closed")
    part = sat and sittings.broken_off(session, study=study, enrolment=enrolment)
    answers = sittings.answered(session, study=study, enrolment=enrolment) if sat and stage == "done" else ()
    return {
        "grade": exam_grade(study.task, answers, by_task=study.settings.exam_points == "tasks"),
        "completion": completion_of(stage, settings=study.settings, enrolment=enrolment, part=part),
        "stop": stop_of(session, study=study, enrolment=enrolment, stage=stage, moment=moment),
    }


def completion_of(
    stage: Stage, *, settings: StudySettings, enrolment: Enrolment, part: bool = False
) -> Completion | None:
    """Return what the worker takes along, None where nothing is owed and no code was agreed.

    Whoever has answered until nothing is left or the study is closed gets what stands for all of it. Everybody else,
    and who has done only a `part`, gets the code for a part, which without one of the study is the worker's own name.
    """
    if stage == "failed" and settings.failure_code:
        return Completion(code=settings.failure_code)
    code, url = settings.completion_code, settings.return_link
    agreed = settings.partial_code or ((code or url) and stage != "stopped")
    if not enrolment.earned and not (enrolment.answers and agreed):
        return None
    if enrolment.answers and stage in ("done", "closed") and not part and (code or url):
        return Completion(code=code, url=_filled(url, code, enrolment))
    return _for_a_part(settings, enrolment)


def _for_a_part(settings: StudySettings, enrolment: Enrolment) -> Completion:
    """Return the code for a part, and the link where it holds a code: one without would say that all is done."""
    full_code, url = settings.completion_code, settings.return_link
    code = settings.partial_code or enrolment.worker
    if "{code}" not in url:
        url = url.replace(full_code, "{code}") if full_code and full_code in url else ""
    return Completion(code=code, url=_filled(url, code, enrolment), part=True)


def _filled(url: str, code: str, enrolment: Enrolment) -> str:
    for name, value in (("{code}", code), ("{worker}", enrolment.worker)):
        url = url.replace(name, quote(value, safe=""))
    return url
