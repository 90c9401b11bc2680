"""Spearman's rank correlation of pairs that occur in many samples at once."""

import numpy as np

from eval.arrays import Floats, share_of


def rank_correlations(x: Floats, y: Floats, times: Floats) -> Floats:
    """Spearman's correlation (B,) of R pairs that occur as often as `times` (B, R) says; NaN where one does not vary.

    Args:
        x, y (R,): The pairs. Equal values share their mean rank.

    >>> rank_correlations(np.array([1.0, 2, 3]), np.array([1.0, 3, 2]), np.ones((1, 3))).round(3).tolist()
    [0.5]
    """
    total = times.sum(axis=1, keepdims=True)
    one, other = (_ranked(values, times) for values in (x, y))
    # The mean of the ranks is half of one more than their number.
    one, other = one - (total + 1) / 2, other - (total + 1) / 2
    spread = ((times * one**2).sum(axis=1) * (times * other**2).sum(axis=1)) ** 0.5
    return share_of((times * one * other).sum(axis=1), spread, least=1e-9)


def _ranked(values: Floats, times: Floats) -> Floats:
    """The mean rank (B, R) of each value in each sample."""
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    held = np.add.reduceat(np.asarray(times, dtype=np.float64)[:, order], starts, axis=1)
    return np.asarray((held.cumsum(axis=1) - held / 2 + 0.5)[:, place])
