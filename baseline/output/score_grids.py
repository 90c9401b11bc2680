"""The tables of a report that hold every respondent: the scores, and how the models stand to people."""

from collections.abc import Iterable

from baseline.comparison.document import Grid
from baseline.comparison.results import Results
from baseline.comparison.standing_table import HEADER, standing_rows
from baseline.output.baseline_report import grid
from baseline.output.results_text import HEADERS, score_lines
from data.numbers import interval, number
from eval.metrics.table import metric_named


def score_grids(results: Results) -> Iterable[Grid]:
    """Yield the score of every respondent by the task's first metric, and by all of them where it has several."""
    task = results.study.task
    title = metric_named(task.primary).title
    caption = f"{title} on the same items, with 95% intervals and the difference from people"
    yield grid(caption, [HEADERS[0], task.primary, *HEADERS[1:]], score_lines(results))
    scored = [row for row in results.rows if row.scores]
    if len(task.metrics) > 1 and scored:
        rows = [
            [row.name, *(f"{number(e.value)} ({interval(e.ci)})" for name in task.metrics for e in [row.scores[name]])]
            for row in scored
        ]
        yield grid("Every metric, with 95% intervals", ["respondent", *task.metrics], rows)


def standing_grids(results: Results) -> Iterable[Grid]:
    """Yield how the models stand to people, where there are models."""
    if results.models:
        yield grid("How the models stand to people", HEADER, standing_rows(results))
