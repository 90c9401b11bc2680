"""Votes: judgments as integer codes, and the counts items x labels that every number starts from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Codes, Floats, Integers, Mask
from eval.gold import TaskItems

COLUMNS = ("item", "worker", "label")


@dataclass(frozen=True, eq=False, repr=False)
class Votes:
    """J judgments: who gave which label to which item.

    `items`, `workers`, `labels` are the dictionaries; `item`, `worker`, `label` are their codes, each of length J.
    An item or a label without a judgment stays in its dictionary: it is what could have been answered.

    Open answers are coded within their item: `names` (N,) holds the different answers of each item, `labels` only
    numbers the K columns that the longest of these needs, and `asked` tells what an answer means. `skill` (J,) is how
    able another platform held the worker of each judgment to be, NaN where it says nothing. Where somebody is left out,
    `complete` (N,) is how many judgments each item had with everybody.
    """

    items: tuple[str, ...]
    workers: tuple[str, ...]
    labels: tuple[str, ...]
    item: Codes
    worker: Codes
    label: Codes
    names: tuple[tuple[str, ...], ...] | None = None
    asked: TaskItems | None = None
    skill: Floats | None = None
    complete: Integers | None = None

    def __len__(self) -> int:
        return len(self.item)

    @property
    def flat_index(self) -> Integers:
        """The place of each judgment (J,) in the counts as they are stored, label by label: label x N + item."""
        index = np.multiply(self.label, len(self.items), dtype=np.int64)
        index += self.item
        return index

    @cached_property
    def counts(self) -> Integers:
        """How many judgments give label l to item i, as an N x K array; an item without judgments is a row of zeros.

        A label's numbers are neighbours in memory, since items are many and what is computed goes label by label.
        """
        return self.table(np.bincount(self.flat_index, minlength=len(self.items) * len(self.labels)))

    def table(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Numbers that stand as `flat_index` counts them, as an N x K array."""
        return numbers.reshape(len(self.labels), len(self.items)).T

    @property
    def compared(self) -> int:
        """How many items have two answers or more: agreement is of these, whatever the rest was answered."""
        return int(np.count_nonzero(self.counts.sum(axis=1) > 1))

    def named(self, row: int) -> tuple[str, ...]:
        """The answers that the columns of an item stand for; an open one may have fewer than there are columns."""
        return self.labels if self.names is None else self.names[row]

    def items_at(self, rows: Integers) -> list[str]:
        """The ids of the items at these rows, in their order."""
        return [self.items[row] for row in rows.tolist()]

    def needed(self, judgments: int) -> Integers | Floats:
        """How many judgments of an item (N,) stand for so many of all it had, where somebody is left out."""
        if self.complete is None:
            return np.full(len(self.items), judgments)
        return np.asarray(judgments * self.counts.sum(axis=1) / np.maximum(self.complete, 1)).round(9)

    def keep(self, mask: Mask) -> "Votes":
        """The judgments where the mask (length J) is true, over the same dictionaries."""
        chosen = self.item[mask], self.worker[mask], self.label[mask]
        skill = None if self.skill is None else self.skill[mask]
        return Votes(self.items, self.workers, self.labels, *chosen, self.names, self.asked, skill, self.complete)


Judged = pd.DataFrame | Mapping[str, Sequence[Any]]
"""Judgments as columns of strings of equal length, `item`, `worker` and `label`, one row per judgment."""


def code(frame: Judged, *, items: Sequence[str] | None = None, labels: Sequence[str] | None = None) -> Votes:
    """Votes of judgments.

    Dictionaries not given are the sorted values that occur, so the order of the rows never matters. With `items` or
    `labels` given, a value outside them is refused; so are missing values and values that are not strings.
    """
    check_columns(frame, COLUMNS, "judgments")
    item_names, item = codes_of_column(frame, "item", items)
    worker_names, worker = codes_of_column(frame, "worker")
    label_names, label = codes_of_column(frame, "label", labels)
    return Votes(item_names, worker_names, label_names, item, worker, label, skill=_stated(frame))


def code_answers(
    frame: Judged, *, items: Sequence[str] | None, labels: Sequence[str] | None, asked: TaskItems | None
) -> Votes:
    """Votes of judgments: `code` for answers of a closed list, `code_open` for the others.

    >>> frame = {"item": ["q1", "q1"], "worker": ["ann", "bob"], "label": ["a", "b"]}
    >>> code_answers(frame, items=None, labels=None, asked=None).counts.tolist()
    [[1, 1]]
    """
    if asked is None or not asked.open:
        return code(frame, items=items, labels=labels)
    return code_open(frame, items=items, asked=asked)


def code_open(frame: Judged, *, items: Sequence[str] | None = None, asked: TaskItems) -> Votes:
    """Votes of judgments, K as an item needs it.

    Answers of an item that fold to the same form are one answer, named by its most frequent spelling (of equally
    frequent ones the first by alphabet), and stand in the order of their forms: the order of rows never matters.
    """
    coded = code(frame, items=items)
    spellings = coded.labels
    keys = coded.item.astype(np.int64) * max(1, len(spellings)) + coded.label
    pairs, inverse, times = np.unique(keys, return_inverse=True, return_counts=True)
    written: list[dict[str, Counter[str]]] = [{} for _ in coded.items]
    forms: list[tuple[int, str]] = []
    for pair, number in zip(pairs.tolist(), times.tolist(), strict=True):
        row, spelling = divmod(pair, len(spellings))
        form = asked.folded(coded.items[row], spellings[spelling])
        written[row].setdefault(form, Counter())[spellings[spelling]] += number
        forms.append((row, form))
    names = tuple(tuple(_name(each[form]) for form in sorted(each)) for each in written)
    place = [{form: column for column, form in enumerate(sorted(each))} for each in written]
    columns = np.array([place[row][form] for row, form in forms], dtype=np.int32)
    label = columns[inverse] if len(inverse) else np.zeros(0, dtype=np.int32)
    numbered = tuple(map(str, range(max(map(len, names), default=0))))
    return replace(coded, labels=numbered, label=label, names=names, asked=asked)


def _stated(frame: Judged) -> Floats | None:
    """The skills (J,) that another platform states at judgments, None where it states none."""
    if "skill" not in frame:
        return None
    stated = np.asarray(frame["skill"], dtype=np.float64)
    return None if np.isnan(stated).all() else stated


def check_listed(votes: Votes, what: str) -> None:
    """Refuse open answers where labels are counted over items."""
    if votes.names is not None:
        raise BadSetting(f"{what} needs labels of a closed list, which open answers do not have.")


def check_columns(frame: Judged, columns: Sequence[str], what: str) -> None:
    """Refuse a frame of `what` without these columns."""
    if missing := [column for column in columns if column not in frame]:
        raise BadSetting(f"The frame of {what} lacks the column {missing[0]!r}; it needs {', '.join(columns)}.")


def codes_of_column(frame: Judged, column: str, known: Sequence[str] | None = None) -> tuple[tuple[str, ...], Codes]:
    """The dictionary of a column and the code of each of its cells."""
    cells = frame[column]
    codes, spelled = pd.factorize(cells if isinstance(cells, pd.Series) else np.asarray(cells, dtype=object))
    names: list[Any] = list(spelled)
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise BadSetting(f"The {column} {wrong[0]!r} is not a string; give every {column} as text.")
    if (codes < 0).any():
        raise BadSetting(f"A judgment has no {column}; drop the row or give it a value.")
    dictionary = tuple(sorted(names)) if known is None else tuple(known)
    place = {name: position for position, name in enumerate(dictionary)}
    if len(place) < len(dictionary):
        raise BadSetting(f"The given {column}s hold the same name twice; each must be there once.")
    if strange := [name for name in names if name not in place]:
        raise BadSetting(f"The {column} {strange[0]!r} of a judgment is not one of the {len(place)} known ones.")
    lookup = np.array([place[name] for name in names], dtype=np.int32)
    return dictionary, lookup[codes] if len(codes) else np.zeros(0, dtype=np.int32)


def asked_of(votes: Votes) -> TaskItems:
    """What was asked where votes are open; refused for votes of a closed list, which do not know it."""
    if votes.asked is None:
        raise BadSetting("These votes come from a closed list; this needs open answers and what was asked.")
    return votes.asked


def _name(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
