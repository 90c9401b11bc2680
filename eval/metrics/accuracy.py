"""Accuracy: the share of answers that are right."""

import numpy as np

from eval.arrays import Floats


def accuracy(confusion: Floats) -> Floats:
    """Right answers over all answers, 0 to 1, higher is better; "no answer" is a wrong one.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    NaN where there are no answers.
    """
    right = np.einsum("...kk->...", confusion[..., :-1])
    total = confusion.sum(axis=(-2, -1))
    return np.asarray(np.divide(right, total, out=np.full(right.shape, np.nan), where=total > 0))
