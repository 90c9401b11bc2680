"""Corrected scores: what people would say of all items a judge has seen, as it, people and both together tell it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Mask
from eval.ballots import Ballots
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes
from eval.judges.agreement import both
from eval.judges.ppi import JudgedSample, PredictionPowered, people_alone, prediction_powered

Points = Mapping[str, float]
"""What each label is worth; one that is not named is worth nothing."""


@dataclass(frozen=True, eq=False)
class CorrectedScore:
    """One number over the items of a judge.

    Attributes:
        judge: What the judge says over all its `judged` items, uncorrected.
        people: From the items that people judged, alone.
        corrected: From both together.
        binary: Whether each answer counts 1 or 0; if not, it is a mean of points.
        rarer: How many of people's answers are the label or are not, whichever is rarer; of points how many their sum
            is of the highest ones, or lacks.
    """

    judge: float
    judged: int
    people: PredictionPowered
    corrected: PredictionPowered
    binary: bool
    rarer: float


def judged_sample(
    people: Ballots,
    judge: Ballots,
    points: Points,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    within: Mask | None = None,
) -> JudgedSample:
    """The points of people and of a judge, on the items of both and on those that only the judge has.

    Args:
        points: What labels are worth: {"yes": 1} is the share of "yes". A reply without a usable answer has the lowest.
        within (N,): Which items to take, all where nothing is said.

    Returns:
        In points.

    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> from eval.ballots import answers
    >>> model = answers(dict(gold, q1="a"), items=list(gold), labels=["a", "b"])
    >>> people = answers({item: gold[item] for item in list(gold)[:4]}, items=list(gold), labels=["a", "b"])
    >>> sample = judged_sample(people, model, {"b": 1})
    >>> len(sample.people), len(sample.judge)
    (4, 4)
    """
    worth = _worth(points, people.labels)
    chosen = np.ones(len(people.items), dtype=bool) if within is None else within
    shared = both(people, judge) & chosen
    judge_only = judge.scored & ~shared & chosen
    groups = cluster_codes(people.items, resampling.clusters) if resampling.clusters else None
    return JudgedSample(
        _mean(people, shared, worth),
        _mean(judge, shared, worth),
        _mean(judge, judge_only, worth),
        float(worth.min()),
        float(worth.max()),
        None if groups is None else groups[shared],
        None if groups is None else groups[judge_only],
    )


def corrected_score(sample: JudgedSample) -> CorrectedScore:
    """The mean points that people would give over all items of a judge.

    It holds where the items that people judged are a random sample of those that the judge did.

    Returns:
        In points.
    """
    every = np.concatenate([sample.judge, sample.alone])
    points = {*sample.people.tolist(), *every.tolist()}
    highest = float((sample.people - sample.low).sum()) / (sample.high - sample.low)
    return CorrectedScore(
        judge=float(every.mean()) if len(every) else float("nan"),
        judged=len(every),
        people=people_alone(sample),
        corrected=prediction_powered(sample),
        binary=(sample.low, sample.high) == (0, 1) and points <= {0.0, 1.0},
        rarer=min(highest, len(sample.people) - highest),
    )


def _worth(points: Points, labels: Sequence[str]) -> Floats:
    """The points of each label and, last, of no usable answer (K + 1,)."""
    if strange := [label for label in points if label not in labels]:
        raise BadSetting(f"Points are given to {strange[0]!r}, which is not one of {', '.join(map(repr, labels))}.")
    worth = np.array([points.get(label, 0.0) for label in labels])
    if len(labels) < 2 or np.ptp(worth) == 0:
        raise BadSetting("Points must tell labels apart: two of them at least need different ones.")
    return np.append(worth, worth.min())


def _mean(said: Ballots, rows: Mask, worth: Floats) -> Floats:
    weights = said.weights[rows]
    return np.asarray((weights @ worth) / weights.sum(axis=1))
