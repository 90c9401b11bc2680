"""The rules on workers as they are read in a terminal: what each found, whom, and what leaving them out changes."""

from baseline.human.quality import ALL, Quality
from data.console import table
from data.numbers import interval, number
from eval.reanalysis import Effect, Loss, Side
from eval.scoring import Estimate
from eval.workers import TITLES
from eval.workers.rule import Finding

CHECKS = ("rule", "how it was applied", "workers found")
FOUND = ("rule", "worker", "measured", "held against", "out of", "shown by")
MOST = 40  # rows that are read; --json has them all
SHOWN = 3


def quality_text(found: Quality) -> str:
    """Return the re-analysis as a readable report."""
    task = found.study.task
    parts = [
        f"{found.study.name}: the rules on workers of {task.title.en} ({task.id})",
        table(CHECKS, [[c.title, c.how, "—" if c.refused else str(len(c.findings))] for c in found.checks]),
    ]
    if found.caught:
        parts.append(_findings(found))
    parts.append(table(["", *(_names(found))], changes(found)))
    parts += [_losses(TITLES.get(name, "all together"), effect, found.least) for name, effect in found.after.items()]
    return "\n\n".join([*parts, "\n".join(f"note: {note}" for note in found.notes)])


def changes(found: Quality) -> list[list[object]]:
    """Return a row for each number of the study, with everybody and without those whom each rule found."""
    sides = [found.before, *(effect.after for effect in found.after.values())]
    columns = [_side(side, found) for side in sides]
    return [[name, *(column[name] for column in columns)] for name in columns[0]]


def _names(found: Quality) -> list[str]:
    without = ["without all of these" if name == ALL else f"without: {TITLES[name]}" for name in found.after]
    return ["with everybody", *without]


def _side(side: Side, found: Quality) -> dict[str, str]:
    counts, primary = side.panel.counts(), found.study.task.primary
    kept = side.panel.votes.counts.sum(axis=1)
    return {
        "workers": str(counts["workers"]["kept"]),
        "judgments": str(counts["judgments"]["kept"]),
        f"items with {found.least} votes or more": str(int((kept >= found.least).sum())),
        "items with a consensus": str(counts["items"]["with_consensus"]),
        f"majority, {primary}": _scored(side.majority.get(primary)),
        f"individual, {primary}": _scored(side.individual.get(primary)),
        "against peers": _scored(side.leave_one_out),
        "Krippendorff's alpha": _spaced(number(side.agreement.alpha), interval(side.agreement.alpha_ci)),
    }


def _scored(estimate: Estimate | None) -> str:
    return "—" if estimate is None else _spaced(number(estimate.value), interval(estimate.ci))


def _spaced(value: str, between: str) -> str:
    return value if between == "—" else f"{value} ({between})"


def _findings(found: Quality) -> str:
    rows = [_finding(found, check.title, each) for check in found.checks for each in check.findings]
    more = f"\nand {len(rows) - MOST} more; --json has them all" if len(rows) > MOST else ""
    return table(FOUND, rows[:MOST]) + more


def _finding(found: Quality, title: str, each: Finding) -> list[object]:
    items = found.evidence(each)
    more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return [title, each.worker, f"{each.value:g}"[:6], f"{each.limit:g}"[:6], each.n, ", ".join(items[:SHOWN]) + more]


def _losses(title: str, effect: Effect, least: int) -> str:
    below = effect.thinned(least)
    lines = [f"{title}: {len(effect.losses)} items lose votes, {len(below)} of them keep fewer than {least}"]
    if below:
        lines.append("  " + _listed([_loss(loss) for loss in below]))
    for name, words in (("undecided", "lose their consensus"), ("changed", "get another answer")):
        if items := getattr(effect, name):
            lines.append(f"  {len(items)} {words}: {_listed(list(items))}")
    return "\n".join(lines)


def _loss(loss: Loss) -> str:
    return f"{loss.item} ({loss.before} to {loss.after})"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more
