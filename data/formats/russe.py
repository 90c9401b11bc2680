"""RUSSE as its authors distribute it: two sentences, and where the word stands in each."""

import re
from collections.abc import Iterable

from data.formats.record_format import RecordFormat, Values

WORD = re.compile(r"[\w\u0301]+")
NEEDED = ("word", "sentence1", "sentence2", "start1", "end1", "start2", "end2")


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row, with the place of the word in either sentence as a mark.

    Fields of an item are what anybody may see, so that gold_sense1 and gold_sense2, which tell the answer, are none.
    Raises ValueError for a record that lacks a text or a place, and for a place where no word is.
    """
    if "marks1" in values and "marks2" in values:
        return (values,)
    missing = [name for name in NEEDED if values.get(name) in (None, "")]
    if missing:
        raise ValueError(f"has no {missing[0]!r}; a record of RUSSE holds {', '.join(NEEDED)}")
    return ({**values, "marks1": [_mark(values, "1")], "marks2": [_mark(values, "2")]},)


def word_at(text: str, begin: int, end: int) -> list[int]:
    """Return the begin and end of the whole words that share a character with text[begin:end].

    The published ends are one too far in the train set (a space or a comma is inside) and one too short in the test
    set (the last letter is outside), so that only whole words can be trusted. Raises ValueError where there is none.
    """
    met = [match.span() for match in WORD.finditer(text) if match.start() < end and begin < match.end()]
    if not met:
        raise ValueError(f"has no word at {begin}:{end} of {text[:60]!r}; places are counted in characters from 0")
    return [met[0][0], met[-1][1]]


def _mark(values: Values, number: str) -> list[int]:
    begin, end = (_offset(values, f"{bound}{number}") for bound in ("start", "end"))
    return word_at(str(values[f"sentence{number}"]), begin, end)


def _offset(values: Values, name: str) -> int:
    try:
        return int(values[name])
    except (TypeError, ValueError) as error:
        raise ValueError(f"has {values[name]!r:.60} for {name!r}; a place is a whole number") from error


FORMAT = RecordFormat(unfold)
