"""The skill of a worker, as control items tell it, and what such workers' answers tell of an item meanwhile."""

from collections.abc import Sequence
from math import exp, log

from scipy.special import betaincc

from data.errors import BadSetting

SMOOTHING = 0.5
SURE = 0.95


def skill(right: int, answered: int, *, smoothing: float = SMOOTHING) -> float:
    """The smoothed accuracy of a worker: (K + right) / (2K + answered) with K = `smoothing`.

    1 / 2 for a worker without controls, and never 0 or 1. Source: Toloka's dynamic overlap ("q_i").

    >>> skill(9, 9)
    0.95
    """
    if not 0 <= right <= answered or smoothing <= 0:
        raise BadSetting(f"Nobody has {right!r} of {answered!r} controls right; smoothing {smoothing!r} is above 0.")
    return (smoothing + right) / (2 * smoothing + answered)


def confidence(votes: Sequence[tuple[str, float]], *, options: int) -> float:
    """The posterior probability, 0 to 1, that the likeliest of the given answers is the right one.

    `votes` are (answer, skill of who gave it), with skills strictly between 0 and 1; `options` is how many answers the
    item allows. Every answer is equally likely before, and a worker who errs gives each of the `options` - 1 others
    equally often: P(a) is proportional to the product of q for the votes for `a` and (1 - q) / (options - 1) for the
    others. 0 without votes, 1 where there is nothing to choose. Source: the rule of Toloka's dynamic overlap.

    >>> round(confidence([("a", 0.8), ("a", 0.6), ("b", 0.7)], options=2), 3)
    0.72
    """
    if options < 2:
        return 1.0
    given = sorted({answer for answer, _ in votes})
    if not given:
        return 0.0
    logs = [sum(log(q) if answer == voted else log((1 - q) / (options - 1)) for voted, q in votes) for answer in given]
    # An answer that nobody gave is wrong in every vote; all of these are equally likely.
    nobody = sum(log((1 - q) / (options - 1)) for _, q in votes)
    top = max(*logs, nobody)
    total = sum(exp(logarithm - top) for logarithm in logs) + (options - len(given)) * exp(nobody - top)
    return exp(max(logs) - top) / total


def proven(right: int, answered: int, *, accuracy: float, at_least: int) -> bool:
    """Whether a worker is reliable: P(true accuracy > `accuracy`) >= SURE after `at_least` controls or more.

    The true accuracy follows Beta(1 + right, 1 + wrong), as in the rule that excludes (`control.Posterior`).

    >>> proven(20, 20, accuracy=0.8, at_least=10)
    True
    """
    return answered >= at_least and bool(betaincc(1 + right, 1 + answered - right, accuracy) >= SURE)
