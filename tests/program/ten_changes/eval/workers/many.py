"""Many answers: one person gives more of a study's answers than one person should."""

from typing import ClassVar

from data.declared import setting
from eval.workers.frame import Need, WorkerFrame
from eval.workers.rule import WHOLE, Acting, Finding, Occasion, StudyFacts, WorkerRule


class ManyRule(WorkerRule):
    """More than `most` answers to main items. It looks after every answer."""

    key: ClassVar[str] = "many"
    title: ClassVar[str] = "Many answers"
    explanation: ClassVar[str] = "One person gave more answers than one person should."
    stopped_text: ClassVar[str] = "people"
    needs: ClassVar[tuple[Need, ...]] = ("labels",)

    action: Acting = "flag"
    most: int = setting(WHOLE, 2, "Answers", "So many one person may give", ge=1, le=1000)

    def due(self, occasion: Occasion) -> bool:
        """After every answer."""
        return occasion.every(1)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the number of answers, the evidence those that are too many."""
        given = frame.labels("main")
        if len(given) <= self.most:
            return None
        more = [key for key, _ in given[self.most :]]
        return self.finding_of(
            frame, len(given), self.most, len(given), more, f"{len(given)} answers, more than {self.most}"
        )

    def sentence(self, facts: StudyFacts) -> str:
        """Name the number."""
        return f"more than {self.most} answers"
