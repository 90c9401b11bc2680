"""How far a study is: how many people have worked on it, how many are at it now, and how fast it fills."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, distinct, extract, func, select

from db.engine import Session, read
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, JUDGMENT, WORKER

LATELY = timedelta(minutes=15)

HOUR = 3600
# A remainder instead of a division: one database would round what the other cuts off.
_EPOCH = extract("epoch", JUDGMENT.c.submitted_at)
_BEGINS = _EPOCH - _EPOCH % HOUR
_MAIN = (
    select(_BEGINS.label("hour"), func.count().label("answers"))
    .join_from(JUDGMENT, ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.submitted_at >= bindparam("since"),
        ITEM.c.role == "main",
    )
    .group_by(_BEGINS)
)
_SINCE = (
    select(func.count())
    .select_from(JUDGMENT)
    .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.submitted_at > bindparam("since"),
        JUDGMENT.c.submitted_at <= bindparam("until"),
        ITEM.c.role == "main",
    )
)


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
        select(ENROLMENT.c.worker_id, ITEM.c.id.label("item"))
        .join_from(ASSIGNMENT, ITEM)
        .join(ENROLMENT)
        .where(*ours, ASSIGNMENT.c.status.not_in(("held", "left", "undone")))
        .distinct()
        .subquery()
    )
    every = select(func.count()).select_from(ITEM).where(*ours).scalar_subquery()
    complete = select(met.c.worker_id).group_by(met.c.worker_id).having(func.count() == every).subquery()
    return int(read(session, select(func.count()).select_from(complete)).scalar_one())


def turnout(session: Session, *, study: Study, moment: datetime) -> Turnout:
    """Return who has worked on a study. `active`: who holds an item and asked for something within LATELY.

    Any request of a worker makes the lease in hand last the study's full time, so its end tells when that request was.
    """
    who = select(JUDGMENT.c.worker_id).where(JUDGMENT.c.study_id == study.id).distinct()
    programs = select(func.count()).where(WORKER.c.id.in_(who), WORKER.c.simulated)
    until = moment + timedelta(minutes=study.settings.lease_minutes) - LATELY
    holding = select(func.count(distinct(ASSIGNMENT.c.enrolment_id))).where(
        ASSIGNMENT.c.study_id == study.id, ASSIGNMENT.c.status == "held", ASSIGNMENT.c.expires_at >= until
    )
    counted = select(func.count()).select_from(who.subquery())
    return Turnout(*(int(read(session, number).scalar_one()) for number in (counted, programs, holding)))


@dataclass(frozen=True)
class FillRate:
    """Counted answers to main items: `hours` by the beginning of each hour, `last_hour` in the 60 minutes to `at`."""

    hours: Mapping[datetime, int]
    last_hour: int
    at: datetime


def fill_rate(session: Session, *, study: Study, moment: datetime, hours: int = 24) -> FillRate:
    """Return the answers of the last `hours` hours by the hour; an hour without any is not there."""
    since = moment - timedelta(hours=hours)
    rows = read(session, _MAIN, study=study.id, since=since).all()
    by_hour = {datetime.fromtimestamp(int(row.hour), UTC): int(row.answers) for row in rows}
    last = read(session, _SINCE, study=study.id, since=moment - timedelta(hours=1), until=moment).scalar_one()
    return FillRate(by_hour, int(last), moment)
