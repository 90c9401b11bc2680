"""What columns are called in tables of other people: for each thing that one may hold, the names it is known by."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, cast

_NAMES: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf8"))
Named = Literal["id", "explanation", "cluster", "group", "options", "question", "competitor", "places", "ignored"]
"""What a column of a table of items may be for, where its name tells."""
OF_ITEMS = cast(Mapping[Named, list[str]], _NAMES["items"])
"""Columns of a table of items, by what they are for; the first name goes before the others."""
COMMENTS = _NAMES["beside"]["comments"]
"""Columns in which whoever made a table says something beside its texts."""
OF_ANSWERS = _NAMES["answers"] | {"ignored": [*OF_ITEMS["ignored"], *_NAMES["answers"]["ignored"]]}
"""Columns of a log, which has a row for each answer, by what they hold; what is ignored says nothing of the item."""
OF_PREDICTIONS = _NAMES["predictions"]
"""Columns of a file of predictions and of published files: whole replies, stated answers, right answers, others."""
OF_PAY = ("price", "started", "submitted", "seconds", "page")
"""What a log tells of pay and time: what was paid, when, for how long, and for which answers together."""


def plain_name(name: str) -> str:
    """Return the name of a column as the lists above write names: "Correct answer" is `correct_answer`."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def column_of(header: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the column that bears the first of these names, None where none is there."""
    there = {plain_name(column): column for column in reversed(list(header))}
    return next((there[name] for name in names if name in there), None)
