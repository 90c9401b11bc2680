"""Two respondents on the same items: how far apart they are, and whether chance explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from scipy.special import bdtr, chdtrc

from data.errors import BadSetting
from eval.arrays import Floats, Integers, number_or_none
from eval.ballots import Ballots
from eval.histogram import LabelHistogram, Tally
from eval.intervals import Interval, chunks, percentile
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.resampling import SINGLE_ITEMS, Blocks, Resampling, blocks_of
from eval.scoring import value_of
from eval.sums import tally


@dataclass(frozen=True)
class McNemar:
    """Two-sided p-values of McNemar's test: the exact one, the less conservative mid-p, and that of its chi-square.

    `statistic` is the chi-square with the correction for continuity, which `corrected` is the p-value of.
    """

    exact: float
    mid: float
    statistic: float = 0.0
    corrected: float = 1.0


@dataclass(frozen=True)
class Difference:
    """The metric of a minus that of b over the `n` items both have scored.

    `ci` is its 95% interval, which resamples `unit`s; `p` is the two-sided p-value of `test` ("mcnemar",
    "permutation"), None for "none".
    """

    value: float
    ci: Interval
    p: float | None
    test: str
    n: int
    unit: str = "item"

    def as_dict(self) -> dict[str, object]:
        """The difference as it stands in JSON; NaN becomes None, and the unit is named where it is not the item."""
        ends = [number_or_none(end) for end in self.ci]
        shown: dict[str, object] = {"difference": number_or_none(self.value), "ci": ends, "p": self.p}
        shown |= {"test": self.test, "n": self.n}
        return shown if self.unit == "item" else shown | {"unit": self.unit}


def mcnemar(b: int, c: int) -> McNemar:
    """McNemar's test on b items that only the first has right and c that only the second has; all are 1 for b + c = 0.

    The exact p is that of a binomial with share 1/2; the mid-p takes half the probability of the observed split from
    each side (Fagerland, Lydersen, Laake 2013). The chi-square (|b - c| - 1)^2 / (b + c), never below 0, is what other
    programs print; it is rough where b + c is below 25.
    """
    fewer, total = min(b, c), b + c
    if not total:
        return McNemar(1.0, 1.0)
    doubled = 2 * float(bdtr(fewer, total, 0.5))
    statistic = max(0, abs(b - c) - 1) ** 2 / total
    mid = min(1.0, doubled - comb(total, fewer) / 2**total)
    return McNemar(min(1.0, doubled), mid, statistic, float(chdtrc(1, statistic)))


def difference(
    metric: str,
    gold: Mapping[str, str],
    a: Ballots,
    b: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
) -> Difference:
    """The metric of `a` minus that of `b` on the items with gold that both have scored.

    The interval is a paired percentile bootstrap over items. The test is McNemar's exact one where every score is
    0 or 1, else a permutation that swaps the two respondents' ballots item by item; none where a respondent gives
    several answers to an item, since swapping then makes no sense. NaN without common items. Where `resampling` is of
    clusters whole ones are resampled and swapped, and McNemar's test, which takes items for independent, is not used;
    a single cluster has neither interval nor test.
    """
    chosen = metric_named(metric)
    pair = tally(chosen, gold, a, b, clusters=resampling.clusters)
    n = int(pair.multiplicity.sum())
    blocks = blocks_of(pair, a.items, resampling)
    if not n:
        return Difference(float("nan"), (float("nan"), float("nan")), None, "none", 0, blocks.unit)
    value = value_of(chosen, pair, 0, seed=resampling.seed) - value_of(chosen, pair, 1, seed=resampling.seed)
    generator = resampling.generator
    ties = None if chosen.is_mean else generator

    def statistic(multiplicities: Integers) -> Floats:
        first, second = (pair.of(pair.totals(r, multiplicities, ties)) for r in (0, 1))
        return first - second

    ci = percentile(blocks.resample(statistic, generator=generator, width=2 * pair.width))
    p, test = _test(chosen, pair, blocks, generator)
    return Difference(value, ci, p, test, n, blocks.unit)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values (1979) of a table of tests, in its order: below 0.05 means significant in the table.

    The chance of any false finding among them stays below the level. None stays None and is no test.
    """
    known = [(p, place) for place, p in enumerate(p_values) if p is not None]
    if wrong := [p for p, _ in known if not 0 <= p <= 1]:
        raise BadSetting(f"A p-value must lie between 0 and 1, got {wrong[0]!r}.")
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(sorted(known)):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = least
    return adjusted


def _test(metric: Metric, pair: Tally, blocks: Blocks, generator: np.random.Generator) -> tuple[float | None, str]:
    if not pair.one_each.all() or (blocks.number < 2 and not blocks.single):
        return None, "none"
    if not (metric.is_mean and isinstance(pair, LabelHistogram)) or not pair.whole.all() or not blocks.single:
        return _permutation(pair, blocks, generator), "permutation"
    right = pair.ballots[:, :, 0] > 0
    only_first = int(pair.multiplicity[right[:, 0] & ~right[:, 1]].sum())
    only_second = int(pair.multiplicity[right[:, 1] & ~right[:, 0]].sum())
    return mcnemar(only_first, only_second).exact, "mcnemar"


def _permutation(pair: Tally, blocks: Blocks, generator: np.random.Generator) -> float:
    """(1 + how often a swap is as far apart) / (1 + draws), by absolute difference.

    Ties enter with their fractions, in the data and in every swap alike: any statistic makes a valid permutation
    test, and this one has no noise of its own. The blocks swapped of each kind are binomial.
    """

    def gaps(blocks_swapped: Integers) -> Floats:
        swapped = blocks.cells(blocks_swapped)
        stay = pair.multiplicity - swapped
        first = pair.totals(0, stay) + pair.totals(1, swapped)
        second = pair.totals(1, stay) + pair.totals(0, swapped)
        return np.abs(pair.of(first) - pair.of(second))

    number, draws = len(blocks.multiplicity), blocks.resampling.draws
    observed = gaps(np.zeros((1, number), dtype=np.int64))[0]
    as_far = 0
    for size in chunks(draws, number + 2 * len(pair.multiplicity) + 4 * pair.width):
        swapped = generator.binomial(blocks.multiplicity, 0.5, size=(size, number))
        as_far += int((gaps(swapped) >= observed - 1e-12).sum())
    return (1 + as_far) / (1 + draws)
