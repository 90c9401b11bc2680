"""How like each other answers to one item are, by the distance that their answer type names."""

from collections.abc import Mapping, Sequence

import numpy as np

from eval.agreement.distances import distances_between
from eval.arrays import Floats, Integers
from eval.gold import TaskItems
from eval.votes import Votes


def similarities(asked: TaskItems, item: str, names: Sequence[str], *others: str) -> Floats:
    """1 - the distance of each answer to each of the others, 0 to 1; to each other where none are given.

    Answers that fold to the same form are alike whatever the distance says.
    """
    if set(others) <= set(names) and others:
        return similarities(asked, item, names)[:, [names.index(other) for other in others]]
    key = "alike", item, str(len(names)), *names, *others
    alike: Floats = asked.once(key, lambda: _similarities(asked, item, names, others or names))
    return alike


def _similarities(asked: TaskItems, item: str, names: Sequence[str], others: Sequence[str]) -> Floats:
    of = asked.of(item)
    contents = [of.content(name) for name in names]
    against = contents if others is names else [of.content(other) for other in others]
    forms, theirs = (np.array([asked.folded(item, name) for name in each], dtype=object) for each in (names, others))
    return np.where(forms[:, None] == theirs, 1.0, 1 - distances_between(contents, against, of.distance))


def similarities_by_item(votes: Votes, asked: TaskItems) -> dict[int, Floats]:
    """How like each other the different answers to each item with two judgments or more are, by the item's row."""
    rows = np.flatnonzero(votes.counts.sum(axis=1) > 1).tolist()
    return {row: similarities(asked, votes.items[row], votes.named(row)) for row in rows}


def mean_similarities(counts: Integers, alike: Mapping[int, Floats]) -> Floats:
    """The mean similarity of pairs of answers to each item with two answers or more of N x K, in the items' order."""
    shares = []
    for row, similarity in alike.items():
        given = counts[row, : len(similarity)]
        size = int(given.sum())
        if size > 1:
            shares.append((given @ similarity @ given - size) / (size * (size - 1)))
    return np.array(shares, dtype=np.float64)
