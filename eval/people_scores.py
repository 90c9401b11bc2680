"""Scores of single people: against gold, against the others (leave-one-out), and the ceiling they set."""

from collections.abc import Mapping

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.mean import ratio
from eval.metrics.table import metric_named
from eval.tally import credit_of
from eval.votes import Votes


def leave_one_out(votes: Votes, resampling: Resampling = SINGLE_ITEMS) -> Estimate:
    """How often a judgment is the plurality of the item's other judgments, 0 to 1; no gold is needed.

    The mean over judgments of [answer in T] / |T|, where T are the top labels of the others (ties split). Items with
    one judgment are skipped. The interval resamples items (or clusters of them), `n` counts judgments, and it is
    marked as against "peers". NaN where no item has two judgments.
    """
    rows = np.flatnonzero(votes.counts.sum(axis=1) > 1)
    several = distinct(votes.counts[rows])
    credit, size = _credit(several.rows)[several.inverse], several.rows.sum(axis=1)[several.inverse]
    return ratio(credit, size, resampling, items=votes.items_at(rows), against="peers")


def item_weighted(
    gold: Mapping[str, str], votes: Votes, resampling: Resampling = SINGLE_ITEMS, *, metric: str = "accuracy"
) -> Estimate | None:
    """A mean metric of individuals in which every item weighs the same: the mean over items of their mean credit.

    Beside it, `score` over `individual` ballots weighs every judgment the same. `n` counts items with gold and an
    answer; None where no item has gold, NaN where none of those has an answer. Corpus metrics have no such mean.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> item_weighted({"q1": "a", "q2": "a"}, votes).value
    0.75
    """
    if not any(item in gold for item in votes.items):
        return None
    total = (votes.counts * credit_of(metric_named(metric), gold, votes)).sum(axis=1)
    known = np.array([item in gold for item in votes.items], dtype=bool)
    size = np.where(known, votes.counts.sum(axis=1), 0)
    rows = np.flatnonzero(size)
    return ratio(total[rows] / size[rows], np.ones(len(rows)), resampling, items=votes.items_at(rows))


def ceiling(votes: Votes, resampling: Resampling = SINGLE_ITEMS) -> Estimate:
    """The mean over items of the largest share of equal answers: what a respondent could at most agree with people.

    Items with one judgment are skipped, since they agree with themselves. No gold is needed, so it is marked as
    against "peers"; NaN where no item has two judgments.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> ceiling(votes).value
    0.75
    """
    size = votes.counts.sum(axis=1)
    rows = np.flatnonzero(size > 1)
    share = votes.counts[rows].max(axis=1, initial=0) / size[rows]
    return ratio(share, np.ones(len(rows)), resampling, items=votes.items_at(rows), against="peers")


def _credit(counts: Integers) -> Floats:
    """The summed credit of all judgments of each count vector, (C,)."""
    total = np.zeros(len(counts))
    for label in range(counts.shape[1]):
        others = counts.copy()
        others[:, label] -= 1
        top = others.max(axis=1)
        level = (others == top[:, None]).sum(axis=1)
        total += np.where(others[:, label] == top, counts[:, label] / level, 0)
    return total
