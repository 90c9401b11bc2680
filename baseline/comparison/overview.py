"""All studies at a glance: one row for each task and each benchmark's total, one column for each respondent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from baseline.comparison.adjusted_p import adjusted_p
from baseline.comparison.peer_tables import FIGURES
from baseline.comparison.published_scores import PublishedRow, published_scores_of
from baseline.comparison.results import Kind, Respondent, Results, called, results
from baseline.comparison.totals import Scored, Total, comparable, scored, total_rows
from baseline.human.baseline import stored_rules
from baseline.runs.run_state import imported_words
from data.catalogue.families import Family, families, family_of
from data.numbers import SIGNIFICANT
from data.task import Task
from db.engine import Session
from db.items import Coverage, coverage
from db.studies import Study
from eval.arrays import number_or_none
from eval.intervals.wilson import Interval

ColumnKind = Literal["human", "naive", "model", "published"]
PEOPLE, BEST = "published people", "published model"


@dataclass(frozen=True)
class OverviewScore:
    """One score: its 95% interval, answers behind it, how many of the row's items (or tasks) it is of.

    `apart` is the difference from the people's majority on the items both have, in units of the metric, with its
    interval and the p-value adjusted (Holm) over the row's models, or over its naive baselines; None where there is
    nothing to compare. `of` is what would be complete: `done` below it is said. `note` is what else a reader must know,
    `imported` the program from whose log the answers were read.
    """

    value: float
    ci: Interval | None
    n: int
    done: int
    of: int
    apart: float | None = None
    apart_ci: Interval | None = None
    p: float | None = None
    note: str = ""
    imported: str = ""

    @property
    def significant(self) -> bool:
        """Whether the difference from people is significant among the row's models."""
        return self.p is not None and self.p < SIGNIFICANT

    @property
    def incomplete(self) -> bool:
        """Whether something is missing of what it would be of."""
        return self.done < self.of

    def as_dict(self) -> dict[str, Any]:
        """Return the score as it stands in JSON; NaN becomes None."""
        ends = [number_or_none(end) for end in self.ci] if self.ci else None
        apart = [number_or_none(end) for end in self.apart_ci] if self.apart_ci else None
        return {
            "value": number_or_none(self.value),
            "ci": ends,
            "n": self.n,
            "done": self.done,
            "of": self.of,
            "difference": self.apart,
            "difference_ci": apart,
            "p_holm": self.p,
            "note": self.note,
            "imported": self.imported,
        }


@dataclass(frozen=True)
class OverviewRow:
    """A task's study, or a benchmark's total (then `study` is "" and `metric` names the mean)."""

    title: str
    task: str
    family: str
    study: str
    metric: str
    items: int
    scores: Mapping[str, OverviewScore]
    newest: bool = True
    state: str = ""
    simulated: bool = False
    created_at: datetime | None = None

    @property
    def total(self) -> bool:
        """Whether it is a benchmark's total."""
        return not self.study


@dataclass(frozen=True)
class OverviewColumn:
    """A respondent: its name as rows of results have it, what it is called, what kind it is of."""

    name: str
    words: str
    kind: ColumnKind


@dataclass(frozen=True)
class Overview:
    """The table; `waiting` studies are not computed yet, and of the `failed` the program could make nothing."""

    columns: tuple[OverviewColumn, ...]
    rows: tuple[OverviewRow, ...]
    waiting: int = 0
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class StudyScores:
    """What is kept of a study: its row, the column of each respondent, and what its family's total takes of it."""

    row: OverviewRow
    columns: tuple[OverviewColumn, ...]
    scored: tuple[tuple[str, Kind, Scored], ...]


def study_scores(session: Session, study: Study) -> StudyScores:
    """Return the row of one study and what its family's total takes of it."""
    side_by_side = results(session, study=study, rules=stored_rules(study))
    family = family_of(study.task.id)
    people, of = side_by_side.human.panel, len(side_by_side.human.panel.votes.items)
    models = [row for row in side_by_side.rows if row.kind != "human"]
    adjusted = adjusted_p(models)
    scores = {
        column_of(row): _score(side_by_side, row, adjusted.get(row.name)) for row in side_by_side.rows if row.scores
    }
    standard = _by_agreement(side_by_side) if not people.gold else {}
    columns = [OverviewColumn(column_of(row), row.called, row.kind) for row in side_by_side.rows]
    made = OverviewRow(
        title=study.task.title.for_requesters,
        task=study.task.id,
        family=family.title if family else "",
        study=study.name,
        metric=FIGURES[side_by_side.peers.main][0] if standard and side_by_side.peers else study.task.primary,
        items=of,
        scores=scores | standard | (_published(study.task) if people.gold else {}),
        state=_state(study, coverage(session, study=study), side_by_side, agreement=bool(standard)),
        simulated=side_by_side.human.simulated > 0,
        created_at=study.created_at,
    )
    each = scored(session, family, side_by_side) if family and family.total and people.gold else []
    return StudyScores(made, tuple(columns), tuple((row.name, row.kind, score) for row, score in each))


def laid_out(studies: Sequence[Study], kept: Mapping[int, StudyScores]) -> Overview:
    """Return the overview of studies, the newest first, out of what is computed of them."""
    known = [(study, kept[study.id]) for study in studies if study.id in kept]
    newest: dict[str, str] = {}
    # An empty study that was only just made is not put before one with results.
    for study, _ in sorted(known, key=lambda known_study: not known_study[1].columns):
        newest.setdefault(study.task.id, study.name)
    rows = [replace(study_row.row, newest=newest[study.task.id] == study.name) for study, study_row in known]
    columns: dict[str, OverviewColumn] = {}
    for column in (column for _, study_row in known for column in study_row.columns):
        # Where a model is a judge in some studies alone, its column is that of the model.
        alike = columns.get(column.name, column) == column
        columns[column.name] = column if alike else replace(column, words=called(column.name))
    totals = _totals(
        {study_row.row.task: study_row for study, study_row in known if newest[study.task.id] == study.name}
    )
    every = [*totals, *rows]
    published = [name for name in (PEOPLE, BEST) if any(name in row.scores for row in every)]
    return Overview(_columns(columns, published), tuple(_ordered(every)), len(studies) - len(known))


def column_of(row: Respondent) -> str:
    """Return the column of a respondent: whatever rule made one answer of people's votes, it is one column."""
    return row.name if row.kind != "human" or row.name == "human:individual" else "human:majority"


def _score(results: Results, row: Respondent, p: float | None) -> OverviewScore:
    score = row.scores[results.study.task.primary]
    items = results.human.panel.votes.items
    done = int(row.ballots.scored.sum())
    errors, apart = row.statuses.get("error", 0), row.vs_human
    notes = f"{errors} errors" if errors else "", row.other_runs()
    return OverviewScore(
        score.value,
        score.ci,
        score.n,
        done,
        len(items),
        apart.value if apart else None,
        apart.ci if apart else None,
        p,
        "; ".join(filter(None, notes)),
        imported_words(row.run),
    )


def _by_agreement(results: Results) -> dict[str, OverviewScore]:
    """Return how far everybody agrees with people, who are the standard where there is no gold."""
    peers = results.peers
    if peers is None:
        return {}
    of, done = len(results.human.panel.votes.items), {row.name: int(row.ballots.scored.sum()) for row in results.rows}
    note = "Without gold: agreement with the other people, and its distance from one person's"
    scores = {}
    for row in (peers.average, *peers.models):
        figure, apart = row.figures[peers.main], row.apart
        value, ci = (apart.value, apart.ci) if apart else (None, None)
        agrees = OverviewScore(figure.value, figure.ci, figure.n, done[row.name], of, value, ci, row.p_holm, note)
        scores[row.name] = agrees
    return scores


def _published(task: Task) -> dict[str, OverviewScore]:
    """Return what the task's paper prints of people and of its best model, in the task's first metric."""
    printed = published_scores_of(task)
    rows = [row for row in printed.rows if task.primary in row.scores] if printed else []
    people = [row for row in rows if row.kind == "people"]
    models = sorted((row for row in rows if row.kind != "people"), key=lambda row: -row.scores[task.primary])
    chosen = {PEOPLE: people[:1], BEST: models[:1]}
    return {name: _printed(row, row.scores[task.primary]) for name, each in chosen.items() for row in each}


def _printed(row: PublishedRow, value: float) -> OverviewScore:
    notes = " ".join(row.notes)
    return OverviewScore(value, None, 0, 0, 0, note=f"{row.respondent}, table {row.table}. {notes}".strip())


def _state(study: Study, far: Coverage, results: Results, *, agreement: bool) -> str:
    """Return in a few words what is missing of a study; empty where nothing is.

    Without gold it says whether `agreement` with people stands in the place of scores.
    """
    states, gold = [], bool(results.human.panel.gold)
    if not results.rows:
        states.append("nobody has answered yet")
    elif not len(results.human.panel.votes.label):
        states.append("no people yet")
    if study.status == "open" and 0 < far.filled < far.target:
        states.append(f"{far.filled} of {far.target} judgments")
    if not gold:
        states.append("no score against gold" + (", but agreement with people" if agreement else ""))
    return ", ".join(states)


def _totals(newest: Mapping[str, StudyScores]) -> list[OverviewRow]:
    rows = []
    for family in families().values():
        scores = {task: list(newest[task].scored) for task in family.tasks if task in newest and newest[task].scored}
        if family.total and scores:
            made = _total_row(family, total_rows(family, scores), sum(newest[task].row.items for task in scores))
            rows.append(replace(made, simulated=any(newest[task].row.simulated for task in scores)))
    return rows


def _total_row(family: Family, totals: Sequence[Total], items: int) -> OverviewRow:
    """Return the totals of a family; those of its paper stand beside them only where somebody has all of its tasks."""
    of = len(family.tasks)
    shown = comparable(family, totals)
    scores = {
        _column(row): OverviewScore(row.value, row.ci, 0, row.over, of, note=_lacking(row, family)) for row in shown
    }
    printed = [score for score in family.printed if not score.task and not score.group]
    for name, kind in ((PEOPLE, "people"), (BEST, "model")):
        best = max((score for score in printed if score.kind == kind), key=lambda score: score.value, default=None)
        if best is not None and any(row.over == of for row in totals):
            scores[name] = OverviewScore(best.value, None, 0, 0, 0, note=f"{best.respondent}, table {best.table}")
    metric = "mean over tasks" if family.total == "tasks" else "mean over tasks and lengths"
    return OverviewRow(f"{family.title}, total", f"{family.id}:total", family.title, "", metric, items, scores)


def _column(row: Total) -> str:
    return row.respondent if row.kind != "human" or row.respondent == "human:individual" else "human:majority"


def _lacking(row: Total, family: Family) -> str:
    missing = [task for task in family.tasks if task not in row.scores]
    return f"without {', '.join(missing)}" if missing else ""


def _columns(columns: Mapping[str, OverviewColumn], published: Sequence[str]) -> tuple[OverviewColumn, ...]:
    """Return the columns in order: people, models, naive baselines, what is published."""
    rows = ("human:majority", "human:individual")
    people = [OverviewColumn(name, called(name), "human") for name in rows if name in columns]
    models = [columns[name] for name in sorted(columns)]
    others = [column for kind in ("model", "naive") for column in models if column.kind == kind]
    named = {PEOPLE: "People, published", BEST: "Best model, published"}
    return (*people, *others, *(OverviewColumn(name, named[name], "published") for name in published))


def _ordered(rows: Sequence[OverviewRow]) -> list[OverviewRow]:
    """Return the rows family by family in the order of their tasks, the total first; those of no family last."""
    tasks = (task for family in families().values() for task in (f"{family.id}:total", *family.tasks))
    place = {task: number for number, task in enumerate(tasks)}
    return sorted(rows, key=lambda row: (place.get(row.task, len(place)), not row.newest))
