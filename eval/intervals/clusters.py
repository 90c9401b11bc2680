"""What a bootstrap draws, how often and from which seed: single items, or clusters of them that share a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct
from eval.intervals.bootstrap import Statistic, expanded, percentile, resample
from eval.intervals.wilson import Interval

FEWEST_CLUSTERS = 10
"""Over fewer there is no verdict of equivalence: it would be wrong more often than in 5% of studies."""


@dataclass(frozen=True)
class Clusters:
    """Items that are not independent: `of` leads from an item to its cluster, `unit` says what a cluster is."""

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
class SamplingUnits:
    """R distinct sampling units, items or clusters of them: how many items of each kind one holds, how often it occurs.

    `rows` is R x C over the kinds of a tally, None for single items (where it would be the unit matrix);
    `multiplicity` is (R,). Units with equal rows are exchangeable.
    """

    resampling: Resampling
    rows: Integers | None
    multiplicity: Integers

    @property
    def unit(self) -> str:
        """What a unit is, in a word."""
        return self.resampling.unit

    @property
    def single(self) -> bool:
        """Whether each unit is one item."""
        return self.rows is None

    @property
    def number(self) -> int:
        """How many units there are."""
        return int(self.multiplicity.sum())

    def kinds(self, multiplicities: Integers) -> Integers:
        """The multiplicities of kinds (B, C) where the units occur as often as (B, R) says."""
        return multiplicities if self.rows is None else np.asarray(multiplicities @ self.rows)

    def resample(self, statistic: Statistic, *, generator: np.random.Generator | None = None, width: int = 0) -> Floats:
        """A statistic of the kinds' multiplicities over bootstrap samples of units, (draws,).

        A statistic that draws itself shares its `generator`; else it is one that begins at the seed. NaN where there is
        only one unit: drawn again and again it shows nothing of how units differ.
        """
        draws = self.resampling.draws
        if self.number < 2:
            return np.full(draws, np.nan)
        wide = width if self.rows is None else width + self.rows.shape[1]
        return resample(
            self.multiplicity,
            lambda m: statistic(self.kinds(m)),
            draws=draws,
            generator=generator or self.resampling.generator,
            width=wide,
        )

    def interval(self, samples: Floats, value: float, *, low: float, high: float) -> Interval:
        """The 95% interval, from `low` to `high`, of a statistic with this `value` and these samples (draws,).

        Their percentiles; over clusters, which are few, those of the samples expanded about the value.
        """
        if self.single or np.isnan(samples).all():
            return percentile(samples)
        return percentile(expanded(samples, value, self.number).clip(low, high))


def sampling_units(
    place: Integers, multiplicity: Integers, items: Sequence[str], resampling: Resampling
) -> SamplingUnits:
    """The sampling units of N items by the kind of each, `place` (N,), -1 where an item does not count.

    `multiplicity` (C,) is how many items each kind has; without clusters only this matters.
    """
    if resampling.clusters is None:
        return SamplingUnits(resampling, None, multiplicity)
    counting = np.flatnonzero(place >= 0)
    cluster = cluster_codes([items[int(row)] for row in counting], resampling.clusters)
    width = len(multiplicity)
    number = int(cluster.max(initial=-1)) + 1
    key = cluster * width + place[counting]
    kinds = distinct(np.bincount(key, minlength=number * width).reshape(number, width))
    return SamplingUnits(resampling, kinds.rows, kinds.multiplicity)


def cluster_codes(items: Sequence[str], clusters: Clusters) -> Integers:
    """The number of each item's cluster, from zero without gaps, (N,).

    An item without a cluster is refused: guessing that it stands alone would narrow the interval.

    >>> cluster_codes(["q1", "q2", "q3"], Clusters("text", {"q1": "b", "q2": "a", "q3": "b"})).tolist()
    [0, 1, 0]
    """
    names = [clusters.of.get(item) for item in items]
    if None in names:
        item = items[names.index(None)]
        raise BadSetting(f"The item {item!r} has no {clusters.unit}; name one for every item, or leave clusters out.")
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([place[name] for name in names], dtype=np.int64)
