"""Every answer type by its kind."""

from collections.abc import Mapping
from typing import Any

from data.answers.base import AnswerType
from data.answers.choice import Choice
from data.errors import UnknownName

ANSWER_TYPES: dict[str, type[Choice]] = {"choice": Choice}


def answer_type(values: Mapping[str, Any]) -> AnswerType:
    """Return the answer type that plain data (a task snapshot) describes."""
    kind = str(values.get("kind"))
    if kind not in ANSWER_TYPES:
        raise UnknownName("answer type", kind, ANSWER_TYPES)
    return ANSWER_TYPES[kind].from_dict(values)
