"""What a bootstrap draws, how often and from which seed: single items, or clusters of them that share a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct
from eval.histogram import Tally
from eval.intervals import Statistic, resample


@dataclass(frozen=True)
class Clusters:
    """Items that are not independent: `of` leads from an item to its cluster, `unit` says what a cluster is.

    Fewer than about 30 clusters make every bootstrap over them somewhat too narrow.
    """

    unit: str
    of: Mapping[str, str]


@dataclass(frozen=True)
class Resampling:
    """How an interval resamples: `draws` bootstrap samples (1 or more) of items, or of whole `clusters`, from `seed`.

    A study has one, and all its intervals take it, so that they speak of the same clusters (Efron and Tibshirani 1993).

    >>> passages = Clusters("passage", {"q1": "p1", "q2": "p1", "q3": "p2"})
    >>> Resampling().unit, Resampling(passages, draws=1000).unit
    ('item', 'passage')
    """

    clusters: Clusters | None = None
    draws: int = 2000
    seed: int = 0

    @property
    def unit(self) -> str:
        """What a sample is made of, in a word."""
        return self.clusters.unit if self.clusters else "item"

    @property
    def generator(self) -> np.random.Generator:
        """A generator that begins at the seed, a new one each time."""
        return np.random.default_rng(self.seed)


SINGLE_ITEMS = Resampling()
"""2000 samples of single items from seed 0."""


@dataclass(frozen=True, eq=False, repr=False)
class Blocks:
    """R distinct blocks of items: how many items of each cell a block holds, and how often it occurs.

    `rows` is R x C over the cells of a histogram, None for single items (where it would be the unit matrix);
    `multiplicity` is (R,). Blocks with equal rows are exchangeable.
    """

    resampling: Resampling
    rows: Integers | None
    multiplicity: Integers

    @property
    def unit(self) -> str:
        """What a block is, in a word."""
        return self.resampling.unit

    @property
    def single(self) -> bool:
        """Whether each block is one item."""
        return self.rows is None

    @property
    def number(self) -> int:
        """How many blocks there are."""
        return int(self.multiplicity.sum())

    def cells(self, multiplicities: Integers) -> Integers:
        """The multiplicities of cells (B, C) where the blocks occur as often as (B, R) says."""
        return multiplicities if self.rows is None else np.asarray(multiplicities @ self.rows)

    def resample(self, statistic: Statistic, *, generator: np.random.Generator | None = None, width: int = 0) -> Floats:
        """A statistic of the cells' multiplicities over bootstrap samples of blocks, (draws,).

        A statistic that draws itself shares its `generator`; else it is one that begins at the seed. NaN where there is
        only one block: drawn again and again it shows nothing of how blocks differ.
        """
        draws = self.resampling.draws
        if self.number < 2:
            return np.full(draws, np.nan)
        wide = width if self.rows is None else width + self.rows.shape[1]
        return resample(
            self.multiplicity,
            lambda m: statistic(self.cells(m)),
            draws=draws,
            generator=generator or self.resampling.generator,
            width=wide,
        )


def blocks_of(histogram: Tally, items: Sequence[str], resampling: Resampling) -> Blocks:
    """The blocks of the items that count; each item is one without clusters."""
    return blocks(histogram.place, histogram.multiplicity, items, resampling)


def blocks(place: Integers, multiplicity: Integers, items: Sequence[str], resampling: Resampling) -> Blocks:
    """The blocks of N items by the cell of each, `place` (N,), -1 where an item does not count.

    `multiplicity` (C,) is how many items each cell has; without clusters only this matters.
    """
    if resampling.clusters is None:
        return Blocks(resampling, None, multiplicity)
    counting = np.flatnonzero(place >= 0)
    cluster = numbered([items[int(row)] for row in counting], resampling.clusters)
    width = len(multiplicity)
    number = int(cluster.max(initial=-1)) + 1
    key = cluster * width + place[counting]
    found = distinct(np.bincount(key, minlength=number * width).reshape(number, width))
    return Blocks(resampling, found.rows, found.multiplicity)


def numbered(items: Sequence[str], clusters: Clusters) -> Integers:
    """The number of each item's cluster, from zero without gaps, (N,).

    An item without a cluster is refused: guessing that it stands alone would narrow the interval.
    """
    names = [clusters.of.get(item) for item in items]
    if None in names:
        item = items[names.index(None)]
        raise BadSetting(f"The item {item!r} has no {clusters.unit}; name one for every item, or leave clusters out.")
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([place[name] for name in names], dtype=np.int64)
