"""What a worker gets in the end: the completion code for the platform, the grade of an exam, why it ends."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from annotate.worker.appeal import stop_of
from annotate.worker.stages import Stage
from annotate.worker.view import Completion, Grade
from data.task import Item, Task
from data.unified_state_exam import exam_task
from db import sittings
from db.engine import Session
from db.studies import Study
from db.study_settings import StudySettings
from db.workers import Enrolment
from eval.metrics.use_points import exam_points, points

GRADED = "grade_norm"
FEWEST = 10  # graded answers: points in all of fewer would tell which of them are right


def exam_grade(task: Task, answers: Sequence[tuple[Item, str]], *, by_task: bool) -> Grade | None:
    """Return the grade of the answers to items that have gold, None where the task is no exam or nothing has gold.

    Not `by_task`, there are points in all alone, and none for fewer than FEWEST answers.
    """
    if GRADED not in task.metrics:
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
    return {
        "grade": _grade(session, study, enrolment) if sat and stage == "done" else None,
        "completion": completion_of(stage, settings=study.settings, enrolment=enrolment, part=part),
        "stop": stop_of(session, study=study, enrolment=enrolment, stage=stage, moment=moment),
    }


def _grade(session: Session, study: Study, enrolment: Enrolment) -> Grade | None:
    """Return what a sitting reached in the end: who takes an exam wants to know."""
    answers = sittings.answered(session, study=study, enrolment=enrolment)
    return exam_grade(study.task, answers, by_task=study.settings.exam_points == "tasks")


def completion_of(
    stage: Stage, *, settings: StudySettings, enrolment: Enrolment, part: bool = False
) -> Completion | None:
    """Return what the worker takes along, None where there is nothing yet or nothing was agreed.

    Whoever has answered gets it when nothing is left or the study is closed; who failed the training only the code for
    that. Who was stopped, or has done only a `part`, gets the code for a part.
    """
    if stage == "failed" and settings.failure_code:
        return Completion(code=settings.failure_code)
    if not enrolment.answers:
        return None
    if stage == "stopped" or (part and stage in ("done", "closed")):
        return _for_a_part(settings, enrolment)
    code, url = settings.completion_code, settings.return_link
    if stage not in ("done", "closed") or not (code or url):
        return None
    return Completion(code=code, url=_filled(url, code, enrolment))


def _for_a_part(settings: StudySettings, enrolment: Enrolment) -> Completion | None:
    """Return the code for a part, and the link where it holds a code: one without would say that all is done."""
    code, full_code, url = settings.partial_code, settings.completion_code, settings.return_link
    if not code:
        return None
    if "{code}" not in url:
        url = url.replace(full_code, "{code}") if full_code and full_code in url else ""
    return Completion(code=code, url=_filled(url, code, enrolment), part=True)


def _filled(url: str, code: str, enrolment: Enrolment) -> str:
    for name, value in (("{code}", code), ("{worker}", enrolment.worker)):
        url = url.replace(name, quote(value, safe=""))
    return url
