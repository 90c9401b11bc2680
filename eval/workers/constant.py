"""One answer all along: a worker gives one answer nearly always, and the others do not."""

from collections import Counter
from math import ceil

from scipy.special import bdtrc

from data.declared import setting
from eval.workers.frame import WorkerFrame
from eval.workers.rule import SHARE, WHOLE, Acting, Chances, Finding, Power, StudyFacts, WorkerRule


class ConstantRule(WorkerRule):
    """One answer in `share` or more of at least `minimum` main items, where others give it less than `crowd`.

    It looks after every `minimum` answers. A worker alone has nobody to be held against and is not found.
    """

    key = "constant"
    title = "One answer all along"
    explanation = "The worker nearly always gives one answer, and others give it less often."
    stopped_text = "same"
    needs = ("labels", "share_of")

    action: Acting = "flag"
    share: float = setting(SHARE, 0.95, "Minimum share of one answer", "Of the worker’s answers", gt=0, le=1)
    minimum: int = setting(WHOLE, 10, "Answers between checks", "And before the first one", ge=2, le=1000)
    crowd: float = setting(SHARE, 0.8, "Others’ share below", "Above it the answer is simply the usual one", gt=0, le=1)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the worker's share of the answer, the evidence the judgments that give it."""
        given = frame.labels("main")
        if len(given) < self.minimum:
            return None
        label, number = Counter(label for _, label in given).most_common(1)[0]
        if number < self.share * len(given):
            return None
        # Only now is it worth looking at what everybody else answers.
        elsewhere = frame.share_of(label)
        if elsewhere is None or elsewhere >= self.crowd:
            return None
        share = number / len(given)
        reason = f"one answer in {share:.0%} of {len(given)} items, where others give it less than {self.crowd:.0%}"
        same = [key for key, answer in given if answer == label]
        return self.finding_of(frame, share, self.share, len(given), same, reason)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name both shares."""
        return (
            f"one answer in {self.share:.0%} of {self.minimum} or more, where others give it less than {self.crowd:.0%}"
        )

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """At the first look: one answer that is right as often as the others is given as often by who knows.

        How often the most frequent of evenly drawn answers has the share, an upper bound for shares to a half.
        """
        least = ceil(self.share * self.minimum - 1e-9)
        power = min(1.0, chances.labels * float(bdtrc(least - 1, self.minimum, 1 / chances.labels)))
        return (Power(self.minimum, 1 - power, power),)
