"""Cohen's kappa: how far two respondents agree on the same items beyond what chance would bring about."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, distinct, share_of
from eval.estimate import Estimate, nothing
from eval.intervals.clusters import Resampling, above_chance_interval, sampling_units
from eval.intervals.mean import method_of


def kappas(tables: Floats) -> Floats:
    """Cohen's kappa of each table of what two respondents answered.

    Args:
        tables (..., K, K): How many items have which pair of answers, the first one's by rows; parts of items are
            allowed.

    Returns:
        (...): (P_o - P_e) / (1 - P_e), at most 1: P_o is the share of equal answers, P_e that of chance. NaN without
        items and where chance alone would agree on everything.

    Source: Cohen, J. (1960). A coefficient of agreement for nominal scales.

    >>> round(float(kappas(np.array([[20.0, 5.0], [10.0, 15.0]]))), 6)
    0.4
    """
    equal = np.trace(tables, axis1=-2, axis2=-1)
    return kappa_of_margins(equal, tables.sum(axis=-1), tables.sum(axis=-2))


def kappa_of_margins(equal: Floats, one: Floats, other: Floats) -> Floats:
    """Cohen's kappa out of how many answers are equal (...) and how often each of the two gave which (..., K).

    >>> kappa_of_margins(np.array([35.0]), np.array([[25.0, 25.0]]), np.array([[30.0, 20.0]])).round(6).tolist()
    [0.4]
    """
    total, chance = one.sum(axis=-1), (one * other).sum(axis=-1)
    beyond_chance = total**2 - chance
    return share_of(equal * total - chance, np.where(beyond_chance > 1e-9 * total, beyond_chance, 0.0))


def kappa_of_items(
    margins: Floats, items: Sequence[str], resampling: Resampling, *, against: str | None = None
) -> Estimate:
    """Cohen's kappa over items with its interval: one computation, whoever the two respondents are.

    Args:
        margins (N, 2K + 2): Of each item how many pairs of answers it has, how many of them are equal, and how often
            each of the two respondents gave each of K answers, those of one after those of the other.

    Returns:
        At most 1; its `n` is the number of pairs.

    >>> equal, different = [1, 1, 1, 0, 1, 0], [1, 0, 1, 0, 0, 1]
    >>> rows = np.array([equal] * 18 + [different] * 2, dtype=float)
    >>> found = kappa_of_items(rows, [f"q{n}" for n in range(20)], Resampling())
    >>> found.n, round(found.value, 3)
    (20, 0.0)
    """
    if not len(margins):
        return nothing(resampling.unit, against)
    kinds = distinct(margins.round(12))
    none_equal = margins.sum(axis=0) * (np.arange(margins.shape[1]) != 1)
    value, least = (float(_kappas(summed[None])[0]) for summed in (margins.sum(axis=0), none_equal))
    units = sampling_units(kinds.inverse, kinds.multiplicity, items, resampling)
    samples = units.resample(lambda times: _kappas(times @ kinds.rows), width=margins.shape[1])
    ci = above_chance_interval(samples, value, least / (least - 1) if least <= 0 else float("nan"), units)
    n = round(float(margins[:, 0].sum()))
    return Estimate(value, ci, resampling.unit, method_of(ci, "bootstrap"), n, against)


def _kappas(summed: Floats) -> Floats:
    width = (summed.shape[1] - 2) // 2
    return kappa_of_margins(summed[:, 1], summed[:, 2 : 2 + width], summed[:, 2 + width :])
