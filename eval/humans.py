"""The human panel measured against itself."""

import numpy as np

from eval.arrays import Floats, Integers, distinct
from eval.intervals import resample
from eval.scoring import Estimate, mean_interval
from eval.votes import Votes


def leave_one_out(votes: Votes, *, draws: int = 2000, seed: int = 0) -> Estimate:
    """How often a judgment is the plurality of the item's other judgments, 0 to 1; no gold is needed.

    The mean over judgments of [answer in T] / |T|, where T are the top labels of the others (ties split). Items with
    one judgment are skipped. The interval resamples items, `n` counts judgments, and it is marked as against "peers".
    NaN where no item has two judgments.
    """
    several = distinct(votes.counts[votes.counts.sum(axis=1) > 1])
    size, credit = several.rows.sum(axis=1), _credit(several.rows)
    n = int(several.multiplicity @ size)
    if not n:
        return Estimate(float("nan"), (float("nan"), float("nan")), "item", "none", 0, "peers")

    def statistic(multiplicities: Integers) -> Floats:
        return np.asarray((multiplicities @ credit) / (multiplicities @ size))

    value = float(statistic(several.multiplicity[None])[0])
    values = resample(several.multiplicity, statistic, draws=draws, generator=np.random.default_rng(seed))
    ci, method = mean_interval(values, value, int(several.multiplicity.sum()))
    return Estimate(value, ci, "item", method, n, "peers")


def _credit(counts: Integers) -> Floats:
    """The summed credit of all judgments of each count vector, (C,)."""
    total = np.zeros(len(counts))
    for label in range(counts.shape[1]):
        others = counts.copy()
        others[:, label] -= 1
        top = others.max(axis=1)
        level = (others == top[:, None]).sum(axis=1)
        total += np.where(others[:, label] == top, counts[:, label] / level, 0)
    return total
