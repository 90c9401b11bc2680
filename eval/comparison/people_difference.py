"""Differences from people that hold for other people too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eval.arrays import Floats, Mask
from eval.ballots import Ballots
from eval.comparison.difference import Difference
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.jackknife import (
    LEAST_UNITS,
    joined,
    p_of_interval,
    people_error,
    people_interval,
    values_without_each,
    variance_of,
    why_these_people,
    wider_interval,
)
from eval.intervals.other_people import Answer, with_gold
from eval.intervals.wilson import Interval
from eval.metrics.metric import Metric
from eval.scoring import score, values_of
from eval.votes import Votes


@dataclass(frozen=True, eq=False)
class ReferencePeople:
    """People that others are compared with: what they say, and how they would say it with somebody left out."""

    metric: Metric
    gold: Mapping[str, str]
    votes: Votes
    people: Ballots
    answer: Answer
    clusters: Clusters | None = None

    @cached_property
    def variance(self) -> float:
        """The variance over items of what they score."""
        name = self.metric.name
        return variance_of(score([name], self.gold, self.people, Resampling(self.clusters))[name].ci)

    def value(self, said: Ballots, counting: Mask) -> float:
        """The metric of some answers on the items that count."""
        common = (
            said if not (said.scored & ~counting).any() else replace(said, weights=said.weights * counting[:, None])
        )
        return values_of([self.metric], self.gold, common, self.clusters)[0]


def wider_differences(
    differences: Sequence[Difference | None], said: Sequence[Ballots], against: ReferencePeople
) -> list[Difference | None]:
    """The differences of what others `said` from people, as other people would leave them; p is of that interval."""
    judged = with_gold(against.votes, against.gold)
    if not any(differences) or why_these_people(judged, against.clusters):
        return list(differences)
    known = np.array([item in against.gold for item in against.votes.items], dtype=bool)
    asked = [each.on(against.votes.items) for each in said]
    own: dict[tuple[int, bytes], float] = {}

    def scores(people: Ballots) -> list[tuple[float, float]]:
        """The score of each of the others and that of people, on the items that both answered."""
        theirs: dict[bytes, float] = {}
        row = []
        for place, each in enumerate(asked):
            counting = each.scored & people.scored & known
            key = counting.tobytes()
            if (place, key) not in own:
                own[place, key] = against.value(each, counting)
            if key not in theirs:
                theirs[key] = against.value(people, counting)
            row.append((own[place, key], theirs[key]))
        return row

    def gaps(rest: Votes) -> list[float]:
        return [first - second for first, second in scores(against.answer(rest))]

    items = int((against.people.scored & known).sum())
    of_items = [against.variance * items / each.n if each and each.n else float("nan") for each in differences]
    values = values_without_each(judged, gaps, of_items)
    return [
        each and _apart(each, values[:, place], theirs, against.metric)
        for place, (each, (_, theirs)) in enumerate(zip(differences, scores(against.people), strict=True))
    ]


def wider_difference(difference: Difference, first: Answer, against: ReferencePeople) -> Difference:
    """The difference of people from people, both out of the same votes."""
    judged = with_gold(against.votes, against.gold)
    if why_these_people(judged, against.clusters):
        return difference

    def gap(rest: Votes) -> list[float]:
        one, other = first(rest), against.answer(rest)
        counting = np.asarray(one.scored & other.scored)
        return [against.value(one, counting) - against.value(other, counting)]

    values, span = (
        values_without_each(judged, gap, [variance_of(difference.ci)]),
        against.metric.high - against.metric.low,
    )
    return _tested(difference, wider_interval(difference.value, difference.ci, values[:, 0], low=-span, high=span))


def _apart(difference: Difference, gaps: Floats, people: float, metric: Metric) -> Difference:
    """The difference of a model from what `people` score, given its `gaps` (G,) without each group of people."""
    error, span = people_error(gaps), metric.high - metric.low
    low, high = people_interval(people, error, len(gaps), low=metric.low, high=metric.high)
    # What people could score more is what the model could be further behind.
    theirs = difference.value - (high - people), difference.value + (people - low)
    return _tested(difference, joined(difference.value, difference.ci, theirs, low=-span, high=span))


def _tested(difference: Difference, ci: Interval) -> Difference:
    if np.isnan(ci[0]) or difference.n < LEAST_UNITS:
        return difference
    p = max(p_of_interval(difference.value, ci), difference.p or 0.0)
    return replace(difference, ci=ci, p=p, test="people", over_items=difference)
