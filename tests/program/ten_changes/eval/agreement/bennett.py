"""Bennett's S: agreement beyond that of people who choose evenly among all labels."""

import numpy as np

from eval.agreement.equal_pairs import above_chance, pairwise
from eval.arrays import Floats, Integers


def bennett(counts: Integers) -> float:
    """(P_a - 1 / K) / (1 - 1 / K) of N x K counts, at most 1; NaN for fewer than two labels or without pairs."""
    labels = counts.shape[1]
    return (pairwise(counts) - 1 / labels) / (1 - 1 / labels) if labels > 1 else float("nan")


def bennett_of(totals: Floats) -> Floats:
    """Bennett's S (B,) of the sums of `item_sums` over the items of samples (B, 2 + K)."""
    return above_chance(totals, np.full(len(totals), 1 / (totals.shape[1] - 2)))
