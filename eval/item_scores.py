"""What each answer to each item is worth by itself: right or wrong, or the credit of a metric that is a mean."""

from collections.abc import Mapping

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, Mask
from eval.ballots import Ballots
from eval.gold import column_of
from eval.metrics.metric import Metric
from eval.tally import checked_gold
from eval.votes import Votes

Answered = Votes | Ballots


def credit_of(metric: Metric, gold: Mapping[str, str], said: Answered) -> Floats:
    """The credit (N, K) of each answer that the columns of an item stand for, 0 for an item without gold.

    1 for the gold label and 0 for any other where answers come from a closed list and the metric is read off them.
    A metric that is no mean over answers is refused.

    Returns:
        From 0 to 1.
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
