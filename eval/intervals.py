"""Confidence intervals: Wilson's for proportions, the percentile bootstrap over cells for everything else."""

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from scipy.special import bdtr

from data.errors import BadSetting
from eval.arrays import Floats, Integers

Interval = tuple[float, float]
Statistic = Callable[[Integers], Floats]

_BYTES = 64 * 2**20


def wilson(successes: float, n: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (1927), within 0 and 1 and never of width zero.

    `successes` may be fractional (credit for ties): the interval is then conservative, since a score between 0 and 1
    varies less than one of 0 or 1 with the same mean. (NaN, NaN) where n is 0.
    """
    if not 0 <= successes <= n:
        raise BadSetting(f"Successes must lie between 0 and n = {n!r}, got {successes!r}.")
    z = _z(confidence)
    if n == 0:
        return float("nan"), float("nan")
    share, spread = successes / n, z * z / n
    centre = share + spread / 2
    half = (spread * (share * (1 - share) + spread / 4)) ** 0.5
    return max(0.0, (centre - half) / (1 + spread)), min(1.0, (centre + half) / (1 + spread))


def median_interval(values: Floats) -> Interval:
    """The 95% interval of the median of the values (N,) by their order statistics; NaN for fewer than six of them.

    No shape is assumed: the number of values below the median is binomial with one half (Conover 1999, section 3.2).
    """
    n = len(values)
    low = int(np.searchsorted(bdtr(np.arange(n), n, 0.5), 0.025))
    if low < 1:
        return float("nan"), float("nan")
    ordered = np.sort(values)
    return float(ordered[low - 1]), float(ordered[n - low])


def percentile(values: Floats, *, confidence: float = 0.95) -> Interval:
    """The central interval of resampled values (B,); undefined ones (NaN) are left out, none left gives (NaN, NaN)."""
    _z(confidence)
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def resample(
    multiplicity: Integers | Floats, statistic: Statistic, *, draws: int, generator: np.random.Generator, width: int = 0
) -> Floats:
    """A statistic of `draws` bootstrap samples of items, as an array (draws,).

    Items with equal cells are exchangeable, so a sample is one multinomial draw over the C distinct cells, whatever
    the number of items; the multiplicities (C,) may hold parts of items, and their sum is rounded. `statistic` takes
    multiplicities (B, C) and gives (B,); it is called in chunks that stay within 64 MB, counting `width` further
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
    """How many draws to take at a time, when each holds so many numbers, to stay within 64 MB."""
    # Integers, their copy as floats for the matrix product, and what a statistic builds of them.
    chunk = max(1, _BYTES // (3 * 8 * max(1, numbers)))
    return [min(chunk, draws - start) for start in range(0, draws, chunk)]


def _z(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise BadSetting(f"Confidence must lie between 0 and 1, got {confidence!r}; 0.95 is usual.")
    return NormalDist().inv_cdf((1 + confidence) / 2)
