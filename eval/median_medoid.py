"""The answer in the middle of an item's open answers: the median of numbers, the medoid of anything with a distance."""

from collections.abc import Sequence

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats
from eval.gold import Asked
from eval.open_votes import asked_of
from eval.similarity import similarities
from eval.votes import Votes


def median_scores(votes: Votes) -> Floats:
    """1 for the middle answer of each item in the order of the numbers, else 0, (N, K).

    With an even number of judgments two different answers may stand in the middle, and both have 1: a tie, since their
    mean is an answer that nobody gave. Answers that are not numbers are refused.
    """
    asked = asked_of(votes)
    scores = np.zeros(votes.counts.shape)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        names = votes.named(row)
        order = np.argsort(_numbers(asked, votes.items[row], names), kind="stable")
        upto = votes.counts[row, order].cumsum()
        for middle in ((upto[-1] - 1) // 2, upto[-1] // 2):
            scores[row, order[int(np.searchsorted(upto, middle, side="right"))]] = 1
    return scores


def medoid_scores(votes: Votes) -> Floats:
    """The mean similarity of each answer to all judgments of its item, 0 to 1, (N, K): the largest is the medoid's."""
    asked = asked_of(votes)
    scores = np.zeros(votes.counts.shape)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        names = votes.named(row)
        counts = votes.counts[row, : len(names)]
        scores[row, : len(names)] = similarities(asked, votes.items[row], names) @ counts / counts.sum()
        scores[row, : len(names)][counts == 0] = 0
    return scores


def _numbers(asked: Asked, item: str, names: Sequence[str]) -> list[float]:
    contents = [asked.content(item, name) for name in names]
    if not all(isinstance(content, int | float) for content in contents):
        raise BadSetting(
            f"The median is one of numbers, and the item {item!r} has an answer that is none; choose another consensus."
        )
    return contents
