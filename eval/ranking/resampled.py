"""How far strengths lie from what they are when other pairs, or other people, are drawn: a bootstrap of units."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from eval.arrays import Codes, Floats, Integers
from eval.ranking.bradley_terry import Tables, Ties, bradley_terry
from eval.ranking.pairs import Comparisons, Meetings

CACHED = 100_000
"""So many numbers at a time stay in the processor's cache."""
ENOUGH, MOST = 1e-4, 300
"""How exactly the strengths of a sample are computed, and in how many steps at most: far within what samples vary."""


@dataclass(frozen=True, eq=False, repr=False)
class Units:
    """What is drawn: `of` (P,) numbers each judgment's pair, cluster of pairs or worker, from 0 below `number`."""

    of: Codes
    number: int


def deviations(
    comparisons: Comparisons, units: Units, log: Floats, *, ties: Ties, draws: int, generator: np.random.Generator
) -> Floats:
    """How far from `log` (M,) the strengths lie in samples of whole units, (draws x M).

    Infinite where a sample gives a competitor not a point, or takes none from it; NaN where it has it not at all.
    """
    unit, number = units.of, units.number
    samples = []
    adding = _Adding.of(comparisons, unit, number)
    at_once = max(1, CACHED // (number + len(comparisons.meetings.low)))
    for size in (min(at_once, draws - start) for start in range(0, draws, at_once)):
        times = generator.multinomial(number, np.full(number, 1 / number), size=size).T.astype(np.float64)
        fit = bradley_terry(adding.tables(times), ties=ties, tolerance=ENOUGH, iterations=MOST, start=log)
        samples.append((fit.log - log[:, None]).T)
    return np.concatenate(samples)


@dataclass(frozen=True, eq=False, repr=False)
class _Adding:
    """What each of U units adds to the sums of a sample: `points` (M x U), `games` (E x U), `ties` (U,)."""

    meetings: Meetings
    points: sparse.csr_array
    games: sparse.csr_array
    ties: Floats

    @classmethod
    def of(cls, comparisons: Comparisons, unit: Codes, number: int) -> "_Adding":
        score, meetings = comparisons.score, comparisons.meetings
        points = _counted(
            np.concatenate([score, 1 - score]),
            np.concatenate([comparisons.first, comparisons.second]),
            np.concatenate([unit, unit]),
            (len(comparisons.names), number),
        )
        games = _counted(np.ones(len(unit)), meetings.of, unit, (len(meetings.low), number))
        ties = np.bincount(unit[comparisons.tied], minlength=number).astype(np.float64)
        return cls(meetings, points, games, ties)

    def tables(self, times: Floats) -> Tables:
        """The sums where each unit occurs so many `times` (U x B)."""
        return Tables(self.meetings, self.points @ times, self.games @ times, self.ties @ times)


def _counted(
    values: Floats, row: Integers | Codes, column: Integers | Codes, shape: tuple[int, int]
) -> sparse.csr_array:
    return sparse.coo_array((values, (row, column)), shape=shape).tocsr()
