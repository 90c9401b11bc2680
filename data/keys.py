"""The keys of a task file as its classes declare them: what each means, and types that take nothing else for theirs."""

from operator import not_
from typing import Annotated, Any

from pydantic import AllowInfNan, Field, Strict

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Bound = Whole | Annotated[float, Strict(), AllowInfNan(False)]


def key(what: str, *examples: Any, left_out: bool = False) -> Any:
    """Return what a key means, for `Annotated`, with examples; where it is `left_out`, snapshots lack empty ones."""
    return Field(description=what, examples=list(examples), exclude_if=not_ if left_out else None)
