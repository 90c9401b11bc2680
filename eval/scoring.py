"""The only road to a number: a respondent's ballots against gold, with an interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.arrays import Floats
from eval.ballots import Ballots
from eval.estimate import UNDEFINED, Estimate, Interval, nothing, wilson
from eval.gold import Gold
from eval.intervals.clusters import (
    SINGLE_ITEMS,
    Clusters,
    Resampling,
    SamplingUnits,
    expanded,
    percentile,
    sampling_units,
)
from eval.intervals.mean import mean_interval, method_of
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.tally import Tally, confusion_of, on_labels, tally

# Published scripts add as much as 1e-7 to their counts, so that a perfect answer is worth a little less than 1.
_NEAR = 1e-6


def score(
    metrics: Sequence[str], gold: Mapping[str, str], ballots: Ballots, resampling: Resampling = SINGLE_ITEMS
) -> dict[str, Estimate]:
    """Each metric by name over the items that have gold and are scored; an empty dict where no item has gold.

    `n` counts answers: judgments where an item has several, items where it has one. The interval of a mean is
    that of `eval.intervals.mean`, of any other metric a bootstrap over items; where no resample changes it,
    Wilson's over the items, since a bootstrap would claim certainty.
    Ties that are shared out enter every metric with their fractions, in the value and in each sample alike. Value and
    interval are NaN where gold exists but nothing is scored.

    A metric of any answers needs a `Gold`.

    Where `resampling` is of clusters every interval is over whole ones, which items of one text do not narrow.

    >>> from eval.ballots import answers
    >>> said = answers({"q1": "a", "q2": "b"}, items=["q1", "q2"], labels=["a", "b"])
    >>> score(["accuracy"], {"q1": "a", "q2": "a"}, said)["accuracy"].value
    0.5
    """
    chosen = [metric_named(name) for name in metrics]
    if not any(item in gold for item in ballots.items):
        return {}
    return {
        m.name: _estimate(m, tally(m, gold, ballots, clusters=resampling.clusters), ballots.items, resampling)
        for m in chosen
    }


def value_of(metric_tally: Tally, respondent: int) -> float:
    """The metric of one respondent of a tally; ties that are shared out enter with their fractions."""
    return float(metric_tally.of(metric_tally.totals(respondent, metric_tally.multiplicity[None]))[0])


def values_of(
    metrics: Sequence[Metric], gold: Mapping[str, str], ballots: Ballots, clusters: Clusters | None = None
) -> list[float]:
    """The value of each metric alone, without an interval; ties that are shared out enter with their fractions."""
    of_labels = {m.name for m in metrics if on_labels(m, ballots)}
    table = confusion_of(gold, ballots) if of_labels else None
    return [
        float(m.confusion(table)) if table is not None and m.name in of_labels else _alone(m, gold, ballots, clusters)
        for m in metrics
    ]


def _alone(metric: Metric, gold: Mapping[str, str], ballots: Ballots, clusters: Clusters | None) -> float:
    summed = tally(metric, gold, ballots, clusters=clusters)
    return value_of(summed, 0) if summed.multiplicity.sum() else float("nan")


def _estimate(metric: Metric, summed: Tally, items: Sequence[str], resampling: Resampling) -> Estimate:
    answers = round(float(summed.answers[0]))
    if not summed.multiplicity.sum():
        return nothing(resampling.unit)
    units = sampling_units(summed.place, summed.multiplicity, items, resampling)
    value = value_of(summed, 0)
    if metric.is_mean:
        ci = _mean_interval(summed, units)
        return Estimate(value, ci, resampling.unit, method_of(ci), answers)
    values = units.resample(lambda times: summed.of(summed.totals(0, times)), width=summed.width)
    ci, method = corpus_interval(metric, values, value, units, _contributing_units(summed, units))
    return Estimate(value, ci, resampling.unit, method, answers)


def _mean_interval(summed: Tally, units: SamplingUnits) -> Interval:
    """The interval of a mean over items, or clusters of them; a single cluster shows nothing of others."""
    if not units.single and units.number < 2:
        return UNDEFINED
    credit = np.column_stack([summed.rows[:, 0, 0], summed.sizes[:, 0]])
    sums = credit if units.rows is None else units.rows @ credit
    return mean_interval(sums[:, 0], sums[:, 1], units.multiplicity)


def corpus_interval(
    metric: Metric, values: Floats, value: float, units: SamplingUnits, contributing: int
) -> tuple[Interval, str]:
    """The interval of a metric of the whole corpus from its resampled values, and its method.

    Percentiles of the values, expanded about the observed one as so few units ask for. Where every answer is right (or
    wrong) no resample differs: then the metric is taken for the mean that it is there, and has Wilson's interval over
    the `contributing` units (items or clusters), on its own scale.
    """
    if np.isnan(values).all():
        return percentile(values), "none"
    span, share = metric.high - metric.low, (value - metric.low) / (metric.high - metric.low)
    if np.isnan(value) or np.nanmax(values) - np.nanmin(values) > _NEAR or _NEAR < share < 1 - _NEAR:
        return percentile(expanded(values, value, units.number).clip(metric.low, metric.high)), "bootstrap"
    low, high = wilson(round(share) * contributing, contributing)
    return (metric.low + span * low, metric.low + span * high), "wilson"


def _contributing_units(summed: Tally, units: SamplingUnits) -> int:
    """How many units the metric is made of: one whose items add nothing (no gap, and none found) tells nothing."""
    adds = summed.adds
    telling = adds if units.rows is None else (units.rows[:, adds] > 0).any(axis=1)
    return int(units.multiplicity[telling].sum())


@dataclass(frozen=True)
class GroupScores:
    """One group: its name, the number of its items with gold, and the score of each respondent in their order."""

    group: str
    items: int
    scores: tuple[Estimate, ...]


def group_scores(
    metric: str,
    gold: Mapping[str, str],
    respondents: Sequence[Ballots],
    groups: Mapping[str, Sequence[str]],
    resampling: Resampling = SINGLE_ITEMS,
) -> tuple[GroupScores, ...]:
    """The metric on each group, in the order in which the groups first come among the items of `groups`.

    `groups` leads from an item to the groups it belongs to; an item in several counts in each of them, one in none
    nowhere, and one without gold is left out. Intervals are those of `score`. A metric that is a mean over published
    splits is the plain mean within a group.

    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> from eval.ballots import answers
    >>> model = answers(dict(gold, q1="a"), items=list(gold), labels=["a", "b"])
    >>> groups = {item: ["even" if int(item[1]) % 2 == 0 else "odd"] for item in gold}
    >>> [(group.group, group.scores[0].value) for group in group_scores("accuracy", gold, [model], groups)]
    [('even', 1.0), ('odd', 0.75)]
    """
    members: dict[str, list[str]] = {}
    for item, names in groups.items():
        for name in names if item in gold else ():
            members.setdefault(name, []).append(item)
    return tuple(
        GroupScores(name, len(items), tuple(_score(metric, gold, said, items, resampling) for said in respondents))
        for name, items in members.items()
    )


def _score(
    metric: str, gold: Mapping[str, str], said: Ballots, items: Sequence[str], resampling: Resampling
) -> Estimate:
    chosen = set(items)
    of_group = gold.on(chosen) if isinstance(gold, Gold) else {item: gold[item] for item in items}
    return score([metric], of_group, said.on(items), resampling)[metric]
