"""The section "Does a model judge as people do?": agreement with people, and what they would say of all items."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from baseline.comparison.judge_sentences import judge_sentences
from baseline.comparison.judge_tables import JUDGES, NUMBERS, PAIRS, judge_notes
from baseline.comparison.judging import MEAN, JudgedNumber, Judging, judging
from baseline.comparison.results import Results
from baseline.output.group_section import dots_of, height_of
from baseline.output.html import drawn_with
from baseline.output.page_numbers import Axis
from baseline.output.score_table import CLASSES
from data.numbers import interval, number
from data.tables import Column, Table
from eval.estimate import Estimate
from eval.intervals.wilson import UNDEFINED
from eval.judges.correction import CorrectedScore
from eval.judges.ppi import PredictionPowered

MOST_LABELS = 5
"""Labels whose shares stand on the page, those that people give most; the command has all."""
DRAWN = (("the judge says", "models"), ("people alone", "people"), ("people, with the judge", "joint"))
HIDDEN = ("what", "judged", "of_people", "worth")
"""Columns that stand small within others on the page."""
ONLY_CORRECTED = ("corrected", "rogan_gladen", "halving")


def draw_judges(results: Results) -> Markup:
    """Return the section: a sentence, a table of judges, and one of numbers, each with its picture."""
    judged = judging(results)
    shown, axis = shown_numbers(judged), axis_of_numbers(judged)
    corrected = any(row.score.corrected.alone for row in shown)
    left_out = HIDDEN if corrected else (*HIDDEN, *ONLY_CORRECTED)
    first, *others = (
        column
        for column in Table("", NUMBERS, ()).within("page").columns
        if column.key not in left_out and (column.key != "group" or judged.grouped)
    )
    picture: Column[JudgedNumber] = Column(
        "dots", "on one axis", "", lambda row: dots_of(_drawn(row.score), DRAWN, axis), style="plot"
    )
    return drawn_with(
        "judges.html",
        sentence=(judge_sentences(judged) or [""])[0],
        judges=Table("", JUDGES, judged.judges),
        numbers=Table("", [first, picture, *others], shown),
        legend=DRAWN if corrected else DRAWN[:2],
        corrected=corrected,
        axis=axis,
        height=height_of(len(DRAWN) if corrected else 2),
        more=len(judged.numbers) - len(shown),
        pairs=Table("", PAIRS, judged.pairs),
        rows={row.name: row for row in results.rows},
        called=results.display_name,
        kinds=CLASSES,
        number=number,
        interval=interval,
        notes=judge_notes(judged),
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


def _drawn(score: CorrectedScore) -> list[Estimate]:
    """Return what is drawn of a number: the judge's, people's, and that of both where there is something to correct."""
    judge = Estimate(score.judge, UNDEFINED, "item", "none", score.judged)
    return [judge, _estimate(score.people), *([_estimate(score.corrected)] if score.corrected.alone else [])]


def _estimate(estimate: PredictionPowered) -> Estimate:
    return Estimate(estimate.value, estimate.ci, "item", estimate.method, estimate.n)
