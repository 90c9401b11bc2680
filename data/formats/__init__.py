"""The formats of other people's files: how a record of theirs becomes rows with the names of our fields."""

from collections.abc import Collection
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from data.errors import UnknownName
from data.formats.record_format import RecordFormat as RecordFormat


@cache
def formats() -> dict[str, RecordFormat]:
    """Return the formats by the names that tasks give, which the files of this folder bind as `FORMATS`."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "record_format")
    each = [import_module(f"{__name__}.{file}").FORMATS for file in files]
    known = {name: record_format for named in each for name, record_format in named.items()}
    return {name: known[name] for name in sorted(known)}


def made_of(name: str, columns: Collection[str]) -> set[str]:
    """Return the columns that a row with these has, and those that the format of that name makes of them."""
    with suppress(ValueError):
        return {*columns, *chain.from_iterable(format_named(name).unfold(dict.fromkeys(columns, "")))}
    return set(columns)


def format_named(name: str) -> RecordFormat:
    """Return the format of that name; "" is our own: one record is one item."""
    if name and name not in formats():
        raise UnknownName("file format", name, formats())
    return formats()[name] if name else RecordFormat()
