"""What the rules on workers read of one worker while people work: each part by one statement, when a rule asks."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from db.evidence import WorkerEvidence, times
from db.studies import Study
from eval.gold import TaskItems
from eval.votes import Votes, code_answers
from eval.workers.frame import GivenAnswer, Median, MetItem, guess

ENOUGH = 50  # answers to the study's main items: their median moves little from then on


@dataclass(frozen=True)
class LiveFrame:
    """A `WorkerFrame` of the answers that a rule has not acted upon yet."""

    study: Study
    stored: WorkerEvidence

    @property
    def worker(self) -> str:
        """The worker's name."""
        return self.stored.enrolment.worker

    def answers(self, *, last: int) -> Sequence[GivenAnswer]:
        """Return the last counted answers to main items."""
        return [GivenAnswer(*row) for row in self.stored.answers("main", last=last)]

    def watched(self, *, last: int) -> Sequence[GivenAnswer]:
        """Return them with what the page saw."""
        return self.answers(last=last)

    def controls(self) -> Sequence[GivenAnswer]:
        """Return the counted answers to control items whose gold is known."""
        return [GivenAnswer(*row) for row in self.stored.answers("control") if row.gold is not None]

    def labels(self, *roles: str) -> Sequence[tuple[Hashable, str]]:
        """Return the keys and labels of the counted answers to items of these roles."""
        return sorted(row for role in roles for row in self.stored.labels(role))

    def is_right(self, answer: GivenAnswer) -> bool:
        """Return whether an answer to an item with gold is right."""
        own = self.study.task.answer_for(answer.fields)
        return answer.gold is not None and own.right(answer.label, answer.gold, answer.fields)

    def chance(self, answers: Sequence[GivenAnswer]) -> float:
        """Return the accuracy of a guesser on the items of these answers."""
        return guess(self.study.task.answer, [answer.fields for answer in answers])

    def share_of(self, label: str) -> float | None:
        """Return the share of a label among everybody else's answers to main items."""
        number, same = self.stored.elsewhere(label)
        return same / number if number else None

    def others(self, *, last: int) -> tuple[Votes, Sequence[Hashable]]:
        """Return everybody's answers to the worker's `last` main items."""
        answer, rows = self.study.task.answer, self.stored.beside(last=last)
        columns = {"item": [row.key for row in rows], "worker": [row.name for row in rows]}
        asked = None if answer.labels() else TaskItems(answer, self.stored.fields_beside(last=last))
        columns["label"] = [row.label for row in rows]
        return code_answers(columns, items=None, labels=None, asked=asked), [row.id for row in rows]

    def median(self) -> Median | None:
        """Return the median of the main answers among the study's last thousand counted ones, from ENOUGH of them on.

        Not of all: it costs the same in a study of any size, and in a small one it is the median found afterwards.
        """
        taken = times(self.stored.session, study_id=self.study.id)
        return Median(float(np.median(taken)), len(taken)) if len(taken) >= ENOUGH else None

    def items_met(self, *, last: int) -> Sequence[MetItem]:
        """Return the items answered or skipped last."""
        return [MetItem(*row) for row in self.stored.items_met(last=last)]
