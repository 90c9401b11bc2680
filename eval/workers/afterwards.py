"""The rules on workers over all of a study at once: what they read of a worker comes from the study's tables."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from data.errors import BadSetting
from data.option_order import place_shown
from eval.gold import TaskItems
from eval.votes import Votes, code_answers
from eval.workers.frame import GivenAnswer, Median, MetItem, guess
from eval.workers.rule import Finding, StudyFacts, WorkerRule


@dataclass(frozen=True, eq=False)
class StudyTables:
    """The judgments and items of a study as `eval.panel.panel` takes them, rows in the order of answering.

    `items_met` are the items that workers answered or skipped (columns worker and skipped), in each one's order; None
    where that is not known. `asked` tells what answers mean. The labels of the index are the evidence, so each must be
    there once.
    """

    judgments: pd.DataFrame
    items: pd.DataFrame
    asked: TaskItems | None = None
    items_met: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        if not self.judgments.index.is_unique:
            raise BadSetting("The rows of the frame of judgments must have different index labels to be evidence.")

    def find(self, rules: Iterable[WorkerRule]) -> dict[str, list[Finding]]:
        """Return whom each rule finds, by its key; workers by name."""
        chosen = list(rules)
        findings: dict[str, list[Finding]] = {rule.key: [] for rule in chosen}
        answered = {str(worker): rows for worker, rows in self.counted.groupby("worker")}
        met = {} if self.items_met is None else {str(worker): rows for worker, rows in self.items_met.groupby("worker")}
        for worker in sorted({*answered, *met}):
            frame = StoredFrame(self, worker, self._answers(answered.get(worker)), _met_items(met.get(worker)))
            for rule in chosen:
                if finding := rule.find(frame):
                    findings[rule.key].append(finding)
        return findings

    @property
    def facts(self) -> StudyFacts:
        """What sentences about the rules take from the study."""
        known = self.items["item"][(self.items["role"] == "control") & self.items["gold"].notna()]
        median = self.median
        return StudyFacts(self.chance([self._fields(item) for item in known]), median.seconds if median else None)

    def chance(self, fields: Sequence[Mapping[str, str]]) -> float:
        """How often someone who guesses is right on items with these fields; 0 where answers are open or not known."""
        return guess(self.asked.answer, fields) if self.asked else 0.0

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The counted judgments on main and control items, with the columns that tables may lack."""
        counts = (self.judgments["status"] == "counted") & self.judgments["role"].isin(("main", "control"))
        rows = self.judgments[counts.to_numpy()]
        absent = {"seconds": None, "pasted": False, "away": False, "submitted_at": None, "options_shown": None}
        rows = rows.assign(**{name: value for name, value in absent.items() if name not in rows})
        gold = rows["item"].map(self.items.set_index("item")["gold"]).astype(object)
        return rows.assign(gold=gold.where(gold.notna(), None), seconds=pd.to_numeric(rows["seconds"]).astype(float))

    @cached_property
    def main(self) -> pd.DataFrame:
        """The counted judgments on main items."""
        return self.counted[(self.counted["role"] == "main").to_numpy()]

    @cached_property
    def labels(self) -> "Counter[str]":
        """How often each answer was given to main items, or the place of the option that was chosen."""
        return Counter(map(self.placed, self.main["label"], self.main["options_shown"]))

    def placed(self, label: str, shown: str | None) -> str:
        """The place at which the option stood that was chosen, the label where no place was drawn."""
        return place_shown(self.asked.answer, label, shown) if self.asked and shown else label

    @cached_property
    def votes(self) -> Votes:
        """The judgments of `main`, in their order, as votes."""
        return code_answers(self.main, items=None, labels=None, asked=self.asked)

    @cached_property
    def median(self) -> Median | None:
        """The median time of the main judgments, None where none has a time."""
        taken = self.main["seconds"].dropna()
        return None if taken.empty else Median(float(taken.median()), len(taken))

    def _fields(self, item: str) -> Mapping[str, str]:
        return self.asked.fields.get(item, {}) if self.asked else {}

    def _answers(self, rows: pd.DataFrame | None) -> list[tuple[str, GivenAnswer]]:
        """Return a worker's answers, each beside the role of its item; ids of items are as files number them."""
        if rows is None:
            return []
        names = ("role", "item", "label", "seconds", "gold", "pasted", "away", "submitted_at", "options_shown")
        columns = (rows[name].tolist() for name in names)
        return [
            (role, GivenAnswer(key, label, time, gold, self._fields(item), item.removeprefix(f"{role}:"), *signs))
            for key, role, item, label, seconds, gold, *signs in zip(rows.index, *columns, strict=True)
            for time in (None if np.isnan(seconds) else seconds,)
        ]


def _met_items(rows: pd.DataFrame | None) -> list[MetItem]:
    return [] if rows is None else list(map(MetItem, rows.index, rows["skipped"].astype(bool).tolist()))


@dataclass(frozen=True, eq=False)
class StoredFrame:
    """A `WorkerFrame` of all that a study's tables hold of a worker; nothing that lies far behind is held back."""

    study: StudyTables
    worker: str
    by_role: list[tuple[str, GivenAnswer]]
    shown: list[MetItem]

    def answers(self, *, last: int) -> Sequence[GivenAnswer]:  # noqa: ARG002
        """Return the counted answers to main items."""
        return [answer for role, answer in self.by_role if role == "main"]

    def watched(self, *, last: int) -> Sequence[GivenAnswer]:
        """Return them with what the page saw."""
        return self.answers(last=last)

    def controls(self) -> Sequence[GivenAnswer]:
        """Return the counted answers to control items whose gold is known."""
        return [answer for role, answer in self.by_role if role == "control" and answer.gold is not None]

    def labels(self, *roles: str) -> Sequence[tuple[Hashable, str]]:
        """Return the keys of the counted answers to items of these roles, with their places or labels."""
        given = [answer for role, answer in self.by_role if role in roles]
        return [(answer.key, self.study.placed(answer.label, answer.options_shown)) for answer in given]

    def is_right(self, answer: GivenAnswer) -> bool:
        """Return whether an answer is right: as the answer type says where answers are open, else if it is the gold."""
        asked, gold = self.study.asked, answer.gold
        if gold is None or asked is None or not asked.open:
            return answer.label == gold
        return asked.answer.of(answer.fields).right(answer.label, gold, answer.fields)

    def chance(self, answers: Sequence[GivenAnswer]) -> float:
        """Return the accuracy of a guesser on the items of these answers."""
        return self.study.chance([answer.fields for answer in answers])

    def share_of(self, label: str) -> float | None:
        """Return the share of a label among everybody else's answers to main items."""
        mine = [own for _, own in self.labels("main")]
        others = self.study.labels.total() - len(mine)
        return (self.study.labels[label] - mine.count(label)) / others if others else None

    def others(self, *, last: int) -> tuple[Votes, Sequence[Hashable]]:
        """Return everybody's answers to the worker's `last` main items."""
        votes = self.study.votes
        place = votes.workers.index(self.worker) if self.worker in votes.workers else -1
        mask = np.isin(votes.item, votes.item[np.flatnonzero(votes.worker == place)[-last:]])
        return votes.keep(mask), self.study.main.index[mask].tolist()

    def median(self) -> Median | None:
        """Return the median time of the study's main judgments."""
        return self.study.median

    def items_met(self, *, last: int) -> Sequence[MetItem]:  # noqa: ARG002
        """Return the items met; none where that is not known."""
        return self.shown
