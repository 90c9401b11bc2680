"""The rows of a human baseline, for the terminal and for its report; every number with its interval."""

from collections.abc import Iterable, Mapping
from typing import Any

from baseline.human.full import MINIMUM, FullBaseline, mean_metric
from baseline.human.rules_and_agreement import distance_words, intervals_of
from baseline.human.sensitivity_strip import strip_header, strip_remarks, strip_rows
from data.console import table
from data.numbers import interval, number
from eval.arrays import number_or_none
from eval.categories import Category
from eval.part_agreement import PartAgreement
from eval.reanalysis import Side
from eval.scoring import Estimate

SCORES = ("score", "metric", "value", "95% interval", "n", "unit", "method")
CROWDS = ("majority of", "metric", "value", "95% interval", "items")
AGREEMENT = ("agreement", "value", "95% interval", "unit")
LABELS = ("label", "share of answers", "95% interval", "given again", "95% interval", "alpha", "95% interval")
PARTS = ("agreement on", "units", "equal pairs", "95% interval", "alpha, equal or not", "95% interval")
EXCLUSIONS = ("before and after exclusions", "everybody", "kept")


def human_text(full: FullBaseline) -> str:
    """Return the human baseline as a readable report."""
    shown, task = full.as_dict(), full.human.task
    overlap = ", ".join(f"{n} items with {votes}" for votes, n in shown["overlap"].items())
    labels = label_rows(full)
    parts = [
        f"{full.human.study}: the human baseline of {task.title.en} ({task.id})",
        *(pairs(name, shown[name]) for name in ("workers", "judgments", "items")),
        f"votes per item: {overlap or 'none'}",
        "",
        table(SCORES, score_rows(full)),
        "",
        *([table(crowd_header(full), crowd_lines(full)), ""] if full.majority_of_k else []),
        table(AGREEMENT, agreement_rows(full)),
        "",
        *([table(PARTS, part_rows(full)), ""] if full.agreement_by else []),
        *([table(LABELS, labels), ""] if labels else []),
        table(EXCLUSIONS, exclusion_rows(full)),
        "",
        *_strip(full),
        pairs("rules", shown["rules"]),
        _effort(shown["pay"]),
        *(f"note: {note}" for note in shown["notes"]),
    ]
    return "\n".join(parts)


def score_rows(full: FullBaseline) -> list[list[object]]:
    """Return a row for each score of the panel; those that need gold stand there only where there is some."""
    human, primary = full.human, full.human.task.primary
    rows = [["majority", name, *_estimate(e)] for name, e in human.majority.items()]
    rows += [
        ["majority", name, number(e.value), interval(e.ci_crossed), e.n, "item x worker", "crossed bootstrap"]
        for name, e in human.majority.items()
        if e.ci_crossed
    ]
    rows += [["individual, by judgment", name, *_estimate(e)] for name, e in human.individual.items()]
    best = full.best_worker.estimate if full.best_worker else None
    sides: list[tuple[str, str, Estimate | None]] = [
        ("individual, by item", mean_metric(human.task), full.item_weighted),
        (f"individual, by worker of {MINIMUM} or more", primary, full.worker_mean),
        ("best worker, shrunken", "accuracy", best),
        ("at least one right", "accuracy", full.one_right),
        ("against peers", "accuracy", human.leave_one_out["accuracy"]),
        ("ceiling of agreement", "accuracy", full.ceiling),
    ]
    return [*rows, *([name, metric, *_estimate(e)] for name, metric, e in sides if e is not None and e.n)]


def crowd_rows(full: FullBaseline) -> list[list[object]]:
    """Return what the majority of k people scores, for each k and metric."""
    return [
        [k, metric, number(e.value), interval(e.ci), e.n]
        for k, scores in full.majority_of_k.items()
        for metric, e in scores.items()
    ]


def crowd_header(full: FullBaseline) -> list[str]:
    """Return the header of `crowd_lines`: the first metric has its interval beside it."""
    first, *others = full.human.task.metrics
    return ["majority of", first, "95% interval", *others, "items"]


def crowd_lines(full: FullBaseline) -> list[list[object]]:
    """Return a line for each k: what the majority of k people scores by each metric."""
    first, *others = full.human.task.metrics
    return [
        [k, number(found[first].value), interval(found[first].ci), *(number(found[name].value) for name in others), n]
        for k, found in full.majority_of_k.items()
        for n in [found[first].n]
    ]


def agreement_rows(full: FullBaseline) -> list[list[object]]:
    """Return the coefficients of agreement with their intervals; those of labels only for these.

    Where there is no Fleiss' kappa the reason stands in the place of its interval.
    """
    found = full.human.panel.agreement
    intervals = intervals_of(found)

    def row(name: str, value: float | None, key: str) -> list[object]:
        return [name, number(value), interval(intervals[key]), found.unit]

    rows = [
        row(f"Krippendorff's alpha, {distance_words(found)}", found.alpha, "alpha"),
        row("pairwise", found.pairwise, "pairwise"),
    ]
    if full.human.panel.votes.names is None:
        kappa = row("Fleiss' kappa", found.fleiss, "fleiss")
        kappa[2] = found.fleiss_why or kappa[2]
        return [*rows, row("Gwet's AC1", found.ac1, "ac1"), kappa]
    if number_or_none(found.similarity) is None:
        return rows
    return [*rows, row("mean similarity of two answers", found.similarity, "similarity")]


def label_rows(full: FullBaseline) -> list[list[object]]:
    """Return the agreement on each label that was given."""
    return [
        [c.label, number(c.share), interval(c.share_ci), number(c.specific), interval(c.specific_ci), *_alpha(c)]
        for c in full.by_label
        if c.share > 0
    ]


def part_rows(full: FullBaseline) -> list[list[object]]:
    """Return the agreement on each part of a form or element of marked text."""
    return [
        [part.name, part.n, number(part.pairwise), interval(part.pairwise_ci), *_alpha(part)]
        for part in full.agreement_by
    ]


def _alpha(found: Category | PartAgreement) -> list[object]:
    return [number(found.alpha), interval(found.alpha_ci)]


def exclusion_rows(full: FullBaseline) -> list[list[object]]:
    """Return counts, scores and agreement with everybody and with the kept workers only."""
    columns = [_side(side, full.human.task.primary) for side in (full.exclusions.before, full.exclusions.after)]
    return [[name, columns[0][name], columns[1][name]] for name in columns[0]]


def pairs(name: str, values: Mapping[str, object]) -> str:
    """Return named values on one line."""
    return f"{name}: " + joined(values.items())


def joined(values: Iterable[tuple[str, object]]) -> str:
    """Return names and values as `name value, name value`."""
    return ", ".join(f"{key.replace('_', ' ')} {said(value)}" for key, value in values)


def said(value: Any) -> str:
    """Return a value of the JSON as it is read: a dash where there is none."""
    return "—" if value is None or value != value else f"{value:g}" if isinstance(value, float) else str(value)


def _estimate(e: Estimate) -> list[object]:
    return [number(e.value), interval(e.ci), e.n, e.unit, e.method]


def _strip(full: FullBaseline) -> list[str]:
    own = full.human.panel.rules
    if not full.human.panel.gold:
        return []
    stars = "score (items scored) under other rules; * these rules"
    rows = table(strip_header(), strip_rows(full.sensitivity, own))
    return [stars, rows, *strip_remarks(full.sensitivity), ""]


def _effort(pay: Mapping[str, object]) -> str:
    known = {name: value for name, value in pay.items() if value is not None}
    return pairs("pay", known) if known else "pay: neither prices nor times are stored"


def _side(side: Side, primary: str) -> dict[str, str]:
    counts, (majority, individual) = side.panel.counts(), (side.majority.get(primary), side.individual.get(primary))
    return {
        "workers": str(counts["workers"]["kept"]),
        "judgments": str(counts["judgments"]["kept"]),
        "items answered": str(counts["items"]["answered"]),
        "items with a consensus": str(counts["items"]["with_consensus"]),
        f"majority, {primary}": _with_interval(majority),
        f"individual, {primary}": _with_interval(individual),
        "against peers": _with_interval(side.leave_one_out),
        "Krippendorff's alpha": f"{number(side.agreement.alpha)} ({interval(side.agreement.alpha_ci)})",
    }


def _with_interval(found: Estimate | None) -> str:
    return f"{number(found.value)} ({interval(found.ci)})" if found else number(None)
