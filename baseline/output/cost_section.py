"""The section "What does an answer cost?": time and cost of an item, and the score against the cost, drawn."""

from collections.abc import Sequence

from markupsafe import Markup

from baseline.comparison.cost_and_time import COST_AND_TIME, CostAndTime, amount, costs_and_times
from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES
from baseline.output.plots import Plot, PlotTitles, Point, Series, plot, ticks
from data.numbers import interval, number
from data.tables import Table
from data.wording import in_sentence
from db.engine import Session
from eval.metrics.table import metric_named


def draw_cost(session: Session, results: Results) -> Markup:
    """Return a row for everybody, and the score against the cost where two have both; nothing without figures."""
    costs = costs_and_times(session, results)
    if not any(each.cost is not None or len(each.seconds) for each in costs):
        return Markup()
    priced = [cost for cost in costs if cost.cost is not None and results.study.task.primary in cost.row.scores]
    groups = [
        [cost for cost in priced if cost.currency == money] for money in dict.fromkeys(o.currency for o in priced)
    ]
    largest = max(groups, key=len, default=[])
    return drawn_with(
        "cost.html",
        table=Table("", COST_AND_TIME, costs),
        kinds=CLASSES,
        plot=_plot(largest, results) if len(largest) > 1 else None,
        left_out=[cost.row.called for cost in priced if cost not in largest],
        currency=largest[0].currency if largest else "",
    )


def _plot(priced: Sequence[CostAndTime], results: Results) -> Plot:
    metric = metric_named(results.study.task.primary)
    series = [
        Series(
            cost.row.called,
            CLASSES[cost.row.kind],
            (
                Point(
                    cost.cost or 0.0,
                    e.value,
                    e.ci,
                    f"{number(e.value)} ({interval(e.ci)}), {amount(cost.cost or 0)} an item",
                ),
            ),
        )
        for cost in priced
        for e in [cost.row.scores[metric.name]]
    ]
    points_named = ", ".join(f"{line.name}: {line.points[0].title}" for line in series)
    titles = PlotTitles(
        x=f"cost of an item, {priced[0].currency or 'in the money of the price list'}",
        y=f"{in_sentence(metric.title)}, with 95% intervals",
        label=f"Score against cost: {points_named}",
    )
    return plot(
        series,
        titles,
        x_ticks=ticks(max(cost.cost or 0.0 for cost in priced)),
        natural=(metric.low, metric.high),
        at_points=True,
    )
