"""What a worker reads where nothing is left to answer: the grade of an exam, a code to take along, why it ends."""

from datetime import datetime
from typing import Any

from annotate.completion import completion_of
from annotate.exam import Grade, graded
from annotate.stages import Stage
from annotate.stopping import stop_of
from db import sittings
from db.engine import Session
from db.studies import Study
from db.workers import Enrolment


def ending_of(
    session: Session, *, study: Study, enrolment: Enrolment, stage: Stage, moment: datetime
) -> dict[str, Any]:
    """Return the parts of a view that belong to an ending, by their names; nothing while there is work."""
    if stage not in ("done", "closed", "failed", "stopped", "on_hold"):
        return {}
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
    return graded(study.task, answers, by_task=study.settings.exam_points == "tasks")
