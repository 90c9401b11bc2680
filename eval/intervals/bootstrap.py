"""The percentile bootstrap over distinct kinds of items."""

from collections.abc import Callable

import numpy as np
from scipy.special import stdtrit

from data.errors import BadSetting
from eval.arrays import Floats, Integers
from eval.intervals.wilson import UNDEFINED, Interval, Z

Statistic = Callable[[Integers], Floats]

_BYTES = 64 * 2**20


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
