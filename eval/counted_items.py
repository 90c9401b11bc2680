"""Which items a metric counts: those in complete clusters (exams, passages), those whose reply a script can read."""

from collections.abc import Sequence

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Mask
from eval.ballots import Ballots
from eval.gold import Gold
from eval.intervals.clusters import Clusters, cluster_codes
from eval.metrics.metric import Metric


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
