"""The figure of a report: every respondent's score with its interval."""

from dataclasses import dataclass

from markupsafe import Markup

from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES, Axis, axis_of
from data.numbers import interval, number
from eval.estimate import Estimate
from eval.metrics.table import metric_named

LEFT, PLOT, ROW, TOP = 250, 430, 30, 34


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


def _dot(name: str, kind: str, y: int, estimate: Estimate, axis: Axis) -> DotRow:
    low, high = (end if end == end else estimate.value for end in estimate.ci)
    words = f"{number(estimate.value)}  {interval(estimate.ci)}"
    return DotRow(name, kind, y, _x(estimate.value, axis), _x(low, axis), _x(high, axis), words)


def _x(value: float, axis: Axis) -> float:
    return round(LEFT + PLOT * axis.at(value) / 100, 1)
