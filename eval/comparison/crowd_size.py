"""Worth k people: the number of people whose majority scores as a model does."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct, number_or_none
from eval.ballots import Ballots
from eval.comparison.majority_of_k import crowd_of
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, sampling_units
from eval.item_scores import credit_of
from eval.metrics.table import metric_named
from eval.votes import Votes

_SCORE = 1.959963984540054**2


@dataclass(frozen=True)
class CrowdSize:
    """The model scores what a majority of `value` people is expected to score on the same `n` items.

    Between odd numbers of people it is read off the straight line, since an even number with ties broken at random
    helps as little as the odd one below; 0 means below a single person, infinity above the largest of `sizes`. `ci` is
    the 95% bootstrap interval over `unit`s in the same terms, NaN for a single one. `curve` are the expected accuracies
    of the odd `sizes`, `model` is the model's. `stable` says that one item more or less that the model has right moves
    the value by less than one person in 95% of the resamples, and that a value on the curve is read off three points or
    more: if not, only the interval is worth telling. All NaN, with an empty curve, where no item can be
    compared.
    """

    value: float
    ci: tuple[float, float]
    sizes: tuple[int, ...]
    model: float
    curve: tuple[float, ...]
    n: int
    unit: str = "item"
    stable: bool = True

    @property
    def most(self) -> int:
        """The largest majority of the curve."""
        return self.sizes[-1]

    def as_dict(self) -> dict[str, object]:
        """The size as it stands in JSON: a number, "<1" or ">most", None where there is none."""
        shown: dict[str, object] = {"value": self._shown(self.value), "ci": [self._shown(end) for end in self.ci]}
        method = "none" if np.isnan(self.ci[0]) else "bootstrap"
        shown |= {"stable": self.stable, "unit": self.unit, "method": method, "n": self.n, "most": self.most}
        return shown | {"sizes": list(self.sizes), "curve": list(self.curve), "model": number_or_none(self.model)}

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

    Only items with at least `most` judgments count, so that every point of the curve is over the same items; `most` is
    rounded down to an odd number, and not given it is the largest odd k that four fifths of the items with gold and an
    answer still have. Accuracy, ties at random (exact expectations: `majority_of_k.crowd_of`). More people never
    count for less: where the curve falls it is taken to stay level. An open answer counts where it is wholly right.

    Parameters
    ----------
    gold : mapping of item to label
        The right answers that are known.
    votes : Votes
        J judgments.
    model : Ballots
        One answer to each item.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.
    most : int, optional
        The largest majority, in people.

    Returns
    -------
    CrowdSize
        In people.

    Raises
    ------
    BadSetting
        Where the model has not one answer to each item.

    Examples
    --------
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> from eval.ballots import answers
    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> model = answers(gold, items=list(gold), labels=["a", "b"])
    >>> crowd_size(gold, votes, model).n
    8
    """
    if not (model.weights == np.floor(model.weights)).all() or (model.weights.sum(axis=1) > 1).any():
        raise BadSetting("A model must have one answer to each item to be set against a number of people.")
    said = model.on(votes.items)
    sizes, rows = _compared(gold, votes, said, most)
    if not len(rows):
        nothing = float("nan")
        return CrowdSize(nothing, (nothing, nothing), sizes, nothing, (), 0, resampling.unit)
    crowds = [*(crowd_of(votes, k) for k in sizes), said]
    kinds = distinct(np.stack([_right(each, gold)[rows] for each in crowds], axis=1))

    def means(multiplicities: Integers) -> Floats:
        return np.asarray(multiplicities @ kinds.rows / multiplicities.sum(axis=1, keepdims=True))

    point = means(kinds.multiplicity[None])
    place = np.full(len(votes.items), -1, dtype=np.int64)
    place[rows] = kinds.inverse
    bound = sampling_units(place, kinds.multiplicity, votes.items, resampling)
    # A single cluster shows nothing of how clusters differ, so it has no interval; its point may be stable though.
    samples = point if bound.number < 2 else bound.resample(means, width=len(sizes))
    # Infinity cannot be interpolated, so the ends are draws themselves.
    low, high = np.quantile(_sizes(samples), [0.025, 0.975], method="nearest") if bound.number > 1 else (np.nan, np.nan)
    if low == high:
        low, high = _ends_of_one_size(point, bound.number)
    value = float(_sizes(point)[0])
    return CrowdSize(
        value,
        (float(low), float(high)),
        sizes,
        model=float(point[0, -1]),
        curve=tuple(point[0, :-1].tolist()),
        n=len(rows),
        unit=bound.unit,
        stable=bool(np.quantile(_largest_shift(samples, len(rows)), 0.95) < 1)
        and (len(sizes) > 2 or value in (0, np.inf)),
    )


def _compared(
    gold: Mapping[str, str], votes: Votes, said: Ballots, most: int | None
) -> tuple[tuple[int, ...], Integers]:
    """The sizes of the majorities, and the rows of the items that count."""
    known = np.array([item in gold for item in votes.items], dtype=bool)
    overlap = votes.counts.sum(axis=1)
    common = known & said.scored & (overlap > 0)
    if most is None:
        most = int(np.quantile(overlap[common], 0.2, method="lower")) if common.any() else 1
    if most < 1:
        raise BadSetting(f"The largest majority must have at least 1 person, got {most!r}.")
    sizes = tuple(range(1, most + 1, 2))
    return sizes, np.flatnonzero(common & (overlap >= sizes[-1]))


def _right(said: Ballots, gold: Mapping[str, str]) -> Floats:
    """How much of the answer to each item (N,) is right."""
    worth = credit_of(metric_named("accuracy"), gold, said)
    return np.asarray((said.weights[:, :-1] * worth).sum(axis=1).round(12))


def _sizes(means: Floats) -> Floats:
    """The crowd sizes (B,) of curves over 1, 3, 5, ... people with the model behind them, (B, K + 1)."""
    curves, models = np.maximum.accumulate(means[:, :-1], axis=1), means[:, -1]
    number = curves.shape[1]
    # The first size that is as good as the model; rounding must not decide about equals.
    reached = curves >= models[:, None] - 1e-12
    first = np.where(reached.any(axis=1), reached.argmax(axis=1), number)
    inside = (first > 0) & (first < number)
    row = np.flatnonzero(inside)
    below, above = curves[row, first[row] - 1], curves[row, first[row]]
    sizes = np.where(first >= number, np.inf, 1.0)
    sizes[(first == 0) & (models < curves[:, 0] - 1e-12)] = 0
    sizes[row] = 2 * first[row] - 1 + 2 * np.clip((models[row] - below) / (above - below), 0, 1)
    return sizes


def _ends_of_one_size(point: Floats, units: int) -> tuple[float, float]:
    """The ends where no sample tells another size: the model as far off as nobody being ahead anywhere allows.

    That is z^2 / (n + z^2) of the score method for differences (Tango 1998), over n items or clusters.
    """
    model = np.zeros(point.shape[1])
    model[-1] = _SCORE / (units + _SCORE)
    low, high = (float(_sizes(point + sign * model)[0]) for sign in (-1, 1))
    return low, high


def _largest_shift(means: Floats, items: int) -> Floats:
    """By how many people (B,) one item, right for the model or wrong, moves the size; no end is passed."""
    most = 2 * means.shape[1] - 3
    model = np.zeros(means.shape[1])
    model[-1] = 1 / items
    less, size, more = (np.clip(_sizes(means + step * model), 1, most) for step in (-1, 0, 1))
    return np.asarray(np.maximum(size - less, more - size))
