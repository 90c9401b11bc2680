"""Two assessors per item, in order: their confusion matrix, and which items enter a corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.errors import BadSetting
from eval.agreement.cohen_kappa import kappas
from eval.arrays import Integers, number_or_none


@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """Items that two assessors have judged.

    `first` and `second` lead from an item to the mark of its first and second assessor, over the same items.
    """

    labels: tuple[str, ...]
    first: Mapping[str, str]
    second: Mapping[str, str]

    def __post_init__(self) -> None:
        if alone := sorted(set(self.first) ^ set(self.second)):
            raise BadSetting(f"The item {alone[0]!r} has one mark; leave out items that two have not judged.")
        if unknown := sorted({*self.first.values(), *self.second.values()} - set(self.labels)):
            raise BadSetting(f"The mark {unknown[0]!r} is not one of {', '.join(map(repr, self.labels))}.")

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.first)

    @cached_property
    def matrix(self) -> Integers:
        """How many items have which pair of marks, K x K: the row is the first assessor's, the column the second's."""
        place = {label: position for position, label in enumerate(self.labels)}
        size = len(self.labels)
        keys = np.array([place[m] * size + place[self.second[item]] for item, m in self.first.items()], dtype=np.int64)
        return np.bincount(keys, minlength=size * size).reshape(size, size).astype(np.int64)

    def unanimous(self, label: str) -> tuple[str, ...]:
        """The items that both gave this mark, in their order."""
        return tuple(item for item, mark in self.first.items() if mark == label == self.second[item])

    def share(self, label: str) -> float:
        """The part of all items that both gave this mark; NaN without items."""
        return len(self.unanimous(label)) / self.n if self.n else float("nan")

    @property
    def kappa(self) -> float:
        """Cohen's kappa (1960), at most 1; NaN without items or where chance alone would agree on everything."""
        return float(kappas(self.matrix.astype(np.float64)))

    def as_dict(self) -> dict[str, object]:
        """The table as it stands in JSON, with the share of items that both marked alike, by label."""
        return {
            "n": self.n,
            "labels": list(self.labels),
            "matrix": self.matrix.tolist(),
            "unanimous": {label: number_or_none(self.share(label)) for label in self.labels},
            "kappa": number_or_none(self.kappa),
        }


@dataclass(frozen=True)
class Admission:
    """Which items enter the corpus: `positive` and `negative` ones, and the `rest`, which stays out."""

    positive: tuple[str, ...]
    negative: tuple[str, ...]
    rest: tuple[str, ...]


def assess(pairs: Mapping[str, Sequence[str]], labels: Sequence[str]) -> Assessment:
    """The assessment of items by their marks, first assessor first; an item without exactly two marks is refused.

    Args:
        pairs: First assessor first.
        labels (K,): The marks that can be given.

    >>> assess({"q1": ["0", "1"], "q2": ["1", "1"]}, ["0", "1"]).matrix.tolist()
    [[0, 1], [0, 1]]
    """
    if odd := [item for item, given in pairs.items() if len(given) != 2]:
        raise BadSetting(f"The item {odd[0]!r} has {len(pairs[odd[0]])} marks; this table needs exactly two of each.")
    first, second = ({item: given[place] for item, given in pairs.items()} for place in (0, 1))
    return Assessment(tuple(labels), first, second)


def admission(assessment: Assessment, *, positive: str = "1", negative: str = "0") -> Admission:
    """The rule of AGRR-2019: both say `positive`, and the item is a positive example; both `negative`, a negative one.

    Whatever else, one doubt of one assessor included, leaves the item out of the corpus.

    >>> marks = {"s1": ("1", "1"), "s2": ("1", "0"), "s3": ("0", "0")}
    >>> len(admission(assess(marks, labels=("0", "1"))).positive)
    1
    """
    for label in (positive, negative):
        if label not in assessment.labels:
            raise BadSetting(f"The mark {label!r} is not one of {', '.join(map(repr, assessment.labels))}.")
    both = assessment.unanimous(positive), assessment.unanimous(negative)
    admitted = {*both[0], *both[1]}
    return Admission(*both, tuple(item for item in assessment.first if item not in admitted))
