"""What commands say: one JSON object or a table on standard output, everything else on standard error."""

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")
Tell = Callable[[str], None]
QUIET = 1.0
"""Seconds of work without a word."""


def print_json(value: Any) -> None:
    """Write one JSON object to standard output; NaN and infinity have no place in JSON and become null."""
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """Return a value as the text that `print_json` writes."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1) + "\n"


def print_text(text: str) -> None:
    """Write text meant to be read, or piped, to standard output."""
    sys.stdout.write(text.rstrip("\n") + "\n")


def print_result(values: Callable[[], Any], text: Callable[[], str], *, as_json: bool) -> None:
    """Write a result as one JSON object or as text; only what is written is made."""
    if as_json:
        print_json(values())
    else:
        print_text(text())


def tell(sentence: str) -> None:
    """Write progress or a remark to standard error, where it does not disturb what is piped."""
    sys.stderr.write(sentence + "\n")


def watched(values: Iterable[T], what: str, tell: Tell = tell, of: int | None = None) -> Iterator[T]:
    """Yield things as they are made, and tell every QUIET seconds how many of them there are."""
    last, out_of = monotonic(), f" of {of:,}" if of else ""
    for number, thing in enumerate(values, 1):
        yield thing
        if monotonic() - last > QUIET:
            tell(f"{what}: {number:,}{out_of}")
            last = monotonic()


def plain(value: Any) -> Any:
    """Return nested data as JSON holds it: moments in ISO 8601, None for a float that it has no place for."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value
