"""How many people have worked on a study, and how many are at it now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, distinct, func, select

from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, AssignmentRow, JudgmentRow, WorkerRow

LATELY = timedelta(minutes=15)


@dataclass(frozen=True)
class Turnout:
    """Workers with a judgment in a study, how many of them are simulated, and how many were there of late."""

    workers: int
    simulated: int
    active: int


def without_controls(session: Session, *, study: Study) -> int:
    """Return how many workers have met every control of a study: answered it, passed it over, or let it run out."""
    ours = ITEM.c.study_id == study.id, ITEM.c.role == "control"
    met = (
        select_columns(ENROLMENT.c.worker_id, ITEM.c.id.label("item"))
        .join_from(ASSIGNMENT, ITEM)
        .join(ENROLMENT)
        .where(*ours, ASSIGNMENT.c.status.not_in(("held", "left", "undone")))
        .distinct()
        .subquery()
    )
    every = select_columns(func.count()).select_from(ITEM).where(*ours).scalar_subquery()
    whole = select_columns(met.c.worker_id).group_by(met.c.worker_id).having(func.count() == every).subquery()
    return int(session.connection().execute(select_columns(func.count()).select_from(whole)).scalar_one())


def turnout(session: Session, *, study: Study, moment: datetime) -> Turnout:
    """Return who has worked on a study. `active`: who holds an item and asked for something within LATELY.

    Any request of a worker makes the lease in hand last the study's full time, so its end tells when that request was.
    """
    who = select(JudgmentRow.worker_id).where(JudgmentRow.study_id == study.id).distinct()
    programs = select(func.count()).where(col(WorkerRow.id).in_(who), col(WorkerRow.simulated))
    until = moment + timedelta(minutes=study.settings.lease_minutes) - LATELY
    holding = select(func.count(distinct(AssignmentRow.enrolment_id))).where(
        AssignmentRow.study_id == study.id, AssignmentRow.status == "held", AssignmentRow.expires_at >= until
    )
    counted = select(func.count()).select_from(who.subquery())
    return Turnout(session.exec(counted).one(), session.exec(programs).one(), session.exec(holding).one())
