"""A text with marked stretches as segments: between two ends everything is marked alike, and drawn as one piece."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

TONES = 8
"""How many tones (colour and line) the look has; labels beyond them begin anew."""


@dataclass(frozen=True)
class Span:
    """One marked stretch or place in code points; `tone` 1 to 8 belongs to its label, 0 to a mark without one.

    `level` is the line it is drawn on, 0 nearest to the text: spans that share characters have different ones.
    """

    begin: int
    end: int
    label: str
    tone: int
    level: int


@dataclass(frozen=True)
class Segment:
    """A piece of text that is marked alike throughout.

    `spans` cover it, the outermost (highest level) first. `pins` are the places and labelled spans that begin at it;
    `tight` says that their labels are wider than what they stand above. The last segment may be empty, for places.
    """

    text: str
    begin: int
    end: int
    spans: tuple[Span, ...]
    pins: tuple[Span, ...]
    tight: bool


@dataclass(frozen=True)
class MarkedText:
    """A text cut into segments; joined they are the text. `depth` is how many lines of spans stand below it."""

    segments: tuple[Segment, ...]
    spans: tuple[Span, ...]
    depth: int
    text: str

    def quoted(self) -> list[tuple[str, str]]:
        """Return each labelled span as (label, words), for those who do not see; a place has no words."""
        return [(span.label, self.text[span.begin : span.end]) for span in self.spans if span.label]


def marked_text(text: str, marks: Iterable[Sequence[Any]], labels: Sequence[str] = ()) -> MarkedText:
    """Return a text with its marks, [begin, end] or [begin, end, label], begin == end for a place.

    Labels get their tones in the order of `labels`, then in that of their first mark.
    """
    ordered = sorted(((begin, end, str(*label)) for begin, end, *label in marks), key=_place_in_order)
    known = [name for name in dict.fromkeys((*labels, *(label for _, _, label in ordered))) if name]
    tones = {label: place % TONES + 1 for place, label in enumerate(known)}
    spans = levelled(ordered, tones)
    ends = sorted({0, len(text), *(span.begin for span in spans), *(span.end for span in spans)})
    cuts = [*pairwise(ends), (len(text), len(text))]
    made = tuple(_segment(text, begin, end, spans) for begin, end in cuts)
    segments = made if made[-1].pins else made[:-1]
    depth = max((span.level + 1 for span in spans if span.begin < span.end), default=0)
    return MarkedText(segments, spans, depth, text)


def marked_answer(text: str, content: Mapping[str, Sequence[Sequence[int]]], labels: Sequence[str]) -> MarkedText:
    """Return a text with the spans of an answer: element -> pairs of begin and end."""
    return marked_text(text, [(*pair, name) for name, pairs in content.items() for pair in pairs], labels)


def levelled(marks: Iterable[tuple[int, int, str]], tones: Mapping[str, int]) -> tuple[Span, ...]:
    """Return marks, sorted by their begins, as spans on the lowest line that is free all along them."""
    free_from: list[int] = []
    spans = []
    for begin, end, label in marks:
        level = 0
        if begin < end:
            level = next((line for line, end_there in enumerate(free_from) if end_there <= begin), len(free_from))
            free_from[level : level + 1] = [end]
        spans.append(Span(begin, end, label, tones.get(label, 0), level))
    return tuple(spans)


def _place_in_order(mark: tuple[int, int, str]) -> tuple[int, bool, int, str]:
    """Return what sorts marks: by their begin, there places first, then the longer before the shorter."""
    begin, end, label = mark
    return begin, begin < end, -end, label


def _segment(text: str, begin: int, end: int, spans: Sequence[Span]) -> Segment:
    over = sorted((s for s in spans if s.begin <= begin and end <= s.end and begin < end), key=lambda s: -s.level)
    # At the end of the text only a place has something to show.
    pins = tuple(s for s in spans if s.begin == begin and (s.begin == s.end or (s.label and begin < end)))
    width = sum(len(pin.label) + 1 for pin in pins)
    return Segment(text[begin:end], begin, end, tuple(over), pins, begin + 0.75 * width > end > begin)


@dataclass(frozen=True)
class Reading:
    """One answer as it is looked at: the text with its spans, the mark beside it, how many people gave it."""

    answer: str
    marked: MarkedText
    mark: Any
    count: int | None


def readings(ask: Mapping[str, Any], marks: Mapping[str, Any], votes: Mapping[str, int] | None) -> list[Reading]:
    """Return every answer there is to look at: those marked right or wrong, the one given, those that people gave."""
    asked, fields = ask["type"], ask["fields"]
    answers = [answer for answer in (*marks, ask["given"], *(votes or {})) if answer]
    labels = [element.name for element in asked.elements]
    return [
        Reading(
            answer,
            marked_answer(fields[asked.text_field], asked.content(answer), labels),
            marks.get(answer),
            None if votes is None else votes.get(answer, 0),
        )
        for answer in dict.fromkeys(answers)
    ]


def at_start(ask: Mapping[str, Any]) -> Mapping[str, Sequence[Sequence[int]]]:
    """Return the spans that stand marked when an item comes: those given before, else those it brings."""
    content: Mapping[str, Sequence[Sequence[int]]] | None = ask["content"]
    return ask["type"].prefilled(ask["fields"]) if content is None else content
