"""The binomial, and the beta-binomial: how often workers are right when their true rates differ."""

import numpy as np
import scipy
from scipy.special import betaln, gammaln, xlog1py, xlogy

from eval.arrays import Floats, Integers


def fit(successes: Floats | Integers, trials: Floats | Integers) -> tuple[float, float]:
    """The a, b > 0 of Beta(a, b) under which `successes` of `trials`, (W,) each, are most likely.

    The mean a / (a + b) and the weight a + b are found by maximum likelihood from the moments (Kleinman 1973). The
    prior is never worth more than all trials together, nor less than one, and its mean keeps half a trial's distance
    from 0 and 1, so workers who are all right do not make it certain. Workers without trials say nothing; without any
    trials it is (0.5, 0.5).

    Source: Kleinman (1973), Proportions with extraneous variance: single and independent samples, Journal of the
    American Statistical Association 68, 46-54.

    >>> import numpy as np
    >>> a, b = fit(np.array([9, 8, 5]), np.array([10, 10, 10]))
    >>> round(a / (a + b), 2)
    0.73
    """
    total = float(np.sum(trials))
    if total < 1:
        return 0.5, 0.5
    least = min(0.5, 0.5 / total)
    bounds = [(_logit(least), _logit(1 - least)), (0.0, float(np.log(total)))]
    mean = min(max(float(np.sum(successes)) / total, least), 1 - least)

    def surprise(point: Floats) -> float:
        a, b = _shape(*point)
        return -float(np.sum(betaln(a + successes, b + trials - successes) - betaln(a, b)))

    starts = [np.array([_logit(mean), weight]) for weight in np.linspace(0, bounds[1][1], 4)]
    fits = [scipy.optimize.minimize(surprise, start, method="L-BFGS-B", bounds=bounds) for start in starts]
    best = min(fits, key=lambda each: float(each.fun))
    return _shape(float(best.x[0]), float(best.x[1]))


def binomial(successes: Integers, trials: int, share: float) -> Floats:
    """How likely each number of successes (N,) is among so many trials.

    >>> binomial(np.array([0, 1]), 1, 0.25).round(2).tolist()
    [0.75, 0.25]
    """
    ways = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1)
    return np.asarray(np.exp(ways + xlogy(successes, share) + xlog1py(trials - successes, -share)))


def lower_tail(successes: int, trials: int, a: float, b: float) -> float:
    """P(X <= successes) for X beta-binomial with `trials` and Beta(a, b).

    Args:
        successes, trials: Counts, `successes` at most `trials`.
        a, b: Of the beta distribution, above 0.

    >>> round(lower_tail(1, 4, 1, 1), 3)
    0.4
    """
    x = np.arange(successes + 1)
    ways = gammaln(trials + 1) - gammaln(x + 1) - gammaln(trials - x + 1)
    return min(1.0, float(np.exp(ways + betaln(a + x, b + trials - x) - betaln(a, b)).sum()))


def _shape(logit: float, log_weight: float) -> tuple[float, float]:
    mean, weight = 1 / (1 + np.exp(-logit)), np.exp(log_weight)
    return float(mean * weight), float((1 - mean) * weight)


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))
