"""Letters G to I of the checklist: how votes became one answer, what people score, and how far they agree."""

from collections.abc import Iterable
from math import isnan

from baseline.comparison.document import Line
from baseline.human.detailed_baseline import CATEGORIES, DetailedBaseline
from baseline.human.interval_scope import scope, scope_of
from baseline.human.rules_and_agreement import distance_words
from data.numbers import interval, number
from db.study_description import answered
from eval.agreement.coefficients import Agreement
from eval.consensus.rules import MODELS
from eval.metrics.table import metric_named
from eval.panel import Panel

STATUSES = {"decided": "won", "tied": "tied", "short of votes": "short", "without votes": "empty"}
"""Items by what became of them, under their names in the consensus."""


def aggregation(baseline: DetailedBaseline) -> Iterable[Line]:
    """How votes became one answer, and what became of the items."""
    people = baseline.human.panel
    rules = people.rules
    in_turn = ", then ".join((rules.consensus, *rules.then))
    agreed = "" if rules.agreement_min is None else f"; share of people who gave the answer: {rules.agreement_min:.0%}"
    yield Line(f"Rule: {in_turn}; votes the winner needs: {rules.min_votes}; ties: {rules.ties}{agreed}.")
    yield from map(Line, _outcomes(people))
    sizes, top = people.votes.counts.sum(axis=1), people.votes.counts.max(axis=1, initial=0)
    loose = int(((sizes > 0) & (2 * top <= sizes)).sum())
    yield Line(f"Items without a strict majority (more than half of the votes): {loose}.")
    kept, choices = (rules.control_min, rules.min_votes), baseline.sensitivity
    same = [choice for choice in choices if (choice.rules.control_min, choice.rules.min_votes) == kept]
    estimates = {c.rules.ties: c.estimate for c in same if c.estimate is not None and c.estimate.n}
    if estimates:
        scores = ", ".join(f"{name} {number(e.value)} ({interval(e.ci)}, n = {e.n})" for name, e in estimates.items())
        held = " / ".join(sorted({held for e in estimates.values() if (held := scope_of(e))}))
        yield Line(f"Score by what ties are worth: {scores}{'; intervals for ' + held if held else ''}.")


def _outcomes(people: Panel) -> Iterable[str]:
    """What became of the items."""
    counts = {name: people.consensus.number(status) for name, status in STATUSES.items()}
    short = counts["short of votes"]
    if people.answers is not None:
        counts["below the agreement asked for"] = people.consensus.number("below")
    yield "Items: " + ", ".join(f"{n} {name}" for name, n in counts.items()) + "."
    if short and people.rules.consensus in MODELS:
        yield (
            f"Short of votes: fewer than {people.rules.min_votes} gave the answer that {people.rules.consensus} takes "
            "for most probable; a model may take one that nobody gave, and that is not used."
        )


def scores(baseline: DetailedBaseline) -> Iterable[Line]:
    """What people score, by the same code as models."""
    if not baseline.human.majority:
        why = baseline.human.panel.why_no_scores
        yield Line(f"There is no score against gold, and people stand beside their peers only: {why}.")
        if not baseline.human.panel.right_numbers and not answered(baseline.collected.study.settings.gold_source):
            yield Line("What would be the gold of these items, if there is any?", is_question=True)
        return
    for name, estimate in baseline.human.majority.items():
        individual = baseline.human.individual[name]
        title = metric_named(name).title
        yield Line(
            f"{title}: majority{baseline.human.void} {number(estimate.value)} ({interval(estimate.ci)}), "
            f"single judgments {number(individual.value)} ({interval(individual.ci)})."
        )
    if baseline.best_worker:
        best = baseline.best_worker
        yield Line(
            f"Best worker: {number(best.estimate.value)} ({interval(best.estimate.ci)}) after shrinkage, {best.right} "
            f"of {best.answered} right."
        )
    if baseline.one_right and baseline.one_right.n:
        right = baseline.one_right
        yield Line(f"At least one person is right on {number(right.value)} ({interval(right.ci)}) of the items.")
    yield Line("People and models are scored by the same function.")


def agreement(baseline: DetailedBaseline) -> Iterable[Line]:
    """The primary coefficient beside raw agreement, and agreement label by label."""
    people = baseline.human.panel
    agreement = people.agreement
    primary = f"Primary: Krippendorff's alpha, {distance_words(agreement)}"
    if isnan(agreement.alpha):
        yield Line(f"{primary}, which is not defined here: the notes say why.")
    else:
        yield Line(f"{primary}, {number(agreement.alpha)} ({_interval_of_alpha(agreement)}).")
    if isnan(agreement.pairwise):
        return
    beside = f"Gwet's AC1 {number(agreement.values['ac1'])} ({interval(agreement.cis['ac1'])})"
    if people.votes.names is not None:
        beside = f"mean similarity {number(agreement.similarity)} ({interval(agreement.cis['similarity'])})"
    raw = f"{number(agreement.pairwise)} ({interval(agreement.cis['pairwise'])})"
    yield Line(f"Raw pairwise agreement {raw}; {beside}.")
    if people.votes.names is None and len(people.votes.labels) <= CATEGORIES:
        yield Line("Label by label it stands under Agreement.")


def _interval_of_alpha(agreement: Agreement) -> str:
    """Return alpha's interval with how it was made and what it holds for, or that there is none."""
    if agreement.alpha_method == "none":
        return "no interval"
    over_items, *people = agreement.alpha_method.split(", ")
    how = "Wilson's of the share of equal pairs" if over_items == "wilson" else over_items
    held = scope(agreement.unit, other_people="alpha" in agreement.over_items)
    return f"{interval(agreement.alpha_ci)}; {', '.join([f'{how} over {agreement.unit}s', *people])}; for {held}"
