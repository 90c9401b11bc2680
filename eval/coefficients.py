"""The intervals of pairwise agreement, Gwet's AC1 and Fleiss' kappa, and of shares: bootstraps over items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.intervals import Interval, percentile
from eval.resampling import SINGLE_ITEMS, Resampling, blocks
from eval.scoring import mean_interval

NOTHING: Interval = (float("nan"), float("nan"))


@dataclass(frozen=True)
class CoefficientIntervals:
    """The 95% intervals of the three coefficients; (NaN, NaN) where one is not defined or there is only one unit."""

    pairwise: Interval = NOTHING
    ac1: Interval = NOTHING
    fleiss: Interval = NOTHING


NO_INTERVALS = CoefficientIntervals()


def coefficient_intervals(
    counts: Integers, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> CoefficientIntervals:
    """Percentile bootstraps of N x K counts over answered items, or over clusters of the `items` (N,).

    Samples in which no item has two answers are left out. Where no sample changes the pairwise agreement it has
    Wilson's interval over what is resampled; those of AC1 and of Fleiss' kappa then have no width.
    """
    answered = counts.any(axis=1)
    found = distinct(counts[answered])
    place = np.full(len(counts), -1, dtype=np.int64)
    place[answered] = found.inverse
    resampled = blocks(place, found.multiplicity, items, resampling)
    if resampled.number < 2 or not (found.rows.sum(axis=1) > 1).any():
        return NO_INTERVALS
    parts = _parts(found.rows)
    drawn = resampled.resample(lambda times: coefficients(times.astype(np.float64) @ parts), width=parts.shape[1])
    value = float(coefficients(found.multiplicity[None] @ parts)[0, 0])
    equal, _ = mean_interval(
        drawn[:, 0][~np.isnan(drawn[:, 0])], value, resampled.number, clusters=not resampled.single
    )
    return CoefficientIntervals(equal, percentile(drawn[:, 1]), percentile(drawn[:, 2]))


def ratio_interval(
    above: Floats, below: Floats, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> Interval:
    """The 95% interval of sum of `above` / sum of `below`, from 0 to 1, over M `items` or clusters of them.

    An item with nothing below does not count. A percentile bootstrap; Wilson's where no sample changes the ratio.
    (NaN, NaN) for fewer than two of what is resampled.
    """
    counting = np.flatnonzero(below > 0)
    found = distinct(np.column_stack([above, below])[counting])
    named = [items[row] for row in counting.tolist()] if resampling.clusters else ()
    resampled = blocks(found.inverse, found.multiplicity, named, resampling)
    if resampled.number < 2:
        return NOTHING
    sums = found.rows.astype(np.float64)

    def ratio(times: Integers) -> Floats:
        totals = times @ sums
        return np.asarray(totals[:, 0] / totals[:, 1])

    drawn = resampled.resample(ratio, width=2)
    value = float(above[counting].sum() / below[counting].sum())
    return mean_interval(drawn, value, resampled.number, clusters=not resampled.single)[0]


def coefficients_of(counts: Integers) -> Floats:
    """Pairwise agreement, AC1 and Fleiss' kappa (3,) of N x K counts, as `coefficients` has them."""
    return np.asarray(coefficients(_parts(counts[counts.any(axis=1)]).sum(axis=0)[None])[0])


def coefficients(totals: Floats) -> Floats:
    """Pairwise agreement, AC1 and Fleiss' kappa (B, 3) of the sums of `_parts` over the items of a sample (B, 2 + K).

    Fleiss' kappa is that of items with the same number of answers each. NaN where a coefficient is not defined.
    """
    equal = _over(totals[:, 0], totals[:, 1])
    shares = totals[:, 2:] / totals[:, 2:].sum(axis=1, keepdims=True)
    squares = (shares**2).sum(axis=1)
    found = [equal]
    for chance in (_over(1 - squares, np.full(len(totals), shares.shape[1] - 1.0)), squares):
        found.append(_over(equal - chance, 1 - chance))
    return np.stack(found, axis=1)


def _parts(rows: Integers) -> Floats:
    """What an item adds: its share of equal pairs, whether it has pairs, its share of each label; (C, 2 + K)."""
    size = rows.sum(axis=1)
    pairs = size * (size - 1)
    equal = np.divide((rows * (rows - 1)).sum(axis=1), pairs, out=np.zeros(len(rows)), where=pairs > 0)
    return np.column_stack([equal, pairs > 0, rows / size[:, None]])


def _over(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.divide(one, other, out=np.full(len(one), np.nan), where=other > 1e-12))
