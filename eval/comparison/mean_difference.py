"""The difference of two respondents in credit that each item's answer has from 0 to 1, with its interval and test."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.comparison.difference import Difference
from eval.comparison.paired_bootstrap import PairedDraws
from eval.comparison.paired_proportions import PairedCounts
from eval.intervals.bootstrap import resample
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes

_NEAR = 1e-9


def mean_difference(
    credit_gaps: Floats, sizes: Floats, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> Difference:
    """How far the first is ahead on average: sum of `credit_gaps` / sum of `sizes`, from -1 to 1.

    A bootstrap of items, or clusters of them, and of one made-up item besides, as `paired_bootstrap` has it: one of
    those on which the two differ, as it is or the other way round. Where no sample differs it is the score method.

    Parameters
    ----------
    credit_gaps : (N,) floats
        The summed credit of the first on each item minus that of the second, from -size to size.
    sizes : (N,) floats
        How many answers were compared on each item; an item with 0 does not count.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.
    items : (N,) texts
        Their names, needed where `resampling` is of clusters.

    Returns
    -------
    Difference
        NaN without items; without interval and test where there is a single unit.

    Examples
    --------
    >>> found = mean_difference(np.array([1.0, 0.0, 1.0, -1.0] * 25), np.ones(100))
    >>> round(found.value, 2), found.n, bool(found.p < 0.05)
    (0.25, 100, True)
    """
    counting = np.flatnonzero(sizes > 0)
    nowhere, unit = (float("nan"), float("nan")), resampling.unit
    if not len(counting):
        return Difference(float("nan"), nowhere, None, "none", 0, unit)
    rows = np.column_stack([credit_gaps, sizes])[counting].astype(np.float64)
    if resampling.clusters is not None:
        place = cluster_codes([items[row] for row in counting.tolist()], resampling.clusters)
        rows = np.column_stack([np.bincount(place, weights=column) for column in rows.T])
    value = float(rows[:, 0].sum() / rows[:, 1].sum())
    if len(rows) < 2:
        return Difference(value, nowhere, None, "none", len(counting), unit)
    compared = _paired(rows.round(12), resampling)
    return Difference(value, compared.interval(), compared.p, compared.method, len(counting), unit)


def _paired(rows: Floats, resampling: Resampling) -> PairedDraws | PairedCounts:
    units = distinct(rows)
    differing = np.flatnonzero(np.abs(units.rows[:, 0]) > _NEAR)
    made_up = units.multiplicity[differing] / max(1, 2 * units.multiplicity[differing].sum())
    weights = np.concatenate([units.multiplicity.astype(np.float64), made_up])
    weights[differing] += made_up
    summed = np.concatenate([units.rows, units.rows[differing] * [-1, 1]])

    def statistic(times: Integers) -> Floats:
        above, below = (times @ summed).T
        return np.asarray(above / below)

    draws = resample(weights, statistic, draws=resampling.draws, generator=resampling.generator)
    if np.ptp(draws) > _NEAR:
        return PairedDraws(np.sort(draws.round(12)))
    apart = float(units.multiplicity[differing].sum()) / 2
    return PairedCounts(apart, apart, len(rows), method="score")
