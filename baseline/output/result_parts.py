"""Drawn parts of a study's results: groups of items, what people would say of judged items, cost, rankings."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from markupsafe import Markup

from baseline.comparison.cost_and_time import COST_AND_TIME, CostAndTime, amount, costs_and_times
from baseline.comparison.judging import MEAN, JudgedNumber, Judging, judging, number_columns
from baseline.comparison.pair_rankings import PairRankings, competitors, ranking_section, ranks_words, strength_words
from baseline.comparison.results import Results
from baseline.comparison.score_breakdowns import BrokenDown, breakdown_table
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES, Axis, axis_of, estimate_title
from baseline.output.plots import (
    MOST_DOTS,
    MOST_ROWS,
    IntervalAxis,
    IntervalRow,
    Plot,
    Point,
    Series,
    dots_of,
    drawn_rows,
    height_of,
    plot,
    ticks,
)
from data.numbers import interval, number
from data.tables import Column, Table
from data.wording import Wording, in_sentence
from db.engine import Session
from eval.estimate import Estimate
from eval.intervals.wilson import UNDEFINED
from eval.judges.ppi import PredictionPowered
from eval.metrics.table import metric_named
from eval.scoring import GroupScores

AMOUNT = re.compile(r"\d+k?")
MOST_LABELS = 5
"""Labels whose shares stand on the page, those that people give most; the command has all."""
DRAWN = (("the judge says", "models"), ("people alone", "people"), ("people, with the judge", "joint"))
HIDDEN = ("what", "judged", "of_people", "worth")
"""Columns that stand small within others on the page."""
MOST_JUDGES = 6
"""Judges that stand beside people where people have answered all the items, the nearest to them first."""
MOST_RANKINGS = 4
FIRST_ROWS = 15
"""Competitors in the picture that is in sight at once; of more a second one, folded, has them all."""


def draw_group_tables(results: Results, breakdowns: Sequence[BrokenDown]) -> Markup:
    """Return a table for each breakdown, shaded as a heat map, with a picture beside the numbers.

    It is a curve where the groups follow one another, and else a dot with its interval for everybody in each group.
    """
    return drawn_with("groups.html", groups=[_group_table(results, breakdown) for breakdown in breakdowns])


def _group_table(results: Results, breakdown: BrokenDown) -> dict[str, Any]:
    """Return what the template shows of a breakdown; `people` are names and kinds of those who have a column."""
    metric, title = metric_named(breakdown.metric), breakdown.breakdown.title.for_requesters
    rows = {row.name: row for row in results.rows}
    people = {name: (rows[name].called, CLASSES[rows[name].kind]) for name in breakdown.respondents}
    table, axis = breakdown_table(breakdown).titled({"group": in_sentence(title)}), axis_of(breakdown.metric)
    group, *others = table.columns
    dots: Column[tuple[Wording, GroupScores]] = Column(
        "dots", "interval", "", lambda row: dots_of(row[1].scores, list(people.values()), axis), style="plot"
    )
    # A line between groups says something where they are amounts in their order.
    ordered = len(breakdown.parts) > 2 and all(AMOUNT.fullmatch(part.group) for part in breakdown.parts)
    return {
        "title": title,
        "label": f"{metric.title} by {in_sentence(title)}",
        "table": Table("", [group, *([] if ordered else [dots]), *others], table.rows),
        "people": people,
        "plot": curve_of(breakdown, people) if ordered else None,
        "left_out": breakdown.left_out,
        "axis": axis,
        "more": max(0, len(people) - MOST_DOTS),
        "height": height_of(len(people)),
        "says": lambda score: estimate_title(metric, score),
        "shade": lambda score: shade(score.value, metric.low, metric.high),
    }


def curve_of(breakdown: BrokenDown, people: Mapping[str, tuple[str, str]]) -> Plot:
    """Return the score of people and of the best models over the groups, equally far from one another."""
    metric, title = metric_named(breakdown.metric), in_sentence(breakdown.breakdown.title.for_requesters)
    groups = [words.for_requesters for words in breakdown.words]
    series = []
    for place, (words, kind) in enumerate(list(people.values())[:MOST_DOTS]):
        points = tuple(
            Point(at, e.value, e.ci, f"{group}: {number(e.value)} ({interval(e.ci)}), n = {e.n}")
            for at, (group, part) in enumerate(zip(groups, breakdown.parts, strict=True))
            for e in [part.scores[place]]
            if e.n
        )
        if points:
            series.append(Series(words, kind, points))
    lines = "; ".join(f"{line.name}: " + ", ".join(number(point.value) for point in line.points) for line in series)
    return plot(
        series,
        x_title=title,
        y_title=f"{in_sentence(metric.title)}, with 95% intervals",
        label=f"Score by {title} ({', '.join(groups)}): {lines}",
        x_ticks=list(enumerate(groups)),
        natural=(metric.low, metric.high),
    )


def shade(value: float, low: float, high: float) -> str:
    """Return the class of a score's shade in a heat map: five steps of all that the metric can be."""
    return "" if value != value else f"deep-{min(5, 1 + int((value - low) / (high - low) * 5))}"


@dataclass(frozen=True, eq=False)
class NumberByAll:
    """One number by everybody: what it is in words, and the judges' rows of it."""

    words: str
    rows: list[JudgedNumber]

    @property
    def estimates(self) -> list[Estimate]:
        """People's number, then that of every judge."""
        return [_estimate(self.rows[0].score.people), *map(_of_judge, self.rows)]


def share_table(judged: Judging, shown: Sequence[JudgedNumber], axis: Axis) -> Table[NumberByAll]:
    """Return people's numbers with those of the first judges beside: where there is nothing to correct."""
    judges = [judge.row for judge in judged.judges[:MOST_JUDGES]]
    names = [row.name for row in judges]
    by: dict[tuple[str, str], list[JudgedNumber]] = {}
    for row in shown:
        if row.judge.name in names:
            by.setdefault((row.what, row.group), []).append(row)
    whose = [("people", "people"), *((row.called, "models") for row in judges)]
    columns: list[Column[NumberByAll]] = [
        Column("what", "what", "", lambda row: row.words),
        Column("dots", "on one axis", "", lambda row: dots_of(row.estimates, whose, axis), style="plot"),
        Column("people", "people", "Over all items, with the 95% interval", lambda row: row.estimates[0]),
        *(Column(f"judge {at}", row.called, "", _share_of(row.name)) for at, row in enumerate(judges)),
    ]
    return Table("", columns, [NumberByAll(", ".join(filter(None, named)), rows) for named, rows in by.items()])


def _share_of(judge: str) -> Callable[[NumberByAll], float | None]:
    return lambda row: next((each.score.judge for each in row.rows if each.judge.name == judge), None)


def draw_judges(results: Results) -> Markup:
    """Return a table of numbers, each with its picture."""
    judged = judging(results)
    shown, axis = shown_numbers(judged), axis_of_numbers(judged)
    corrected = any(row.score.corrected.alone for row in shown)
    first, *others = (column for column in number_columns(judged) if column.key not in HIDDEN)
    picture: Column[JudgedNumber] = Column(
        "dots", "on one axis", "", lambda row: dots_of(_estimates(row), DRAWN, axis), style="plot"
    )
    return drawn_with(
        "judges.html",
        numbers=[
            Table("", [first, picture, *others], [row for row in shown if row.judge is judge.row])
            for judge in judged.judges
        ],
        shares=share_table(judged, shown, axis),
        share_height=height_of(1 + min(len(judged.judges), MOST_JUDGES)),
        legend=DRAWN if corrected else DRAWN[:2],
        corrected=corrected,
        axis=axis,
        height=height_of(len(DRAWN)),
        more=len(judged.numbers) > len(shown) or len(judged.judges) > MOST_JUDGES,
        kinds=CLASSES,
        number=number,
        interval=interval,
    )


def shown_numbers(judged: Judging) -> Sequence[JudgedNumber]:
    """Return the numbers that stand on the page: the mean of a scale, else the shares of the labels most given."""
    if means := [row for row in judged.numbers if row.what == MEAN]:
        return means
    shares = {row.what: float(np.nan_to_num(row.score.people.value)) for row in reversed(judged.numbers)}
    most = sorted(shares, key=shares.__getitem__, reverse=True)[:MOST_LABELS]
    return [row for row in judged.numbers if row.what in most]


def axis_of_numbers(judged: Judging) -> Axis:
    """Return the axis of the picture: all that a share, or the mean of the scale, can be."""
    if not any(row.what == MEAN for row in judged.numbers):
        return Axis(0.0, 1.0)
    labels = [float(label) for label in judged.results.human.panel.votes.labels]
    return Axis(min(labels), max(labels))


def _estimates(row: JudgedNumber) -> list[Estimate]:
    """Return what is drawn of a number: the judge's, people's, and that of both where there is something to correct."""
    score = row.score
    both = [_estimate(score.corrected)] if score.corrected.alone else []
    return [_of_judge(row), _estimate(score.people), *both]


def _of_judge(row: JudgedNumber) -> Estimate:
    return Estimate(row.score.judge, UNDEFINED, "item", "none", row.score.judged)


def _estimate(estimate: PredictionPowered) -> Estimate:
    return Estimate(estimate.value, estimate.ci, "item", estimate.method, estimate.n)


def draw_cost(session: Session, results: Results) -> Markup:
    """Return a row for everybody, and the score against the cost where two have both; nothing without figures."""
    costs = costs_and_times(session, results)
    if not any(each.cost is not None or len(each.seconds) for each in costs):
        return Markup()
    priced = [cost for cost in costs if cost.cost is not None and results.study.task.primary in cost.row.scores]
    by_currency: dict[str, list[CostAndTime]] = {}
    for cost in priced:
        by_currency.setdefault(cost.currency, []).append(cost)
    largest = max(by_currency.values(), key=len, default=[])
    return drawn_with(
        "cost.html",
        table=Table("", COST_AND_TIME, costs),
        kinds=CLASSES,
        plot=_score_by_cost(largest, results.study.task.primary) if len(largest) > 1 else None,
        left_out=[cost.row.called for cost in priced if cost not in largest],
        currency=largest[0].currency if largest else "",
    )


def _score_by_cost(priced: Sequence[CostAndTime], primary: str) -> Plot:
    metric, series = metric_named(primary), []
    for row in priced:
        score, cost = row.row.scores[metric.name], row.cost or 0.0
        title = f"{number(score.value)} ({interval(score.ci)}), {amount(cost)} an item"
        point = Point(cost, score.value, score.ci, title)
        series.append(Series(row.row.called, CLASSES[row.row.kind], (point,)))
    points_named = ", ".join(f"{line.name}: {line.points[0].title}" for line in series)
    return plot(
        series,
        x_title=f"cost of an item, {priced[0].currency or 'in the money of the price list'}",
        y_title=f"{in_sentence(metric.title)}, with 95% intervals",
        label=f"Score against cost: {points_named}",
        x_ticks=ticks(max(cost.cost or 0.0 for cost in priced)),
        natural=(metric.low, metric.high),
        at_points=True,
    )


def draw_ranking(rankings: PairRankings) -> Markup:
    """Return what the rankings say, the picture of those who come first, all of them and the tables folded."""
    section, many = ranking_section(rankings), len(rankings.names) > FIRST_ROWS
    return drawn_with(
        "ordered.html",
        sentences=section.lines,
        figure=ranking_figure(rankings, FIRST_ROWS),
        tables=[(table.caption, replace(table, caption="")) for table in section.tables],
        notes=section.notes,
        more=[(f"All {len(rankings.names)} in one picture", ranking_figure(rankings))] if many else [],
    )


def ranking_figure(rankings: PairRankings, most: int = MOST_ROWS) -> Markup:
    """Return the first competitors by people's strengths, with the strengths that each judge gives beside."""
    judged = rankings.judged[:MOST_RANKINGS]
    kinds = ("people", "models", "naive", "naive")[: len(judged)]
    everyone = competitors(rankings.first)
    shown = [row for row in everyone if np.isfinite(rankings.first.log[row.at])][:most]
    values = []
    for one in judged:
        finite = one.ranking.log[np.isfinite(one.ranking.log)]
        size = float(finite.std()) or 1.0 if len(finite) else 1.0
        values.append((one.ranking.log / size, one.ranking.ci / size))
    axis = IntervalAxis.around([end for logs, cis in values for row in shown for end in (logs[row.at], *cis[row.at])])
    rows = []
    for row in shown:
        marks = [
            axis.mark(
                kind,
                logs[row.at],
                tuple(cis[row.at]),
                f"{rankings.names[row.at]}, by {one.words}: rank {one.ranking.rank[row.at]}, "
                f"{strength_words(one.ranking.log[row.at], tuple(one.ranking.ci[row.at]))}",
            )
            for kind, one, (logs, cis) in zip(kinds, judged, values, strict=True)
            if np.isfinite(logs[row.at])
        ]
        words = f"{row.ranking.rank[row.at]} ({ranks_words(row.ranks)})"
        rows.append(IntervalRow(rankings.names[row.at], words, marks))
    left_out = f"; {len(everyone) - len(shown)} more are in the table" if len(everyone) > len(shown) else ""
    title = f"further right is stronger, in standard deviations of each ranking{left_out}"
    legend = [(kind, one.words) for kind, one in zip(kinds, judged, strict=True)]
    return drawn_rows(rows, axis, title=title, legend=legend, beside="rank")
