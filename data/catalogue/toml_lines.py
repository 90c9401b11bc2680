"""On which line of a TOML file something is set: the first one up to which the file, read alone, has it."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

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
        while at and not has_path(self._beginning(len(self._lines)), at):
            at = at[:-1]
        return self._first(at) if at else None

    def _first(self, at: Sequence[str | int]) -> int:
        before, first_line, until = 0, len(self._lines), len(self._lines)
        while until - before > 1:
            middle = (before + until) // 2
            place = next((n for n in range(middle, until) if self._beginning(n) is not None), None)
            if place is None:
                until = middle
            elif has_path(self._beginning(place), at):
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


def has_path(values: Any, at: Sequence[str | int]) -> bool:
    """Return whether there is something at the end of this way."""
    for step in at:
        inside = isinstance(values, dict) and step in values
        if not inside and not (isinstance(values, list) and isinstance(step, int) and step < len(values)):
            return False
        values = values[step]
    return True
