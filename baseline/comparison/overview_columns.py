"""The overview as one table for the page, LaTeX and the figure, its first sentence, and its scores as data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from baseline.comparison.overview import PEOPLE, VERDICTS, Overview, OverviewColumn, OverviewRow, OverviewScore
from baseline.comparison.verdicts import AS_GOOD, BETTER, WORSE, Scale
from data.numbers import counted, p_sign
from data.tables import Column, Table
from eval.arrays import number_or_none
from eval.intervals.wilson import Interval

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
        Column(column.name, column.words, "", _cell_of(column.name), OverviewCell.words) for column in columns
    ]
    return Table("", (Column("task", "task", "", lambda line: line.title), *scores), lines)


def _cell_of(name: str) -> Callable[[OverviewLine], OverviewCell]:
    return lambda line: line.cell(name)


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
    lacking = f"{score.done} of {score.of} items" if score.incomplete else ""
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
    scale, said = row.scale, score.verdict or score.why_not or row.metric
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


@dataclass(frozen=True)
class PlacedScore:
    """One score of the overview: of which study, and whose."""

    row: OverviewRow
    column: OverviewColumn
    score: OverviewScore


def _end(ends: Interval | None, place: int) -> float | None:
    return number_or_none(ends[place]) if ends else None


SCORES: tuple[Column[PlacedScore], ...] = (
    Column("task", "task", "", lambda placed: placed.row.task),
    Column("study", "study", "", lambda placed: placed.row.study),
    Column("counts", "counts", "", lambda placed: placed.row.counts),
    Column("metric", "metric", "", lambda placed: placed.row.metric),
    Column("items", "items", "", lambda placed: placed.row.items),
    Column("respondent", "respondent", "", lambda placed: placed.column.name),
    Column("kind", "kind", "", lambda placed: placed.column.kind),
    Column("imported", "imported", "", lambda placed: placed.column.imported),
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
    Column("verdict", "verdict", "", lambda placed: placed.score.verdict or placed.score.why_not),
    Column("note", "note", "", lambda placed: placed.score.note),
)


def score_list(overview: Overview) -> Table[PlacedScore]:
    """Return a row for each score of the overview."""
    known = {column.name: column for column in overview.columns}
    rows = [PlacedScore(row, known[name], cell) for row in overview.rows for name, cell in row.scores.items()]
    return Table("", SCORES, rows)
