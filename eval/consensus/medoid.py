"""The medoid of an item's open answers: the one nearest to all the others by the distance of the answer type."""

import numpy as np

from eval.agreement.distances import similarities
from eval.arrays import Floats
from eval.consensus.majority import Consensus, settle
from eval.consensus.ties import PLURALITY, WinningRule
from eval.votes import Votes, asked_of


def medoid(votes: Votes, rule: WinningRule = PLURALITY, *, seed: int = 0, skills: Floats | None = None) -> Consensus:
    """The answer to each item with the largest mean similarity to all judgments of it; composite answers as wholes.

    `rule`, `seed` and `skills` mean what they mean for `majority`.
    """
    return settle(votes, _mean_similarities(votes), rule, seed=seed, skills=skills, units=False)


def _mean_similarities(votes: Votes) -> Floats:
    """The mean similarity of each answer to all judgments of its item, 0 to 1, (N, K): the largest is the medoid's."""
    asked = asked_of(votes)
    scores = np.zeros(votes.counts.shape)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        names = votes.named(row)
        counts = votes.counts[row, : len(names)]
        scores[row, : len(names)] = similarities(asked, votes.items[row], names) @ counts / counts.sum()
        scores[row, : len(names)][counts == 0] = 0
    return scores
