"""A mean over items as a ratio of sums, with its interval: what the human panel's own numbers have in common."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, Integers
from eval.estimate import Estimate, nothing
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes
from eval.intervals.mean import mean_interval
from eval.intervals.wilson import UNDEFINED, Interval


def ratio(
    totals: Floats,
    sizes: Floats | Integers,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    items: Sequence[str] = (),
    against: str | None = None,
) -> Estimate:
    """sum(totals) / sum(sizes) over N items; `n` is the sum of the sizes, and the interval that of `ratio_interval`.

    Args:
        totals (N,): From 0 to the size.
        sizes (N,): How much each item counts.

    Returns:
        From 0 to 1; NaN where the sizes sum to zero.

    >>> ratio(np.array([1.0, 0.0, 1.0]), np.array([1, 1, 2])).value
    0.5
    """
    answers = float(np.sum(sizes))
    if not round(answers):
        return nothing(resampling.unit, against)
    ci = ratio_interval(totals, sizes, resampling, items=items)
    value = float(np.sort(totals).sum()) / answers  # Sorted, so that the order of the items never matters.
    return Estimate(value, ci, resampling.unit, method_of(ci), round(answers), against)


def ratio_interval(
    above: Floats, below: Floats | Integers, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> Interval:
    """The 95% interval of sum of `above` / sum of `below`, from 0 to 1, over N `items` or clusters of them.

    That of `eval.intervals.mean`; an item with nothing below does not count. (NaN, NaN) of nothing, and of a single
    cluster, which shows nothing of others.
    """
    if resampling.clusters is None:
        return mean_interval(above, below, np.ones(len(above)))
    counting = np.flatnonzero(below)
    place = cluster_codes([items[row] for row in counting.tolist()], resampling.clusters)
    if len(np.unique(place)) < 2:
        return UNDEFINED
    totals, sizes = (np.bincount(place, weights=each[counting]).astype(np.float64) for each in (above, below))
    return mean_interval(totals, sizes, np.ones(len(totals)))


def method_of(ci: Interval, method: str = "wilson") -> str:
    """How an interval was made, as `Estimate.method` says it: "none" where there is none."""
    return "none" if np.isnan(ci[0]) else method
