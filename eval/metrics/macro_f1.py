"""Macro-F1: the mean over labels of the F1 of finding that label."""

import numpy as np

from eval.arrays import Floats


def macro_f1(confusion: Floats) -> Floats:
    """Unweighted mean of F1 over the labels that occur in the gold or in the answers, 0 to 1, higher is better.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    F1 = 2 TP / (gold + given). "No answer" is no label of its own, it only costs recall. NaN where there are no
    answers. Equal to scikit-learn's `f1_score(average="macro", zero_division=0)` over the labels that occur.
    """
    right = np.einsum("...kk->...k", confusion[..., :-1])
    occurring = confusion.sum(axis=-1) + confusion[..., :-1].sum(axis=-2)
    f1 = np.divide(2 * right, occurring, out=np.zeros(right.shape), where=occurring > 0)
    labels = (occurring > 0).sum(axis=-1)
    return np.asarray(np.divide(f1.sum(axis=-1), labels, out=np.full(labels.shape, np.nan), where=labels > 0))
