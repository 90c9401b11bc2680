"""The section "Which gold answers look wrong?": how many look wrong, the first of them as a picture and as a table."""

from markupsafe import Markup

from baseline.comparison.gold_error_table import (
    MOST_IN_REPORT,
    GoldErrorList,
    gold_error_notes,
    gold_error_sentences,
    gold_error_tables,
    gold_errors_or_none,
)
from baseline.comparison.results import Results
from baseline.output.html import draw_order
from baseline.output.interval_rows import IntervalAxis, IntervalLegend, IntervalRow, drawn_rows, middle_of
from data.numbers import percent


def draw_gold_errors(results: Results) -> Markup:
    """Return the section."""
    doubted = gold_errors_or_none(results)
    if doubted is None:
        return Markup()
    return draw_order(
        gold_error_sentences(doubted),
        gold_error_figure(doubted),
        gold_error_tables(doubted, MOST_IN_REPORT),
        gold_error_notes(doubted)[:1],
    )


def gold_error_figure(doubted: GoldErrorList) -> Markup:
    """Return how probably the first golds of the list are wrong."""
    if not doubted.doubtful:
        return Markup()
    axis = IntervalAxis(0.0, 1.0, 0.25)
    rows = [
        IntervalRow(
            row.item,
            row.against,
            middle_of(place),
            (axis.mark("people", row.wrong, (0.0, row.wrong), f"{row.item}: {percent(row.wrong)}, {row.against}"),),
        )
        for place, row in enumerate(doubted.doubtful[:MOST_IN_REPORT])
    ]
    title = f"how probably the gold is wrong, the first {len(rows)} of {len(doubted.rows)} items"
    return drawn_rows(rows, axis, IntervalLegend(title, [("people", "people and models")], "against it"))
