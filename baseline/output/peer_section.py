"""The section "Who agrees with people as well as people do?": sentences, and a table whose rows draw intervals."""

from typing import Any

from markupsafe import Markup

from baseline.comparison.peer_agreement import PeerAgreement, PeerRow
from baseline.comparison.peer_sentences import peer_notes, peer_sentences
from baseline.comparison.peer_tables import FIGURES, pair_table, peer_table, verdict
from baseline.comparison.results import Results
from baseline.output.html import drawn_with
from baseline.output.interval_rows import (
    MOST_ROWS,
    IntervalAxis,
    IntervalLegend,
    IntervalRow,
    drawn_rows,
    left_out,
    middle_of,
)
from baseline.output.page_numbers import Axis, adjusted_words
from baseline.output.plots import scale
from baseline.output.score_table import CLASSES, place_of
from data.numbers import interval, number, points, points_interval, with_interval
from data.tables import Column, Table

PERSON = {"person": "people"}
WHOSE = {"human": "people", "person": "people", "model": "models", "naive": "naive baselines"}
"""Whose the colours of the picture are."""
SMALL = ("p_holm", "n", "alpha_people")
"""Columns that stand small within others on the page, or not at all; of figures all but the first stand last."""


def draw_peers(results: Results) -> Markup:
    """Return the section; nothing where nobody stands beside a person."""
    peers = results.peers
    if peers is None:
        return Markup()
    table, axis = peer_table(peers, "page"), _axis(peers)
    first, *others = sorted(
        (c for c in table.columns if c.key not in SMALL), key=lambda c: c.key in peers.measure.names[1:]
    )
    picture: Column[PeerRow] = Column(
        "picture", FIGURES[peers.main][0], "", lambda row: _picture(peers, row, axis), style="plot"
    )
    every = [first, picture, *others]
    of_people = [column for column in every if column.key in ("respondent", "picture", "n", *peers.measure.names)]
    return drawn_with(
        "peers.html",
        sentences=peer_sentences(peers),
        drawing=peer_figure(peers),
        title=FIGURES[peers.main][0],
        meaning=FIGURES[peers.main][1],
        band=peers.band,
        rows=Table("", every, [row for row in peers.shown if row.kind != "person"]),
        people=Table("", of_people, peers.people),
        pairs=pair_table(peers, "page"),
        ticks=axis.ticks(),
        models=bool(peers.models),
        kinds=CLASSES | PERSON,
        names={row.name: row.words for row in peers.rows},
        number=number,
        interval=interval,
        points=points,
        points_interval=points_interval,
        adjusted_words=adjusted_words,
        verdict=verdict,
        notes=peer_notes(peers),
    )


def _axis(peers: PeerAgreement) -> Axis:
    """Return the axis of intervals: all that the figure can be, or all that is shown where that has no end."""
    low, high = peers.measure.range_of(peers.main)
    figures = [row.figures[peers.main] for row in peers.rows]
    ends = [end for each in figures for end in (each.value, *each.ci) if end == end]
    return Axis(low, scale(low, max(ends, default=1.0), (low, high))[1] if high == float("inf") else high)


def peer_figure(peers: PeerAgreement) -> Markup | None:
    """Return everybody's agreement with people on one axis, with the band of single persons; None where there is none.

    Single persons have rows where no model has; beside models they are the band.
    """
    measured = [row for row in (peers.average, *(peers.models or peers.people)) if row.figures[peers.main].n]
    if not measured:
        return None
    shown, kinds = measured[:MOST_ROWS], CLASSES | PERSON
    estimates = [row.figures[peers.main] for row in shown]
    ends = [end for each in estimates for end in (each.value, *each.ci)]
    axis = IntervalAxis.around([*ends, *(peers.band or ())], peers.measure.range_of(peers.main))
    rows = []
    for place, (row, each) in enumerate(zip(shown, estimates, strict=True)):
        mark = axis.mark(kinds[row.kind], each.value, each.ci, f"{row.words}: {with_interval(each.value, each.ci)}")
        name = "One person" if row is peers.average else row.words
        rows.append(IntervalRow(name, number(each.value), middle_of(place), (mark,)))
    band = "; shaded: from the person who agrees least to the one who agrees most" if peers.band else ""
    title = f"{FIGURES[peers.main][0]}, with 95% intervals{band}{left_out(measured, shown)}"
    legend = {kinds[row.kind]: WHOSE[row.kind] for row in reversed(shown)}
    return drawn_rows(rows, axis, IntervalLegend(title, [*reversed(legend.items())], "", peers.band))


def _picture(peers: PeerAgreement, row: PeerRow, axis: Axis) -> dict[str, Any]:
    """Return a row's interval on the common axis, with the band in which single persons lie behind it."""
    own, average = row.figures[peers.main], peers.average.figures[peers.main]
    band, behind = peers.band or average.ci, place_of(axis, average)
    low, high = (axis.at(end) for end in band) if band[0] == band[0] else (axis.at(average.value),) * 2
    return {
        "label": f"{row.words}: {number(own.value)}, 95% interval {interval(own.ci)}",
        "kind": (CLASSES | PERSON)[row.kind],
        "ends": (axis.at(axis.low), axis.at(axis.high)),
        "own": place_of(axis, own),
        "people": behind and {"at": behind["at"], "low": low, "high": high, "width": round(high - low, 2)},
    }
