"""Judgments of pairs, which set two competitors beside each other, and the sums that every ranking starts from.

Connected components say who never met, even through others, and who always won or always lost.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from eval.arrays import Codes, Floats, Integers, Mask


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons:
    """P judgments of which of two is better.

    `names` are the M competitors. `first` and `second` (P,) are the codes of the two, `score` (P,) is the first one's:
    1 where it won, 0 where it lost, 1/2 for a tie. `pair` (P,) numbers what was judged, from 0 below `pairs`: judgments
    of one pair of texts have one number. `worker` (P,) numbers who judged.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    score: Floats
    pair: Codes
    worker: Codes
    pairs: int

    def __len__(self) -> int:
        return len(self.first)

    def keep(self, mask: Mask) -> "Comparisons":
        """The judgments where the mask (P,) is true, over the same competitors, pairs and workers."""
        chosen = self.first[mask], self.second[mask], self.score[mask], self.pair[mask], self.worker[mask]
        return Comparisons(self.names, *chosen, self.pairs)

    @cached_property
    def meetings(self) -> "Meetings":
        """Which two meet, and how often."""
        number = len(self.names)
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        key, edge = np.unique(low.astype(np.int64) * number + high, return_inverse=True)
        return Meetings(number, key // number, key % number, edge.astype(np.int64))

    @property
    def tied(self) -> Mask:
        """Which judgments (P,) are ties."""
        return np.asarray(self.score == 0.5)

    def points(self, weight: Floats | None = None) -> Floats:
        """How many points each competitor has (M,): 1 for a win, 1/2 for a tie, each times the judgment's weight."""
        mine = self.score if weight is None else self.score * weight
        theirs = (1 - self.score) if weight is None else (1 - self.score) * weight
        number = len(self.names)
        return np.asarray(
            np.bincount(self.first, mine, minlength=number) + np.bincount(self.second, theirs, minlength=number)
        )

    def wins(self) -> sparse.csr_array:
        """How many points each has against each (M x M, sparse): row against column."""
        number = len(self.names)
        rows, columns = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        return sparse.coo_array(
            (np.concatenate([self.score, 1 - self.score]), (rows, columns)), shape=(number, number)
        ).tocsr()


@dataclass(frozen=True, eq=False, repr=False)
class Meetings:
    """The E couples of competitors that meet: `low` and `high` (E,) of `number` ones, `of` (P,) each judgment's."""

    number: int
    low: Integers
    high: Integers
    of: Integers

    @cached_property
    def _incidence(self) -> sparse.csr_array:
        place = np.arange(len(self.low))
        rows, columns = np.concatenate([self.low, self.high]), np.concatenate([place, place])
        return sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(self.number, len(self.low))).tocsr()

    def added(self, values: Floats) -> Floats:
        """What belongs to couples (E x B) added up for each competitor (M x B): a couple's number goes to both."""
        if values.shape[1] > 1:
            return np.asarray(self._incidence @ values)
        # Of one sample: numpy goes through the couples in their order, and several times faster than the product does.
        each = (np.bincount(codes, values[:, 0], minlength=self.number) for codes in (self.low, self.high))
        return np.asarray(sum(each))[:, None]


def compared(names: tuple[str, ...], judged: list[tuple[str, str, float, str, str]]) -> Comparisons:
    """Comparisons out of rows of first, second, score of the first, pair and worker.

    >>> compared(("a", "b"), [("b", "a", 1.0, "q1", "w1"), ("a", "b", 0.5, "q2", "w1")]).points().tolist()
    [0.5, 1.5]
    """
    place = {name: code for code, name in enumerate(names)}
    pairs, workers = ({name: n for n, name in enumerate(dict.fromkeys(row[at] for row in judged))} for at in (3, 4))
    return Comparisons(
        names,
        np.array([place[row[0]] for row in judged], dtype=np.int32),
        np.array([place[row[1]] for row in judged], dtype=np.int32),
        np.array([row[2] for row in judged], dtype=np.float64),
        np.array([pairs[row[3]] for row in judged], dtype=np.int32),
        np.array([workers[row[4]] for row in judged], dtype=np.int32),
        len(pairs),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Groups:
    """How competitors hang together.

    `of` (M,) numbers the groups that met, directly or through others, the largest first; -1 is who met nobody. `core`
    (M,) says who has a finite strength: in each group the most of whom each has points against others and lost points
    to them, directly or through others (Ford 1957). `end` (M,) is of the rest inf where they only win against the core,
    -inf where they only lose, NaN where neither is so; 0 in the core.
    """

    of: Integers
    core: Mask
    end: Floats

    @property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.of.max(initial=-1)) + 1


def groups_of(comparisons: Comparisons) -> Groups:
    """The groups of the competitors.

    Source: Ford (1957), Solution of a ranking problem from binary comparisons, American Mathematical Monthly 64 (8),
    28-33.

    a and b beat each other and both beat c; d and e met nobody else.

    >>> from eval.ranking.pairs import compared
    >>> met = [("a", "b", 1), ("b", "a", 1), ("a", "c", 1), ("b", "c", 1), ("d", "e", 0.5)]
    >>> found = groups_of(compared(tuple("abcde"), [(*one, "q", "w") for one in met]))
    >>> found.of.tolist(), found.core.tolist(), found.end.tolist()
    ([0, 0, 0, 1, 1], [True, True, False, True, True], [0.0, 0.0, -inf, 0.0, 0.0])
    """
    won = comparisons.wins()
    won.eliminate_zeros()
    alone = np.asarray((won + won.T).sum(axis=1)).ravel() == 0
    of = _by_size(sparse.csgraph.connected_components(won, directed=False)[1].astype(np.int64), alone)
    part = sparse.csgraph.connected_components(won, directed=True, connection="strong")[1]
    core, end = np.zeros(len(of), dtype=bool), np.full(len(of), np.nan)
    for group in range(int(of.max(initial=-1)) + 1):
        inside = of == group
        largest = inside & (part == np.bincount(part[inside]).argmax())
        core |= largest
        largest_row = int(np.flatnonzero(largest)[0])
        for way, far in ((won, -np.inf), (won.T.tocsr(), np.inf)):
            end[sparse.csgraph.breadth_first_order(way, largest_row, return_predecessors=False)] = far
        end[largest] = 0.0
    return Groups(of, core, end)


def _by_size(group: Integers, alone: Mask) -> Integers:
    """The groups numbered anew, the largest first, then by their first competitor; -1 for who is `alone`."""
    sizes = np.bincount(group)
    first = np.full(len(sizes), len(group))
    np.minimum.at(first, group, np.arange(len(group)))
    order = np.lexsort((first, -sizes))
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return np.where(alone, -1, number[group]).astype(np.int64)
