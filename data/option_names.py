"""What the authors' file calls the options of an item: its letters or numbers, or the very texts it has for gold."""

from collections.abc import Mapping, Sequence

from data.answers.composite import packed, unpacked
from data.composed_text import composed
from data.task import Field
from data.wording import Wording

NAMED = "named"
NAMES = Field(
    NAMED, Wording(ru="Названия вариантов в файле", en="What the file calls the options"), kind="hidden", optional=True
)
"""A task whose files name options otherwise than we do has this field; its format fills it."""


def as_field(names: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the field of a row that holds the names of each option, in canonical order, the usual one first."""
    return {NAMED: packed([list(each) for each in names])}


def with_right(names: Sequence[str], right: str, outputs: Sequence[str]) -> dict[str, str]:
    """Return the field for options of these names; the one of the name `right` stands in the file as `outputs`."""
    return as_field([outputs if name == right and outputs else [name] for name in names])


def names_in(fields: Mapping[str, str]) -> list[list[str]]:
    """Return the names of each option of an item, in canonical order; empty where its file has none of its own."""
    named: list[list[str]] = unpacked(fields.get(NAMED) or "[]")
    return named


def place_of(name: str, fields: Mapping[str, str]) -> int | None:
    """Return the place, from 0, of the option that an item's file calls so, None for none."""
    written = composed(name)
    return next((place for place, names in enumerate(names_in(fields)) if written in map(composed, names)), None)
