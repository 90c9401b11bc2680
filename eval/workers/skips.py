"""Skipped items: many in a row, or a large share of the last ones."""

from itertools import groupby

from data.declared import setting
from eval.workers.frame import MetItem, WorkerFrame
from eval.workers.rule import SHARE, WHOLE, Acting, Finding, Occasion, StudyFacts, WorkerRule


class SkipsRule(WorkerRule):
    """`in_a_row` items skipped one after another, or more than `share` of the last `window` of at least `minimum`.

    Items that were reported are no part of it: a report helps. It looks after every item skipped.
    """

    key = "skips"
    title = "Skipped items"
    explanation = "The worker skips many items in a row, or a large share of recent ones. Reported items do not count."
    stopped_text = "skips"
    needs = ("items_met",)

    action: Acting = "flag"
    in_a_row: int = setting(WHOLE, 5, "Skips in a row", "How many it takes", ge=1, le=1000)
    share: float = setting(SHARE, 0.5, "Or share above", "Of the latest items seen", ge=0, le=1)
    window: int = setting(WHOLE, 20, "Latest items", "How many are considered", ge=1, le=1000)
    minimum: int = setting(WHOLE, 10, "Minimum items", "Seen before the share is checked", ge=1, le=1000)

    def due(self, occasion: Occasion) -> bool:
        """After every item skipped."""
        return occasion.role == "skipped"

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the longest row of skips where that is what is found, the first of several; else the share.

        The evidence are the items of that row, or those skipped of the last `window`.
        """
        met = frame.items_met(last=max(self.window, self.in_a_row))
        rows = [list(row) for skipped, row in groupby(met, key=lambda answer: answer.skipped) if skipped]
        longest: list[MetItem] = max(rows, key=len, default=[])
        if len(longest) >= self.in_a_row:
            number = len(longest)
            reason = f"{number} items skipped in a row" if number > 1 else f"1 of the last {len(met)} skipped"
            return self.finding_of(frame, number, self.in_a_row, len(met), [answer.key for answer in longest], reason)
        last = met[-self.window :]
        skipped = [answer.key for answer in last if answer.skipped]
        if len(met) < self._least or len(skipped) <= self.share * len(last):
            return None
        reason = f"{len(skipped)} of the last {len(last)} skipped"
        return self.finding_of(frame, len(skipped) / len(last), self.share, len(last), skipped, reason)

    @property
    def _least(self) -> int:
        return min(self.minimum, self.window)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the row and the share."""
        share = f"more than {self.share:.0%} of the last {self.window}"
        return f"{self.in_a_row} in a row, or {share}, {self._least} items or more"
