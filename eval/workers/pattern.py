"""Repeating pattern: the same few answers over and over."""

from collections import Counter
from collections.abc import Sequence
from operator import eq

import numpy as np

from data.declared import setting
from eval.workers.frame import WorkerFrame
from eval.workers.rule import SHARE, SIMULATED, WHOLE, Acting, Chances, Finding, Power, StudyFacts, WorkerRule


class PatternRule(WorkerRule):
    """Answers, controls with them, that repeat with a period of 2 to `longest`, in `share` of at least `minimum`.

    It looks after every `minimum` answers. One answer all along is for the rule on constant answers.
    """

    key = "pattern"
    title = "Repeating pattern"
    explanation = "The worker repeats the same few answers, as in A, B, A, B."
    stopped_text = "same"
    needs = ("labels",)

    action: Acting = "flag"
    longest: int = setting(WHOLE, 4, "Longest pattern", "Patterns of 2 to this many answers", ge=2, le=10)
    share: float = setting(
        SHARE, 0.95, "Minimum share that repeats", "Of answers equal to the one a pattern earlier", gt=0, le=1
    )
    minimum: int = setting(WHOLE, 20, "Answers between checks", "And before the first one", ge=4, le=1000)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the shortest period, the evidence all these judgments.

        Who answers by a pattern does so on controls too, and without them it could not be seen.
        """
        given = frame.labels("main", "control")
        period = self.period([label for _, label in given])
        if period is None:
            return None
        reason = f"{len(given)} answers repeat every {period} items"
        return self.finding_of(frame, period, self.longest, len(given), [key for key, _ in given], reason)

    def period(self, labels: Sequence[str]) -> int | None:
        """Return the shortest period with which one worker's answers, as they came, repeat; None where none does.

        A single answer that makes up the share is not a pattern.
        """
        if len(labels) < max(self.minimum, 2 * self.longest):
            return None
        if Counter(labels).most_common(1)[0][1] >= self.share * len(labels):
            return None
        for period in range(2, self.longest + 1):
            equal = sum(map(eq, labels[period:], labels))
            if equal / (len(labels) - period) >= self.share:
                return period
        return None

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the periods and the share."""
        return f"a period of 2 to {self.longest} answers in {self.share:.0%} of {self.minimum} or more"

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """At the first look: how often evenly drawn answers repeat, simulated."""
        number = max(self.minimum, 2 * self.longest)
        answers = np.random.default_rng(number).integers(chances.labels, size=(SIMULATED, number))
        repeats = np.zeros(SIMULATED, dtype=bool)
        for period in range(2, self.longest + 1):
            repeats |= (answers[:, period:] == answers[:, :-period]).mean(axis=1) >= self.share
        top = np.stack([(answers == label).sum(axis=1) for label in range(chances.labels)]).max(axis=0)
        power = float((repeats & (top < self.share * number)).mean())
        return (Power(self.minimum, 1 - power, power, simulated=True),)
