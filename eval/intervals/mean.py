"""The interval of a mean over units of unlike weight, parts of credit, or clusters, by their effective number."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, Integers
from eval.estimate import UNDEFINED, Estimate, Interval, nothing, wilson
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes


def mean_interval(totals: Floats, sizes: Floats | Integers, times: Floats | Integers) -> Interval:
    """The 95% interval of sum of `totals` / sum of `sizes` over U units, items or clusters of them.

    Wilson's, with as many answers as would make a share of right ones vary so much (the effective number; Franco et al.
    2019). For one answer to each item that is right or wrong it is Wilson's of these. How units vary is read off the
    sample with one more unit, of the mean size, in which all is wrong (or right, where most is wrong): few errors, or
    none, show little of how they come together. Where all is right the effective number is that of the units. So it is
    one method at every value, and never of width zero.

    Args:
        totals (C,): The credit of each kind of unit, from 0 to its size.
        sizes (C,): Over how many answers; a unit of size 0 does not count.
        times (C,): How many units are of the kind.

    Returns:
        Two shares from 0 to 1; (NaN, NaN) of nothing.

    Source: Franco, Little, Louis, Slud (2019), Comparative study of confidence intervals for proportions in complex
    sample surveys, Journal of Survey Statistics and Methodology 7, 334-364.

    >>> two_kinds = mean_interval(np.array([0.0, 1.0]), np.ones(2), np.array([1, 9]))
    >>> [round(end, 3) for end in two_kinds], [round(end, 3) for end in wilson(9, 10)]
    ([0.596, 0.982], [0.596, 0.982])
    """
    # Rounded, so that equal sums that were added up in another order stay equal.
    right, answers = (round(float(times @ each), 12) for each in (totals, sizes))
    if not answers:
        return UNDEFINED
    units, share = float(times @ (np.asarray(sizes) > 0)), min(1.0, max(0.0, right / answers))
    size = answers / units
    made_up = size if share < 0.5 else 0.0
    expected = (answers * share + made_up) / (answers + size)
    apart = float(times @ (totals - expected * sizes) ** 2) + (made_up - expected * size) ** 2
    # Rounded, so that answers that are right or wrong have Wilson's interval to the last digit.
    effect = round(apart / (expected * (1 - expected) * (answers + size)), 12)
    return wilson(share * answers / effect, answers / effect)


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
