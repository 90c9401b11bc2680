"""Matthews correlation coefficient: how far the answers go with the gold beyond chance."""

import numpy as np

from eval.arrays import Floats


def mcc(confusion: Floats) -> Floats:
    """The multiclass correlation R_K (Gorodkin 2004), -1 to 1, higher is better, 0 for chance.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    "No answer" is one more value that is never gold. 0 where the gold or the answers do not vary, as in scikit-learn's
    `matthews_corrcoef`; NaN where there are no answers.

    Returns:
        From -1 to 1; NaN without answers.

    Source: Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient, Computational
    Biology and Chemistry 28, 367-374.

    >>> import numpy as np
    >>> round(float(mcc(np.array([[8.0, 2, 0], [1, 9, 0]]))), 3)
    0.704
    """
    total = confusion.sum(axis=(-2, -1))
    gold, given = confusion.sum(axis=-1), confusion.sum(axis=-2)
    right = np.einsum("...kk->...", confusion[..., :-1])
    covariance = right * total - (gold * given[..., :-1]).sum(axis=-1)
    spread = (total**2 - (gold**2).sum(axis=-1)) * (total**2 - (given**2).sum(axis=-1))
    # Fractional weights leave a spread of 1e-16 where it should be none.
    varies = spread > 1e-12 * total**4
    value = np.divide(covariance, np.sqrt(np.maximum(spread, 0)), out=np.zeros(total.shape), where=varies)
    return np.where(total > 0, value, np.nan)
