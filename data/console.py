"""What commands say: one JSON object or a table on standard output, everything else on standard error."""

import json
import math
import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")
QUIET = 5.0
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


def tell(sentence: str) -> None:
    """Write progress or a remark to standard error, where it does not disturb what is piped."""
    sys.stderr.write(sentence + "\n")


def watched(values: Iterable[T], *, of: int, what: str) -> Iterator[T]:
    """Yield things as they are made, and tell every QUIET seconds how many of them there are."""
    last = monotonic()
    for number, thing in enumerate(values, 1):
        yield thing
        if monotonic() - last > QUIET:
            tell(f"{what} {number} of {of}")
            last = monotonic()


def plain(value: Any) -> Any:
    """Return nested data with every float that JSON cannot hold turned into None."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
