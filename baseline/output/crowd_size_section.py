"""How many people a model is worth: the majority of k people against each model, and how each stands to people."""

from collections.abc import Mapping
from dataclasses import replace

from markupsafe import Markup

from baseline.comparison.against_people_table import against_people_notes, against_people_table, both_note, crowd_text
from baseline.comparison.results import Respondent, Results
from baseline.human.interval_scope import THESE_ALONE
from baseline.output.html import drawn_with
from baseline.output.page_numbers import difference_title, p_words
from baseline.output.plots import Plot, PlotTitles, Point, Series, plot
from baseline.output.score_table import CLASSES
from data.numbers import counted, interval, number, points_interval
from data.tables import Column, Table
from eval.comparison.crowd_size import CrowdSize
from eval.comparison.majority_of_k import majority_of_k
from eval.estimate import Estimate
from eval.intervals.clusters import Resampling

MOST_LINES = 8
"""Models whose lines are drawn; of more, names would cover one another."""
ACCURACY = "accuracy"
CURVE: tuple[Column[tuple[int, Estimate]], ...] = (
    Column("k", "people, k", "", lambda row: row[0]),
    Column("value", "accuracy", "", lambda row: row[1].value, number),
    Column("interval", "95% interval", "", lambda row: row[1].ci, interval),
    Column("items", "items", "", lambda row: row[1].n),
)
TITLES = {
    "equivalence": "equivalent to these people (Holm)",
    "people": "equals a majority of",
    "alternative": "winning rate",
}
"""What the columns of standings are called on the page, where there is little room."""


def draw_crowd_size(results: Results) -> Markup:
    """Return the section: the curve with each model's line, then the table of how each stands to people."""
    shown = [row for row in results.models if isinstance(results.against_people[row.name].people, CrowdSize)][
        :MOST_LINES
    ]
    people = _curve(results)
    titles = {**TITLES, "equivalence": TITLES["equivalence"] + results.human.void}
    both = both_note(results)
    return drawn_with(
        "crowd_size.html",
        plot=_plot(results, people, shown) if people else None,
        left_out=len(results.models) - len(shown) if people else 0,
        against_people=replace(against_people_table(results, "page").titled(titles), caption=""),
        curve=Table("", CURVE, tuple(people.items())),
        held=THESE_ALONE,
        kinds=CLASSES,
        titled=difference_title,
        between=points_interval,
        p_words=p_words,
        both=both,
        notes=[note for note in against_people_notes(results) if note != both],
    )


def _curve(results: Results) -> dict[int, Estimate]:
    """Return the accuracy of a majority of k people for each odd k that four fifths of the items have answers for."""
    panel = results.human.panel
    curves = [against.people for against in results.against_people.values()]
    most = max((curve.most for curve in curves if isinstance(curve, CrowdSize)), default=0)
    if not most:
        return {}
    each: Mapping[int, Mapping[str, Estimate]] = majority_of_k(
        [ACCURACY], panel.gold, panel.votes, Resampling(panel.resampling.clusters, 1000), sizes=range(1, most + 1, 2)
    )
    return {k: scores[ACCURACY] for k, scores in each.items()}


def _plot(results: Results, people: Mapping[int, Estimate], shown: list[Respondent]) -> Plot:
    people_curve = Series(
        "k people",
        "people",
        tuple(
            Point(k, e.value, e.ci, f"majority of {k}: {number(e.value)}, 95% interval {interval(e.ci)}, n = {e.n}")
            for k, e in people.items()
        ),
    )
    lines = [_level(results, row, max(people)) for row in shown]
    titles = PlotTitles(
        x="people who vote, k",
        y="accuracy, with 95% intervals for these people",
        label="Accuracy of a majority of k people: "
        + ", ".join(f"{k}: {number(e.value)}" for k, e in people.items())
        + "; models: "
        + ", ".join(f"{row.called} {line.points[0].value:.3f}" for row, line in zip(shown, lines, strict=True)),
    )
    return plot(
        [people_curve, *lines],
        titles,
        x_ticks=[(k, str(k)) for k in people],
        natural=(0.0, 1.0),
    )


def _level(results: Results, row: Respondent, at: int) -> Series:
    people = results.against_people[row.name].people
    assert isinstance(people, CrowdSize)
    title = f"{row.called}: {people.model:.3f} on {counted(people.n, 'item')}; {crowd_text(people)} people"
    return Series(row.called, CLASSES[row.kind], (Point(at, people.model, None, title),), level=True)
