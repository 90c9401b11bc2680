"""Leaving people out where one vote can turn an answer: the noise of single votes that the jackknife finds too much of.

A vote less can cost an item its majority, most where ties or too few votes are no answer. Over all items the jackknife
then finds up to five times the variance that single votes truly make.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from eval.arrays import Floats, share_of
from eval.intervals.jackknife import groups_of_people, people_error, without_each
from eval.intervals.wilson import Interval, Z
from eval.votes import Votes

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
