"""Numbers as they are read in a terminal or a Markdown file, every score with its interval; scored files."""

from collections.abc import Mapping

from baseline.comparison.scoring_files import FileScore
from data.console import table
from eval.intervals import Interval
from eval.scoring import Estimate

MINUS = "−"


def score_text(found: FileScore) -> str:
    """Return the score of two files for a terminal."""
    rows = [[name, number(e.value), interval(e), e.method] for name, e in found.metrics.items()]
    head = f"{found.task}: {found.n} items; {_pairs('statuses', found.statuses)}"
    read = f"read: {found.read}"
    return "\n".join([head, read, table(["metric", "value", "95% interval", "method"], rows)])


def number(value: float | None) -> str:
    """Return a score with three decimals, a dash where there is none."""
    return "—" if value is None or value != value else f"{value:.3f}".replace("-", MINUS)


def interval(estimate: Estimate) -> str:
    """Return the interval of an estimate as `0.969–0.992`, a dash where there is none."""
    return ends(estimate.ci)


def ends(found: Interval | None) -> str:
    """Return an interval as `0.969–0.992`, or `−0.038 to −0.010` where an end is below zero; a dash for none."""
    if found is None or found[0] != found[0]:
        return "—"
    low, high = (f"{end:.3f}" for end in found)
    return f"{low} to {high}".replace("-", MINUS) if found[0] < 0 else f"{low}–{high}"


def _pairs(name: str, values: Mapping[str, object]) -> str:
    return f"{name}: " + ", ".join(f"{key.replace('_', ' ')} {_shown(value)}" for key, value in values.items())


def _shown(value: object) -> str:
    return "—" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
