"""The rows of a Parquet file, whose few bytes may stand for gigabytes: a repeated text is held once, all is counted."""

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, parquet

from data import limits
from data.errors import BadFile
from data.limits import GB, MB

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


BATCH = 1000  # rows in memory at a time, fewer where they are wide
BATCH_VALUES, BATCH_BYTES = 100_000, 32 * MB  # that the rows of a batch have by their average
LIMITS = {"thrift_string_size_limit": 16 * MB, "thrift_container_size_limit": 100_000}
TEXTS, FIXED = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
UNPACKED = f"more than {limits.LARGEST_UNPACKED // GB} GB once it is unpacked"


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as mappings; raises BadFile.

    Texts stay in the file's own dictionaries until a row is made, so that one which a million rows share is there once.
    Whoever looks at the rows looks at it a million times, so that often it counts for LARGEST_UNPACKED, and a batch is
    counted before anything is made of it.
    """
    try:
        with parquet.ParquetFile(path, **LIMITS) as file:
            metadata = file.metadata
            _check(metadata, path.name, path.stat().st_size)
        with parquet.ParquetFile(path, read_dictionary=_texts(metadata), **LIMITS) as file:
            values = Values()
            for batch in file.iter_batches(batch_size=_batch(metadata)):
                values.count(batch)
                if values.bytes > limits.LARGEST_UNPACKED:
                    raise BadFile(f"{path.name}: holds {UNPACKED}; write several files")
                if values.inside > limits.MOST_VALUES:
                    raise _full(path.name)
                columns = [values.of(column) for column in batch.columns]
                yield from map(dict, map(zip, repeat(batch.schema.names), zip(*columns, strict=True)))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0]
        raise BadFile(f"{path.name}: is not a Parquet file that can be read ({reason}); write it anew") from error


def _check(metadata: Any, name: str, size: int) -> None:
    """Refuse what a file itself says is too much."""
    if metadata.num_columns > limits.MOST_COLUMNS:
        raise BadFile(f"{name}: has {metadata.num_columns} columns; a table has at most {limits.MOST_COLUMNS}")
    if metadata.num_rows > limits.MOST_ROWS:
        raise BadFile(f"{name}: has {metadata.num_rows} rows; one file has at most {limits.MOST_ROWS}, write several")
    if metadata.num_rows * metadata.num_columns > limits.MOST_CELLS:
        raise BadFile(
            f"{name}: has {metadata.num_rows} rows of {metadata.num_columns} columns; a Parquet file has at most "
            f"{limits.MOST_CELLS} cells, leave out columns that are not needed"
        )
    if sum(group.total_byte_size for group in _groups(metadata)) > limits.LARGEST_UNPACKED:
        raise BadFile(f"{name}: holds {UNPACKED}; write several files")
    for column in _columns(metadata):
        if column.physical_type == FIXED and column.length > limits.LONGEST_FIXED:
            raise BadFile(f"{name}: column {column.path!r:.60} has values of {column.length} bytes each; write texts")
        if column.path.count(".") > 2 * limits.DEEPEST:  # a list is two names in a path
            raise BadFile(f"{name}: has lists and objects within one another, more than {limits.DEEPEST} deep")
    if _inside(metadata) > min(limits.MOST_VALUES, metadata.num_rows * limits.MOST_IN_A_ROW):
        raise _full(name)
    rows, values = metadata.num_rows, metadata.num_rows * metadata.num_columns + _inside(metadata)
    if rows > max(limits.FREE_ROWS, size) or values > max(limits.FREE_VALUES, size * limits.VALUES_OF_A_BYTE):
        raise BadFile(f"{name}: has {rows} rows of {values} values in {size} bytes; leave out rows that repeat others")


def _full(name: str) -> BadFile:
    most = f"at most {limits.MOST_IN_A_ROW} for each row and {limits.MOST_VALUES} in all"
    return BadFile(f"{name}: has too many values in its lists, {most}; write several files, or lists as texts")


def _groups(metadata: Any) -> Iterator[Any]:
    return (metadata.row_group(number) for number in range(metadata.num_row_groups))


def _columns(metadata: Any) -> Iterator[Any]:
    return (metadata.schema.column(number) for number in range(metadata.num_columns))


def _inside(metadata: Any) -> int:
    """Return how many values the lists and maps of a file hold."""
    lists = [number for number, column in enumerate(_columns(metadata)) if column.max_repetition_level]
    return sum(int(group.column(number).num_values) for group in _groups(metadata) for number in lists)


def _batch(metadata: Any) -> int:
    """Return how many rows are decoded at a time."""
    rows = metadata.num_rows or 1
    values = rows * metadata.num_columns + _inside(metadata)
    size = sum(group.total_byte_size for group in _groups(metadata))
    return int(max(1, min(BATCH, BATCH_VALUES * rows // max(1, values), BATCH_BYTES * rows // max(1, size))))


def _texts(metadata: Any) -> list[str]:
    """Return the paths of the columns that hold texts."""
    return [column.path for column in _columns(metadata) if column.physical_type == TEXTS]
