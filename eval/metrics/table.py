"""The table of metrics: a new metric is one function in a file of its own and one row here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.answers.base import AnswerType
from data.errors import BadSetting, UnknownName
from eval.arrays import Floats
from eval.metrics.accuracy import accuracy
from eval.metrics.macro_f1 import macro_f1
from eval.metrics.mcc import mcc

OfAnswer = Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]


@dataclass(frozen=True)
class Metric:
    """A metric; higher is better in all of them. `low` and `high` bound its values.

    Of the answers to a closed set of labels: `of_confusion` takes (..., K, K + 1) confusions, gold by given with "no
    answer" last, and gives (...) values. `is_mean` says that it is the mean over answers of right (1) and wrong (0), so
    that Wilson's interval and McNemar's test apply.

    Of any answers: `of_answer` takes the answer type of the item, its fields, its gold and an answer (None for "no
    answer"), and gives S numbers that may be added up over answers; `of_sums` takes (..., S) such sums and gives (...)
    values. `is_mean` says that the numbers are a credit from 0 to 1 and the one: the value is the mean credit.
    """

    name: str
    title: str
    low: float
    high: float
    is_mean: bool
    of_confusion: Callable[[Floats], Floats] | None = None
    of_answer: OfAnswer | None = None
    of_sums: Callable[[Floats], Floats] | None = None


METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "Accuracy", 0, 1, True, accuracy),
        Metric("macro_f1", "Macro-F1", 0, 1, False, macro_f1),
        Metric("mcc", "Matthews correlation", -1, 1, False, mcc),
    )
}


def metric_named(name: str) -> Metric:
    """The metric of this name; an unknown name is refused with the nearest ones."""
    if name not in METRICS:
        raise UnknownName("the metric", name, METRICS)
    return METRICS[name]


def evaluate(
    name: str, y_true: Sequence[str], y_pred: Sequence[str | None], *, labels: Sequence[str] | None = None
) -> float:
    """The metric `name` of given answers against gold ones, in the range its row says; None is "no answer".

    `labels` not given are those that occur. NaN for empty input.

    >>> evaluate("accuracy", ["a", "b"], ["a", None])
    0.5
    """
    metric = metric_named(name)
    if len(y_true) != len(y_pred):
        raise BadSetting(f"There are {len(y_true)} gold and {len(y_pred)} given answers; they must pair up.")
    occurring = {*y_true, *(label for label in y_pred if label is not None)}
    names = sorted(occurring) if labels is None else list(labels)
    if outside := sorted(occurring - set(names)):
        raise BadSetting(f"The label {outside[0]!r} is not one of the labels given: {', '.join(map(repr, names))}.")
    place: dict[str | None, int] = {label: position for position, label in enumerate(names)} | {None: len(names)}
    confusion = np.zeros((len(names), len(names) + 1))
    np.add.at(confusion, ([place[label] for label in y_true], [place[label] for label in y_pred]), 1)
    return float(metric.of_confusion(confusion))
