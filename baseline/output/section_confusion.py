"""The section "Who takes what for what?": a matrix for each respondent, drawn."""

from markupsafe import Markup

from baseline.comparison.confusion import Confused, confusions
from baseline.comparison.results import Results
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES
from data.numbers import interval, number


def draw_confusion(results: Results) -> Markup:
    """Return a matrix for each respondent; the labels that stand in no gold and no answer are left out."""
    tables = [(results.display_name(row), CLASSES[row.kind], table) for row, table in confusions(results)]
    return drawn_with("confusion.html", tables=tables, says=_says, shade=_shade)


def _says(found: Confused) -> str:
    """Return what is said of a cell on hover."""
    if not found.total:
        return f"no item is {found.gold}"
    return (
        f"of {found.total:g} answers to items that are {found.gold}, {found.count:.1f} say {found.said}: "
        f"{number(found.share)}, 95% interval {interval(found.ci)}"
    )


def _shade(found: Confused) -> str:
    """Return the class of a cell's shade: five steps, and none for no answer at all."""
    return f"deep-{min(5, int(found.share * 5 + 0.999)) if found.count else 0}"
