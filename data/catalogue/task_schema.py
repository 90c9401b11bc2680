"""The format of task files as its classes declare it: the documentation, and the JSON Schema for editors."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import cleandoc
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from data.answers import answer_types
from data.answers.answer_type import AnswerType
from data.answers.form import Part
from data.answers.spans import Element
from data.answers.write import Rules, WrittenPiece
from data.catalogue.families import AuthorsWay, FamilyFile, Submitted, family_adapter
from data.formats import formats
from data.tables import markdown_table, table_of
from data.task import Aliases, Breakdown, Example, Field, Task, task_adapter
from data.task_keys import said_of
from data.wording import Wording

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PARTS = {"A field": Field, "A breakdown": Breakdown, "Aliases": Aliases, "An example": Example}
ANSWER_PARTS = {
    "A part of a form": Part,
    "An element of spans": Element,
    "A piece of writing": WrittenPiece,
    "The rules of a piece": Rules,
}
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


def task_schema(metrics: Iterable[str]) -> dict[str, Any]:
    """Return the schema of what stands in a task file, its short forms included; `metrics` are the names there are.

    What a file lacks may stand in one beside it, so that few keys are required.
    """
    schema = {"$schema": DIALECT, **task_adapter().json_schema(), "required": ["id"]}
    schema["$defs"][Field.__name__]["required"] = ["name"]
    keys = schema["properties"]
    _describe(schema, Task, *PARTS.values(), *answer_types().values(), *ANSWER_PARTS.values())
    for name in ("metrics", "official", "published"):
        keys[name]["items"]["enum"] = sorted(metrics)
    keys["file_format"]["enum"] = ["", *formats()]
    keys["splits"]["additionalProperties"]["minimum"] = 0
    return schema


def family_schema(metrics: Iterable[str], generators: Iterable[str], submissions: Iterable[str]) -> dict[str, Any]:
    """Return the schema of what stands in `family.toml`, given the names there are of each."""
    schema, task = {"$schema": DIALECT, **family_adapter().json_schema()}, task_schema(metrics)
    keys, takes = schema["properties"], schema["$defs"][Submitted.__name__]
    _describe(schema, FamilyFile, Submitted, AuthorsWay)
    keys["shared"] |= {"properties": task["properties"], "additionalProperties": False}
    keys["generators"]["additionalProperties"]["enum"] = sorted(generators)
    takes["properties"]["format"]["enum"] = sorted(submissions)
    schema["$defs"] |= task["$defs"]
    return schema


def _describe(schema: dict[str, Any], whole: type[Any], *parts: type[Any]) -> None:
    """Let a schema say of each key of the `whole` and of its parts what their classes say."""
    for described in (whole, *parts):
        keys = (schema if described is whole else schema["$defs"][described.__name__])["properties"]
        for name, said in said_of(described).items():
            keys[name] |= said


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
