"""Krippendorff's alpha on a nominal, ordinal or interval scale: of counts and of many samples of them at once."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from data.errors import BadSetting
from eval.agreement.equal_pairs import NONE, paired_counts
from eval.arrays import Floats, Integers, distinct, share_of
from eval.estimate import Interval
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, above_chance_interval, equal_by_chance, sampling_units

try:
    import krippendorff
except ModuleNotFoundError:  # GPL-3, so the wheel does without it
    krippendorff = None  # type: ignore[assignment]

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)
# The package builds several N x K x K arrays; past this many elements our own formula, equal to it, takes over.
_PACKAGE_ELEMENTS = 2**20


def checked_name(level: str) -> Level:
    """The level of this name; one that is not known is refused."""
    for known in LEVELS:
        if level == known:
            return known
    raise BadSetting(f"The level {level!r} is not known; choose one of {', '.join(LEVELS)}.")


def checked_level(counts: Integers, level: Level, values: Sequence[float] | None) -> Floats | None:
    """The labels' numbers where the level needs them; a level that is not known or lacks its numbers is refused."""
    checked_name(level)
    if level != "interval":
        return None
    numbers = np.asarray(() if values is None else values, dtype=np.float64)
    if numbers.shape != (counts.shape[1],) or not np.isfinite(numbers).all():
        raise BadSetting(
            f"The level 'interval' needs a number for each of the {counts.shape[1]} labels, got {values!r}."
        )
    return numbers


def alpha(counts: Integers, *, level: Level = "nominal", values: Sequence[float] | None = None) -> float:
    """Krippendorff's alpha, at most 1; 0 is what chance gives.

    `level` is one of LEVELS: "nominal"; "ordinal", the columns standing in order; "interval", `values`
    (K,) being the labels' numbers. Items with fewer than two answers are skipped. 1.0 by convention where all answers
    are equal, NaN where no item has two answers. Computed by the `krippendorff` package; by the equal formula of
    `alphas` where that is not installed, or would need large arrays.

    Args:
        counts (N, K): How often each of N items was given each of K labels.

    Returns:
        At most 1; NaN where no item has two answers.

    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania.

    >>> import numpy as np
    >>> round(alpha(np.array([[3, 0], [2, 1], [0, 3]])), 3)
    0.6
    """
    numbers = checked_level(counts, level, values)
    paired = paired_counts(counts)
    used = paired.any(axis=0)
    paired = paired[:, used]
    if not len(paired):
        return float("nan")
    if paired.shape[1] == 1:
        return 1.0
    domain = None if numbers is None else numbers[used]
    if krippendorff is None or paired.size * paired.shape[1] > _PACKAGE_ELEMENTS:
        kinds = distinct(paired)
        return float(alphas(kinds.rows, kinds.multiplicity[None], level=level, values=domain)[0])
    return float(krippendorff.alpha(value_counts=paired, value_domain=domain, level_of_measurement=level))


def alpha_interval(
    counts: Integers,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    items: Sequence[str] = (),
) -> Interval:
    """The 95% percentile bootstrap of alpha over items with at least two answers; (NaN, NaN) without such items.

    The `items` (N,) are needed where `resampling` is of clusters.

    The expected disagreement (and, for ordinal labels, the distance between them) is computed anew in every sample.
    Where no two answers to an item differ see `eval.intervals.clusters`.
    """
    numbers = checked_level(counts, level, values)
    several = counts.sum(axis=1) > 1
    paired = paired_counts(counts)
    kinds = distinct(paired)
    place = np.full(len(counts), -1, dtype=np.int64)
    place[several] = kinds.inverse

    def statistic(multiplicities: Integers) -> Floats:
        return alphas(kinds.rows, multiplicities, level=level, values=numbers)

    width = counts.shape[1] * (1 if level == "nominal" else counts.shape[1])
    resampled = sampling_units(place, kinds.multiplicity, items, resampling)
    samples = resampled.resample(statistic, width=width)
    value = float(statistic(kinds.multiplicity[None])[0]) if len(paired) else float("nan")
    return above_chance_interval(samples, value, equal_by_chance(paired.sum(axis=0)), resampled)


def alphas(
    rows: Integers, multiplicities: Integers, *, level: Level = "nominal", values: Floats | None = None
) -> Floats:
    """The alpha (B,) of count vectors (C, K), two answers or more each, taken as often as `multiplicities` (B, C) say.

    1 - (n - 1) sum o d / sum n n d, where o are the coincidences of answers within items, n the answers by label and d
    the squared distance (Krippendorff 2011). Ordinal distances are those of the mean ranks of the labels in the
    sample at hand. 1 where no sampled answers differ.
    """
    size = rows.sum(axis=1)
    times = multiplicities.astype(np.float64)
    labels = times @ rows.astype(np.float64)
    total = labels.sum(axis=1)
    if level == "nominal":
        observed = times @ ((size**2 - (rows**2).sum(axis=1)) / (size - 1))
        return beyond_chance(observed, (total**2 - (labels**2).sum(axis=1)) / (total - 1))
    places = np.broadcast_to(values, labels.shape) if values is not None else labels.cumsum(axis=1) - labels / 2
    # Squared distances do not change when all places move; near zero they keep their digits.
    places = places - ((labels * places).sum(axis=1) / total)[:, None]
    squares = (labels * places**2).sum(axis=1)
    expected = 2 * (total * squares - (labels * places).sum(axis=1) ** 2) / (total - 1)
    return beyond_chance(2 * (squares - _products(rows, size, times, places)), expected)


def _products(rows: Integers, size: Integers, times: Floats, places: Floats) -> Floats:
    """The sum over coincidences (c, k), those of a label with itself included, of the product of their places, (B,)."""
    number, width = rows.shape
    scaled = rows / np.sqrt(size - 1)[:, None]
    pairs = scaled[:, :, None] * scaled[:, None, :]
    # An answer does not coincide with itself.
    pairs[:, np.arange(width), np.arange(width)] -= rows / (size - 1)[:, None]
    coincidences = (times @ pairs.reshape(number, width * width)).reshape(-1, width, width)
    return np.asarray(np.einsum("bc,bck,bk->b", places, coincidences, places))


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """1 - observed / expected disagreement; 1 where neither is, as in a sample in which one label is left."""
    return np.asarray(1 - share_of(observed, expected, empty=0.0, least=NONE))
