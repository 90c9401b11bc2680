"""Scores as a benchmark's authors have them: what their paper prints, and ours by the metrics of their own script.

What is printed stands beside ours, clearly marked, and is never paired or tested against.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from baseline.comparison.document import ends
from baseline.comparison.results import Results
from baseline.human.baseline import HumanBaseline, consensus_words
from data.catalogue.families import Family, family_of
from data.human_rules import GOLDS, TIES
from data.numbers import DASH, counted, interval, number, or_dash
from data.submissions import leaderboard_of
from data.tables import Column, Table, table_of
from data.task import Task
from eval.estimate import Interval
from eval.metrics.table import metric_named

UNTESTED = "Their answers are not known here, so these scores are never tested against ours."
NOBODY = "The paper prints no score of people: the one here is the first."


@dataclass(frozen=True)
class PublishedRow:
    """What a paper prints of one respondent: its scores by metric, the table, and what a reader must know."""

    respondent: str
    kind: str
    scores: dict[str, float]
    table: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class PublishedScores:
    """What a paper prints of a task; without rows, that it prints nothing of it."""

    family: Family
    rows: tuple[PublishedRow, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are printed, in the order of the table."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scores))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, each once; that people are missing among it."""
        noted = dict.fromkeys(note for row in self.rows for note in row.notes)
        return (*noted, *(() if any(row.kind == "people" for row in self.rows) else (NOBODY,)))

    def as_dict(self) -> dict[str, Any]:
        """Return the table as it stands in JSON."""
        figures = [asdict(each) for each in self.family.figures]
        rows = [asdict(row) | {"notes": list(row.notes)} for row in self.rows]
        return {"source": self.family.source, "rows": rows, "figures": figures}


def published_table(published: PublishedScores) -> Table[Sequence[object]]:
    """Return what a paper prints of a task, with the metrics as columns."""
    metrics = published.metrics
    rows = [(row.respondent, *(number(row.scores.get(name)) for name in metrics), row.table) for row in published.rows]
    return table_of("What the paper prints", ["respondent", *metrics, "table"], rows)


def figure_tables(published: PublishedScores) -> list[Table[Sequence[object]]]:
    """Return the other figures that the paper prints, a table for each caption, with what they are of as rows."""
    tables: list[Table[Sequence[object]]] = []
    for caption in dict.fromkeys(each.caption for each in published.family.figures):
        figures = [each for each in published.family.figures if each.caption == caption]
        values = {(each.of, each.figure): each.value for each in figures}
        names = list(dict.fromkeys(each.figure for each in figures))
        of = dict.fromkeys(each.of for each in figures)
        rows = [(what, *(values.get((what, name), DASH) for name in names)) for what in of]
        where = " and ".join(dict.fromkeys(each.table for each in figures))
        where = where if where.startswith("section") else f"table {where}"
        tables.append(table_of(f"{caption} ({where})", ["", *names], rows))
    return tables


def published_scores_of(task: Task) -> PublishedScores | None:
    """Return what the paper of a task's family prints of it, None for a task of no family."""
    family = family_of(task.id)
    if family is None:
        return None
    rows: dict[tuple[str, str], PublishedRow] = {}
    for score in family.of_task(task.id):
        key = score.respondent, score.table
        row = rows.get(key, PublishedRow(score.respondent, score.kind, {}, score.table, ()))
        notes = tuple(dict.fromkeys((*row.notes, *((score.note.for_requesters,) if score.note else ()))))
        rows[key] = PublishedRow(row.respondent, row.kind, row.scores | {score.metric: score.value}, row.table, notes)
    # What another table prints of the same respondent again is left out.
    kept: dict[tuple[object, ...], PublishedRow] = {}
    for row in sorted(rows.values(), key=lambda row: row.kind != "people"):
        kept.setdefault((row.respondent, frozenset(row.scores.items())), row)
    return PublishedScores(family, tuple(kept.values()))


NOTHING_PUBLISHED = "Nothing is published of this task: it belongs to no benchmark."


def as_published(task: Task) -> Task:
    """Return the task with the metrics of its authors' script in place of the corrected ones.

    Where these are the official ones, that is all there is. A value that joins several groups ("Negation;Quantifiers")
    is a group of its own, as the scripts have it.
    """
    names = task.published or task.official or task.metrics
    unsplit = tuple(replace(each, several="") for each in task.breakdowns)
    return replace(task, metrics=names, official=names, breakdowns=unsplit)


HERE, PAPER = "this study", "published"
UNKNOWN = "not known here"


@dataclass(frozen=True)
class PrintedOrOurs:
    """One figure: whose it is, by which metric, its interval and items where they are known, and where it stands."""

    source: str
    respondent: str
    kind: str
    metric: str
    value: float
    ci: Interval | None = None
    n: int | None = None
    table: str = ""
    notes: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: `published, table 2`."""
        return f"{self.source}, table {self.table}" if self.table else self.source


KnownDifference = tuple[str, str, str]
"""What may differ between both figures: in which matter, how it is here, and how in the paper."""
DATA = ("csv", "json")
FIGURES: tuple[Column[PrintedOrOurs], ...] = (
    Column("respondent", "respondent", "", lambda row: row.respondent),
    Column("source", "from", "", lambda row: row.source, forms=DATA),
    Column("kind", "kind", "", lambda row: row.kind, forms=("csv",)),
    Column("value", "value", "", lambda row: row.value, number),
    Column("interval", "95% interval", "", lambda row: row.ci, interval, ("read",)),
    *ends(lambda row: row.ci, forms=DATA),
    Column("n", "n", "", lambda row: row.n, or_dash),
    Column("metric", "metric", "", lambda row: row.metric, style="start"),
    Column("from", "from", "", lambda row: row.place, forms=("read",), style="start"),
    Column("table", "table", "", lambda row: row.table or None, forms=DATA),
    Column("notes", "notes", "", lambda row: " ".join(row.notes), forms=("csv",)),
)


@dataclass(frozen=True, eq=False)
class PublishedPeople:
    """People of this study and of a task's paper, by the metrics that the paper prints of people."""

    figures: tuple[PrintedOrOurs, ...]
    differences: tuple[KnownDifference, ...]

    @property
    def tables(self) -> list[Table[Any]]:
        """Both figures, then what may differ."""
        figures = Table("People of this study beside those of the paper", FIGURES, self.figures).within("read")
        return [figures, table_of("What may differ", ["what may differ", HERE, PAPER], self.differences)]

    def as_dict(self) -> dict[str, Any]:
        """Return both as they stand in JSON."""
        differences = [dict(zip(("matter", "here", "paper"), each, strict=True)) for each in self.differences]
        return {"figures": Table("", FIGURES, self.figures).within("json").records, "differences": differences}


def published_people(results: Results) -> PublishedPeople | None:
    """Return the people of a study beside those of its task's paper; None where the paper prints none, or ours lack."""
    printed = published_scores_of(results.study.task)
    paper = [figure for figure in printed_figures(printed) if figure.kind == "people"] if printed else []
    if printed is None or not paper or not results.human.majority:
        return None
    metrics = dict.fromkeys(figure.metric for figure in paper)
    both = (*our_figures(results), *paper)
    figures = tuple(figure for metric in metrics for figure in both if figure.metric == metric)
    return PublishedPeople(figures, tuple(_differences(results, printed, paper)))


def figures_table(results: Results) -> Table[PrintedOrOurs]:
    """Return every figure that is printed of the task, with those of this study's people first, as files hold them."""
    published = published_scores_of(results.study.task)
    paper = list(printed_figures(published)) if published else []
    printed = {figure.metric for figure in paper}
    ours = [figure for figure in our_figures(results) if figure.metric in printed]
    return Table("", FIGURES, (*ours, *paper)).within("csv")


def our_figures(results: Results) -> Iterator[PrintedOrOurs]:
    """Yield what people of the study score by each metric: their one answer, then one person at a time."""
    for row in results.rows:
        if row.kind == "human":
            for metric, score in row.scores.items():
                yield PrintedOrOurs(HERE, row.called, "people", metric, score.value, score.ci, score.n)


def printed_figures(published: PublishedScores) -> Iterator[PrintedOrOurs]:
    """Yield what a paper prints of each respondent by each metric."""
    for row in published.rows:
        for metric, value in row.scores.items():
            yield PrintedOrOurs(PAPER, row.respondent, row.kind, metric, value, table=row.table, notes=row.notes)


def _differences(results: Results, published: PublishedScores, paper: list[PrintedOrOurs]) -> Iterator[KnownDifference]:
    task, known = results.study.task, {name: words.for_requesters for name, words in published.family.people.items()}
    test = task.splits.get("test")
    yield "items", _items(results), f"the test set has {test:,} items" if test else known.get("items", UNKNOWN)
    yield "one answer per item", _rule(results.human), known.get("rule", UNKNOWN)
    right = f"the right answer is {GOLDS[results.panel.rules.gold]}"
    yield "gold", right, known.get("gold", "the benchmark's own, as its authors have it")
    names = ", ".join(metric_named(name).title for name in dict.fromkeys(figure.metric for figure in paper))
    own = "the same names, as the authors' script counts them; --as-published counts so here too"
    counted = f"{names}, as counted here"
    yield "metric", counted, own if task.published else "the same names, as the paper counts them"
    if notes := dict.fromkeys(note for figure in paper for note in figure.notes):
        here = "the judgments are simulated: programs answered, not people" if results.human.simulated else DASH
        yield "said beside the figure", here, " ".join(notes)


def _items(results: Results) -> str:
    panel, task = results.panel, results.study.task
    words = f"{counted(len(panel.votes.items), 'item')}, {len(panel.gold)} of them with gold"
    family = leaderboard_of(task.id)
    foreign = family.unknown(task, panel.votes.items) if family else ""
    return words + ("; they are not numbered as the benchmark's test set" if foreign else "")


def _rule(human: HumanBaseline) -> str:
    rules, panel = human.panel.rules, human.panel
    votes = "1 or more votes" if rules.min_votes == 1 else f"{rules.min_votes} or more votes"
    least = "no threshold of controls" if rules.control_min is None else f"controls at least {rules.control_min:.0%}"
    kept = f"{len(panel.workers) - len(panel.excluded)} of {len(panel.workers)} workers"
    return f"{consensus_words(human)}; {votes}; ties {TIES[rules.ties]}; {least}; {kept}"
