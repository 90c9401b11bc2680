"""What many workers' counts tell of one of them, when how workers differ is itself known only from these counts."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaln

from eval.arrays import Floats, Integers
from eval.intervals.wilson import Interval, normal_quantile

MEANS = np.linspace(0.5, 199.5, 200) / 200
UNLIKELY = 1e-9
"""The share of the likeliest Beta's weight below which one is left out."""
STEPS = 40


@dataclass(frozen=True)
class BetaMixture:
    """Betas (G,) from which true rates may come, `a` and `b`, and how likely each is, `weights` that sum to one."""

    a: Floats
    b: Floats
    weights: Floats

    def interval(self, successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
        """The central interval of the true rate of somebody with so many successes.

        >>> low, high = mixture(np.array([20, 20]), np.array([20, 20])).interval(20, 20)
        >>> 0.85 < low < 0.95 and high > 0.99
        True
        """
        normal_quantile(confidence)
        a, b = self.a + successes, self.b + trials - successes

        def below(rate: float, level: float) -> float:
            return float(self.weights @ betainc(a, b, rate)) - level

        low, high = (brentq(below, 0.0, 1.0, args=(level,)) for level in ((1 - confidence) / 2, (1 + confidence) / 2))
        return float(low), float(high)


def mixture(successes: Floats | Integers, trials: Floats | Integers) -> BetaMixture:
    """The Betas on a grid with their likelihood under the counts of W workers (W,).

    Even over means, and over the logarithm of their weight from one trial to all of them together.

    Args:
        successes, trials (W,): What each worker did, one trial or more.

    Source: Gelman et al. (2013). Bayesian Data Analysis, 3rd edition, section 5.3.

    >>> fitted = mixture(np.array([9, 5]), np.array([10, 10]))
    >>> round(float(fitted.weights.sum()), 6)
    1.0
    """
    strengths = np.geomspace(1.0, max(2.0, float(np.sum(trials))), STEPS)
    mean, strength = (each.ravel() for each in np.meshgrid(MEANS, strengths))
    a, b = mean * strength, (1 - mean) * strength
    surprise = np.zeros(len(a))
    counts, times = np.unique(np.column_stack([successes, trials]), axis=0, return_counts=True)
    for (right, asked), workers in zip(counts, times, strict=True):
        surprise -= workers * (betaln(a + right, b + asked - right) - betaln(a, b))
    likely = np.exp(surprise.min() - surprise)
    plausible = likely > UNLIKELY
    return BetaMixture(a[plausible], b[plausible], likely[plausible] / likely[plausible].sum())
