"""Why a file is no TOML, in words that say what to write instead, and on which line of one a key is set."""

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
KEY = re.compile(r"([^=#]{1,80}+)=")
LONGEST_SEARCHED = 1000  # lines
REMEDIES: dict[str, str] = tomllib.loads(Path(__file__).with_name("toml_remedies.toml").read_text("utf8"))
"""What to do, by the beginning of what the reader of TOML says."""


def toml_fault(error: Exception, text: str) -> tuple[int | None, str]:
    """Return the line, from 1, of what the reader of TOML refused in a text, and a sentence about it."""
    at, reason = PLACE.search(str(error)), PLACE.sub("", str(error))
    lines = text.splitlines()
    line = int(at[1]) if at and at[1] else _last_begun(lines)
    key = KEY.match(lines[line - 1]) if line and line <= len(lines) else None
    remedy = next((remedy for start, remedy in REMEDIES.items() if reason.startswith(start)), "")
    said = f"{remedy} ({reason})" if remedy else reason
    return line, f"is not TOML; {key[1].strip()}: {said}" if key else f"is not TOML; {said}"


def _last_begun(lines: list[str]) -> int | None:
    """Return the line, from 1, of the statement that has no end; None where that would take long to find."""
    if len(lines) > LONGEST_SEARCHED:
        return None
    for count in range(len(lines), -1, -1):
        try:
            tomllib.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError):
            continue
        rest = (number for number, line in enumerate(lines[count:], count + 1) if line.strip() and line[0] != "#")
        return next(rest, None)
    return None


ENDS = ("", "\n]")
"""What makes a file whole that is cut off: nothing between two statements, a bracket within a list of rows."""
KEPT = 64  # beginnings of the file that are kept while it is looked through


class TomlLines:
    """The lines of a TOML file that can be read."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._beginning = lru_cache(KEPT)(self._read)

    def of(self, at: Sequence[str | int]) -> int | None:
        """Return the line, from 1, of what stands at the end of a way of keys and places; None for what is not there.

        What is missing is looked for where it belongs.
        """
        while at and value_at(self._beginning(len(self._lines)), at) is None:
            at = at[:-1]
        return self._first(at) if at else None

    def _first(self, at: Sequence[str | int]) -> int:
        before, first_line, until = 0, len(self._lines), len(self._lines)
        while until - before > 1:
            middle = (before + until) // 2
            place = next((n for n in range(middle, until) if self._beginning(n) is not None), None)
            if place is None:
                until = middle
            elif value_at(self._beginning(place), at) is not None:
                first_line, until = place, middle
            else:
                before = place
        start = next(n for n in range(first_line - 1, -1, -1) if self._beginning(n) is not None)
        blank = (n for n in range(start, first_line) if self._lines[n].strip() and not self._lines[n].startswith("#"))
        return next(blank, start) + 1

    def _read(self, count: int) -> dict[str, Any] | None:
        for end in ENDS:
            try:
                return tomllib.loads("".join(self._lines[:count]) + end)
            except tomllib.TOMLDecodeError:
                continue
        return None


def value_at(values: Any, at: Sequence[str | int]) -> Any:
    """Return what stands at the end of this way, None for nothing: TOML has no empty value."""
    for step in at:
        inside = isinstance(values, dict) and step in values
        if not inside and not (isinstance(values, list) and isinstance(step, int) and step < len(values)):
            return None
        values = values[step]
    return values
