"""Ranks, and ranks as ranges: where each would stand if other pairs and other people were drawn."""

import numpy as np
from scipy.stats import rankdata

from eval.arrays import Floats, Integers


def ranks(log: Floats) -> Integers:
    """The rank of each strength (M,), 1 for the largest; equal ones share the better rank, NaN has rank 0.

    >>> ranks(np.array([0.5, 2.0, 0.5, -1.0])).tolist()
    [2, 1, 2, 4]
    """
    places = np.zeros(len(log), dtype=np.int64)
    known = ~np.isnan(log)
    places[known] = rankdata(-log[known], method="min")
    return places


def rank_ranges(log: Floats, apart: Floats) -> Integers:
    """The ranks (M x 2) between which each competitor stands in 95% of samples.

    Parameters
    ----------
    log
        The strengths (M,), all of them finite.
    apart
        How far from them they lie in samples (B x M).

    Notes
    -----
    Each range is of one competitor by itself: that all of them are right at once is less likely than 95%.

    Examples
    --------
    >>> generator = np.random.default_rng(1)
    >>> rank_ranges(np.array([3.0, 0.1, 0.0]), generator.normal(scale=0.2, size=(500, 3))).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    samples = (log + apart)[~np.isnan(apart).any(axis=1)]
    if not len(samples):
        return np.tile(np.array([1, len(log)], dtype=np.int64), (len(log), 1))
    drawn = rankdata(-samples, method="min", axis=1)
    return np.quantile(drawn, [0.025, 0.975], axis=0, method="inverted_cdf").T.astype(np.int64)
