"""All studies at a glance: a row for each study, a column for people and for each model, the verdict in each cell."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum, nan
from operator import methodcaller
from typing import Literal

from baseline.comparison.published_scores import published_scores_of
from baseline.comparison.results import Kind, Respondent, Results, called, results
from baseline.comparison.totals import Scored, counting, scored, total_rows
from baseline.comparison.verdicts import VERDICTS, Scale, Standing, scale_of, standings
from baseline.human.baseline import stored_rules
from data.catalogue.families import families, family_of
from data.numbers import counted, p_sign
from data.tables import Column, Table, table_of
from data.task import Task
from db.engine import Session
from db.items import Coverage, coverage
from db.studies import Study
from eval.arrays import number_or_none
from eval.comparison.difference import AS_GOOD, BETTER, WORSE
from eval.estimate import Interval

ColumnKind = Literal["human", "naive", "model", "published"]
PEOPLE, PUBLISHED_PEOPLE, PUBLISHED_MODEL = "people", "published people", "published model"
ALONE = "-"
"""What stands in the place of a benchmark for tasks that belong to none."""
FIRST = {PEOPLE: "people", PUBLISHED_PEOPLE: "people, published", PUBLISHED_MODEL: "best model, published"}


@dataclass(frozen=True)
class OverviewScore:
    """One score, the answers behind it (`n`), and how many of the items (or tasks) it is of: `done` of `of`.

    `apart` is the difference from people on the same items, with its interval, p-value and `verdict`. `why_not` says
    why there is no verdict: such a score counts in no mean. `note` is what else a reader must know.
    """

    value: float
    ci: Interval | None = None
    n: int = 0
    done: int = 0
    of: int = 0
    apart: float | None = None
    apart_ci: Interval | None = None
    p: float | None = None
    verdict: str = ""
    why_not: str = ""
    note: str = ""


@dataclass(frozen=True)
class OverviewRow:
    """A study, or the total of a benchmark (then `study` is "").

    Of the studies of a task one `counts`: it alone is in means and numbers of verdicts. `family` is the id of the
    task's benchmark, "-" for none.
    """

    title: str
    task: str
    family: str
    study: str
    scale: Scale
    items: int
    scores: Mapping[str, OverviewScore]
    state: tuple[str, ...] = ()
    counts: bool = True


@dataclass(frozen=True)
class OverviewColumn:
    """A respondent: its name as rows of results have it, what it is called, from where all of its runs come."""

    name: str
    words: str
    kind: ColumnKind
    imported: str = ""


@dataclass(frozen=True)
class StudyScores:
    """What is kept of a study: its row, the column of each respondent, and what its family's total takes of it."""

    row: OverviewRow
    columns: tuple[OverviewColumn, ...]
    scored: tuple[tuple[str, Kind, Scored], ...]


@dataclass(frozen=True, eq=False)
class Overview:
    """Rows and their columns; `waiting` studies are not computed yet, of the `failed` the program could make nothing.

    `scored` is what totals take of each task.
    """

    everybody: tuple[OverviewColumn, ...] = ()
    rows: tuple[OverviewRow, ...] = ()
    waiting: int = 0
    failed: tuple[str, ...] = ()
    scored: Mapping[str, tuple[tuple[str, Kind, Scored], ...]] = field(default_factory=dict)

    def within(self, family: str) -> "Overview":
        """Return the rows of one benchmark, under its total where somebody has all of its tasks."""
        rows = [row for row in self.rows if row.family == family]
        seen = {name for row in rows for name in row.scores}
        everybody = tuple(column for column in self.everybody if column.name in seen)
        return replace(self, everybody=everybody, rows=(*_total(family, self.scored), *rows))

    @property
    def counted(self) -> list[OverviewRow]:
        """The rows that count."""
        return [row for row in self.rows if row.counts and row.study]

    @cached_property
    def shared(self) -> tuple[tuple[str, ...], tuple[OverviewRow, ...]]:
        """The models that are compared by their mean, and the tasks it is over: all of these have all of those.

        The models with most tasks, as many of them as give most scores; errors, where less is better, are in no mean.
        """
        rows = [row for row in self.counted if not row.scale.falls]
        rows = [row for row in rows if PEOPLE in row.scores] or rows
        tasks = {
            column.name: {row.study for row in rows if _compared(row, column.name)}
            for column in self.everybody
            if column.kind == "model"
        }
        names = sorted(tasks, key=lambda name: (-len(tasks[name]), name))
        groups = [
            (names[:many], set.intersection(*map(tasks.__getitem__, names[:many]))) for many in range(1, len(names) + 1)
        ]
        models, studies = max(groups, key=lambda group: len(group[0]) * len(group[1]), default=([], set()))
        return tuple(models), tuple(row for row in rows if row.study in studies)

    def mean(self, name: str) -> float | None:
        """Return a respondent's mean over the shared tasks; None for whoever lacks one of them."""
        rows = self.shared[1]
        values = [row.scores[name].value for row in rows if _compared(row, name)]
        return fsum(values) / len(values) if values and len(values) == len(rows) else None

    def verdicts(self, name: str) -> Counter[str]:
        """Return how many verdicts of each kind a respondent has over the rows that count."""
        return Counter(
            row.scores[name].verdict for row in self.counted if name in row.scores and row.scores[name].verdict
        )

    @cached_property
    def columns(self) -> tuple[OverviewColumn, ...]:
        """People, the models by their mean, then those that lack a shared task, naive baselines, published scores."""
        kinds: list[ColumnKind] = ["human", "model", "naive", "published"]

        def place(column: OverviewColumn) -> tuple[int, bool, float, int, str]:
            mean, tasks = self.mean(column.name), sum(column.name in row.scores for row in self.counted)
            return kinds.index(column.kind), mean is None, -(mean or 0.0), -tasks, column.name

        return tuple(sorted(self.everybody, key=place))


def study_scores(session: Session, study: Study) -> StudyScores:
    """Return the row of one study and what its family's total takes of it."""
    found = results(session, study=study, rules=stored_rules(study))
    stand, family, gold = standings(found), family_of(study.task.id), bool(found.panel.gold)
    scale = stand.scale if stand else scale_of(study.task)
    beside = {row.respondent.name: row for row in stand.rows} if stand else {}
    of = len(found.panel.votes.items)
    scores = {row.name: _score(study.task, row, beside.get(row.name), of) for row in found.models}
    scores = {name: score for name, score in scores.items() if score.value == score.value}
    columns = [OverviewColumn(row.name, row.called, row.kind, row.origin) for row in found.models]
    people = next((row for row in found.rows if row.kind == "human"), None)
    if stand and people and stand.people.n:
        done = int(people.ballots.scored.sum())
        scores[PEOPLE] = OverviewScore(stand.people.value, stand.people.ci, stand.people.n, done, of)
        columns.append(OverviewColumn(PEOPLE, FIRST[PEOPLE], "human"))
    row = OverviewRow(
        title=study.task.title.for_requesters,
        task=study.task.id,
        family=family.id if family else ALONE,
        study=study.name,
        scale=scale,
        items=of,
        scores=scores | (_published(study.task) if gold else {}),
        state=tuple(_state(study, coverage(session, study=study), found)),
    )
    each = scored(session, family, found) if family and family.total and gold else []
    return StudyScores(row, tuple(columns), tuple(each))


def _score(task: Task, row: Respondent, standing: Standing | None, of: int) -> OverviewScore:
    """Return a model's score; beside people it is the one that the difference is of."""
    own, errors, done = row.scores.get(task.primary), row.statuses.get("error", 0), int(row.ballots.scored.sum())
    note = "; ".join(filter(None, (f"{errors} errors" if errors else "", row.chosen.note() if row.chosen else "")))
    if standing is None:
        value, ci, n = (own.value, own.ci, own.n) if own else (nan, None, 0)
        return OverviewScore(value, ci, n, done, of, note=note)
    apart, ci = standing.difference, own.ci if own and own.value == standing.score else None
    tested = (apart.value, apart.ci, standing.p, standing.verdict, standing.why_not)
    return OverviewScore(standing.score, ci, apart.n, done, of, *tested, note)


def _compared(row: OverviewRow, name: str) -> bool:
    """Return whether a respondent has a score in a row that may stand beside others."""
    return name in row.scores and not row.scores[name].why_not


def laid_out(studies: Sequence[Study], kept: Mapping[int, StudyScores]) -> Overview:
    """Return the overview of studies, the newest first, out of what is computed of them."""
    known = [study for study in studies if study.id in kept]
    counts = counting(known, {study.id for study in known if kept[study.id].columns})
    columns: dict[str, OverviewColumn] = {}
    for column in (column for study in known for column in kept[study.id].columns):
        other = columns.setdefault(column.name, column)
        # A model that is a judge in some studies alone, or imported into some alone, is called as in the others.
        words = column.words if other.words == column.words else called(column.name)
        imported = column.imported if other.imported == column.imported else ""
        columns[column.name] = replace(other, words=words, imported=imported)
    rows = [replace(kept[study.id].row, counts=counts.get(study.task.id) is study) for study in known]
    for name in (PUBLISHED_PEOPLE, PUBLISHED_MODEL):
        if any(name in row.scores for row in rows):
            columns[name] = OverviewColumn(name, FIRST[name], "published")
    return Overview(
        tuple(columns.values()),
        tuple(sorted(rows, key=_place)),
        len(studies) - len(known),
        scored={task: kept[study.id].scored for task, study in counts.items() if kept[study.id].scored},
    )


def _place(row: OverviewRow) -> tuple[int, str, bool]:
    """Return what orders rows: by benchmark and task, the study that counts first."""
    tasks = [task for family in families().values() for task in family.tasks]
    return tasks.index(row.task) if row.task in tasks else len(tasks), row.task, not row.counts


def _published(task: Task) -> dict[str, OverviewScore]:
    """Return what the task's paper prints of people and of its best model, in the task's first metric."""
    published, scores = published_scores_of(task), dict[str, OverviewScore]()
    rows = [row for row in published.rows if task.primary in row.scores] if published else []
    models = sorted((row for row in rows if row.kind != "people"), key=lambda row: -row.scores[task.primary])
    for row in (*(row for row in rows if row.kind == "people"), *models):
        name = PUBLISHED_PEOPLE if row.kind == "people" else PUBLISHED_MODEL
        note = " ".join((f"{row.respondent}, table {row.table}.", *row.notes))
        scores.setdefault(name, OverviewScore(row.scores[task.primary], note=note))
    return scores


def _state(study: Study, far: Coverage, found: Results) -> Iterator[str]:
    """Yield in a few words what a reader must know of a study beside its figures."""
    if study.demo:
        yield "demo"
    if study.pilot_of is not None:
        yield "pilot"
    if study.status == "draft":
        yield "draft"
    if found.human.simulated:
        yield "simulated"
    if not found.rows:
        yield "no answers yet"
    elif not len(found.panel.votes.label):
        yield "no people yet"
    if found.human.void:
        yield "people’s score is void"
    if study.status == "open" and 0 < far.filled < far.target:
        yield f"{far.filled} of {far.target} judgments"


def _total(name: str, scored_tasks: Mapping[str, Sequence[tuple[str, Kind, Scored]]]) -> list[OverviewRow]:
    """Return the total of a benchmark as its authors define it, of those who have all of its tasks."""
    family = families().get(name)
    if family is None or not family.total:
        return []
    of = len(family.tasks)
    everybody = total_rows(family, {task: scored_tasks[task] for task in family.tasks if task in scored_tasks})
    scores = {
        PEOPLE if row.kind == "human" else row.respondent: OverviewScore(row.value, row.ci, done=of, of=of)
        for row in everybody
        if row.over == of
    }
    printed = family.of_task("")
    for column, kind in ((PUBLISHED_PEOPLE, "people"), (PUBLISHED_MODEL, "model")):
        best = max((score for score in printed if score.kind == kind), key=lambda score: score.value, default=None)
        if best and scores:
            scores[column] = OverviewScore(best.value, note=f"{best.respondent}, table {best.table}")
    metric = "mean over tasks" if family.total == "tasks" else "mean over tasks and lengths"
    total = OverviewRow(f"{family.title}, total", "", name, "", Scale(metric, metric), of, scores)
    return [total] if scores else []


SIGNS = {BETTER: "▲", WORSE: "▼", AS_GOOD: "≈"}
"""The sign of a verdict in a cell."""
STEPS = (0.02, 0.05, 0.15, 0.30)
"""Differences from people, in units of the metric, from which the shade of a heat map is one step deeper."""
SUMMED = Scale("mean", "")


@dataclass(frozen=True)
class OverviewCell:
    """What stands in a cell: a score, its difference from people, the verdict, and more of it as its `title`."""

    text: str = ""
    difference: str = ""
    verdict: str = ""
    title: str = ""
    lacking: str = ""
    depth: int = 0
    ahead: bool = False

    @property
    def sign(self) -> str:
        """The sign of the verdict, "" for no clear difference."""
        return SIGNS.get(self.verdict, "")

    @property
    def shade(self) -> str:
        """Which side is significantly ahead."""
        return {BETTER: "ahead", WORSE: "behind"}.get(self.verdict, "")

    def words(self) -> str:
        """Return the cell in a text, a significant difference with a star: `94.2 (−4.2*)`."""
        star = "*" if self.shade else "≈" if self.sign else ""
        return f"{self.text} ({self.difference}{star})" if self.difference else self.text


@dataclass(frozen=True)
class OverviewLine:
    """A line of the table: a study, or with `summary` a mean, numbers of verdicts or a total."""

    title: str
    cells: dict[str, OverviewCell]
    row: OverviewRow | None = None
    state: tuple[str, ...] = ()

    def cell(self, name: str) -> OverviewCell:
        """Return the cell of a respondent."""
        return self.cells.get(name, OverviewCell())


def overview_table(overview: Overview, *, published: bool = False) -> Table[OverviewLine]:
    """Return the overview as a table: mean and numbers of verdicts first, then a line for each study."""
    columns = [column for column in overview.columns if published or column.kind != "published"]
    tasks = {row.task for row in overview.rows}
    several = {task for task in tasks if sum(row.task == task for row in overview.rows) > 1}
    lines = [*_summaries(overview), *(_line(overview, row, several=row.task in several) for row in overview.rows)]
    scores: list[Column[OverviewLine]] = [
        Column(column.name, column.words, "", methodcaller("cell", column.name), OverviewCell.words)
        for column in columns
    ]
    return Table("", (Column("task", "task", "", lambda line: line.title), *scores), lines)


def _summaries(overview: Overview) -> Iterator[OverviewLine]:
    rows, names = overview.shared[1], [column.name for column in overview.columns]
    means = {name: mean for name in names if (mean := overview.mean(name)) is not None}
    if len(rows) > 1:
        people, tasks = means.get(PEOPLE), ", ".join(row.title for row in rows)
        cells = {
            name: OverviewCell(
                SUMMED.score(mean),
                "" if people is None or name == PEOPLE else SUMMED.difference(mean - people),
                title=f"mean over {tasks}",
            )
            for name, mean in means.items()
        }
        yield OverviewLine(f"mean of {counted(len(rows), 'task')}", cells)
    counts = {name: found for name in names if (found := overview.verdicts(name))}
    known = [verdict for verdict in VERDICTS if verdict != AS_GOOD or any(found[AS_GOOD] for found in counts.values())]
    if counts:
        cells = {
            name: OverviewCell(" · ".join(str(found[verdict]) for verdict in known)) for name, found in counts.items()
        }
        yield OverviewLine(" · ".join(known), cells)


def _line(overview: Overview, row: OverviewRow, *, several: bool) -> OverviewLine:
    cells = {
        column.name: _cell(row, column, row.scores[column.name])
        for column in overview.columns
        if column.name in row.scores
    }
    return OverviewLine(row.title, cells, row, ((row.study,) * several + row.state))


def _cell(row: OverviewRow, column: OverviewColumn, score: OverviewScore) -> OverviewCell:
    apart = score.apart
    lacking = f"{score.done} of {score.of} items" if score.done < score.of else ""
    return OverviewCell(
        row.scale.score(score.value),
        "" if apart is None else row.scale.difference(apart),
        score.verdict,
        "; ".join(_title(row, column, score)),
        lacking if not score.why_not or score.why_not in row.state else score.why_not,
        0 if apart is None else sum(abs(apart) >= step for step in STEPS),
        apart is not None and apart > 0,
    )


def _title(row: OverviewRow, column: OverviewColumn, score: OverviewScore) -> Iterator[str]:
    """Yield all that is known of a score."""
    scale, said = row.scale, score.verdict or score.why_not or row.scale.title
    between = f" ({scale.between(score.ci)})" if score.ci and scale.between(score.ci) else ""
    yield f"{column.words}: {said} {scale.score(score.value)}{between}"
    if score.apart is not None:
        ends = sorted(score.apart_ci or (), reverse=scale.falls)
        interval = f" [{', '.join(map(scale.difference, ends))}]" if ends and ends[0] == ends[0] else ""
        test = f", {p_sign(score.p)}, Holm" if score.p is not None else ""
        yield f"{scale.difference(score.apart)} {scale.unit} from people{interval}{test}"
    if score.n:
        yield f"n = {score.n}"
    if score.note:
        yield score.note


def nearest(overview: Overview) -> tuple[str, str]:
    """Return which model comes first, and how it stands to people; two empty texts where no model is tested.

    `("qwen-big", "comes nearest to people: better on 1 of 4 tasks, no clear difference on 3")`
    """
    first = next((column for column in overview.columns if column.kind == "model"), None)
    found = overview.verdicts(first.name) if first else {}
    if first is None or not found:
        return "", ""
    (verdict, number), *others = [(verdict, found[verdict]) for verdict in VERDICTS if found[verdict]]
    of, people, mean = counted(sum(found.values()), "task"), overview.mean(PEOPLE), overview.mean(first.name)
    ahead = people is not None and mean is not None and mean > people and len(overview.shared[1]) > 1
    how = "is ahead of people on average" if ahead else "comes nearest to people"
    parts = [f"{verdict} on {number} of {of}" if others else f"{verdict} on {'all ' * (number > 1)}{of}"]
    return first.words, f"{how}: {', '.join([*parts, *(f'{other} on {times}' for other, times in others)])}"


SCORES = (
    *("task", "study", "counts", "metric", "items", "respondent", "kind", "imported", "value", "low", "high", "n"),
    *("done", "of", "difference", "difference_low", "difference_high", "p_holm", "verdict", "note"),
)


def score_list(overview: Overview) -> Table[Sequence[object]]:
    """Return a row for each score of the overview."""
    known = {column.name: column for column in overview.columns}
    rows: list[tuple[object, ...]] = []
    for row in overview.rows:
        for name, score in row.scores.items():
            whose = (name, known[name].kind, known[name].imported)
            own = (number_or_none(score.value), *_ends(score.ci), score.n, score.done, score.of)
            apart = (score.apart, *_ends(score.apart_ci), score.p, score.verdict or score.why_not)
            rows.append((row.task, row.study, row.counts, row.scale.title, row.items, *whose, *own, *apart, score.note))
    return table_of("", SCORES, rows)


def _ends(ends: Interval | None) -> tuple[float | None, ...]:
    return tuple(map(number_or_none, ends)) if ends else (None, None)
