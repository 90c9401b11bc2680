"""Macro-averages over gold labels: precision, recall and F1 of finding each label, every label weighing the same."""

import numpy as np

from eval.arrays import Floats, share_of


def macro_precision(confusion: Floats) -> Floats:
    """Unweighted mean over the gold labels of right / given, 0 to 1, higher is better; see `macro_f1`.

    Args:
        confusion (..., K, K + 1): Gold labels by given labels; the last column counts missing answers.

    Returns:
        (...): From 0 to 1; NaN without answers.

    >>> import numpy as np
    >>> round(float(macro_precision(np.array([[8.0, 2, 0], [1, 9, 0]]))), 3)
    0.854
    """
    right, _, given = _counts(confusion)
    return _mean_over_gold(confusion, right, given)


def macro_recall(confusion: Floats) -> Floats:
    """Unweighted mean over the gold labels of right / gold, 0 to 1, higher is better; see `macro_f1`.

    Args:
        confusion (..., K, K + 1): Gold labels by given labels; the last column counts missing answers.

    Returns:
        (...): From 0 to 1; NaN without answers.

    >>> import numpy as np
    >>> round(float(macro_recall(np.array([[8.0, 2, 0], [1, 9, 0]]))), 3)
    0.85
    """
    right, gold, _ = _counts(confusion)
    return _mean_over_gold(confusion, right, gold)


def macro_f1(confusion: Floats) -> Floats:
    """Unweighted mean of F1 over the labels that occur in the gold, 0 to 1, higher is better.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    F1 = 2 right / (gold + given). A label that is only given, and "no answer", are no labels to be found: they cost
    recall. NaN where there are no answers. Equal to scikit-learn's `f1_score(labels=gold labels, average="macro",
    zero_division=0)`, and so are precision and recall to its functions.

    >>> import numpy as np
    >>> round(float(macro_f1(np.array([[8.0, 2, 0], [1, 9, 0]]))), 3)
    0.85
    """
    right, gold, given = _counts(confusion)
    return _mean_over_gold(confusion, 2 * right, gold + given)


def _counts(confusion: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how often each label (..., K) is right, gold and given."""
    return np.einsum("...kk->...k", confusion[..., :-1]), confusion.sum(axis=-1), confusion[..., :-1].sum(axis=-2)


def _mean_over_gold(confusion: Floats, part: Floats, total: Floats) -> Floats:
    occurring = confusion.sum(axis=-1) > 0
    shares = share_of(part, total, empty=0.0) * occurring
    return share_of(shares.sum(axis=-1), occurring.sum(axis=-1))
