"""An even pace: a worker whose answers all take the same time, as a script's do."""

from human_baseline.data.declared import setting
from human_baseline.eval.workers.frame import WorkerFrame
from human_baseline.eval.workers.rule import WHOLE, Acting, AskedNumber, Finding, StudyFacts, WorkerRule


class EvenPaceRule(WorkerRule):
    """The last `minimum` answers to main items took times that differ by less than `spread` seconds."""

    key = "even_pace"
    title = "Even pace"
    explanation = "Every answer takes the worker the same time."
    stopped_text = "speed"
    needs = ("answers",)

    action: Acting = "flag"
    minimum: int = setting(WHOLE, 10, "Answers", "How many are compared", ge=3, le=1000)
    spread: float = setting(AskedNumber(step=0.1), 0.5, "Seconds", "From the fastest to the slowest", ge=0, le=3600)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """Find who is even; `value` is the spread, the evidence are the answers compared."""
        last = frame.answers(last=self.minimum)[-self.minimum :]
        seconds = [answer.seconds for answer in last if answer.seconds is not None]
        if len(seconds) < self.minimum or (spread := max(seconds) - min(seconds)) >= self.spread:
            return None
        reason = f"{len(seconds)} answers within {spread:.1f} s of each other"
        return self.finding_of(frame, spread, self.spread, len(seconds), [answer.key for answer in last], reason)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name both numbers."""
        return f"{self.minimum} answers whose times differ by less than {self.spread:g} s"
