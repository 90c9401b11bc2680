"""Numbers in order, one for each position (matching), or a set of numbers without order (multiple choice)."""

import re
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any, ClassVar, Literal

from data.answers.answer_type import AnswerType, Option, packed, prompt_words, unpacked
from data.answers.effort import DECIDE
from data.answers.replies import loaded, numbers_in_order, numbers_of_set, run_of
from data.errors import BadAnswer, BadTask
from data.task_keys import Flag, Whole
from data.wording import MODELS_READ, Language, Wording, same

LETTERS = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"
IN_BRACKETS = re.compile(r"\((\d{1,2})\)")


@dataclass(frozen=True)
class Sequence(AnswerType):
    """Numbers of options: one for each position where it is `ordered`, else one or more of them, each once.

    The positions are named by letters. The answer is a compact JSON list of numbers as strings: in the order of the
    positions, or from small to large.
    """

    kind: Literal["sequence"] = field(default="sequence", kw_only=True)
    script: ClassVar[str] = "sequence"
    choices_field: str = ""
    """The field of kind `options` with the texts, numbered from 1; where it is empty or there is none, the options are
    bare numbers.

    Example: "choices"
    """
    positions_field: str = ""
    """The field of kind `options` with a text for each position.

    Example: "places"
    """
    positions: tuple[str, ...] = ()
    """The texts of the positions where no field has them.

    Example: ["А", "Б"]
    """
    ordered: Flag = True
    """A number for each position; else one or more, each once.

    Example: false
    """
    repeat: Flag = True
    """A number may serve several positions.

    Example: false
    """
    numbers: Whole = 9
    """Bare numbers go from 1 to this one.

    Example: 5
    """
    numbers_field: str = ""
    """The field in whose text the bare numbers stand in brackets, “(3)”.

    Example: "text"
    """

    def __post_init__(self) -> None:
        if self.ordered and not (self.positions or self.positions_field):
            raise BadTask("sequence: name the positions, or the field that holds them, or make it unordered")
        if not self.ordered and (self.positions or self.positions_field):
            raise BadTask("sequence: numbers without order stand at no positions; leave them out")
        if self.numbers < 2 or len(self.positions) > len(LETTERS):
            raise BadTask(f"sequence: numbers {self.numbers!r} must be 2 or more, positions at most {len(LETTERS)}")

    def check_fields(self, task_id: str, names: Many[str]) -> None:
        """Refuse fields that the task does not have."""
        needed = (self.choices_field, self.positions_field, self.numbers_field)
        missing = [name for name in needed if name and name not in names]
        if missing:
            raise BadTask(
                f"task {task_id!r}: its answer is a sequence over the field {missing[0]!r}, which is not there"
            )

    def offered(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the numbers of one item's options, from small to large."""
        texts = self.texts(fields)
        bare = IN_BRACKETS.findall(fields[self.numbers_field]) if self.numbers_field and not texts else []
        return tuple(map(str, sorted(map(int, {*bare})) or range(1, (len(texts) or self.numbers) + 1)))

    def texts(self, fields: Mapping[str, str]) -> list[str]:
        """Return the texts of one item's options; empty where they are bare numbers."""
        return _list_in(fields, self.choices_field)

    def places(self, fields: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the letter and the text of each position of one item; empty where there is no order."""
        texts = _list_in(fields, self.positions_field) or list(self.positions)
        return list(zip(LETTERS, texts, strict=False)) if self.ordered else []

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the options of one item, named by their numbers."""
        texts = self.texts(fields)
        return tuple(
            Option(label, label, same(texts[int(label) - 1] if texts else label)) for label in self.offered(fields)
        )

    def listing(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the positions, then the numbered options; nothing for what is a bare number or a bare letter."""
        places = [f"{letter}. {text}" for letter, text in self.places(fields) if text != letter]
        texts = [f"{number}. {text}" for number, text in enumerate(self.texts(fields), 1)]
        return "\n\n".join("\n".join(part) for part in (places, texts) if part)

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical list for a list of numbers, for digits ("2514", "2, 5") or for the canonical list."""
        offered = self.offered(fields)
        numbers = _numbers_in(value, int(offered[-1]))
        if not any(numbers):
            raise BadAnswer("nothing_matched") if self.ordered else BadAnswer("nothing_ticked")
        for number in filter(None, numbers):
            if number not in offered:
                raise BadAnswer("not_an_option", value=number[:80], allowed=", ".join(offered))
        return packed(self._in_order(numbers, fields) if self.ordered else sorted({*numbers} - {""}, key=int))

    def _in_order(self, numbers: list[str], fields: Mapping[str, str]) -> list[str]:
        letters = [letter for letter, _ in self.places(fields)]
        if len(numbers) > len(letters):
            raise BadAnswer("too_many_numbers", given=len(numbers), needed=len(letters))
        empty = [letter for letter, number in zip_longest(letters, numbers) if not number]
        if empty:
            raise BadAnswer("position_empty", position=empty[0])
        repeated = [number for number in numbers if numbers.count(number) > 1]
        if repeated and not self.repeat:
            raise BadAnswer("number_repeated", value=repeated[0])
        return numbers

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time for a choice at each position, or for each number where there is no order."""
        return DECIDE * max(1, len(unpacked(answer)) if answer else len(self.places(fields)))

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one answer a reply names; None for none, for several, and for what is not allowed."""
        letters, offered = [letter for letter, _ in self.places(fields)], self.offered(fields)
        numbers = numbers_in_order(reply, letters, offered) if self.ordered else numbers_of_set(reply, offered)
        if not numbers or (len(set(numbers)) < len(numbers) and not self.repeat):
            return None
        return packed(numbers)

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the numbers with commas between them."""
        return ", ".join(unpacked(answer))

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return "А–2, Б–5" where there is an order, else "1, 3"."""
        numbers = unpacked(answer)
        pairs = [f"{letter}–{number}" for (letter, _), number in zip(self.places(fields), numbers, strict=False)]
        return same(", ".join(pairs if self.ordered else numbers))

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for numbers with commas between them."""
        letters = ", ".join(letter for letter, _ in self.places(fields))
        return prompt_words(language, "sequence", "ordered" if self.ordered else "any", letters=letters)

    def value_schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of a list of keys."""
        return {"type": "array", "items": super().value_schema(fields)}

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return an answer by chance, each equally likely: any order that is allowed, or any set that is not empty."""
        offered = self.offered(fields)
        if not self.ordered:
            chosen = random.randrange(1, 2 ** len(offered))
            return packed([number for place, number in enumerate(offered) if chosen >> place & 1])
        needed = len(self.places(fields))
        sample = random.choices(offered, k=needed) if self.repeat else random.sample(offered, needed)
        return packed(sample)

    def told_right(self, marks: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the numbers of the answer that is marked as right, where one is."""
        return next((tuple(unpacked(answer)) for answer, mark in marks.items() if mark.right), ())

    def content(self, answer: str) -> tuple[str, ...] | frozenset[str]:
        """Return the numbers in their order, or as a set where there is none."""
        numbers = unpacked(answer)
        return tuple(numbers) if self.ordered else frozenset(numbers)

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return the number of each position by its letter, or "1" and "0" for each option that is in and out."""
        numbers = unpacked(answer)
        if self.ordered:
            return tuple((letter, number) for (letter, _), number in zip(self.places(fields), numbers, strict=False))
        return tuple((number, "1" if number in numbers else "0") for number in self.offered(fields))

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the answer of these units, None where a position is undecided or what they make is not allowed."""
        if self.ordered:
            joined = [units.get(letter, "") for letter, _ in self.places(fields)]
            allowed = all(joined) and (self.repeat or len(set(joined)) == len(joined))
        else:
            offered = self.offered(fields)
            joined = [number for number in offered if units.get(number) == "1"]
            allowed = bool(joined) and all(number in units for number in offered)
        return packed(joined) if allowed else None


def _list_in(fields: Mapping[str, str], name: str) -> list[str]:
    texts: list[str] = unpacked(fields[name] or "[]") if name else []
    return texts


def _numbers_in(value: object, highest: int) -> list[str]:
    """Return what a page, a file or a canonical answer gives as numbers in their order; "" for an empty position."""
    numbers = value
    if isinstance(value, str) and value.strip().startswith("["):
        numbers = loaded(value)
    elif isinstance(value, str):
        numbers = run_of(value, highest) or [value.strip()]
    elif isinstance(value, int) and not isinstance(value, bool):
        numbers = list(str(value)) if highest <= 9 else [str(value)]
    if not isinstance(numbers, list) or not all(type(entry) in (str, int) for entry in numbers):
        return []
    return [str(entry) for entry in numbers]
