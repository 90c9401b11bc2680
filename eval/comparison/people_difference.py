"""Differences from people that hold for other people too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.arrays import Floats, Mask
from eval.ballots import Ballots
from eval.comparison.difference import Difference
from eval.intervals.clusters import Clusters
from eval.intervals.jackknife import (
    LEAST_UNITS,
    joined,
    p_of_interval,
    people_error,
    people_interval,
    why_these_people,
    wider_interval,
    without_each,
)
from eval.intervals.other_people import Answer, with_gold
from eval.intervals.wilson import Interval
from eval.metrics.metric import Metric
from eval.scoring import values_of
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

    def value(self, said: Ballots, counting: Mask) -> float:
        """The metric of some answers on the items that count."""
        common = (
            said if not (said.scored & ~counting).any() else replace(said, weights=said.weights * counting[:, None])
        )
        return values_of([self.metric], self.gold, common, self.clusters)[0]


def wider_differences(
    differences: Sequence[Difference | None], said: Sequence[Ballots], against: ReferencePeople
) -> list[Difference | None]:
    """The differences of what others `said` from people, as other people would leave them; p is of that interval.

    Parameters
    ----------
    differences : sequence of Difference or None
        Over items alone.
    said : sequence of Ballots
        What each of the others answered.
    against : ReferencePeople
        The people they are compared with.

    Returns
    -------
    list of Difference or None
        With intervals over items and people.

    Examples
    --------
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> from eval.consensus.majority import majority
    >>> from eval.metrics.table import metric_named
    >>> said = majority(votes).ballots
    >>> people = ReferencePeople(metric_named("accuracy"), gold, votes, said, lambda part: majority(part).ballots)
    >>> wider_differences([None], [said], people)  # nothing to widen
    [None]
    """
    judged = with_gold(against.votes, against.gold)
    if not any(differences) or why_these_people(judged, against.clusters):
        return list(differences)
    known = np.array([item in against.gold for item in against.votes.items], dtype=bool)
    asked = [each.on(against.votes.items) for each in said]
    own: dict[tuple[int, bytes], float] = {}
    rows = []
    for people in (against.people, *map(against.answer, without_each(judged))):
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
        rows.append(row)
    values = np.array(rows)
    return [
        each and _apart(each, values[1:, place], float(values[0, place, 1]), against.metric)
        for place, each in enumerate(differences)
    ]


def wider_difference(difference: Difference, first: Answer, against: ReferencePeople) -> Difference:
    """The difference of people from people, both out of the same votes.

    Parameters
    ----------
    difference : Difference
        Over items alone.
    first : function of Votes
        What the first people say, out of votes.
    against : ReferencePeople
        The second people.

    Returns
    -------
    Difference
        With an interval over items and people.

    Examples
    --------
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> from eval.comparison.difference import difference
    >>> from eval.consensus.majority import majority
    >>> from eval.metrics.table import metric_named
    >>> said = majority(votes).ballots
    >>> people = ReferencePeople(metric_named("accuracy"), gold, votes, said, lambda part: majority(part).ballots)
    >>> wider_difference(difference("accuracy", gold, said, said), people.answer, people).value
    0.0
    """
    judged = with_gold(against.votes, against.gold)
    if why_these_people(judged, against.clusters):
        return difference
    values = []
    for rest in without_each(judged):
        one, other = first(rest), against.answer(rest)
        counting = np.asarray(one.scored & other.scored)
        values.append(against.value(one, counting) - against.value(other, counting))
    span = against.metric.high - against.metric.low
    return _tested(difference, wider_interval(difference.value, difference.ci, np.array(values), low=-span, high=span))


def _apart(difference: Difference, values: Floats, people: float, metric: Metric) -> Difference:
    """The difference of a model, given the model's and the people's values (G, 2) without each group of people."""
    error, span = people_error(values[:, 0] - values[:, 1]), metric.high - metric.low
    low, high = people_interval(people, error, len(values), low=metric.low, high=metric.high)
    # What people could score more is what the model could be further behind.
    theirs = difference.value - (high - people), difference.value + (people - low)
    return _tested(difference, joined(difference.value, difference.ci, theirs, low=-span, high=span))


def _tested(difference: Difference, ci: Interval) -> Difference:
    if np.isnan(ci[0]) or difference.n < LEAST_UNITS:
        return difference
    return replace(difference, ci=ci, p=p_of_interval(difference.value, ci), test="people", over_items=difference)
