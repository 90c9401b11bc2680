"""Whether two respondents are as good as each other, which "no significant difference" does not show."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from data.errors import BadSetting
from eval.arrays import Floats, Integers, number_or_none
from eval.ballots import Ballots
from eval.histogram import LabelHistogram, Tally
from eval.intervals import Interval, percentile
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.resampling import SINGLE_ITEMS, Blocks, Resampling, blocks_of
from eval.scoring import value_of
from eval.sums import tally


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (Schuirmann 1987) of a metric's difference a - b against a margin set beforehand.

    `ci` is the 90% interval of the difference, `p` the larger of the two one-sided p-values, `method` "normal" or
    "bootstrap"; `equivalent` says that p < 0.05, which is that `ci` lies within the margin. NaN, and never equivalent,
    without common items; without interval and test where these are in one cluster.
    """

    value: float
    ci: Interval
    margin: float
    p: float
    equivalent: bool
    method: str
    n: int
    unit: str = "item"

    def as_dict(self) -> dict[str, object]:
        """The test as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {"difference": number_or_none(self.value), "margin": self.margin}
        shown |= {"ci90": [number_or_none(end) for end in self.ci], "p": number_or_none(self.p)}
        return shown | {"equivalent": self.equivalent, "method": self.method, "n": self.n, "unit": self.unit}


def equivalence(
    metric: str,
    gold: Mapping[str, str],
    a: Ballots,
    b: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    margin: float,
) -> Equivalence:
    """Whether the metrics of `a` and `b` on the items both have scored differ by less than `margin`, either way.

    For a mean over items with one answer each, both tests are normal on the differences per item, with half an item
    added to each of the four outcomes (Agresti and Min 2005), so that two respondents who never differ are not taken
    for equal on three items. For other metrics, several answers to an item, or clusters of items, they are a paired
    bootstrap: p is the share of draws beyond the margin, plus one over draws plus one.
    """
    if not 0 < margin < np.inf:
        raise BadSetting(f"The margin must be above 0, got {margin!r}; choose it before looking at the scores.")
    chosen = metric_named(metric)
    pair = tally(chosen, gold, a, b, clusters=resampling.clusters)
    n = int(pair.multiplicity.sum())
    blocks = blocks_of(pair, a.items, resampling)
    if not n:
        nothing = float("nan")
        return Equivalence(nothing, (nothing, nothing), margin, nothing, False, "none", 0, blocks.unit)
    value = value_of(chosen, pair, 0, seed=resampling.seed) - value_of(chosen, pair, 1, seed=resampling.seed)
    if isinstance(pair, LabelHistogram) and chosen.is_mean and pair.one_each.all() and blocks.single:
        ci, p = _normal(pair, margin)
        method = "normal"
    else:
        drawn = _bootstrap(chosen, pair, blocks)
        if blocks.number < 2:
            nothing = float("nan")
            return Equivalence(value, (nothing, nothing), margin, nothing, False, "none", n, blocks.unit)
        ci, method = percentile(drawn, confidence=0.9), "bootstrap"
        p = (1 + max(int((drawn <= -margin).sum()), int((drawn >= margin).sum()))) / (1 + resampling.draws)
    return Equivalence(value, ci, margin, p, p < 0.05, method, n, blocks.unit)


def _normal(pair: LabelHistogram, margin: float) -> tuple[Interval, float]:
    """The 90% interval and the p-value from the differences per item, two made-up items of difference +-1/2 added."""
    apart = pair.ballots[:, 0, 0] - pair.ballots[:, 1, 0]
    times = pair.multiplicity
    n = int(times.sum()) + 2
    mean = float(times @ apart) / n
    deviation = float(((times @ apart**2 + 1) / n - mean**2) / n) ** 0.5
    half = float(ndtri(0.95)) * deviation
    p = max(float(ndtr(-(mean + margin) / deviation)), float(ndtr((mean - margin) / deviation)))
    return (max(-1.0, mean - half), min(1.0, mean + half)), p


def _bootstrap(metric: Metric, pair: Tally, blocks: Blocks) -> Floats:
    generator = blocks.resampling.generator
    ties = None if metric.is_mean else generator

    def statistic(multiplicities: Integers) -> Floats:
        first, second = (pair.of(pair.totals(r, multiplicities, ties)) for r in (0, 1))
        return first - second

    return blocks.resample(statistic, generator=generator, width=2 * pair.width)
