"""Figures as places of an SVG whose words keep their size on any screen: differences from people, curves, dots."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, isnan, log10
from typing import Any

import numpy as np
from markupsafe import Markup

from baseline.comparison.pair_rankings import PairRankings, competitors, ranks_words, strength_words
from baseline.comparison.verdicts import Standing, Standings
from baseline.output.html import drawn_with
from data.numbers import LONG_NUMBER, MINUS, counted, interval, number
from data.wording import in_sentence
from eval.estimate import Estimate, Interval
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named

LEFT, RIGHT = 12.0, 68.0  # per cent of the width: before it the marks of the axis, behind it the names of the lines
TOP, HEIGHT, FOOT = 12, 260, 40  # pixels
APART = 16  # pixels between two names
LONGEST = 17  # characters of a name at its line
MOST_DOTS = 7
"""Respondents that are drawn; of more, lines and dots would cover one another."""
FIRST_DOT, DOTS_APART = 10, 13  # pixels: the first dot, and one below the other
MOST_ROWS = 70
"""Rows of a picture; of more the last are left out, and it says so."""
ROW, ROWS_TOP = 22, 30
WIDE_NAME, NARROW_NAME = 46, 21  # characters of a name, by the width of the page
BEYOND = "an arrow: the interval has no end on that side, or one beyond the axis"
CLASSES = {"human": "people", "model": "models", "naive": "naive"}
"""The class of the colour of each kind of respondent."""
EDGE = 2.5  # per cent of the axis kept free on either side, so that a dot at the end is whole
MOST_RANKINGS = 4


@dataclass(frozen=True)
class Point:
    """A value with its 95% interval (None where there is none) at `x`; `title` says all of it."""

    x: float
    value: float
    ci: Interval | None
    title: str


@dataclass(frozen=True)
class Series:
    """One line, or one point: `kind` is people, models or naive."""

    name: str
    kind: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class PlotPoint:
    """A point of a drawing: per cent across and pixels down; `low` and `high` are the ends of its interval."""

    x: float
    y: float
    low: float | None
    high: float | None
    title: str


@dataclass(frozen=True)
class Drawn:
    """A series as it is drawn, with the place of its name and a thin line that leads there where it had to move."""

    name: str
    kind: str
    marks: tuple[PlotPoint, ...]
    label_x: float
    label_y: float


@dataclass(frozen=True)
class Axis:
    """The ends of an axis, with marks at every `step` (0: five marks); `edge` per cent stay free at either end."""

    low: float
    high: float
    step: float = 0.0
    edge: float = EDGE

    def share(self, value: float) -> float:
        """Return the part of the axis before a value, 0 to 1; that of an end where it lies beyond."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def at(self, value: float) -> float:
        """Return the place of a value in per cent of the width."""
        return round(self.edge + self.share(value) * (100 - 2 * self.edge), 2)

    def mark(self, kind: str, value: float, ends: Interval, title: str, y: int = 0) -> "IntervalMark":
        """Return a value with its interval; an end that there is not is the value."""
        low, high = (value if isnan(end) else end for end in ends)
        beyond = ((0.0, "◂", low < self.low), (100.0, "▸", high > self.high))
        arrows = tuple((at, sign) for at, sign, reached in beyond if reached)
        return IntervalMark(kind, self.at(value), self.at(low), self.at(high), title, arrows, y)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The places of the marks, and what stands at them; of long numbers every second."""
        step, every = self.step or (self.high - self.low) / 4, 1 if self.high < LONG_NUMBER else 2
        values = [round(self.low + step * n, 10) for n in range(0, round((self.high - self.low) / step) + 1, every)]
        return [(self.at(value), f"{value:g}".replace("-", MINUS)) for value in values]


def axis_of(metric: str) -> Axis:
    """Return the axis of a metric's scores: all that they can be, never a part of it; a dot at the end is whole."""
    return Axis(metric_named(metric).low, metric_named(metric).high)


def axis_around(values: Sequence[float]) -> Axis:
    """Return an axis that holds all finite values."""
    finite = [float(value) for value in values if np.isfinite(value)] or [0.0]
    return Axis(*scale(min(finite), max(finite), (-float("inf"), float("inf"))), edge=0.0)


def plot(
    series: Sequence[Series],
    metric: Metric,
    *,
    x_title: str,
    label: str,
    x_ticks: Sequence[tuple[float, str]],
    at_points: bool = False,
) -> Markup:
    """Return the series, scores by a metric, as a picture; `label` says it in words.

    The axis shows the part in which the values and their intervals are, and says so. `at_points` puts names beside
    points and not behind the ends of lines.
    """
    values = [end for line in series for point in line.points for end in (point.value, *(point.ci or ())) if end == end]
    low, high, step = scale(min(values), max(values), (metric.low, metric.high))
    xs, axis = [x for x, _ in x_ticks], Axis(low, high)
    span = max(xs) - min(xs)

    def across(x: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * ((x - min(xs)) / span if span else 0.5), 2)

    def down(value: float) -> float:
        return round(HEIGHT - axis.share(value) * (HEIGHT - TOP), 1)

    def mark(point: Point) -> PlotPoint:
        low, high = map(down, point.ci) if point.ci and point.ci[0] == point.ci[0] else (None, None)
        return PlotPoint(across(point.x), down(point.value), low, high, point.title)

    curves = []
    for line, name in zip(series, shortened([line.name for line in series]), strict=True):
        marks = tuple(mark(point) for point in line.points if point.value == point.value)
        if marks:
            x = marks[-1].x + 1.8 if at_points else RIGHT + 3
            curves.append(Drawn(name, line.kind, marks, x, marks[-1].y))
    marked = [low + step * count for count in range(round((high - low) / step) + 1)]
    return drawn_with(
        "plot.html",
        series=_apart(curves),
        x_ticks=[(across(x), words) for x, words in x_ticks],
        y_ticks=[(down(value), _figure(value, step)) for value in marked],
        x_title=x_title,
        y_title=f"{in_sentence(metric.title)}, with 95% intervals",
        label=label,
        cut=_figure(low, step) if low > metric.low else "",
        sides=(LEFT, RIGHT),
        foot=HEIGHT,
        height=HEIGHT + FOOT,
    )


def scale(least: float, most: float, natural: Interval) -> tuple[float, float, float]:
    """Return the ends of an axis at whole steps around these values, within what they can be, and the step."""
    span = max(most - least, 0.02 * (natural[1] - natural[0]) if natural[1] < float("inf") else 1e-9)
    rough = span / 4
    size = 10.0 ** floor(log10(rough))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= rough - 1e-12)
    low = max(natural[0], floor(least / step + 1e-9) * step)
    high = min(natural[1], ceil(most / step - 1e-9) * step)
    return (low, high, step) if high - low > step / 2 else (max(natural[0], low - step), high, step)


def ticks(most: float) -> list[tuple[float, str]]:
    """Return marks from zero to a whole step above `most`."""
    _, high, step = scale(0.0, most or 1.0, (0.0, float("inf")))
    return [(step * count, _figure(step * count, step)) for count in range(round(high / step) + 1)]


def shortened(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Return names as they fit behind a line: the beginning and the end of each, and more where two would look alike.

    That a line is people's its colour says: of a long name only the rest stands there.
    """
    return [_cut(name, _distinct_length(name, {*names} - {name}, longest)) for name in names]


def _distinct_length(name: str, others: Collection[str], longest: int) -> int:
    """Return the least length to which a name may be cut so that no other would look the same."""
    for length in range(longest, len(name) - 1):
        if all(_cut(other, length) != _cut(name, length) for other in others):
            return length
    return longest if all(_cut(other, longest) != _cut(name, longest) for other in others) else len(name)


def _cut(name: str, longest: int) -> str:
    said = name if len(name) <= longest else name.removeprefix("People, ")
    return said if len(said) <= longest else f"{said[: longest - 9]}…{said[-8:]}"


def _apart(curves: Sequence[Drawn]) -> list[Drawn]:
    """Return the series with their names moved down, then up, until none covers another."""
    placed: list[Drawn] = []
    for line in sorted(curves, key=lambda line: line.label_y):
        near = [other for other in placed if abs(other.label_x - line.label_x) < RIGHT - LEFT]
        least = max((other.label_y + APART for other in near), default=float(TOP))
        placed.append(replace(line, label_y=max(line.label_y, least)))
    limit = float(HEIGHT)
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = replace(placed[place], label_y=min(placed[place].label_y, limit))
        limit = placed[place].label_y - APART
    return placed


def _figure(value: float, step: float) -> str:
    digits = max(0, -floor(log10(step) + 1e-9)) + (1 if round(step / 10 ** floor(log10(step)), 6) == 2.5 else 0)
    return f"{value:.{digits}f}".replace("-", MINUS)


@dataclass(frozen=True)
class IntervalMark:
    """A value with its interval, in per cent of the width of the plot, the words about it, and arrows.

    An arrow, its place and its sign, stands at an end of the axis beyond which the interval goes. `y` is how far down
    the mark of a cell is, in pixels.
    """

    kind: str
    at: float
    low: float
    high: float
    title: str
    arrows: tuple[tuple[float, str], ...] = ()
    y: int = 0


IntervalRow = tuple[str, str, Sequence[IntervalMark]]
"""A row of a picture: its name, the words beside it, and a mark for everybody who says something of it."""


def drawn_rows(rows: Sequence[IntervalRow], axis: Axis, *, title: str, legend: Sequence[tuple[str, str]]) -> Markup:
    """Return rows as a picture: what the axis is, whose the colours are."""
    names = [name for name, *_ in rows]
    labels = [*zip(shortened(names, WIDE_NAME), shortened(names, NARROW_NAME), strict=True)]
    beyond = BEYOND if any(mark.arrows for *_, marks in rows for mark in marks) else ""
    left = max(16, round(40 * max((len(narrow) for _, narrow in labels), default=0) / NARROW_NAME))
    zero = next((n for n, (_, words) in enumerate(axis.ticks) if words == "0"), 0)
    return drawn_with(
        "intervals.html", rows=rows, labels=labels, left=left, ticks=axis.ticks, zero=zero, title=title,
        legend=legend, beyond=beyond, first=ROWS_TOP + ROW // 2, pitch=ROW,
        height=ROWS_TOP + ROW * len(rows) + 26,
    )  # fmt: skip


def dots_of(scores: Sequence[Estimate], people: Sequence[tuple[str, str]], axis: Axis) -> list[IntervalMark]:
    """Return a dot for each of the first of the `people`, name and kind, one below the other.

    Where there is no score a gap is left.
    """
    return [
        axis.mark(kind, e.value, e.ci, f"{name}: {number(e.value)} ({interval(e.ci)})", FIRST_DOT + DOTS_APART * place)
        for place, (e, (name, kind)) in enumerate(zip(scores[:MOST_DOTS], people, strict=False))
        if not isnan(e.value)
    ]


def height_of(respondents: int) -> int:
    """Return how high the dots of so many respondents are, in pixels."""
    return 2 * FIRST_DOT + DOTS_APART * (min(respondents, MOST_DOTS) - 1)


def estimate_title(metric: Metric, estimate: Estimate) -> str:
    """Return what is said of a score on hover: its interval, how that was computed, of how many answers."""
    name = metric.title if estimate.against is None else f"Agreement with {estimate.against}"
    if estimate.method == "none":
        why = f"no interval, since there is only one {estimate.unit}" if estimate.n else "nothing to score"
        return f"{name} {number(estimate.value)}; {why}; n = {estimate.n}"
    how = "Wilson's" if estimate.method == "wilson" else estimate.method
    made = f"{how} over {estimate.unit}s"
    if estimate.ci_items is not None:
        made = f"for other people too; {made} alone {interval(estimate.ci_items)}"
    return f"{name} {number(estimate.value)}; 95% interval {interval(estimate.ci)} ({made}); n = {estimate.n}"


def ranking_figure(rankings: PairRankings, most: int = MOST_ROWS) -> Markup:
    """Return the first competitors by people's strengths, with the strengths that each judge gives beside."""
    judged = rankings.judged[:MOST_RANKINGS]
    kinds = ("people", "models", "naive", "naive")[: len(judged)]
    everyone = competitors(rankings.first)
    shown = [row for row in everyone if np.isfinite(rankings.first.log[row.at])][:most]
    values = []
    for one in judged:
        finite = one.ranking.log[np.isfinite(one.ranking.log)]
        size = float(finite.std()) or 1.0 if len(finite) else 1.0
        values.append((one.ranking.log / size, one.ranking.ci / size))
    axis = axis_around([end for logs, cis in values for row in shown for end in (logs[row.at], *cis[row.at])])
    rows = []
    for row in shown:
        marks = [
            axis.mark(
                kind,
                logs[row.at],
                tuple(cis[row.at]),
                f"{rankings.names[row.at]}, by {one.words}: rank {one.ranking.rank[row.at]}, "
                f"{strength_words(one.ranking.log[row.at], tuple(one.ranking.ci[row.at]))}",
            )
            for kind, one, (logs, cis) in zip(kinds, judged, values, strict=True)
            if np.isfinite(logs[row.at])
        ]
        words = f"{row.ranking.rank[row.at]} ({ranks_words(row.ranks)})"
        rows.append((rankings.names[row.at], words, marks))
    left_out = f"; {len(everyone) - len(shown)} more are in the table" if len(everyone) > len(shown) else ""
    title = f"further right is stronger, in standard deviations of each ranking{left_out}"
    legend = [(kind, one.words) for kind, one in zip(kinds, judged, strict=True)]
    return drawn_rows(rows, axis, title=title, legend=legend)


LEAST_REACH = 0.05
"""Half of the shortest axis: five points."""
FREE = 0.04
"""The part of the axis that stays free at each end."""
STEPS = 0.6
"""The part of the axis that four of its steps take."""
FAR = 2.0
"""A model that reaches so many times further than all that are nearer is marked at the edge."""


@dataclass(frozen=True)
class FigureLayout:
    """Places in a figure: columns in per cent of its width, heights in pixels, characters of a name."""

    name: str
    plot: tuple[float, float]
    row: int
    longest: int


WIDE = FigureLayout("desktop", (22.0, 46.0), 44, 24)
NARROW = FigureLayout("phone", (2.0, 96.0), 76, 30)


def difference_figure(standings: Standings, layout: FigureLayout = WIDE) -> Markup:
    """Return the figure as an SVG whose words keep their size at any width; nothing without rows."""
    if not standings.rows:
        return Markup()
    axis = fitted_axis(standings)
    labels = shortened([row.called for row in standings.rows], layout.longest)
    rows = [
        _row(standings, row, label, axis, layout.row * place)
        for place, (row, label) in enumerate(zip(standings.rows, labels, strict=True))
    ]
    return drawn_with(
        "difference_figure.html",
        layout=layout,
        rows=rows,
        zero=axis.at(0.0),
        ticks=[(axis.at(value), words) for value, words in _ticks(standings, axis) if value],
        reference=standings.reference,
        unit=standings.scale.unit or "difference",
        metric=standings.scale.name,
        height=30 + layout.row * len(rows),
    )


def _ticks(standings: Standings, axis: Axis) -> list[tuple[float, str]]:
    """Return the values that are marked, at whole steps from people, and what stands at them."""
    first, last = -int(-axis.low // axis.step), int(axis.high // axis.step)
    values = [axis.step * number for number in range(first, last + 1)]
    words = standings.scale.difference
    return [(each, words(each).removesuffix(".0") if each else standings.reference) for each in values]


def _row(standings: Standings, row: Standing, label: str, axis: Axis, y: int) -> dict[str, Any]:
    """Return what the template shows of a respondent; with `beyond` its interval lies outside the axis."""
    apart, written = row.difference, standings.scale
    low, high = apart.ci if apart.ci[0] == apart.ci[0] else (apart.value, apart.value)
    beyond = "left" if apart.value < axis.low else "right" if apart.value > axis.high else ""
    here = written.score(row.people)
    fewer = f"on {counted(apart.n, 'item')}, where {standings.reference} score {here}"
    return {
        "name": row.called,
        "label": label,
        "kind": CLASSES[row.kind],
        "score": written.score(row.score),
        "verdict": row.verdict_words,
        "difference": written.difference(apart.value),
        "aside": "" if here == written.score(standings.people.value) else fewer,
        "title": f"{row.called}: {standings.tooltip(row)}",
        "at": axis.at(apart.value),
        "low": axis.at(low),
        "high": axis.at(high),
        "filled": row.significant,
        "beyond": beyond,
        "y": y,
    }


def fitted_axis(standings: Standings) -> Axis:
    """Return the axis: around zero, and all but those much further off than the others."""
    near = sorted(filter(lambda row: row.kind != "naive", standings.rows), key=_reach) or [*standings.rows]
    reach, shown = max(_reach(near[0]), LEAST_REACH), []
    for row in near:
        if row.significant and _reach(row) > FAR * reach:
            break
        reach = max(reach, _reach(row))
        shown.append(row)
    ends = [end for row in shown for end in (row.difference.value, *row.difference.ci) if end == end]
    low, high = min([-LEAST_REACH / 2, *ends]), max([LEAST_REACH / 2, *ends])
    step = scale(STEPS * low, STEPS * high, (-float("inf"), float("inf")))[2]
    edge = FREE * (high - low)
    return Axis(low - edge, high + edge, step, edge=0.0)


def _reach(row: Standing) -> float:
    """Return how far from zero a difference or its interval goes."""
    return max(abs(end) for end in (row.difference.value, *row.difference.ci) if end == end)
