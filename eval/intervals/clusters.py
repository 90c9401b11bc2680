"""The percentile bootstrap: what it draws, single items or clusters of them that share a text, and its intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from data.errors import BadSetting
from eval.arrays import Floats, Integers, distinct
from eval.estimate import UNDEFINED, Interval, Z, wilson

Statistic = Callable[[Integers], Floats]

_BYTES = 64 * 2**20
_MOST_DRAWS = 256
"""At once: for a larger matrix product BLAS starts threads, and their waiting costs more than the product."""


def percentile(values: Floats) -> Interval:
    """The central 95% interval of resampled values (B,), NaN ones left out; (NaN, NaN) where none is left."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return UNDEFINED
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def expanded(values: Floats, observed: float, units: int) -> Floats:
    """Resampled values (B,) about the observed one, as much wider as the t distribution of so few units is.

    A bootstrap of few units is too narrow: their spread is divided by their number instead of one less, and its
    percentiles are normal ones (Hesterberg 2015, The American Statistician 69, 371-386).

    >>> expanded(np.array([0.1, 0.3]), 0.2, 10).round(3).tolist()
    [0.078, 0.322]
    """
    factor = float(stdtrit(units - 1, 0.975) / Z * np.sqrt(units / (units - 1)))
    return np.asarray(observed + factor * (values - np.nanmean(values)))


def resample(
    multiplicity: Integers | Floats, statistic: Statistic, *, draws: int, generator: np.random.Generator, width: int = 0
) -> Floats:
    """A statistic of `draws` bootstrap samples of items, as an array (draws,).

    Items with equal cells are exchangeable, so a sample is one multinomial draw over the C distinct cells, whatever
    the number of items; the multiplicities (C,) may hold parts of items, and their sum is rounded. `statistic` takes
    multiplicities (B, C) and gives (B,); it is called in small chunks that stay within 64 MB, counting `width` further
    numbers per sample.
    """
    if draws < 1:
        raise BadSetting(f"A bootstrap needs at least 1 draw, got {draws!r}.")
    total = round(float(multiplicity.sum()))
    if total == 0:
        return np.full(draws, np.nan)
    shares = multiplicity / multiplicity.sum()
    samples = (generator.multinomial(total, shares, size=size) for size in chunks(draws, len(multiplicity) + width))
    return np.concatenate([statistic(sample) for sample in samples])


def chunks(draws: int, numbers: int) -> list[int]:
    """How many draws to take at a time, when each holds so many numbers, to stay small and within 64 MB."""
    # Integers, their copy as floats for the matrix product, and what a statistic builds of them.
    chunk = max(1, min(_MOST_DRAWS, _BYTES // (3 * 8 * max(1, numbers))))
    return [min(chunk, draws - start) for start in range(0, draws, chunk)]


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

    def resample(self, statistic: Statistic, *, width: int = 0) -> Floats:
        """A statistic of the kinds' multiplicities over bootstrap samples of units, (draws,).

        NaN where there is only one unit: drawn again and again it shows nothing of how units differ.
        """
        draws = self.resampling.draws
        if self.number < 2:
            return np.full(draws, np.nan)
        wide = width if self.rows is None else width + self.rows.shape[1]
        return resample(
            self.multiplicity,
            lambda m: statistic(self.kinds(m)),
            draws=draws,
            generator=self.resampling.generator,
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


def above_chance_interval(samples: Floats, value: float, chance: float, units: SamplingUnits) -> Interval:
    """The 95% interval of a coefficient (A - chance) / (1 - chance), A being the share of equal answers.

    A percentile bootstrap, expanded over clusters. Where all answers are equal no sample differs, though answers could
    have: then A has
    Wilson's interval over the units, and the coefficient that of A, with the chance agreement that was observed. There
    is none where samples do not differ for another reason: chance explains everything, or one of two respondents
    always says the same, so that kappa is 0 whatever the other says.

    Args:
        samples (B,): The coefficient of bootstrap samples.
        value: The coefficient, at most 1.
        chance: The share of answers that are equal by chance, 0 to 1; NaN where it is not known.

    Returns:
        From -1 to 1; (NaN, NaN) where there is none.

    >>> from eval.intervals.clusters import Resampling
    >>> items = SamplingUnits(Resampling(), None, np.ones(20, dtype=int))
    >>> low, high = above_chance_interval(np.ones(9), 1.0, 0.5, items)
    >>> round(low, 3), high
    (0.678, 1.0)
    """
    known = samples[~np.isnan(samples)]
    if len(known) and np.ptp(known) > 1e-12:
        return units.interval(samples, value, low=-1.0, high=1.0)
    if not len(known) or not value > 1 - 1e-9 or not chance < 1 - 1e-12:
        return UNDEFINED
    return max(-1.0, 1 - (1 - wilson(units.number, units.number)[0]) / (1 - chance)), 1.0


def equal_by_chance(given: Floats | Integers) -> float:
    """The share of pairs of different answers that are equal, out of how often each label (K,) was given.

    >>> round(equal_by_chance(np.array([2, 2])), 3)
    0.333
    """
    total = float(given.sum())
    return float((given * (given - 1.0)).sum()) / (total * (total - 1)) if total > 1 else float("nan")
