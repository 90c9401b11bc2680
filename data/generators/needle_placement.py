"""Putting a text together from parts that fit into so many words, with one part at its depth."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from data.generators.haystack import words_in

Background = Callable[[Random], Iterator[str]]
"""Text without end from a source of chance, sentence by sentence, each with the white space behind it."""
MISFITS = 40


def leading(parts: Iterable[str], words: int) -> list[str]:
    """Return the parts of a running text up to the last that still fits into so many words."""
    chosen: list[str] = []
    for part in parts:
        words -= words_in(part)
        if words < 0:
            break
        chosen.append(part)
    return chosen


def fitting(parts: Iterable[str], words: int) -> list[str]:
    """Return the parts, none twice, that fit into so many words, in their order; what does not fit is passed over.

    The end is near where MISFITS parts in a row do not fit.
    """
    chosen: dict[str, None] = {}
    misfits = 0
    for part in parts:
        needed = words_in(part)
        if needed <= words and part not in chosen:
            chosen[part] = None
            words -= needed
            misfits = 0
        elif (misfits := misfits + 1) == MISFITS:
            break
    return list(chosen)


def put_at(depth: float, part: str, parts: Sequence[str]) -> list[str]:
    """Return the parts with one more after the share `depth` (0 to below 1) of them: anywhere, the ends included."""
    place = int(depth * (len(parts) + 1))
    return [*parts[:place], part, *parts[place:]]
