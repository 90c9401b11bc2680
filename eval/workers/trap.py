"""Attention checks (trap items): controls that say themselves what to answer, answered otherwise."""

import re
from typing import Annotated

from pydantic import BeforeValidator
from scipy.special import bdtrc

from data.declared import setting
from eval.workers.frame import WorkerFrame
from eval.workers.rule import WHOLE, Acting, AskedNumber, Chances, Finding, Occasion, Power, StudyFacts, WorkerRule

ATTENTIVE = 0.99
"""How often somebody who reads the item answers a trap as it says."""


def _pieces(items: object) -> object:
    """Return ids that were typed as they are kept: commas, semicolons or spaces part them."""
    return tuple(filter(None, re.split(r"[\s,;]+", items))) if isinstance(items, str) else items


class TrapRule(WorkerRule):
    """`wrong` or more wrong answers to control items that say themselves what to answer; `items` are their ids."""

    key = "trap"
    title = "Trap items"
    explanation = (
        "Control items whose text says what to answer, as in “choose the second answer here”. Who reads them gets them "
        "right, so one wrong answer is enough."
    )
    stopped_text = "instruction"
    needs = ("controls",)

    action: Acting = "pause"
    items: Annotated[tuple[str, ...], BeforeValidator(_pieces)] = setting(
        AskedNumber(empty="none; separated by commas"),
        (),
        "IDs of trap items",
        "The control items that say what to answer",
    )
    wrong: int = setting(WHOLE, 1, "Wrong answers", "How many it takes", ge=1, le=1000)

    def due(self, occasion: Occasion) -> bool:
        """After every trap."""
        return occasion.role == "control" and occasion.item in self.items

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the number of wrong answers, which are the evidence."""
        given = [answer for answer in frame.controls() if answer.item in self.items]
        wrong = [answer.key for answer in given if not frame.is_right(answer)]
        if len(wrong) < self.wrong:
            return None
        reason = f"{len(wrong)} of {len(given)} items that say what to answer were answered otherwise"
        return self.finding_of(frame, len(wrong), self.wrong, len(given), wrong, reason)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the number of traps."""
        return f"{self.wrong} or more of the {len(self.items)} items that say what to answer wrong"

    def why_ineffective(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Where no control is named as a trap."""
        return "" if self.items else "no control item of the study is named as one that says what to answer."

    @classmethod
    def power_note(cls) -> str:
        """Say whom a trap takes for a good worker."""
        return f"For a trap a good worker is one who reads {ATTENTIVE:.0%} of them."

    def named_controls(self) -> tuple[str, ...]:
        """Return the traps."""
        return self.items

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """After all traps; a good worker is one who reads 99% of them. Exact."""
        met = len(self.items)
        if not met:
            return ()
        wrong = (1 - 1 / chances.labels, 1 - ATTENTIVE)
        guesser, good = (float(bdtrc(self.wrong - 1, met, share)) for share in wrong)
        return (Power(met, 1 - guesser, good),)
