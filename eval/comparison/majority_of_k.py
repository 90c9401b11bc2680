"""What a majority of k people would score: exact probabilities instead of draws of k people."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import comb

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct
from eval.ballots import Ballots
from eval.consensus.composite import crowd_by_units
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.scoring import score
from eval.votes import Votes


def majority_of_k(
    metrics: Sequence[str], gold: Mapping[str, str], votes: Votes, resampling: Resampling = SINGLE_ITEMS
) -> dict[int, dict[str, Estimate]]:
    """The expected score of the plurality of k of an item's judgments, for each k from 1 to the overlap.

    The k are drawn without replacement and ties broken at random, both exactly (see `plurality_of`): a metric is that
    of the expected answers, with the interval that `eval.scoring.score` gives any answers. So by any metric the
    majority of one is what single answers score, where items have as many each, and that of all is the majority. Items
    with fewer than k judgments drop out, so `n` may fall with k, and then so does what is compared. {} where no item
    has gold.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> found = majority_of_k(["accuracy"], {"q1": "a", "q2": "a"}, votes)
    >>> {k: scores["accuracy"].value for k, scores in found.items()}
    {1: 0.75, 2: 0.75}
    """
    if not any(item in gold for item in votes.items):
        return {}
    overlap = votes.counts.sum(axis=1)
    largest = max((int(n) for item, n in zip(votes.items, overlap, strict=True) if item in gold), default=0)
    return {k: score(metrics, gold, crowd_of(votes, k), resampling) for k in range(1, largest + 1)}


def crowd_of(votes: Votes, k: int) -> Ballots:
    """The ballots of a plurality of k: the probability of each answer, a row of zeros for fewer than k judgments.

    Composite answers are joined from the pluralities of their units, over all subsets of k judgments where these are
    few, else over seeded ones (`eval.consensus.composite.crowd_by_units`).
    """
    chances = plurality_of(votes.counts, k)
    ballots = Ballots(votes.items, votes.labels, np.hstack([chances, np.zeros((len(chances), 1))]), votes.names)
    return crowd_by_units(votes, ballots, k) if votes.names is not None else ballots


def plurality_of(counts: Integers, k: int) -> Floats:
    """The probability of each label to be the plurality of k judgments drawn without replacement, (N, K).

    Level labels share what they win. Rows sum to one; a row with fewer than k judgments is zero. Exact: for each label
    and each number c of its votes among the k, a generating function over the other labels counts the draws in which
    none of them has more than c, by how many have exactly c.
    """
    if k < 1:
        raise BadSetting(f"A majority needs at least 1 person, got k = {k!r}.")
    result = np.zeros(counts.shape)
    enough = np.flatnonzero(counts.sum(axis=1) >= k)
    order = np.argsort(-counts[enough], axis=1, kind="stable")
    # Only the sizes of the groups matter, not their names: far fewer rows are distinct, and empty labels fall away.
    kinds = distinct(np.take_along_axis(counts[enough], order, axis=1))
    groups = kinds.rows[:, kinds.rows.any(axis=0)]
    chances = np.zeros(kinds.rows.shape)
    for label in range(groups.shape[1]):
        chances[:, label] = _chance(groups, label, k)
    sorted_chances = np.zeros(order.shape)
    np.put_along_axis(sorted_chances, order, chances[kinds.inverse], axis=1)
    # Rounded, so that equal chances that were summed in another order stay equal.
    result[enough] = sorted_chances.round(12)
    return result


def _chance(groups: Integers, label: int, k: int) -> Floats:
    """The probability (C,) that the k drawn from groups (C, M) have this label on top, ties shared."""
    others = np.delete(groups, label, axis=1)
    ways = np.zeros(len(groups))
    for votes in range(1, min(k, int(groups[:, label].max(initial=0))) + 1):
        rest = _ways(others, k - votes, votes)
        ways += comb(groups[:, label], votes) * (rest / np.arange(1, rest.shape[1] + 1)).sum(axis=1)
    return np.asarray(ways / comb(groups.sum(axis=1), k))


def _ways(others: Integers, missing: int, most: int) -> Floats:
    """In how many ways the others give `missing` votes, none more than `most`: (C, T), by how many give `most`."""
    table = np.zeros((len(others), missing + 1, missing // most + 1))
    table[:, 0, 0] = 1
    for group in others.T:
        grown = table.copy()
        for taken in range(1, min(most, missing) + 1):
            times = comb(group, taken)[:, None, None]
            if taken < most:
                grown[:, taken:] += times * table[:, : missing + 1 - taken]
            else:
                grown[:, taken:, 1:] += times * table[:, : missing + 1 - taken, :-1]
        table = grown
    return table[:, missing]
