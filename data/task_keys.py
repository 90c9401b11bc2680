"""The keys of a task file as its classes declare them: what each means, and types that take nothing else for theirs."""

from functools import partial
from operator import not_
from typing import Annotated, Any

from pydantic import AliasChoices, AllowInfNan, Field, Strict

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Bound = Whole | Annotated[float, Strict(), AllowInfNan(False)]
SAID = ("title", "description", "default", "examples")


def key(
    what: str, *examples: Any, left_out: bool = False, short: dict[str, Any] | None = None, called: tuple[str, ...] = ()
) -> Any:
    """Return what a key means, for `Annotated`: a sentence, examples, and the JSON Schema of a `short` form of it.

    Where it is `left_out`, snapshots lack empty ones, as those of before the key do: their hash is in reports.
    `called`: its name, and those it had in older snapshots.
    """
    return Field(
        description=what,
        examples=list(examples),
        exclude_if=not_ if left_out else None,
        json_schema_extra=partial(_or_short, short) if short else None,
        validation_alias=AliasChoices(*called) if called else None,
    )


def _or_short(short: dict[str, Any], schema: dict[str, Any]) -> None:
    """Let a schema be kept to in the short form too."""
    schema["anyOf"] = [{name: schema.pop(name) for name in [*schema] if name not in SAID}, short]
