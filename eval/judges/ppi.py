"""Prediction-powered inference: a mean over what people say, sharpened by a judge that has seen many more items.

Corrected scores say what people would say of all items that a judge has seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.ballots import Ballots
from eval.estimate import Interval, wilson
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes
from eval.judges.agreement import both

_NONE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class JudgedSample:
    """What one number is estimated from, in `points` between `low` and `high`.

    `people` (n,) and `judge` (n,) are points of the same items, `alone` (N,) those of items that only the judge has.
    Where items belong together `groups` (n,) and `groups_alone` (N,) number their clusters.
    """

    people: Floats
    judge: Floats
    alone: Floats
    low: float = 0.0
    high: float = 1.0
    groups: Integers | None = None
    groups_alone: Integers | None = None

    def __post_init__(self) -> None:
        if len(self.people) != len(self.judge):
            raise BadSetting(
                f"People and judge need the same items, got {len(self.people)} and {len(self.judge)}; "
                "what only the judge has stands in `alone`."
            )


@dataclass(frozen=True, eq=False)
class PredictionPowered:
    """The mean that people would give, and its 95% interval over other items of the same kind.

    Attributes:
        value, error, ci: The estimate, within the range of the points, its standard error and interval; NaN without two
            items of people, the last also where they are one cluster.
        weight: How much the judge counts, 0 to 1 (lambda of PPI++): 0 is people alone.
        n, alone: Items that people judged too, and items that only the judge has.
        correlation: How far the judge's points follow those of people, 0 to 1; 0 where they do not.
        method: "ppi"; "wilson" where all people's points are equal, so that no variance can be had; "none".
    """

    value: float
    error: float
    ci: Interval
    weight: float
    n: int
    alone: int
    correlation: float
    method: str

    @property
    def worth(self) -> float:
        """How many items judged by people alone would give as narrow an interval; the judge adds what is above n."""
        return 1 / self._per_item(self.n) if self.n else 0.0

    @property
    def halving(self) -> int | None:
        """How many items people must judge in all for an interval half as wide; None where not even all would do.

        The variance with n of the items judged by people is in proportion to (1 - r²) / n + r² / (all items), r being
        the correlation.
        """
        if not self.n:
            return None
        known, every = self.correlation**2, self.n + self.alone
        share = self._per_item(self.n) / 4 - known / every
        if share <= 0 or (1 - known) / share > every:
            return None
        return max(1, ceil((1 - known) / share - 1e-9))

    def _per_item(self, n: int) -> float:
        """The variance with so many items judged by people, in parts of that of one item."""
        known = self.correlation**2
        return (1 - known) / n + known / (self.n + self.alone)


def prediction_powered(sample: JudgedSample) -> PredictionPowered:
    """The mean of people's points over all items, from those that people judged and those that only the judge has.

    The estimate is weight x mean(alone) + mean(people - weight x judge): what the judge says, corrected by how far it
    is from people where both are known. The weight is the one that makes the variance smallest (power tuning, PPI++),
    so that a bad judge does no harm. It takes items judged by people that are a random sample of all items.

    Returns:
        Value and standard error are those of the authors' library; with clusters the variance is that of their sums.
        Where people and the judge agree on every item of both, two more on which they differ, one in either direction,
        are taken into the variance: no difference in n items does not mean that there is none in the others. The
        interval is Wilson's, of as many answers of people alone as have this error: where a label is rare or nearly all
        that is given, the normal one is too narrow.

    Source: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic (2023). Prediction-powered inference. Science 382.
    Angelopoulos, Duchi, Zrnic (2023). PPI++: efficient prediction-powered inference. arXiv:2311.01453.

    >>> people, judge = np.array([1.0, 0, 1, 1, 0, 1]), np.array([1.0, 0, 1, 0, 0, 1])
    >>> found = prediction_powered(JudgedSample(people, judge, np.array([1.0, 1, 0, 0, 1, 0, 1, 1, 0, 0])))
    >>> round(found.value, 4), round(found.weight, 4)
    (0.6667, 0.3906)
    """
    n, alone = len(sample.people), len(sample.alone)
    if n < 2:
        nothing = float("nan")
        return PredictionPowered(nothing, nothing, (nothing, nothing), 0.0, n, alone, 0.0, "none")
    weight = _weight(sample)
    value = float((sample.people - weight * sample.judge).mean()) + (
        weight * float(sample.alone.mean()) if alone else 0
    )
    value = min(max(value, sample.low), sample.high)
    spread = float(sample.people.var())
    if spread <= _NONE:
        return PredictionPowered(value, 0.0, _of_answers(sample, value, n), weight, n, alone, 0.0, "wilson")
    seen = _differing(sample) if weight and np.array_equal(sample.people, sample.judge) else sample
    # No judge makes a mean surer than people's answers to all items would.
    variance = max(_variance(seen, weight), spread / (n + alone))
    mean = float(sample.people.mean())
    ci = _of_answers(sample, value, (mean - sample.low) * (sample.high - mean) / variance)
    return PredictionPowered(value, variance**0.5, ci, weight, n, alone, _correlation(seen) if alone else 0.0, "ppi")


def people_alone(sample: JudgedSample) -> PredictionPowered:
    """The same mean from nothing but the items that people judged."""
    return prediction_powered(replace(sample, alone=sample.alone[:0], groups_alone=None))


def _weight(sample: JudgedSample) -> float:
    """The weight of the judge that makes the variance smallest, as the authors' library estimates it."""
    n, alone = len(sample.judge), len(sample.alone)
    spread = float(np.concatenate([sample.judge, sample.alone]).var(ddof=1)) if alone else 0.0
    if spread <= _NONE:
        return 0.0
    return min(max(_covariance(sample) / ((1 + n / alone) * spread), 0.0), 1.0)


def _covariance(sample: JudgedSample) -> float:
    return float(((sample.people - sample.people.mean()) * (sample.judge - sample.judge.mean())).mean())


def _correlation(sample: JudgedSample) -> float:
    apart = float(sample.people.std() * sample.judge.std())
    return min(max(_covariance(sample) / apart, 0.0), 1.0) if apart > _NONE else 0.0


def _of_answers(sample: JudgedSample, value: float, answers: float) -> Interval:
    """Wilson's interval of a value out of so many answers, on the scale of the points."""
    width = sample.high - sample.low
    low, high = wilson((value - sample.low) / width * answers, answers)
    return sample.low + width * low, sample.low + width * high


def _differing(sample: JudgedSample) -> JudgedSample:
    """The sample with two items more, each a cluster of its own, on which people and judge are as far apart as can be.

    Beside what is equal on every item their variance is all that is known of differences that were not seen.
    """
    ends = np.array([sample.low, sample.high])
    people, judge = np.concatenate([sample.people, ends]), np.concatenate([sample.judge, ends[::-1]])
    groups = sample.groups
    if groups is not None:
        new = max(groups.max(initial=-1), 0 if sample.groups_alone is None else sample.groups_alone.max(initial=-1))
        groups = np.concatenate([groups, [new + 1, new + 2]])
    return replace(sample, people=people, judge=judge, groups=groups)


def _variance(sample: JudgedSample, weight: float) -> float:
    """The variance of the estimate; with clusters that of their sums, infinite where there is only one."""
    rest, given = sample.people - weight * sample.judge, weight * sample.alone
    away = (rest - rest.mean()) / len(rest)
    away_alone = (given - given.mean()) / len(given) if len(given) else given
    if sample.groups is None:
        return float((away**2).sum() + (away_alone**2).sum())
    alone = sample.groups[:0] if sample.groups_alone is None else sample.groups_alone
    groups = np.concatenate([sample.groups, alone])
    totals = np.bincount(groups, weights=np.concatenate([away, away_alone]))
    clusters = int(np.count_nonzero(np.bincount(groups)))
    return float((totals**2).sum() * clusters / (clusters - 1)) if clusters > 1 else float("inf")


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
