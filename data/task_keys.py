"""The keys of a task file: a field's docstring says what it means, and these types take nothing else for theirs."""

import ast
import json
from dataclasses import is_dataclass
from functools import partial
from inspect import cleandoc, getsource
from itertools import pairwise
from operator import not_
from typing import Annotated, Any

from pydantic import AliasChoices, AllowInfNan, Field, Strict

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Bound = Whole | Annotated[float, Strict(), AllowInfNan(False)]
SAID = ("title", "description", "default", "examples")


def key(*, left_out: bool = False, short: dict[str, Any] | None = None, called: tuple[str, ...] = ()) -> Any:
    """Return how a key is read and written, for `Annotated`; `short` is the JSON Schema of a short form of it.

    Where it is `left_out`, snapshots lack empty ones, as those of before the key do: their hash is in reports.
    `called`: its name, and those it had in older snapshots.
    """
    return Field(
        exclude_if=not_ if left_out else None,
        json_schema_extra=partial(_or_short, short) if short else None,
        validation_alias=AliasChoices(*called) if called else None,
    )


def said_of(declared: type) -> dict[str, dict[str, Any]]:
    """Return what a class says of its fields in the docstrings below them, as JSON Schema has it."""
    said: dict[str, dict[str, Any]] = {}
    for each in filter(is_dataclass, reversed(declared.__mro__)):
        for field, below in pairwise(ast.parse(getsource(each)).body[0].body):  # type: ignore[attr-defined]
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    what, *examples = cleandoc(text).split("\nExample: ")
                    said[name] = {"description": " ".join(what.split()), "examples": list(map(json.loads, examples))}
    return said


def _or_short(short: dict[str, Any], schema: dict[str, Any]) -> None:
    """Let a schema be kept to in the short form too."""
    schema["anyOf"] = [{name: schema.pop(name) for name in [*schema] if name not in SAID}, short]
