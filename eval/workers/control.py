"""Control questions (honeypots), items with a known answer: workers who answer too few of them right."""

from typing import Any, ClassVar, Literal

import numpy as np

from data.declared import setting
from eval.workers.control_tests import ControlTest, Posterior, Threshold, ever_stopped
from eval.workers.frame import Need, WorkerFrame
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

LONGEST_COMPUTED = 200  # controls


class ControlRule(WorkerRule):
    """Control items: right out of answered, over the last `window` of them (empty: all), from `minimum` answers on.

    The test "posterior" stops where P(accuracy > chance + (good - chance) / 2) < `doubt`, "threshold"
    where less than the share `share` is right. The rule looks after every control, and who looks often finds a bad
    streak sooner or later: from 10 controls on it stops 0.2% of workers with 90%, from 5 on it would be 1.2%.
    """

    key: ClassVar[str] = "control"
    title: ClassVar[str] = "Control items"
    explanation: ClassVar[str] = (
        "The right answers are known, and workers cannot recognize these items. By probability, the rule finds "
        "workers unlikely to be better than halfway between guessing and 90% right; by plain share, those below it."
    )
    stopped_text: ClassVar[str] = "instruction"
    needs: ClassVar[tuple[Need, ...]] = ("controls",)
    by_controls: ClassVar[bool] = True

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
        AskedNumber(empty="all", option="--window"),
        None,
        "Latest controls only",
        "How many of the latest count",
        ge=1,
        le=1000,
    )

    @classmethod
    def plain_share(cls, least: float) -> dict[str, Any]:
        """Return the numbers by which whoever answered any control is held against a plain share."""
        return {"test": "threshold", "share": least, "minimum": 1}

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
        return "" if self.test_at(facts.chance) else "whoever guesses is right, so controls tell nobody apart."

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
