"""Metrics of any answers: each answer is worth numbers that add up, ties that are shared out worth their mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask, distinct
from eval.ballots import Ballots
from eval.gold import Gold
from eval.histogram import LabelHistogram, Tally, cells, histogram
from eval.metrics.metric import Metric
from eval.readable import readable
from eval.resampling import Clusters
from eval.whole_clusters import alike, in_whole_clusters


@dataclass(frozen=True, eq=False, repr=False)
class Sums:
    """C distinct rows of what the answers of R respondents to an item add up to; the words are those of `Tally`.

    `rows` is (C, R, S), `sizes` (C, R) the number of answers. A tie that is shared out enters with the mean of the sums
    of its level answers, so a metric that is no mean is that of expected sums, not an expected metric.
    """

    rows: Floats
    sizes: Floats
    multiplicity: Integers
    place: Integers
    of: Callable[[Floats], Floats]
    graded: bool = True

    @property
    def whole(self) -> Mask:
        """True throughout: nothing is drawn."""
        return np.ones(self.rows.shape[1], dtype=bool)

    @property
    def one_each(self) -> Mask:
        """Whether each respondent (R,) gives exactly one answer to every item."""
        return np.asarray(np.isclose(self.sizes, 1).all(axis=0))

    @property
    def answers(self) -> Floats:
        """The number of answers of each respondent (R,)."""
        return np.asarray(self.multiplicity @ self.sizes)

    @property
    def width(self) -> int:
        """How many numbers one total holds."""
        return int(self.rows.shape[2])

    @property
    def adds(self) -> Mask:
        """Whether the items of each kind (C,) add anything to the totals of the first respondent."""
        return np.asarray(self.rows[:, 0].any(axis=1))

    @property
    def differs(self) -> Mask:
        """Whether an answer of the first respondent to the items of each kind (C,) counts other than the second's."""
        one, other = (self.rows[:, r] / self.sizes[:, r, None] for r in (0, 1))
        return np.asarray((np.abs(one - other) > 1e-9).any(axis=1))

    def totals(
        self, respondent: int, multiplicities: Integers, _generator: np.random.Generator | None = None, /
    ) -> Floats:
        """The sums (B, S) of one respondent for multiplicities (B, C)."""
        return np.asarray(multiplicities.astype(np.float64) @ self.rows[:, respondent])


def tally(metric: Metric, gold: Mapping[str, str], *respondents: Ballots, clusters: Clusters | None = None) -> Tally:
    """What the metric of these respondents is computed from, over the items with gold that all of them have scored.

    Labels of a closed list are counted where the metric is read off a confusion. Else every answer is worth its sums:
    a mean becomes cells of credit and its loss, as right and wrong are, any other metric rows of sums.
    """
    if on_labels(metric, *respondents):
        return replace(cells(gold, *respondents, means=metric.is_mean), of=metric.confusion)
    known = knowing(metric, gold)
    items = respondents[0].items
    aligned = [each.on(items) for each in respondents]
    both = np.array([item in gold for item in items], dtype=bool)
    for each in aligned:
        both = both & each.scored
    if metric.whole is not None:
        both = in_whole_clusters(metric, known, items, both, clusters)
    strays: tuple[str, ...] = ()
    if metric.reads is not None:
        both, strays = readable(metric, known, aligned, both)
    rows = np.flatnonzero(both)
    found, parts = zip(*(worth(metric, known, each, rows, strays) for each in aligned), strict=True)
    if metric.each_cluster:
        found = tuple(alike(metric, each, [items[row] for row in rows.tolist()], clusters) for each in found)
    if metric.is_mean:
        return _of_credits(found, any(parts), both)
    sizes = [each.weights[rows].sum(axis=1) for each in aligned]
    return _of_sums(metric, found, sizes, both)


def on_labels(metric: Metric, *respondents: Ballots) -> bool:
    """Whether the metric of these respondents is read off labels of a closed list."""
    return metric.of_confusion is not None and all(each.names is None for each in respondents)


def knowing(metric: Metric, gold: Mapping[str, str]) -> Gold:
    """The gold with what was asked; refused where that is not known."""
    if not isinstance(gold, Gold):
        raise BadSetting(
            f"The metric {metric.name!r} needs the answer type and the fields of the items; give the gold as a `Gold`."
        )
    return gold


def worth(
    metric: Metric, gold: Gold, said: Ballots, rows: Integers, strays: tuple[str, ...] = ()
) -> tuple[Floats, bool]:
    """What the answers to the items of these rows add up to, (M, S), and whether one has a part of a credit."""
    weights = said.weights[rows]
    place, column = np.nonzero(weights)
    if not len(place):
        return np.zeros((len(rows), 2)), False
    names = [(*said.named(row), None) if said.names is None else said.named(row) for row in rows.tolist()]
    last = weights.shape[1] - 1
    wrote = said.texts if metric.written else None
    sums = np.array(
        [
            gold.sums(
                metric,
                said.items[rows[row]],
                None if one == last else names[row][one],
                text=wrote[rows[row]] if wrote else None,
                strays=strays,
            )
            for row, one in zip(place.tolist(), column.tolist(), strict=True)
        ]
    ).reshape(len(place), -1)
    parts = sums * weights[place, column][:, None]
    total = np.stack([np.bincount(place, weights=part, minlength=len(rows)) for part in parts.T], axis=1)
    # Rounded, so that equal sums that were added up in another order stay equal.
    return np.asarray(total.round(12)), bool((sums[:, 0] % 1).any())


def _of_credits(found: Sequence[Floats], graded: bool, counting: Mask) -> LabelHistogram:
    """A histogram of one label: the credit goes to it, what is left of the answers elsewhere."""
    weights = [np.stack([each[:, 0], (each[:, 1] - each[:, 0]).round(12)], axis=1) for each in found]
    made = histogram(np.zeros(int(counting.sum()), dtype=np.int32), weights, counting)
    return replace(made, graded=graded)


def _of_sums(metric: Metric, found: Sequence[Floats], sizes: Sequence[Floats], counting: Mask) -> Sums:
    kinds = distinct(np.hstack([np.stack(sizes, axis=1), *found]))
    respondents = len(found)
    place = np.full(len(counting), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    rows = kinds.rows[:, respondents:].reshape(len(kinds.rows), respondents, found[0].shape[1])
    return Sums(rows, kinds.rows[:, :respondents], kinds.multiplicity, place, metric.sums)
