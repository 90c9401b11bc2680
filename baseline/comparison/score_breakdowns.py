"""Breakdowns of a score: people and models on every group of items that the task names, computed when asked for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from baseline.comparison.document import estimate_words
from baseline.comparison.results import Results
from baseline.human.baseline import clusters_of
from data.tables import Column, Table
from data.task import Breakdown, Task
from data.wording import Wording
from db import frames
from db.engine import Session
from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.intervals.clusters import Resampling
from eval.metrics.table import metric_named
from eval.scoring import GroupScores, group_scores

Fields = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class BrokenDown:
    """The score of every respondent on every group of one breakdown; `words` are those of the groups in turn.

    `called` is what people read of a respondent, where that is not its name.
    `outside` items have gold and belong to no group.
    """

    breakdown: Breakdown
    metric: str
    respondents: tuple[str, ...]
    words: tuple[Wording, ...]
    parts: tuple[GroupScores, ...]
    outside: int = 0
    called: Mapping[str, str] = field(default_factory=dict)

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
    items = frames.items(session, study=results.study, fields=True)
    fields = dict(zip(items["item"], items["fields"], strict=True))
    said = {row.name: row.ballots for row in results.rows if row.name != "human:individual"}
    asked = {item: fields[item] for item in human.panel.votes.items}
    split = broken_down(task, human.panel.gold, said, asked, seed=human.panel.rules.seed)
    return tuple(replace(each, called={row.name: row.called for row in results.rows}) for each in split)


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


def breakdown_table(breakdown: BrokenDown) -> Table[tuple[Wording, GroupScores]]:
    """Return a breakdown as a table: a row for each group, a column for each respondent."""
    title = breakdown.breakdown.title.for_requesters.lower()
    columns: list[Column[tuple[Wording, GroupScores]]] = [
        Column("group", title, "", lambda row: row[0].for_requesters),
        Column("items", "items", "", lambda row: row[1].items),
    ]
    columns += [
        Column(name, breakdown.called.get(name, name), "", _score_of(place), estimate_words)
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
