"""The rows of a Parquet file, whose few bytes may stand for gigabytes: a repeated text is held once, all is counted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from data.errors import BadFile
from data.files.parquet_values import Values
from data.limits import (
    DEEPEST,
    FREE_ROWS,
    FREE_VALUES,
    GB,
    LARGEST_UNPACKED,
    LONGEST_FIXED,
    MB,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_IN_A_ROW,
    MOST_ROWS,
    MOST_VALUES,
    VALUES_OF_A_BYTE,
)

BATCH = 1000  # rows in memory at a time, fewer where they are wide
BATCH_VALUES, BATCH_BYTES = 100_000, 32 * MB  # that the rows of a batch have by their average
LIMITS = {"thrift_string_size_limit": 16 * MB, "thrift_container_size_limit": 100_000}
TEXTS, FIXED = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
UNPACKED = f"more than {LARGEST_UNPACKED // GB} GB once it is unpacked"


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
                if values.bytes > LARGEST_UNPACKED:
                    raise BadFile(f"{path.name}: holds {UNPACKED}; write several files")
                if values.inside > MOST_VALUES:
                    raise _full(path.name)
                columns = [values.of(column) for column in batch.columns]
                for row in zip(*columns, strict=True):
                    yield dict(zip(batch.schema.names, row, strict=True))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0]
        raise BadFile(f"{path.name}: is not a Parquet file that can be read ({reason}); write it anew") from error


def _check(metadata: Any, name: str, size: int) -> None:
    """Refuse what a file itself says is too much."""
    if metadata.num_columns > MOST_COLUMNS:
        raise BadFile(f"{name}: has {metadata.num_columns} columns; a table has at most {MOST_COLUMNS}")
    if metadata.num_rows > MOST_ROWS:
        raise BadFile(f"{name}: has {metadata.num_rows} rows; one file has at most {MOST_ROWS}, write several")
    if metadata.num_rows * metadata.num_columns > MOST_CELLS:
        raise BadFile(
            f"{name}: has {metadata.num_rows} rows of {metadata.num_columns} columns; a Parquet file has at most "
            f"{MOST_CELLS} cells, leave out columns that are not needed"
        )
    if sum(group.total_byte_size for group in _groups(metadata)) > LARGEST_UNPACKED:
        raise BadFile(f"{name}: holds {UNPACKED}; write several files")
    for column in _columns(metadata):
        if column.physical_type == FIXED and column.length > LONGEST_FIXED:
            raise BadFile(f"{name}: column {column.path!r:.60} has values of {column.length} bytes each; write texts")
        if column.path.count(".") > 2 * DEEPEST:  # a list is two names in a path
            raise BadFile(f"{name}: has lists and objects within one another, more than {DEEPEST} deep")
    if _inside(metadata) > min(MOST_VALUES, metadata.num_rows * MOST_IN_A_ROW):
        raise _full(name)
    rows, values = metadata.num_rows, metadata.num_rows * metadata.num_columns + _inside(metadata)
    if rows > max(FREE_ROWS, size) or values > max(FREE_VALUES, size * VALUES_OF_A_BYTE):
        raise BadFile(f"{name}: has {rows} rows of {values} values in {size} bytes; leave out rows that repeat others")


def _full(name: str) -> BadFile:
    most = f"at most {MOST_IN_A_ROW} for each row and {MOST_VALUES} in all"
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
