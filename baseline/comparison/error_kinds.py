"""Error analysis: wrong answers by the kind of the option taken, where a task's options carry one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from baseline.comparison.results import Results
from data.answers.choice import Choice
from data.numbers import DASH
from data.tables import Column, Table
from data.task import Task
from db import frames
from db.engine import Session
from eval.arrays import Floats
from eval.ballots import Ballots

WORDS = {"own": "another meaning of the idiom", "other": "a meaning of some other idiom"}
ORIGINS = "origins"
"""The field that tells of each option, in their order and parted by ";", what kind of answer it is."""


@dataclass(frozen=True)
class RespondentErrors:
    """How one respondent's answers fall, in items: right, wrong by kind, none; level answers share their item."""

    name: str
    kind: str
    right: float
    wrong: tuple[float, ...]
    silent: float

    @property
    def items(self) -> float:
        """All items it answered, or was asked in vain."""
        return self.right + sum(self.wrong) + self.silent


@dataclass(frozen=True)
class ErrorKinds:
    """The mistakes of every respondent; `offered` is how many wrong options of each kind stood to choose from."""

    words: tuple[str, ...]
    offered: tuple[int, ...]
    rows: tuple[RespondentErrors, ...]


def error_table(kinds: ErrorKinds) -> Table[RespondentErrors]:
    """Return a row for each respondent; what chance would give of the wrong options stands above their columns."""
    offered = sum(kinds.offered)
    columns: list[Column[RespondentErrors]] = [
        Column("respondent", "respondent", "", lambda row: row.name),
        Column("items", "items", "", lambda row: row.items, "{:g}".format),
        Column("right", "right", "", lambda row: row.right, "{:.4g}".format),
    ]
    columns += [
        Column(
            words, f"{words} (by chance {share(n, offered)})", "", _wrong(place), lambda cell: "{} ({})".format(*cell)
        )
        for place, (words, n) in enumerate(zip(kinds.words, kinds.offered, strict=True))
    ]
    columns.append(Column("silent", "no answer", "", lambda row: row.silent, "{:.4g}".format))
    return Table("Wrong answers by the kind of the option taken", columns, kinds.rows)


def share(part: float, total: float) -> str:
    """Return a part in per cent, a dash where there is no whole."""
    return f"{part / total:.0%}" if total else DASH


def _wrong(place: int) -> Callable[[RespondentErrors], tuple[str, str]]:
    return lambda row: (f"{row.wrong[place]:.4g}", share(row.wrong[place], sum(row.wrong)))


def error_kinds(session: Session, results: Results) -> ErrorKinds | None:
    """Return the mistakes of people and models by kind; None where options carry none, or there is no gold."""
    if not carries_kinds(results.study.task) or not results.human.panel.gold:
        return None
    items = frames.items(session, study=results.study, fields=True)
    fields = dict(zip(items["item"], items["fields"], strict=True))
    return by_kind(results, fields)


def carries_kinds(task: Task) -> bool:
    """Return whether the options of a task's items carry kinds."""
    return isinstance(task.answer, Choice) and any(field.name == ORIGINS for field in task.fields)


def by_kind(results: Results, fields: Mapping[str, Mapping[str, str]]) -> ErrorKinds | None:
    """Return the mistakes on the items with gold whose options carry kinds, None where there is no such item."""
    task, gold = results.study.task, results.human.panel.gold
    kinds = {item: fields[item].get(ORIGINS, "").split(";") for item in gold}
    labels = {item: [option.label for option in task.answer_for(fields[item]).options(fields[item])] for item in gold}
    known = [item for item in gold if len(kinds[item]) == len(labels[item]) and all(kinds[item])]
    if not known:
        return None
    names = sorted({kind for item in known for kind in kinds[item]})
    place = {item: dict(zip(labels[item], map(names.index, kinds[item]), strict=True)) for item in known}
    wrong = [p for item in known for label, p in place[item].items() if label != gold[item]]
    rows = []
    for row in results.rows:
        if row.name != "human:individual":
            right, by, silent = _counted(row.ballots.on(known), gold, place, len(names))
            rows.append(RespondentErrors(row.called, row.kind, right, tuple(by.tolist()), silent))
    offered = tuple(np.bincount(wrong, minlength=len(names)).tolist())
    return ErrorKinds(tuple(WORDS.get(name, name) for name in names), offered, tuple(rows))


def _counted(
    said: Ballots, gold: Mapping[str, str], place: Mapping[str, Mapping[str, int]], kinds: int
) -> tuple[float, Floats, float]:
    right, wrong = 0.0, np.zeros(kinds)
    for row, item in enumerate(said.items):
        for label, weight in zip(said.named(row), said.weights[row, :-1].tolist(), strict=False):
            if label == gold[item]:
                right += weight
            elif label in place[item]:
                wrong[place[item][label]] += weight
    return right, wrong, float(said.weights[:, -1].sum())
