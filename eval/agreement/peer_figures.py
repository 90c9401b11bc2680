"""How far answers agree with other people's: equal ones, kappa, Spearman's rank correlation, errors; with intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, AnswerRows, BesidePeople
from eval.agreement.cohen_kappa import kappa_of_items, kappa_of_margins
from eval.arrays import Floats, Integers, distinct, share_of
from eval.estimate import Estimate, nothing
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, above_chance_interval, sampling_units
from eval.intervals.jackknife import values_without_each, variance_of, why_these_people, wider_estimate
from eval.intervals.mean import method_of, ratio
from eval.votes import Votes

PEERS = "peers"


def peer_figures(
    rows: AnswerRows,
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    other_people: bool = True,
    known: Mapping[str, Estimate] = MappingProxyType({}),
) -> dict[str, Estimate]:
    """How far some answers agree with those of the people of these votes.

    "equal" is the share of answers that are the plurality of the others', level ones shared out; "kappa" Cohen's of
    answers and that plurality; "spearman", "mean_error" and "rms_error" the rank correlation with, and the mean
    absolute and root mean square distance from, the mean of the others' numbers; "similarity" the mean similarity to
    the others' answers.

    Args:
        other_people: Whether intervals are to hold for other people too, where five or more judged ten or more items.

    Returns:
        Those of the rows' measure, NaN where nothing can be compared. `n` counts answers.

    >>> from eval.agreement.beside_people import everybody
    >>> from eval.votes import code
    >>> votes = code({"item": ["q1"] * 3, "worker": ["ann", "bob", "eve"], "label": ["a", "a", "b"]})
    >>> round(peer_figures(everybody(votes), votes)["equal"].value, 4)
    0.3333
    """
    beside = rows.beside(votes.counts)
    figures = {name: known.get(name) or _figure(name, beside, votes, resampling) for name in rows.measure.names}
    asked = np.zeros(len(votes.items), dtype=bool)
    asked[beside.item] = True
    judged = votes.keep(asked[votes.item])
    if not other_people or not len(beside.item) or why_these_people(judged, resampling.clusters):
        return figures
    names = [name for name in rows.measure.names if name not in known]
    # One vote less can turn what most people said, beside which one respondent stands: everybody's is spread evenly.
    one_vote_decides = () if rows.among else (EQUAL, KAPPA)
    of_items = [variance_of(figures[name].ci) if name in one_vote_decides else float("nan") for name in names]

    def figures_of(rest: Votes) -> list[float]:
        left = rows.beside(rest.counts)
        return [_value(name, left) for name in names]

    for name, values in zip(names, values_without_each(judged, figures_of, of_items).T, strict=True):
        low, high = rows.measure.range_of(name)
        figures[name] = wider_estimate(figures[name], values, low=low, high=high)
    return figures


_AT_EACH: Mapping[str, Callable[[BesidePeople], Floats]] = {
    EQUAL: lambda beside: beside.equal,
    ERROR: lambda beside: beside.distance,
    SQUARED: lambda beside: beside.distance**2,
    SIMILAR: lambda beside: beside.similar,
}
"""What each answer (R,) adds to the figures that are means."""


def _figure(name: str, beside: BesidePeople, votes: Votes, resampling: Resampling) -> Estimate:
    """A figure with its interval over items."""
    if name == KAPPA:
        return _kappa(beside, votes, resampling)
    if name == RANKS:
        return _ranks(beside, votes, resampling)
    length = beside.measure.span
    span = {ERROR: length, SQUARED: length**2}.get(name)
    mean = _share(_AT_EACH[name](beside), beside, votes, resampling, span)
    if name != SQUARED:
        return mean
    return replace(mean, value=mean.value**0.5, ci=(mean.ci[0] ** 0.5, mean.ci[1] ** 0.5))


def _value(name: str, beside: BesidePeople) -> float:
    """A figure alone."""
    if name == KAPPA:
        summed = _margins(beside).sum(axis=0)
        return float(kappa_of_margins(summed[1], *summed[2:].reshape(2, -1)))
    at_each = beside.point if name == RANKS else _AT_EACH[name](beside)
    known = ~np.isnan(at_each)
    if not known.any():
        return float("nan")
    if name == RANKS:
        return float(rank_correlations(at_each[known], beside.mean[known], beside.weight[None, known])[0])
    mean = float(np.average(at_each[known], weights=beside.weight[known]))
    return mean**0.5 if name == SQUARED else mean


def _share(values: Floats, beside: BesidePeople, votes: Votes, resampling: Resampling, span: float | None) -> Estimate:
    """The mean of shares, or of distances up to `span` or as far as numbers lie, over items; NaN ones are left out."""
    known = ~np.isnan(values)
    far = max(1.0 if span is None else span, float(values[known].max(initial=0.0))) or 1.0
    item, weight = beside.item[known], beside.weight[known]
    number = len(votes.items)
    sizes = np.bincount(item, weights=weight, minlength=number).astype(np.float64)
    totals = np.bincount(item, weights=weight * values[known] / far, minlength=number).astype(np.float64)
    used = np.flatnonzero(sizes)
    named = votes.items_at(used) if resampling.clusters else ()
    share = ratio(totals[used], sizes[used], resampling, items=named, against=PEERS)
    closed = beside.measure.closed
    # Of a scale of two points a mean distance is nearly a share of them.
    if span is not None and share.n and not (closed and span == 1):
        high = 1.0 if closed else float("inf")
        share = _resampled(share, np.column_stack([totals, sizes])[used], named, resampling, high)
    return replace(share, value=share.value * far, ci=(share.ci[0] * far, share.ci[1] * far))


def _resampled(share: Estimate, credit: Floats, named: Sequence[str], resampling: Resampling, high: float) -> Estimate:
    """The mean distance with a percentile bootstrap: few are near the largest one, which a share allows for."""
    kinds = distinct(credit.round(12))
    units = sampling_units(kinds.inverse, kinds.multiplicity, named, resampling)
    samples = units.resample(lambda times: np.divide(*(times @ kinds.rows).T), width=2)
    if not np.ptp(samples) > 1e-12:
        return share
    return replace(share, ci=units.interval(samples, share.value, low=0.0, high=high), method="bootstrap")


def _margins(beside: BesidePeople) -> Floats:
    """Of each row (R, 2K + 3): its weight, how equal it is, the others' margins and its own, all times the weight."""
    own = np.column_stack([beside.same, beside.own < 0])
    parts = [np.ones(len(beside.item)), beside.equal, *beside.plurality.T, np.zeros(len(beside.item)), *own.T]
    return np.column_stack(parts) * beside.weight[:, None]


def _kappa(beside: BesidePeople, votes: Votes, resampling: Resampling) -> Estimate:
    rows = _margins(beside)
    used, place = np.unique(beside.item, return_inverse=True)
    items = np.zeros((len(used), rows.shape[1]))
    np.add.at(items, place, rows)
    return kappa_of_items(items, votes.items_at(used), resampling, against=PEERS)


def _ranks(beside: BesidePeople, votes: Votes, resampling: Resampling) -> Estimate:
    known = np.flatnonzero(~np.isnan(beside.point))
    if not len(known):
        return nothing(resampling.unit, PEERS)
    used, place = np.unique(beside.item[known], return_inverse=True)
    # Items with the same answers beside the same others' are of one kind; the first of each stands for all.
    points = np.column_stack([np.nan_to_num(beside.points[used]), _answers(beside, known, used, place)])
    kinds = distinct(points.round(12))
    first = np.unique(kinds.inverse, return_index=True)[1]
    chosen = first[kinds.inverse[place]] == place
    pairs, kind = known[chosen], kinds.inverse[place[chosen]]
    x, y, weight = beside.point[pairs], beside.mean[pairs], beside.weight[pairs]

    def statistic(times: Integers) -> Floats:
        return rank_correlations(x, y, times[:, kind] * weight)

    value = float(statistic(kinds.multiplicity[None])[0])
    units = sampling_units(kinds.inverse, kinds.multiplicity, votes.items_at(used), resampling)
    samples = units.resample(statistic, width=6 * len(pairs))
    ci = above_chance_interval(samples, value, float("nan"), units)
    return Estimate(
        value, ci, resampling.unit, method_of(ci, "bootstrap"), round(float(beside.weight[known].sum())), PEERS
    )


def _answers(beside: BesidePeople, known: Integers, used: Integers, place: Integers) -> Floats:
    """What was answered to each of these items: the others of its rows and the answers' own numbers, summed."""
    answers = np.zeros((len(used), beside.others.shape[1] + 1))
    weight = beside.weight[known]
    np.add.at(answers, place, np.column_stack([beside.others[known], beside.point[known]]) * weight[:, None])
    return answers


def rank_correlations(x: Floats, y: Floats, times: Floats) -> Floats:
    """Spearman's correlation (B,) of R pairs that occur as often as `times` (B, R) says; NaN where one does not vary.

    Args:
        x, y (R,): The pairs. Equal values share their mean rank.

    >>> rank_correlations(np.array([1.0, 2, 3]), np.array([1.0, 3, 2]), np.ones((1, 3))).round(3).tolist()
    [0.5]
    """
    total = times.sum(axis=1, keepdims=True)
    one, other = (_ranked(values, times) for values in (x, y))
    # The mean of the ranks is half of one more than their number.
    one, other = one - (total + 1) / 2, other - (total + 1) / 2
    spread = ((times * one**2).sum(axis=1) * (times * other**2).sum(axis=1)) ** 0.5
    return share_of((times * one * other).sum(axis=1), spread, least=1e-9)


def _ranked(values: Floats, times: Floats) -> Floats:
    """The mean rank (B, R) of each value in each sample."""
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    held = np.add.reduceat(np.asarray(times, dtype=np.float64)[:, order], starts, axis=1)
    return np.asarray((held.cumsum(axis=1) - held / 2 + 0.5)[:, place])
