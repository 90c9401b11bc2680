"""How far a collection is, how fast answers come in, and the time and cost of people and models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Float, Integer, bindparam, cast, distinct, extract, func, select

from db.engine import Session, read
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, JUDGMENT, PREDICTION, WORKER, joined, numbers_of

LATELY = timedelta(minutes=15)

HOUR = 3600
# A remainder instead of a division: one database would round what the other cuts off.
_EPOCH = extract("epoch", JUDGMENT.c.submitted_at)
_BEGINS = _EPOCH - _EPOCH % HOUR
_COUNTED = (
    select(func.count().label("answers"))
    .join_from(JUDGMENT, ITEM)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.status == "counted", ITEM.c.role == "main")
)
_BY_HOUR = (
    _COUNTED.add_columns(_BEGINS.label("hour")).where(JUDGMENT.c.submitted_at >= bindparam("since")).group_by(_BEGINS)
)
_BETWEEN = _COUNTED.where(JUDGMENT.c.submitted_at > bindparam("since"), JUDGMENT.c.submitted_at <= bindparam("until"))


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
    rows = read(session, _BY_HOUR, study=study.id, since=since).all()
    by_hour = {datetime.fromtimestamp(int(row.hour), UTC): int(row.answers) for row in rows}
    last = read(session, _BETWEEN, study=study.id, since=moment - timedelta(hours=1), until=moment).scalar_one()
    return FillRate(by_hour, int(last), moment)


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TimeAndCost:
    """What the answers of one respondent took.

    `answers` counts them, `seconds` (S,) are those of the ones that are timed. `priced` answers cost `cost` in all;
    `cached` ones took a reply that had been paid before. Tokens are those of the requests that were sent, 0 for people.
    """

    answers: int
    seconds: Floats
    priced: int
    cost: float
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def seconds_of_people(session: Session, *, study: Study) -> Floats:
    """Return the seconds of the counted judgments of main items that are timed."""
    statement = (
        select(_milliseconds(JUDGMENT.c.seconds))
        .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
        .where(JUDGMENT.c.study_id == study.id, JUDGMENT.c.status == "counted", ITEM.c.role == "main")
    )
    return _seconds(read(session, statement).scalar())


def costs_of_runs(session: Session, *, run_ids: Sequence[int]) -> dict[int, TimeAndCost]:
    """Return what the answers of each run took; errors are none, and what they cost is in the sum of the run alone."""
    fresh = cast(~PREDICTION.c.cached, Integer)
    statement = (
        select(
            PREDICTION.c.run_id,
            func.count(),
            _milliseconds(PREDICTION.c.seconds),
            func.count(PREDICTION.c.cost),
            func.sum(PREDICTION.c.cost),
            func.sum(cast(PREDICTION.c.cached, Integer)),
            func.sum(PREDICTION.c.prompt_tokens * fresh),
            func.sum(PREDICTION.c.completion_tokens * fresh),
        )
        .where(PREDICTION.c.run_id.in_(list(run_ids)), PREDICTION.c.status != "error")
        .group_by(PREDICTION.c.run_id)
    )
    return {
        run: TimeAndCost(
            answers, _seconds(answered), priced, float(cost or 0), cached or 0, prompt or 0, completion or 0
        )
        for run, answers, answered, priced, cost, cached, prompt, completion in read(session, statement)
    }


def _milliseconds(seconds: ColumnElement[float]) -> ColumnElement[str]:
    return joined(func.round(cast(seconds, Float) * 1000))


def _seconds(text: str | None) -> Floats:
    return numbers_of(text, np.float64) / 1000
