"""The items that two runs answered differently: who said what, in the options' own words, and who is right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from data.numbers import DASH
from data.tables import Column, Table

RIGHT: Mapping[tuple[bool | None, bool | None], str] = {
    (True, False): "first",
    (False, True): "second",
    (True, True): "both",
    (False, False): "neither",
}
WITHOUT_GOLD, WITH_GOLD = ("nearer",), ("only_first", "only_second", "difference", "gold", "right")
"""Columns that speak of the one case."""
LONGEST = 80
"""Letters of an option's text beside its code."""


@dataclass(frozen=True)
class ChangedItem:
    """An item to which two runs gave different answers, None for no usable one; `right` is None without gold.

    `texts` are the words of answers that are codes of options, "" where an answer is its own words.
    """

    item: str
    gold: str | None
    answers: tuple[str | None, str | None]
    right: tuple[bool | None, bool | None]
    texts: tuple[str, str] = ("", "")


def _answer_at(place: int) -> Callable[[ChangedItem], str | None]:
    return lambda change: change.answers[place]


def _shown(place: int) -> Callable[[ChangedItem], str]:
    """Return what shows an answer: its code with the option's words beside it."""

    def shown(change: ChangedItem) -> str:
        said, text = change.answers[place], " ".join(change.texts[place].split())
        short = text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
        return f"{said}: {short}" if text else said or "no answer"

    return shown


CHANGED: tuple[Column[ChangedItem], ...] = (
    Column("item", "item", "", lambda change: change.item),
    Column("gold", "gold", "", lambda change: change.gold, lambda gold: gold or DASH, style="start"),
    *(
        column
        for place, name in enumerate(("first", "second"))
        for column in (
            Column(name, name, "", _shown(place), style="start", forms=("page",)),
            Column(name, name, "", _answer_at(place), forms=("json",)),
        )
    ),
    Column("right", "right", "", lambda change: change.right, lambda right: RIGHT.get(right, DASH), style="start"),
)


def readable_table(table: Table[Any], *, gold: bool) -> Table[Any]:
    """Return a table for readers without the columns of the other case."""
    silent = WITHOUT_GOLD if gold else WITH_GOLD
    return replace(table, columns=[column for column in table.columns if column.key not in silent])
