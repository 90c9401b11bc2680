"""Rows of dots with intervals on one axis, names and words beside them, as an SVG that fits any width."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from baseline.output.html import drawn_with
from baseline.output.plots import scale, shortened
from data.numbers import LONG_NUMBER, MINUS
from eval.intervals.wilson import Interval

MOST_ROWS = 70
"""Rows of a picture; of more the last are left out, and it says so."""
ROW, TOP = 22, 30
WIDE, NARROW = 46, 21  # characters of a name, by the width of the page
BEYOND = "an arrow: the interval has no end on that side, or one beyond the axis"


@dataclass(frozen=True)
class IntervalMark:
    """A value with its interval, in per cent of the width of the plot, the words about it, and arrows.

    An arrow, its place and its sign, stands at an end of the axis beyond which the interval goes.
    """

    kind: str
    at: float
    low: float
    high: float
    title: str
    arrows: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class IntervalRow:
    """A row of a picture: its name, the words beside it, and a mark for everybody who says something of it."""

    name: str
    words: str
    y: int
    marks: tuple[IntervalMark, ...]


@dataclass(frozen=True)
class IntervalAxis:
    """The ends of an axis and the `step` of its marks."""

    low: float
    high: float
    step: float

    @classmethod
    def around(cls, values: Sequence[float], natural: Interval = (-float("inf"), float("inf"))) -> "IntervalAxis":
        """Return an axis that holds all finite values, within what they can be."""
        finite = [float(value) for value in values if np.isfinite(value)] or [0.0]
        return cls(*scale(min(finite), max(finite), natural))

    def at(self, value: float) -> float:
        """Return the place of a value in per cent, that of an end where it lies beyond."""
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 2)

    def mark(self, kind: str, value: float, ends: Interval, title: str) -> IntervalMark:
        """Return a value with its interval; an end that there is not is the value."""
        low, high = (value if np.isnan(end) else end for end in ends)
        beyond = ((0.0, "◂", low < self.low), (100.0, "▸", high > self.high))
        arrows = tuple((at, sign) for at, sign, reached in beyond if reached)
        return IntervalMark(kind, self.at(value), self.at(low), self.at(high), title, arrows)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The places of the marks, and what stands at them; of long numbers every second."""
        every = 1 if self.high < LONG_NUMBER else 2
        steps = range(0, round((self.high - self.low) / self.step) + 1, every)
        values = [round(self.low + self.step * n, 10) for n in steps]
        return [(self.at(value), f"{value:g}".replace("-", MINUS)) for value in values]


@dataclass(frozen=True)
class IntervalLegend:
    """What the axis is, whose the colours are and what stands `beside` the rows."""

    title: str
    kinds: Sequence[tuple[str, str]]
    beside: str


def drawn_rows(rows: Sequence[IntervalRow], axis: IntervalAxis, legend: IntervalLegend) -> Markup:
    """Return the picture."""
    names = [row.name for row in rows]
    labels = [*zip(shortened(names, WIDE), shortened(names, NARROW), strict=True)]
    beyond = BEYOND if any(mark.arrows for row in rows for mark in row.marks) else ""
    return drawn_with(
        "intervals.html", rows=rows, labels=labels, ticks=axis.ticks, title=legend.title, legend=legend.kinds,
        beside=legend.beside, beyond=beyond, height=TOP + ROW * len(rows) + 26,
    )  # fmt: skip


def middle_of(place: int) -> int:
    """Return how far down a row stands."""
    return TOP + ROW * place + ROW // 2


def left_out(rows: Sequence[object], shown: Sequence[object]) -> str:
    """Return how many rows the picture leaves out, "" for none."""
    return f"; {len(rows) - len(shown)} more are in the table" if len(rows) > len(shown) else ""
