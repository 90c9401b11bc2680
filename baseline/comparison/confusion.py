"""Confusion matrices: the gold label against the answer given, for people and for each model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from baseline.comparison.results import Respondent, Results
from data.numbers import DASH, interval, number
from data.tables import Column, Table
from data.task import Task
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.intervals.wilson import Interval, wilson
from eval.tally import gold_codes

MOST = 30
"""Labels beyond which a table of them is no picture any more."""


@dataclass(frozen=True)
class Confused:
    """How often an answer is given to the items with one right label: `count` of the `total` answers to them."""

    gold: str
    answer: str
    count: float
    total: float

    @property
    def share(self) -> float:
        """The share of these answers, NaN where there are none."""
        return self.count / self.total if self.total else float("nan")

    @property
    def ci(self) -> Interval | None:
        """Its 95% interval, Wilson's."""
        return wilson(min(self.count, self.total), max(1, round(self.total))) if self.share <= 1 else None


def confusions(results: Results) -> list[tuple[Respondent, Table[Sequence[Confused]]]]:
    """Return a matrix for each respondent, over the labels that stand in a gold or in an answer.

    "no answer" is its last column where anybody has given none.
    """
    matrices = [(row, confusion_of(results, row.ballots)) for row in results.rows]
    every = np.sum([matrix for _, matrix in matrices], axis=0)
    labels = results.human.panel.votes.labels
    gold = {
        place: answer_words(results.study.task, label)
        for place, label in enumerate(labels)
        if every[place].any() or every[:, place].any()
    }
    said = gold | ({len(labels): "no answer"} if every[:, -1].any() else {})
    columns: list[Column[Sequence[Confused]]] = [Column("gold", "right \\ answered", "", lambda line: line[0].gold)]
    columns += [Column(words, words, "", itemgetter(place), in_words) for place, words in enumerate(said.values())]
    return [(row, Table("", columns, _lines(matrix, gold, said))) for row, matrix in matrices]


def in_words(confusion: Confused) -> str:
    """Return a share with its count and interval; a dash where no item has this right label."""
    return f"{number(confusion.share)} ({confusion.count:g}, {interval(confusion.ci)})" if confusion.total else DASH


def _lines(matrix: Floats, gold: Mapping[int, str], said: Mapping[int, str]) -> list[list[Confused]]:
    return [
        [
            Confused(words, answer, float(matrix[row, column]), float(matrix[row].sum()))
            for column, answer in said.items()
        ]
        for row, words in gold.items()
    ]


def answer_words(task: Task, label: str) -> str:
    """Return a label as it is written; a place among the item's own options by its number from one."""
    if getattr(task.answer, "option_fields", ()) and label.isdecimal():
        return f"option {int(label) + 1}"
    return label


def has_confusion(results: Results) -> bool:
    """Return whether answers come from a closed list of labels that mean the same in every item, and gold is known."""
    panel = results.human.panel
    return bool(panel.gold) and panel.votes.names is None and 1 < len(panel.votes.labels) <= MOST


def confusion_of(results: Results, said: Ballots) -> Floats:
    """Return gold by given (K, K + 1) over the items with gold that are scored, "no answer" last.

    An item that people answer several times counts once for each answer; a tie that is shared out with its shares.
    """
    codes, known = gold_codes(results.human.panel.gold, said)
    rows = np.flatnonzero(known & (codes >= 0) & said.scored)
    matrix = np.zeros((len(said.labels), len(said.labels) + 1))
    np.add.at(matrix, codes[rows], said.weights[rows])
    return matrix
