"""Who fails the control items: rules by right and answered, and how often they stop whom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincc

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.intervals.beta_binomial import binomial


@dataclass(frozen=True)
class Posterior:
    """Fails a worker who is unlikely to be better than half way between chance and `good`: the default (DECISIONS 23).

    P(accuracy > chance + (good - chance) / 2) < `doubt`, the accuracy following Beta(1 + right, 1 + wrong).
    """

    chance: float
    good: float = 0.9
    doubt: float = 0.10
    minimum: int = 5

    def __post_init__(self) -> None:
        if not 0 <= self.chance < self.good <= 1 or not 0 < self.doubt < 1:
            raise BadSetting(
                f"The chance {self.chance!r} must lie below good = {self.good!r} and both between 0 and 1, as must "
                f"the doubt {self.doubt!r}; for K answers the chance is 1 / K."
            )
        _check_minimum(self.minimum)

    @property
    def limit(self) -> float:
        """Half way between chance and good."""
        return (self.chance + self.good) / 2

    def stops(self, right: Integers, answered: Integers) -> Mask:
        """Which workers fail; nobody with fewer than `minimum` answers."""
        better = betaincc(1 + right, 1 + answered - right, self.limit)
        return np.asarray((answered >= self.minimum) & (better < self.doubt))


@dataclass(frozen=True)
class Threshold:
    """Fails a worker with less than `share` of the control answers right, as MERA does with one half."""

    share: float = 0.5
    minimum: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise BadSetting(f"The threshold must be a share from 0 to 1, got {self.share!r}; 0.5 is half.")
        _check_minimum(self.minimum)

    @property
    def limit(self) -> float:
        """The share itself."""
        return self.share

    def stops(self, right: Integers, answered: Integers) -> Mask:
        """Which workers fail; nobody with fewer than `minimum` answers."""
        return np.asarray((answered >= self.minimum) & (right < self.share * answered))


ControlTest = Posterior | Threshold
"""A rule that acts on a worker with `minimum` control answers or more; `limit` is the accuracy one is held against."""


def stop_rate(rule: ControlTest, accuracy: float, answered: int) -> float:
    """How often a worker of this true accuracy is stopped when the rule looks once, after `answered` controls.

    Exact: the sum of binomial probabilities of the numbers of right answers that fail. 1 - stop_rate at the accuracy
    of chance is how often a random guesser passes.

    Args:
        accuracy: From 0 to 1.

    Returns:
        From 0 to 1.

    >>> round(stop_rate(Threshold(0.5), 0.5, 4), 4)
    0.3125
    """
    _check(accuracy, answered)
    right = np.arange(answered + 1)
    failing = rule.stops(right, np.full(answered + 1, answered))
    return float(binomial(right[failing], answered, accuracy).sum())


def ever_stopped(rule: ControlTest, accuracy: float, answered: int) -> float:
    """How often such a worker is stopped when the rule looks after every control answer up to `answered`.

    At least `stop_rate`: who looks often finds a bad streak sooner or later. Exact, by the numbers of right answers of
    those still at work.

    Args:
        accuracy: From 0 to 1.

    Returns:
        From 0 to 1.

    >>> round(ever_stopped(Threshold(0.5), 0.5, 4), 4)
    0.625
    """
    _check(accuracy, answered)
    return stopped_along(rule, [accuracy] * answered)


def stopped_along(rule: ControlTest, accuracies: Sequence[float]) -> float:
    """How often a worker is stopped whose accuracy changes from control to control, as of one who tires; exact."""
    working: Floats = np.ones(1)
    for given, accuracy in enumerate(accuracies, 1):
        grown = np.zeros(given + 1)
        grown[:-1] += working * (1 - accuracy)
        grown[1:] += working * accuracy
        working = np.where(rule.stops(np.arange(given + 1), np.full(given + 1, given)), 0.0, grown)
    return max(0.0, 1 - float(working.sum()))


def controls_needed(
    rule: ControlTest, chance: float, *, stopped: float = 0.9, good: float = 0.9, spared: float = 0.99, most: int = 200
) -> int | None:
    """The smallest number of controls after which one look stops guessers and spares good workers.

    At least the share `stopped` of workers at `chance`, at most 1 - `spared` of those whose accuracy is `good`. None
    where no number up to `most` does: the rule itself must change. Rates go in steps, so a larger number may do a
    little worse.

    >>> controls_needed(Threshold(0.7), 0.5)
    14
    """
    numbers = range(max(1, rule.minimum), most + 1)
    fits = (n for n in numbers if stop_rate(rule, chance, n) >= stopped and stop_rate(rule, good, n) <= 1 - spared)
    return next(fits, None)


def _check(accuracy: float, answered: int) -> None:
    if not 0 <= accuracy <= 1 or answered < 0:
        raise BadSetting(
            f"An accuracy lies between 0 and 1 and controls are 0 or more, got {accuracy!r}, {answered!r}."
        )


def _check_minimum(minimum: int) -> None:
    if minimum < 1:
        raise BadSetting(f"A control rule needs at least 1 control answer, got {minimum!r}.")
