"""The score over groups that follow one another, such as lengths of texts: one line for each respondent."""

import re
from collections.abc import Sequence

from baseline.comparison.breakdowns import BrokenDown
from baseline.comparison.results import Results
from baseline.output.figures import in_sentence
from baseline.output.plots import Plot, Point, Series, plot
from baseline.output.score_table import CLASSES, row_name
from baseline.output.tables import interval, number
from eval.metrics.table import metric_named

AMOUNT = re.compile(r"\d+k?")
MOST = 7
"""Lines that are drawn; of more, names and intervals would cover one another."""


def follows(one: BrokenDown) -> bool:
    """Return whether the groups are amounts in their order, so that a line between them says something."""
    return len(one.parts) > 2 and all(AMOUNT.fullmatch(part.group) for part in one.parts)


def curve_of(results: Results, one: BrokenDown) -> Plot:
    """Return the score of people and of the best models over the groups, equally far from one another."""
    rows = {row.name: row for row in results.rows}
    metric = metric_named(one.metric)
    shown = one.respondents[:MOST]
    series = []
    for place, name in enumerate(shown):
        points = tuple(
            Point(at, e.value, e.ci, f"{words.en}: {number(e.value)} ({interval(e)}), n = {e.n}")
            for at, (words, part) in enumerate(zip(one.words, one.parts, strict=True))
            for e in [part.scores[place]]
            if e.n
        )
        if points:
            series.append(Series(row_name(rows[name], results.human), CLASSES[rows[name].kind], points))
    return plot(
        series,
        x_ticks=list(enumerate(words.en for words in one.words)),
        x_title=in_sentence(one.breakdown.title.en),
        y_title=f"{in_sentence(metric.title)}, with 95% intervals",
        label=_label(one, series),
        natural=(metric.low, metric.high),
    )


def shade(value: float, low: float, high: float) -> str:
    """Return the class of a score's shade in a heat map: five steps of all that the metric can be."""
    if value != value:
        return ""
    return f"deep-{min(5, 1 + int((value - low) / (high - low) * 5))}"


def _label(one: BrokenDown, series: Sequence[Series]) -> str:
    told = "; ".join(f"{line.name}: " + ", ".join(number(point.value) for point in line.points) for line in series)
    return f"Score by {in_sentence(one.breakdown.title.en)} ({', '.join(words.en for words in one.words)}): {told}"
