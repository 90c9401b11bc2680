"""What a metric is computed from: the sums over items that its value, its bootstrap and its paired tests all need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from data.errors import BadSetting
from eval.arrays import Codes, Floats, Integers, Mask, distinct, row_sums
from eval.ballots import Ballots
from eval.gold import Gold, column_of
from eval.intervals.clusters import Clusters, cluster_codes
from eval.metrics.accuracy import accuracy
from eval.metrics.metric import Metric
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class LabelHistogram:
    """C distinct combinations of the gold label with the ballots of R respondents.

    `gold` is (C,), `ballots` (C, R, K + 1), `multiplicity` (C,): the number of items in each cell. Items in one cell
    are exchangeable. `graded` says that a single answer may be worth a part. The cells are in lexicographic order, so
    the order of the items never matters. `place` (N,) is the cell of each item of the first respondent, -1 where it
    does not count.
    """

    gold: Integers
    ballots: Floats
    multiplicity: Integers
    place: Integers
    of: Callable[[Floats], Floats] = accuracy
    graded: bool = False

    @cached_property
    def as_one_each(self) -> bool:
        """Whether the answers to each item count as one: as many to every item, all right or all wrong where several.

        For histograms of means, whose first label is the right one.
        """
        sizes = self.ballots.sum(axis=2)
        if np.isclose(sizes, 1).all():
            return True
        share = (self.ballots[:, :, 0] / sizes).round(9)
        return bool((np.ptp(sizes, axis=0) < 1e-9).all() and np.isin(share, (0, 1)).all())

    @cached_property
    def answers(self) -> Floats:
        """The number of answers of each respondent (R,)."""
        return np.asarray(self.multiplicity @ self.ballots.sum(axis=2))

    @property
    def width(self) -> int:
        """How many numbers one confusion matrix holds."""
        labels = self.ballots.shape[2]
        return int(labels * (labels - 1))

    @property
    def adds(self) -> Mask:
        """True throughout: every item is a cell of the confusion."""
        return np.ones(len(self.gold), dtype=bool)

    @property
    def differs(self) -> Mask:
        """Whether an answer of the first respondent to the items of each kind (C,) counts other than the second's."""
        one, other = (self.ballots[:, r] / self.ballots[:, r].sum(axis=1, keepdims=True) for r in (0, 1))
        return np.asarray((np.abs(one - other) > 1e-9).any(axis=1))

    def totals(self, respondent: int, multiplicities: Integers, /) -> Floats:
        """Gold by given of one respondent, (B, K, K + 1), for multiplicities (B, C) of the cells.

        A tie that is shared out enters with its fractions.
        """
        ballots = self.ballots[:, respondent]
        labels = ballots.shape[1] - 1
        result = np.zeros((len(multiplicities), labels, labels + 1))
        for gold in np.unique(self.gold):
            chosen = self.gold == gold
            result[:, gold] = multiplicities[:, chosen].astype(np.float64) @ ballots[chosen]
        return result


def label_histogram(gold: Mapping[str, str], *respondents: Ballots, means: bool = False) -> LabelHistogram:
    """The cells of the items that have gold and are scored for every respondent.

    With `means` the labels are reduced to one, "the right one", and wrong answers to "no answer" (K = 1): for a mean
    over answers nothing else matters, and the cells are far fewer.
    """
    items = respondents[0].items
    known = column_of(gold, items)
    labels = sorted({*known.labels}.union(*(each.labels for each in respondents)))
    # No gold has the code -1, which takes the last place.
    place = np.array([*map(labels.index, known.labels), -1], dtype=np.int32)
    codes = place[known.codes]
    aligned = [ballots.on(items).over(labels) for ballots in respondents]
    both = np.logical_and.reduce([codes >= 0, *(ballots.scored for ballots in aligned)])
    # Most studies know the gold of every item, and everybody answers all: then there is nothing to leave out.
    answered = codes if both.all() else codes[both]
    weights = [ballots.weights if both.all() else ballots.weights[both] for ballots in aligned]
    if means:
        return histogram(np.zeros_like(answered), [_gold_and_other(answered, weight) for weight in weights], both)
    return histogram(answered, weights, both)


def confusion_of(gold: Mapping[str, str], said: Ballots) -> Floats:
    """Gold by given (K, K + 1) over the items that have gold, "no answer" last; shared-out ties by their fractions."""
    known = column_of(gold, said.items)
    labels = sorted({*known.labels, *said.labels})
    place = np.array([*map(labels.index, known.labels), 0], dtype=np.int32)
    weights = said.over(labels).weights * (known.codes >= 0)[:, None]
    columns = [np.bincount(place[known.codes], weights=column, minlength=len(labels)) for column in weights.T]
    return np.stack(columns, axis=1)


def _gold_and_other(gold: Codes, weights: Floats) -> Floats:
    """How much of each row goes to the gold label and how much elsewhere, N x 2."""
    right = weights[np.arange(len(gold)), gold]
    wrong = row_sums(weights) - right
    # Three thirds that are all wrong must be the whole number one, not a hair less.
    near = np.rint(wrong)
    return np.stack([right, np.where(np.abs(wrong - near) < 1e-9, near, wrong)], axis=1)


def histogram(gold: Codes, weights: list[Floats], counting: Mask) -> LabelHistogram:
    """The cells of the M items that count: their gold, each respondent's weights (M, K + 1), and which of N."""
    kinds = distinct(np.hstack([gold[:, None].astype(np.float64), *weights]))
    shape = len(kinds.rows), len(weights), weights[0].shape[1]
    place = np.full(len(counting), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    return LabelHistogram(
        kinds.rows[:, 0].astype(np.int64), kinds.rows[:, 1:].reshape(shape), kinds.multiplicity, place
    )


@dataclass(frozen=True, eq=False, repr=False)
class MetricSums:
    """C distinct rows of what the answers of R respondents to an item add up to; the words are `LabelHistogram`'s.

    `rows` is (C, R, S), `sizes` (C, R) the number of answers. A tie that is shared out enters with the mean of the sums
    of its level answers, so a metric that is no mean is that of expected sums, not an expected metric.
    """

    rows: Floats
    sizes: Floats
    multiplicity: Integers
    place: Integers
    of: Callable[[Floats], Floats]

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

    def totals(self, respondent: int, multiplicities: Integers, /) -> Floats:
        """The sums (B, S) of one respondent for multiplicities (B, C)."""
        return np.asarray(multiplicities.astype(np.float64) @ self.rows[:, respondent])


Tally = LabelHistogram | MetricSums
"""What a metric of R respondents is computed from: C kinds of exchangeable items, and numbers that add up."""


def tally(metric: Metric, gold: Mapping[str, str], *respondents: Ballots, clusters: Clusters | None = None) -> Tally:
    """What the metric of these respondents is computed from, over the items with gold that all of them have scored.

    Labels of a closed list are counted where the metric is read off a confusion. Else every answer is worth its sums:
    a mean becomes cells of credit and its loss, as right and wrong are, any other metric rows of sums.
    """
    if on_labels(metric, *respondents):
        return replace(label_histogram(gold, *respondents, means=metric.is_mean), of=metric.confusion)
    known = checked_gold(metric, gold)
    items = respondents[0].items
    aligned = [each.on(items) for each in respondents]
    both = np.array([item in gold for item in items], dtype=bool)
    for each in aligned:
        both = both & each.scored
    if metric.full_cluster is not None:
        both = in_whole_clusters(metric, known, items, both, clusters)
    strays: tuple[str, ...] = ()
    if metric.reads is not None:
        both, strays = readable_items(metric, known, aligned, both)
    rows = np.flatnonzero(both)
    totals, parts = zip(*(worth(metric, known, each, rows, strays) for each in aligned), strict=True)
    if metric.each_cluster:
        totals = tuple(equal_clusters(metric, each, [items[row] for row in rows.tolist()], clusters) for each in totals)
    if metric.is_mean:
        return _of_credits(totals, any(parts), both)
    sizes = [each.weights[rows].sum(axis=1) for each in aligned]
    return _of_sums(metric, totals, sizes, both)


def on_labels(metric: Metric, *respondents: Ballots) -> bool:
    """Whether the metric of these respondents is read off labels of a closed list."""
    return metric.of_confusion is not None and all(each.names is None for each in respondents)


def checked_gold(metric: Metric, gold: Mapping[str, str]) -> Gold:
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
            gold.answer_sums(
                metric,
                said.items[rows[row]],
                None if label == last else names[row][label],
                text=wrote[rows[row]] if wrote else None,
                strays=strays,
            )
            for row, label in zip(place.tolist(), column.tolist(), strict=True)
        ]
    ).reshape(len(place), -1)
    parts = sums * weights[place, column][:, None]
    total = np.stack([np.bincount(place, weights=part, minlength=len(rows)) for part in parts.T], axis=1)
    # Rounded, so that equal sums that were added up in another order stay equal.
    return np.asarray(total.round(12)), bool((sums[:, 0] % 1).any())


def _of_credits(credits_of: Sequence[Floats], graded: bool, counting: Mask) -> LabelHistogram:
    """A histogram of one label: the credit goes to it, what is left of the answers elsewhere."""
    weights = [np.stack([each[:, 0], (each[:, 1] - each[:, 0]).round(12)], axis=1) for each in credits_of]
    made = histogram(np.zeros(int(counting.sum()), dtype=np.int32), weights, counting)
    return replace(made, graded=graded)


def _of_sums(metric: Metric, answer_sums: Sequence[Floats], sizes: Sequence[Floats], counting: Mask) -> MetricSums:
    kinds = distinct(np.hstack([np.stack(sizes, axis=1), *answer_sums]))
    respondents = len(answer_sums)
    place = np.full(len(counting), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    rows = kinds.rows[:, respondents:].reshape(len(kinds.rows), respondents, answer_sums[0].shape[1])
    return MetricSums(rows, kinds.rows[:, :respondents], kinds.multiplicity, place, metric.sums)


def in_whole_clusters(
    metric: Metric, gold: Gold, items: tuple[str, ...], counting: Mask, clusters: Clusters | None
) -> Mask:
    """The items that count and whose cluster is complete: worth `metric.full_cluster` together."""
    rows = np.flatnonzero(counting)
    place = cluster_codes([items[row] for row in rows.tolist()], _needed(metric, clusters))
    most = [gold.answer_sums(metric, items[row], None)[-1] for row in rows.tolist()]
    full = (
        np.isclose(np.bincount(place, weights=most), metric.full_cluster or 0.0)
        if len(rows)
        else np.zeros(0, dtype=bool)
    )
    counted = counting.copy()
    counted[rows] = full[place]
    return counted


def equal_clusters(metric: Metric, sums: Floats, items: Sequence[str], clusters: Clusters | None) -> Floats:
    """The sums (M, S) of M items over what their clusters are worth at most, so that every cluster weighs the same."""
    place = cluster_codes(items, _needed(metric, clusters))
    most = np.bincount(place, weights=sums[:, -1], minlength=1)
    return np.asarray((sums / most[place][:, None]).round(12))


def _needed(metric: Metric, clusters: Clusters | None) -> Clusters:
    """The clusters; refused where none are named."""
    if clusters is None:
        raise BadSetting(
            f"The metric {metric.name!r} is one of whole clusters (exams, passages); name the field that binds items."
        )
    return clusters


def readable_items(
    metric: Metric, gold: Gold, respondents: Sequence[Ballots], counting: Mask
) -> tuple[Mask, tuple[str, ...]]:
    """Of the items that count (N,), those where every respondent's reply can be read; and the stray labels in these.

    An item without any reply is not read: the script never sees it. Answers whose text is not known can be read.
    """
    counted, met = counting.copy(), set[str]()
    for said in respondents:
        counted &= said.weights[:, :-1].any(axis=1) | _written(said)
        labels = {row: _label(metric, gold, said, row) for row in np.flatnonzero(counted & _written(said)).tolist()}
        counted[[row for row, label in labels.items() if label is None]] = False
        met |= {label for label in labels.values() if label is not None}
    known = gold.classes(metric, next(iter(gold))) if met else ()
    return counted, tuple(sorted(met.difference(known)))


def _written(said: Ballots) -> Mask:
    """Whether the text of each item (N,) is known."""
    return np.array([text is not None for text in said.texts or [None] * len(said.items)], dtype=bool)


def _label(metric: Metric, gold: Gold, said: Ballots, row: int) -> str | None:
    text = said.texts[row] if said.texts else None
    return None if text is None else gold.read(metric, said.items[row], text)


Answered = Votes | Ballots


def credit_of(metric: Metric, gold: Mapping[str, str], said: Answered) -> Floats:
    """The credit (N, K) of each answer that the columns of an item stand for, 0 for an item without gold.

    1 for the gold label and 0 for any other where answers come from a closed list and the metric is read off them.
    A metric that is no mean over answers is refused.
    """
    if not metric.is_mean:
        raise BadSetting(f"The metric {metric.name!r} is no mean over answers, so a single answer has no credit.")
    credit = np.zeros((len(said.items), len(said.labels)))
    if read_off_labels(metric, said):
        codes, known = gold_codes(gold, said)
        rows = np.flatnonzero(known & (codes >= 0))
        credit[rows, codes[rows]] = 1
        return credit
    asked = checked_gold(metric, gold)
    for row, item in enumerate(said.items):
        if item in asked:
            names = said.named(row)
            credit[row, : len(names)] = [asked.answer_sums(metric, item, name)[0] for name in names]
    return credit


def sums_of_answers(metric: Metric, gold: Mapping[str, str], said: Answered) -> Floats:
    """The sums (N, K + 1, S) of each answer of a metric of any answers, "no answer" last; zeros without gold."""
    asked = checked_gold(metric, gold)
    per_item: list[list[tuple[float, ...]]] = []
    for row, item in enumerate(said.items):
        names = said.named(row) if item in asked else ()
        per_item.append([asked.answer_sums(metric, item, name) for name in (*names, None)] if item in asked else [])
    size = max((len(sums) for each in per_item for sums in each), default=2)
    totals = np.zeros((len(said.items), len(said.labels) + 1, size))
    for row, each in enumerate(per_item):
        if each:
            totals[row, : len(each) - 1] = np.array(each[:-1]).reshape(-1, size)
            totals[row, -1] = each[-1]
    return totals


def gold_codes(gold: Mapping[str, str], said: Answered) -> tuple[Integers, Mask]:
    """The code of each item's gold label, (N,), -1 for none or for a label nobody could give; and which have gold.

    Of answers from a closed list only: an open answer may be right in several ways, so `credits` says which are.

    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> codes, known = gold_codes({"q1": "b"}, votes)
    >>> codes.tolist()[:3], known.tolist()[:3]
    ([-1, 1, -1], [False, True, False])
    """
    if said.names is not None:
        raise BadSetting("Open answers have no codes for gold; ask for their credits.")
    place = {label: position for position, label in enumerate(said.labels)}
    column = column_of(gold, said.items)
    # No gold has the code -1, which takes the last place.
    codes = np.array([*(place.get(label, -1) for label in column.labels), -1], dtype=np.int64)
    return codes[column.codes], column.codes >= 0


def read_off_labels(metric: Metric, said: Answered) -> bool:
    """Whether the metric is read off labels of a closed list."""
    return metric.of_confusion is not None and said.names is None
