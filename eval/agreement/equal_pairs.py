"""Pairwise agreement, Gwet's AC1 and Fleiss' kappa: of counts, and of many samples of them at once."""

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
    """Pairwise agreement (B,) of the sums of `item_sums` over the items of samples (B, 2 + K); NaN without pairs."""
    return share_of(totals[:, 0], totals[:, 1], least=NONE)


def above_chance(totals: Floats, chance: Floats) -> Floats:
    """How far pairwise agreement goes beyond `chance` (B,) of all it could, (B,); NaN where chance explains all."""
    return share_of(pairwise_of(totals) - chance, 1 - chance, least=NONE)


def label_shares(totals: Floats) -> Floats:
    """The mean over the items of samples (B, 2 + K) of each label's share of the answers, (B, K)."""
    return np.asarray(totals[:, 2:] / totals[:, 2:].sum(axis=1, keepdims=True))


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


def fleiss(counts: Integers) -> float | None:
    """Fleiss' kappa (1971), at most 1; items without answers are skipped.

    None unless all items have the same number of answers, two or more; NaN where all answers are equal.

    Args:
        counts (N, K): How often each of N items was given each of K labels.

    Returns:
        At most 1; None where items have different numbers of answers.

    Source: Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 378-382.

    >>> import numpy as np
    >>> round(fleiss(np.array([[3, 0], [2, 1], [0, 3]])), 3)
    0.55
    """
    answered = counts[counts.any(axis=1)]
    sizes = answered.sum(axis=1)
    if not len(sizes) or sizes[0] < 2 or (sizes != sizes[0]).any():
        return None
    share = answered.sum(axis=0) / answered.sum()
    expected = float((share**2).sum())
    if share.max() == 1:
        return float("nan")
    return (pairwise(answered) - expected) / (1 - expected)


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
    """Fleiss' kappa (B,) of the sums of `item_sums` over the items of samples (B, 2 + K), as many answers to each.

    1 where all answers of a sample are equal, as alpha is: a sample that lost a rare label is not left out.
    """
    expected = np.asarray((label_shares(totals) ** 2).sum(axis=1))
    equal = (expected > 1 - 1e-12) & (totals[:, 1] > 0)
    return np.where(equal, 1.0, above_chance(totals, expected))
