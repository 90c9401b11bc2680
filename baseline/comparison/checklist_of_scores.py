"""Letters G to J of the checklist: how votes became one answer, what people score and agree, and how sure that is."""

from collections.abc import Iterable

from baseline.comparison.document import Line
from baseline.comparison.published_scores import published_scores_of
from baseline.comparison.report_evidence import Evidence
from baseline.human.detailed_baseline import CATEGORIES
from baseline.human.interval_scope import scope, scope_of
from baseline.human.rules_and_agreement import distance_words
from data.numbers import interval, number
from data.wording import enumerated
from eval.intervals.jackknife import why_these_people
from eval.metrics.table import metric_named

STATUSES = {"decided": "won", "tied": "tied", "short of votes": "short", "without votes": "empty"}
"""Items by what became of them, under their names in the consensus."""


def aggregation(evidence: Evidence) -> Iterable[Line]:
    """How votes became one answer, and what became of the items."""
    people = evidence.baseline.human.panel
    rules, decided = people.rules, people.consensus
    yield Line(f"Rule: {rules.consensus}; votes the winner needs: {rules.min_votes}; ties: {rules.ties}.")
    counts = {name: decided.number(status) for name, status in STATUSES.items()}
    yield Line("Items: " + ", ".join(f"{n} {name}" for name, n in counts.items()) + ".")
    sizes, top = people.votes.counts.sum(axis=1), people.votes.counts.max(axis=1, initial=0)
    loose = int(((sizes > 0) & (2 * top <= sizes)).sum())
    yield Line(f"Items without a strict majority (more than half of the votes): {loose}.")
    kept, choices = (rules.control_min, rules.min_votes), evidence.baseline.sensitivity
    same = [choice for choice in choices if (choice.rules.control_min, choice.rules.min_votes) == kept]
    estimates = {c.rules.ties: c.estimate for c in same if c.estimate is not None and c.estimate.n}
    if estimates:
        scores = ", ".join(f"{name} {number(e.value)} ({interval(e.ci)}, n = {e.n})" for name, e in estimates.items())
        held = " / ".join(sorted({held for e in estimates.values() if (held := scope_of(e))}))
        yield Line(f"Score by what ties are worth: {scores}{'; intervals for ' + held if held else ''}.")


def scores(evidence: Evidence) -> Iterable[Line]:
    """What people score, by the same code as models."""
    baseline = evidence.baseline
    if not baseline.human.majority:
        yield Line("There is no gold, so people are scored against their peers only.")
        yield Line("What would be the gold of these items, if there is any?", is_question=True)
        return
    for name, estimate in baseline.human.majority.items():
        individual = baseline.human.individual[name]
        title = metric_named(name).title
        yield Line(
            f"{title}: majority {number(estimate.value)} ({interval(estimate.ci)}), "
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


def agreement(evidence: Evidence) -> Iterable[Line]:
    """The primary coefficient beside raw agreement, and agreement label by label."""
    people = evidence.baseline.human.panel
    agreement = people.agreement
    others = "alpha" in agreement.over_items
    how = f"bootstrap over {agreement.unit}s{', jackknife over people' * others}"
    held = scope(agreement.unit, other_people=others)
    alpha = f"{number(agreement.alpha)} ({interval(agreement.alpha_ci)}; {how}; for {held})"
    yield Line(f"Primary: Krippendorff's alpha, {distance_words(agreement)}, {alpha}.")
    beside = f"Gwet's AC1 {number(agreement.values['ac1'])} ({interval(agreement.cis['ac1'])})"
    if people.votes.names is not None:
        beside = f"mean similarity {number(agreement.similarity)} ({interval(agreement.cis['similarity'])})"
    raw = f"{number(agreement.pairwise)} ({interval(agreement.cis['pairwise'])})"
    yield Line(f"Raw pairwise agreement {raw}; {beside}.")
    if people.votes.names is None and len(people.votes.labels) <= CATEGORIES:
        yield Line("Label by label it stands under Agreement.")


def uncertainty(evidence: Evidence) -> Iterable[Line]:
    """What the intervals resample, which figures have none, and which difference these items could show."""
    if not evidence.has_intervals:
        yield Line("No figure above has an interval: there is nothing that could be resampled.")
        return
    panel = evidence.baseline.human.panel
    yield Line(
        f"Intervals are 95% and resample {panel.resampling.unit}s; the tables say how. A dash stands where there is "
        f"none; {_without_interval(evidence)}."
    )
    if evidence.for_other_people:
        yield Line(
            "Intervals that hold for other people too join the one over items to a jackknife that leaves out one "
            "person after the other; the tables say which ones do."
        )
    elif panel.rules.interval == "people" and (why := why_these_people(panel.votes, panel.resampling.clusters)):
        yield Line(f"No interval above holds for other people: {why}")
    if evidence.has_tests:
        yield Line("Models against people: paired tests on the items both have; p-values also adjusted by Holm.")
    yield from evidence.smallest_difference


def _without_interval(evidence: Evidence) -> str:
    """Return which scores of a report stand without an interval although they are scores."""
    rows = ["counts"]
    if evidence.baseline.human.panel.gold and evidence.baseline.sensitivity:
        rows.append("scores under other rules (Sensitivity)")
    if published_scores_of(evidence.study.task):
        rows.append("what papers print without one")
    return f"{enumerated(rows)} have none"
