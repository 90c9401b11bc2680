"""The answers of one respondent, or of every person, beside what the other people said of the same items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.agreement.distances import similarities
from eval.arrays import Floats, Integers
from eval.ballots import Ballots
from eval.votes import Votes, asked_of

SCALE, OPEN, LABELS = "scale", "open", "labels"
EQUAL, KAPPA, RANKS, ERROR, SQUARED, SIMILAR = "equal", "kappa", "spearman", "mean_error", "rms_error", "similarity"


@dataclass(frozen=True)
class PeerMeasure:
    """What is measured of answers of one `kind`: the `scale` (K,) of a list, and its length, the `span`.

    Of numbers that anybody writes the span is how far apart people's are at most; a model's may lie further off.
    """

    kind: str
    closed: bool = True
    scale: tuple[float, ...] | None = None
    span: float = 1.0

    @property
    def limit(self) -> float:
        """How far apart two credits can be at most."""
        return float("inf") if self.kind == SCALE and not self.closed else 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """The figures that such answers have, the one to compare by first."""
        if self.kind == SCALE:
            return (ERROR, SQUARED, RANKS, EQUAL, *([KAPPA] if self.closed else []))
        return (SIMILAR, EQUAL) if self.kind == OPEN else (EQUAL, KAPPA)

    def range_of(self, name: str) -> tuple[float, float]:
        """What a figure can be at least and at most."""
        if name in (ERROR, SQUARED):
            return 0.0, self.span if self.closed else float("inf")
        return (-1.0, 1.0) if name in (KAPPA, RANKS) else (0.0, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class AnswerRows:
    """R answers to items of N that other people judged.

    `item` (R,) and `weight` (R,) are of which item an answer is and how often it was given. `same` and `like` (R, K)
    say of each answer that people may have given whether it is this one, and how like it is, 0 to 1; `own` (R,) is its
    column, -1 for none. `points` (N, K) and `point` (R,) are numbers where answers lie on a scale, NaN where they do
    not. Where `among` is true each answer stands among people's own, and is taken out of them.
    """

    item: Integers
    weight: Floats
    own: Integers
    same: Floats
    like: Floats
    points: Floats
    point: Floats
    among: bool
    measure: PeerMeasure

    def beside(self, counts: Integers) -> "BesidePeople":
        """The answers beside those of the people with these counts (N, K), where there is another person's."""
        others = counts[self.item] - self.same * self.among
        weight = counts[self.item, self.own].astype(np.float64) if self.among else self.weight
        rows = (others.sum(axis=1) > 0) & (weight > 0)
        parts = {name: getattr(self, name)[rows] for name in ("item", "own", "same", "like", "point")}
        return BesidePeople(**vars(self) | parts | {"weight": weight[rows], "others": others[rows]})


@dataclass(frozen=True, eq=False, repr=False)
class BesidePeople(AnswerRows):
    """The same with how often the `others` (R, K) gave each answer to the item."""

    others: Floats

    @property
    def plurality(self) -> Floats:
        """The others' one answer (R, K): 1 for what most of them gave, shared out where several are level."""
        top = self.others == self.others.max(axis=1, initial=0, keepdims=True)
        return np.asarray(top / top.sum(axis=1)[:, None])

    @property
    def equal(self) -> Floats:
        """How much of each answer (R,) is what most others gave."""
        return np.asarray((self.plurality * self.same).sum(axis=1))

    @property
    def similar(self) -> Floats:
        """How like the others' answers each is (R,), on average."""
        return np.asarray((self.others * self.like).sum(axis=1) / self.others.sum(axis=1))

    @property
    def mean(self) -> Floats:
        """The mean of the others' numbers (R,)."""
        points = np.nan_to_num(self.points[self.item])
        return np.asarray((self.others * points).sum(axis=1) / self.others.sum(axis=1))

    @property
    def distance(self) -> Floats:
        """How far each answer (R,) is from that mean; NaN without a number."""
        return np.asarray(np.abs(self.point - self.mean))

    @property
    def credit(self) -> Floats:
        """What an answer is worth (R,), 1 at most: equal, near on the scale, or like, by what is measured.

        Nearness is 1 less the distance in parts of the span, below 0 for numbers further off; without a number it is 0.
        """
        kind, span = self.measure.kind, self.measure.span
        if kind == LABELS:
            return self.equal
        if kind == OPEN:
            return self.similar
        return np.asarray(1 - np.nan_to_num(self.distance, nan=span) / (span or 1.0))


def measure_of(votes: Votes, scale: Sequence[float] | None = None) -> PeerMeasure:
    """What is measured of the answers of these votes.

    Args:
        scale (K,): The labels' numbers where a closed list is a scale.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1"], "worker": ["ann", "bob"], "label": ["1", "2"]})
    >>> measure_of(votes).names, measure_of(votes, (1.0, 2.0)).span
    (('equal', 'kappa'), 1.0)
    """
    if votes.names is None:
        return PeerMeasure(LABELS) if scale is None else PeerMeasure(SCALE, True, tuple(scale), max(scale) - min(scale))
    asked = asked_of(votes)
    if asked.answer.level != "interval":
        return PeerMeasure(OPEN, closed=False)
    given = [asked.content(item, name) for item, names in zip(votes.items, votes.names, strict=True) for name in names]
    return PeerMeasure(SCALE, False, None, float(max(given) - min(given)) if given else 1.0)


def single_rows(votes: Votes, said: Ballots, measure: PeerMeasure | None = None) -> AnswerRows:
    """The answers of a respondent who is not among the people of these votes.

    Args:
        said: Of the same items. Samples that are level are shared out; "no answer" agrees with nobody.

    >>> from eval.ballots import answers
    >>> from eval.votes import code
    >>> frame = {"item": ["q1"] * 3, "worker": ["ann", "bob", "eve"], "label": ["a", "a", "b"]}
    >>> votes = code(frame)
    >>> single_rows(votes, answers({"q1": "b"}, items=["q1"], labels=["a", "b"])).beside(votes.counts).equal.tolist()
    [0.0]
    """
    measure = measure or measure_of(votes)
    item, column = np.nonzero(said.weights)
    weight = said.weights[item, column]
    total = np.bincount(item, weights=weight, minlength=len(said.items))
    given = np.where(column == len(said.labels), -1, column)
    return _rows(votes, said, item, given, weight / total[item], measure)


def everybody(votes: Votes, measure: PeerMeasure | None = None) -> AnswerRows:
    """Every judgment beside those of the other people: the average person, who is left out of the others.

    >>> from eval.votes import code
    >>> frame = {"item": ["q1"] * 3, "worker": ["ann", "bob", "eve"], "label": ["a", "a", "b"]}
    >>> votes = code(frame)
    >>> everybody(votes).beside(votes.counts).equal.tolist()
    [0.5, 0.0]
    """
    measure = measure or measure_of(votes)
    item, column = np.nonzero(votes.counts)
    weight = votes.counts[item, column].astype(np.float64)
    return _rows(votes, votes, item, column, weight, measure)


def _rows(
    votes: Votes, said: Votes | Ballots, item: Integers, own: Integers, weight: Floats, measure: PeerMeasure
) -> AnswerRows:
    """The answers of which each is the column `own` (R,) of what was said to its item, below zero "no answer"."""
    among, width = said is votes, len(votes.labels)
    if votes.names is not None:
        places = zip(item.tolist(), own.tolist(), strict=True)
        names = [None if code < 0 else said.named(row)[code] for row, code in places]
        return _of_open_answers(votes, item, names, weight, measure, among=among)
    same = (own[:, None] == np.arange(width)).astype(np.float64)
    numbers = np.full(width, np.nan) if measure.scale is None else np.asarray(measure.scale)
    point = np.append(numbers, np.nan)[own]
    points = np.broadcast_to(numbers, (len(votes.items), width))
    return AnswerRows(item, weight, own, same, same, points, point, among, measure)


def _of_open_answers(
    votes: Votes, item: Integers, names: Sequence[str | None], weight: Floats, measure: PeerMeasure, *, among: bool
) -> AnswerRows:
    """Open answers: which of people's columns each is, and how like it the others are by the type's own distance."""
    asked, width = asked_of(votes), len(votes.labels)
    like, own = np.zeros((len(item), width)), np.full(len(item), -1, dtype=np.int64)
    numbers = measure.kind == SCALE
    points, point = np.full((len(votes.items), width), np.nan), np.full(len(item), np.nan)
    for place, (row, name) in enumerate(zip(item.tolist(), names, strict=True)):
        known, called = votes.named(row), votes.items[row]
        if numbers and known:
            points[row, : len(known)] = [asked.content(called, answer) for answer in known]
        if name is None:
            continue
        forms = {asked.folded(called, answer): code for code, answer in enumerate(known)}
        own[place] = forms.get(asked.folded(called, name), -1)
        if numbers:
            point[place] = asked.content(called, name)
        elif known:
            like[place, : len(known)] = similarities(asked, called, known, name)[:, 0]
    same = (own[:, None] == np.arange(width)).astype(np.float64)
    return AnswerRows(item, weight, own, same, same if numbers else like, points, point, among, measure)


def answers_of_each(votes: Votes, codes: Sequence[int]) -> Mapping[int, Ballots]:
    """The first answer of each of these persons to each item that they judged.

    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> sorted(answers_of_each(votes, [0, 1]))
    [0, 1]
    """
    order = np.argsort(votes.worker, kind="stable")
    answers = {}
    for code in codes:
        low, high = np.searchsorted(votes.worker[order], [code, code + 1])
        mine = order[low:high][::-1]
        weights = np.zeros((len(votes.items), len(votes.labels) + 1))
        first = dict(zip(votes.item[mine].tolist(), votes.label[mine].tolist(), strict=True))
        weights[list(first), list(first.values())] = 1
        answers[code] = Ballots(votes.items, votes.labels, weights, votes.names)
    return answers
