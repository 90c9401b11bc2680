"""What one respondent, whether a crowd, its consensus or a model, says about every item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class Ballots:
    """Weights N x (K + 1): how much of an answer goes to each label of each item; the last column is "no answer".

    A row of zeros is an item that is not scored (never answered, or dropped). Any other row holds whole numbers (that
    many answers) or sums to one (one answer, spread over labels that are level).

    `texts` (N,) is what a respondent wrote for each item, None where nothing is known: metrics of what was written take
    the answers themselves then.
    """

    items: tuple[str, ...]
    labels: tuple[str, ...]
    weights: Floats
    names: tuple[tuple[str, ...], ...] | None = None
    texts: tuple[str | None, ...] | None = None

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.items), len(self.labels) + 1):
            expected = len(self.items), len(self.labels) + 1
            raise BadSetting(f"Ballots need weights of the shape {expected}, got {self.weights.shape}.")
        several = self.weights[np.abs(self.weights.sum(axis=1) - 1) > 1e-8]
        if (several != np.floor(several)).any() or self.weights.min(initial=0) < 0:
            raise BadSetting("A ballot must hold whole numbers of answers, or be one answer whose parts sum to one.")

    @cached_property
    def scored(self) -> Mask:
        """Which of the N items count: those with any answer, "no answer" included."""
        return np.asarray(self.weights.any(axis=1))

    @cached_property
    def single_answers(self) -> Mapping[str, str | None]:
        """The heaviest answer to each item that has one; None where that is "no answer"."""
        given: dict[str, str | None] = {}
        rows = np.flatnonzero(self.scored)
        for row, column in zip(rows.tolist(), self.weights[rows].argmax(axis=1).tolist(), strict=True):
            given[self.items[row]] = None if column == len(self.labels) else self.named(row)[column]
        return given

    @property
    def only_answer(self) -> str | None:
        """The one answer that was given to every scored item of two or more; None where answers differ.

        >>> Ballots(("q1", "q2"), ("yes", "no"), np.array([[1.0, 0, 0], [1.0, 0, 0]])).only_answer
        'yes'
        """
        if self.scored.sum() < 2 or (np.count_nonzero(self.weights, axis=1) > 1).any():
            return None
        answers = set(self.single_answers.values())
        return answers.pop() if len(answers) == 1 else None

    def named(self, row: int) -> tuple[str, ...]:
        """The answers that the columns of an item stand for, "no answer" apart."""
        return self.labels if self.names is None else self.names[row]

    def on(self, items: Sequence[str]) -> "Ballots":
        """The same respondent on just these items, in this order; an item never asked is a row of zeros."""
        if tuple(items) == self.items:
            return self
        place = _places(self.items)
        rows = np.fromiter((place.get(item, -1) for item in items), dtype=np.int64, count=len(items))
        weights = np.zeros((len(items), self.weights.shape[1]))
        weights[rows >= 0] = self.weights[rows[rows >= 0]]
        places = rows.tolist()
        names = None if self.names is None else tuple(self.names[row] if row >= 0 else () for row in places)
        texts = None if self.texts is None else tuple(self.texts[row] if row >= 0 else None for row in places)
        return Ballots(tuple(items), self.labels, weights, names, texts)

    def wrote(self, texts: Mapping[str, str]) -> "Ballots":
        """The same answers with what was written for each item, where that is known."""
        return replace(self, texts=tuple(texts.get(item) for item in self.items))

    def over(self, labels: Sequence[str]) -> "Ballots":
        """The same answers over a dictionary that holds all of this one's labels, in any order, and perhaps more."""
        if tuple(labels) == self.labels:
            return self
        place = _places(labels)
        weights = np.zeros((len(self.items), len(labels) + 1))
        weights[:, [*(_place(label, place) for label in self.labels), -1]] = self.weights
        return Ballots(self.items, tuple(labels), weights, texts=self.texts)

    def widened(self, width: int) -> "Ballots":
        """The same open answers in `width` columns, those of a closed list as they are."""
        more = width - len(self.labels)
        if more <= 0:
            return self
        weights = np.insert(self.weights, [len(self.labels)] * more, 0, axis=1)
        return replace(self, labels=tuple(map(str, range(width))), weights=weights)


def individual(votes: Votes) -> Ballots:
    """Every judgment weighs one: an item with five judgments has a row that sums to five.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> individual(votes).weights.tolist()
    [[2.0, 0.0, 0.0], [1.0, 1.0, 0.0]]
    """
    counts = votes.counts.astype(np.float64)
    return Ballots(votes.items, votes.labels, np.hstack([counts, np.zeros((len(counts), 1))]), votes.names)


def answers(given: Mapping[str, str | None], *, items: Sequence[str], labels: Sequence[str] | None) -> Ballots:
    """One answer per item, as a model gives them; `labels` are those of a closed list, None for open answers.

    None is "no usable answer": it is scored, and wrong. An item absent from `given` is not scored. An item outside
    `items` or a label outside `labels` is refused.

    Args:
        items (N,): The items that can be answered.
        labels (K,): The labels of a closed list.

    >>> answers({"q1": "b", "q2": None}, items=["q1", "q2", "q3"], labels=["a", "b"]).weights.tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    columns = ("0",) if labels is None else tuple(labels)
    place, row_of = _places(columns), _places(items)
    weights = np.zeros((len(items), len(columns) + 1))
    names: list[tuple[str, ...]] = [()] * len(items)
    for item, label in given.items():
        if item not in row_of:
            raise BadSetting(f"The item {item!r} was answered but is not among the {len(row_of)} items to score.")
        if label is not None:
            names[row_of[item]] = (label,)
        column = len(columns) if label is None else 0 if labels is None else _place(label, place)
        weights[row_of[item], column] = 1
    return Ballots(tuple(items), columns, weights, None if labels is not None else tuple(names))


def ballots_of_codes(votes: Votes, rows: Integers, codes: Integers) -> Ballots:
    """One answer per item over the closed list of `votes`: `codes` of labels at these rows, below zero "no answer"."""
    weights = np.zeros((len(votes.items), len(votes.labels) + 1))
    weights[rows, np.where(codes < 0, len(votes.labels), codes)] = 1
    return Ballots(votes.items, votes.labels, weights)


def _places(names: Sequence[str]) -> dict[str, int]:
    return dict(zip(names, range(len(names)), strict=True))


def _place(label: str, places: Mapping[str, int]) -> int:
    if label not in places:
        known = ", ".join(map(repr, list(places)[:20]))
        raise BadSetting(f"The label {label!r} is not one of the labels: {known}.")
    return places[label]
