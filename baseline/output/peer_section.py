"""The figure of agreement with people: everybody on one axis, with the band of single persons."""

from markupsafe import Markup

from baseline.comparison.peer_agreement import PeerAgreement
from baseline.comparison.peer_tables import FIGURES
from baseline.output.interval_rows import (
    MOST_ROWS,
    IntervalAxis,
    IntervalLegend,
    IntervalRow,
    drawn_rows,
    left_out,
    middle_of,
)
from baseline.output.page_numbers import CLASSES
from data.numbers import number, with_interval

PERSON = {"person": "people"}
WHOSE = {"human": "people", "person": "people", "model": "models", "naive": "naive baselines"}
"""Whose the colours of the picture are."""


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
