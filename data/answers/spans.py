"""Stretches of a text, marked: spans and places of named elements, in code points of the text as it is stored."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from data.answers.answer_type import AnswerType, of_object, packed, prompt_words, unpacked
from data.answers.effort import DECIDE, MARK
from data.answers.replies import ANSWER_KEYS, EDGES, opened
from data.bracket_markup import from_brackets
from data.errors import BadAnswer, BadTask
from data.limits import LONGEST_TEXT, MOST_MARKS, MOST_TRIES, nested
from data.task_keys import Flag, key
from data.wording import MODELS_READ, Language, Wording, languages, texts, worded

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


NONE = "none"
EMPTY = "{}"


@dataclass(frozen=True)
class Element:
    """What may be marked."""

    name: str
    """Its name in files.

    Example: "V"
    """
    words: Wording
    """What people read.

    Example: {"ru": "место пропуска", "en": "place of the gap"}
    """
    key: str
    """The key that marks it: one digit from 1 or one letter.

    Example: "1"
    """
    point: Flag = False
    """It is a place between characters, its begin equal to its end; else it has at least one.

    Example: true
    """
    inside: Annotated[Flag, key(left_out=True)] = False
    """The place may be inside a word; else people can put it between words only.

    Example: true
    """
    several: Flag = True
    """There may be more than one.

    Example: false
    """
    required: Flag = False
    """It has to be there wherever anything is marked.

    Example: true
    """


@dataclass(frozen=True)
class Spans(AnswerType):
    """Spans of several elements in one text.

    The canonical answer maps an element to its sorted [begin, end] pairs, elements in declared order and those without
    spans left out; "{}" says that nothing is there and is an answer only where `none` is given. Spans of one element
    that overlap or touch are one span: an element is a set of characters.
    """

    kind: Literal["spans"] = field(default="spans", kw_only=True)
    script: ClassVar[str] = "spans"
    roomy: ClassVar[bool] = True
    distance: ClassVar[str] = "spans"
    text_field: str
    """The field whose text is marked.

    Example: "sentence"
    """
    elements: tuple[Element, ...]
    """What may be marked in it.

    Example: [{"name": "V", "words": {"ru": "место пропуска", "en": "place of the gap"}}]
    """
    none: Wording | None = None
    """The words of the answer that nothing is there.

    Example: {"ru": "Ничего нет", "en": "Nothing here"}
    """
    prefill_field: str = ""
    """The `offsets` field whose [begin, end, element] triples stand marked at the start.

    Example: "found"
    """

    def __post_init__(self) -> None:
        names, keys = [e.name for e in self.elements], [e.key for e in self.elements]
        if not names or len({*names}) < len(names) or len({*keys}) < len(keys):
            raise BadTask("spans: give at least one element, each with a name and a key of its own")
        wrong = next((name for name in names if not name.strip() or ":" in name), None)
        if wrong is not None:
            raise BadTask(f"spans: {wrong!r} cannot name an element; use a word without a colon")
        reserved = "0" if self.none else ""
        unfit = next((key for key in keys if len(key) != 1 or not key.isalnum() or key == reserved), None)
        if unfit is not None:
            raise BadTask(f"spans: {unfit!r} cannot be a key; use one digit from 1 or one letter")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse a task without the text to mark, or without the field of the spans to start from."""
        for name in filter(None, (self.text_field, self.prefill_field)):
            if name not in names:
                raise BadTask(
                    f"task {task_id!r}: spans are marked in or taken from {name!r}, and there is no such field"
                )

    def drawn_fields(self) -> tuple[str, ...]:
        """Return the text: people mark it where it is drawn, in the answer."""
        return (self.text_field,)

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical answer for a mapping, its JSON, "none", or a mapping to cells such as "2:10 15:20"."""
        if value is None or value == "":
            raise BadAnswer("nothing_marked")
        given = {} if value == NONE else decoded(value)
        if given is None:
            raise BadAnswer("not_spans", value=str(value)[:80])
        unknown = next((name for name in given if name not in self._by_name), None)
        if unknown is not None:
            raise BadAnswer("unknown_element", value=str(unknown)[:80], allowed=", ".join(self._by_name))
        length = len(fields[self.text_field])
        marks = {e.name: checked(e, given[e.name], length) for e in self.elements if e.name in given}
        marks = {name: spans for name, spans in marks.items() if spans}
        if not marks and self.none is None:
            raise BadAnswer("nothing_marked")
        missing = next((e.name for e in self.elements if marks and e.required and e.name not in marks), None)
        if missing is not None:
            raise BadAnswer("element_missing", element=missing)
        return packed(marks)

    def predicted(self, value: object, fields: Mapping[str, str]) -> str:
        """Return what a file of predictions states, rules of answers aside: what counts is which characters it marks.

        Places may have a width, spans may lie past the end of the text, and elements may be missing. Something is there
        and not said where, {"cV": []}, if no character is marked although a span is given, or None for one.
        """
        given = decoded(value)
        if given is None or not given.keys() <= self._by_name.keys():
            return self.validate(value, fields)
        limit = len(fields[self.text_field]) + LONGEST_TEXT
        marks = {e.name: predicted_spans(e, given[e.name], limit) for e in self.elements if given.get(e.name)}
        marked = {name: spans for name, spans in marks.items() if spans}
        return packed(marked or ({self.elements[0].name: []} if marks or None in given.values() else {}))

    def unplaced(self, answer: str) -> bool:
        """Return whether an answer that was predicted says that something is there and not where."""
        return answer != EMPTY and not any(self.content(answer).values())

    def content(self, answer: str) -> Marks:
        """Return element -> list of (begin, end), empty where nothing is there."""
        return {name: [(begin, end) for begin, end in spans] for name, spans in unpacked(answer).items()}

    def prefilled(self, fields: Mapping[str, str]) -> Marks:
        """Return the spans that stand marked at the start; those of elements that are not asked for are left out."""
        marks: Marks = {}
        for begin, end, *label in unpacked(fields.get(self.prefill_field) or "[]"):
            if label and label[0] in self._by_name:
                marks.setdefault(label[0], []).append((begin, end))
        return marks

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time to settle on each mark and to make it; to say that nothing is there is a choice too."""
        marks = sum(map(len, unpacked(answer).values())) if answer else len(self.elements)
        return (DECIDE + MARK) * marks or DECIDE

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the answer in a reply: a JSON mapping to exact substrings or [begin, end], or the text in brackets.

        A substring that occurs several times is its first occurrence not yet taken by the element; a reply with one
        that does not occur, with an unknown element or with two different answers gives None. A place is written as
        the characters around it with | between them, or as [place, place].
        """
        text, none_words = fields[self.text_field], (NONE, *self.none.values()) if self.none else ()
        readings = {
            self.valid_or_none(marks, fields) for marks in marks_in(reply, text, tuple(self._by_name), none_words)
        }
        return readings.pop() if len(readings) == 1 else None

    def unmarked(self, stated: object, fields: Mapping[str, str]) -> bool:
        """Return whether a stated text is the item's own without a bracket in it: published files say "none" so.

        A model's reply that repeats the text says nothing, since it is asked for another form of this answer.
        """
        text = fields[self.text_field].translate(SPACES).strip()
        return bool(self.none) and isinstance(stated, str) and stated.translate(SPACES).strip() == text

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the JSON a model is asked for: substrings where they lead back to their spans, else [begin, end]."""
        return written(self.content(answer), fields[self.text_field])

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return each element with its words in quotation marks; | shows a place between its neighbours."""
        if answer == EMPTY and self.none:
            return self.none
        text, marks = fields[self.text_field], self.content(answer)
        stretches = [
            (name, around(text, begin) if begin == end else short(text[begin:end]))
            for name, spans in marks.items()
            for begin, end in spans
        ]
        quoted = {language: texts(language)["spans"]["says"]["quoted"] for language in languages()}
        return worded(
            lambda language: "; ".join(f"{name} {quoted[language].format(words=said)}" for name, said in stretches),
            quoted,
        )

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return how to write the mapping, with every element and the way to write a place."""
        elements = "; ".join(f"{e.name} — {e.words.within(language)}" for e in self.elements)
        sentences = [prompt_words(language, "spans", "asked", elements=elements)]
        if places := ", ".join(e.name for e in self.elements if e.point):
            example = packed(prompt_words(language, "spans", "example"))
            sentences.append(prompt_words(language, "spans", "place", elements=places, example=example))
        if self.none:
            sentences.append(prompt_words(language, "spans", "none"))
        return " ".join(sentences)

    def schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of the mapping from every element to the stretches it marks, maybe none."""
        return of_object({element.name: {"type": "array", "items": {"type": "string"}} for element in self.elements})

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return nothing (half of the time, where that is an answer), else one random token for each element.

        Tokens are runs without white space, each equally likely; a place is the begin of one.
        """
        if self.none and random.random() < 0.5:
            return EMPTY
        text_tokens = tokens(fields[self.text_field])
        sampled = {element: random.choice(text_tokens) for element in self.elements}
        marks = {e.name: [(begin, begin if e.point else end)] for e, (begin, end) in sampled.items()}
        return packed(marks)

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return ("cV:17", "1") for each marked character of each element, and one unit with the places of each point.

        A character nobody marked has no unit: all agree that it is outside. The unit of a point ("V", "[54,60]") is
        always there, "[]" without one, so that a plurality of places can be found, "no place" among them.
        """
        return tuple(self._units(self.content(answer)))

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the longest runs of the characters decided "1" and the places decided; None where they make no answer.

        That is so where nothing is left though something must be marked, a required element is missing, or an element
        that may be marked once falls apart.
        """
        marks: Marks = {}
        for unit, label in units.items():
            name, _, place = unit.rpartition(":")
            if unit in self._by_name and label:
                marks[unit] = [(at, at) for at in unpacked(label)]
            elif name in self._by_name and label == "1":
                marks.setdefault(name, []).append((int(place), int(place) + 1))
        return self.valid_or_none(marks, fields)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the elements."""
        return tuple(element.name for element in self.elements)

    @property
    def _by_name(self) -> Mapping[str, Element]:
        return {element.name: element for element in self.elements}

    def _units(self, marks: Marks) -> Iterator[tuple[str, str]]:
        for element in self.elements:
            spans = marks.get(element.name, [])
            if element.point:
                yield element.name, packed([begin for begin, _ in spans])
            else:
                yield from ((f"{element.name}:{at}", "1") for begin, end in spans for at in range(begin, end))


def predicted_spans(element: Element, value: object, limit: int) -> list[tuple[int, int]]:
    """Return the spans of one element as a metric counts them: one of no length is the character at its place."""
    pairs = pairs_of(value)
    if pairs is None or any(begin < 0 or end > limit for begin, end in pairs):
        raise BadAnswer("not_spans", value=str(value)[:80])
    places = {(begin, end if element.point else end + 1) for begin, end in pairs if begin == end}
    wide = {(begin, end) for begin, end in pairs if begin < end}
    return sorted({*places, *runs(wide)}) if element.point else runs({*places, *wide})


def checked(element: Element, value: object, length: int) -> list[tuple[int, int]]:
    """Return the spans of one element, sorted and joined where they touch; raises BadAnswer for what they cannot be."""
    pairs = pairs_of(value)
    if pairs is None:
        raise BadAnswer("not_spans", value=str(value)[:80])
    for begin, end in pairs:
        if begin < 0 or max(begin, end) > length:
            raise BadAnswer("outside_text", element=element.name, begin=begin, end=end, length=length)
        if element.point and begin != end:
            raise BadAnswer("not_a_place", element=element.name)
        if not element.point and begin >= end:
            raise BadAnswer("empty_span", element=element.name)
    spans = sorted({*pairs}) if element.point else runs(pairs)
    if len(spans) > 1 and not element.several:
        raise BadAnswer("one_span_only", element=element.name)
    return spans
