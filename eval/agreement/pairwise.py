"""Pairwise agreement: the share of equal pairs of answers, of counts and of many samples of them at once."""

import numpy as np

from eval.arrays import Floats, Integers, share_of

NONE = 1e-12
"""A total up to this is none but for rounding."""


def pairwise(counts: Integers) -> float:
    """Mean over items with two answers or more of the share of equal pairs of answers, 0 to 1; NaN without items.

    Args:
        counts (N, K): How often each of N items was given each of K labels.

    >>> import numpy as np
    >>> round(pairwise(np.array([[3, 0], [2, 1], [0, 3]])), 3)
    0.778
    """
    paired = paired_counts(counts)
    return float(pair_shares(paired).mean()) if len(paired) else float("nan")


def pair_shares(paired: Integers) -> Floats:
    """The share of equal pairs of answers to each of these items with two answers or more, (M,)."""
    size = paired.sum(axis=1)
    return np.asarray((paired * (paired - 1)).sum(axis=1) / (size * (size - 1)))


def paired_counts(counts: Integers) -> Integers:
    """The rows (M, K) of N x K counts that hold two answers or more."""
    return np.asarray(counts[counts.sum(axis=1) > 1])


def item_sums(rows: Integers) -> Floats:
    """What an item adds (C, 2 + K): its share of equal pairs, whether it has pairs, its share of each label.

    `rows` (C, K) hold one answer or more each. Pairwise agreement, AC1 and Fleiss' kappa follow from the sums of these
    over items.
    """
    size = rows.sum(axis=1)
    pairs = size * (size - 1)
    equal = share_of((rows * (rows - 1)).sum(axis=1), pairs, empty=0.0)
    return np.column_stack([equal, pairs > 0, rows / size[:, None]])


def pairwise_of(totals: Floats) -> Floats:
    """Pairwise agreement (B,) of the sums of `item_sums` over the items of samples (B, 2 + K); NaN without pairs."""
    return share_of(totals[:, 0], totals[:, 1], least=NONE)


def above_chance(totals: Floats, chance: Floats) -> Floats:
    """How far pairwise agreement goes beyond `chance` (B,) of all it could, (B,); NaN where chance explains all."""
    return share_of(pairwise_of(totals) - chance, 1 - chance, least=NONE)


def label_shares(totals: Floats) -> Floats:
    """The mean over the items of samples (B, 2 + K) of each label's share of the answers, (B, K)."""
    return np.asarray(totals[:, 2:] / totals[:, 2:].sum(axis=1, keepdims=True))
