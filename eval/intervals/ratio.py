"""A mean over items as a ratio of sums, with its bootstrap: what the human panel's own numbers have in common."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.estimate import Estimate, nothing
from eval.intervals.bootstrap import mean_interval, resample
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes, sampling_units
from eval.intervals.wilson import UNDEFINED, Interval


def ratio(
    totals: Floats,
    sizes: Floats | Integers,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    items: Sequence[str] = (),
    against: str | None = None,
) -> Estimate:
    """sum(totals) / sum(sizes) over N items, each total between 0 and its size; `n` is the sum of the sizes.

    The interval is a percentile bootstrap; the `items` (N,) are needed where `resampling` is of clusters. Where no
    resample differs it is Wilson's over their number, and there is none of a single cluster. NaN where the sizes sum to
    zero.
    """
    n = round(float(np.sum(sizes)))
    if resampling.clusters is not None:
        place = cluster_codes(items, resampling.clusters)
        totals = np.bincount(place, weights=totals).astype(np.float64)
        sizes = np.bincount(place, weights=sizes).astype(np.float64)
    if not n:
        return nothing(resampling.unit, against)
    kinds = distinct(np.stack([totals, np.asarray(sizes, dtype=np.float64)], axis=1))

    def statistic(multiplicities: Integers) -> Floats:
        total, size = (multiplicities @ kinds.rows).T
        return np.asarray(np.divide(total, size, out=np.full(len(total), np.nan), where=size > 0))

    value = float(statistic(kinds.multiplicity[None])[0])
    values = resample(kinds.multiplicity, statistic, draws=resampling.draws, generator=resampling.generator)
    ci, method = mean_interval(values, value, int(kinds.multiplicity.sum()), clusters=resampling.clusters is not None)
    return Estimate(value, ci, resampling.unit, method, n, against)


def ratio_interval(
    above: Floats, below: Floats, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> Interval:
    """The 95% interval of sum of `above` / sum of `below`, from 0 to 1, over M `items` or clusters of them.

    An item with nothing below does not count. A percentile bootstrap; Wilson's where no sample changes the ratio.
    (NaN, NaN) for fewer than two of what is resampled.
    """
    counting = np.flatnonzero(below > 0)
    kinds = distinct(np.column_stack([above, below])[counting])
    named = [items[row] for row in counting.tolist()] if resampling.clusters else ()
    resampled = sampling_units(kinds.inverse, kinds.multiplicity, named, resampling)
    if resampled.number < 2:
        return UNDEFINED
    parts = kinds.rows.astype(np.float64)

    def ratio(times: Integers) -> Floats:
        totals = times @ parts
        return np.asarray(totals[:, 0] / totals[:, 1])

    samples = resampled.resample(ratio, width=2)
    value = float(above[counting].sum() / below[counting].sum())
    return mean_interval(samples, value, resampled.number, clusters=not resampled.single)[0]
