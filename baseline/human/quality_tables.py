"""The rules on workers applied afterwards as tables: what each found, whom, and what leaving them out changes."""

from collections.abc import Sequence

from baseline.human.deidentified import names_of
from baseline.human.quality_afterwards import ALL, Quality
from baseline.human.quality_checks import Check
from data.numbers import DASH, interval, number
from data.tables import Column, Table
from eval.estimate import Estimate
from eval.reanalysis import Analysis
from eval.workers import TITLES
from eval.workers.rule import Finding

SHOWN = 3


CHECKS: tuple[Column[Check], ...] = (
    Column("rule", "rule", "", lambda check: check.title),
    Column("how", "how it was applied", "", lambda check: check.how),
    Column("found", "workers found", "", lambda check: DASH if check.refused else str(len(check.findings))),
)


def check_table(quality: Quality) -> Table[Check]:
    """Return a row for each rule: how it was applied and how many it found."""
    return Table("", CHECKS, quality.checks)


def change_table(quality: Quality) -> Table[str]:
    """Return a row for each number of the study, with everybody and without those whom each rule found."""
    shown = {"with everybody": _numbers(quality.before, quality)}
    for name, effect in quality.after.items():
        title = "without all of these" if name == ALL else f"without: {TITLES[name]}"
        shown[title] = _numbers(effect.after, quality)
    columns: list[Column[str]] = [Column("what", "", "", str)]
    columns += [Column(title, title, "", numbers.__getitem__) for title, numbers in shown.items()]
    return Table("", columns, list(shown["with everybody"]))


def _numbers(analysis: Analysis, quality: Quality) -> dict[str, str]:
    counts, primary = analysis.panel.counts(), quality.study.task.primary
    kept = analysis.panel.votes.counts.sum(axis=1)
    return {
        "workers": str(counts["workers"]["kept"]),
        "judgments": str(counts["judgments"]["kept"]),
        f"items with {quality.least} votes or more": str(int((kept >= quality.least).sum())),
        "items with a consensus": str(counts["items"]["with_consensus"]),
        f"majority, {primary}": _scored(analysis.majority.get(primary)),
        f"individual, {primary}": _scored(analysis.individual.get(primary)),
        "against peers": _scored(analysis.leave_one_out),
        "Krippendorff's alpha": _spaced(number(analysis.agreement.alpha), interval(analysis.agreement.alpha_ci)),
    }


def _scored(estimate: Estimate | None) -> str:
    return "—" if estimate is None else _spaced(number(estimate.value), interval(estimate.ci))


def _spaced(value: str, between: str) -> str:
    return value if between == "—" else f"{value} ({between})"


def finding_table(quality: Quality) -> Table[tuple[Check, Finding]]:
    """Return a row for whomever each rule found."""
    called = names_of(quality.study, quality.before.panel)
    columns: tuple[Column[tuple[Check, Finding]], ...] = (
        Column("rule", "rule", "", lambda row: row[0].title),
        Column("called", "worker", "", lambda row: called.get(row[1].worker, row[1].worker)),
        *(
            [Column("worker", "id in the log", "", lambda row: row[1].worker)]
            if quality.study.origin == "imported"
            else []
        ),
        Column("value", "measured", "", lambda row: row[1].value, _short),
        Column("limit", "held against", "", lambda row: row[1].limit, _short),
        Column("n", "out of", "", lambda row: row[1].n),
        Column("evidence", "shown by", "", lambda row: quality.evidence(row[1]), _first),
    )
    return Table("", columns, [(check, each) for check in quality.checks for each in check.findings])


def _short(value: float) -> str:
    return f"{value:g}"[:6]


def _first(items: Sequence[str]) -> str:
    return ", ".join(items[:SHOWN]) + (f" and {len(items) - SHOWN} more" if len(items) > SHOWN else "")
