"""LIBRA's ruSciFi: whether a statement is true in the text and in the real world, "Правда [в реальном мире: Ложь]"."""

import re
from collections.abc import Iterable

from data.formats import libra
from data.formats.record_format import RecordFormat, Values
from data.option_names import NAMED, with_right

TRUE, FALSE = "Правда", "Ложь"
READ = {"правда": TRUE, "истина": TRUE, "верно": TRUE, "true": TRUE, "ложь": FALSE, "неверно": FALSE, "false": FALSE}
BOTH = re.compile(r"\W*(\w+)\s*\[[^\]:]*:\s*(\w+)\s*\]\W*")


def label(in_text: str, in_world: str) -> str:
    """Return the answer as the authors write it; each part is TRUE or FALSE."""
    return f"{in_text} [в реальном мире: {in_world}]"


LABELS = tuple(label(in_text, in_world) for in_text in (TRUE, FALSE) for in_world in (TRUE, FALSE))
"""The four answers in canonical order."""


def unfold(values: Values) -> Iterable[Values]:
    """Return the record as one row with its right answer spelt alike everywhere; raises ValueError for another answer.

    Statements about one text are a family, where the record does not name it.
    """
    (row,) = libra.unfold({**values, "family": values.get("family") or libra.family_of(values.get("context"))})
    outputs = [str(output) for output in row["positive_outputs"]]
    right = libra.agreed([as_label(output) for output in outputs])
    named = {} if values.get(NAMED) else with_right(LABELS, right, outputs)
    yield {**row, **named, "positive_outputs": right}


def as_label(output: str) -> str:
    """Return an answer in any case, in Russian or English, as one of the four labels; raises ValueError for others."""
    both = BOTH.fullmatch(output)
    parts = [READ.get(part.casefold()) for part in both.groups()] if both else [None]
    if None in parts:
        raise ValueError(f"has the right answer {output[:80]!r}; it must be like {label(TRUE, FALSE)!r}")
    return label(*filter(None, parts))


FORMAT = RecordFormat(unfold)
