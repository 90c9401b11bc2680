"""How far workers agree with each other: pairwise agreement, Krippendorff's alpha, Gwet's AC1, Fleiss' kappa."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import krippendorff
import numpy as np

from eval.alphas import Level, alphas, checked_level
from eval.arrays import Floats, Integers, distinct, number_or_none
from eval.coefficients import NO_INTERVALS, NOTHING, CoefficientIntervals, coefficient_intervals, coefficients_of
from eval.intervals import Interval, percentile
from eval.resampling import SINGLE_ITEMS, Resampling, blocks
from eval.votes import Votes

# The package builds several N x K x K arrays; past this many elements our own formula, equal to it, takes over.
_PACKAGE_ELEMENTS = 2**20


NO_PAIRS = "No item has two answers, so agreement is not defined."
NO_WIDTH = (
    "No two answers to an item differ, so the bootstrap intervals of alpha and of the other coefficients that allow "
    "for chance have no width."
)
COEFFICIENTS = ("alpha", "pairwise", "ac1", "fleiss", "similarity")


@dataclass(frozen=True)
class Agreement:
    """Coefficients of one set of votes; `fleiss` is None where overlap varies, `notes` explains special values.

    `distance` says how alpha compares answers: the level of a closed list, or a name of `eval.distances`. `similarity`
    is the mean of 1 - that distance over pairs of open answers, NaN for a closed list. `intervals` are those of the
    other coefficients; all of them are 95% and resample `unit`s. `fleiss_why` says why Fleiss' kappa is not there.
    Where the intervals hold for other people too (`eval.people_agreement`) `over_items` are, by the names of
    COEFFICIENTS, the narrower ones over items alone, else nothing.
    """

    pairwise: float
    alpha: float
    alpha_ci: Interval
    ac1: float
    fleiss: float | None
    notes: tuple[str, ...]
    distance: str = "nominal"
    similarity: float = float("nan")
    unit: str = "item"
    intervals: CoefficientIntervals = NO_INTERVALS
    similarity_ci: Interval = NOTHING
    fleiss_why: str = ""
    over_items: Mapping[str, Interval] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The coefficients as they stand in JSON; NaN becomes None, notes are not included."""
        shown: dict[str, object] = {
            "pairwise": number_or_none(self.pairwise),
            "alpha": number_or_none(self.alpha),
            "alpha_ci": _ends(self.alpha_ci),
            "ac1": number_or_none(self.ac1),
            "fleiss": None if self.fleiss is None else number_or_none(self.fleiss),
            "distance": self.distance,
            "similarity": number_or_none(self.similarity),
            "unit": self.unit,
            "pairwise_ci": _ends(self.intervals.pairwise),
            "ac1_ci": _ends(self.intervals.ac1),
            "fleiss_ci": _ends(self.intervals.fleiss),
            "similarity_ci": _ends(self.similarity_ci),
        }
        return shown | {f"{name}_ci_items": _ends(narrower) for name, narrower in self.over_items.items()}

    @property
    def cis(self) -> dict[str, Interval]:
        """The interval of each of COEFFICIENTS."""
        others = self.intervals
        found = self.alpha_ci, others.pairwise, others.ac1, others.fleiss, self.similarity_ci
        return dict(zip(COEFFICIENTS, found, strict=True))


def agreement(
    counts: Integers,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    items: Sequence[str] = (),
) -> Agreement:
    """All coefficients of N x K counts, K being the labels that could be given (AC1 depends on it).

    Alpha is that of `level` (see `alpha`); the others take labels for equal or not. The `items` (N,) are needed where
    `resampling` is of clusters.
    """
    value = alpha(counts, level=level, values=values)
    others = coefficient_intervals(counts, resampling, items=items)
    why = why_no_fleiss(counts)
    return Agreement(
        pairwise=pairwise(counts),
        alpha=value,
        alpha_ci=alpha_interval(counts, resampling, level=level, values=values, items=items),
        ac1=ac1(counts),
        fleiss=fleiss(counts),
        notes=_notes(counts, value),
        distance=level,
        unit=resampling.unit,
        intervals=replace(others, fleiss=NOTHING) if why else others,
        fleiss_why=why,
    )


def coefficient_figures(level: Level, values: Sequence[float] | None = None) -> Callable[[Votes], dict[str, float]]:
    """What computes COEFFICIENTS of a closed list, without similarity, out of votes; the words are those of `alpha`."""
    numbers = None if values is None else np.array(values, dtype=np.float64)

    def figures(votes: Votes) -> dict[str, float]:
        kinds = distinct(_paired(votes.counts))
        if not len(kinds.rows):
            return dict.fromkeys(COEFFICIENTS[:-1], float("nan"))
        value = float(alphas(kinds.rows, kinds.multiplicity[None], level=level, values=numbers)[0])
        return dict(zip(COEFFICIENTS, (value, *coefficients_of(votes.counts).tolist()), strict=False))

    return figures


def pairwise(counts: Integers) -> float:
    """Mean over items with two answers or more of the share of equal pairs of answers, 0 to 1; NaN without items."""
    paired = _paired(counts)
    return float(pair_shares(paired).mean()) if len(paired) else float("nan")


def pair_shares(paired: Integers) -> Floats:
    """The share of equal pairs of answers to each of these items with two answers or more, (M,)."""
    size = paired.sum(axis=1)
    return np.asarray((paired * (paired - 1)).sum(axis=1) / (size * (size - 1)))


def alpha(counts: Integers, *, level: Level = "nominal", values: Sequence[float] | None = None) -> float:
    """Krippendorff's alpha, at most 1; 0 is what chance gives.

    `level` is one of `eval.alphas.LEVELS`: "nominal"; "ordinal", the columns standing in order; "interval", `values`
    (K,) being the labels' numbers. Items with fewer than two answers are skipped. 1.0 by convention where all answers
    are equal, NaN where no item has two answers. Computed by the `krippendorff` package, or by the equal formula of
    `alpha_interval` where the package would need large arrays for it.
    """
    numbers = checked_level(counts, level, values)
    paired = _paired(counts)
    used = paired.any(axis=0)
    paired = paired[:, used]
    if not len(paired):
        return float("nan")
    if paired.shape[1] == 1:
        return 1.0
    domain = None if numbers is None else numbers[used]
    if paired.size * paired.shape[1] > _PACKAGE_ELEMENTS:
        found = distinct(paired)
        return float(alphas(found.rows, found.multiplicity[None], level=level, values=domain)[0])
    return float(krippendorff.alpha(value_counts=paired, value_domain=domain, level_of_measurement=level))


def alpha_interval(
    counts: Integers,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    items: Sequence[str] = (),
) -> Interval:
    """The 95% percentile bootstrap of alpha over items with at least two answers; (NaN, NaN) without such items.

    The `items` (N,) are needed where `resampling` is of clusters.

    The expected disagreement (and, for ordinal labels, the distance between them) is computed anew in every sample. Of
    width zero where no two answers differ.
    """
    numbers = checked_level(counts, level, values)
    several = counts.sum(axis=1) > 1
    found = distinct(counts[several])
    place = np.full(len(counts), -1, dtype=np.int64)
    place[several] = found.inverse

    def statistic(multiplicities: Integers) -> Floats:
        return alphas(found.rows, multiplicities, level=level, values=numbers)

    width = counts.shape[1] * (1 if level == "nominal" else counts.shape[1])
    return percentile(blocks(place, found.multiplicity, items, resampling).resample(statistic, width=width))


def ac1(counts: Integers) -> float:
    """Gwet's AC1 (2008), at most 1, stable where one label dominates; K is the number of columns.

    (P_a - P_e) / (1 - P_e): P_a is the pairwise agreement over items with at least two answers, P_e the sum of
    p (1 - p) over labels divided by K - 1, with p the mean over answered items of a label's share. NaN for fewer than
    two labels or where no item has two answers.
    """
    answered = counts[counts.any(axis=1)]
    if counts.shape[1] < 2 or not len(_paired(counts)):
        return float("nan")
    share = (answered / answered.sum(axis=1, keepdims=True)).mean(axis=0)
    expected = float((share * (1 - share)).sum()) / (counts.shape[1] - 1)
    return float((pairwise(counts) - expected) / (1 - expected))


def fleiss(counts: Integers) -> float | None:
    """Fleiss' kappa (1971), at most 1; items without answers are skipped.

    None unless all items have the same number of answers, two or more; NaN where all answers are equal.
    """
    answered = counts[counts.any(axis=1)]
    sizes = answered.sum(axis=1)
    if not len(sizes) or sizes[0] < 2 or (sizes != sizes[0]).any():
        return None
    share = answered.sum(axis=0) / answered.sum()
    expected = float((share**2).sum())
    if share.max() == 1:
        return float("nan")
    return (pairwise(answered) - expected) / (1 - expected)


def why_no_fleiss(counts: Integers) -> str:
    """Why these counts have no Fleiss' kappa, "" where they have one."""
    sizes = counts.sum(axis=1)
    sizes = sizes[sizes > 0]
    if not (sizes > 1).any():
        return "no item has two answers"
    if sizes.min() < sizes.max():
        return f"items have {sizes.min()} to {sizes.max()} answers, and it needs the same number for all"
    return "all answers are equal" if counts.any(axis=0).sum() == 1 else ""


def _ends(interval: Interval) -> list[float | None]:
    return [number_or_none(end) for end in interval]


def _paired(counts: Integers) -> Integers:
    return np.asarray(counts[counts.sum(axis=1) > 1])


def _notes(counts: Integers, value: float) -> tuple[str, ...]:
    if np.isnan(value):
        return (NO_PAIRS,)
    notes = []
    if _paired(counts).any(axis=0).sum() == 1:
        notes.append("All answers are equal: alpha is 1 by convention, and Fleiss' kappa is not defined.")
    elif value == 1:
        notes.append(NO_WIDTH)
    if counts.shape[1] < 2:
        notes.append("AC1 needs at least two labels.")
    return tuple(notes)
