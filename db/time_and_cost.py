"""What answers took: the seconds of each, their tokens and what was paid, of people and of runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Float, Integer, cast, func, select

from db.column_types import joined, numbers_of
from db.engine import Session, read
from db.studies import Study
from db.tables import ITEM, JUDGMENT, PREDICTION

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
