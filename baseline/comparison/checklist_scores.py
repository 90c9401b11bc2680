"""The lines of the checklist that are about numbers: aggregation, scores, agreement, uncertainty, equality."""

from collections.abc import Iterable

from baseline.comparison.document import Line
from baseline.comparison.evidence import Evidence
from baseline.human.full import CATEGORIES
from baseline.human.rules_and_agreement import distance_words
from data.numbers import interval, number
from eval.metrics.table import metric_named
from eval.planner import detectable, discordance


def aggregation(evidence: Evidence) -> Iterable[Line]:
    """How votes became one answer, and what became of the items."""
    people = evidence.full.human.panel
    rules, decided = people.rules, people.consensus
    yield Line(f"Rule: {rules.consensus}; votes the winner needs: {rules.min_votes}; ties: {rules.ties}.")
    counts = {name: decided.number(status) for name, status in STATUSES.items()}
    yield Line("Items: " + ", ".join(f"{n} {name}" for name, n in counts.items()) + ".")
    sizes, top = people.votes.counts.sum(axis=1), people.votes.counts.max(axis=1, initial=0)
    loose = int(((sizes > 0) & (2 * top <= sizes)).sum())
    yield Line(f"Items without a strict majority (more than half of the votes): {loose}.")
    same = [
        choice
        for choice in evidence.full.sensitivity
        if (choice.rules.control_min, choice.rules.min_votes) == (rules.control_min, rules.min_votes)
    ]
    found = {c.rules.ties: c.estimate for c in same if c.estimate is not None and c.estimate.n}
    if found:
        told = ", ".join(f"{name} {number(e.value)} ({interval(e.ci)}, n = {e.n})" for name, e in found.items())
        yield Line(f"Score by what ties are worth: {told}.")


STATUSES = {"decided": "won", "tied": "tied", "short of votes": "short", "without votes": "empty"}


def scores(evidence: Evidence) -> Iterable[Line]:
    """What people score, by the same code as models."""
    full = evidence.full
    if not full.human.majority:
        yield Line("There is no gold, so people are scored against their peers only.")
        yield Line("What would be the gold of these items, if there is any?", asked=True)
        return
    for name, found in full.human.majority.items():
        one = full.human.individual[name]
        title = metric_named(name).title
        yield Line(
            f"{title}: majority {number(found.value)} ({interval(found.ci)}), single judgments {number(one.value)} "
            f"({interval(one.ci)})."
        )
    if full.best_worker:
        best = full.best_worker
        yield Line(
            f"Best worker: {number(best.estimate.value)} ({interval(best.estimate.ci)}) after shrinkage, {best.right} "
            f"of {best.answered} right."
        )
    if full.one_right and full.one_right.n:
        right = full.one_right
        yield Line(f"At least one person is right on {number(right.value)} ({interval(right.ci)}) of the items.")
    yield Line("People and models are scored by the same function.")


def agreement(evidence: Evidence) -> Iterable[Line]:
    """The primary coefficient beside raw agreement, and agreement label by label."""
    people = evidence.full.human.panel
    found = people.agreement
    words = distance_words(found)
    yield Line(
        f"Primary: Krippendorff's alpha, {words}, {number(found.alpha)} ({interval(found.alpha_ci)}; bootstrap over "
        f"{found.unit}s)."
    )
    listed = people.votes.names is None
    beside = f"Gwet's AC1 {number(found.ac1)} ({interval(found.intervals.ac1)})"
    if not listed:
        beside = f"mean similarity {number(found.similarity)} ({interval(found.similarity_ci)})"
    yield Line(f"Raw pairwise agreement {number(found.pairwise)} ({interval(found.intervals.pairwise)}); {beside}.")
    if listed and len(people.votes.labels) <= CATEGORIES:
        yield Line("Label by label it stands under Agreement.")


def uncertainty(evidence: Evidence) -> Iterable[Line]:
    """What the intervals resample, and which difference these items could show."""
    yield Line("Every score above stands with a 95% interval, what it resamples (unit) and how (method).")
    yield Line("Intervals over items and workers together are conservative: single judgments' noise counts threefold.")
    if evidence.models:
        yield Line("Models against people: paired tests on the items both have; p-values also adjusted by Holm.")
    found = evidence.full.human.majority.get(evidence.study.task.primary)
    if found and 0 < found.value < 1 and metric_named(evidence.study.task.primary).is_mean:
        least = detectable(found.n, discordance(found.value, found.value))
        yield Line(
            f"Smallest difference from people that {found.n} items show with power 0.8: {100 * least:.1f} points, if "
            "errors are independent."
        )


def equality(evidence: Evidence) -> Iterable[Line]:
    """Whether people and models had the same items, metric and number of answers."""
    if not evidence.models:
        yield Line("No model has answered these items yet.")
        return
    yield Line(_same_items(evidence))
    yield Line("Same metric: yes.")
    overlap = ", ".join(evidence.full.human.panel.counts()["overlap"]) or "no"
    yield Line(f"Same number of answers: people {overlap} votes an item; compare a model's one answer with one person.")
    yield from _stated(evidence)


def _stated(evidence: Evidence) -> Iterable[Line]:
    """Yield what the statement of equality says beyond items, metric and number; what is not known is asked."""
    found = evidence.equality.matters if evidence.equality else ()
    stated = [(name, said) for name, several in found for said in several if name not in ABOVE]
    for name, said in stated:
        whose = f" ({', '.join(said.models)})" if said.models else ""
        if said.matter.verdict == "not known":
            yield Line(f"{name} the same{whose}? It is not known: {said.matter.reason}.", asked=True)
        else:
            yield Line(f"{name} the same{whose}: {said.matter.verdict}; {said.matter.reason}.")
    if not stated:
        yield Line("Same instruction, same context, same order of options: yes, partly or no?", asked=True)


ABOVE = ("Items", "Metric", "Number of answers")


def _same_items(evidence: Evidence) -> str:
    """Return whether each model is scored on as many items as the majority: rules that drop items make it easier."""
    crowd = evidence.full.human.majority.get(evidence.study.task.primary)
    people = crowd.n if crowd else len(evidence.main)
    apart = [f"{row.name} on {row.n}" for row in evidence.models if row.n != people]
    return (
        f"Same items: partly; the majority is scored on {people}, {', '.join(apart)}." if apart else "Same items: yes."
    )
