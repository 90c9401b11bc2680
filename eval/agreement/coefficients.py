"""How far workers agree with each other: pairwise agreement, Krippendorff's alpha, Gwet's AC1, Fleiss' kappa."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from eval.agreement import equal_pairs
from eval.agreement.alpha import Level, alpha, alpha_interval, alphas
from eval.agreement.rare_labels import one_label_share, rare_labels_note
from eval.arrays import Floats, Integers, distinct, ends_or_none, number_or_none
from eval.estimate import UNDEFINED, Interval
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, SamplingUnits, above_chance_interval, sampling_units
from eval.intervals.jackknife import CountKinds
from eval.intervals.mean import mean_interval

NO_PAIRS = "No item has two answers, so agreement is not defined."
ALL_EQUAL = (
    "No two answers to an item differ, and no bootstrap sample changes that: intervals of alpha and of the other "
    "coefficients that allow for chance follow from Wilson's of the share of equal pairs, with chance as it is here."
)


@dataclass(frozen=True)
class AgreementCoefficient:
    """A coefficient of answers from a closed list: `key` names it in data, people read `title`.

    `of_totals` gives its values (B,) out of the sums of `item_sums` over the items of samples (B, 2 + K); `why_not`
    says of N x K counts why it is not defined, "" where it is.
    """

    key: str
    title: str
    of_totals: Callable[[Floats], Floats]
    why_not: Callable[[Integers], str] = lambda _: ""


CLOSED_LIST = (
    AgreementCoefficient("ac1", "Gwet's AC1", equal_pairs.ac1_of),
    AgreementCoefficient("fleiss", "Fleiss' kappa", equal_pairs.fleiss_of, equal_pairs.why_no_fleiss),
)
"""Coefficients of answers from a closed list, beside alpha and pairwise agreement: a new one is a file and a row."""
RESAMPLED = {"pairwise": equal_pairs.pairwise_of, **{each.key: each.of_totals for each in CLOSED_LIST}}
COEFFICIENTS = ("alpha", *RESAMPLED, "similarity")
NO_VALUES: Mapping[str, float | None] = dict.fromkeys(COEFFICIENTS)
NO_INTERVALS: Mapping[str, Interval] = dict.fromkeys(COEFFICIENTS, UNDEFINED)


@dataclass(frozen=True)
class Agreement:
    """Coefficients of one set of votes and their 95% intervals, both by the names of COEFFICIENTS.

    What is not defined is NaN or None, its interval (NaN, NaN); `why_not` says why by its name, `notes` explain special
    values. `distance` says how alpha compares answers: the level of a closed list, or a name of
    `eval.agreement.distances`. The similarity is the mean of 1 - that distance over pairs of open answers, NaN for a
    closed list. All intervals resample `unit`s. Where they hold for other people too
    (`eval.agreement.of_votes`) `over_items` are the narrower ones over items alone, else nothing.
    """

    values: Mapping[str, float | None]
    cis: Mapping[str, Interval]
    notes: tuple[str, ...]
    distance: str = "nominal"
    unit: str = "item"
    why_not: Mapping[str, str] = field(default_factory=dict)
    over_items: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def alpha(self) -> float:
        """Krippendorff's alpha."""
        return self._value("alpha")

    @property
    def alpha_ci(self) -> Interval:
        """Its interval."""
        return self.cis["alpha"]

    @property
    def pairwise(self) -> float:
        """The share of equal pairs of answers."""
        return self._value("pairwise")

    @property
    def similarity(self) -> float:
        """How like each other two open answers to an item are."""
        return self._value("similarity")

    def as_dict(self) -> dict[str, object]:
        """The coefficients as they stand in JSON; what is not defined becomes None, notes are not included."""
        value = {name: number_or_none(self._value(name)) for name in COEFFICIENTS}
        ends = {name: ends_or_none(ci) for name, ci in self.cis.items()}
        return {
            "pairwise": value["pairwise"],
            "alpha": value["alpha"],
            "alpha_ci": ends["alpha"],
            **{coefficient.key: value[coefficient.key] for coefficient in CLOSED_LIST},
            "distance": self.distance,
            "similarity": value["similarity"],
            "unit": self.unit,
            **{f"{name}_ci": ends[name] for name in COEFFICIENTS if name != "alpha"},
            **{f"{name}_ci_items": ends_or_none(narrower) for name, narrower in self.over_items.items()},
        }

    def _value(self, name: str) -> float:
        value = self.values[name]
        return float("nan") if value is None else value


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
    kinds = distinct(counts)
    why = {coefficient.key: said for coefficient in CLOSED_LIST if (said := coefficient.why_not(kinds.rows))}
    cis = {
        "alpha": alpha_interval(counts, resampling, level=level, values=values, items=items),
        **coefficient_intervals(counts, resampling, items=items),
        **dict.fromkeys(why, UNDEFINED),
    }
    figures = coefficient_figures((kinds.rows, kinds.multiplicity), level, values)
    value = alpha(counts, level=level, values=values)
    return Agreement(
        values={**NO_VALUES, **figures, "alpha": value, **dict.fromkeys(why)},
        cis={**NO_INTERVALS, **cis},
        notes=_notes(kinds.rows, value) + rare_labels_note(one_label_share(counts, resampling, items), resampling.unit),
        distance=level,
        unit=resampling.unit,
        why_not=why,
    )


def coefficient_intervals(
    counts: Integers, resampling: Resampling = SINGLE_ITEMS, *, items: Sequence[str] = ()
) -> dict[str, Interval]:
    """Percentile bootstraps of N x K counts over answered items, or over clusters of the `items` (N,), by RESAMPLED.

    Samples in which no item has two answers are left out. Pairwise agreement has
    that of a mean (`eval.intervals.mean`); where no pair differs see `eval.intervals.clusters`.
    """
    answered = counts.any(axis=1)
    kinds = distinct(counts[answered])
    place = np.full(len(counts), -1, dtype=np.int64)
    place[answered] = kinds.inverse
    resampled = sampling_units(place, kinds.multiplicity, items, resampling)
    if resampled.number < 2 or not (kinds.rows.sum(axis=1) > 1).any():
        return dict.fromkeys(RESAMPLED, UNDEFINED)
    pair_sums = equal_pairs.item_sums(kinds.rows)
    samples = resampled.resample(
        lambda times: _resampled(times.astype(np.float64) @ pair_sums), width=pair_sums.shape[1]
    )
    pairs = pair_sums[:, :2] if resampled.rows is None else resampled.rows @ pair_sums[:, :2]
    equal = mean_interval(pairs[:, 0], pairs[:, 1], resampled.multiplicity)
    total = kinds.multiplicity @ pair_sums
    others = {
        coefficient.key: _beyond_chance(coefficient, samples[:, place], total, resampled)
        for place, coefficient in enumerate(CLOSED_LIST, start=1)
    }
    return {"pairwise": equal, **others}


def _beyond_chance(coefficient: AgreementCoefficient, samples: Floats, total: Floats, units: SamplingUnits) -> Interval:
    """The interval of a coefficient; were no pair equal, it would be -chance / (1 - chance)."""
    none_equal = np.concatenate([[0.0], total[1:]])
    value, least = coefficient.of_totals(np.stack([total, none_equal])).tolist()
    return above_chance_interval(samples, value, least / (least - 1) if least <= 0 else float("nan"), units)


def _resampled(totals: Floats) -> Floats:
    """The coefficients of RESAMPLED, a column each, of the sums of `item_sums` over the items of samples (B, 2 + K)."""
    return np.stack([of(totals) for of in RESAMPLED.values()], axis=1)


def coefficient_figures(
    kinds: CountKinds, level: Level = "nominal", values: Sequence[float] | None = None
) -> dict[str, float]:
    """COEFFICIENTS of a closed list, without similarity, of kinds of items; the other words are those of `alpha`."""
    rows, times = kinds
    paired, answered = rows.sum(axis=1) > 1, rows.any(axis=1)
    if not times[paired].any():
        return dict.fromkeys(COEFFICIENTS[:-1], float("nan"))
    numbers = None if values is None else np.array(values, dtype=np.float64)
    value = float(alphas(rows[paired], times[None, paired], level=level, values=numbers)[0])
    others = _resampled(times[None, answered].astype(np.float64) @ equal_pairs.item_sums(rows[answered]))
    return {"alpha": value, **dict(zip(RESAMPLED, others[0].tolist(), strict=True))}


def _notes(counts: Integers, value: float) -> tuple[str, ...]:
    if np.isnan(value):
        return (NO_PAIRS,)
    notes = []
    if equal_pairs.paired_counts(counts).any(axis=0).sum() == 1:
        notes.append(
            "All answers are equal: alpha is 1 by convention, without an interval, and Fleiss' kappa is not defined."
        )
    elif value == 1:
        notes.append(ALL_EQUAL)
    if counts.shape[1] < 2:
        notes.append("AC1 needs at least two labels.")
    return tuple(notes)
