"""Gapping mark-up in brackets, as the AGRR-2019 files print it, to and from offsets.

A marked stretch is `cV[превращу cV]`, an empty place `V[] `; the inner space belongs to the sign, not to the text.
"""

import re
from collections.abc import Mapping, Sequence

ELEMENTS = ("cV", "cR1", "cR2", "V", "R1", "R2")
Spans = Mapping[str, Sequence[tuple[int, int]]]

_NAME = "|".join(sorted(ELEMENTS, key=len, reverse=True))
_SIGN = re.compile(rf"(?P<empty>{_NAME})\[\] ?|(?P<opened>{_NAME})\[| (?P<closed>{_NAME})\]")


def from_brackets(text: str) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    """Return the plain text and the spans of each element that is marked, begin and end in its code points.

    Elements come in the order of `ELEMENTS`, spans in that of the text; spans of different elements may cross. Brackets
    without the name of an element are text. Raises ValueError where a bracket is never closed or was never opened.
    """
    plain, done, spans, open_at = "", 0, _none_of_each(), _none_of_each()
    for sign in _SIGN.finditer(text):
        plain, done = plain + text[done : sign.start()], sign.end()
        place = len(plain)
        if name := sign["empty"]:
            spans[name].append((place, place))
        elif name := sign["opened"]:
            open_at[name].append((place, place))
        elif open_at[sign["closed"]]:
            spans[sign["closed"]].append((open_at[sign["closed"]].pop()[0], place))
        else:
            raise ValueError(f"{sign['closed']}] at character {sign.start() + 1} closes a bracket that is not open")
    unclosed = [name for name in ELEMENTS if open_at[name]]
    if unclosed:
        raise ValueError(f"{unclosed[0]}[ is never closed; write {unclosed[0]}[words {unclosed[0]}]")
    return plain + text[done:], {name: sorted(spans[name]) for name in ELEMENTS if spans[name]}


def to_brackets(text: str, spans: Spans) -> str:
    """Return `text` with its spans in brackets: `from_brackets` gives both back.

    Raises ValueError for an element that is not known, a span outside the text, and for what brackets cannot tell (two
    spans of one element that cross, a text that has such signs itself).
    """
    signs = []
    for name, places in spans.items():
        for begin, end in places:
            _check(name, begin, end, text)
            signs += _brackets_of(name, begin, end)
    marked = text
    for place, _, _, sign in sorted(signs, reverse=True):
        marked = marked[:place] + sign + marked[place:]
    if _read_back(marked) != (text, {name: sorted(spans[name]) for name in ELEMENTS if spans.get(name)}):
        raise ValueError("these spans cannot be told by brackets; keep the text and the offsets instead")
    return marked


def _none_of_each() -> dict[str, list[tuple[int, int]]]:
    return {name: [] for name in ELEMENTS}


def _check(name: str, begin: int, end: int, text: str) -> None:
    if name not in ELEMENTS:
        raise ValueError(f"{name!r} is no element of gapping; use one of {', '.join(ELEMENTS)}")
    if not 0 <= begin <= end <= len(text):
        raise ValueError(f"{name} {begin}:{end} is not inside the text, which has {len(text)} characters")


def _brackets_of(name: str, begin: int, end: int) -> list[tuple[int, int, int, str]]:
    """Return the signs of a span with what orders them at one place: what ends, what is empty, what begins."""
    if begin == end:
        return [(begin, 1, 0, f"{name}[] ")]
    return [(begin, 2, -end, f"{name}["), (end, 0, -begin, f" {name}]")]


def _read_back(marked: str) -> tuple[str, dict[str, list[tuple[int, int]]]] | None:
    try:
        return from_brackets(marked)
    except ValueError:
        return None
