"""The values of a Parquet batch as Python has them, and what they come to before they are made."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
from pyarrow import compute

LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)


class Values:
    """Makes the values of a file batch by batch, and counts them before: bytes, and values in lists, until now."""

    def __init__(self) -> None:
        self.bytes = self.inside = 0

    def count(self, batch: Any) -> None:
        """Count what a batch comes to; a text that is there many times counts as often."""
        for column in batch.columns:
            for leaf in _leaves(column):
                self.bytes += _bytes(leaf)
                self.inside += max(0, len(leaf) - len(column))

    def of(self, column: Any) -> Sequence[Any]:
        """Return the values of a column; equal texts of a dictionary are one object, a map becomes an object."""
        kind = column.type
        if pa.types.is_dictionary(kind):
            used = column.indices.unique().drop_null()
            known = dict(zip(used.to_pylist(), column.dictionary.take(used).to_pylist(), strict=True))
            return [known.get(place) for place in column.indices.to_pylist()]
        if pa.types.is_map(kind):
            keys, values = (self.of(part) for part in _inner(column))
            pairs = zip(map(str, keys), values, strict=True)
            return [None if many is None else dict(islice(pairs, many)) for many in _lengths(column)]
        if _is_list(kind):
            inner = iter(self.of(*_inner(column)))
            return [None if many is None else list(islice(inner, many)) for many in _lengths(column)]
        if pa.types.is_struct(kind):
            return self._objects(column)
        return list(column.to_pylist())

    def _objects(self, column: Any) -> Sequence[Any]:
        inside = [self.of(part) for part in _inner(column)]
        rows = zip(*inside, strict=True) if inside else ((),) * len(column)
        names = [column.type.field(number).name for number in range(column.type.num_fields)]
        valid = column.is_valid().to_pylist()
        return [dict(zip(names, row, strict=True)) if there else None for row, there in zip(rows, valid, strict=True)]


def _is_list(kind: Any) -> bool:
    return any(test(kind) for test in LISTS)


def _inner(column: Any) -> Sequence[Any]:
    """Return the columns that a column of lists, maps or objects is made of."""
    if pa.types.is_map(column.type):
        first, last = column.offsets[0].as_py(), column.offsets[-1].as_py()
        return [part.slice(first, last - first) for part in (column.keys, column.items)]
    if pa.types.is_struct(column.type):
        return list(column.flatten())
    return [column.flatten()] if _is_list(column.type) else []


def _lengths(column: Any) -> Sequence[int | None]:
    """Return how many values each list or map has, None where there is none."""
    if not pa.types.is_map(column.type):
        return list(column.value_lengths().to_pylist())
    ends = column.offsets.to_pylist()
    valid = column.is_valid().to_pylist()
    return [last - first if there else None for first, last, there in zip(ends, ends[1:], valid, strict=False)]


def _leaves(column: Any) -> Iterator[Any]:
    """Yield the columns of plain values that a column is made of."""
    inner = _inner(column)
    if not inner:
        yield column
    for part in inner:
        yield from _leaves(part)


def _bytes(leaf: Any) -> int:
    """Return how many bytes plain values have, each text as often as it is there."""
    if not pa.types.is_dictionary(leaf.type):
        return int(leaf.nbytes)
    counted = leaf.indices.drop_null().value_counts()
    lengths = compute.binary_length(leaf.dictionary.take(counted.field("values")))
    return int(compute.sum(compute.multiply(lengths.cast(pa.int64()), counted.field("counts"))).as_py() or 0)
