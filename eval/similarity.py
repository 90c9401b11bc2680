"""How like each other answers to one item are, by the distance that their answer type names."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats
from eval.distances import distance_of
from eval.gold import Asked
from eval.votes import Votes


def similarities(asked: Asked, item: str, names: Sequence[str], *others: str) -> Floats:
    """1 - the distance of each answer to each of the others, 0 to 1; to each other where none are given.

    Answers that fold to the same form are alike whatever the distance says.
    """
    of = asked.of(item)
    measured = distance_of(of.distance)
    against = others or tuple(names)
    forms = [asked.folded(item, name) for name in names], [asked.folded(item, other) for other in against]
    contents = [of.content(name) for name in names], [of.content(other) for other in against]
    found = np.ones((len(names), len(against)))
    for row, column in np.ndindex(found.shape):
        if forms[0][row] != forms[1][column]:
            found[row, column] = 1 - measured(contents[0][row], contents[1][column])
    return found


def mean_similarities(votes: Votes, asked: Asked) -> Floats:
    """The mean similarity of pairs of answers to each item with two answers or more, (M,), in the items' order."""
    shares = []
    for row in np.flatnonzero(votes.counts.sum(axis=1) > 1).tolist():
        names = votes.named(row)
        counts = votes.counts[row, : len(names)]
        alike = similarities(asked, votes.items[row], names)
        size = int(counts.sum())
        shares.append((counts @ alike @ counts - size) / (size * (size - 1)))
    return np.array(shares, dtype=np.float64)
