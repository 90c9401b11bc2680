"""What the readers of all logs share: files of JSON, and replies, each with what tells which item it answers."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from baseline.models.reply import Reply
from data.errors import BadFile, FileProblem
from data.files.prediction_files import Given
from data.files.rows import Row, read_rows
from data.files.text_files import read_text
from db.items import StoredItem


@dataclass(frozen=True)
class LibraOutputs:
    """By what a prediction of LIBRA tells its item: its length, what is accepted and what costs."""

    length: str
    accepted: tuple[str, ...]
    negative: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One reply of a log; `where` is its place there, for people.

    `ids` are the names that its item may have, the likeliest first, `values` the item's own columns where the log keeps
    them, `text` all that the model read or the log says of the item. `stated` is the record of a file of plain answers,
    which states an answer besides the reply or in its place.
    """

    where: str
    reply: Reply
    ids: tuple[str, ...] = ()
    sample: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    outputs: LibraOutputs | None = None
    stated: Given | None = None


@dataclass(frozen=True)
class Joined:
    """A record with its item and by what it was found (id, fields, text, outputs, order); else why it has none."""

    record: Record
    item: StoredItem | None
    way: str = ""
    reason: str = ""


@dataclass(frozen=True)
class DroppedRecord:
    """A record that gave no prediction, and why."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True)
class RunLog:
    """A log as it was read. `model` is None where it does not name one, `settings` what it says of how it was asked.

    `read` names the columns of a file of plain answers that were taken for the predictions, `unreadable` what is wrong
    with rows of one of which not even the item can be read.
    """

    model: str | None
    records: Sequence[Record]
    dropped: Sequence[DroppedRecord] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    read: str = ""
    unreadable: Sequence[FileProblem] = ()


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with what stands in its inner objects beside its own columns, which go before those."""
    flattened = dict(values)
    for inner in values.values():
        if isinstance(inner, Mapping):
            for name, value in flat(inner).items():
                flattened.setdefault(name, value)
    return flattened


def texts(value: Any) -> Iterator[str]:
    """Yield every text in nested data, the deepest ones too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def integer(value: Any, least: int = 0) -> int | None:
    """Return a whole number of at least `least`, None for anything else."""
    return value if type(value) is int and least <= value < 2**31 else None


def object_in(value: Any) -> Mapping[str, Any]:
    """Return what is an object of JSON, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def ids_in(values: Mapping[str, Any], names: Iterable[str] = ("id", "idx")) -> list[str]:
    """Return the names of an item in its columns."""
    return [str(values[name]) for name in names if isinstance(values.get(name), str | int)]


def parted(read: Iterable[Record | DroppedRecord]) -> tuple[list[Record], list[DroppedRecord]]:
    """Return the records, and those that gave none."""
    all_read = list(read)
    return [r for r in all_read if isinstance(r, Record)], [r for r in all_read if isinstance(r, DroppedRecord)]


def read_whole(path: Path) -> Any:
    """Return the JSON value that a file holds; raises BadFile where it holds none, or more than one."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadFile(
            f"{path.name}: is not JSON ({error}); it may have been cut off on its way here, or written by another "
            "program than was named"
        ) from error


def read_lines(path: Path) -> tuple[list[Row], list[DroppedRecord]]:
    """Return the records of a file and the lines that are none; raises BadFile where not one line is a record."""
    rows, problems = read_rows(path)
    if problems and not rows:
        raise BadFile(str(problems[0]))
    return rows, [DroppedRecord(f"line {problem.line}", problem.message) for problem in problems]
