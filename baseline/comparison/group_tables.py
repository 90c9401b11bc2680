"""The breakdowns of a study as its results page draws them: a table of groups for each, one column a respondent."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from baseline.comparison.breakdowns import BrokenDown, group_metric
from baseline.comparison.curves import curve_of, follows, shade
from baseline.comparison.results import Results
from baseline.output.figures import estimate_title, in_sentence
from baseline.output.group_dots import MOST, dots_of, height_of
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES, axis_of, row_name
from baseline.output.tables import interval, number
from eval.metrics.table import metric_named
from eval.scoring import Estimate


def about_groups(results: Results) -> str:
    """Return what is broken down, and by what."""
    task = results.study.task
    titles = [in_sentence(breakdown.title.en) for breakdown in task.breakdowns]
    return f"{metric_named(group_metric(task)).title} by {joined(titles)}"


def draw_group_tables(results: Results, found: Sequence[BrokenDown]) -> Markup:
    """Return a table for each breakdown, shaded as a heat map, with a picture beside the numbers.

    It is a curve where the groups follow one another, and else a dot with its interval for everybody in each group.
    """
    return drawn_with("groups.html", tables=[_table(results, one) for one in found])


def joined(words: Sequence[str]) -> str:
    """Return words as they are listed: `length`, `length and kind`, `length, kind and skill`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _table(results: Results, one: BrokenDown) -> dict[str, Any]:
    metric, title = metric_named(one.metric), one.breakdown.title.en
    rows = {row.name: row for row in results.rows}
    names = [row_name(rows[name], results.human) for name in one.respondents]
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
                        "interval": interval(e),
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
    return [f"{name}: {number(e.value)} ({interval(e)})" for name, e in zip(names, scores, strict=True)]
