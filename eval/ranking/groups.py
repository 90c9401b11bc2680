"""Connected components of competitors: who never met, even through others; and who always won or always lost."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, connected_components

from eval.arrays import Floats, Integers, Mask
from eval.ranking.pairs import Comparisons


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
    of = _by_size(connected_components(won, directed=False)[1].astype(np.int64), alone)
    part = connected_components(won, directed=True, connection="strong")[1]
    core, end = np.zeros(len(of), dtype=bool), np.full(len(of), np.nan)
    for group in range(int(of.max(initial=-1)) + 1):
        inside = of == group
        largest = inside & (part == np.bincount(part[inside]).argmax())
        core |= largest
        largest_row = int(np.flatnonzero(largest)[0])
        below, above = (
            breadth_first_order(way, largest_row, return_predecessors=False) for way in (won, won.T.tocsr())
        )
        end[below], end[above] = -np.inf, np.inf
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
