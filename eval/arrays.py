"""Array types of `eval`, and the distinct rows of a matrix with their multiplicities."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]

_LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False, repr=False)
class Distinct:
    """The distinct rows of a matrix in lexicographic order, so that the order of the matrix's rows never matters.

    `rows` is C x M, `multiplicity` (C,) says how often each occurs, `inverse` (N,) leads from rows to distinct ones.
    """

    rows: npt.NDArray[Any]
    multiplicity: Integers
    inverse: Integers


def distinct(matrix: npt.NDArray[Any]) -> Distinct:
    """The distinct rows of an N x M matrix of finite numbers; N = 0 and M = 0 are allowed.

    Columns are packed into one integer key, so the cost is M passes and at most one sort: `numpy.unique(axis=0)`
    takes tens of times longer on a million rows of votes.
    """
    key, size = np.zeros(len(matrix), dtype=np.int64), 1
    for column in matrix.T if len(matrix) else ():
        codes, radix = _column_codes(column)
        if size > _LARGEST_KEY // radix:
            key, size = _compress(key, size)
        key, size = key * radix + codes, size * radix
    inverse, number = _compress(key, size)
    first = np.empty(number, dtype=np.int64)
    first[inverse[::-1]] = np.arange(len(matrix) - 1, -1, -1)
    return Distinct(matrix[first], np.bincount(inverse, minlength=number).astype(np.int64), inverse)


def _column_codes(column: npt.NDArray[Any]) -> tuple[Integers, int]:
    """Codes from zero in the order of the values, and one more than the largest of them."""
    integers = column.astype(np.int64, copy=False)
    if integers is not column and not np.array_equal(integers, column):
        values, codes = np.unique(column, return_inverse=True)
        return codes.astype(np.int64), len(values)
    lowest = int(integers.min())
    return integers - lowest, int(integers.max()) - lowest + 1


def _compress(key: Integers, size: int) -> tuple[Integers, int]:
    """The same grouping with keys 0, 1, 2, ... without gaps, and how many there are."""
    if size <= 8 * len(key) + 1024:
        present = np.bincount(key, minlength=size) > 0
        return (np.cumsum(present) - 1)[key], int(present.sum())
    values, inverse = np.unique(key, return_inverse=True)
    return inverse.astype(np.int64), len(values)


def share_of(
    part: npt.NDArray[Any], total: npt.NDArray[Any] | float, *, empty: float = np.nan, least: float = 0.0
) -> Floats:
    """The part over the total, element by element; `empty` where the total is not above `least`.

    >>> share_of(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    return np.asarray(np.divide(part, total, out=np.full(np.shape(part), empty), where=np.greater(total, least)))


def number_or_none(value: float) -> float | None:
    """The number as it may stand in JSON: NaN, which JSON does not have, becomes None.

    Args:
        value: Any number, NaN too.

    >>> number_or_none(float("nan")), number_or_none(0.5)
    (None, 0.5)
    """
    return None if np.isnan(value) else float(value)


def ends_or_none(interval: tuple[float, float]) -> list[float | None]:
    """The ends of an interval as they may stand in JSON."""
    return [number_or_none(end) for end in interval]
