"""The rows of a Parquet file, whose few bytes may stand for gigabytes: what is repeated is held once."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from data.errors import BadFile
from data.limits import GB, LARGEST_UNPACKED, MB, MOST_COLUMNS, MOST_ROWS

BATCH = 1000  # rows in memory at a time
LIMITS = {"thrift_string_size_limit": 16 * MB, "thrift_container_size_limit": 100_000}
TEXTS = ("BYTE_ARRAY",)


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as mappings; raises BadFile.

    Texts stay in the file's own dictionaries until a row is made, so that one which a million rows share is there once.
    """
    try:
        with parquet.ParquetFile(path, **LIMITS) as file:
            _check(file.metadata, path.name)
            texts = _texts(file.metadata)
        with parquet.ParquetFile(path, read_dictionary=texts, **LIMITS) as file:
            for batch in file.iter_batches(batch_size=BATCH):
                columns = [_values(column) for column in batch.columns]
                for row in zip(*columns, strict=True):
                    yield dict(zip(batch.schema.names, row, strict=True))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise BadFile(f"{path.name}: is not a Parquet file that can be read ({reason}); write it anew") from error


def _check(told: Any, name: str) -> None:
    """Refuse what a file itself says is too much."""
    if told.num_columns > MOST_COLUMNS:
        raise BadFile(f"{name}: has {told.num_columns} columns; a table has at most {MOST_COLUMNS}")
    if told.num_rows > MOST_ROWS:
        raise BadFile(f"{name}: has {told.num_rows} rows; a Parquet file has at most {MOST_ROWS}, write several")
    groups = (told.row_group(number) for number in range(told.num_row_groups))
    if sum(group.total_byte_size for group in groups) > LARGEST_UNPACKED:
        raise BadFile(f"{name}: holds more than {LARGEST_UNPACKED // GB} GB once it is unpacked; write several files")


def _texts(told: Any) -> list[str]:
    """Return the paths of the columns that hold texts."""
    columns = (told.schema.column(number) for number in range(told.num_columns))
    return [column.path for column in columns if column.physical_type in TEXTS]


def _values(column: Any) -> Sequence[Any]:
    """Return the values of a column; equal texts of a dictionary are one object."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        known = [*column.dictionary.to_pylist(), None]
        return [known[-1 if place is None else place] for place in column.indices.to_pylist()]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = iter(_values(column.flatten()))
        lengths = column.value_lengths().to_pylist()
        return [None if length is None else [next(inner) for _ in range(length)] for length in lengths]
    if pa.types.is_struct(kind):
        inside = [_values(one) for one in column.flatten()]
        rows = zip(*inside, strict=True) if inside else ((),) * len(column)
        names = [kind.field(number).name for number in range(kind.num_fields)]
        valid = column.is_valid().to_pylist()
        return [dict(zip(names, row, strict=True)) if there else None for row, there in zip(rows, valid, strict=True)]
    return list(column.to_pylist())
