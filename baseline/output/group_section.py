"""The section "By group of items": a table of groups for each breakdown, one column a respondent, and a picture.

The picture is a curve where the groups follow one another, such as lengths of texts, and else a dot for everybody.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from baseline.comparison.results import Results
from baseline.comparison.score_breakdowns import BrokenDown, breakdown_table
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES, Axis, axis_of, estimate_title
from baseline.output.plots import Plot, PlotTitles, Point, Series, plot
from data.numbers import interval, number
from data.tables import Column, Table
from data.wording import Wording, in_sentence
from eval.estimate import Estimate
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.scoring import GroupScores

AMOUNT = re.compile(r"\d+k?")
MOST = 7
"""Respondents that are drawn; of more, lines and dots would cover one another."""
TOP, APART = 10, 13  # pixels: the first dot, and one below the other


@dataclass(frozen=True)
class GroupTable:
    """One breakdown as the section shows it: a curve above it, or dots on an axis in it.

    `people` are the names and kinds of the respondents that have a column.
    """

    title: str
    label: str
    metric: Metric
    table: Table[tuple[Wording, GroupScores]]
    people: Mapping[str, tuple[str, str]]
    plot: Plot | None
    left_out: str

    @property
    def axis(self) -> Axis:
        """The axis of the dots."""
        return axis_of(self.metric.name)

    @property
    def more(self) -> int:
        """How many respondents are not drawn."""
        return max(0, len(self.people) - MOST)

    @property
    def height(self) -> int:
        """How high the dots of one group are, in pixels."""
        return height_of(len(self.people))

    def says(self, score: Estimate) -> str:
        """Return what is said of a score on hover."""
        return estimate_title(self.metric, score)

    def shade(self, score: Estimate) -> str:
        """Return the class of a score's shade."""
        return shade(score.value, self.metric.low, self.metric.high)


def draw_group_tables(results: Results, breakdowns: Sequence[BrokenDown]) -> Markup:
    """Return a table for each breakdown, shaded as a heat map, with a picture beside the numbers.

    It is a curve where the groups follow one another, and else a dot with its interval for everybody in each group.
    """
    return drawn_with("groups.html", groups=[_table(results, breakdown) for breakdown in breakdowns])


def _table(results: Results, breakdown: BrokenDown) -> GroupTable:
    metric, title = metric_named(breakdown.metric), breakdown.breakdown.title.for_requesters
    rows = {row.name: row for row in results.rows}
    people = {name: (rows[name].called, CLASSES[rows[name].kind]) for name in breakdown.respondents}
    table, axis = breakdown_table(breakdown).titled({"group": in_sentence(title)}), axis_of(breakdown.metric)
    group, *others = table.columns
    dots: Column[tuple[Wording, GroupScores]] = Column(
        "dots", "interval", "", lambda row: dots_of(row[1].scores, list(people.values()), axis), style="plot"
    )
    plot = curve_of(results, breakdown) if is_ordered(breakdown) else None
    columns = [group, *([] if plot else [dots]), *others]
    label = f"{metric.title} by {in_sentence(title)}"
    return GroupTable(title, label, metric, Table("", columns, table.rows), people, plot, breakdown.left_out)


def is_ordered(breakdown: BrokenDown) -> bool:
    """Return whether the groups are amounts in their order, so that a line between them says something."""
    return len(breakdown.parts) > 2 and all(AMOUNT.fullmatch(part.group) for part in breakdown.parts)


def curve_of(results: Results, breakdown: BrokenDown) -> Plot:
    """Return the score of people and of the best models over the groups, equally far from one another."""
    rows = {row.name: row for row in results.rows}
    metric = metric_named(breakdown.metric)
    shown = breakdown.respondents[:MOST]
    series = []
    for place, name in enumerate(shown):
        points = tuple(
            Point(at, e.value, e.ci, f"{words.for_requesters}: {number(e.value)} ({interval(e.ci)}), n = {e.n}")
            for at, (words, part) in enumerate(zip(breakdown.words, breakdown.parts, strict=True))
            for e in [part.scores[place]]
            if e.n
        )
        if points:
            series.append(Series(rows[name].called, CLASSES[rows[name].kind], points))
    titles = PlotTitles(
        x=in_sentence(breakdown.breakdown.title.for_requesters),
        y=f"{in_sentence(metric.title)}, with 95% intervals",
        label=_label(breakdown, series),
    )
    return plot(
        series,
        titles,
        x_ticks=list(enumerate(words.for_requesters for words in breakdown.words)),
        natural=(metric.low, metric.high),
    )


def shade(value: float, low: float, high: float) -> str:
    """Return the class of a score's shade in a heat map: five steps of all that the metric can be."""
    if value != value:
        return ""
    return f"deep-{min(5, 1 + int((value - low) / (high - low) * 5))}"


def _label(breakdown: BrokenDown, series: Sequence[Series]) -> str:
    lines = "; ".join(f"{line.name}: " + ", ".join(number(point.value) for point in line.points) for line in series)
    groups = ", ".join(words.for_requesters for words in breakdown.words)
    return f"Score by {in_sentence(breakdown.breakdown.title.for_requesters)} ({groups}): {lines}"


@dataclass(frozen=True)
class GroupDot:
    """A score and its interval as per cent across, and pixels down; `title` says all of it."""

    kind: str
    at: float
    low: float
    high: float
    y: int
    title: str


def dots_of(scores: Sequence[Estimate], people: Sequence[tuple[str, str]], axis: Axis) -> list[GroupDot]:
    """Return a dot for each of the first of the `people`, name and kind, one below the other.

    Where there is no score a gap is left.
    """
    dots = []
    for place, (e, (name, kind)) in enumerate(zip(scores[:MOST], people, strict=False)):
        if e.value == e.value:
            low, high = e.ci if e.ci[0] == e.ci[0] else (e.value, e.value)
            title, y = f"{name}: {number(e.value)} ({interval(e.ci)})", TOP + APART * place
            dots.append(GroupDot(kind, axis.at(e.value), axis.at(low), axis.at(high), y, title))
    return dots


def height_of(respondents: int) -> int:
    """Return how high the dots of so many respondents are, in pixels."""
    return 2 * TOP + APART * (min(respondents, MOST) - 1)
