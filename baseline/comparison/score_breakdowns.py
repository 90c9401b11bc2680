"""Where scores come from: groups of items, the right label against the one given, and kinds of mistakes."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

import numpy as np

from baseline.comparison.document import estimate_words
from baseline.comparison.results import Kind, Respondent, Results
from baseline.human.baseline import clusters_of
from data.answers.choice import Choice
from data.errors import BadSetting
from data.numbers import DASH, interval, number
from data.tables import Column, Table
from data.task import Breakdown, Task
from data.wording import Wording
from db import frames
from db.engine import Session
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.estimate import Estimate, Interval, wilson
from eval.intervals.clusters import Resampling
from eval.metrics.table import metric_named
from eval.scoring import GroupScores, group_scores
from eval.tally import gold_codes

Fields = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class BrokenDown:
    """The score of every respondent on every group of one breakdown; `words` are those of the groups in turn.

    `called` is what people read of a respondent where that is not its name, and its kind.
    `outside` items have gold and belong to no group.
    """

    breakdown: Breakdown
    metric: str
    respondents: tuple[str, ...]
    words: tuple[Wording, ...]
    parts: tuple[GroupScores, ...]
    outside: int = 0
    called: Mapping[str, tuple[str, Kind]] = field(default_factory=dict)

    @property
    def left_out(self) -> str:
        """How many items stand in no row, "" where all stand in one."""
        what = self.breakdown.title.for_requesters.lower()
        return f"{self.outside} items with gold have no “{what}” and are in no row." if self.outside else ""

    def as_dict(self) -> dict[str, Any]:
        """Return one of `breakdowns` as `--json` prints them."""
        return {
            "field": self.breakdown.field,
            "title": self.breakdown.title.for_requesters,
            "metric": self.metric,
            "without_group": self.outside,
            "groups": [
                {
                    "group": part.group,
                    "words": words.for_requesters,
                    "items": part.items,
                    "scores": {
                        name: group_score.as_dict()
                        for name, group_score in zip(self.respondents, part.scores, strict=True)
                    },
                }
                for words, part in zip(self.words, self.parts, strict=True)
            ],
        }


def of_results(session: Session, results: Results) -> tuple[BrokenDown, ...]:
    """Return the breakdowns of a study: the people's one answer and every model; () without gold or breakdowns."""
    task, human = results.study.task, results.human
    if not task.breakdowns or not human.panel.gold:
        return ()
    fields = frames.fields_of_items(session, study=results.study)
    said = {row.name: row.ballots for row in results.rows if row.name != "human:individual"}
    asked = {item: fields[item] for item in human.panel.votes.items}
    split = broken_down(task, human.panel.gold, said, asked, seed=human.panel.rules.seed)
    return tuple(replace(each, called={row.name: (row.called, row.kind) for row in results.rows}) for each in split)


def broken_down(
    task: Task, gold: Mapping[str, str], said: Mapping[str, Ballots], fields: Fields, *, seed: int = 0
) -> tuple[BrokenDown, ...]:
    """Return the score of each respondent, by name, on the groups of each of the task's breakdowns.

    Where clusters are the groups themselves the intervals resample items.
    """
    metric, split = group_metric(task), []
    for breakdown in task.breakdowns:
        bound = None if breakdown.field == task.cluster else clusters_of(task, fields)
        groups = {item: breakdown.groups(of_item) for item, of_item in fields.items()}
        each = group_scores(metric, gold, list(said.values()), groups, Resampling(bound, seed=seed))
        each = tuple(sorted(each, key=lambda part: _place(task, breakdown, part.group)))
        words = tuple(task.shown(breakdown.field, part.group) for part in each)
        outside = sum(item in gold and not groups[item] for item in groups)
        split.append(BrokenDown(breakdown, metric, tuple(said), words, each, outside))
    return tuple(split)


def side_by_side(of_studies: Mapping[str, Sequence[BrokenDown]]) -> tuple[BrokenDown, ...]:
    """Return the groups that all of these studies have, with the respondents of each under the name of its study.

    Raises BadSetting where no group is common to them.
    """
    (first, own), *others = of_studies.items()
    joined = []
    for each in own:
        asked = each.breakdown.field
        twins = [(name, twin) for name, split in others for twin in split if twin.breakdown.field == asked]
        sides = [(first, each), *twins]
        found = [{part.group: part for part in side.parts} for _, side in sides]
        known = [place for place, part in enumerate(each.parts) if all(part.group in side for side in found)]
        if len(sides) < len(of_studies) or not known:
            continue
        called = {
            f"{study}:{name}": (f"{study}: {side.called[name][0]}", side.called[name][1])
            for study, side in sides
            for name in side.respondents
        }
        parts = [
            replace(part, scores=tuple(score for side in found for score in side[part.group].scores))
            for part in (each.parts[place] for place in known)
        ]
        words = tuple(each.words[place] for place in known)
        joined.append(replace(each, respondents=tuple(called), words=words, parts=tuple(parts), called=called))
    if not joined:
        raise BadSetting(f"the studies {' and '.join(of_studies)} have no group of items with gold in common")
    return tuple(joined)


def breakdown_table(breakdown: BrokenDown) -> Table[tuple[Wording, GroupScores]]:
    """Return a breakdown as a table: a row for each group, a column for each respondent."""
    title = breakdown.breakdown.title.for_requesters.lower()
    columns: list[Column[tuple[Wording, GroupScores]]] = [
        Column("group", title, "", lambda row: row[0].for_requesters),
        Column("items", "items", "", lambda row: row[1].items),
    ]
    columns += [
        Column(name, breakdown.called.get(name, (name,))[0], "", _score_of(place), estimate_words)
        for place, name in enumerate(breakdown.respondents)
    ]
    caption = (
        f"{metric_named(breakdown.metric).title} by {title}, with 95% intervals; those of people hold for these "
        "people, as none is computed for other people by group"
    )
    return Table(caption, columns, tuple(zip(breakdown.words, breakdown.parts, strict=True)))


def group_metric(task: Task) -> str:
    """Return the metric of groups: the first that is not one of whole clusters, which groups would tear apart."""
    named = [metric_named(name) for name in (*task.official, *task.metrics)]
    return next(
        (metric.name for metric in named if metric.full_cluster is None and not metric.each_cluster), task.primary
    )


def _place(task: Task, breakdown: Breakdown, group: str) -> tuple[int, Sequence[str]]:
    """Return what sorts groups: in the order of the field's own values, others behind them by number (4k is 4000)."""
    values = next(field.values for field in task.fields if field.name == breakdown.field)
    if group in values:
        return list(values).index(group), ()
    pieces = filter(None, re.split(r"(\d+)", re.sub(r"(\d)k\b", r"\g<1>000", group)))
    return len(values), [piece.rjust(12, "0") if piece.isdecimal() else piece for piece in pieces]


def _score_of(place: int) -> Callable[[tuple[Wording, GroupScores]], Estimate]:
    return lambda row: row[1].scores[place]


NO_BREAKDOWNS = "The task names no groups of items, or no item has gold: there is nothing to break down."


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
    labels = results.panel.votes.labels
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
    panel = results.panel
    return bool(panel.gold) and panel.votes.names is None and 1 < len(panel.votes.labels) <= MOST


def confusion_of(results: Results, said: Ballots) -> Floats:
    """Return gold by given (K, K + 1) over the items with gold that are scored, "no answer" last.

    An item that people answer several times counts once for each answer; a tie that is shared out with its shares.
    """
    codes, known = gold_codes(results.panel.gold, said)
    rows = np.flatnonzero(known & (codes >= 0) & said.scored)
    matrix = np.zeros((len(said.labels), len(said.labels) + 1))
    np.add.at(matrix, codes[rows], said.weights[rows])
    return matrix


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
    if not carries_kinds(results.study.task) or not results.panel.gold:
        return None
    return by_kind(results, frames.fields_of_items(session, study=results.study))


def carries_kinds(task: Task) -> bool:
    """Return whether the options of a task's items carry kinds."""
    return isinstance(task.answer, Choice) and any(field.name == ORIGINS for field in task.fields)


def by_kind(results: Results, fields: Mapping[str, Mapping[str, str]]) -> ErrorKinds | None:
    """Return the mistakes on the items with gold whose options carry kinds, None where there is no such item."""
    task, gold = results.study.task, results.panel.gold
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
