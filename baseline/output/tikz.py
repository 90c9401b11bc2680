"""The figure of a study for LaTeX: a picture of TikZ with the same axis, marks and words as that of the page."""

from collections.abc import Callable, Iterator

from baseline.comparison.verdicts import Standing, Standings
from baseline.output.difference_figure import fitted_axis
from baseline.output.latex import latex
from eval.intervals.wilson import Interval

WIDTH, ROW = 6.5, 0.62
"""Centimetres of the axis and of a row."""


def difference_tikz(standings: Standings) -> str:
    """Return the figure as a `tikzpicture`; "" without rows."""
    return "\n".join(_lines(standings)) if standings.rows else ""


def _lines(standings: Standings) -> Iterator[str]:
    low, high, step = fitted_axis(standings)
    bottom = -ROW * len(standings.rows) - 0.1

    def at(value: float) -> str:
        return f"{WIDTH * (min(max(value, low), high) - low) / (high - low):.3f}"

    yield r"\begin{tikzpicture}[x=1cm,y=1cm,font=\small]"
    for number in range(-int(-low // step), int(high // step) + 1):
        x = at(number * step)
        words = latex(standings.scale.difference(number * step).removesuffix(".0")) if number else standings.reference
        yield rf"\draw[{'thick' if not number else 'gray!40'}] ({x},0.1) -- ({x},{bottom:.3f});"
        yield rf"\node[above] at ({x},0.1) {{{words}}};"
    for place, row in enumerate(standings.rows):
        yield from _row(standings, row, -ROW * (place + 0.5), (low, high), at)
    yield r"\end{tikzpicture}"


def _row(standings: Standings, row: Standing, y: float, ends: Interval, at: Callable[[float], str]) -> Iterator[str]:
    value, ci = row.difference.value, row.difference.ci
    yield rf"\node[left] at (-0.2,{y:.3f}) {{{latex(row.called)}}};"
    if not ends[0] <= value <= ends[1]:
        words = latex(standings.scale.difference(value))
        left = value < ends[0]
        side, words = ("right", rf"$\triangleleft$ {words}") if left else ("left", rf"{words} $\triangleright$")
        yield rf"\node[{side},inner sep=1pt,fill=white] at ({0 if left else WIDTH},{y:.3f}) {{{words}}};"
    else:
        if ci[0] == ci[0]:
            yield rf"\draw[thick] ({at(ci[0])},{y:.3f}) -- ({at(ci[1])},{y:.3f});"
        yield rf"\draw[fill={'black' if row.significant else 'white'}] ({at(value)},{y:.3f}) circle (0.08);"
    words = latex(f"{standings.scale.score(row.score)}  {row.verdict_words}")
    yield rf"\node[right] at ({WIDTH + 0.2:.3f},{y:.3f}) {{{words}}};"
