"""What an answer costs and how long it takes, for people and for models, and the score against the cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from baseline.comparison.results import Respondent, Results
from baseline.imports.importing import imported_words
from baseline.output.figures import in_sentence
from baseline.output.plots import Plot, Point, Series, plot, ticks
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES, row_name
from baseline.output.tables import interval, number
from baseline.runs.resuming import CURRENCY
from db.efforts import of_people, of_runs
from db.engine import Session
from eval.arrays import Floats
from eval.intervals import median_interval
from eval.metrics.table import metric_named

DASH = "—"


@dataclass(frozen=True)
class Spent:
    """What one item took of one respondent: money (None where no price is known) and seconds, with their interval.

    For people an item is all of its votes: one answer out of several costs as much as they all. `currency` is "" where
    it was not stored.
    """

    row: Respondent
    cost: float | None
    currency: str
    seconds: Floats
    answers: int
    tokens: str = ""
    cached: int = 0

    @property
    def median(self) -> float:
        """The median seconds of an answer, NaN where none is timed."""
        return float(np.median(self.seconds)) if len(self.seconds) else float("nan")


def spent(session: Session, results: Results) -> list[Spent]:
    """Return what everybody's items took, people first, then the models that were asked."""
    runs = of_runs(session, run_ids=[row.run.id for row in results.rows if row.run])
    timed, pay, panel = of_people(session, study=results.study), results.human.pay, results.human.panel
    found = []
    for row in results.rows:
        if row.run is None:
            judged = panel.judgments["main"]
            answered = int((panel.votes.counts.sum(axis=1) > 0).sum()) if row.name != "human:individual" else judged
            total = pay["total"]
            cost = total / answered if total is not None and answered else None
            found.append(Spent(row, cost, pay["currency"] or "", timed, judged))
        elif effort := runs.get(row.run.id):
            whole = effort.priced == effort.answers and effort.answers > effort.cached
            cost = effort.cost / (effort.answers - effort.cached) if whole else None
            tokens = f"{effort.prompt_tokens} + {effort.completion_tokens}" if effort.prompt_tokens else ""
            currency = str(row.run.settings.get(CURRENCY, ""))
            found.append(Spent(row, cost, currency, effort.seconds, effort.answers, tokens, effort.cached))
    return found


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
        left_out=[row_name(one.row, results.human) for one in priced if one not in drawn],
        currency=drawn[0].currency if drawn else "",
    )


def _row(one: Spent, results: Results) -> dict[str, Any]:
    ends = median_interval(one.seconds)
    return {
        "name": row_name(one.row, results.human),
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
            row_name(one.row, results.human),
            CLASSES[one.row.kind],
            (
                Point(
                    one.cost or 0.0,
                    e.value,
                    e.ci,
                    f"{number(e.value)} ({interval(e)}), {_money(one.cost or 0)} an item",
                ),
            ),
        )
        for one in priced
        for e in [one.row.scores[metric.name]]
    ]
    told = ", ".join(f"{one.name}: {one.points[0].title}" for one in series)
    return plot(
        series,
        x_ticks=ticks(max(one.cost or 0.0 for one in priced)),
        x_title=f"cost of an item, {priced[0].currency or 'in the money of the price list'}",
        y_title=f"{in_sentence(metric.title)}, with 95% intervals",
        label=f"Score against cost: {told}",
        natural=(metric.low, metric.high),
        at_points=True,
    )
