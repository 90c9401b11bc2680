"""Every answer type by its kind: the module of each kind is imported when a task asks for it."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from data.answers.base import AnswerType
from data.errors import UnknownName

ANSWER_TYPES = {
    "choice": "Choice",
    "choices": "Choices",
    "form": "Form",
    "number": "Number",
    "pairwise": "Pairwise",
    "rating": "Rating",
    "sequence": "Sequence",
    "spans": "Spans",
    "text": "Text",
    "varied": "Varied",
    "write": "Write",
}


def answer_type(values: Mapping[str, Any]) -> AnswerType:
    """Return the answer type that plain data (a task snapshot) describes."""
    kind = str(values.get("kind"))
    if kind not in ANSWER_TYPES:
        raise UnknownName("answer type", kind, ANSWER_TYPES)
    made: type[AnswerType] = getattr(import_module(f"data.answers.{kind}"), ANSWER_TYPES[kind])
    return made.from_dict(values)
