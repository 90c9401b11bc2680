"""Intervals of the alternative-annotator test: what it would find in other studies of as many answers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array
from scipy.special import stdtr

from eval.arrays import Floats, Integers, Mask
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.signed_ranks import below_by_ranks
from eval.estimate import Estimate
from eval.intervals.bootstrap import percentile, resample
from eval.intervals.clusters import SINGLE_ITEMS, Resampling, cluster_codes
from eval.intervals.jackknife import joined, people_interval, why_not_wider, wider_estimate, without_each
from eval.intervals.ratio import ratio
from eval.intervals.wilson import UNDEFINED, Interval, wilson
from eval.votes import Votes

RATE, ADVANTAGE = "winning_rate", "advantage"
DRAWS = 500
"""Samples of items in which every annotator is tested anew, at most: the rate is a whole number of annotators."""


def alternative_estimates(
    test: AlternativeTest,
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    other_people: bool = True,
    again: Callable[[Votes], AlternativeTest] | None = None,
) -> dict[str, Estimate]:
    """Winning rate and advantage with their 95% intervals: where those of studies of as many answers lie on average.

    Over items the advantage has the interval of a mean (`eval.intervals.mean`), and the rate a bootstrap: in every
    sample each annotator is tested anew, as they were, and corrected. Of few items to an annotator such tests are
    biased, so the interval holds the percentiles both as they are and moved by the bias. Where no sample changes the
    rate it has Wilson's interval of as many answers as there are tested annotators, and "wilson" for its method. With
    five or more tested annotators who judged ten or more items this is joined with the interval over annotators:
    Wilson's of the share who are won against; of the advantage the jackknife, where the test can be made again without
    some annotators, else the mean of theirs by t.

    Parameters
    ----------
    test : AlternativeTest
        Of one model.
    votes : Votes
        The judgments it was made from.
    resampling : Resampling
        What the intervals resample.
    other_people : bool
        Whether intervals are to hold for other annotators too, where there are enough.
    again : function of Votes, optional
        The same test on a part of the votes; None where that is too dear.

    Returns
    -------
    dict of name to Estimate
        "winning_rate" and "advantage", `n` the tested annotators; empty where there is no verdict.

    References
    ----------
    Zou, G., Donner, A. (2008). Construction of confidence limits about effect measures. Statistics in Medicine 27.

    Examples
    --------
    >>> from eval.comparison.alt_test import alternative_annotator
    >>> from eval.votes import code
    >>> items = [f"q{number}" for number in range(40)]
    >>> rows = [(item, worker, "yes") for item in items for worker in "abcde"]
    >>> votes = code(dict(zip(("item", "worker", "label"), zip(*rows), strict=True)), labels=("no", "yes"))
    >>> found = alternative_estimates(alternative_annotator(votes, dict.fromkeys(items, "yes")), votes)
    >>> low, high = found["winning_rate"].ci
    >>> round(low, 3), round(high, 3)
    (0.566, 1.0)
    """
    if test.winning_rate is None:
        return {}
    code = {name: place for place, name in enumerate(votes.workers)}
    place = np.full(len(code), -1)
    place[[code[each.worker] for each in test.tested]] = np.arange(len(test.tested))
    known = place[test.wins.worker] >= 0
    used, item = np.unique(test.wins.item[known], return_inverse=True)
    names = [votes.items[row] for row in used.tolist()]
    units = cluster_codes(names, resampling.clusters) if resampling.clusters else np.arange(len(names))
    worker, won = place[test.wins.worker[known]], test.wins.model[known]
    apart = test.wins.human[known].astype(np.int64) - won
    rate = _rate(test, _outcomes(units[item], worker, apart, len(test.tested)), resampling)
    each = {RATE: rate, ADVANTAGE: _advantage(test, worker, item, won, names, resampling)}
    number = int(units.max()) + 1
    people = wilson(rate.value * len(test.tested), len(test.tested))
    # Where no sample of items differs, though other items could have, annotators are what is left to go by.
    over_items = replace(rate, ci=people, method="wilson") if rate.ci[0] == rate.ci[1] else rate
    if not other_people or why_not_wider(len(test.tested), number, resampling.unit):
        return {**each, RATE: over_items}
    wider = _wider(rate, people, "wilson")
    if wider.ci_items is not None:
        wider = replace(wider, ci_items=over_items.ci, method=over_items.method)
    return {RATE: wider, ADVANTAGE: _wider_advantage(test, each[ADVANTAGE], votes, again)}


def _outcomes(unit: Integers, worker: Integers, apart: Integers, annotators: int) -> csr_array:
    """How often each annotator loses to the model, is level and wins in each sampling unit, (U, 3 T)."""
    shape = int(unit.max()) + 1, 3 * annotators
    return csr_array((np.ones(len(unit)), (unit, 3 * worker + apart + 1)), shape=shape)


def _rate(test: AlternativeTest, outcomes: csr_array, resampling: Resampling) -> Estimate:
    number, units = len(test.tested), outcomes.shape[0]
    by_ranks = np.array([each.method == "wilcoxon" for each in test.tested])
    below = np.arange(1, number + 1) * test.level / (number * (1 / np.arange(1, number + 1)).sum())

    def rates(times: Integers) -> Floats:
        counts = np.asarray(times @ outcomes).reshape(len(times), number, 3)
        stand = np.sort(_p_values(counts, by_ranks, test.epsilon), axis=1) <= below
        return np.asarray(np.where(stand, np.arange(1, number + 1), 0).max(axis=1) / number)

    value = test.winning_rate if test.winning_rate is not None else float("nan")
    if units < 2:
        return Estimate(value, UNDEFINED, resampling.unit, "none", number)
    samples = resample(
        np.ones(units), rates, draws=min(resampling.draws, DRAWS), generator=resampling.generator, width=6 * number
    )
    # Tests of resampled items find more (or less) than those of other items would, so the rates lie too high (or low):
    # the interval holds the percentiles of the rates as they are, and moved to where the value is their mean.
    moved = (samples + value - samples.mean()).clip(0, 1)
    ends = [value, *percentile(samples), *percentile(moved)]
    return Estimate(value, (min(ends), max(ends)), resampling.unit, "bootstrap", number)


def _p_values(counts: Floats, by_ranks: Mask, epsilon: float) -> Floats:
    """The p-value of each annotator in each sample, (B, T), out of how often they lost, were level and won."""
    size = counts.sum(axis=2)
    mean = (counts[..., 2] - counts[..., 0]) / np.maximum(size, 1)
    spread = np.maximum((counts[..., 2] + counts[..., 0]) / np.maximum(size, 1) - mean**2, 0)
    error = np.sqrt(spread / np.maximum(size - 1, 1))
    t = np.divide(mean - epsilon, error, out=np.where(mean > epsilon, np.inf, -np.inf), where=error > 1e-12)
    p = np.where(size > 1, stdtr(np.maximum(size - 1, 1), t), 1.0)
    kinds, place = np.unique(counts[:, by_ranks].reshape(-1, 3), axis=0, return_inverse=True)
    values = np.array([-1.0, 0.0, 1.0]) - epsilon
    ranked = [below_by_ranks(np.repeat(values, kind)) if kind.any() else 1.0 for kind in kinds.astype(np.int64)]
    p[:, by_ranks] = np.array(ranked, dtype=np.float64)[place.ravel()].reshape(len(p), -1)
    return np.asarray(p)


def _advantage(
    test: AlternativeTest, worker: Integers, item: Integers, won: Mask, names: list[str], resampling: Resampling
) -> Estimate:
    """The mean over annotators of how often the model wins, as a ratio of sums over items."""
    weight = 1 / np.bincount(worker)[worker]
    totals, sizes = (np.bincount(item, weights=each, minlength=len(names)) for each in (weight * won, weight))
    advantage = ratio(totals.astype(np.float64), sizes.astype(np.float64), resampling, items=names)
    return replace(advantage, value=test.advantage)


def _wider_advantage(
    test: AlternativeTest, advantage: Estimate, votes: Votes, again: Callable[[Votes], AlternativeTest] | None
) -> Estimate:
    """The advantage over items and annotators: who is left out is also missing among those the others are beside."""
    if again:
        without = np.array([again(rest).advantage for rest in without_each(votes)])
        return wider_estimate(advantage, without, low=0.0, high=1.0)
    number = len(test.tested)
    error = float(np.std([each.model_wins for each in test.tested], ddof=1)) / number**0.5
    return _wider(advantage, people_interval(advantage.value, error, number, low=0.0, high=1.0), "t")


def _wider(estimate: Estimate, people: Interval, how: str) -> Estimate:
    """The estimate with its interval over items and annotators, the narrower one beside it."""
    ci = joined(estimate.value, estimate.ci, people, low=0.0, high=1.0)
    return estimate if np.isnan(ci[0]) else replace(estimate, ci=ci, ci_items=estimate.ci, people_method=how)
