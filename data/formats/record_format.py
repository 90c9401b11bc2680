"""What a format says of a file: whether cells are quoted, and which rows a record holds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.answers.answer_type import packed, unpacked
from data.composed_text import composed

Values = Mapping[str, Any]
Unfold = Callable[[Values], Iterable[Values]]
Labelled = Sequence[tuple[Mapping[str, str], str]]


def inside_word(text: str, place: int) -> bool:
    """Return whether letters or digits stand on both sides of a place."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


@dataclass(frozen=True)
class RecordFormat:
    """How a record becomes rows.

    `unfold` takes a record as it stands in the file and gives the rows it holds, named as our fields are, each with an
    `id`; it gives back a record that is in our own form already, and raises ValueError with the reason for one that is
    neither. `quoted`: whether quotes in a delimited file bind cells together. `surveyed` takes all records of a file
    and gives them back in order with what only the whole file tells, None where that is nothing.

    `reworded`: the rows of a record of theirs hold under AS_PUBLISHED what its authors' prompts name otherwise than its
    columns do; a row without it does not tell how they asked.

    `predicted` does what `unfold` does for a record of predictions, where that need not keep to what gold keeps to.
    `submitted` takes a record of predictions and gives those of the leaderboard's form an `id` and a `prediction`;
    `ordered` takes such a prediction and the fields of its item, and gives the answer as the file of items has its own.
    It raises ValueError with the reason where the two do not fit.

    `collected` takes the fields of items in their order, each with people's label, and gives the records in which the
    benchmark would publish them; None where there is no such form.
    """

    unfold: Unfold = lambda values: (values,)
    quoted: bool = True
    surveyed: Callable[[Sequence[Values]], Sequence[Values]] | None = None
    submitted: Callable[[Values], Values] = lambda values: values
    ordered: Callable[[Any, Mapping[str, str]], Any] = lambda answer, _: answer
    predicted: Unfold | None = None
    reworded: bool = False
    collected: Callable[[Labelled], list[Values]] | None = None


AS_PUBLISHED = "as_published"
"""The column of a row, and no field of an item, that holds texts of the authors' record by their names for them."""


NAMED = "named"
"""A task whose files name options otherwise than we do has this field; its format fills it."""


def as_field(names: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the field of a row that holds the names of each option, in canonical order, the usual one first."""
    return {NAMED: packed([list(each) for each in names])}


def with_right(names: Sequence[str], right: str, outputs: Sequence[str]) -> dict[str, str]:
    """Return the field for options of these names; the one of the name `right` stands in the file as `outputs`."""
    return as_field([outputs if name == right and outputs else [name] for name in names])


def names_in(fields: Mapping[str, str]) -> list[list[str]]:
    """Return the names of each option of an item, in canonical order; empty where its file has none of its own."""
    named: list[list[str]] = unpacked(fields.get(NAMED) or "[]")
    return named


def place_of(name: str, fields: Mapping[str, str]) -> int | None:
    """Return the place, from 0, of the option that an item's file calls so, None for none."""
    written = composed(name)
    return next((place for place, names in enumerate(names_in(fields)) if written in map(composed, names)), None)
