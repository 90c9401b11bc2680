"""The JSON Schema of task files, for editors, as their classes declare the format."""

from collections.abc import Iterable
from typing import Any

from data.answers import answer_types
from data.answers.form import Part
from data.answers.spans import Element
from data.answers.write import Rules, WrittenPiece
from data.catalogue.families import AuthorsWay, FamilyFile, Submitted, family_adapter
from data.formats import formats
from data.task import Aliases, Breakdown, Example, Field, Task, task_adapter
from data.task_keys import said_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PARTS = {"A field": Field, "A breakdown": Breakdown, "Aliases": Aliases, "An example": Example}
ANSWER_PARTS = {
    "A part of a form": Part,
    "An element of spans": Element,
    "A piece of writing": WrittenPiece,
    "The rules of a piece": Rules,
}


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
