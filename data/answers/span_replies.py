"""Spans in a model's reply: substrings or offsets in JSON, or the whole text with brackets in it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from data.answers.composite import packed
from data.answers.option_replies import ANSWER_KEYS, EDGES, opened
from data.answers.span_values import CONTEXT, Marks, Pair, pair_of
from data.bracket_markup import from_brackets
from data.limits import MOST_MARKS, MOST_TRIES, nested

PLACE = "|"
# Models type ordinary spaces where the text has other ones; one sign for one, so that offsets stay.
SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u202f", " "))


def marks_in(reply: str, text: str, names: Sequence[str], none_words: Sequence[str]) -> list[Marks | None]:
    """Return every answer that a reply holds, None for one that cannot be followed; empty where it holds none.

    An empty mapping and the `none_words` (there are such only where it is an answer) say that nothing is there.
    """
    said = opened(reply)
    if _folded(said) in {_folded(word) for word in none_words}:
        return [{}]
    objects = [_unwrapped(value) for value in _objects(said)]
    if objects:
        return [_located(value, text, names) for value in objects]
    marked = _in_brackets(said, text)
    return [] if marked is None else [marked]


def written(marks: Marks, text: str) -> str:
    """Return marks as JSON: the words of a span, the neighbours of a place, offsets where these would mislead."""
    return packed(
        {
            name: [_stated_marks(span, text, spans[:place]) for place, span in enumerate(spans)]
            for name, spans in marks.items()
        }
    )


def _stated_marks(span: Pair, text: str, used: list[Pair]) -> str | list[int]:
    begin, end = span
    words = text[begin:end]
    if begin == end:
        words = text[max(0, begin - CONTEXT) : begin] + PLACE + text[end : end + CONTEXT]
    return words if _span_of(words, text.translate(SPACES), used) == span else [begin, end]


def _located(stated: Mapping[Any, Any], text: str, names: Sequence[str]) -> Marks | None:
    """Return the spans that a mapping means, None where one of them is not to be found."""
    marks: Marks = {}
    plain = text.translate(SPACES)
    for name, value in stated.items():
        if name not in names:
            return None
        spans = [value] if isinstance(value, str) or pair_of(value) else value
        if not isinstance(spans, list) or len(spans) > MOST_MARKS:
            return None
        used: list[Pair] = []
        for offsets in spans:
            span = _span_of(offsets, plain, used)
            if span is None:
                return None
            used.append(span)
        marks[name] = used
    return marks


def _span_of(span: object, text: str, used: Sequence[Pair]) -> Pair | None:
    """Return the span that a pair or a substring means; None where there is none any more. `text` has plain SPACES."""
    if isinstance(span, str):
        span = span.translate(SPACES)
        return (_occurrence(span, text, used) or _place(span, text, used)) if span.strip(PLACE) else None
    return pair_of(span)


def _occurrence(words: str, text: str, used: Sequence[Pair]) -> Pair | None:
    """Return the first occurrence of `words` that shares no character with a used span."""
    begin = text.find(words)
    while begin >= 0:
        end = begin + len(words)
        taken = max((other[1] for other in used if begin < other[1] and other[0] < end), default=None)
        if taken is None:
            return begin, end
        begin = text.find(words, max(begin + 1, taken))
    return None


def _place(words: str, text: str, used: Sequence[Pair]) -> Pair | None:
    """Return the first unused place where what stands before | ends and what stands after it begins."""
    before, sign, after = words.partition(PLACE)
    begin = text.find(before + after) if sign else -1
    while begin >= 0:
        place = begin + len(before)
        if (place, place) not in used:
            return place, place
        begin = text.find(before + after, begin + 1)
    return None


def _in_brackets(said: str, text: str) -> Marks | None:
    """Return the spans of a reply that repeats the text with AGRR's brackets in it, None where it is not that."""
    try:
        plain, marks = from_brackets(said)
    except ValueError:
        return None
    stripped = text.strip()
    at = plain.translate(SPACES).find(stripped.translate(SPACES))
    if at < 0 or not marks:
        return None
    shift = text.find(stripped) - at
    return {name: [(begin + shift, end + shift) for begin, end in spans] for name, spans in marks.items()}


def _objects(said: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a reply from left to right, those inside others apart."""
    decoder, at = json.JSONDecoder(), said.find("{")
    for _ in range(MOST_TRIES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if not nested(value):
                yield value
        at = said.find("{", end)


def _unwrapped(stated: dict[str, Any]) -> dict[str, Any]:
    """Return what stands under the one key of an answer, where there is no more than that."""
    if len(stated) == 1:
        ((key, inner),) = stated.items()
        if key.casefold() in ANSWER_KEYS and isinstance(inner, dict):
            return inner
    return stated


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(EDGES)
