"""The section "What does an answer take?": time and cost of an item, and the score against the cost, drawn."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from baseline.comparison.money import Spent, spent
from baseline.comparison.results import Results
from baseline.output.figures import in_sentence
from baseline.output.plots import Plot, PlotTitles, Point, Series, plot, ticks
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES
from baseline.runs.stored import imported_words
from data.numbers import DASH, interval, number
from db.engine import Session
from eval.intervals import median_interval
from eval.metrics.table import metric_named


def draw_money(session: Session, results: Results) -> Markup:
    """Return the section: a row for everybody, and the score against the cost where two have both."""
    found = spent(session, results)
    priced = [one for one in found if one.cost is not None and results.study.task.primary in one.row.scores]
    groups = [[one for one in priced if one.currency == money] for money in dict.fromkeys(o.currency for o in priced)]
    drawn = max(groups, key=len, default=[])
    return drawn_with(
        "money.html",
        rows=[_row(one, results) for one in found],
        plot=_plot(drawn, results) if len(drawn) > 1 else None,
        left_out=[results.display_name(one.row) for one in priced if one not in drawn],
        currency=drawn[0].currency if drawn else "",
    )


def _row(one: Spent, results: Results) -> dict[str, Any]:
    ends = median_interval(one.seconds)
    return {
        "name": results.display_name(one.row),
        "kind": CLASSES[one.row.kind],
        "simulated": one.row.kind == "human" and results.human.simulated > 0,
        "imported": imported_words(one.row.run),
        "answers": one.answers,
        "seconds": DASH if one.median != one.median else f"{one.median:.2f} s",
        "interval": f"{ends[0]:.2f}–{ends[1]:.2f}" if ends[0] == ends[0] else "",
        "timed": len(one.seconds),
        "cost": DASH if one.cost is None else f"{_money(one.cost)} {one.currency}".strip(),
        "unnamed": one.cost is not None and not one.currency,
        "tokens": one.tokens or DASH,
        "cached": f"{one.cached} replies were taken again for nothing" if one.cached else "",
    }


def _money(value: float) -> str:
    return f"{value:.2f}" if value >= 1 or not value else f"{value:.3g}"


def _plot(priced: Sequence[Spent], results: Results) -> Plot:
    metric = metric_named(results.study.task.primary)
    series = [
        Series(
            results.display_name(one.row),
            CLASSES[one.row.kind],
            (
                Point(
                    one.cost or 0.0,
                    e.value,
                    e.ci,
                    f"{number(e.value)} ({interval(e.ci)}), {_money(one.cost or 0)} an item",
                ),
            ),
        )
        for one in priced
        for e in [one.row.scores[metric.name]]
    ]
    told = ", ".join(f"{one.name}: {one.points[0].title}" for one in series)
    titles = PlotTitles(
        x=f"cost of an item, {priced[0].currency or 'in the money of the price list'}",
        y=f"{in_sentence(metric.title)}, with 95% intervals",
        label=f"Score against cost: {told}",
    )
    return plot(
        series,
        titles,
        x_ticks=ticks(max(one.cost or 0.0 for one in priced)),
        natural=(metric.low, metric.high),
        at_points=True,
    )
