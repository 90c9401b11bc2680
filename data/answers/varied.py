"""The answer type differs from item to item: a field of the item says which one is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as declared
from inspect import signature
from typing import Any, Literal

from data.answers import AnyAnswer
from data.answers.answer_type import AnswerType
from data.errors import BadTask


def _own(name: str) -> Any:
    """Return a method that asks the same of the item's own type, which the fields among its arguments tell."""
    at = list(signature(getattr(AnswerType, name)).parameters).index("fields") - 1

    def asked(self: "Varied", *given: Any, **named: Any) -> Any:
        return getattr(self.of(named["fields"] if "fields" in named else given[at]), name)(*given, **named)

    return asked


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

    validate, gold, as_gold, right, best = (_own(name) for name in ("validate", "gold", "as_gold", "right", "best"))
    parse, show, words, gold_words = (_own(name) for name in ("parse", "show", "words", "gold_words"))
    answer_format, schema, options, listing = (_own(name) for name in ("answer_format", "schema", "options", "listing"))
    draw, units, join, seconds = (_own(name) for name in ("draw", "units", "join", "seconds"))
