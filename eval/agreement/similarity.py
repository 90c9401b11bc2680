"""How like each other answers to one item are, by the distance that their answer type names."""

from collections.abc import Mapping, Sequence

import numpy as np

from eval.agreement.distances import distance_of
from eval.arrays import Floats, Integers
from eval.gold import TaskItems
from eval.votes import Votes


def similarities(asked: TaskItems, item: str, names: Sequence[str], *others: str) -> Floats:
    """1 - the distance of each answer to each of the others, 0 to 1; to each other where none are given.

    Answers that fold to the same form are alike whatever the distance says.
    """
    of = asked.of(item)
    measured = distance_of(of.distance)
    against = others or tuple(names)
    forms = [asked.folded(item, name) for name in names], [asked.folded(item, other) for other in against]
    contents = [of.content(name) for name in names], [of.content(other) for other in against]
    similarity = np.ones((len(names), len(against)))
    for row, column in np.ndindex(similarity.shape):
        if forms[0][row] != forms[1][column]:
            similarity[row, column] = 1 - measured(contents[0][row], contents[1][column])
    return similarity


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
