"""What people would say of all the items that a model has judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from baseline.comparison.judge_tables import NUMBERS
from baseline.comparison.judging import MEAN, JudgedNumber, Judging, judging
from baseline.comparison.results import Results
from baseline.output.group_section import dots_of, height_of
from baseline.output.html import drawn_with
from baseline.output.page_numbers import CLASSES, Axis
from data.numbers import interval, number
from data.tables import Column, Table
from eval.estimate import Estimate
from eval.intervals.wilson import UNDEFINED
from eval.judges.ppi import CorrectedScore, PredictionPowered

MOST_LABELS = 5
"""Labels whose shares stand on the page, those that people give most; the command has all."""
DRAWN = (("the judge says", "models"), ("people alone", "people"), ("people, with the judge", "joint"))
HIDDEN = ("what", "judged", "of_people", "worth")
"""Columns that stand small within others on the page."""
MOST_JUDGES = 6
"""Judges that stand beside people where people have answered all the items, the nearest to them first."""


@dataclass(frozen=True, eq=False)
class NumberByAll:
    """One number by everybody: `what` it is, over the items of a `group`, and the judges' rows of it."""

    what: str
    group: str
    rows: tuple[JudgedNumber, ...]

    @property
    def words(self) -> str:
        """What it is, and of which group."""
        return f"{self.what}, {self.group}" if self.group else self.what

    @property
    def estimates(self) -> list[Estimate]:
        """People's number, then that of every judge."""
        judges = [Estimate(row.score.judge, UNDEFINED, "item", "none", row.score.judged) for row in self.rows]
        return [_estimate(self.rows[0].score.people), *judges]


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
    return Table("", columns, [NumberByAll(what, group, tuple(rows)) for (what, group), rows in by.items()])


def _share_of(judge: str) -> Callable[[NumberByAll], float | None]:
    return lambda row: next((each.score.judge for each in row.rows if each.judge.name == judge), None)


def draw_judges(results: Results) -> Markup:
    """Return a table of numbers, each with its picture."""
    judged = judging(results)
    shown, axis = shown_numbers(judged), axis_of_numbers(judged)
    corrected = any(row.score.corrected.alone for row in shown)
    first, *others = (
        column
        for column in Table("", NUMBERS, ()).within("read").columns
        if column.key not in HIDDEN and (column.key != "group" or judged.grouped)
    )
    picture: Column[JudgedNumber] = Column(
        "dots", "on one axis", "", lambda row: dots_of(_estimates(row.score), DRAWN, axis), style="plot"
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


def _estimates(score: CorrectedScore) -> list[Estimate]:
    """Return what is drawn of a number: the judge's, people's, and that of both where there is something to correct."""
    judge = Estimate(score.judge, UNDEFINED, "item", "none", score.judged)
    return [judge, _estimate(score.people), *([_estimate(score.corrected)] if score.corrected.alone else [])]


def _estimate(estimate: PredictionPowered) -> Estimate:
    return Estimate(estimate.value, estimate.ci, "item", estimate.method, estimate.n)
