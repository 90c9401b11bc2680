"""The answer type differs from item to item: a field of the item says which one is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as declared
from random import Random
from typing import Literal

from data.answers import AnyAnswer
from data.answers.answer_type import AnswerType, Option
from data.errors import BadTask
from data.wording import MODELS_READ, Language, Wording


@dataclass(frozen=True)
class Varied(AnswerType):
    """One of several types, chosen by the value of a field.

    Everything that is asked with the fields of an item is asked of that item's own type. What is asked of an answer
    alone (`content`, `folded`) needs the own type first: `task.answer_for(fields)`; here an answer is only its string.
    """

    kind: Literal["varied"] = declared(default="varied", kw_only=True)
    field: str
    """The field whose value says how an item is answered.

    Example: "type"
    """
    types: Mapping[str, AnyAnswer]
    """The type of answer under each value.

    Example: {"word": {"kind": "text"}}
    """

    def __post_init__(self) -> None:
        if not self.types:
            raise BadTask("varied: give at least one answer type, under the value of the field that asks for it")
        inner = [value for value, answer_type in self.types.items() if isinstance(answer_type, Varied)]
        if inner:
            raise BadTask(f"varied: the type under {inner[0]!r} is varied itself; put its types here in its place")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse a task without the field that chooses, or without what one of the types needs."""
        if self.field not in names:
            raise BadTask(f"task {task_id!r}: its answers vary by the field {self.field!r}, which is not there")
        for answer_type in self.types.values():
            answer_type.check_fields(task_id, names)

    def of(self, fields: Mapping[str, str]) -> AnswerType:
        """Return the item's own type; raises BadTask for a value of the field that no type stands under."""
        value = fields.get(self.field, "")
        if value not in self.types:
            known = ", ".join(map(repr, self.types))
            raise BadTask(f"varied: no answer type stands under {value!r} of the field {self.field!r}; use {known}")
        return self.types[value].of(fields)

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return what the item's own type makes of `value`."""
        return self.of(fields).validate(value, fields)

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return what the item's own type reads in a reply."""
        return self.of(fields).parse(reply, fields)

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return an answer as the item's own type asks a model to write it."""
        return self.of(fields).show(answer, fields, language)

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return an answer in the words of the item's own type."""
        return self.of(fields).words(answer, fields)

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence of the item's own type."""
        return self.of(fields).answer_format(fields, language)

    def schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of the item's own type."""
        return self.of(fields).schema(fields)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return an answer by chance, as the item's own type draws it."""
        return self.of(fields).draw(fields, random)

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the options of the item's own type."""
        return self.of(fields).options(fields)

    def listing(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return what the item's own type lists."""
        return self.of(fields).listing(fields, language)

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return the units of the item's own type."""
        return self.of(fields).units(answer, fields)

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the answer that the item's own type makes of units."""
        return self.of(fields).join(units, fields)

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the gold as the item's own type keeps it."""
        return self.of(fields).gold(value, fields)

    def as_gold(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return an answer as gold of the item's own type."""
        return self.of(fields).as_gold(answer, fields)

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether the item's own type takes an answer for wholly right."""
        return self.of(fields).right(answer, gold, fields)

    def best(self, gold: str, fields: Mapping[str, str]) -> str:
        """Return one right answer of the item's own type."""
        return self.of(fields).best(gold, fields)

    def gold_words(self, gold: str, fields: Mapping[str, str]) -> Wording:
        """Return a gold in the words of the item's own type."""
        return self.of(fields).gold_words(gold, fields)
