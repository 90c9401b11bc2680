"""The 95% interval of a mean over tasks, as of the total of a benchmark: items are independent, people may be the same.

What a score varies with who answers is no other in the next task where the same people answer it: these parts then add
up, while those over items add in squares.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, nan, sqrt

import numpy as np

from eval.arrays import Floats
from eval.estimate import Interval


@dataclass(frozen=True)
class TaskInterval:
    """The score of one task with its 95% interval.

    Where `ci` holds for other people too, `ci_items` is the one over items alone, and `answers` says how many each
    person gave, by name; else it is None.
    """

    value: float
    ci: Interval
    ci_items: Interval | None = None
    answers: Mapping[str, float] | None = None


def mean_of_tasks(tasks: Sequence[TaskInterval]) -> TaskInterval:
    """The mean of the scores of tasks, with its interval.

    It holds for other people too where that of every task does (`ci_items` is then not None), else for these.
    Each side is made by itself out of the distances from scores to their ends (MOVER: Zou and Donner 2008), so lopsided
    intervals stay lopsided and no end leaves the scale. Those over items add in squares. What other people add in two
    tasks correlates as far as `shared_people` says.

    Args:
        tasks: One or more, on one scale.

    >>> same = TaskInterval(0.8, (0.7, 0.9), (0.8, 0.8), {"ann": 30, "bob": 20})
    >>> low, high = mean_of_tasks([same, same]).ci  # nothing but people, who are the same: as wide as in one task
    >>> round(low, 3), round(high, 3)
    (0.7, 0.9)
    >>> others = TaskInterval(0.8, (0.7, 0.9), (0.8, 0.8), {"cid": 30, "dan": 20})
    >>> low, high = mean_of_tasks([same, others]).ci
    >>> round(low, 3), round(high, 3)
    (0.729, 0.871)
    """
    values = np.array([task.value for task in tasks])
    value = fsum(values) / len(tasks)
    to_narrow = np.array([task.ci if task.ci_items is None else task.ci_items for task in tasks]).T - values
    over_items = np.sqrt((to_narrow**2).sum(axis=1)) / len(tasks)
    ci_items = _around(value, over_items)
    if any(task.ci_items is None for task in tasks):
        return TaskInterval(value, ci_items)
    to_wide = np.array([task.ci for task in tasks]).T - values
    people = np.sqrt(np.maximum(0.0, to_wide**2 - to_narrow**2))
    together = np.array([[shared_people(one, other) for other in tasks] for one in tasks])
    over_people = np.sqrt(((people @ together) * people).sum(axis=1)) / len(tasks)
    return TaskInterval(value, _around(value, np.hypot(over_items, over_people)), ci_items)


def _around(value: float, distances: Floats) -> Interval:
    below, above = distances.tolist()
    return value - below, value + above


def shared_people(one: TaskInterval, other: TaskInterval) -> float:
    """How far scores of two tasks vary together with who answers, 0 to 1, if everybody is as able in both: the most.

    A score weighs people by their answers, so it is the cosine of the answers of each: 0 where nobody did both tasks, 1
    where everybody did as much of each.

    >>> tasks = [TaskInterval(0.8, (0.7, 0.9), (0.75, 0.85), {"ann": 3, name: 4}) for name in ("bob", "cid")]
    >>> round(shared_people(*tasks), 2)
    0.36
    """
    mine, theirs = one.answers or {}, other.answers or {}
    size = sqrt(fsum(n * n for n in mine.values()) * fsum(n * n for n in theirs.values()))
    return fsum(n * theirs.get(name, 0) for name, n in mine.items()) / size if size else nan
