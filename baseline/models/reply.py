"""What came back from a model: a text, what became of it, and what it cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from db.runs import PredictionStatus

Status = PredictionStatus
KEY_LENGTH = 64
"""Hexadecimal digits of the key of a request."""


@dataclass(frozen=True)
class Reply:
    """What came back. With the status `error` the text is the reason; `seconds` are those of the request that gave it.

    A model never says `unparsable`: whether an `ok` text names an answer is for the answer type to find out.
    `cut` tells that the item's text was too long for the model and had to be cut. `completion_tokens` are all that were
    written, `reasoning_tokens` those of them that were thinking. `key` is that of the request that was really sent,
    None where it is the one that the question had before. `cost` is what the attempts to have it were charged, None
    where nothing is paid or no price is known.
    """

    text: str
    status: Status = "ok"
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: bool = False
    reasoning_tokens: int | None = None
    key: str | None = None
    cost: float | None = None


def count(values: Any, place: str) -> int | None:
    """Return a number of tokens that a server states at a place like `usage.total_tokens`, None for none."""
    for name in place.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values if type(values) is int and 0 <= values < 2**31 else None
