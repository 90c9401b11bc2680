"""The formats of other people's files: how a record of theirs becomes rows with the names of our fields.

A task names its format; the module of that name in this folder binds `FORMAT`.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from data.errors import UnknownName
from data.formats.record_format import RecordFormat as RecordFormat

PLAIN = RecordFormat()


@cache
def format_names() -> tuple[str, ...]:
    """Return the names of the formats there are."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "record_format"))


def format_named(name: str) -> RecordFormat:
    """Return the format of that name; "" is our own: one record is one item."""
    if not name:
        return PLAIN
    if name not in format_names():
        raise UnknownName("file format", name, format_names())
    record_format: RecordFormat = import_module(f"data.formats.{name}").FORMAT
    return record_format
