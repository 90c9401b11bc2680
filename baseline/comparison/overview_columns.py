"""The columns of the overview: one row each for the page, Markdown, JSON and CSV; every score with its interval."""

from collections.abc import Callable
from dataclasses import dataclass

from baseline.comparison.overview import Overview, OverviewColumn, OverviewRow, OverviewScore
from data.numbers import DASH, interval, number, points
from data.tables import Column, Table
from eval.arrays import number_or_none
from eval.intervals.wilson import Interval

NOT_ASKED = OverviewScore(float("nan"), None, 0, 0, 0)
"""The score of whoever was not asked."""


@dataclass(frozen=True)
class PlacedScore:
    """One score of the overview: of which study, whose, and what it is, NOT_ASKED where there is none."""

    row: OverviewRow
    column: OverviewColumn
    score: OverviewScore

    def words(self) -> str:
        """Return the score in words: `0.812 (0.740–0.870) [−4.1*], 412 of 500`; a dash for none."""
        cell = self.score
        text = number(cell.value) + (f" ({interval(cell.ci)})" if cell.ci else "")
        text += f" [{points(cell.apart)}{'*' if cell.significant else ''}]" if cell.apart is not None else ""
        return text + (f", {cell.done} of {cell.of} {self.unit}" if cell.incomplete else "")

    @property
    def unit(self) -> str:
        """What it is of."""
        return "tasks" if self.row.total else "items"


def _end(ends: Interval | None, place: int) -> float | None:
    return number_or_none(ends[place]) if ends else None


ROWS: tuple[Column[OverviewRow], ...] = (
    Column("title", "task", "", lambda row: row.title, forms=("json", "markdown", "page")),
    Column("task", "task", "", lambda row: row.task, forms=("json",)),
    Column("family", "family", "", lambda row: row.family, forms=("json",)),
    Column("study", "study", "", lambda row: row.study or None, lambda study: study or DASH, ("json", "markdown")),
    Column("metric", "metric", "", lambda row: row.metric, forms=("json",)),
    Column("items", "items", "", lambda row: row.items, forms=("json",)),
    Column("newest", "newest", "", lambda row: row.newest, forms=("json",)),
    Column("state", "state", "", lambda row: row.state, forms=("json",)),
    Column("simulated", "simulated", "", lambda row: row.simulated, forms=("json",)),
    Column("scores", "scores", "", lambda row: row.scores, forms=("json",)),
)


SCORES: tuple[Column[PlacedScore], ...] = (
    Column("task", "task", "", lambda placed: placed.row.task),
    Column("study", "study", "", lambda placed: placed.row.study),
    Column("metric", "metric", "", lambda placed: placed.row.metric),
    Column("items", "items", "", lambda placed: placed.row.items),
    Column("respondent", "respondent", "", lambda placed: placed.column.name),
    Column("kind", "kind", "", lambda placed: placed.column.kind),
    Column("value", "value", "", lambda placed: number_or_none(placed.score.value)),
    Column("low", "low", "", lambda placed: _end(placed.score.ci, 0)),
    Column("high", "high", "", lambda placed: _end(placed.score.ci, 1)),
    Column("n", "n", "", lambda placed: placed.score.n),
    Column("done", "done", "", lambda placed: placed.score.done),
    Column("of", "of", "", lambda placed: placed.score.of),
    Column("difference", "difference", "", lambda placed: placed.score.apart),
    Column("difference_low", "difference_low", "", lambda placed: _end(placed.score.apart_ci, 0)),
    Column("difference_high", "difference_high", "", lambda placed: _end(placed.score.apart_ci, 1)),
    Column("p_holm", "p_holm", "", lambda placed: placed.score.p),
    Column("note", "note", "", lambda placed: placed.score.note),
    Column("imported", "imported", "", lambda placed: placed.score.imported),
)


def overview_table(overview: Overview, form: str) -> Table[OverviewRow]:
    """Return the overview as a table, which has a column for each respondent where people read it."""
    scores: list[Column[OverviewRow]] = [
        Column(column.name, column.words, "", _score_of(column), PlacedScore.words, ("markdown", "page"))
        for column in overview.columns
    ]
    return Table("", (*ROWS, *scores), overview.rows).within(form)


def score_list(overview: Overview) -> Table[PlacedScore]:
    """Return a row for each score of the overview."""
    known = {column.name: column for column in overview.columns}
    rows = [PlacedScore(row, known[name], cell) for row in overview.rows for name, cell in row.scores.items()]
    return Table("", SCORES, rows)


def _score_of(column: OverviewColumn) -> Callable[[OverviewRow], PlacedScore]:
    return lambda row: PlacedScore(row, column, row.scores.get(column.name, NOT_ASKED))
