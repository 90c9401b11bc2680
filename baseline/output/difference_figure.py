"""The figure of a study: how far each respondent is from people, on an axis fitted to the models that matter.

It is an SVG on pages and a `tikzpicture` in LaTeX, with the same axis, marks and words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from baseline.comparison.verdicts import Standing, Standings
from baseline.output.html import drawn_with
from baseline.output.latex import latex
from baseline.output.plots import CLASSES, Axis, scale, shortened
from data.numbers import counted

LEAST_REACH = 0.05
"""Half of the shortest axis: five points."""
EDGE = 0.04
"""The part of the axis that stays free at each end."""
STEPS = 0.6
"""The part of the axis that four of its steps take."""
FAR = 2.0
"""A model that reaches so many times further than all that are nearer is marked at the edge."""
TIKZ_WIDTH, TIKZ_ROW = 6.5, 0.62
"""Centimetres of the axis and of a row in LaTeX."""


@dataclass(frozen=True)
class FigureLayout:
    """Places in a figure: columns in per cent of its width, heights in pixels, characters of a name."""

    name: str
    plot: tuple[float, float]
    row: int
    longest: int


WIDE = FigureLayout("desktop", (22.0, 46.0), 44, 24)
NARROW = FigureLayout("phone", (2.0, 96.0), 76, 30)


@dataclass(frozen=True)
class FigureRow:
    """A respondent: its words, and its interval in per cent of the plot; with `beyond` it lies outside the axis."""

    name: str
    label: str
    kind: str
    score: str
    verdict: str
    difference: str
    aside: str
    title: str
    at: float
    low: float
    high: float
    filled: bool
    beyond: str
    y: int


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


def _row(standings: Standings, row: Standing, label: str, axis: Axis, y: int) -> FigureRow:
    apart, written = row.difference, standings.scale
    low, high = apart.ci if apart.ci[0] == apart.ci[0] else (apart.value, apart.value)
    beyond = "left" if apart.value < axis.low else "right" if apart.value > axis.high else ""
    here = written.score(row.people)
    fewer = f"on {counted(apart.n, 'item')}, where {standings.reference} score {here}"
    return FigureRow(
        name=row.called,
        label=label,
        kind=CLASSES[row.kind],
        score=written.score(row.score),
        verdict=row.verdict_words,
        difference=written.difference(apart.value),
        aside="" if here == written.score(standings.people.value) else fewer,
        title=f"{row.called}: {standings.tooltip(row)}",
        at=axis.at(apart.value),
        low=axis.at(low),
        high=axis.at(high),
        filled=row.significant,
        beyond=beyond,
        y=y,
    )


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
    edge = EDGE * (high - low)
    return Axis(low - edge, high + edge, step, edge=0.0)


def _reach(row: Standing) -> float:
    """Return how far from zero a difference or its interval goes."""
    return max(abs(end) for end in (row.difference.value, *row.difference.ci) if end == end)


def difference_tikz(standings: Standings) -> str:
    """Return the figure as a `tikzpicture`; "" without rows."""
    return "\n".join(_tikz_lines(standings)) if standings.rows else ""


def _tikz_lines(standings: Standings) -> Iterator[str]:
    axis, bottom = fitted_axis(standings), -TIKZ_ROW * len(standings.rows) - 0.1
    yield r"\begin{tikzpicture}[x=1cm,y=1cm,font=\small]"
    for value, words in _ticks(standings, axis):
        x = _across(axis, value)
        yield rf"\draw[{'gray!40' if value else 'thick'}] ({x},0.1) -- ({x},{bottom:.3f});"
        yield rf"\node[above] at ({x},0.1) {{{latex(words) if value else words}}};"
    for place, row in enumerate(standings.rows):
        yield from _tikz_row(standings, row, -TIKZ_ROW * (place + 0.5), axis)
    yield r"\end{tikzpicture}"


def _across(axis: Axis, value: float) -> str:
    return f"{TIKZ_WIDTH * axis.share(value):.3f}"


def _tikz_row(standings: Standings, row: Standing, y: float, axis: Axis) -> Iterator[str]:
    value, ci = row.difference.value, row.difference.ci
    yield rf"\node[left] at (-0.2,{y:.3f}) {{{latex(row.called)}}};"
    if not axis.low <= value <= axis.high:
        words = latex(standings.scale.difference(value))
        left = value < axis.low
        side, words = ("right", rf"$\triangleleft$ {words}") if left else ("left", rf"{words} $\triangleright$")
        yield rf"\node[{side},inner sep=1pt,fill=white] at ({0 if left else TIKZ_WIDTH},{y:.3f}) {{{words}}};"
    else:
        if ci[0] == ci[0]:
            yield rf"\draw[thick] ({_across(axis, ci[0])},{y:.3f}) -- ({_across(axis, ci[1])},{y:.3f});"
        yield rf"\draw[fill={'black' if row.significant else 'white'}] ({_across(axis, value)},{y:.3f}) circle (0.08);"
    words = latex(f"{standings.scale.score(row.score)}  {row.verdict_words}")
    yield rf"\node[right] at ({TIKZ_WIDTH + 0.2:.3f},{y:.3f}) {{{words}}};"
