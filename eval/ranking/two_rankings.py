"""Two rankings of the same competitors out of the same pairs, people's and a judge's: how alike they are."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from eval.arrays import Floats, Integers, Mask
from eval.comparison.difference import holm
from eval.estimate import Interval
from eval.intervals.jackknife import p_of_interval
from eval.ranking.ranking import Ranking

FEWEST = 5
"""Below so many competitors a correlation says nothing."""
MOST = 1 - 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class TwoRankings:
    """What two rankings have in common, over the `rows` (C,) of competitors that have a strength in both.

    `spearman` and `kendall` are of the strengths; `ci` is Spearman's 95% interval over other competitors that are
    judged as much: judged more, both rankings would be more exact and more alike. `apart` (C,) is the first strength
    minus the second, each in standard deviations of its own ranking's strengths, since who knows fewer ties spreads
    them further; `cis` (C x 2) are its intervals and `p` (C,) its p-values, corrected by Holm over all competitors.
    """

    rows: Integers
    spearman: float
    ci: Interval
    kendall: float
    apart: Floats
    cis: Floats
    p: Floats


def two_rankings(first: Ranking, second: Ranking) -> TwoRankings | None:
    """How alike two rankings are; None where fewer than five competitors have a strength in both.

    Both are rankings of the same competitors with samples of the same pairs (the same seed and number of samples), so
    that what pairs have to do with both cancels out.

    Returns:
        Differences are in units of scaled strengths.

    >>> from eval.ranking.pairs import compared
    >>> from eval.ranking.ranking import ranking
    >>> pairs = compared(("a", "b"), [("a", "b", 1.0, "1", "w"), ("b", "a", 1.0, "2", "w")])
    >>> two_rankings(ranking(pairs), ranking(pairs)) is None  # of two competitors nothing is said
    True
    """
    rows = np.flatnonzero(_known(first) & _known(second))
    if len(rows) < FEWEST:
        return None
    (one, apart_of_one), (other, apart_of_other) = _scaled(first, rows), _scaled(second, rows)
    finite = np.isfinite(apart_of_one).all(axis=1) & np.isfinite(apart_of_other).all(axis=1)
    apart, spread = one - other, (apart_of_one - apart_of_other)[finite]
    error = spread.std(axis=0) if len(spread) else np.full(len(rows), np.nan)
    cis = np.stack([apart - 1.96 * error, apart + 1.96 * error], axis=1)
    p = [p_of_interval(value, (low, high)) for value, (low, high) in zip(apart.tolist(), cis.tolist(), strict=True)]
    strengths, others = pd.Series(one), pd.Series(other)  # pandas imports what scipy has of them when it is asked
    rho = float(strengths.corr(others, method="spearman"))
    return TwoRankings(
        rows=rows,
        spearman=rho,
        ci=_interval(rho, len(rows)),
        kendall=float(strengths.corr(others, method="kendall")),
        apart=apart,
        cis=cis,
        p=np.array(holm(p), dtype=np.float64),
    )


def _known(ranking: Ranking) -> Mask:
    return np.asarray(~np.isnan(ranking.ci[:, 0]) & (ranking.groups.of == 0))


def _scaled(ranking: Ranking, rows: Integers) -> tuple[Floats, Floats]:
    """Strengths (C,) with mean 0 and standard deviation 1, and how far samples lie from them (B x C)."""
    value, apart = ranking.log[rows], ranking.spread[:, rows]
    size = float(value.std()) or 1.0
    with np.errstate(invalid="ignore"):
        return (value - value.mean()) / size, (apart - apart.mean(axis=1)[:, None]) / size


def _interval(rho: float, number: int) -> Interval:
    middle, error = np.arctanh(np.clip(rho, -MOST, MOST)), np.sqrt((1 + rho**2 / 2) / (number - 3))
    return float(np.tanh(middle - 1.96 * error)), float(np.tanh(middle + 1.96 * error))
