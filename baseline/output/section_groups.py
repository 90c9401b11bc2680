"""The section "By group of items": a table of groups for each breakdown, one column a respondent, and a picture.

The picture is a curve where the groups follow one another, such as lengths of texts, and else a dot for everybody.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from baseline.comparison.breakdowns import BrokenDown, group_metric
from baseline.comparison.results import Results
from baseline.output.figures import Axis, estimate_title, in_sentence
from baseline.output.plots import Plot, PlotTitles, Point, Series, plot
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES, axis_of
from data.numbers import interval, number
from data.wording import enumerated
from eval.metrics.table import metric_named
from eval.scoring import Estimate

AMOUNT = re.compile(r"\d+k?")
MOST = 7
"""Respondents that are drawn; of more, lines and dots would cover one another."""
TOP, APART = 10, 13  # pixels: the first dot, and one below the other


def about_groups(results: Results) -> str:
    """Return what is broken down, and by what."""
    task = results.study.task
    titles = [in_sentence(breakdown.title.en) for breakdown in task.breakdowns]
    return f"{metric_named(group_metric(task)).title} by {enumerated(titles)}"


def draw_group_tables(results: Results, found: Sequence[BrokenDown]) -> Markup:
    """Return a table for each breakdown, shaded as a heat map, with a picture beside the numbers.

    It is a curve where the groups follow one another, and else a dot with its interval for everybody in each group.
    """
    return drawn_with("groups.html", tables=[_table(results, one) for one in found])


def _table(results: Results, one: BrokenDown) -> dict[str, Any]:
    metric, title = metric_named(one.metric), one.breakdown.title.en
    rows = {row.name: row for row in results.rows}
    names = [results.display_name(rows[name]) for name in one.respondents]
    kinds = [CLASSES[rows[name].kind] for name in one.respondents]
    axis, curved = axis_of(one.metric), follows(one)
    return {
        "title": title,
        "label": f"{metric.title} by {in_sentence(title)}",
        "group": in_sentence(title),
        "plot": curve_of(results, one) if curved else None,
        "ticks": [] if curved else axis.ticks()[::2],
        "middle": axis.at((axis.low + axis.high) / 2),
        "ends": (axis.at(axis.low), axis.at(axis.high)),
        "height": height_of(len(names)),
        "more": max(0, len(names) - MOST),
        "respondents": [{"name": name, "kind": kind} for name, kind in zip(names, kinds, strict=True)],
        "rows": [
            {
                "words": words.en,
                "number": part.items,
                "dots": dots_of(part.scores, kinds, _titles(names, part.scores), axis),
                "cells": [
                    {
                        "value": number(e.value),
                        "interval": interval(e.ci),
                        "title": estimate_title(metric, e),
                        "shade": shade(e.value, metric.low, metric.high),
                    }
                    for e in part.scores
                ],
            }
            for words, part in zip(one.words, one.parts, strict=True)
        ],
    }


def _titles(names: Sequence[str], scores: Sequence[Estimate]) -> list[str]:
    return [f"{name}: {number(e.value)} ({interval(e.ci)})" for name, e in zip(names, scores, strict=True)]


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
            Point(at, e.value, e.ci, f"{words.en}: {number(e.value)} ({interval(e.ci)}), n = {e.n}")
            for at, (words, part) in enumerate(zip(one.words, one.parts, strict=True))
            for e in [part.scores[place]]
            if e.n
        )
        if points:
            series.append(Series(results.display_name(rows[name]), CLASSES[rows[name].kind], points))
    titles = PlotTitles(
        x=in_sentence(one.breakdown.title.en),
        y=f"{in_sentence(metric.title)}, with 95% intervals",
        label=_label(one, series),
    )
    return plot(
        series,
        titles,
        x_ticks=list(enumerate(words.en for words in one.words)),
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


@dataclass(frozen=True)
class GroupDot:
    """A score and its interval as per cent across, and pixels down; `title` says all of it."""

    kind: str
    at: float
    low: float
    high: float
    y: int
    title: str


def dots_of(scores: Sequence[Estimate], kinds: Sequence[str], titles: Sequence[str], axis: Axis) -> list[GroupDot]:
    """Return a dot for each of the first respondents, one below the other; where there is no score a gap is left."""
    found = []
    for place, (score, kind, title) in enumerate(zip(scores[:MOST], kinds, titles, strict=False)):
        if score.value == score.value:
            low, high = score.ci if score.ci[0] == score.ci[0] else (score.value, score.value)
            found.append(GroupDot(kind, axis.at(score.value), axis.at(low), axis.at(high), TOP + APART * place, title))
    return found


def height_of(respondents: int) -> int:
    """Return how high the dots of so many respondents are, in pixels."""
    return 2 * TOP + APART * (min(respondents, MOST) - 1)
