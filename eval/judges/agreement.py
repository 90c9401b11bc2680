"""How far a judge agrees with people: equal answers, Cohen's kappa, and Krippendorff's alpha with and without it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.agreement.alpha import Level
from eval.agreement.coefficients import Agreement, agreement
from eval.agreement.cohen_kappa import kappa_of_items
from eval.arrays import Mask
from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling
from eval.intervals.jackknife import values_without_each, variance_of, why_these_people, wider_estimate, without_each
from eval.intervals.mean import method_of, ratio
from eval.intervals.other_people import ONCE
from eval.votes import Votes


@dataclass(frozen=True)
class AgreementWithPeople:
    """How far one respondent agrees with people's one answer on the items that both have; intervals are over items.

    Attributes:
        equal: The share of items with the same answer, 0 to 1; of people's level answers each counts in part.
        kappa: Cohen's, at most 1. A reply without a usable answer agrees with nobody.
        ties: How many of the items have no one answer of people, since theirs are level.
    """

    equal: Estimate
    kappa: Estimate
    ties: int = 0


@dataclass(frozen=True)
class AlphaBeside:
    """Krippendorff's alpha of people on the items that a judge answered, and with the judge as one more annotator."""

    people: Estimate
    together: Estimate


def with_people(people: Ballots, judge: Ballots, resampling: Resampling = SINGLE_ITEMS) -> AgreementWithPeople:
    """How far a judge agrees with people's one answer to each item.

    >>> from eval.ballots import answers
    >>> items, labels = ["a", "b", "c", "d"], ["yes", "no"]
    >>> people = answers({"a": "yes", "b": "yes", "c": "no", "d": "no"}, items=items, labels=labels)
    >>> judge = answers({"a": "yes", "b": "no", "c": "no", "d": None}, items=items, labels=labels)
    >>> found = with_people(people, judge)
    >>> found.equal.value, round(found.kappa.value, 4)
    (0.5, 0.2)
    """
    rows = np.flatnonzero(both(people, judge))
    one, other = people.weights[rows], judge.weights[rows]
    items = [people.items[row] for row in rows.tolist()]
    own, others = one.sum(axis=1, keepdims=True), other.sum(axis=1, keepdims=True)
    same, pairs = (one * other).sum(axis=1), (own * others)[:, 0]
    equal = replace(ratio(same, pairs, resampling, items=items), n=len(rows))
    kappa = kappa_of_items(np.column_stack([pairs, same, one * others, other * own]), items, resampling)
    return AgreementWithPeople(equal, replace(kappa, n=len(rows)), int((one.max(axis=1) < 1).sum()))


def both(people: Ballots, judge: Ballots) -> Mask:
    """Which of the N items (N,) have an answer of people and were asked of the judge."""
    return np.asarray(people.scored & (people.weights[:, -1] == 0) & judge.scored)


def alpha_beside(
    votes: Votes,
    judge: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
) -> AlphaBeside:
    """Alpha of people, and of people with a judge, on the same items: how far the judge is one of them.

    Returns:
        NaN where no item counts, or alpha is not defined.
    """
    given = judge.weights[:, :-1]
    rows = np.flatnonzero((given == np.floor(given)).all(axis=1) & (given.sum(axis=1) == 1) & votes.counts.any(axis=1))
    items = [votes.items[row] for row in rows.tolist()]
    people = np.asarray(votes.counts[rows], dtype=np.int64)
    ways = (people, people + given[rows].astype(np.int64))
    at_each = [agreement(counts, resampling, level=level, values=values, items=items) for counts in ways]
    return AlphaBeside(
        *(_alpha(each, int((counts.sum(axis=1) > 1).sum())) for each, counts in zip(at_each, ways, strict=True))
    )


def _alpha(agreed: Agreement, n: int) -> Estimate:
    return Estimate(agreed.alpha, agreed.alpha_ci, agreed.unit, method_of(agreed.alpha_ci, "bootstrap"), n)


def wider_with_people(
    over_items: AgreementWithPeople,
    votes: Votes,
    answer: Callable[[Votes], Ballots],
    judge: Ballots,
    clusters: Clusters | None = None,
) -> AgreementWithPeople:
    """A judge's agreement with people's one answer, that answer made anew without each of them.

    Returns:
        With the wider intervals, the narrower ones beside them; as it is where none holds for other people
        (`eval.intervals.jackknife.why_these_people`).
    """
    judged = votes.keep(judge.scored[votes.item])
    if why_these_people(judged, clusters):
        return over_items

    def figures(rest: Votes) -> list[float]:
        agreement = with_people(answer(rest), judge, ONCE)
        return [agreement.equal.value, agreement.kappa.value]

    of_items = [variance_of(over_items.equal.ci), variance_of(over_items.kappa.ci)]
    equal, kappa = values_without_each(judged, figures, of_items).T
    return AgreementWithPeople(
        wider_estimate(over_items.equal, equal, low=0.0, high=1.0),
        wider_estimate(over_items.kappa, kappa, low=-1.0, high=1.0),
        over_items.ties,
    )


def wider_alphas(
    over_items: AlphaBeside,
    votes: Votes,
    judge: Ballots,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    clusters: Clusters | None = None,
) -> AlphaBeside:
    """Alpha of people and with a judge, computed anew without each of the people."""
    judged = votes.keep(judge.scored[votes.item])
    if why_these_people(judged, clusters):
        return over_items
    without = [alpha_beside(rest, judge, ONCE, level=level, values=values) for rest in without_each(judged)]
    return AlphaBeside(
        wider_estimate(over_items.people, np.array([each.people.value for each in without]), low=-1.0, high=1.0),
        wider_estimate(over_items.together, np.array([each.together.value for each in without]), low=-1.0, high=1.0),
    )
