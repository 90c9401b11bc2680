"""What the rules on workers see in a worker's own answers: controls, traps, attention, skipped items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from data.task import Task
from db.engine import Session
from db.evidence import met
from db.quality import Answer, answers_of
from db.rules import Action, ControlRule
from db.studies import Study
from db.workers import Enrolment
from eval import control_rules
from eval.guessing import guess
from eval.quality_events import inattention, skips


class Graded(Protocol):
    """An answer to an item whose right answer may be known."""

    @property
    def label(self) -> str:
        """What was answered."""

    @property
    def gold(self) -> str | None:
        """What is right."""

    @property
    def fields(self) -> Mapping[str, str]:
        """What the item shows."""


@dataclass(frozen=True)
class Look:
    """An occasion to look: the worker's enrolment as it was, locked, before an answer to `item`, and how it came."""

    session: Session
    study: Study
    enrolment: Enrolment
    item: str = ""
    seconds: float = 0.0
    pasted: bool = False
    away: bool = False

    @property
    def given(self) -> int:
        """How many answers to main and control items the worker has given, with this one."""
        return self.enrolment.answers + 1


@dataclass(frozen=True)
class Fired:
    """A rule that found the worker: the sentence that says why, what was measured and which judgments show it.

    Items that were skipped have no judgments: `items` are their ids.
    """

    rule: str
    action: Action
    reason: str
    value: float
    evidence: Sequence[int] = ()
    items: Sequence[str] = ()


def tester(rule: ControlRule, chance: float) -> control_rules.ControlRule | None:
    """Return the test of a control rule where a guesser is right with `chance`; None where it can tell nobody apart."""
    if rule.test == "threshold":
        return control_rules.Threshold(rule.share, rule.minimum)
    return control_rules.Posterior(chance, rule.good, rule.doubt, rule.minimum) if chance < rule.good else None


def is_right(task: Task, answer: Graded) -> bool:
    """Return whether an answer to an item with gold is right."""
    return answer.gold is not None and task.answer_for(answer.fields).right(answer.label, answer.gold, answer.fields)


def at_controls(look: Look) -> Fired | None:
    """Look at the controls answered so far, after one of them."""
    rule, study = look.study.settings.quality.control, look.study
    if rule.action == "none":
        return None
    found = answers_of(look.session, enrolment=look.enrolment, role="control", rule="control_accuracy")
    given = [answer for answer in found if answer.gold is not None][-(rule.window or len(found)) :]
    test = tester(rule, guess(study.task.answer, [answer.fields for answer in given])) if given else None
    right = sum(is_right(study.task, answer) for answer in given)
    if test is None or not test.stops(np.array([right]), np.array([len(given)]))[0]:
        return None
    reason = f"{right} of {len(given)} controls right, held against {test.limit:.2f}"
    return Fired("control_accuracy", rule.action, reason, right / len(given), [answer.key for answer in given])


def at_traps(look: Look) -> Fired | None:
    """Look at the controls that say what to answer, after one of them."""
    rule = look.study.settings.quality.trap
    if rule.action == "none" or look.item not in rule.items:
        return None
    found = answers_of(look.session, enrolment=look.enrolment, role="control", rule="trap")
    given = [answer for answer in found if answer.item in rule.items and answer.gold is not None]
    wrong = [answer for answer in given if not is_right(look.study.task, answer)]
    if len(wrong) < rule.wrong:
        return None
    reason = f"{len(wrong)} of {len(given)} items that say what to answer were answered otherwise"
    return Fired("trap", rule.action, reason, float(len(wrong)), [answer.key for answer in wrong])


def at_attention(look: Look) -> Fired | None:
    """Look at how the last answers came, after one that was pasted or given with the page out of sight."""
    rule = look.study.settings.quality.attention
    if rule.action == "none" or not (look.pasted or look.away):
        return None
    given = answers_of(look.session, enrolment=look.enrolment, role="main", rule="inattention", last=rule.window)
    signs = [(look.enrolment.worker, one.pasted, one.away) for one in given]
    events = pd.DataFrame(signs, columns=["worker", "pasted", "hidden"], index=[one.key for one in given])
    found = inattention(events, share=rule.share, minimum=min(rule.minimum, rule.window))
    if not found:
        return None
    pasted, away = sum(one.pasted for one in given), sum(one.away for one in given)
    reason = f"of the last {len(given)} answers {pasted} had text pasted in and {away} came after the page was hidden"
    return Fired("inattention", rule.action, reason, found[0].value, keys(found[0].evidence))


def at_skips(look: Look) -> Fired | None:
    """Look at the items met last, after one was skipped."""
    rule = look.study.settings.quality.skips
    if rule.action == "none":
        return None
    items = met(look.session, enrolment=look.enrolment, rule="skips", last=max(rule.window, rule.in_a_row))
    events = pd.DataFrame([(look.enrolment.worker, one.skipped) for one in items], columns=["worker", "skipped"])
    least = min(rule.minimum, rule.window)
    found = skips(events, in_a_row=rule.in_a_row, share=rule.share, window=rule.window, minimum=least)
    if not found:
        return None
    value, which = found[0].value, [items[place].item for place in keys(found[0].evidence)]
    several = value >= rule.in_a_row and value > 1
    reason = f"{value:.0f} items skipped in a row" if several else f"{len(which)} of the last {found[0].n} skipped"
    return Fired("skips", rule.action, reason, value, items=which)


def frame(enrolment: Enrolment, given: Sequence[Answer]) -> pd.DataFrame:
    """Return a worker's answers to main items as the rules read them, under the keys of the judgments."""
    rows = [
        {"worker": enrolment.worker, "role": "main", "status": "counted", "label": one.label, "seconds": one.seconds}
        for one in given
    ]
    columns = ["worker", "role", "status", "label", "seconds"]
    return pd.DataFrame(rows, columns=columns, index=[one.key for one in given], dtype=object)


def keys(evidence: Sequence[Any]) -> list[int]:
    """Return the labels of the rows that show a finding, which are keys of judgments."""
    return [int(key) for key in evidence]
