"""The formats of other people's files: how a record of theirs becomes rows with the names of our fields."""

from functools import cache
from importlib import import_module
from pathlib import Path

from data.errors import look_up
from data.formats.record_format import RecordFormat as RecordFormat


@cache
def formats() -> dict[str, RecordFormat]:
    """Return the formats by the names that tasks give, which the files of this folder bind as `FORMATS`."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "record_format")
    each = [import_module(f"{__name__}.{file}").FORMATS for file in files]
    known = {name: record_format for named in each for name, record_format in named.items()}
    return {name: known[name] for name in sorted(known)}


def format_named(name: str) -> RecordFormat:
    """Return the format of that name; "" is our own: one record is one item."""
    return look_up("file format", name, formats()) if name else RecordFormat()
