"""One task of the catalogue for each way of answering: those that share it are read by the same code."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from data.catalogue.catalog import samples, tasks


def shape(value: Any) -> object:
    """Return what an answer type is made of, whatever its words and numbers are."""
    if is_dataclass(value):
        return type(value).__name__, [(each.name, shape(getattr(value, each.name))) for each in fields(value)]
    if isinstance(value, tuple | list):
        return type(value).__name__, sorted({repr(shape(each)) for each in value})
    if isinstance(value, Mapping):
        return "mapping", bool(value)
    return value if isinstance(value, bool | None) else (type(value).__name__, bool(value))


def kinds() -> list[str]:
    """Return the first task of each way of answering."""
    found: dict[str, str] = {}
    for name, task in sorted(tasks().items()):
        found.setdefault(repr(shape(task.answer_for(next(iter(samples(task))).fields))), name)
    return sorted(found.values())
