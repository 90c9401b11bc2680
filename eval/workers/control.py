"""Control questions (honeypots), items with a known answer: workers who answer too few of them right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import betaincc

from data.declared import setting
from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.intervals.beta_binomial import binomial
from eval.workers.frame import WorkerFrame
from eval.workers.rule import (
    GOOD,
    SIMULATED,
    WHOLE,
    Acting,
    AskedNumber,
    Chances,
    Finding,
    Occasion,
    Power,
    StudyFacts,
    WorkerRule,
)


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


LONGEST_COMPUTED = 200  # controls


class ControlRule(WorkerRule):
    """Control items: right out of answered, over the last `window` of them (empty: all), from `minimum` answers on.

    The test "posterior" stops where P(accuracy > chance + (good - chance) / 2) < `doubt`, "threshold"
    where less than the share `share` is right. The rule looks after every control, and who looks often finds a bad
    streak sooner or later: from 10 controls on it stops 0.2% of workers with 90%, from 5 on it would be 1.2%.
    """

    key = "control"
    title = "Control items"
    explanation = (
        "The right answers are known, and workers cannot recognize these items. By probability, the rule finds "
        "workers unlikely to be better than halfway between guessing and 90% right; by plain share, those below it."
    )
    stopped_text = "instruction"
    needs = ("controls",)
    by_controls = True

    action: Acting = "exclude"
    test: Literal["posterior", "threshold"] = setting(
        AskedNumber(choices={"posterior": "Probability", "threshold": "Plain share"}),
        "posterior",
        "Test",
        "By probability or by a plain share",
    )
    good: float = setting(AskedNumber(hidden=True), 0.9, "Good worker", "The accuracy of a good worker", gt=0, le=1)
    doubt: float = setting(
        AskedNumber(step=0.01, when="posterior"),
        0.1,
        "Probability below",
        "That the worker is better than halfway between guessing and a good worker",
        gt=0,
        lt=1,
    )
    share: float = setting(
        AskedNumber(step=0.05, when="threshold"),
        0.5,
        "Accuracy below",
        "Share of controls that must be right",
        ge=0,
        le=1,
    )
    minimum: int = setting(WHOLE, 10, "Minimum controls", "Workers with fewer are not checked", ge=1, le=1000)
    window: int | None = setting(
        AskedNumber(empty="all"), None, "Latest controls only", "How many of the latest count", ge=1, le=1000
    )

    def due(self, occasion: Occasion) -> bool:
        """After every control."""
        return occasion.role == "control"

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the share right of the controls looked at, all of which are the evidence."""
        answered = frame.controls()
        given = answered[-(self.window or len(answered)) :]
        test = self.test_at(frame.chance(given)) if given else None
        if test is None:
            return None
        right, number = sum(map(frame.is_right, given)), len(given)
        if not test.stops(np.array([right]), np.array([number]))[0]:
            return None
        reason = f"{right} of {number} controls right, held against {test.limit:.2f}"
        return self.finding_of(frame, right / number, test.limit, number, [answer.key for answer in given], reason)

    def test_at(self, chance: float) -> ControlTest | None:
        """Return the test where a guesser is right with `chance`; None where it can tell nobody apart."""
        if self.test == "threshold":
            return Threshold(self.share, self.minimum)
        return Posterior(chance, self.good, self.doubt, self.minimum) if chance < self.good else None

    def sentence(self, facts: StudyFacts) -> str:
        """Name the test and its numbers."""
        window = "" if self.window is None else f", the last {self.window}"
        test = self.test_at(facts.chance)
        if self.test == "threshold" or test is None:
            return f"less than {self.share:.0%} right{window}"
        return f"P(accuracy > {test.limit:.2f}) below {self.doubt:g}, {self.minimum} controls or more{window}"

    def why_ineffective(self, facts: StudyFacts) -> str:
        """Where a guesser is as good as anybody."""
        return "" if self.test_at(facts.chance) else "guessing is always right here, so controls find nobody."

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """By numbers of controls, the rule looking after each; with a window that bites they are simulated."""
        test = self.test_at(chances.chance)
        if test is None:
            return ()
        numbers = {self.minimum, 10, 20, 40} | (
            {chances.controls_met} if 0 < chances.controls_met <= LONGEST_COMPUTED else set()
        )
        return tuple(
            Power(
                number,
                1 - self._stopped(test, chances.chance, number),
                self._stopped(test, GOOD, number),
                self.window is not None and self.window < number,
            )
            for number in sorted(numbers)
            if number >= self.minimum
        )

    def _stopped(self, test: ControlTest, accuracy: float, controls: int) -> float:
        """Return how often a worker of this accuracy is stopped within so many controls."""
        if self.window is None or controls <= self.window:
            return ever_stopped(test, accuracy, controls)
        right = np.random.default_rng(controls).random((SIMULATED, controls)) < accuracy
        totals = np.concatenate([np.zeros((SIMULATED, 1), dtype=np.int64), right.cumsum(axis=1)], axis=1)
        stopped = np.zeros(SIMULATED, dtype=bool)
        for given in range(1, controls + 1):
            last = min(self.window, given)
            fails = test.stops(np.arange(last + 1), np.full(last + 1, last))
            stopped |= fails[totals[:, given] - totals[:, given - last]]
        return float(stopped.mean())
