"""What every answer type can do; a new type is a file beside this one, a template, and a script if it needs its own."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from data.answers.effort import DECIDE
from data.errors import BadAnswer
from data.limits import LONGEST_ACT, LONGEST_CHOICE, LONGEST_REPLY, characters
from data.wording import MODELS_READ, Language, Wording, texts, worded

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def packed(value: object) -> str:
    """Return plain data as the one string it is stored as: no spaces, letters as they are, keys in given order."""
    return _COMPACT.encode(value)


def unpacked(answer: str) -> Any:
    """Return what `packed` took, an empty list for an answer that was left blank."""
    return json.loads(answer) if answer else []


def prompt_words(language: Language, kind: str, name: str, **places: object) -> str:
    """Return a sentence of an answer type with its places filled in."""
    words: str = texts(language)["prompts"][kind][name]
    return words.format(**places)


def alternatives(language: Language, keys: Sequence[str]) -> str:
    """Return keys as one of them is asked for: "1, 2 or 3"."""
    *others, last = keys
    return prompt_words(language, "choice", "either", others=", ".join(others), last=last) if others else last


@dataclass(frozen=True)
class Option:
    """One answer that may be chosen: its stored label, the key that chooses it, the words that are read."""

    label: str
    key: str
    words: Wording


def of_object(properties: Mapping[str, object]) -> dict[str, object]:
    """Return the JSON schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class AnswerType(ABC):
    """How an answer is asked for, checked, written and read back.

    An answer is kept as one canonical string: a label or a text as it is, anything composite as compact JSON
    (`data.answers.answer_type`). Gold is a string too; where several answers are right it holds them all. `distance`
    names how two answers are compared (a row of `eval.agreement.distances`). `roomy` says that it may be as long as
    an act, since its parts have limits of their own. `has_right` says whether there can be a right answer at all,
    so that training and controls make sense; without one nothing can be scored before others have judged it.
    `script` names the file of `annotate/static/answers` that takes the answer from its template, by itself `picks`.
    """

    kind: str = field(kw_only=True)
    distance: ClassVar[str] = "exact"
    roomy: ClassVar[bool] = False
    has_right: ClassVar[bool] = True
    script: ClassVar[str] = "picks"

    @property
    def level(self) -> str:
        """How far apart labels of a closed list are: nominal, ordinal or interval."""
        return "nominal"

    @property
    def part_names(self) -> tuple[str, ...]:
        """The parts of a composite answer; its `units` are called so, or begin so before a colon."""
        return ()

    @property
    def measured(self) -> bool:
        """Whether it counts how near an answer is to the right one, so that there is no accuracy."""
        return False

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:  # noqa: B027 - many need nothing of the item
        """Refuse (BadTask) a task whose fields do not carry what this type needs; to many every task will do."""

    @abstractmethod
    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical answer for what a page or a file sent; raise BadAnswer otherwise."""

    def valid_or_none(self, value: object, fields: Mapping[str, str]) -> str | None:
        """Return what `validate` does, None for what it refuses."""
        try:
            return self.validate(value, fields)
        except BadAnswer:
            return None

    def accept(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical answer for what somebody sent, once it is known to be no longer than an answer can be.

        Raises BadAnswer.
        """
        length = characters(value)
        if length > LONGEST_CHOICE and length > (limit := self.longest(fields)):
            raise BadAnswer("text_too_long", length=length, limit=limit)
        return self.validate(value, fields)

    def longest(self, fields: Mapping[str, str]) -> int:
        """Return how many characters an answer may have as it is sent: LONGEST_CHOICE at least."""
        if self.roomy:
            return LONGEST_ACT
        return LONGEST_CHOICE + sum(len(option.label) + 2 for option in self.options(fields))

    @abstractmethod
    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one answer a model's reply names, or None when it names none or several."""

    def read_reply(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return what `parse` makes of a reply as it came, None for one of more than LONGEST_REPLY characters."""
        return self.parse(reply, fields) if len(reply) <= LONGEST_REPLY else None

    @abstractmethod
    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return `answer` as a model is asked to write it: `parse(show(a)) == a`, whatever the language."""

    @abstractmethod
    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return `answer` as people read it, in one line."""

    @abstractmethod
    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that tells a model how to write its answer."""

    @abstractmethod
    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return an answer by chance, as the naive baseline `random` gives it; each type says how."""

    def of(self, fields: Mapping[str, str]) -> "AnswerType":
        """Return the type in which this very item is answered: itself, but where a task asks in several ways."""
        return self

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return how many seconds it takes to give `answer`, the reading apart; None stands for a usual one."""
        return DECIDE

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the answers this item allows, in canonical order; empty where they cannot be listed."""
        return ()

    def listing(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return what a model chooses from, one option a line; empty where answers cannot be listed."""
        return "\n".join(f"{option.key}. {option.words.within(language)}" for option in self.options(fields))

    def schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of a reply, for servers that can hold a model to one; `parse` reads what keeps to it.

        It uses only what servers agree on: objects with all their keys required and no others, lists, texts, numbers,
        closed lists of texts.
        """
        return of_object({"answer": self.value_schema(fields)})

    def value_schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of the answer alone: the key of an option where there are any, else a text."""
        keys = [option.key for option in self.options(fields)]
        return {"type": "string", "enum": keys} if keys else {"type": "string"}

    def drawn_fields(self) -> tuple[str, ...]:
        """Return the fields that the answer's own drawing shows, so that they are not drawn above it as well."""
        return ()

    def labels(self) -> tuple[str, ...]:
        """Return every canonical answer the type can give, where the list is closed; else empty."""
        return ()

    def content(self, answer: str) -> Any:
        """Return what `distance` compares and metrics read: the string itself, or what a composite answer holds."""
        return answer

    def folded(self, answer: str) -> str:
        """Return the form in which two answers that mean the same are equal; votes are counted on it."""
        return answer

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return the parts that people agree or disagree on one by one, as (unit, label); one part for a whole answer.

        Answers to one item name the same units where they can: consensus is a strict majority in each of them.
        """
        return (("", answer),)

    def scored_unit(self, unit: str) -> bool:
        """Return whether a unit is worth points; people who differ only in others are not divided about the answer."""
        return True

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the answer that the decided units make, None where they make none: `join(units(a)) == a`."""
        return units.get("")

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical gold for a file's cell; a list may stand for several right answers."""
        return self.validate(value, fields)

    def predicted(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the gold that a cell of a file of predictions would be, whatever of it a metric can score."""
        return self.gold(value, fields)

    def as_gold(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return the gold by which just this canonical answer is right."""
        return answer

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether an answer is wholly right: what training and controls ask."""
        return self.folded(answer) == self.folded(gold)

    def best(self, gold: str, fields: Mapping[str, str]) -> str:
        """Return one right answer: `right(best(gold), gold)`."""
        return gold

    def gold_words(self, gold: str, fields: Mapping[str, str]) -> Wording:
        """Return a gold as people read it, in one line; where several answers are right it names them all."""
        return self.words(gold, fields)


class Typed(AnswerType):
    """A typed answer. Its gold is a compact JSON list, of one text as well: so a text may look like anything."""

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the list of accepted answers; `value` is one of them, a list, or a text that is such a list."""
        listed = _listed(value)
        if listed is None:
            return f"[{packed(self.validate(value, fields))}]"
        return packed(list(dict.fromkeys(self.validate(answer, fields) for answer in listed)))

    def as_gold(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return the list that accepts just this answer."""
        return packed([answer])

    def accepted(self, gold: str) -> tuple[str, ...]:
        """Return every answer that a gold accepts, the best one first."""
        return tuple(unpacked(gold))

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether an answer means the same as one of those accepted."""
        return self.folded(answer) in {self.folded(accepted) for accepted in self.accepted(gold)}

    def best(self, gold: str, fields: Mapping[str, str]) -> str:
        """Return the first of the accepted answers."""
        return self.accepted(gold)[0]

    def gold_words(self, gold: str, fields: Mapping[str, str]) -> Wording:
        """Return all that is accepted, "a / b"."""
        texts = [self.words(accepted, fields) for accepted in self.accepted(gold)]
        return worded(lambda language: " / ".join(text.within(language) for text in texts), *texts)


def _listed(value: object) -> list[Any] | None:
    values = value
    if isinstance(value, str):
        if not value.lstrip().startswith("["):
            return None
        try:
            values = unpacked(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(values, list) and not values:
        raise BadAnswer("nothing_typed")
    return values if isinstance(values, list) else None
