"""Paste and hidden page: answers with text pasted in, or given after the page was out of sight."""

from data.declared import setting
from eval.workers.frame import WorkerFrame
from eval.workers.rule import SHARE, WHOLE, Finding, Flagging, Occasion, StudyFacts, WorkerRule


class AttentionRule(WorkerRule):
    """More than `share` of the last `window` answers, at least `minimum`, pasted or given with the page out of sight.

    There are honest reasons for both, so this only ever flags.
    """

    key = "attention"
    title = "Paste and hidden page"
    explanation = (
        "Answers with pasted text, or given after the worker left the page. Both can be honest, so nobody is stopped."
    )
    stopped_text = "attention"
    needs = ("watched",)

    action: Flagging = "flag"
    share: float = setting(
        SHARE, 0.5, "Maximum share", "Of answers pasted or given while the page was hidden", ge=0, lt=1
    )
    window: int = setting(WHOLE, 20, "Latest answers", "How many are considered", ge=1, le=1000)
    minimum: int = setting(WHOLE, 10, "Minimum answers", "Workers with fewer are not checked", ge=1, le=1000)

    def due(self, occasion: Occasion) -> bool:
        """After an answer to a main item that was pasted or given with the page out of sight."""
        return occasion.role == "main" and (occasion.pasted or occasion.away)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the share of such answers, which are the evidence."""
        given = frame.watched(last=self.window)[-self.window :]
        shown = [answer.key for answer in given if answer.pasted or answer.away]
        if len(given) < self._least or len(shown) <= self.share * len(given):
            return None
        pasted, away = sum(bool(answer.pasted) for answer in given), sum(bool(answer.away) for answer in given)
        how = f"{pasted} had text pasted in and {away} came after the page was hidden"
        reason = f"of the last {len(given)} answers {how}"
        return self.finding_of(frame, len(shown) / len(given), self.share, len(given), shown, reason)

    @property
    def _least(self) -> int:
        return min(self.minimum, self.window)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the share."""
        last = f"the last {self.window}, {self._least} or more,"
        return f"more than {self.share:.0%} of {last} pasted, or given after the page was left"
