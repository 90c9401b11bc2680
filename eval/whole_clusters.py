"""Metrics of whole clusters, such as exams: only complete ones, or each of the same weight."""

from collections.abc import Sequence

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Mask
from eval.gold import Gold
from eval.metrics.metric import Metric
from eval.resampling import Clusters, numbered


def in_whole_clusters(
    metric: Metric, gold: Gold, items: tuple[str, ...], counting: Mask, clusters: Clusters | None
) -> Mask:
    """The items that count and whose cluster is complete: worth `metric.whole` together."""
    rows = np.flatnonzero(counting)
    place = numbered([items[row] for row in rows.tolist()], _needed(metric, clusters))
    most = [gold.sums(metric, items[row], None)[-1] for row in rows.tolist()]
    full = np.isclose(np.bincount(place, weights=most), metric.whole or 0.0) if len(rows) else np.zeros(0, dtype=bool)
    kept = counting.copy()
    kept[rows] = full[place]
    return kept


def alike(metric: Metric, sums: Floats, items: Sequence[str], clusters: Clusters | None) -> Floats:
    """The sums (M, S) of M items over what their clusters are worth at most, so that every cluster weighs the same."""
    place = numbered(items, _needed(metric, clusters))
    most = np.bincount(place, weights=sums[:, -1], minlength=1)
    return np.asarray((sums / most[place][:, None]).round(12))


def _needed(metric: Metric, clusters: Clusters | None) -> Clusters:
    """The clusters; refused where none are named."""
    if clusters is None:
        raise BadSetting(
            f"The metric {metric.name!r} is one of whole clusters (exams, passages); name the field that binds items."
        )
    return clusters
