"""The figures of a report: every respondent's score with its interval, and what majorities of people would score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.page_numbers import Axis
from baseline.output.score_table import CLASSES, axis_of
from data.numbers import interval, number
from eval.estimate import Estimate
from eval.intervals.wilson import Interval
from eval.metrics.table import metric_named

LEFT, PLOT, ROW, TOP = 250, 430, 30, 34
CURVE_TOP, CURVE_HEIGHT, CURVE_LEFT = 24, 220, 60


@dataclass(frozen=True)
class DotRow:
    """One respondent: its name and colour, its score and interval as places in pixels, and the words beside them."""

    name: str
    kind: str
    y: int
    at: float
    low: float
    high: float
    words: str


def score_figure(results: Results) -> Markup | None:
    """Return the dot plot of a study, people first, on the whole axis of the metric; None where nothing is scored."""
    primary = results.study.task.primary
    axis = axis_of(primary)
    rows: list[DotRow] = []
    for row in results.rows:
        estimate = row.scores.get(primary)
        if estimate and estimate.value == estimate.value:
            rows.append(_dot(row.called, CLASSES[row.kind], TOP + ROW * len(rows), estimate, axis))
    if not rows:
        return None
    majority = results.human.majority.get(primary)
    return drawn_with(
        "dots.html",
        label=f"{metric_named(primary).title} of {len(rows)} respondents with 95% intervals",
        rows=rows,
        people=_x(majority.value, axis) if majority else None,
        ticks=[(round(LEFT + PLOT * float(str(t["at"])) / 100, 1), t["words"]) for t in axis.ticks()],
        width=LEFT + PLOT + 170,
        height=TOP + ROW * len(rows),
    )


def crowd_figure(results: Results, crowds: Mapping[int, Mapping[str, Estimate]]) -> Markup | None:
    """Return what a majority of k people would score, with each model as a line; None for fewer than two odd sizes.

    Even numbers have no place on the curve, here as in what each model is worth: with two, ties are broken at random.
    """
    primary = results.study.task.primary
    estimates = [(k, scores[primary]) for k, scores in sorted(crowds.items()) if k % 2 and primary in scores]
    estimates = [(k, e) for k, e in estimates if e.value == e.value]
    if len(estimates) < 2:
        return None
    models = [(row, row.scores[primary]) for row in results.models if primary in row.scores]
    values = [e.value for _, e in (*estimates, *models) if e.value == e.value]
    metric = metric_named(primary)
    low, high = axis_ends(values, (metric.low, metric.high))
    points = [(_across(place, len(estimates)), _down(e.value, low, high)) for place, (_, e) in enumerate(estimates)]
    return drawn_with(
        "majorities.html",
        label=f"{metric_named(primary).title} of a majority of {estimates[0][0]} to {estimates[-1][0]} people",
        points=[(x, y, k, number(e.value)) for (x, y), (k, e) in zip(points, estimates, strict=True)],
        line=" ".join(f"{x},{y}" for x, y in points),
        models=_labels([(row.called, CLASSES[row.kind], e, low, high) for row, e in models]),
        ends=(number(low), number(high)),
        bottom=CURVE_TOP + CURVE_HEIGHT,
        top=CURVE_TOP,
        left=CURVE_LEFT,
        right=CURVE_LEFT + PLOT,
    )


def _dot(name: str, kind: str, y: int, estimate: Estimate, axis: Axis) -> DotRow:
    low, high = (end if end == end else estimate.value for end in estimate.ci)
    words = f"{number(estimate.value)}  {interval(estimate.ci)}"
    return DotRow(name, kind, y, _x(estimate.value, axis), _x(low, axis), _x(high, axis), words)


def _x(value: float, axis: Axis) -> float:
    return round(LEFT + PLOT * axis.at(value) / 100, 1)


def axis_ends(values: Sequence[float], natural: Interval) -> Interval:
    """Return the ends of an axis that holds all values with some room, within all that they can be.

    >>> axis_ends([0.8, 1.0], (0.0, 1.0))
    (0.78, 1.0)
    """
    spare = max(0.02, 0.1 * (max(values) - min(values)))
    return max(min(values) - spare, natural[0]), min(max(values) + spare, natural[1])


def _across(place: int, number_of: int) -> float:
    return round(CURVE_LEFT + 30 + place * (PLOT - 60) / (number_of - 1), 1)


def _down(value: float, low: float, high: float) -> float:
    return round(CURVE_TOP + CURVE_HEIGHT * (high - value) / (high - low), 1)


def _labels(models: Sequence[tuple[str, str, Estimate, float, float]]) -> list[tuple[str, str, float, float]]:
    """Return name, colour, height and the height of the label, which keeps clear of the one above it."""
    labels, last = [], float("-inf")
    for name, kind, estimate, low, high in sorted(models, key=lambda model: -model[2].value):
        y = _down(estimate.value, low, high)
        last = max(y, last + 15)
        labels.append((f"{name} {number(estimate.value)}", kind, y, last))
    return labels
