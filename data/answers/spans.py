"""Stretches of a text, marked: spans and places of named elements, in code points of the text as it is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, ClassVar, Literal

from data.answers.answer_type import AnswerType, of_object
from data.answers.composite import packed, unpacked
from data.answers.prompt_words import prompt_words
from data.answers.span_replies import SPACES, marks_in, written
from data.answers.span_values import Marks, around, decoded, pairs_of, runs, short, tokens
from data.errors import BadAnswer, BadTask
from data.limits import LONGEST_TEXT
from data.task_keys import Flag
from data.task_keys import key as about
from data.wording import MODELS_READ, Language, Wording, languages, texts, worded

NONE = "none"
EMPTY = "{}"


@dataclass(frozen=True)
class Element:
    """What may be marked."""

    name: Annotated[str, about("Its name in files.", "V")]
    words: Annotated[Wording, about("What people read.", {"ru": "место пропуска", "en": "place of the gap"})]
    key: Annotated[str, about("The key that marks it: one digit from 1 or one letter.", "1")]
    point: Annotated[
        Flag,
        about("It is a place between characters, its begin equal to its end; else it has at least one.", True),
    ] = False
    several: Annotated[Flag, about("There may be more than one.", False)] = True
    required: Annotated[Flag, about("It has to be there wherever anything is marked.", True)] = False


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
    text_field: Annotated[str, about("The field whose text is marked.", "sentence")]
    elements: Annotated[
        tuple[Element, ...],
        about(
            "What may be marked in it.", [{"name": "V", "words": {"ru": "место пропуска", "en": "place of the gap"}}]
        ),
    ]
    none: Annotated[
        Wording | None,
        about("The words of the answer that nothing is there.", {"ru": "Ничего нет", "en": "Nothing here"}),
    ] = None
    prefill_field: Annotated[
        str,
        about("The `offsets` field whose [begin, end, element] triples stand marked at the start.", "found"),
    ] = ""

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

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the answer in a reply: a JSON mapping to exact substrings or [begin, end], or the text in brackets.

        A substring that occurs several times is its first occurrence not yet taken by the element; a reply with one
        that does not occur, with an unknown element or with two different answers gives None. A place is written as
        the characters around it with | between them, or as [place, place].
        """
        text = fields[self.text_field]
        readings = {
            self._valid(marks, fields) for marks in marks_in(reply, text, tuple(self._by_name), self._none_words)
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
        return self._valid(marks, fields)

    @property
    def _by_name(self) -> Mapping[str, Element]:
        return {element.name: element for element in self.elements}

    @property
    def _none_words(self) -> tuple[str, ...]:
        return (NONE, *self.none.values()) if self.none else ()

    def _valid(self, marks: Marks | None, fields: Mapping[str, str]) -> str | None:
        try:
            return None if marks is None else self.validate(marks, fields)
        except BadAnswer:
            return None

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
