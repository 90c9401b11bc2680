"""An estimate: a number with its 95% interval, what that resamples, how many answers it has; Wilson's intervals."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from scipy.special import bdtr

from data.errors import BadSetting
from eval.arrays import Floats, ends_or_none, number_or_none

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


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval.

    `unit` is what the interval resamples, `method` is "wilson", "bootstrap" or "none" (nothing to estimate, or all
    in one cluster), `n` the number of answers behind the number. `against` names the standard where that is not gold.
    `ci` holds for other items, given the people who answered; where it holds for other people too
    (`eval.intervals.other_people`) `ci_items` is the narrower one over items alone, else None.
    """

    value: float
    ci: Interval
    unit: str
    method: str
    n: int
    against: str | None = None
    ci_items: Interval | None = None

    @property
    def interval_method(self) -> str:
        """How `ci` was made: over items, and where it holds for other people too, over these as well.

        >>> Estimate(0.9, (0.8, 1.0), "item", "wilson", 40, ci_items=(0.85, 0.95)).interval_method
        'wilson, jackknife over people'
        """
        return self.method if self.ci_items is None else f"{self.method}, jackknife over people"

    def as_dict(self) -> dict[str, object]:
        """The estimate as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {"value": number_or_none(self.value), "ci": ends_or_none(self.ci), "unit": self.unit}
        shown |= {"method": self.method, "n": self.n}
        if self.against is not None:
            shown["against"] = self.against
        if self.ci_items is not None:
            shown["ci_items"] = ends_or_none(self.ci_items)
        return shown


def nothing(unit: str, against: str | None = None) -> Estimate:
    """The estimate where there is nothing to estimate from: NaN with an interval of NaN.

    >>> nothing("item").n
    0
    """
    return Estimate(float("nan"), UNDEFINED, unit, "none", 0, against)
