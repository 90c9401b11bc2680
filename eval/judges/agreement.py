"""How far a judge agrees with people: equal answers, Cohen's kappa, and Krippendorff's alpha with and without it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.agreement.alpha import Level
from eval.agreement.coefficients import Agreement, agreement
from eval.agreement.cohen_kappa import kappa_of_items
from eval.arrays import Mask
from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.ratio import method_of, ratio
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
