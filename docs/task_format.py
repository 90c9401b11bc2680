"""The format of task files as the documentation has it: what each class of it is, and a table of its keys."""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import cleandoc
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from data.answers import answer_types
from data.answers.answer_type import AnswerType
from data.answers.write import WrittenPiece
from data.catalogue.families import AuthorsWay, FamilyFile, Submitted
from data.catalogue.task_schema import ANSWER_PARTS, PARTS
from data.tables import markdown_table, table_of
from data.task import Task
from data.task_keys import said_of
from data.wording import Wording

FAMILY_PARTS = {
    "What a folder shares: family.toml": FamilyFile,
    "What a leaderboard takes": Submitted,
    "How its authors asked models": AuthorsWay,
}
TYPES = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    Wording: "text in each language",
    AnswerType: "answer",
    WrittenPiece: "piece",
    Submitted: "what a leaderboard takes",
    AuthorsWay: "how authors asked",
    Any: "anything",
}
BARE = re.compile(r"[A-Za-z0-9_-]+")
HEADER = ("key", "type", "default", "what it is", "example")


def tasks_markdown() -> str:
    """Return the documentation of the format: what each class of it is, and a table of its keys."""
    answers = {f"Answer: {kind}": answer_type for kind, answer_type in answer_types().items()}
    shown: dict[str, type[Any]] = {"A task": Task, **PARTS, **answers, **ANSWER_PARTS, **FAMILY_PARTS}
    return "\n\n".join(_described(title, described) for title, described in shown.items()) + "\n"


def _described(title: str, described: type[Any]) -> str:
    hints, said = get_type_hints(described), said_of(described)
    rows = [_row(field, hints[field.name], said[field.name]) for field in fields(described) if field.name in said]
    return "\n\n".join([f"### {title}", cleandoc(described.__doc__ or ""), markdown_table(table_of("", HEADER, rows))])


def _row(declared: Any, hint: Any, said: Mapping[str, Any]) -> tuple[str, ...]:
    default = declared.default if declared.default_factory is MISSING else declared.default_factory()
    empty = "needed" if default is MISSING else "nothing" if default in (None, "", (), {}) else f"`{_inline(default)}`"
    examples = ", ".join(f"`{_inline(example)}`" for example in said["examples"])
    return f"`{declared.name}`", _type(hint), empty, said["description"], examples


def _type(hint: Any) -> str:
    """Return what a key holds, in words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(f"`{part}`" for part in parts if part)
    if origin is tuple:
        return f"list of {', '.join(dict.fromkeys(_type(part) for part in parts if part is not Ellipsis))}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"table of {_type(parts[1])}"
    if parts:
        known = [_type(part) for part in parts if part is not NoneType]
        return "number" if known == ["whole number", "number"] else " or ".join(known)
    return TYPES.get(hint) or f"{hint.__name__.lower()}"


def _inline(value: Any) -> str:
    """Return a value as TOML has it on one line."""
    if is_dataclass(value) and not isinstance(value, type):
        value = TypeAdapter(type(value)).dump_python(value, mode="json")
    if isinstance(value, Mapping):
        return (
            "{}"
            if not value
            else f"{{ {', '.join(f'{_bare(name)} = {_inline(member)}' for name, member in value.items())} }}"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _bare(name: str) -> str:
    """Return a key as TOML has it: in quotation marks where it has other signs than letters, digits, _ and -."""
    return name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
