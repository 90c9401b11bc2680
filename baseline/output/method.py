"""The method paragraph of a report, to be put into a paper: people, rules, agreement, intervals, tests."""

from collections.abc import Iterator, Sequence

from baseline.comparison.report_evidence import Evidence
from baseline.comparison.verdicts import Standings
from baseline.human.rules_and_agreement import distance_words, gold_sentence
from data.human_rules import TIES
from data.numbers import counted, interval, number
from data.wording import enumerated
from db.payments import pay_words, time_words
from eval.comparison.equivalence import Equivalence
from eval.estimate import Estimate
from eval.metrics.table import metric_named
from eval.named_rules import NAMED_RULES, name_of_rules

INTERVALS = {"wilson": "Wilson’s method", "bootstrap": "a bootstrap"}
"""How intervals are made, by the method of an estimate."""
TESTS = {
    "mcnemar": "the paired score test (McNemar)",
    "bootstrap": "a paired bootstrap",
    "score": "the paired score test",
    "people": "the interval over items and people (a delete-one jackknife)",
}
"""By what a difference is tested, by its `test`."""


def method_paragraph(evidence: Evidence, standings: Standings | None, *, with_models: bool = True) -> str:
    """Return who answered what, under which rules, how far they agree, and how intervals and tests were made."""
    sentences = [*_people(evidence), *_rules(evidence), *_agreement(evidence), *_intervals(evidence)]
    if with_models and standings and standings.models:
        sentences += _models(evidence, standings)
    return " ".join(sentences)


def _people(evidence: Evidence) -> Iterator[str]:
    human, task = evidence.baseline.human, evidence.study.task
    counts, each = human.panel.counts(), evidence.per_worker("main")
    items, sizes = counted(counts["items"]["answered"], "item"), sorted(map(int, counts["overlap"]))
    if not sizes:
        yield f"Nobody has answered the items of {task.title.for_requesters} ({task.id}) yet."
        return
    overlap = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    simulated = " (simulated: programs answered)" if human.simulated else ""
    yield (
        f"{counted(counts['workers']['total'], 'person', 'people').capitalize()}{simulated} answered {items} of "
        f"{task.title.for_requesters} ({task.id}), {overlap} to an item and a median of {each.median():g} "
        f"(from {each.min()} to {each.max()}) each."
    )
    if days := evidence.days():
        yield f"Answers were collected from {days[0]} to {days[1]}."
    if evidence.number("training"):
        yield f"Each first solved {counted(evidence.number('training'), 'training item')} with explanations."
    if effort := "; ".join(filter(None, (pay_words(human.pay), time_words(human.pay)))):
        yield f"Pay and time: {effort}."


def _rules(evidence: Evidence) -> Iterator[str]:
    panel = evidence.baseline.human.panel
    counts, rules = panel.counts(), panel.rules
    excluded = counts["workers"]["excluded"]
    who = f"{excluded} of {counted(counts['workers']['total'], 'person', 'people')}" if excluded else "Nobody"
    why = "" if rules.control_min is None else f"; at least {rules.control_min:.0%} of control items had to be right"
    yield f"{who} {'were' if excluded > 1 else 'was'} excluded{why}."
    if name := name_of_rules(rules):
        yield f"The rules follow {NAMED_RULES[name].title}."
    yield gold_sentence(rules, gold=bool(panel.gold))
    yield f"Ties are {TIES[rules.ties]}{f'; an item needs {rules.min_votes} answers' * (rules.min_votes > 1)}."


def _agreement(evidence: Evidence) -> Iterator[str]:
    agreed = evidence.baseline.human.panel.agreement
    figures = [
        f"{name} {number(value)}{f' (95% CI {interval(agreed.cis[key])})' * (agreed.cis[key][0] == agreed.cis[key][0])}"
        for name, key in ((f"Krippendorff’s alpha ({distance_words(agreed)})", "alpha"), ("pairwise", "pairwise"))
        if (value := agreed.values[key]) is not None and value == value
    ]
    if figures:
        yield f"Agreement between people: {enumerated(figures)}."


def _intervals(evidence: Evidence) -> Iterator[str]:
    human = evidence.baseline.human
    scored: Sequence[Estimate] = [*human.majority.values(), *human.individual.values()] or [
        *human.leave_one_out.values()
    ]
    known = [each for each in scored if each.n and each.method != "none"]
    if not known:
        return
    ways = list(dict.fromkeys(INTERVALS.get(each.method, each.method) for each in known))
    wider = any(each.ci_items is not None for each in known)
    people = "widened for other people by a delete-one jackknife over people" if wider else "for these people"
    yield f"Intervals are 95%, by {enumerated(ways)} over {known[0].unit}s, {people}."


def _models(evidence: Evidence, standings: Standings) -> Iterator[str]:
    results = evidence.results
    models, metric = standings.models, metric_named(evidence.study.task.primary)
    tests = dict.fromkeys(TESTS.get(row.difference.test, row.difference.test) for row in models if row.p is not None)
    by = metric.title if standings.reference == "people" else standings.scale.title
    yield (
        f"{counted(len(models), 'model')} answered the same items and {'was' if len(models) == 1 else 'were'} scored "
        f"by the same function ({by}); differences from {standings.reference} are paired over the items of both."
    )
    if tests:
        yield f"P-values come from {enumerated(list(tests))}, corrected over the models by Holm’s method, at 0.05."
    if any(isinstance(each.equivalence, Equivalence) for each in results.against_people.values()):
        yield (
            f"A model is as good as people where two one-sided tests place the difference within ±"
            f"{100 * (results.margin or 0):g} points (Holm)."
        )
