"""The total of a benchmark, as its authors define it, for people and models over studies of its tasks."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, isnan, nan
from typing import Any

import numpy as np

from baseline.comparison.published_scores import UNTESTED
from baseline.comparison.results import Kind, Respondent, Results, called, results
from baseline.comparison.score_breakdowns import of_results
from baseline.human.baseline import stored_rules
from baseline.human.interval_scope import scope
from data.catalogue.families import Family, Printed
from data.errors import BadSetting
from data.numbers import counted, interval, number
from data.tables import Table, table_of
from data.task import Task
from data.wording import enumerated
from db.cache import studies_with_answers
from db.engine import Session
from db.studies import Study, get_study, list_studies
from eval.arrays import number_or_none
from eval.estimate import Estimate, Interval
from eval.intervals.mean_of_tasks import TaskInterval, mean_of_tasks

LENGTH = "length"


@dataclass(frozen=True)
class Scored:
    """What a respondent scored in one task: the mean of its parts, -1 to 1, with a 95% interval; `n` answers.

    The `parts` are the task's official metrics, or the lengths of its texts, by name. Their intervals overlap in an
    unknown way, so the ends are averaged: wide enough where all parts move together, and within the scale. Where `ci`
    holds for other people too, `ci_items` is the one for these, and `answers` how many each of them gave.
    """

    value: float
    ci: Interval
    n: int
    parts: Mapping[str, float]
    ci_items: Interval | None = None
    answers: Mapping[str, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the score as it stands in JSON."""
        parts = {name: number_or_none(value) for name, value in self.parts.items()}
        return {"value": number_or_none(self.value), **_ends(self.ci, self.ci_items), "n": self.n, "parts": parts}


@dataclass(frozen=True)
class Total:
    """One row: a respondent's score in each task it has, and their mean.

    `over` says how many of the family's tasks the mean is over: it is the benchmark's total only where that is all of
    them. `ci_items` is None where `ci` does not hold for other people too (`eval.intervals.mean_of_tasks`).
    """

    respondent: str
    kind: Kind
    scores: Mapping[str, Scored]
    value: float
    ci: Interval
    over: int
    ci_items: Interval | None = None

    @property
    def holds_for(self) -> str:
        """What the interval of the mean holds for."""
        return scope("item", other_people=self.ci_items is not None, of_people=self.kind == "human")

    @property
    def narrow_tasks(self) -> tuple[str, ...]:
        """The tasks in which the interval of people holds for these people alone."""
        return tuple(t for t, score in self.scores.items() if score.ci_items is None) if self.kind == "human" else ()

    def as_dict(self) -> dict[str, Any]:
        """Return the row as it stands in JSON."""
        return {
            "respondent": self.respondent,
            "kind": self.kind,
            "tasks": {task: score.as_dict() for task, score in self.scores.items()},
            "mean": {"value": number_or_none(self.value), **_ends(self.ci, self.ci_items), "holds_for": self.holds_for},
            "over": self.over,
        }


@dataclass(frozen=True)
class BenchmarkTotals:
    """A family's rows, ours and those that its paper prints; `studies` are those of each task.

    In `simulated` ones of these studies programs answered, not people, at least in part.
    """

    family: Family
    studies: Mapping[str, str]
    rows: tuple[Total, ...]
    simulated: tuple[str, ...] = ()

    @property
    def shared(self) -> tuple[Total, ...]:
        """The rows over the tasks that all of them have: means over different tasks say nothing beside each other."""
        return over_shared_tasks(self.rows)

    @property
    def printed(self) -> tuple[Printed, ...]:
        """The totals that the paper prints."""
        return self.family.of_task("")

    def as_dict(self) -> dict[str, Any]:
        """Return the table as it stands in JSON."""
        return {
            "benchmark": self.family.id,
            "total": self.family.total,
            "studies": dict(self.studies),
            "simulated": list(self.simulated),
            "missing": [task for task in self.family.tasks if task not in self.studies],
            "rows": [row.as_dict() for row in self.rows],
            "over_shared_tasks": [row.as_dict() for row in self.shared],
            "published": [
                {"respondent": one.respondent, "value": one.value, "table": one.table} for one in self.printed
            ],
        }


def totals(session: Session, *, family: Family, names: Sequence[str] = ()) -> BenchmarkTotals:
    """Return the totals of a family over the studies of these names, or over the one that counts for each of its tasks.

    Raises BadSetting for a family without a total, a study of another task and two studies of one task.
    """
    if not family.total:
        raise BadSetting(f"The authors of {family.title} define no total; look at its tasks one by one with `results`.")
    chosen = _chosen(session, family, names)
    scored_tasks, simulated = {}, []
    for study in chosen:
        side_by_side = results(session, study=study, rules=stored_rules(study))
        simulated += [study.name] * (side_by_side.human.simulated > 0)
        scored_tasks[study.task.id] = scored(session, family, side_by_side)
    studies = {study.task.id: study.name for study in chosen}
    return BenchmarkTotals(family, studies, total_rows(family, scored_tasks), tuple(simulated))


def total_rows(family: Family, scored_tasks: Mapping[str, Sequence[tuple[str, Kind, Scored]]]) -> tuple[Total, ...]:
    """Return a row for everybody who is scored in one of the tasks, people first; `scored_tasks` are scores by task."""
    everybody = {name: kind for each in scored_tasks.values() for name, kind, _ in each}
    rows = []
    for name, kind in sorted(everybody.items(), key=lambda respondent: respondent[1] != "human"):
        scores = {task: score for task, each in scored_tasks.items() for other, _, score in each if other == name}
        rows.append(_total(name, kind, {task: scores[task] for task in family.tasks if task in scores}))
    return tuple(rows)


def over_shared_tasks(rows: Sequence[Total]) -> tuple[Total, ...]:
    """Return the rows over the tasks that everybody has who has one; none where they share none."""
    some = [row for row in rows if row.scores]
    tasks = [task for task in (some[0].scores if some else ()) if all(task in row.scores for row in some)]
    return tuple(_total(row.respondent, row.kind, {task: row.scores[task] for task in tasks}) for row in some if tasks)


def task_score(task: Task, row: Respondent) -> Scored:
    """Return the mean of a task's official metrics."""
    return mean_of({name: row.scores[name] for name in task.official}, row.n)


def mean_of(parts: Mapping[str, Estimate], n: int) -> Scored:
    """Return the mean of the parts of a task; NaN where a part is, or where there is none.

    Its interval holds for other people too where that of each part does.
    """
    values = {name: part.value for name, part in parts.items()}
    value = fsum(values.values()) / len(parts) if parts else nan
    narrow = [part.ci if part.ci_items is None else part.ci_items for part in parts.values()]
    if not parts or any(part.ci_items is None for part in parts.values()):
        return Scored(value, _averaged(narrow), n, values)
    return Scored(value, _averaged([part.ci for part in parts.values()]), n, values, _averaged(narrow))


def _averaged(intervals: Sequence[Interval]) -> Interval:
    low, high = (fsum(each[end] for each in intervals) / len(intervals) if intervals else nan for end in (0, 1))
    return low, high


def _ends(ci: Interval, ci_items: Interval | None) -> dict[str, Any]:
    """Return an interval as it stands in JSON, the one over items alone beside it where that is narrower."""
    ends: dict[str, Any] = {"ci": [number_or_none(end) for end in ci]}
    return ends if ci_items is None else ends | {"ci_items": [number_or_none(end) for end in ci_items]}


def counting(studies: Sequence[Study], answered: Container[int]) -> dict[str, Study]:
    """Return the study that counts for each task, of studies of which the newest is first.

    It is the one whose requester says so, else the newest that somebody has `answered` in. Demos and pilots never
    count beside other studies.
    """
    own = [study for study in studies if not study.demo and study.pilot_of is None] or studies
    counts: dict[str, Study] = {}
    for study in sorted(own, key=lambda study: (not study.settings.counts, study.archived, study.id not in answered)):
        counts.setdefault(study.task.id, study)
    return counts


def _chosen(session: Session, family: Family, names: Sequence[str]) -> list[Study]:
    if not names:
        studies = [study for study in list_studies(session) if study.task.id in family.tasks]
        found = counting(studies, studies_with_answers(session))
        if not found:
            raise BadSetting(
                f"There is no study of {family.title} yet; create one of its tasks: {', '.join(family.tasks)}."
            )
        return [found[task] for task in family.tasks if task in found]
    chosen = [get_study(session, name=name) for name in names]
    for study in chosen:
        if study.task.id not in family.tasks:
            raise BadSetting(
                f"The study {study.name!r} has the task {study.task.id!r}, which is not part of {family.title}."
            )
        if sum(other.task.id == study.task.id for other in chosen) > 1:
            raise BadSetting(f"Two of the studies have the task {study.task.id!r}; name one study for each task.")
    return sorted(chosen, key=lambda study: family.tasks.index(study.task.id))


def scored(session: Session, family: Family, results: Results) -> list[tuple[str, Kind, Scored]]:
    """Return what people's one answer and the models scored in a study, by name and kind; nothing without gold."""
    rows = [row for row in results.rows if row.name != "human:individual" and row.scores]
    if family.total == "lengths":
        return _over_lengths(session, results, rows)
    votes = results.panel.votes
    numbers = np.bincount(votes.worker, minlength=len(votes.workers)).tolist()
    answers = {name: float(number) for name, number in zip(votes.workers, numbers, strict=True) if number}
    return [(row.name, row.kind, replace(task_score(results.study.task, row), answers=answers)) for row in rows]


def _over_lengths(session: Session, results: Results, rows: Sequence[Respondent]) -> list[tuple[str, Kind, Scored]]:
    """Return the mean over the lengths that were run; a length at which nobody was asked is missing, not zero."""
    by_length = [each for each in of_results(session, results) if each.breakdown.field == LENGTH and each.parts]
    if not by_length:
        return [(row.name, row.kind, task_score(results.study.task, row)) for row in rows]
    scored = []
    for row in rows:
        each = {part.group: part.scores[by_length[0].respondents.index(row.name)] for part in by_length[0].parts}
        known = {name: score for name, score in each.items() if not isnan(score.value)}
        scored.append((row.name, row.kind, mean_of(known, row.n)))
    return scored


def _total(name: str, kind: Kind, scores: Mapping[str, Scored]) -> Total:
    mean = mean_of_tasks([TaskInterval(each.value, each.ci, each.ci_items, each.answers) for each in scores.values()])
    return Total(name, kind, scores, mean.value, mean.ci, len(scores), mean.ci_items)


HOW = {
    "tasks": "the mean over its tasks of the mean of their official metrics",
    "lengths": "the mean over its tasks of the mean over the lengths that were run",
}


def total_tables(totals: BenchmarkTotals) -> list[Table[Any]]:
    """Return the totals, and a table of tasks and lengths for each respondent where texts have one."""
    header = ["task", "study", *(called(row.respondent) for row in totals.rows)]
    return [table_of("", header, _rows(totals)), *by_length(totals)]


def by_length(totals: BenchmarkTotals) -> Iterator[Table[Any]]:
    """Yield the scores of each respondent by task and length: the tasks, their groups, and overall."""
    if totals.family.total != "lengths":
        return
    for row in totals.rows:
        lengths = sorted({name for score in row.scores.values() for name in score.parts}, key=_tokens)
        lines: list[tuple[str, tuple[str, ...]]] = [(task, (task,)) for task in row.scores]
        lines += [(f"group {name}", members) for name, members in totals.family.groups.items()]
        table_rows: list[list[object]] = [
            [name, *(_mean(row.scores, members, part) for part in (*lengths, None))]
            for name, members in [*lines, ("overall", totals.family.tasks)]
        ]
        yield table_of(f"{called(row.respondent)}, by length", ["task", *lengths, "mean"], table_rows)


def _mean(scores: Mapping[str, Scored], members: Sequence[str], part: str | None) -> str:
    """Return the mean over those of the tasks that are scored, in one `part` of them."""
    kept = [scores[task] for task in members if task in scores]
    values = [each.value if part is None else each.parts[part] for each in kept if part is None or part in each.parts]
    return number(fsum(values) / len(values) if values else nan)


def _tokens(length: str) -> tuple[int, str]:
    """Return what sorts lengths: 4k before 128k, a name that is no length last."""
    digits = length.removesuffix("k")
    return (int(digits) * (1000 if length.endswith("k") else 1) if digits.isdecimal() else 10**9), length


def _rows(benchmark: BenchmarkTotals) -> list[list[object]]:
    family = benchmark.family
    rows: list[list[object]] = [
        [task, benchmark.studies.get(task, "—"), *(_cell(row.scores.get(task)) for row in benchmark.rows)]
        for task in family.tasks
    ]
    complete = [row.over == len(family.tasks) for row in benchmark.rows]
    both = list(zip(benchmark.rows, complete, strict=True))
    rows.append(["total", "", *(_cell(row if all_there else None) for row, all_there in both)])
    if any(complete):
        rows.append(["its interval holds for", "", *(row.holds_for if all_there else "—" for row, all_there in both)])
    if not all(complete) and (shared := benchmark.shared):
        rows.append([f"mean over {counted(shared[0].over, 'task')}", "", *map(_cell, shared)])
        rows.append(["its interval holds for", "", *(row.holds_for for row in shared)])
    return rows


def _cell(score: Scored | Total | None) -> str:
    return "—" if score is None else f"{number(score.value)} {interval(score.ci)}"


def _whom_people_hold_for(totals: BenchmarkTotals) -> Iterator[str]:
    """Yield in which tasks the intervals of people hold for these people alone, where that is so in any."""
    complete = tuple(row for row in totals.rows if row.over == len(totals.family.tasks))
    over_tasks = {row.respondent for row in complete or totals.shared if row.narrow_tasks}
    for row in totals.rows:
        if narrow := row.narrow_tasks:
            how = "in all tasks" if len(narrow) == len(row.scores) else f"in {enumerated(narrow)}"
            why = "; scores by length are for these people" * (totals.family.total == "lengths")
            mean = ", and so it does over tasks" * (row.respondent in over_tasks)
            yield (
                f"{called(row.respondent)}: {how} the interval holds for these people alone (`human STUDY` says why"
                f"{why}){mean}."
            )


def _over_which_tasks(totals: BenchmarkTotals) -> Iterator[str]:
    """Yield over which tasks the mean stands in the place of a total, or why there is none."""
    if all(row.over == len(totals.family.tasks) for row in totals.rows):
        return
    if shared := totals.shared:
        yield f"The mean is over what everybody here has, {enumerated(list(shared[0].scores))}: it is no total."
    else:
        yield (
            "There is no task that everybody here has, and means over different tasks say nothing beside each other: "
            "compare task by task."
        )


def total_notes(totals: BenchmarkTotals) -> list[str]:
    """Return how the total is made, what is missing and what is published of it."""
    family = totals.family
    notes = [
        f"The total of {family.title} is {HOW[family.total]}; it needs all {len(family.tasks)} tasks.",
        "95% intervals are averaged within a task and combined over tasks by MOVER. The part due to people adds up "
        "linearly where the same people answered several tasks.",
        *_whom_people_hold_for(totals),
    ]
    if missing := [task for task in family.tasks if task not in totals.studies]:
        notes.append(f"There is no study of {', '.join(missing)}.")
    notes += _over_which_tasks(totals)
    if totals.simulated:
        notes.append(
            f"In {enumerated(totals.simulated)} judgments are simulated: programs answered, not people, and people's "
            "scores there are theirs."
        )
    if totals.printed:
        printed = ", ".join(f"{one.respondent} {number(one.value)} (table {one.table})" for one in totals.printed)
        notes.append(f"Published, over all {len(family.tasks)} tasks: {printed}; {family.source}. {UNTESTED}")
    return notes
