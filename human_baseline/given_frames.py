"""Frames of judgments, gold and models' answers as votes and texts, whatever the type of ids and labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import finalize

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Codes
from eval.ballots import Ballots, answers
from eval.votes import Votes

ByTask = Mapping[Any, Any] | pd.Series | pd.DataFrame
"""One label to a task: a Series by task, a mapping, or a frame with `task` and `label`."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """Votes, in which ids and labels are texts, and the values that these stand for.

    `tasks` (N,) are the values of `votes.items`, `labels` (K,) those of `votes.labels`.
    """

    votes: Votes
    tasks: Sequence[Any]
    labels: Sequence[Any]


def text_of(value: Any) -> str:
    """Return an id or a label as a text: 1, 1.0 and "1" are one.

    >>> text_of(1.0), text_of("1"), text_of(2.5), text_of(True)
    ('1', '1', '2.5', 'True')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def judgments_of(frame: pd.DataFrame, *, order: Sequence[Any] | None = None, named: bool = True) -> Judgments:
    """Return a frame with `task`, `worker`, `label` as votes.

    Labels stand as `order` or their ordered category has them; else numbers by size, texts by alphabet. Unless `named`,
    tasks and workers may go without texts: to write these takes longer than to count votes.
    """
    check_columns(frame, "task", "worker", "label", cells=False)
    (items, tasks, item), (workers, _, worker) = (_coded(frame[name], named) for name in ("task", "worker"))
    texts, values, code = _coded(frame["label"])
    if order is None:
        order = _usual_order(frame["label"], values)
    place = {text_of(value): number for number, value in enumerate(order)}
    if strange := [text for text in texts if text not in place]:
        raise BadSetting(f"The label {strange[0]!r} is not in the order {', '.join(place)}; name every label in it.")
    label = np.array([place[text] for text in texts], dtype=np.int32)[code]
    return Judgments(Votes(tuple(items), tuple(workers), tuple(place), item, worker, label), tasks, order)


def _coded(column: "pd.Series[Any]", named: bool = True) -> tuple[list[str], Any, Codes]:
    """Return the different values of a column as texts and as they are, and the place of each cell among them."""
    codes, found = _factorized(column)
    if empty := int(np.count_nonzero(codes < 0)):
        raise BadSetting(_without(empty, str(column.name)))
    if found.dtype.kind == "i" or isinstance(found.dtype, pd.StringDtype):  # what differs here differs as a text
        # The index of a consensus costs as much as the vote where it is made of a list anew.
        return list(map(str, found.tolist())) if named else [""] * len(found), found, codes
    values = found.tolist()
    if set(map(type, values)) == {str}:
        return values, values, codes
    texts = list(map(text_of, values))
    if len(first := dict(zip(reversed(texts), reversed(values), strict=True))) == len(texts):
        return texts, values, codes
    place = {text: number for number, text in enumerate(first)}
    return list(first), list(first.values()), np.array([place[text] for text in texts], dtype=np.int32)[codes]


def _factorized(column: "pd.Series[Any]") -> tuple[Codes, Any]:
    """Return what `pd.factorize` does; of small numbers by a table, which takes a third of the time."""
    if isinstance(column.array, pd.arrays.ArrowStringArray):
        return _texts_factorized(column)
    cells = column.to_numpy() if str(column.dtype) == "int64" else np.zeros(0)
    if not len(cells) or cells.min() < 0 or cells.max() > 2 * len(cells):
        return _hashed(column)
    place = np.zeros(cells.max() + 1, dtype=np.int32)
    place[cells[::-1]] = np.arange(len(cells), 0, -1)  # of equal cells the first is written last
    found = cells[np.sort(place[place > 0]) - 1]
    place[found] = np.arange(len(found))
    return place[cells], pd.Index(found)


def _hashed(column: "pd.Series[Any]") -> tuple[Codes, Any]:
    codes, found = pd.factorize(column)
    return codes.astype(np.int32), found


_FACTORIZED: dict[int, tuple[Codes, Any]] = {}


def _texts_factorized(column: "pd.Series[Any]") -> tuple[Codes, Any]:
    """Return a column of texts as codes, once while it lives: a consensus and agreement are mostly of the same frame.

    What pandas changes in such a column it puts into a new Arrow array; these never change.
    """
    cells = column.array.__arrow_array__()
    if id(cells) not in _FACTORIZED:
        codes, found = _hashed(column)
        codes.flags.writeable = False
        _FACTORIZED[id(cells)] = codes, found
        finalize(cells, _FACTORIZED.pop, id(cells), None)
    return _FACTORIZED[id(cells)]


def _usual_order(column: "pd.Series[Any]", values: Sequence[Any]) -> list[Any]:
    """Return labels in the order of their category, by size or by alphabet, each text once."""
    if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
        return list(column.cat.categories)
    return sorted(values, key=_by_size)


def check_columns(frame: pd.DataFrame, *columns: str, cells: bool = True) -> None:
    """Refuse a frame without these columns, or with one of their `cells` empty."""
    if not isinstance(frame, pd.DataFrame):
        raise BadSetting(f"Judgments are a DataFrame with {', '.join(columns)}, got {type(frame).__name__}.")
    if missing := [name for name in columns if name not in frame]:
        raise BadSetting(
            f"The frame has no column {missing[0]!r}; it needs {', '.join(columns)} and has "
            f"{', '.join(map(str, frame.columns))}. Rename with frame.rename(columns=...)."
        )
    for name in columns if cells else ():
        if empty := int(frame[name].isna().sum()):
            raise BadSetting(_without(empty, name))


def _without(empty: int, name: str) -> str:
    return f"{empty} rows have no {name}; leave them out: frame.dropna(subset=[{name!r}])."


def by_task(given: ByTask, what: str) -> dict[str, str | None]:
    """Return the label of each task as texts, None where the label is missing; `what` names it in errors."""
    if isinstance(given, pd.DataFrame):
        if missing := [name for name in ("task", "label") if name not in given]:
            raise BadSetting(f"{what} has no column {missing[0]!r}; it needs task and label.")
        given = given.set_index("task")["label"]
    series = given if isinstance(given, pd.Series) else pd.Series(dict(given), dtype=object)
    tasks = list(map(text_of, series.index.tolist()))
    labels = [None if pd.isna(label) else text_of(label) for label in series.tolist()]
    known: dict[str, str | None] = dict(zip(tasks, labels, strict=True))
    if len(known) < len(tasks):
        twice = next(task for place, task in enumerate(tasks) if task in tasks[:place])
        raise BadSetting(f"{what} has the task {twice!r} twice; it takes one label to a task.")
    return known


def gold_of(given: ByTask) -> dict[str, str]:
    """Return the right label of each task that has one."""
    return {task: label for task, label in by_task(given, "gold").items() if label is not None}


def answers_by_model(given: Mapping[str, ByTask] | pd.DataFrame) -> dict[str, dict[str, str | None]]:
    """Return models' answers by their names: of a mapping of models, or of a frame with `task`, `model`, `label`."""
    if isinstance(given, pd.DataFrame):
        check_columns(given, "task", "model")
        given = {str(name): rows for name, rows in given.groupby("model", sort=False)}
    return {name: by_task(answered, f"the model {name!r}") for name, answered in given.items()}


def ballots_of(given: Mapping[str, str | None], items: Sequence[str], labels: Sequence[str]) -> Ballots:
    """Return a model's answers to those of its tasks that are among `items`; a label outside `labels` is no answer."""
    known, listed = set(items), set(labels)
    said = {task: label if label in listed else None for task, label in given.items() if task in known}
    return answers(said, items=items, labels=labels)


def all_labels(*given: Iterable[str | None]) -> list[str]:
    """Return the different labels of several columns, numbers by size, others by alphabet."""
    return sorted({label for column in given for label in column if label is not None}, key=_by_size)


def _by_size(label: Any) -> tuple[int, float, str]:
    text = text_of(label)
    return (0, float(text), text) if is_number(text) else (1, 0.0, text)


def is_number(text: str) -> bool:
    """Say whether a label is a number."""
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
