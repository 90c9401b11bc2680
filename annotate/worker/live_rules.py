"""Quality control while people work: after an answer or a skip the rules that are due are checked and act."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from annotate import overlap
from data.option_order import place_shown
from db.assignments import Assignment, SubmittedAnswer
from db.engine import Session
from db.events import Cause, add_event
from db.evidence import WorkerEvidence, times
from db.exclusions import exclude, leave_out, pause
from db.statuses import JudgmentStatus
from db.studies import Study
from db.workers import Enrolment
from eval.gold import TaskItems
from eval.votes import Votes, code_answers
from eval.workers.frame import GivenAnswer, Median, MetItem, guess
from eval.workers.rule import STOPS, Finding, Occasion, WorkerRule
from eval.workers.table import rules_of

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
        """Return the keys of the counted answers to items of these roles, with their places or labels."""
        rows = sorted(tuple(row) for role in roles for row in self.stored.labels(role))
        return [(key, place_shown(self.study.task.answer, label, shown)) for key, label, shown in rows]

    def is_right(self, answer: GivenAnswer) -> bool:
        """Return whether an answer to an item with gold is right."""
        own = self.study.task.answer_for(answer.fields)
        return answer.gold is not None and own.right(answer.label, answer.gold, answer.fields)

    def chance(self, answers: Sequence[GivenAnswer]) -> float:
        """Return the accuracy of a guesser on the items of these answers."""
        return guess(self.study.task.answer, [answer.fields for answer in answers])

    def share_of(self, label: str) -> float | None:
        """Return the share of a label, or place, among everybody else's answers to main items."""
        given: Counter[str] = Counter()
        for other, shown, number in self.stored.elsewhere():
            given[place_shown(self.study.task.answer, other, shown)] += number
        return given[label] / given.total() if given else None

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


def after_answer(
    session: Session,
    given: SubmittedAnswer,
    *,
    study: Study,
    enrolment: Enrolment,
    assignment: Assignment,
    status: JudgmentStatus | None,
) -> bool:
    """Let the rules look that are due after this answer; return whether the enrolment or its answers changed by it.

    `enrolment` is as it was, locked, before the answer. An answer after which no rule is due costs no statement. One
    that comes after its worker was excluded counts for nothing, and is paid only where the item was in hand then.
    """
    item = assignment.item.item
    if status is None or item.role == "training":
        return False
    if enrolment.status == "excluded":
        in_hand = assignment.taken_away(given.submitted_at)
        leave_out(session, enrolment=enrolment, item_key=assignment.item.key, in_hand=in_hand)
        return True
    occasion = Occasion(item.role, enrolment.answers + 1, item.id, given.seconds, given.pasted, given.away)
    return _look(session, study, enrolment, given.submitted_at, occasion)


def after_skip(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Let the rules look that are due after an item was skipped."""
    _look(session, study, enrolment, moment, Occasion("skipped"))


def _look(session: Session, study: Study, enrolment: Enrolment, moment: datetime, occasion: Occasion) -> bool:
    """Let the rules look that are due, up to one that stops the worker; return whether one did."""
    for rule in rules_of(study.settings.quality).each():
        if rule.action == "none" or not rule.due(occasion):
            continue
        finding = rule.find(LiveFrame(study, WorkerEvidence(session, enrolment, rule.key)))
        if finding is not None and _act(session, study, enrolment, moment, rule, finding):
            return True
    return False


def _act(
    session: Session, study: Study, enrolment: Enrolment, moment: datetime, rule: WorkerRule, finding: Finding
) -> bool:
    """Write down what was found and, if the rule says so, pause or exclude the worker; return whether it was done."""
    cause = Cause("rule", moment, finding.reason, rule.key)
    shown = "items" if "items_met" in rule.needs else "judgments"
    details = {"action": rule.action, "value": finding.value, shown: list(finding.evidence)}
    add_event(session, study_id=study.id, worker_id=enrolment.worker_id, kind="rule", cause=cause, details=details)
    if rule.action not in STOPS:
        return False
    if rule.action == "pause":
        pause(session, enrolment=enrolment, cause=cause, sitting=study.settings.sitting)
    else:
        exclude(session, enrolment=enrolment, cause=cause)
        overlap.settle_all(session, study=study, worker_key=enrolment.worker_id)
    return True
