"""What commands print in a terminal: tables under a line that says what they are of."""

from baseline.comparison.scoring_files import FileScore
from baseline.human.baseline_tables import joined
from data.console import table
from data.numbers import interval, number


def score_text(found: FileScore) -> str:
    """Return the score of two files for a terminal."""
    rows = [[name, number(e.value), interval(e.ci), e.method] for name, e in found.metrics.items()]
    head = f"{found.task}: {found.n} items; statuses: {joined(found.statuses.items())}"
    return "\n".join([head, f"read: {found.read}", table(["metric", "value", "95% interval", "method"], rows)])
