"""Intervals that hold for other people too: a figure is computed anew without each person, and joined to its interval.

An interval over items holds the people fixed. What other people would change is read from what leaving each one out
changes (the delete-one jackknife; Efron and Stein 1981), and the two parts are joined each side by itself.

A vote less can cost an item its majority, most where ties or too few votes are no answer. Over all items the jackknife
then finds up to five times the variance that single votes truly make: this noise of single votes is taken out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtr, stdtrit

from eval.arrays import Floats, Integers, Mask, distinct, share_of
from eval.estimate import UNDEFINED, Estimate, Interval, Z, score_interval
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling
from eval.intervals.mean import ratio
from eval.votes import Votes

LEAST_PEOPLE, LEAST_UNITS = 5, 10
"""Below so many people, or items (or clusters of them), the spread over them is a guess: there is no interval."""
MOST_GROUPS = 30
"""More people than this are left out group by group, so that the time does not grow with them."""


def groups_of_people(votes: Votes) -> Integers:
    """The group (W,) with which each voter is left out, -1 for who gave no answer.

    Each person is a group, up to MOST_GROUPS of them; of more people so many groups with about as many answers each are
    dealt, back and forth in order of how many answers somebody gave.
    """
    load = np.bincount(votes.worker, minlength=len(votes.workers))
    order = np.argsort(-load, kind="stable")[: np.count_nonzero(load)]
    turn, place = np.divmod(np.arange(len(order)), MOST_GROUPS)
    number = min(len(order), MOST_GROUPS)
    group = np.full(len(votes.workers), -1, dtype=np.int64)
    group[order] = np.where(turn % 2 == 0, place, number - 1 - place)
    return group


def without_each(votes: Votes) -> Iterator[Votes]:
    """The votes without each group of people in turn, over the same dictionaries."""
    group = groups_of_people(votes)[votes.worker]
    complete = votes.counts.sum(axis=1)
    for number in range(int(group.max(initial=-1)) + 1):
        yield replace(votes.keep(group != number), complete=complete)


CountKinds = tuple[Integers, Integers]
"""Rows of counts (C, K), and how many items (C,) have each of them."""


def kinds_without_each(votes: Votes) -> Iterator[CountKinds]:
    """The counts of the votes without each group of people in turn: of items that a group answered they change alone.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2"], "worker": ["ann", "bob", "ann"], "label": ["a", "a", "b"]})
    >>> [rows[times > 0].tolist() for rows, times in kinds_without_each(votes)]
    [[[0, 0], [1, 0]], [[0, 1], [1, 0]]]
    """
    kinds, by_label = distinct(votes.counts), votes.counts.T
    width, number = by_label.shape
    group = groups_of_people(votes).astype(np.int8)[votes.worker]
    order = np.argsort(group, kind="stable")
    given = (np.split(each[order], np.bincount(group).cumsum()[:-1]) for each in (votes.item, votes.label))
    for item, label in zip(*given, strict=True) if len(votes) else ():
        alone = np.bincount(item, minlength=number)[item] == 1
        # An item that a group answered once loses one answer: how many items of a kind lose which is counted at once.
        lost = np.bincount(kinds.inverse[item[alone]] * width + label[alone], minlength=kinds.rows.size)
        kind, gone = np.divmod(some := np.flatnonzero(lost), width)
        one_less = kinds.rows[kind]
        one_less[np.arange(len(kind)), gone] -= 1
        items, place = np.unique(item[~alone], return_inverse=True)
        cells = label[~alone].astype(np.int64) * len(items) + place
        taken = np.bincount(cells, minlength=width * len(items)).reshape(width, -1)
        fewer = (by_label.take(items, axis=1) - taken).T
        left = kinds.multiplicity - np.bincount(kinds.inverse[items], minlength=len(kinds.rows))
        left -= lost.reshape(kinds.rows.shape).sum(axis=1)
        times = np.concatenate([left, lost[some], np.ones(len(items), dtype=np.int64)])
        yield np.concatenate([kinds.rows, one_less, fewer]), times


def people_error(values: Floats) -> float:
    """The standard error over people of a figure with these `values` (G,) without each of G groups of them.

    ((G - 1) / G * the sum of (value - their mean)^2)^(1/2). NaN for fewer than LEAST_PEOPLE groups, or where the figure
    is not defined without one of them.

    >>> round(people_error(np.array([0.7, 0.8, 0.8, 0.8, 0.9])), 4)
    0.1265
    """
    number = len(values)
    if number < LEAST_PEOPLE:
        return float("nan")
    # Rounded, so that equal values that were summed in another order stay equal.
    apart = (values - values.mean()).round(12)
    return float(((number - 1) / number * (apart**2).sum()) ** 0.5)


def people_interval(value: float, error: float, groups: int, *, low: float, high: float) -> Interval:
    """The 95% interval over people alone of a figure between `low` and `high` with this standard error over them.

    Wilson's, with as many items as would make a share vary so much, and t of G - 1 degrees of freedom in the place of
    the normal quantile (Franco et al. 2019): it leans to the middle of the range, as few people's mean does. At an end
    of the range, where such a share would not vary at all, it is the value plus and minus t errors, and so where the
    range has no end.
    """
    t, span = float(stdtrit(groups - 1, 0.975)), high - low
    if span == float("inf") and low == 0 and value > 0:
        return value * np.exp(-t * error / value), value * np.exp(t * error / value)
    if span == float("inf"):
        return value - t * error, value + t * error
    share = (value - low) / span
    vary = share * (1 - share)
    if not error or vary < 1e-9:
        return value - t * error, value + t * error
    spread = (t * error / span) ** 2 / vary
    below, above = score_interval(share, spread)
    return low + span * below, low + span * above


def wider_interval(value: float, ci: Interval, without: Floats, *, low: float, high: float) -> Interval:
    """The interval over items and people at once of a figure between `low` and `high`.

    `ci` is that over items, `without` (G,) the figure without each group of people. NaN where one of the parts is.
    """
    people = people_interval(value, people_error(without), len(without), low=low, high=high)
    return joined(value, ci, people, low=low, high=high)


def wider_estimate(estimate: Estimate, without: Floats, *, low: float, high: float) -> Estimate:
    """The estimate with its interval over items and people at once, the narrower one beside it; or as it is."""
    ci = wider_interval(estimate.value, estimate.ci, without, low=low, high=high)
    return estimate if np.isnan(ci[0]) else replace(estimate, ci=ci, ci_items=estimate.ci)


def joined(value: float, ci: Interval, people: Interval, *, low: float, high: float) -> Interval:
    """The interval over items and people at once, out of that over items and that over people, cut at `low` and `high`.

    Each side is as far from the value as both parts together, by Pythagoras (MOVER; Zou and Donner 2008): never
    narrower than either. NaN where one of the parts is.

    >>> low, high = joined(0.8, (0.77, 0.83), (0.76, 0.84), low=0, high=1)
    >>> round(low, 3), round(high, 3)
    (0.75, 0.85)
    """
    below, above = (float(np.hypot(value - ci[end], value - people[end])) for end in (0, 1))
    if np.isnan(below + above):
        return UNDEFINED
    return max(low, value - below), min(high, value + above)


def p_of_interval(value: float, ci: Interval) -> float:
    """The two-sided p-value that a difference with this 95% interval is 0 (Altman and Bland 2011).

    Below 0.05 where 0 lies outside the interval, and nowhere else. NaN without an interval.

    >>> round(p_of_interval(0.1, (0.0, 0.2)), 3)
    0.05
    """
    distance = value - ci[0] if value > 0 else ci[1] - value
    return 1.0 if value == 0 else float(2 * ndtr(-Z * abs(value) / distance)) if distance else 0.0


def why_not_wider(people: int, units: int, unit: str) -> str:
    """Why there is no interval over other people, "" where there is one.

    >>> why_not_wider(1, 100, "item")
    'one person answered, and nothing shows how another would differ.'
    """
    if people == 1:
        return "one person answered, and nothing shows how another would differ."
    if people < LEAST_PEOPLE:
        return f"{people} people answered, and it takes {LEAST_PEOPLE} to see how people differ."
    if units == 1:
        return f"all items share one {unit}, and nothing shows how another would differ."
    if units < LEAST_UNITS:
        return f"people answered {units} {unit}s, and it takes {LEAST_UNITS}."
    return ""


def why_these_people(votes: Votes, clusters: Clusters | None = None) -> str:
    """Why intervals of these votes hold for the people who gave them alone, "" where they hold for others too.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> why_these_people(votes)
    '2 people answered, and it takes 5 to see how people differ.'
    """
    answered = votes.counts.any(axis=1)
    units, people = int(np.count_nonzero(answered)), int(np.count_nonzero(np.bincount(votes.worker)))
    if clusters:
        units = len({clusters.of.get(votes.items[row]) for row in np.flatnonzero(answered).tolist()})
    return why_not_wider(people, units, clusters.unit if clusters else "item")


Figures = Callable[[Votes], Sequence[float]]
"""Some values (M) out of votes."""
_VALUES = 30
"""So many values out of shuffled votes, or a few more, show the noise."""


def values_without_each(votes: Votes, figures: Figures, of_items: Sequence[float]) -> Floats:
    """Some figures without each of G groups of people, (G, M): out of their spread follows their error over people.

    The noise of single votes is a part of the variance over items, and no more than it. What the jackknife finds above
    it is taken out of the variance over people, down to that over items, by drawing the values nearer to their mean.

    Args:
        of_items: Their M variances over items; NaN where there is none, and nothing is taken out.
    """
    values = np.array([figures(rest) for rest in without_each(votes)], dtype=np.float64)
    variance = _variances(values)
    least = np.asarray(of_items)
    if not (variance > least).any():
        return values
    excess = np.nan_to_num(np.maximum(noise_of_votes(votes, figures) - least, 0))
    less = np.where(variance > least, np.maximum(variance - excess, least), variance)
    share = share_of(less, variance, empty=1.0)
    mean = values.mean(axis=0)
    return np.asarray(mean + (values - mean) * share**0.5)


def noise_of_votes(votes: Votes, figures: Figures) -> Floats:
    """The variance over people (M,) that the jackknife finds where they are alike: with votes shuffled within items."""
    generator = np.random.default_rng(0)
    groups = max(1, int(groups_of_people(votes).max(initial=-1)) + 1)
    shuffled = [_shuffled_within_items(votes, generator) for _ in range(-(-_VALUES // groups))]
    values = (np.array([figures(rest) for rest in without_each(each)]) for each in shuffled)
    return np.asarray(np.mean([_variances(each) for each in values], axis=0))


def variance_of(ci: Interval) -> float:
    """The variance of a normal estimate with this 95% interval."""
    return float(((ci[1] - ci[0]) / 2 / Z) ** 2)


def _variances(values: Floats) -> Floats:
    return np.array([people_error(each) for each in values.T]) ** 2


def _shuffled_within_items(votes: Votes, generator: np.random.Generator) -> Votes:
    """The votes with the answers to each item dealt at random to the people who gave them."""
    given, dealt = np.argsort(votes.item, kind="stable"), np.lexsort((generator.random(len(votes.item)), votes.item))
    worker = votes.worker.copy()
    worker[dealt] = votes.worker[given]
    return replace(votes, worker=worker)


def judgment_mean(votes: Votes, worth: Mask | Floats, resampling: Resampling = SINGLE_ITEMS) -> Estimate:
    """The mean of what J judgments are worth, all weighing the same.

    Args:
        votes: The judgments.
        worth (J,): From 0 to 1; NaN for a judgment that says nothing.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": ["0", "1", "0", "0"]})
    >>> judgment_mean(votes, np.array([True, False, True, True])).value
    0.75
    """
    given, number = np.asarray(worth, dtype=np.float64), len(votes.items)
    said = np.flatnonzero(~np.isnan(given))
    item, given = votes.item[said], given[said]
    totals, sizes = (np.bincount(item, each, minlength=number).astype(np.float64) for each in (given, None))
    found = ratio(totals, sizes, resampling, items=votes.items)
    group = groups_of_people(votes)[votes.worker][said]
    without = [given[group != one] for one in np.unique(group)]
    if not all(map(len, without)):
        return found
    return wider_estimate(found, np.array([rest.mean() for rest in without]), low=0, high=1)
