"""Who agrees with people better: a model or one person, or one of two models, on the same items beside the same people.

Both are measured beside the same other people, so neither has more of them: what a person says is left out of those
that the model is compared with in that person's place.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from eval.agreement.beside_people import AnswerRows, BesidePeople
from eval.arrays import Floats, Integers, distinct
from eval.comparison.difference import Difference, over_people
from eval.comparison.paired_bootstrap import bootstrapped
from eval.estimate import UNDEFINED
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, sampling_units
from eval.intervals.jackknife import LEAST_UNITS, why_these_people, wider_interval, without_each
from eval.votes import Votes

CreditGaps = tuple[Floats, Floats]
"""The summed credit on each item (N,) by which the first is ahead, and how many answers were compared there."""


def from_one_person(
    votes: Votes,
    said: AnswerRows,
    people: AnswerRows,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    other_people: bool = True,
) -> Difference:
    """How much better a respondent agrees with people than one of them, taken at random, agrees with the others.

    Returns:
        In credit: the share of equal answers or similarity from -1 to 1, or how much nearer on a scale, in parts of how
        far people's answers are apart; below -1 where a number lies further off. `of_b` is that of the person.
    """

    def credit_gaps(counts: Integers) -> CreditGaps:
        theirs = people.beside(counts)
        mine = _in_place_of(said, theirs, len(votes.items))
        answered = np.isin(theirs.item, said.item)
        weight = theirs.weight * answered
        return _by_item(theirs.item, weight * (mine.credit - theirs.credit), weight, len(votes.items))

    apart = _difference(votes, credit_gaps, resampling, other_people, people.measure.limit)
    theirs = people.beside(votes.counts)
    weight = theirs.weight * np.isin(theirs.item, said.item)
    return replace(apart, of_b=float(weight @ theirs.credit / weight.sum())) if apart.n else apart


def between(
    votes: Votes,
    first: AnswerRows,
    second: AnswerRows,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    other_people: bool = True,
) -> Difference:
    """How much better one respondent agrees with people than another does, on the items both answered."""

    def credit_gaps(counts: Integers) -> CreditGaps:
        sides = (each.beside(counts) for each in (first, second))
        by_item = (_by_item(side.item, side.weight * side.credit, side.weight, len(votes.items)) for side in sides)
        (one, asked), (other, also) = by_item
        common = ((asked > 0) & (also > 0)).astype(np.float64)
        return (one - other) * common, common

    return _difference(votes, credit_gaps, resampling, other_people, first.measure.limit)


def _difference(
    votes: Votes,
    credit_gaps: Callable[[Integers], CreditGaps],
    resampling: Resampling,
    other_people: bool,
    limit: float,
) -> Difference:
    summed, sizes = credit_gaps(votes.counts)
    apart = mean_difference(summed, sizes, resampling, items=votes.items, limit=limit)
    judged = votes.keep((sizes > 0)[votes.item])
    if not other_people or apart.n < LEAST_UNITS or why_these_people(judged, resampling.clusters):
        return apart
    parts = [credit_gaps(rest.counts) for rest in without_each(judged)]
    values = np.array([part.sum() / size.sum() if size.any() else np.nan for part, size in parts])
    return over_people(apart, wider_interval(apart.value, apart.ci, values, low=-limit, high=limit))


def mean_difference(
    credit_gaps: Floats,
    sizes: Floats,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    items: Sequence[str] = (),
    limit: float = 1.0,
) -> Difference:
    """How far the first is ahead on average: sum of `credit_gaps` / sum of `sizes`, from -limit to limit.

    Interval and test are those of `paired_bootstrap.bootstrapped`.

    Args:
        credit_gaps (N,): The summed credit of the first on each item minus that of the second, from -limit to limit
            times the size.
        sizes (N,): How many answers were compared on each item; an item with 0 does not count.
        items (N,): Their names, needed where `resampling` is of clusters.
        limit: How far ahead one can be at most, inf where numbers may lie as far off as they like.

    Returns:
        NaN without items; without interval and test where there is a single unit.

    >>> apart = mean_difference(np.array([1.0, 0.0, 1.0, -1.0] * 25), np.ones(100))
    >>> round(apart.value, 2), apart.n, bool(apart.p < 0.05)
    (0.25, 100, True)
    """
    counting, unit = np.flatnonzero(sizes > 0), resampling.unit
    if not len(counting):
        return Difference(float("nan"), UNDEFINED, None, "none", 0, unit)
    kinds = distinct(np.column_stack([credit_gaps, sizes])[counting].astype(np.float64).round(12))
    place = np.full(len(sizes), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    units = sampling_units(place, kinds.multiplicity, items, resampling)
    gaps, compared = (kinds.rows if units.rows is None else units.rows @ kinds.rows).T

    def statistic(as_is: Integers, swapped: Integers) -> Floats:
        return np.asarray((as_is - swapped) @ gaps / ((as_is + swapped) @ compared))

    value = float(credit_gaps[counting].sum() / sizes[counting].sum())
    tested = bootstrapped(statistic, units, kinds.rows[:, 0] != 0, value, limit=limit)
    if tested is None:
        return Difference(value, UNDEFINED, None, "none", len(counting), unit)
    return Difference(value, tested.interval(), tested.p, tested.method, len(counting), unit)


def _by_item(item: Integers, credit: Floats, weight: Floats, number: int) -> CreditGaps:
    one, other = (np.bincount(item, weights=each, minlength=number).astype(np.float64) for each in (credit, weight))
    return one, other


def _in_place_of(said: AnswerRows, theirs: BesidePeople, number: int) -> BesidePeople:
    """The respondent's answers, level samples shared out, in the place of others' (R,)."""
    width = said.same.shape[1]
    same, like = np.zeros((number, width)), np.zeros((number, width))
    np.add.at(same, said.item, said.same * said.weight[:, None])
    np.add.at(like, said.item, said.like * said.weight[:, None])
    point = np.full(number, np.nan)
    point[said.item] = 0.0
    np.add.at(point, said.item, said.point * said.weight)
    return replace(theirs, same=same[theirs.item], like=like[theirs.item], point=point[theirs.item])
