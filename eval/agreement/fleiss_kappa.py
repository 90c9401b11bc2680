"""Fleiss' kappa: agreement beyond chance where every item has the same number of answers."""

import numpy as np

from eval.agreement.pairwise import above_chance, label_shares, pairwise
from eval.arrays import Floats, Integers


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
