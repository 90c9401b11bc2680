"""Gwet's AC1: agreement beyond chance that stays stable where one label dominates."""

from eval.agreement.pairwise import above_chance, label_shares, paired_counts, pairwise
from eval.arrays import Floats, Integers, share_of


def ac1(counts: Integers) -> float:
    """Gwet's AC1 (2008), at most 1, stable where one label dominates; K is the number of columns.

    (P_a - P_e) / (1 - P_e): P_a is the pairwise agreement over items with at least two answers, P_e the sum of
    p (1 - p) over labels divided by K - 1, with p the mean over answered items of a label's share. NaN for fewer than
    two labels or where no item has two answers.

    Args:
        counts (N, K): How often each of N items was given each of K labels.

    Returns:
        At most 1; NaN where it is not defined.

    Source: Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement, British
    Journal of Mathematical and Statistical Psychology 61, 29-48.

    >>> import numpy as np
    >>> round(ac1(np.array([[3, 0], [2, 1], [0, 3]])), 3)
    0.561
    """
    answered = counts[counts.any(axis=1)]
    if counts.shape[1] < 2 or not len(paired_counts(counts)):
        return float("nan")
    share = (answered / answered.sum(axis=1, keepdims=True)).mean(axis=0)
    expected = float((share * (1 - share)).sum()) / (counts.shape[1] - 1)
    return float((pairwise(counts) - expected) / (1 - expected))


def ac1_of(totals: Floats) -> Floats:
    """AC1 (B,) of the sums of `item_sums` over the items of samples (B, 2 + K); NaN where it is not defined."""
    shares = label_shares(totals)
    return above_chance(totals, share_of(1 - (shares**2).sum(axis=1), shares.shape[1] - 1))
