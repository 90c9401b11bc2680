"""What a metric is computed from: the sums over items that its value, its bootstrap and its paired tests all need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from data.errors import BadSetting
from eval.arrays import Codes, Floats, Integers, Mask, distinct, share_of
from eval.ballots import Ballots
from eval.gold import Gold, column_of
from eval.intervals.clusters import Clusters, cluster_codes
from eval.metrics.metric import Metric
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """What a metric of R respondents is computed from: C kinds of exchangeable items, and numbers that add up.

    `rows` (C, R, S) is what the answers to an item of each kind add up to, `sizes` (C, R) how many they are, and
    `multiplicity` (C,) how many items are of the kind; kinds are in lexicographic order, so the order of the items
    never matters. `place` (N,) is the kind of each item of the first respondent, -1 where it does not count. `of` makes
    values of the totals. A tie that is shared out enters with its fractions, so a metric that is no mean is that of
    expected sums, not an expected metric.

    Of a mean the two numbers of a row are the credit and what the answers lack of it; `graded` says that a single
    answer may be worth a part. Where a metric is read off a confusion, `gold` (C,) is the gold label of each kind, and
    its numbers are how often each of K labels was given, "no answer" last.
    """

    rows: Floats
    sizes: Floats
    multiplicity: Integers
    place: Integers
    of: Callable[[Floats], Floats]
    gold: Integers | None = None
    graded: bool = False

    @cached_property
    def as_one_each(self) -> bool:
        """Whether the answers to each item count as one: as many to every item, all right or all wrong where several.

        For means.
        """
        if np.isclose(self.sizes, 1).all():
            return True
        share = (self.rows[:, :, 0] / self.sizes).round(9)
        return bool((np.ptp(self.sizes, axis=0) < 1e-9).all() and np.isin(share, (0, 1)).all())

    @cached_property
    def answers(self) -> Floats:
        """The number of answers of each respondent (R,)."""
        return np.asarray(self.multiplicity @ self.sizes)

    @property
    def width(self) -> int:
        """How many numbers one total holds."""
        numbers = int(self.rows.shape[2])
        return numbers if self.gold is None else numbers * (numbers - 1)

    @property
    def adds(self) -> Mask:
        """Whether the items of each kind (C,) add anything to the totals of the first respondent."""
        return np.asarray(self.rows[:, 0].any(axis=1))

    @property
    def differs(self) -> Mask:
        """Whether an answer of the first respondent to the items of each kind (C,) counts other than the second's."""
        one, other = (self.rows[:, r] / self.sizes[:, r, None] for r in (0, 1))
        return np.asarray((np.abs(one - other) > 1e-9).any(axis=1))

    def totals(self, respondent: int, multiplicities: Integers | Floats, /) -> Floats:
        """The sums (B, S) of one respondent for multiplicities (B, C), or gold by given (B, K, K + 1)."""
        times, rows = multiplicities.astype(np.float64), self.rows[:, respondent]
        if self.gold is None:
            return np.asarray(times @ rows)
        labels = rows.shape[1] - 1
        result = np.zeros((len(times), labels, labels + 1))
        for gold in np.unique(self.gold):
            chosen = self.gold == gold
            result[:, gold] = times[:, chosen] @ rows[chosen]
        return result


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
    wrong = weights.sum(axis=1) - right
    # Three thirds that are all wrong must be the whole number one, not a hair less.
    near = np.rint(wrong)
    return np.stack([right, np.where(np.abs(wrong - near) < 1e-9, near, wrong)], axis=1)


def tally(metric: Metric, gold: Mapping[str, str], *respondents: Ballots, clusters: Clusters | None = None) -> Tally:
    """What the metric of these respondents is computed from, over the items with gold that all of them have scored.

    Labels of a closed list are counted where the metric is read off a confusion. Else every answer is worth its sums.
    """
    items = respondents[0].items
    aligned = [each.on(items) for each in respondents]
    if on_labels(metric, *respondents):
        return _of_labels(metric, gold, aligned)
    known = checked_gold(metric, gold)
    has_gold = np.array([item in gold for item in items], dtype=bool)
    both = np.logical_and.reduce([has_gold, *(each.scored for each in aligned)])
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
        credits_of = [np.stack([each[:, 0], (each[:, 1] - each[:, 0]).round(12)], axis=1) for each in totals]
        return replace(_tallied(_credit_share, credits_of, both), graded=any(parts))
    sizes = np.stack([each.weights[rows].sum(axis=1) for each in aligned], axis=1)
    return _tallied(metric.sums, totals, both, sizes=sizes)


def _of_labels(metric: Metric, gold: Mapping[str, str], respondents: Sequence[Ballots]) -> Tally:
    """The tally of answers from a closed list; of a mean nothing matters but what goes to the gold label."""
    known = column_of(gold, respondents[0].items)
    labels = sorted({*known.labels}.union(*(each.labels for each in respondents)))
    # No gold has the code -1, which takes the last place.
    codes = np.array([*map(labels.index, known.labels), -1], dtype=np.int32)[known.codes]
    both = np.logical_and.reduce([codes >= 0, *(each.scored for each in respondents)])
    answered, weights = codes[both], [each.over(labels).weights[both] for each in respondents]
    if metric.is_mean:
        return _tallied(_credit_share, [_gold_and_other(answered, weight) for weight in weights], both)
    return _tallied(metric.confusion, weights, both, gold=answered)


def _tallied(
    of: Callable[[Floats], Floats],
    numbers: Sequence[Floats],
    counting: Mask,
    *,
    gold: Codes | None = None,
    sizes: Floats | None = None,
) -> Tally:
    """The kinds of the M items that count, of N, by each respondent's `numbers` (M, S) and what is beside."""
    first = gold[:, None].astype(np.float64) if gold is not None else np.zeros((len(numbers[0]), 0))
    first = first if sizes is None else sizes
    kinds = distinct(np.hstack([first, *numbers]))
    place = np.full(len(counting), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    own, rows = np.split(kinds.rows, [first.shape[1]], axis=1)
    rows = rows.reshape(len(rows), len(numbers), numbers[0].shape[1])
    labels = None if gold is None else own[:, 0].astype(np.int64)
    return Tally(rows, rows.sum(axis=2) if sizes is None else own, kinds.multiplicity, place, of, labels)


def _credit_share(sums: Floats) -> Floats:
    """The mean credit of credit and what is lacking of it (..., 2)."""
    return share_of(sums[..., 0], sums.sum(axis=-1))


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


def in_whole_clusters(
    metric: Metric, gold: Gold, items: tuple[str, ...], counting: Mask, clusters: Clusters | None
) -> Mask:
    """The items that count and whose cluster is complete: worth `metric.full_cluster` together."""
    rows = np.flatnonzero(counting)
    place = cluster_codes([items[row] for row in rows.tolist()], _needed(metric, clusters))
    most = [gold.answer_sums(metric, items[row], None)[-1] for row in rows.tolist()]
    worth = np.bincount(place, weights=most, minlength=1)  # of no items at all too
    counted = counting.copy()
    counted[rows] = np.isclose(worth, metric.full_cluster or 0.0)[place]
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
    if metric.of_confusion is not None and said.names is None:
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
