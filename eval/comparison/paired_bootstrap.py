"""Paired bootstrap: the difference of two respondents on the same items by any metric, its interval and its tests.

Shares of right answers have Tango's score interval of paired proportions, and McNemar's test.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.ballots import Ballots
from eval.estimate import Interval, Z
from eval.intervals.clusters import Resampling, SamplingUnits, expanded, resample, sampling_units
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.scoring import value_of
from eval.tally import Tally, tally

_NEAR = 1e-12


@dataclass(frozen=True)
class PairedCounts:
    """What two respondents' scores of 0 or 1 on the same `n` independent items come to.

    `only_first` items just the first has right, `only_second` just the second. Parts of items (ties that are shared out
    as credit) may enter: a difference between 0 and 1 varies less than one of 0 or 1, so all is then conservative. A
    score's range is `span` units wide, 1 for shares of right answers. `method` is what results call it: "score" where
    it stands in for a bootstrap in which nothing varies.

    Interval and tests are one method, the score statistic of Tango (1998), so they never contradict each other: the
    interval holds just those differences that the two-sided test does not reject. Its test of no difference is
    McNemar's without correction. The interval is never of width zero: where nobody is ahead anywhere it is
    +-z^2 / (n + z^2). Its simulated coverage is in bench/RESULTS.md.

    >>> counts = PairedCounts(only_first=6, only_second=16, n=161)  # Cavo et al. 2012, in Fagerland et al. 2014
    >>> [round(end, 4) for end in counts.interval()], round(counts.p, 6)
    ([-0.124, -0.0054], 0.033006)

    References:
        Tango (1998), Statistics in Medicine 17, 891-908. Fagerland, Lydersen, Laake (2014), Statistics in Medicine 33,
        2850-2875. McNemar (1947), Psychometrika 12, 153-157.
    """

    only_first: float
    only_second: float
    n: int
    span: float = 1.0
    method: str = "mcnemar"

    def __post_init__(self) -> None:
        if self.n < 1 or min(self.only_first, self.only_second) < 0 or self.discordant > self.n + 1e-9:
            raise BadSetting(
                f"Of 1 item or more, 0 or more are right for just one respondent and never more than all; got "
                f"{self.only_first!r} and {self.only_second!r} of {self.n!r}."
            )

    @property
    def discordant(self) -> float:
        """How many items just one of the two has right."""
        return self.only_first + self.only_second

    def statistic(self, difference: float = 0.0) -> float:
        """The score statistic, standard normal where the first is better by `difference` (-1 to 1), in shares.

        The variance takes the most likely share of items that only the second has right under that difference.
        """
        b, c, n = self.only_first, self.only_second, self.n
        linear = (2 * n - b + c) * difference - b - c
        inside = linear**2 + 8 * n * c * difference * (1 - difference)
        likely = (sqrt(max(0.0, inside)) - linear) / (4 * n)
        variance = n * (2 * likely + difference * (1 - difference))
        return (b - c - n * difference) / sqrt(variance) if variance > _NEAR else 0.0

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference: that of z = (b - c) / sqrt(b + c), 1 where b + c = 0."""
        return float(2 * ndtr(-abs(self.statistic())))

    def p_within(self, margin: float) -> float:
        """The larger p-value of the two one-sided score tests against -margin and +margin (Schuirmann 1987).

        Below 0.05 means that the 90% interval lies within the margin (above 0, in units of the score).
        """
        share = margin / self.span
        if share >= 1:
            return 0.0
        return float(max(ndtr(-self.statistic(-share)), ndtr(self.statistic(share))))

    def interval(self, confidence: float = 0.95) -> Interval:
        """The differences that the two-sided test does not reject, in units of the score."""
        if not 0 < confidence < 1:
            raise BadSetting(f"Confidence must lie between 0 and 1, got {confidence!r}; 0.95 is usual.")
        z = float(ndtri((1 + confidence) / 2))
        swapped = PairedCounts(self.only_second, self.only_first, self.n)
        return -self.span * swapped._upper(z), self.span * self._upper(z)

    def _upper(self, z: float) -> float:
        estimate = (self.only_first - self.only_second) / self.n
        if estimate > 1 - 1e-9 or self.statistic(1 - 1e-9) > -z:
            return 1.0
        return float(
            scipy.optimize.brentq(lambda difference: self.statistic(difference) + z, estimate, 1 - 1e-9, xtol=1e-12)
        )


PairedStatistic = Callable[[Integers, Integers], Floats]
"""The differences (B,) of B samples, NaN where they are not defined.

It is given how often each of R kinds of units is in a sample as it is, and how often with the two in each other's
place, (B, R) each.
"""


@dataclass(frozen=True, eq=False, repr=False)
class PairedDraws:
    """Resampled differences of a metric, `ordered` (B,) from the least on; interval and tests are read off them alike.

    The interval holds just those differences that the test does not reject, so the two never contradict each other.
    Forty draws or more are taken for granted: fewer never reject anything at 0.05. A difference beyond all draws has
    the p-value of t with `degrees` of freedom, by the mean and the standard deviation of the draws: how many were drawn
    says nothing of it, and tests that are adjusted for many comparisons need it. It is never below `least`, one-sided.

    >>> draws = PairedDraws(np.arange(-100, 1900) / 1000)
    >>> draws.interval(), round(draws.p, 3)
    ((-0.051, 1.85), 0.102)

    References:
        Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 15.
    """

    ordered: Floats
    degrees: float = float("inf")
    least: float = 0.0
    method = "bootstrap"

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference: twice the smaller share of draws on either side of 0 (or at it)."""
        return min(1.0, 2 * min(self._beyond(0.0)))

    def p_within(self, margin: float) -> float:
        """The larger p-value of the two one-sided tests against -margin and +margin (above 0, in units of it)."""
        return max(self._beyond(-margin)[0], self._beyond(margin)[1])

    def interval(self, confidence: float = 0.95) -> Interval:
        """The differences that the two-sided test does not reject."""
        size = len(self.ordered)
        place = max(0, int(np.ceil((1 - confidence) / 2 * (size + 1) - 1 - 1e-9)) - 1)
        return float(self.ordered[place]), float(self.ordered[size - 1 - place])

    def _beyond(self, difference: float) -> tuple[float, float]:
        """The one-sided p-values: (1 + draws not above) / (1 + draws), and the same of those not below."""
        size = len(self.ordered)
        not_above = int(np.searchsorted(self.ordered, difference + _NEAR, side="right"))
        not_below = size - int(np.searchsorted(self.ordered, difference - _NEAR, side="left"))
        below, above = ((1 + n) / (1 + size) for n in (not_above, not_below))
        if not_above and not_below:
            return below, above
        least = self._tail(difference)
        return below if not_above else min(below, least), above if not_below else min(above, least)

    def _tail(self, difference: float) -> float:
        """The one-sided p-value of a difference that lies beyond all draws; those of clusters are expanded already."""
        wider = stdtrit(self.degrees, 0.975) / Z
        beyond = abs(self.ordered.mean() - difference) / self.ordered.std() * wider
        return max(self.least, float(stdtr(self.degrees, -beyond)))


@dataclass(frozen=True)
class PairedScores:
    """The metric of `first` and `second` on the `n` items both have scored, and what is known of their difference."""

    n: int
    first: float
    second: float
    known: PairedCounts | PairedDraws | None


def compared(
    metric: str, gold: Mapping[str, str], a: Ballots, b: Ballots, resampling: Resampling, *, fewest_clusters: int = 2
) -> PairedScores:
    """The comparison of two respondents; NaN without common items."""
    chosen = metric_named(metric)
    pair = tally(chosen, gold, a, b, clusters=resampling.clusters)
    n = int(pair.multiplicity.sum())
    if not n:
        return PairedScores(0, float("nan"), float("nan"), None)
    first, second = value_of(pair, 0), value_of(pair, 1)
    units = sampling_units(pair.place, pair.multiplicity, a.items, resampling)
    few = resampling.clusters is not None and units.number < fewest_clusters
    return PairedScores(n, first, second, None if few else paired(chosen, pair, units, first - second))


def paired(metric: Metric, pair: Tally, units: SamplingUnits, observed: float) -> PairedCounts | PairedDraws | None:
    """What is known of the `observed` difference of `metric` between the respondents of `pair`, first minus second.

    Counts, with Tango's score method, where the metric is a mean over single items that one answer each has right or
    wrong (or as many to every item that are all the one or the other), else the bootstrap of `bootstrapped`.
    """
    if metric.is_mean and pair.as_one_each and units.single and not pair.graded:
        credit = pair.rows[:, :, 0] / pair.sizes
        credit_gap = (credit[:, 0] - credit[:, 1]).round(12)
        first, second = (float(pair.multiplicity @ np.maximum(sign * credit_gap, 0)) for sign in (1, -1))
        return PairedCounts(first, second, int(pair.multiplicity.sum()))

    def statistic(as_is: Integers, swapped: Integers) -> Floats:
        kinds, mirrored = units.kinds(as_is), units.kinds(swapped)
        first = pair.totals(0, kinds) + pair.totals(1, mirrored)
        second = pair.totals(1, kinds) + pair.totals(0, mirrored)
        return pair.of(first) - pair.of(second)

    width = 4 * pair.width + (0 if units.rows is None else 2 * units.rows.shape[1])
    return bootstrapped(statistic, units, pair.differs, observed, limit=metric.high - metric.low, width=width)


def bootstrapped(
    statistic: PairedStatistic,
    units: SamplingUnits,
    differs: Mask,
    observed: float,
    *,
    limit: float = 1.0,
    width: int = 0,
) -> PairedCounts | PairedDraws | None:
    """What a paired bootstrap of units (items, or clusters of them) says of an `observed` difference.

    A percentile bootstrap of the units and of one made-up unit besides: one of those on which the two differ, either
    as it is or with the two in each other's place. Without it an interval of few differing items is too narrow (Bonett
    and Price 2012 do the same to the normal interval). Draws of clusters are expanded as Hesterberg (2015) expands
    percentiles, for a bootstrap of few is too narrow. Where no draw differs though answers could have, it is the score
    method on the number of units, scaled to the metric's range.

    Args:
        differs (C,): The kinds of items on which the two differ.
        limit: How far apart two values can be at most; where that is inf and no draw differs, the score method's range
            is 1.

    Returns:
        None where there are fewer than two units, or no draw in which the statistic is defined.

    Source: Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488. Hesterberg (2015),
    What teachers should know about the bootstrap, The American Statistician 69, 371-386.
    """
    if units.number < 2:
        return None
    differing = np.flatnonzero(differs if units.rows is None else (units.rows[:, differs] > 0).any(axis=1))
    number, apart = len(units.multiplicity), float(units.multiplicity[differing].sum())
    made_up = units.multiplicity[differing] / max(1, 2 * apart)
    weights = np.concatenate([units.multiplicity.astype(np.float64), made_up])
    weights[differing] += made_up

    def of_sample(sampled: Integers) -> Floats:
        swapped = np.zeros((len(sampled), number), dtype=sampled.dtype)
        swapped[:, differing] = sampled[:, number:]
        return statistic(sampled[:, :number], swapped)

    draws, generator = units.resampling.draws, units.resampling.generator
    values = resample(weights, of_sample, draws=draws, generator=generator, width=2 * number + width)
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    if np.ptp(values) > _NEAR:
        least = 0.5**apart  # the chance that all units on which the two differ lean to one side
        if units.single:
            return PairedDraws(np.sort(values.round(12)), least=least)
        wider = expanded(values, observed, units.number).clip(-limit, limit)
        return PairedDraws(np.sort(wider.round(12)), degrees=units.number - 1, least=least)
    span = limit if np.isfinite(limit) else 1.0
    return PairedCounts(apart / 2, apart / 2, units.number, span=span, method="score")
