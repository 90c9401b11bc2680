"""How far people agree, by what their answers are: labels of a closed list, points of a scale, or open answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sparse

from data.answers.answer_type import AnswerType
from eval.agreement.alpha import beyond_chance, checked_name
from eval.agreement.coefficients import (
    ALL_EQUAL,
    NO_INTERVALS,
    NO_PAIRS,
    NO_VALUES,
    Agreement,
    agreement,
    coefficient_figures,
)
from eval.agreement.distances import distance_matrix, mean_similarities, similarities_by_item
from eval.agreement.equal_pairs import pair_shares
from eval.arrays import Floats, Integers
from eval.estimate import UNDEFINED, Interval
from eval.gold import TaskItems
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, above_chance_interval, equal_by_chance, sampling_units
from eval.intervals.jackknife import kinds_without_each, why_these_people, wider_interval, without_each
from eval.intervals.mean import ratio_interval
from eval.votes import Votes, asked_of

# The distances of so many answers to each other take seconds; equal or not needs none.
_MOST_ANSWERS = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Pooled:
    """The answers to the items with two or more: `counts` is items x forms, `apart` (M,) what an item disagrees on.

    `distances` (G, G) are those of the forms, None where two forms are equal or not. `rows` are the items' rows.
    """

    rows: Integers
    counts: sparse.csr_array
    apart: Floats
    distances: Floats | None

    def alphas(self, times: Integers) -> Floats:
        """Krippendorff's alpha (B,) where the items occur as often as (B, M) says; 1 where no answers differ."""
        weights = times.astype(np.float64)
        labels = np.asarray((self.counts.T @ weights.T).T)
        total = labels.sum(axis=1)
        if self.distances is None:
            expected = (total**2 - (labels**2).sum(axis=1)) / (total - 1)
        else:
            expected = ((labels @ self.distances) * labels).sum(axis=1) / (total - 1)
        return beyond_chance(weights @ self.apart, expected)

    def alpha(self) -> float:
        """Alpha of the items as they are."""
        return float(self.alphas(np.ones((1, len(self.rows)), dtype=np.int64))[0])

    def alpha_interval(self, items: Sequence[str], resampling: Resampling) -> Interval:
        """The 95% interval of alpha over these items (M,), or clusters of them."""
        units = sampling_units(np.arange(len(items)), np.ones(len(items), dtype=np.int64), items, resampling)
        samples = units.resample(self.alphas, width=2 * self.counts.shape[1])
        chance = equal_by_chance(np.asarray(self.counts.sum(axis=0), dtype=np.float64))
        return above_chance_interval(samples, self.alpha(), chance, units)


@dataclass(frozen=True, eq=False, repr=False)
class DistinctAnswers:
    """The different answers to some items: `form` (M, K) is what a column of an item stands for, -1 for nothing.

    `rows` (M,) are the items' rows, `number` is how many forms there are, `distances` theirs, as in `Pooled`.
    """

    rows: Integers
    form: Integers
    number: int
    distances: Floats | None

    def pooled(self, counts: Integers) -> Pooled:
        """The answers to those of the items that have two or more among `counts` (N, K)."""
        several = counts[self.rows].sum(axis=1) > 1
        rows, mine = self.rows[several], counts[self.rows][several]
        row, column = np.nonzero(mine)
        place = row, self.form[several][row, column]
        given = sparse.csr_array(
            (mine[row, column].astype(np.float64), place), shape=(len(rows), self.number), dtype=np.float64
        )
        size = mine.sum(axis=1)
        if self.distances is None:
            return Pooled(rows, given, (size**2 - (mine**2).sum(axis=1)) / (size - 1), None)
        products: Any = given.multiply(given @ self.distances)
        apart = np.asarray(products.sum(axis=1))
        return Pooled(rows, given, apart / (size - 1), self.distances)


def open_agreement(votes: Votes, resampling: Resampling = SINGLE_ITEMS) -> Agreement:
    """The coefficients of open answers; AC1 and Fleiss' kappa, which need a list of labels, are not defined.

    Alpha takes the distance of the answer type as it is, not squared (Passonneau 2006), and chance from all answers to
    all items. Answers that fold to the same form are equal. Numbers are compared by their squared difference
    ("interval"), which has no similarity. `pairwise` is the share of equal pairs, `similarity` the
    mean of 1 - distance over pairs. Where there are more than 1,000 forms to compare, alpha is that of a seeded sample
    of the items, and a note says so.
    """
    distance = _distance(asked_of(votes).answer)
    paired = np.flatnonzero(votes.counts.sum(axis=1) > 1)
    if not len(paired):
        return Agreement(NO_VALUES, NO_INTERVALS, (NO_PAIRS,), distance, resampling.unit)
    rows = paired if distance == "exact" else _sampled(votes, paired, resampling.seed)
    pooled = _forms(votes, rows, distance).pooled(votes.counts)
    value, ci = pooled.alpha(), pooled.alpha_interval(votes.items_at(rows), resampling)
    equal = pair_shares(votes.counts[paired])
    alike = equal if distance == "exact" else mean_similarities(votes.counts, _alike(votes, distance))
    named = votes.items_at(paired)
    ends = [ratio_interval(each, np.ones(len(each)), resampling, items=named) for each in (equal, alike)]
    similarity = float(alike.mean()) if len(alike) else float("nan")
    return Agreement(
        values={**NO_VALUES, "alpha": value, "pairwise": float(equal.mean()), "similarity": similarity},
        cis={**NO_INTERVALS, "alpha": ci, "pairwise": ends[0], "similarity": ends[1]},
        notes=tuple(_notes(len(rows), len(paired), value)),
        distance=distance,
        unit=resampling.unit,
    )


def _notes(compared: int, paired: int, value: float) -> Iterator[str]:
    if compared < paired:
        yield (
            f"Alpha is computed on {compared} of the {paired} items with two answers, drawn at random: all of "
            "them have too many different answers to compare each with each."
        )
    if value == 1:
        yield ALL_EQUAL


def _distance(answer: AnswerType) -> str:
    """What tells answers apart: the distance that the type names, or the difference of numbers."""
    return "interval" if answer.level == "interval" else answer.distance


def _alike(votes: Votes, distance: str) -> dict[int, Floats]:
    """How like each other the answers to each item with two or more are; none for numbers, which only differ."""
    return {} if distance == "interval" else similarities_by_item(votes, asked_of(votes))


def open_figures(votes: Votes, seed: int = 0) -> Callable[[Votes], dict[str, float]]:
    """What computes alpha, pairwise agreement and similarity anew out of a part of these votes."""
    distance = _distance(asked_of(votes).answer)
    paired = np.flatnonzero(votes.counts.sum(axis=1) > 1)
    forms = _forms(votes, paired if distance == "exact" else _sampled(votes, paired, seed), distance)
    alike = {} if distance == "exact" else _alike(votes, distance)
    names = ("alpha", "pairwise", "similarity")

    def figures(rest: Votes) -> dict[str, float]:
        pooled = forms.pooled(rest.counts)
        again = rest.counts[rest.counts.sum(axis=1) > 1]
        if not len(again) or not len(pooled.rows):
            return dict.fromkeys(names, float("nan"))
        equal = float(pair_shares(again).mean())
        similar = float(mean_similarities(rest.counts, alike).mean()) if alike else equal
        return dict(zip(names, (pooled.alpha(), equal, similar), strict=True))

    return figures


def _sampled(votes: Votes, paired: Integers, seed: int) -> Integers:
    """The rows of items, in their order, that have at most so many different answers together."""
    asked = asked_of(votes)
    seen: set[str] = set()
    chosen: list[int] = []
    for row in np.random.default_rng(seed).permutation(paired).tolist():
        seen |= {asked.folded(votes.items[row], name) for name in votes.named(row)}
        if len(seen) > _MOST_ANSWERS and len(chosen) > 1:
            break
        chosen.append(row)
    return np.array(sorted(chosen), dtype=np.int64)


def _forms(votes: Votes, rows: Integers, distance: str) -> DistinctAnswers:
    asked = asked_of(votes)
    place: dict[str, int] = {}
    contents: list[Any] = []
    key = ["apart"]
    form = np.full((len(rows), votes.counts.shape[1]), -1, dtype=np.int64)
    for number, row in enumerate(rows.tolist()):
        item = votes.items[row]
        for column, name in enumerate(votes.named(row)):
            folded = asked.folded(item, name)
            if folded not in place:
                place[folded] = len(place)
                contents.append(asked.content(item, name))
                key += item, name
            form[number, column] = place[folded]
    if distance == "exact":
        return DistinctAnswers(rows, form, len(place), None)
    if distance == "interval":
        numbers = np.array(contents, dtype=np.float64)
        return DistinctAnswers(rows, form, len(place), (numbers[:, None] - numbers) ** 2)
    # Each to each is what costs most, and it is asked for under several rules and for several intervals.
    apart = asked.once(tuple(key), lambda: distance_matrix(contents, distance))
    return DistinctAnswers(rows, form, len(place), apart)


def agreement_of(
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    asked: TaskItems | None = None,
    level: str = "nominal",
    others: bool = False,
) -> Agreement:
    """The agreement of votes, as their answers are compared: open ones by a distance, a closed list at its level.

    That is the level of what was `asked`, or `level` where nothing is known of that.

    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> round(agreement_of(votes).alpha, 3)
    0.839
    """
    level = checked_name(level if asked is None or votes.names is not None else asked.answer.level)
    values = [float(label) for label in votes.labels] if level == "interval" else None
    if votes.names is not None:
        of_open = open_agreement(votes, resampling)
    else:
        of_open = agreement(votes.counts, resampling, level=level, values=values, items=votes.items)
    if of_open.distance in ("ordinal", "interval") and not np.isnan(of_open.alpha):
        of_open = replace(of_open, notes=(*of_open.notes, EQUAL_OR_NOT))
    if not others or np.isnan(of_open.alpha) or why_these_people(votes, resampling.clusters):
        return of_open
    if votes.names is None:
        without = [coefficient_figures(kinds, level, values) for kinds in kinds_without_each(votes)]
    else:
        without = list(map(open_figures(votes, resampling.seed), without_each(votes)))
    return wider_agreement(of_open, without)


EQUAL_OR_NOT = (
    "Answers are on a scale: alpha counts how far apart they are, all other coefficients (pairwise agreement, AC1, "
    "kappas) whether they are equal."
)
ALL_EQUAL_WITHOUT_ANY = (
    "Whoever is left out, all others still agree, so people add no width: intervals of agreement for other people are "
    "those over items (docs/statistics.md says how often they hold)."
)
SHARES = ("pairwise", "similarity")
"""Coefficients that are never below 0."""


def wider_agreement(agreement: Agreement, without: Sequence[Mapping[str, float]]) -> Agreement:
    """The agreement with wider intervals, given its figures `without` each group of people, named as in COEFFICIENTS.

    Whether there can be such intervals `why_these_people` says.
    """
    names = without[0] if without else ()
    wide = {name: _wide(agreement, name, np.array([each[name] for each in without])) for name in names}
    known = {name: ends for name, ends in wide.items() if not np.isnan(ends[0])}
    over_items = {name: agreement.cis[name] for name in known}
    notes = agreement.notes + (ALL_EQUAL_WITHOUT_ANY,) * (ALL_EQUAL in agreement.notes)
    return replace(agreement, cis={**agreement.cis, **known}, over_items=over_items, notes=notes)


def _wide(agreement: Agreement, name: str, without: Floats) -> Interval:
    value, low = agreement.values[name], 0.0 if name in SHARES else -1.0
    return UNDEFINED if value is None else wider_interval(value, agreement.cis[name], without, low=low, high=1)
