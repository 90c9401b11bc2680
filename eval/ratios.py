"""A mean over items as a ratio of sums, with its bootstrap: what the human panel's own numbers have in common."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.intervals import resample
from eval.resampling import SINGLE_ITEMS, Resampling, numbered
from eval.scoring import Estimate, mean_interval, nothing


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
        place = numbered(items, resampling.clusters)
        totals = np.bincount(place, weights=totals).astype(np.float64)
        sizes = np.bincount(place, weights=sizes).astype(np.float64)
    if not n:
        return nothing(resampling.unit, against)
    found = distinct(np.stack([totals, np.asarray(sizes, dtype=np.float64)], axis=1))

    def statistic(multiplicities: Integers) -> Floats:
        total, size = (multiplicities @ found.rows).T
        return np.asarray(np.divide(total, size, out=np.full(len(total), np.nan), where=size > 0))

    value = float(statistic(found.multiplicity[None])[0])
    values = resample(found.multiplicity, statistic, draws=resampling.draws, generator=resampling.generator)
    ci, method = mean_interval(values, value, int(found.multiplicity.sum()), clusters=resampling.clusters is not None)
    return Estimate(value, ci, resampling.unit, method, n, against)
