"""The gold, or ground truth: what was asked and what is right, answer types and fields beside answers."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from data.answers.answer_type import AnswerType
from data.errors import BadSetting
from eval.arrays import Codes
from eval.metrics.labels import triples
from eval.metrics.metric import Metric, Reader, Sums, placed
from eval.metrics.texts import as_written


@dataclass(frozen=True, eq=False, repr=False)
class TaskItems:
    """The answer type of a task and the fields of its items, by the ids that judgments name.

    `splits` are the names under which the task's items are published, for metrics that are means over them. What the
    type says of answers is kept in `cache`, since the same answer is looked at under many rules.
    """

    answer: AnswerType
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    splits: tuple[str, ...] = ()
    cache: dict[tuple[str | None, ...], Any] = field(default_factory=dict)

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

    def once(self, key: tuple[str | None, ...], make: Callable[[], Any]) -> Any:
        """What `make` returned when it was first asked for under this key."""
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]

    def folded(self, item: str, answer: str) -> str:
        """The form on which votes for this answer are counted."""
        key = "folded", item, answer
        if key not in self.cache:
            self.cache[key] = self.of(item).folded(answer)
        return str(self.cache[key])

    def content(self, item: str, answer: str) -> Any:
        """What the distance of the type compares."""
        return self.of(item).content(answer)

    def units(self, item: str, answer: str) -> Mapping[str, str]:
        """The label of each unit of an answer, in the order of the units."""
        known: Mapping[str, str] = self.once(
            ("units", item, answer), lambda: dict(self.of(item).units(answer, self.fields_of(item)))
        )
        return known

    def join(self, item: str, units: Mapping[str, str]) -> str | None:
        """The answer that decided units make, None where they make none."""
        return self.of(item).join(units, self.fields_of(item))

    def right(self, item: str, answer: str, gold: str) -> bool:
        """Whether an answer is wholly right."""
        return self.of(item).right(answer, gold, self.fields_of(item))


class GoldColumn(NamedTuple):
    """The different `labels` of gold among some items, sorted, and each item's place there, (N,), -1 for none."""

    labels: tuple[str, ...]
    codes: Codes


def column_of(gold: Mapping[str, str], items: tuple[str, ...]) -> GoldColumn:
    """The gold labels of these items as a column."""
    wanted = list(map(gold.get, items))
    labels = tuple(sorted({label for label in wanted if label is not None}))
    place: dict[str | None, int] = {label: position for position, label in enumerate(labels)} | {None: -1}
    return GoldColumn(labels, np.fromiter(map(place.__getitem__, wanted), dtype=np.int32, count=len(items)))


class Gold(Mapping[str, str]):
    """Gold by item, as a mapping; with what was asked, so that any answer to an item can be given its worth."""

    def __init__(self, labels: Mapping[str, str], asked: TaskItems) -> None:
        self._labels = dict(labels)
        self.asked = asked
        self._answer_sums: dict[tuple[str, str, str | None, str | None, tuple[str, ...]], Sums] = {}
        self._read: dict[tuple[Reader | None, str, str], str | None] = {}
        self._split_names: dict[str, tuple[str, ...]] = {}
        self._classes: dict[Reader | None, tuple[str, ...]] = {}

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

    def answer_sums(
        self, metric: Metric, item: str, answer: str | None, *, text: str | None = None, strays: tuple[str, ...] = ()
    ) -> Sums:
        """The numbers (S,) of a metric for an answer to an item with gold, None being no answer.

        A metric of what was `written` takes the `text`, or else the answer as it is written. `strays` are labels beyond
        those of the task that such a metric has read in some reply: classes of their own.
        """
        key = metric.name, item, answer, text, strays
        if key not in self._answer_sums:
            given = answer
            if metric.written:
                fields = self.asked.fields_of(item)
                given = text if answer is None or text is not None else as_written(self.asked.answer, answer, fields)
            self._answer_sums[key] = self._counted(metric, item, given, strays)
        return self._answer_sums[key]

    def _counted(self, metric: Metric, item: str, given: str | None, strays: tuple[str, ...]) -> Sums:
        own, fields, gold = self.asked.of(item), self.asked.fields_of(item), self[item]
        if metric.reads is not None:
            right = as_written(own, own.best(gold, fields), fields)
            label = None if given is None else self.read(metric, item, given)
            return triples((*self.classes(metric, item), *strays), str(self.read(metric, item, right)), label)
        of_answer = metric.of_answer
        if of_answer is None:
            raise BadSetting(
                f"The metric {metric.name!r} counts the labels of a closed list, and these answers are open; "
                "choose a metric of any answers."
            )
        key = "credit", metric.name, item, gold, given
        sums: Sums = self.asked.once(key, lambda: of_answer(own, fields, gold, given))
        return placed(sums, fields.get(metric.over, ""), self._splits(metric.over)) if metric.over else sums

    def _splits(self, field: str) -> tuple[str, ...]:
        """The published values of a field; none where not one of the items has any of them."""
        if field not in self._split_names:
            met = {self.asked.fields_of(item).get(field) for item in self}
            self._split_names[field] = self.asked.splits if met & set(self.asked.splits) else ()
        return self._split_names[field]

    def classes(self, metric: Metric, item: str) -> tuple[str, ...]:
        """The labels of the task as a metric `reads` them; refused where answers are open."""
        own, fields = self.asked.of(item), self.asked.fields_of(item)
        if not own.labels():
            raise BadSetting(f"The metric {metric.name!r} reads labels of a closed list, and these answers are open.")
        if metric.reads not in self._classes:
            texts = [as_written(own, label, fields) for label in own.labels()]
            self._classes[metric.reads] = tuple(str(self.read(metric, item, text)) for text in texts)
        return self._classes[metric.reads]

    def read(self, metric: Metric, item: str, text: str) -> str | None:
        """The label that a metric `reads` out of a reply to an item, None where there is none."""
        key = metric.reads, item, text
        if metric.reads is not None and key not in self._read:
            self._read[key] = metric.reads(self.asked.of(item), self.asked.fields_of(item), text)
        return self._read.get(key)

    def on(self, items: Collection[str]) -> "Gold":
        """The gold of just these items, in no published split: every group of items is looked at by itself."""
        labels = {item: label for item, label in self._labels.items() if item in items}
        return Gold(labels, replace(self.asked, splits=()))


def gold_of(labels: Mapping[str, str], asked: TaskItems | None) -> Mapping[str, str]:
    """Gold that knows what was asked, where that is known.

    Returns:
        A `Gold` where answers are open or fields are known.

    >>> gold_of({"q1": "a"}, None)["q1"]
    'a'
    """
    return labels if asked is None or not (asked.open or asked.fields) else Gold(labels, asked)


def right_rows(given: pd.DataFrame, gold: "pd.Series[str]", asked: TaskItems | None) -> "pd.Series[bool]":
    """Whether each row of a frame is right by the gold beside it.

    >>> right_rows(pd.DataFrame({"item": ["q1", "q1"], "label": ["a", "b"]}), pd.Series(["a", "a"]), None).tolist()
    [True, False]
    """
    if asked is None or not asked.open:
        return given["label"] == gold
    right = [asked.right(*each) for each in zip(given["item"], given["label"], gold, strict=True)]
    return pd.Series(right, index=given.index, dtype=bool)
