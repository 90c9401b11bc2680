"""Pairwise agreement, Gwet's AC1 and Fleiss' kappa of many samples of counts at once."""

import numpy as np

from eval.arrays import Floats, Integers, share_of

NONE = 1e-12
"""A total up to this is none but for rounding."""


def pair_shares(paired: Integers) -> Floats:
    """The share of equal pairs of answers to each of these items with two answers or more, (M,)."""
    size = paired.sum(axis=1)
    return np.asarray((paired * (paired - 1)).sum(axis=1) / (size * (size - 1)))


def paired_counts(counts: Integers) -> Integers:
    """The rows (M, K) of N x K counts that hold two answers or more."""
    return np.compress(counts.sum(axis=1) > 1, counts.T, axis=1).T  # as `Votes.counts`: label by label in memory


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
    """The mean over items with two answers or more of their shares of equal pairs, (B,); NaN without pairs.

    Args:
        totals (B, 2 + K): The sums of `item_sums` over the items of samples.

    >>> import numpy as np
    >>> pairwise_of(item_sums(np.array([[3, 0], [2, 1], [0, 3]])).sum(axis=0)[None]).round(3).tolist()
    [0.778]
    """
    return share_of(totals[:, 0], totals[:, 1], least=NONE)


def above_chance(totals: Floats, chance: Floats) -> Floats:
    """How far pairwise agreement goes beyond `chance` (B,) of all it could, (B,); NaN where chance explains all."""
    return share_of(pairwise_of(totals) - chance, 1 - chance, least=NONE)


def label_shares(totals: Floats) -> Floats:
    """The mean over the items of samples (B, 2 + K) of each label's share of the answers, (B, K)."""
    return np.asarray(totals[:, 2:] / totals[:, 2:].sum(axis=1, keepdims=True))


def ac1_of(totals: Floats) -> Floats:
    """Gwet's AC1 (2008), at most 1, stable where one label dominates; K is the number of labels.

    (P_a - P_e) / (1 - P_e): P_a is the pairwise agreement over items with at least two answers, P_e the sum of
    p (1 - p) over labels divided by K - 1, with p the mean over answered items of a label's share. NaN for fewer than
    two labels or where no item has two answers.

    Args:
        totals (B, 2 + K): The sums of `item_sums` over the items of samples.

    Returns:
        At most 1, (B,); NaN where it is not defined.

    Source: Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement, British
    Journal of Mathematical and Statistical Psychology 61, 29-48.

    >>> import numpy as np
    >>> ac1_of(item_sums(np.array([[3, 0], [2, 1], [0, 3]])).sum(axis=0)[None]).round(3).tolist()
    [0.561]
    """
    shares = label_shares(totals)
    return above_chance(totals, share_of(1 - (shares**2).sum(axis=1), shares.shape[1] - 1))


def why_no_fleiss(counts: Integers) -> str:
    """Why these counts have no Fleiss' kappa, "" where they have one."""
    sizes = counts.sum(axis=1)
    sizes = sizes[sizes > 0]
    if not (sizes > 1).any():
        return "no item has two answers"
    if sizes.min() < sizes.max():
        return f"items have {sizes.min()} to {sizes.max()} answers, and it needs the same number for all"
    return "all answers are equal" if counts.any(axis=0).sum() == 1 else ""


def fleiss_of(totals: Floats) -> Floats:
    """Fleiss' kappa (1971), at most 1, where all items have the same number of answers, two or more.

    1 where all answers of a sample are equal, as alpha is: a sample that lost a rare label is not left out.

    Args:
        totals (B, 2 + K): The sums of `item_sums` over the items of samples.

    Returns:
        At most 1, (B,).

    Source: Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 378-382.

    >>> import numpy as np
    >>> fleiss_of(item_sums(np.array([[3, 0], [2, 1], [0, 3]])).sum(axis=0)[None]).round(3).tolist()
    [0.55]
    """
    expected = np.asarray((label_shares(totals) ** 2).sum(axis=1))
    equal = (expected > 1 - 1e-12) & (totals[:, 1] > 0)
    return np.where(equal, 1.0, above_chance(totals, expected))
