"""Intervals without resampling: Wilson's of a proportion, and that of a median by its order statistics."""

from statistics import NormalDist

import numpy as np
from scipy.special import bdtr

from data.errors import BadSetting
from eval.arrays import Floats

Interval = tuple[float, float]
Z = NormalDist().inv_cdf(0.975)
"""How many standard errors a normal 95% interval reaches each way."""
UNDEFINED: Interval = (float("nan"), float("nan"))
"""The interval where there is none."""


def wilson(successes: float, n: float) -> Interval:
    """Wilson's 95% score interval of a proportion (1927), within 0 and 1 and never of width zero.

    `successes` may be fractional (credit for ties): the interval is then conservative, since a score between 0 and 1
    varies less than one of 0 or 1 with the same mean. (NaN, NaN) where n is 0.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference, Journal of the American
    Statistical Association 22, 209-212.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    if not 0 <= successes <= n:
        raise BadSetting(f"Successes must lie between 0 and n = {n!r}, got {successes!r}.")
    if n == 0:
        return UNDEFINED
    low, high = score_interval(successes / n, Z * Z / n)
    return max(0.0, low), min(1.0, high)


def score_interval(share: float, spread: float) -> Interval:
    """Wilson's interval of a share, `spread` being the squared quantile over the number of answers."""
    centre = share + spread / 2
    half = (spread * (share * (1 - share) + spread / 4)) ** 0.5
    return (centre - half) / (1 + spread), (centre + half) / (1 + spread)


def median_interval(values: Floats) -> Interval:
    """The 95% interval of the median of the values (N,) by their order statistics; NaN for fewer than six of them.

    No shape is assumed: the number of values below the median is binomial with one half (Conover 1999, section 3.2).

    Args:
        values (N,): In any unit.

    Source: Conover (1999), Practical nonparametric statistics, 3rd edition, section 3.2.

    >>> median_interval(np.arange(1.0, 11.0))
    (2.0, 9.0)
    """
    n = len(values)
    low = int(np.searchsorted(bdtr(np.arange(n), n, 0.5), 0.025))
    if low < 1:
        return UNDEFINED
    ordered = np.sort(values)
    return float(ordered[low - 1]), float(ordered[n - low])
