"""Bursts: many answers that arrive within a few seconds, as a script sends them."""

from typing import ClassVar

from data.declared import setting
from eval.workers.frame import Need, WorkerFrame
from eval.workers.rule import WHOLE, Acting, Finding, Occasion, StudyFacts, WorkerRule


class BurstRule(WorkerRule):
    """`number` answers to main items, one after another, were sent within `within` seconds."""

    key: ClassVar[str] = "burst"
    title: ClassVar[str] = "Bursts"
    explanation: ClassVar[str] = "Many answers arrived within a few seconds."
    stopped_text: ClassVar[str] = "speed"
    needs: ClassVar[tuple[Need, ...]] = ("answers",)

    action: Acting = "flag"
    number: int = setting(WHOLE, 5, "Answers", "How many make a burst", ge=2, le=1000)
    within: int = setting(WHOLE, 10, "Seconds", "From the first to the last of them", ge=1, le=3600)

    def due(self, occasion: Occasion) -> bool:
        """After every answer."""
        return occasion.every(1)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the shortest time that so many answers took, the evidence the answers of that time."""
        sent = [(one.submitted_at, one.key) for one in frame.answers(last=self.number) if one.submitted_at]
        bursts = [sent[first : first + self.number] for first in range(len(sent) - self.number + 1)]
        took = [(burst[-1][0] - burst[0][0]).total_seconds() for burst in bursts]
        if not took or min(took) > self.within:
            return None
        keys = [key for _, key in bursts[took.index(min(took))]]
        reason = f"{self.number} answers within {min(took):g} s"
        return self.finding_of(frame, min(took), self.within, len(sent), keys, reason)

    def sentence(self, facts: StudyFacts) -> str:
        """Name both numbers."""
        return f"{self.number} answers within {self.within} s"
