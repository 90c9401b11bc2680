"""Wilcoxon's signed-rank test, one-sided and exact, for few values that may be equal."""

import numpy as np

from eval.arrays import Floats


def below_by_ranks(apart: Floats) -> float:
    """The exact p-value of Wilcoxon's signed-rank test that values lie below 0 rather than above it.

    Zeros are left out, equal sizes share their ranks, and all ways to sign the ranks are counted.

    Args:
        apart (N,): The values, in any unit; their sizes are compared to nine decimals.

    Returns:
        The chance that values as likely below 0 as above it have ranks above it as small in sum as these; 0 where all
        values are 0.

    Source: Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    >>> below_by_ranks(np.array([-0.1, -0.1, -0.1, -1.1, 0.9]))
    0.25
    """
    apart = apart[np.abs(apart) > 1e-9]
    if not len(apart):
        return 0.0
    # Rounded, so that equal sizes are equal; twice the mean rank of equal ones is a whole number.
    _, place, number = np.unique(np.abs(apart).round(9), return_inverse=True, return_counts=True)
    ranks = (2 * number.cumsum() - number + 1)[place]
    ways = np.ones(1)
    for rank in ranks.tolist():
        grown = np.zeros(len(ways) + rank)
        grown[: len(ways)] += ways / 2
        grown[rank:] += ways / 2
        ways = grown
    return float(ways[: int(ranks[apart > 0].sum()) + 1].sum())
