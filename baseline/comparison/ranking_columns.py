"""The columns of the tables of rankings: competitors, judges beside people, where they part."""

from dataclasses import dataclass

import numpy as np

from baseline.comparison.pair_rankings import JudgedRanking
from data.numbers import DASH, MINUS, number, p_value, with_interval
from data.tables import Column
from eval.arrays import number_or_none
from eval.intervals.wilson import Interval
from eval.ranking.ranking import Ranking

READ = ("read",)
ENDLESS = "∞"


@dataclass(frozen=True)
class RankedCompetitor:
    """A competitor in one ranking: its place `at` in the codes of the ranking."""

    ranking: Ranking
    at: int

    @property
    def ci(self) -> Interval:
        """The interval of its strength."""
        low, high = self.ranking.ci[self.at]
        return float(low), float(high)

    @property
    def ranks(self) -> tuple[int, int]:
        """Between which ranks it may be."""
        low, high = self.ranking.ranges[self.at]
        return int(low), int(high)


@dataclass(frozen=True)
class Parting:
    """A competitor that people and a judge rank differently, beyond chance."""

    judge: JudgedRanking
    name: str
    people: int
    theirs: int
    apart: float
    ci: Interval
    p: float


def strength_words(value: float, ends: Interval) -> str:
    """Return a strength with its interval; an end that there is not is infinite.

    >>> strength_words(-0.5, (-1.2, 0.25)), strength_words(3.0, (1.5, float("inf")))
    ('−0.50 (−1.20 to 0.25)', '3.00 (1.50 to ∞)')
    """
    if np.isnan(value):
        return DASH
    low, high = map(_end, ends)
    return _end(value) + ("" if np.isnan(ends[0]) else f" ({low} to {high})")


def _end(value: float) -> str:
    words = ENDLESS if np.isinf(value) else f"{abs(value):.2f}"
    return MINUS + words if value < 0 and words != "0.00" else words


def ranks_words(ends: tuple[int, int]) -> str:
    """Return ranks as a range."""
    return DASH if not ends[1] else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


COMPETITORS: tuple[Column[RankedCompetitor], ...] = (
    Column("rank", "rank", "Within its group", lambda row: int(row.ranking.rank[row.at]) or None, lambda v: v or DASH),
    Column("ranks", "may be", "The ranks in 95% of samples", lambda row: row.ranks, ranks_words, READ),
    Column("ranks", "may be", "", lambda row: list(row.ranks), forms=("json",)),
    Column("rank_low", "may be from", "", lambda row: row.ranks[0] or None, forms=("csv",)),
    Column("rank_high", "to", "", lambda row: row.ranks[1] or None, forms=("csv",)),
    Column("competitor", "competitor", "", lambda row: row.ranking.names[row.at]),
    Column(
        "strength",
        "strength, log",
        "The logarithm of Bradley and Terry's strength, the mean being 0, with its 95% interval",
        lambda row: (float(row.ranking.log[row.at]), row.ci),
        lambda v: strength_words(*v),
        READ,
    ),
    Column("strength", "", "", lambda row: _finite(row.ranking.log[row.at]), forms=("json", "csv")),
    Column("ci", "", "", lambda row: [_finite(end) for end in row.ci], forms=("json",)),
    Column("low", "", "", lambda row: _finite(row.ci[0]), forms=("csv",)),
    Column("high", "", "", lambda row: _finite(row.ci[1]), forms=("csv",)),
    Column(
        "elo",
        "Elo",
        "The same on Elo's scale around 1000, whatever the order of the judgments",
        lambda row: _finite(row.ranking.elo[row.at]),
        lambda v: DASH if v is None else f"{v:.0f}",
    ),
    Column(
        "win_rate",
        "wins",
        "The share of its judgments that it won, ties as half",
        lambda row: (
            _finite(row.ranking.points[row.at] / row.ranking.games[row.at]) if row.ranking.games[row.at] else None
        ),
        number,
    ),
    Column(
        "average_win_rate",
        "average win rate",
        "The mean of its win rates against each that it met",
        lambda row: number_or_none(float(row.ranking.average[row.at])),
        number,
    ),
    Column("judgments", "judgments", "", lambda row: int(row.ranking.games[row.at])),
    Column(
        "group",
        "group",
        "Competitors of different groups never met",
        lambda row: int(row.ranking.groups.of[row.at]) + 1,
    ),
)
JUDGES: tuple[Column[JudgedRanking], ...] = (
    Column("judge", "judge", "", lambda row: row.words, forms=READ),
    Column("judge", "", "", lambda row: row.name, forms=("json",)),
    Column("judgments", "judgments", "", lambda row: row.ranking.judgments),
    Column("ties", "ties", "", lambda row: row.ranking.ties),
    Column(
        "spearman",
        "Spearman with people",
        "How alike the two rankings are: 1 is the same order",
        lambda row: row.beside,
        lambda v: with_interval(v.spearman, v.ci) if v else DASH,
        READ,
    ),
    Column("spearman", "", "", lambda row: row.beside and row.beside.spearman, forms=("json",)),
    Column("ci", "", "", lambda row: row.beside and list(row.beside.ci), forms=("json",)),
    Column(
        "kendall",
        "Kendall with people",
        "",
        lambda row: row.beside and row.beside.kendall,
        lambda v: number(v) if v else DASH,
    ),
)
PARTINGS: tuple[Column[Parting], ...] = (
    Column("judge", "judge", "", lambda row: row.judge.words, forms=READ),
    Column("judge", "", "", lambda row: row.judge.name, forms=("json",)),
    Column("competitor", "competitor", "", lambda row: row.name),
    Column("people", "rank by people", "", lambda row: row.people),
    Column("theirs", "rank by the judge", "", lambda row: row.theirs),
    Column(
        "apart",
        "people higher by",
        "In standard deviations of strengths",
        lambda row: (row.apart, row.ci),
        lambda v: strength_words(*v),
        READ,
    ),
    Column("apart", "", "", lambda row: row.apart, forms=("json",)),
    Column("ci", "", "", lambda row: list(row.ci), forms=("json",)),
    Column("p", "p, Holm", "Corrected for all competitors", lambda row: row.p, p_value),
)
