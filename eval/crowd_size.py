"""How many people's majority a model is worth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct, number_or_none
from eval.ballots import Ballots
from eval.credits import credit_of
from eval.ensembles import crowd_of
from eval.metrics.table import metric_named
from eval.resampling import SINGLE_ITEMS, Resampling, blocks
from eval.votes import Votes


@dataclass(frozen=True)
class CrowdSize:
    """The model scores what a majority of `value` people is expected to score on the same `n` items.

    Between whole numbers it is read off the straight line; 0 means below a single person, infinity above `most`
    people. `ci` is the 95% bootstrap interval over `unit`s in the same terms, NaN for a single one. `curve` are the
    expected accuracies of 1, 2, ..., `most` people, `model` is the model's. All NaN, with an empty curve, where no item
    can be compared.
    """

    value: float
    ci: tuple[float, float]
    most: int
    model: float
    curve: tuple[float, ...]
    n: int
    unit: str = "item"

    def as_dict(self) -> dict[str, object]:
        """The size as it stands in JSON: a number, "<1" or ">most", None where there is none."""
        shown: dict[str, object] = {"value": self._shown(self.value), "ci": [self._shown(end) for end in self.ci]}
        method = "none" if np.isnan(self.ci[0]) else "bootstrap"
        shown |= {"unit": self.unit, "method": method, "n": self.n, "most": self.most, "curve": list(self.curve)}
        return shown | {"model": number_or_none(self.model)}

    def _shown(self, size: float) -> float | str | None:
        if np.isnan(size):
            return None
        return "<1" if size < 1 else f">{self.most}" if size > self.most else size


def crowd_size(
    gold: Mapping[str, str],
    votes: Votes,
    model: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    most: int | None = None,
) -> CrowdSize:
    """The number of people whose majority is as accurate as the model, on items with gold that both have answered.

    Only items with at least `most` judgments count, so that every point of the curve is over the same items; `most`
    not given is the largest k that four fifths of the items with gold and an answer still have. Accuracy, ties at
    random (exact expectations: `eval.ensembles.crowd_of`). More people never count for less: where the curve falls
    it is taken to stay level. An open answer counts where it is wholly right.
    """
    if not (model.weights == np.floor(model.weights)).all() or (model.weights.sum(axis=1) > 1).any():
        raise BadSetting("A model must have one answer to each item to be set against a number of people.")
    known = np.array([item in gold for item in votes.items], dtype=bool)
    said = model.on(votes.items)
    overlap = votes.counts.sum(axis=1)
    common = known & said.scored & (overlap > 0)
    if most is None:
        most = int(np.quantile(overlap[common], 0.2, method="lower")) if common.any() else 1
    if most < 1:
        raise BadSetting(f"The largest majority must have at least 1 person, got {most!r}.")
    rows = np.flatnonzero(common & (overlap >= most))
    if not len(rows):
        nothing = float("nan")
        return CrowdSize(nothing, (nothing, nothing), most, nothing, (), 0, resampling.unit)
    crowds = [*(crowd_of(votes, k) for k in range(1, most + 1)), said]
    found = distinct(np.stack([_right(each, gold)[rows] for each in crowds], axis=1))

    def means(multiplicities: Integers) -> Floats:
        return np.asarray(multiplicities @ found.rows / multiplicities.sum(axis=1, keepdims=True))

    point = means(found.multiplicity[None])
    place = np.full(len(votes.items), -1, dtype=np.int64)
    place[rows] = found.inverse
    bound = blocks(place, found.multiplicity, votes.items, resampling)
    sizes = bound.resample(lambda m: _sizes(means(m)), width=most)
    # Infinity cannot be interpolated, so the ends are draws themselves.
    low, high = np.quantile(sizes, [0.025, 0.975], method="nearest")
    curve = tuple(float(value) for value in point[0, :-1])
    value, ci = float(_sizes(point)[0]), (float(low), float(high))
    return CrowdSize(value, ci, most, float(point[0, -1]), curve, len(rows), bound.unit)


def _right(said: Ballots, gold: Mapping[str, str]) -> Floats:
    """How much of the answer to each item (N,) is right."""
    worth = credit_of(metric_named("accuracy"), gold, said)
    return np.asarray((said.weights[:, :-1] * worth).sum(axis=1).round(12))


def _sizes(means: Floats) -> Floats:
    """The crowd sizes (B,) of curves with the model behind them, (B, most + 1)."""
    curves, models = np.maximum.accumulate(means[:, :-1], axis=1), means[:, -1]
    most = curves.shape[1]
    # The first size that is as good as the model; rounding must not decide about equals.
    reached = curves >= models[:, None] - 1e-12
    first = np.where(reached.any(axis=1), reached.argmax(axis=1), most)
    inside = (first > 0) & (first < most)
    row = np.flatnonzero(inside)
    below, above = curves[row, first[row] - 1], curves[row, first[row]]
    sizes = np.where(first >= most, np.inf, 1.0)
    sizes[(first == 0) & (models < curves[:, 0] - 1e-12)] = 0
    sizes[row] = first[row] + np.clip((models[row] - below) / (above - below), 0, 1)
    return sizes
