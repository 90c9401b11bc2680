"""The tables of a human baseline, for the terminal and for its report; every number with its interval."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

from baseline.human.detailed_baseline import MINIMUM, DetailedBaseline, mean_metric
from baseline.human.interval_scope import OTHERS_TOO, THESE_ALONE, scope, scope_of
from baseline.human.rules_and_agreement import distance_words
from data.numbers import DASH, counted, interval, number, with_interval
from data.tables import Column, Table
from eval.agreement.by_label import Category
from eval.agreement.by_part import PartAgreement
from eval.agreement.coefficients import CLOSED_LIST
from eval.arrays import number_or_none
from eval.estimate import Estimate
from eval.intervals.wilson import Interval
from eval.reanalysis import Analysis


@dataclass(frozen=True)
class PanelScore:
    """One score of the panel: by which votes and metric, over how many of what, with how its interval was made."""

    name: str
    metric: str
    value: float
    ci: Interval
    over: str
    unit: str
    method: str
    holds_for: str


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of agreement; `between` is its interval, or why it could not be had."""

    key: str
    name: str
    value: float | None
    between: str
    unit: str
    holds_for: str
    items: int


PANEL: tuple[Column[PanelScore], ...] = (
    Column("score", "score", "", lambda row: row.name),
    Column("metric", "metric", "", lambda row: row.metric),
    Column("value", "value", "", lambda row: row.value, number),
    Column("interval", "95% interval", "", lambda row: row.ci, interval),
    Column("covers", "interval holds for", "", lambda row: row.holds_for or DASH),
    Column("n", "over", "", lambda row: row.over),
    Column(
        "unit", "sampling unit", "What the interval takes for sampled, one apart from another", lambda row: row.unit
    ),
    Column("method", "method", "", lambda row: row.method),
)
AGREEMENT: tuple[Column[Coefficient], ...] = (
    Column("agreement", "agreement", "", lambda row: row.name),
    Column("value", "value", "", lambda row: row.value, number),
    Column("interval", "95% interval", "", lambda row: row.between),
    Column("covers", "interval holds for", "", lambda row: row.holds_for or DASH),
    Column("items", "items", "", lambda row: row.items),
    Column(
        "unit", "sampling unit", "What the interval takes for sampled, one apart from another", lambda row: row.unit
    ),
)
LABELS: tuple[Column[Category], ...] = (
    Column("label", "label", "", lambda row: row.label),
    Column("share", "share of answers", "", lambda row: row.share, number),
    Column("share_ci", "95% interval", "", lambda row: _of_label(row, "share")),
    Column("specific", "given again", "", lambda row: row.specific, number),
    Column("specific_ci", "95% interval", "", lambda row: _of_label(row, "specific")),
    Column("alpha", "alpha", "", lambda row: row.alpha, number),
    Column("alpha_ci", "95% interval", "", lambda row: _of_label(row, "alpha")),
    Column("answers", "answers", "", lambda row: row.answers),
    Column("items", "items", "", lambda row: row.items),
)
PARTS: tuple[Column[PartAgreement], ...] = (
    Column("part", "agreement on", "", lambda row: row.name),
    Column("units", "units", "", lambda row: row.n),
    Column("pairwise", "equal pairs", "", lambda row: row.pairwise, number),
    Column("pairwise_ci", "95% interval", "", lambda row: row.pairwise_ci, interval),
    Column("alpha", "alpha, equal or not", "", lambda row: row.alpha, number),
    Column("alpha_ci", "95% interval", "", lambda row: row.alpha_ci, interval),
)


EQUAL_ANSWERS = "equal answers"
"""The metric of figures that need no gold."""


def human_tables(baseline: DetailedBaseline) -> list[Table[Any]]:
    """Return what is read of a human baseline in a terminal."""
    return [
        panel_table(baseline),
        agreement_table(baseline),
        *(table for table in (part_table(baseline), label_table(baseline), exclusion_table(baseline)) if table.rows),
    ]


def panel_table(baseline: DetailedBaseline) -> Table[PanelScore]:
    """Return a row for each score of the panel; those that need gold stand there only where there is some."""
    human, primary = baseline.human, baseline.human.task.primary
    rows = [_scored(f"majority{human.void}", name, e, "item") for name, e in human.majority.items()]
    rows += [_scored("individual, by judgment", name, e, "judgment") for name, e in human.individual.items()]
    best = baseline.best_worker.estimate if baseline.best_worker else None
    estimates: list[tuple[str, str, Estimate | None, str]] = [
        ("individual, by item", mean_metric(human.task), baseline.item_weighted, "item"),
        (f"individual, by worker of {MINIMUM} or more", primary, baseline.worker_mean, "worker"),
        ("best worker, shrunken", "accuracy", best, "judgment"),
        ("at least one right", "accuracy", baseline.one_right, "item"),
        ("against peers", EQUAL_ANSWERS, human.leave_one_out["accuracy"], "judgment"),
        ("ceiling of agreement", "share of the top answer", baseline.ceiling, "item"),
    ]
    rows += [_scored(name, metric, e, of) for name, metric, e, of in estimates if e is not None and e.n]
    return Table("What people score, and how far they agree with their peers", PANEL, rows)


def agreement_table(baseline: DetailedBaseline) -> Table[Coefficient]:
    """Return the coefficients of agreement with their intervals; those of labels only for these.

    Where one is not there the reason stands in the place of its interval.
    """
    people = baseline.human.panel
    agreement, several = people.agreement, people.votes.compared

    def row(name: str, key: str) -> Coefficient:
        ci, why = agreement.cis[key], agreement.why_not.get(key, "")
        held = "" if why or isnan(ci[0]) else scope(agreement.unit, other_people=key in agreement.over_items)
        return Coefficient(key, name, agreement.values[key], why or interval(ci), agreement.unit, held, several)

    rows = [row(f"Krippendorff's alpha, {distance_words(agreement)}", "alpha"), row("pairwise", "pairwise")]
    if people.votes.names is None:
        rows += [row(coefficient.title, coefficient.key) for coefficient in CLOSED_LIST]
    elif number_or_none(agreement.similarity) is not None:
        rows.append(row("mean similarity of two answers", "similarity"))
    return Table("How far people agree with each other, on items with two answers or more", AGREEMENT, rows)


def label_table(baseline: DetailedBaseline) -> Table[Category]:
    """Return the agreement on each label that was given."""
    held = OTHERS_TOO if any(label.over_items for label in baseline.by_label) else THESE_ALONE
    caption = (
        "Label by label: how often another person gives it too, and alpha of this label against the rest, on items "
        f"with two answers or more; how many answers are this label, and on how many items; {held}"
    )
    return Table(caption, LABELS, [label for label in baseline.by_label if label.share > 0])


def part_table(baseline: DetailedBaseline) -> Table[PartAgreement]:
    """Return the agreement on each part of a form or element of marked text."""
    return Table(
        f"Part by part: people who answered it, their answers to it equal or not; {THESE_ALONE}",
        PARTS,
        baseline.agreement_by,
    )


def exclusion_table(baseline: DetailedBaseline) -> Table[str]:
    """Return counts, scores and agreement with everybody and with the kept workers only; no row where these are one."""
    change = baseline.exclusions
    everybody, kept = (_numbers(each, baseline.human.task.primary) for each in (change.before, change.after))
    columns: tuple[Column[str], ...] = (
        Column("what", "before and after exclusions", "", lambda name: name),
        Column("everybody", "everybody", "", lambda name: everybody[name]),
        Column("kept", "kept", "", lambda name: kept[name]),
    )
    same = len(change.before.panel.votes) == len(change.after.panel.votes)
    return Table("With everybody, and with the kept workers", columns, () if same else tuple(everybody))


def pairs(name: str, values: Mapping[str, object]) -> str:
    """Return named values on one line."""
    return f"{name}: " + joined(values.items())


def joined(values: Iterable[tuple[str, object]]) -> str:
    """Return names and values as `name value, name value`."""
    return ", ".join(f"{key.replace('_', ' ')} {value_words(value)}" for key, value in values)


def value_words(value: Any) -> str:
    """Return a value of the JSON as it is read: a dash where there is none."""
    if isinstance(value, tuple):
        return ", ".join(map(value_words, value))
    return "—" if value is None or value != value else f"{value:g}" if isinstance(value, float) else str(value)


def _scored(name: str, metric: str, e: Estimate, of: str) -> PanelScore:
    return PanelScore(name, metric, e.value, e.ci, counted(e.n, of), e.unit, e.interval_method, scope_of(e))


def _of_label(label: Category, name: str) -> str:
    """Return the interval of a label's figure, marked where it holds for these people though others hold for more."""
    ci = label.cis[name]
    narrower = bool(label.over_items) and name not in label.over_items and not isnan(ci[0])
    return interval(ci) + " *" * narrower


def _numbers(analysis: Analysis, primary: str) -> dict[str, str]:
    counts, (majority, individual) = (
        analysis.panel.counts(),
        (analysis.majority.get(primary), analysis.individual.get(primary)),
    )
    return {
        "workers": str(counts["workers"]["kept"]),
        "judgments": str(counts["judgments"]["kept"]),
        "items answered": str(counts["items"]["answered"]),
        "items with a consensus": str(counts["items"]["with_consensus"]),
        f"majority, {primary}": _with_interval(majority),
        f"individual, {primary}": _with_interval(individual),
        "against peers": _with_interval(analysis.leave_one_out),
        "Krippendorff's alpha": with_interval(analysis.agreement.alpha, analysis.agreement.alpha_ci),
    }


def _with_interval(estimate: Estimate | None) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate else number(None)
