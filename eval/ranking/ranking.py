"""A ranking of competitors out of judgments of pairs: strengths with intervals, win rates, Elo, ranks as ranges."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from data.errors import BadSetting
from eval.arrays import Codes, Floats, Integers, Mask, share_of
from eval.estimate import UNDEFINED, Interval
from eval.intervals.jackknife import LEAST_PEOPLE, LEAST_UNITS
from eval.ranking.bradley_terry import Strengths, Tables, Ties, bradley_terry, finite_means, tables
from eval.ranking.pairs import Comparisons, Groups, groups_of

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
    unit, number, score, meetings = units.of, units.number, comparisons.score, comparisons.meetings
    # What each of U units adds to the sums of a sample: points (M x U), games (E x U), ties (U,).
    both = np.concatenate([comparisons.first, comparisons.second]), np.concatenate([unit, unit])
    points = sparse.coo_array(
        (np.concatenate([score, 1 - score]), both), shape=(len(comparisons.names), number)
    ).tocsr()
    each = np.ones(len(unit)), (meetings.of, unit)
    games = sparse.coo_array(each, shape=(len(meetings.low), number)).tocsr()
    tied = np.bincount(unit[comparisons.tied], minlength=number).astype(np.float64)
    samples = []
    at_once = max(1, CACHED // (number + len(meetings.low)))
    for size in (min(at_once, draws - start) for start in range(0, draws, at_once)):
        times = generator.multinomial(number, np.full(number, 1 / number), size=size).T.astype(np.float64)
        given = Tables(meetings, np.asarray(points @ times), np.asarray(games @ times), tied @ times)
        fit = bradley_terry(given, ties=ties, tolerance=ENOUGH, iterations=MOST, start=log)
        samples.append((fit.log - log[:, None]).T)
    return np.concatenate(samples)


ELO = 400 / float(np.log(10))
DRAWS = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Competitors by strength.

    `log` (M,) are the logarithms of the strengths by Bradley and Terry, the finite ones of a group with mean 0, with
    their 95% intervals `ci` (M x 2), NaN for who was judged in fewer than ten pairs. `rank` (M,) counts within the
    group, `ranges` (M x 2) says between which ranks each may be. `points` (M,) are the wins with ties as half, of
    `games` (M,); `average` (M,) is the mean of the win rates against each opponent. `tie` is Davidson's parameter, 0
    where ties are half wins.

    `apart` holds how far the strengths lie from `log` in samples of pairs (B x M), `people` in samples of judges, None
    where there are fewer than five: then intervals hold for these judges alone.
    """

    names: tuple[str, ...]
    groups: Groups
    log: Floats
    ci: Floats
    rank: Integers
    ranges: Integers
    points: Floats
    games: Integers
    average: Floats
    tie: float
    judgments: int
    judges: int
    ties: int
    converged: bool
    apart: Floats
    people: Floats | None

    @property
    def elo(self) -> Floats:
        """The ratings (M,) at which all of Elo's updates, whatever their order, add up to nothing; their mean is 1000.

        They are the strengths on Elo's scale: a rating that is 400 higher is ten wins against one.
        """
        return 1000 + ELO * self.log

    @property
    def spread(self) -> Floats:
        """How far from `log` the strengths lie in samples of pairs and of people together (B x M)."""
        return self.apart if self.people is None else np.asarray(self.apart + self.people)


@dataclass(frozen=True)
class RankingRules:
    """How ties count, how many samples are drawn and from which seed."""

    ties: Ties = "half"
    draws: int = DRAWS
    seed: int = 0


AS_USUAL = RankingRules()


def ranking(comparisons: Comparisons, rules: RankingRules = AS_USUAL, *, clusters: Units | None = None) -> Ranking:
    """The ranking that judgments of pairs give.

    >>> from eval.ranking.pairs import compared
    >>> said = [("a", "b", 1.0), ("a", "b", 1.0), ("b", "a", 1.0), ("b", "c", 1.0), ("c", "b", 0.5)]
    >>> found = ranking(compared(("a", "b", "c"), [(*row, str(n), "w") for n, row in enumerate(said)]))
    >>> [(name, int(rank)) for name, rank in zip(found.names, found.rank)]
    [('a', 1), ('b', 2), ('c', 3)]
    """
    if not len(comparisons):
        raise BadSetting("Nobody has judged a pair; a ranking needs at least one judgment.")
    groups = groups_of(comparisons)
    inside = groups.core[comparisons.first] & groups.core[comparisons.second]
    core = comparisons.keep(inside)
    fit = bradley_terry(tables(core), ties=rules.ties)
    log = np.where(groups.core, _by_group(fit, groups), groups.end)
    units = Units(core.pair, core.pairs) if clusters is None else Units(clusters.of[inside], clusters.number)
    samples = _samples(core, units, log, groups, rules)
    spread = sum(samples, np.zeros_like(log))
    enough = _pairs_each(comparisons) >= LEAST_UNITS
    rank, ranges = _by_rank(groups, enough, log, spread)
    met = np.bincount(comparisons.first, minlength=len(log)) + np.bincount(comparisons.second, minlength=len(log))
    return Ranking(
        names=comparisons.names,
        groups=groups,
        log=log,
        ci=_intervals(log, enough & groups.core, spread),
        rank=rank,
        ranges=ranges,
        points=comparisons.points(),
        games=met.astype(np.int64),
        average=average_win_rates(comparisons),
        tie=float(fit.tie[0]),
        judgments=len(comparisons),
        judges=len(np.unique(comparisons.worker)),
        ties=int(comparisons.tied.sum()),
        converged=fit.converged,
        apart=samples[0],
        people=samples[1] if len(samples) > 1 else None,
    )


def average_win_rates(comparisons: Comparisons) -> Floats:
    """The mean of each competitor's win rates (M,) against everybody it met, ties as half a win; NaN without any."""
    won = comparisons.wins()
    met = (won + won.T).tocoo()
    rates = np.asarray(won.tocsr()[met.row, met.col]).ravel() / met.data
    number = np.bincount(met.row, minlength=len(comparisons.names))
    total = np.bincount(met.row, rates, minlength=len(comparisons.names))
    return share_of(total, number)


def _by_group(fit: Strengths, groups: Groups) -> Floats:
    """The strengths (M,), those of each group with mean 0."""
    log = fit.log[:, 0].copy()
    for inside in _cores(groups):
        log[inside] = log[inside] - log[inside].mean() if inside.sum() > 1 else 0.0
    return log


def _cores(groups: Groups) -> list[Mask]:
    return [(groups.of == group) & groups.core for group in range(groups.number)]


def _pairs_each(comparisons: Comparisons) -> Integers:
    """In how many different pairs each competitor was judged (M,)."""
    both = np.concatenate([comparisons.first, comparisons.second]).astype(np.int64)
    seen = np.unique(both * comparisons.pairs + np.concatenate([comparisons.pair, comparisons.pair]))
    return np.bincount(seen // max(1, comparisons.pairs), minlength=len(comparisons.names)).astype(np.int64)


def _samples(core: Comparisons, pairs: Units, log: Floats, groups: Groups, rules: RankingRules) -> list[Floats]:
    """How far strengths lie from `log` in samples of pairs, then in samples of people where there are enough."""
    generator = np.random.default_rng(rules.seed)
    workers, worker = np.unique(core.worker, return_inverse=True)
    people = [Units(worker.astype(np.int32), len(workers))] if len(workers) >= LEAST_PEOPLE else []
    samples = [
        deviations(core, each, log, ties=rules.ties, draws=rules.draws, generator=generator)
        for each in (pairs, *people)
    ]
    for apart in samples:
        for inside in _cores(groups):
            apart[:, inside] -= finite_means(apart[:, inside].T)[:, None]
    return samples


def _intervals(log: Floats, enough: Mask, apart: Floats) -> Floats:
    """The 95% intervals (M x 2); an end is infinite where that many samples have none."""
    ends = [np.sort(column[~np.isnan(column)]) for column in (log + apart).T]
    return np.array([_ends(each) if known else UNDEFINED for each, known in zip(ends, enough, strict=True)])


def _ends(ordered: Floats) -> Interval:
    """The 2.5% and 97.5% quantiles of ordered values as they stand, since between -inf and a number nothing lies."""
    if not len(ordered):
        return UNDEFINED
    low, high = np.quantile(ordered, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


def _by_rank(groups: Groups, enough: Mask, log: Floats, apart: Floats) -> tuple[Integers, Integers]:
    """The rank of each within its group (M,), and between which it may be (M x 2).

    Who was judged in too few pairs may stand anywhere.
    """
    rank, ranges = np.zeros(len(log), dtype=np.int64), np.zeros((len(log), 2), dtype=np.int64)
    for group in range(groups.number):
        everybody = groups.of == group
        inside, top, bottom = (everybody & enough & (groups.end == end) for end in (0, np.inf, -np.inf))
        size, above, below = int(everybody.sum()), int(top.sum()), int(bottom.sum())
        anywhere = size - above - below - int(inside.sum())
        rank[everybody] = ranks(log[everybody])
        ranges[everybody] = [1, size]
        ranges[inside] = rank_ranges(log[inside], apart[:, inside]) + np.array([above, above + anywhere])
        ranges[top] = [1, above + anywhere]
        ranges[bottom] = [size - below - anywhere + 1, size]
    return rank, ranges


def ranks(log: Floats) -> Integers:
    """The rank of each strength (M,), 1 for the largest; equal ones share the better rank, NaN has rank 0.

    >>> ranks(np.array([0.5, 2.0, 0.5, -1.0])).tolist()
    [2, 1, 2, 4]
    """
    places = np.zeros(len(log), dtype=np.int64)
    known = ~np.isnan(log)
    places[known] = pd.Series(-log[known]).rank(method="min")
    return places


def rank_ranges(log: Floats, apart: Floats) -> Integers:
    """The ranks (M x 2) between which each competitor stands in 95% of samples.

    Each range is of one competitor by itself: that all of them are right at once is less likely than 95%.

    >>> generator = np.random.default_rng(1)
    >>> rank_ranges(np.array([3.0, 0.1, 0.0]), generator.normal(scale=0.2, size=(500, 3))).tolist()
    [[1, 1], [2, 3], [2, 3]]
    """
    samples = (log + apart)[~np.isnan(apart).any(axis=1)]
    if not len(samples):
        return np.tile(np.array([1, len(log)], dtype=np.int64), (len(log), 1))
    ranks = pd.DataFrame(-samples).rank(method="min", axis=1)
    return np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf").T.astype(np.int64)
