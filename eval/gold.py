"""What was asked and what is right: the items' answer types and fields beside the answers and the gold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from data.answers.base import AnswerType
from data.errors import BadSetting
from eval.metrics.table import Metric

Sums = tuple[float, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Asked:
    """The answer type of a task and the fields of its items, by the ids that judgments name.

    What the type says of answers is `kept`, since the same answer is looked at under many rules.
    """

    answer: AnswerType
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kept: dict[tuple[str, ...], Any] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        """Whether answers cannot be listed beforehand, so that they are coded item by item."""
        return not self.answer.labels()

    def fields_of(self, item: str) -> Mapping[str, str]:
        """The fields of an item; one whose fields were not given is refused."""
        if item not in self.fields:
            raise BadSetting(f"The fields of the item {item!r} are not known; give those of every item that was asked.")
        return self.fields[item]

    def of(self, item: str) -> AnswerType:
        """The answer type in which this item is answered."""
        return self.answer.of(self.fields_of(item))

    def folded(self, item: str, answer: str) -> str:
        """The form on which votes for this answer are counted."""
        key = "folded", item, answer
        if key not in self.kept:
            self.kept[key] = self.of(item).folded(answer)
        return str(self.kept[key])

    def content(self, item: str, answer: str) -> Any:
        """What the distance of the type compares."""
        return self.of(item).content(answer)

    def units(self, item: str, answer: str) -> Mapping[str, str]:
        """The label of each unit of an answer, in the order of the units."""
        key = "units", item, answer
        if key not in self.kept:
            self.kept[key] = dict(self.of(item).units(answer, self.fields_of(item)))
        found: Mapping[str, str] = self.kept[key]
        return found

    def join(self, item: str, units: Mapping[str, str]) -> str | None:
        """The answer that decided units make, None where they make none."""
        return self.of(item).join(units, self.fields_of(item))

    def right(self, item: str, answer: str, gold: str) -> bool:
        """Whether an answer is wholly right."""
        return self.of(item).right(answer, gold, self.fields_of(item))


class Gold(Mapping[str, str]):
    """Gold by item, as a mapping; with what was asked, so that any answer to an item can be given its worth."""

    def __init__(self, labels: Mapping[str, str], asked: Asked) -> None:
        self._labels = dict(labels)
        self.asked = asked
        self._sums: dict[tuple[str, str, str | None], Sums] = {}

    def __getitem__(self, item: str) -> str:
        return self._labels[item]

    def __contains__(self, item: object) -> bool:
        return item in self._labels

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def right(self, item: str, answer: str) -> bool:
        """Whether an answer to an item with gold is wholly right."""
        return self.asked.right(item, answer, self[item])

    def sums(self, metric: Metric, item: str, answer: str | None) -> Sums:
        """The numbers (S,) of a metric `of_answer` for an answer to an item with gold, None being no answer."""
        key = metric.name, item, answer
        if key not in self._sums:
            if metric.of_answer is None:
                raise BadSetting(
                    f"The metric {metric.name!r} counts the labels of a closed list, and these answers are open; "
                    "choose a metric of any answers."
                )
            asked = self.asked
            self._sums[key] = metric.of_answer(asked.of(item), asked.fields_of(item), self[item], answer)
        return self._sums[key]


def gold_of(labels: Mapping[str, str], asked: Asked | None) -> Mapping[str, str]:
    """Gold that knows what was asked, where that is known."""
    return labels if asked is None or not (asked.open or asked.fields) else Gold(labels, asked)


def right_rows(given: pd.DataFrame, gold: "pd.Series[str]", asked: Asked | None) -> "pd.Series[bool]":
    """Whether each row of a frame with the columns item and label is right by the gold beside it.

    As the answer type says where answers are open, else where the label is the gold.
    """
    if asked is None or not asked.open:
        return given["label"] == gold
    right = [asked.right(*each) for each in zip(given["item"], given["label"], gold, strict=True)]
    return pd.Series(right, index=given.index, dtype=bool)
