"""Spans as pages and files write them, and small arithmetic on them; offsets are code points."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from data.answers.composite import unpacked
from data.limits import nested

Pair = tuple[int, int]
Marks = dict[str, list[Pair]]

CELL = re.compile(r"\d{1,9}:\d{1,9}(?:\s+\d{1,9}:\d{1,9})*")
CONTEXT = 12
LONGEST_QUOTE = 60


def decoded(value: object) -> Mapping[Any, Any] | None:
    """Return the mapping that a value is or holds as JSON, None where it is no mapping."""
    try:
        decoded_value = unpacked(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None
    return decoded_value if isinstance(decoded_value, Mapping) and not nested(decoded_value) else None


def pairs_of(value: object) -> list[Pair] | None:
    """Return a list of [begin, end] pairs, or a cell of AGRR-2019 such as "2:10 15:20", as pairs; None for neither."""
    if isinstance(value, str):
        cell = value.strip()
        if cell and not CELL.fullmatch(cell):
            return None
        return [(int(begin), int(end)) for begin, end in (span.split(":") for span in cell.split())]
    if not isinstance(value, list | tuple):
        return None
    pairs = [pair_of(pair) for pair in value]
    return None if None in pairs else [pair for pair in pairs if pair is not None]


def pair_of(value: object) -> Pair | None:
    """Return two whole numbers as a pair, None for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 2 or any(type(end) is not int for end in value):
        return None
    return value[0], value[1]


def runs(pairs: Iterable[Pair]) -> list[Pair]:
    """Return spans sorted, those that overlap or touch joined into one.

    >>> runs([(5, 7), (0, 2), (2, 3)])
    [(0, 3), (5, 7)]
    """
    joined: list[Pair] = []
    for begin, end in sorted(pairs):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined


def tokens(text: str) -> list[Pair]:
    """Return the runs without white space; the whole of a text that is nothing else."""
    return [match.span() for match in re.finditer(r"\S+", text)] or [(0, len(text))]


def around(text: str, place: int) -> str:
    """Return what stands around a place, with | at it.

    >>> around("что ты любишь, в овец.", 15)
    '… ты любишь, |в овец.'
    """
    before, after = max(0, place - CONTEXT), place + CONTEXT
    return f"{'…' * (before > 0)}{text[before:place]}|{text[place:after]}{'…' * (after < len(text))}"


def short(text: str) -> str:
    """Return a quotation of at most 60 characters on one line, its middle left out where it is longer."""
    line = " ".join(text.split())
    half = LONGEST_QUOTE // 2
    return line if len(line) <= LONGEST_QUOTE else f"{line[:half]}…{line[1 - half :]}"
