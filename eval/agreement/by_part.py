"""Agreement inside composite answers: part by part of a form, element by element of marked text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sparse

from data.answers.spans import Spans
from eval.agreement.of_votes import Pooled
from eval.arrays import Floats, ends_or_none, number_or_none
from eval.estimate import UNDEFINED, Interval
from eval.gold import TaskItems
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.mean import ratio_interval
from eval.votes import Votes, asked_of

OUTSIDE = "0"
NOTHING = np.zeros(3)


@dataclass(frozen=True)
class PartAgreement:
    """Agreement on one part of a form or one element of marked text.

    `n` is the number of units with two answers or more: answers to the part (each option is one where several may be
    chosen), characters of the text, the place of a point. `pairwise` is the mean over them of the share of equal pairs,
    `alpha` Krippendorff's for labels that are equal or not, both with intervals that resample whole `unit`s.
    """

    name: str
    pairwise: float
    alpha: float
    alpha_ci: Interval
    n: int
    unit: str = "item"
    pairwise_ci: Interval = UNDEFINED

    def as_dict(self) -> dict[str, object]:
        """The row as it stands in JSON; NaN becomes None."""
        figures = {name: number_or_none(getattr(self, name)) for name in ("pairwise", "alpha")}
        return vars(self) | figures | {name: ends_or_none(getattr(self, name)) for name in ("alpha_ci", "pairwise_ci")}


@dataclass
class _Part:
    """What is counted of one part by item: its labels, and the `sums` (3,) of disagreement, units and equal pairs."""

    labels: dict[str, Counter[str]] = field(default_factory=dict)
    sums: dict[str, Floats] = field(default_factory=dict)

    def count(self, item: str, given: Mapping[str, int], times: int = 1) -> None:
        """Add a unit (or so many alike) with the number of judgments behind each of its labels."""
        size, squares = sum(given.values()), sum(n * n for n in given.values())
        if size < 2 or times < 1:
            return
        mine = self.labels.setdefault(item, Counter())
        for label, n in given.items():
            mine[label] += n * times
        apart, equal = (size * size - squares) / (size - 1), (squares - size) / (size * (size - 1))
        self.sums[item] = self.sums.get(item, NOTHING) + np.array([apart, 1.0, equal]) * times


def part_agreement(votes: Votes, resampling: Resampling = SINGLE_ITEMS) -> tuple[PartAgreement, ...]:
    """The agreement on each part of a form or element of spans, in their order; none for other answers.

    A part that does not apply after an earlier answer, or is left empty, is no answer to it: agreement is that of the
    people who answered it. A character that is not marked is outside, and so is one that nobody marked. Alpha is 1
    where all answers are equal; NaN, without an interval, where no unit has two answers.

    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> part_agreement(votes)  # labels have no parts
    ()
    """
    if votes.names is None:
        return ()
    parts = {name: _Part() for name in asked_of(votes).answer.part_names}
    if not parts:
        return ()
    for row in np.flatnonzero(votes.counts.sum(axis=1) > 1).tolist():
        names = votes.named(row)
        _count(parts, asked_of(votes), votes.items[row], dict(zip(names, votes.counts[row].tolist(), strict=False)))
    return tuple(_agreement(name, part, resampling) for name, part in parts.items())


def _count(parts: dict[str, _Part], asked: TaskItems, item: str, heads: Mapping[str, int]) -> None:
    answer, size = asked.of(item), sum(heads.values())
    units: dict[str, Counter[str]] = {}
    for name, number in heads.items():
        for unit, label in asked.units(item, asked.folded(item, name)).items():
            units.setdefault(unit, Counter())[label] += number
    marked: Counter[str] = Counter()
    for unit, given in units.items():
        part = parts[_part_of(unit)]
        if isinstance(answer, Spans) and ":" in unit:
            given[OUTSIDE] += size - given.total()
            marked[_part_of(unit)] += 1
        part.count(item, +given)
    if isinstance(answer, Spans):
        length = len(asked.fields_of(item)[answer.text_field])
        for name in (element.name for element in answer.elements if not element.point):
            parts[name].count(item, {OUTSIDE: size}, length - marked[name])


def _part_of(unit: str) -> str:
    """The part or element that a unit belongs to: "answers" of "0/answers/2", "cV" of "cV:17"."""
    pieces = unit.split("/")
    return (pieces[1] if len(pieces) > 1 and pieces[0].isdecimal() else pieces[0]).partition(":")[0]


def _agreement(name: str, part: _Part, resampling: Resampling) -> PartAgreement:
    unit, nothing, items = resampling.unit, float("nan"), sorted(part.labels)
    if not items:
        return PartAgreement(name, nothing, nothing, (nothing, nothing), 0, unit)
    place = {label: column for column, label in enumerate(sorted(set().union(*part.labels.values())))}
    cells = [(row, place[label], n) for row, item in enumerate(items) for label, n in part.labels[item].items()]
    row, column, number = np.array(cells, dtype=np.int64).T
    counts = sparse.csr_array((number.astype(np.float64), (row, column)), shape=(len(items), len(place)))
    apart, units, equal = np.array([part.sums[item] for item in items]).T
    pooled = Pooled(np.arange(len(items)), counts, apart, None)
    ends = ratio_interval(equal, units, resampling, items=items)
    alpha, alpha_ci = pooled.alpha(), pooled.alpha_interval(items, resampling)
    return PartAgreement(name, float(equal.sum() / units.sum()), alpha, alpha_ci, int(units.sum()), unit, ends)
