"""The interval of a coefficient of agreement beyond chance, also where no bootstrap sample changes it."""

import numpy as np

from eval.arrays import Floats, Integers
from eval.intervals.clusters import SamplingUnits
from eval.intervals.wilson import UNDEFINED, Interval, wilson


def above_chance_interval(samples: Floats, value: float, chance: float, units: SamplingUnits) -> Interval:
    """The 95% interval of a coefficient (A - chance) / (1 - chance), A being the share of equal answers.

    A percentile bootstrap, expanded over clusters. Where all answers are equal no sample differs, though answers could
    have: then A has
    Wilson's interval over the units, and the coefficient that of A, with the chance agreement that was observed. There
    is none where samples do not differ for another reason: chance explains everything, or one of two respondents
    always says the same, so that kappa is 0 whatever the other says.

    Args:
        samples (B,): The coefficient of bootstrap samples.
        value: The coefficient, at most 1.
        chance: The share of answers that are equal by chance, 0 to 1; NaN where it is not known.

    Returns:
        From -1 to 1; (NaN, NaN) where there is none.

    >>> from eval.intervals.clusters import Resampling
    >>> items = SamplingUnits(Resampling(), None, np.ones(20, dtype=int))
    >>> low, high = above_chance_interval(np.ones(9), 1.0, 0.5, items)
    >>> round(low, 3), high
    (0.678, 1.0)
    """
    known = samples[~np.isnan(samples)]
    if len(known) and np.ptp(known) > 1e-12:
        return units.interval(samples, value, low=-1.0, high=1.0)
    if not len(known) or not value > 1 - 1e-9 or not chance < 1 - 1e-12:
        return UNDEFINED
    return max(-1.0, 1 - (1 - wilson(units.number, units.number)[0]) / (1 - chance)), 1.0


def equal_by_chance(given: Floats | Integers) -> float:
    """The share of pairs of different answers that are equal, out of how often each label (K,) was given.

    >>> round(equal_by_chance(np.array([2, 2])), 3)
    0.333
    """
    total = float(given.sum())
    return float((given * (given - 1.0)).sum()) / (total * (total - 1)) if total > 1 else float("nan")
