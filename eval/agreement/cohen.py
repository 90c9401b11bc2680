"""Cohen's kappa: how far two respondents agree on the same items beyond what chance would bring about."""

import numpy as np

from eval.arrays import Floats


def kappas(tables: Floats) -> Floats:
    """Cohen's kappa of each table of what two respondents answered.

    Parameters
    ----------
    tables : array (..., K, K)
        How many items have which pair of answers, the first one's by rows; parts of items are allowed.

    Returns
    -------
    array (...)
        (P_o - P_e) / (1 - P_e), at most 1: P_o is the share of equal answers, P_e that of chance. NaN without items
        and where chance alone would agree on everything.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> round(float(kappas(np.array([[20.0, 5.0], [10.0, 15.0]]))), 6)
    0.4
    """
    equal = np.trace(tables, axis1=-2, axis2=-1)
    return kappa_of_margins(equal, tables.sum(axis=-1), tables.sum(axis=-2))


def kappa_of_margins(equal: Floats, one: Floats, other: Floats) -> Floats:
    """Cohen's kappa out of how many answers are equal (...) and how often each of the two gave which (..., K).

    >>> kappa_of_margins(np.array([35.0]), np.array([[25.0, 25.0]]), np.array([[30.0, 20.0]])).round(6).tolist()
    [0.4]
    """
    total, chance = one.sum(axis=-1), (one * other).sum(axis=-1)
    beyond_chance = total**2 - chance
    known = beyond_chance > 1e-9 * total
    return np.asarray(
        np.divide(equal * total - chance, beyond_chance, out=np.full(np.shape(total), np.nan), where=known)
    )
