"""What workers score one by one, and the mean over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Floats, Integers, share_of
from eval.ballots import Ballots
from eval.estimate import Estimate, Interval, nothing
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling, sampling_units
from eval.intervals.jackknife import why_not_wider, wider_estimate
from eval.intervals.mean import method_of, ratio_interval
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.scoring import corpus_interval
from eval.tally import Tally, tally
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class _OwnAnswers:
    """The answers of one worker that count: to which items (M,), of which kind of its `tally` each is (M,)."""

    items: Integers
    kind: Integers
    tally: Tally

    def score(self, times: Integers) -> Floats:
        """The worker's score (B,) where the items occur as often as (B, N) says; NaN where none of these does."""
        kinds = times[:, self.items].astype(np.float64) @ np.eye(len(self.tally.rows))[self.kind]
        return self.tally.of(self.tally.totals(0, kinds))


def worker_mean(
    metric: str,
    gold: Mapping[str, str],
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    minimum: int = 10,
    others: bool = False,
) -> Estimate | None:
    """The mean over workers of each one's metric, over those with at least `minimum` judgments on items with gold.

    Every worker weighs the same, however few answers they gave. The interval over items is that of a mean in which a
    judgment weighs as much as it does here, and a bootstrap for metrics of the corpus. With `others` that
    over these workers is joined to it (the jackknife, which of a mean is t with their standard deviation); where fewer
    workers count than it takes, there is none but over items. `n` counts workers.
    None where no item has gold, NaN where nobody has enough judgments.

    A metric of whole clusters (an exam) is that of each worker's complete ones, and who has one counts.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> worker_mean("accuracy", {"q1": "a", "q2": "a"}, votes, minimum=2).value
    0.75
    """
    if minimum < 1:
        raise BadSetting(f"A worker must have at least 1 judgment to count, got a minimum of {minimum!r}.")
    if not any(item in gold for item in votes.items):
        return None
    chosen = metric_named(metric)
    items, workers = _own_answers(chosen, gold, votes, resampling.clusters, minimum)
    if not workers:
        return nothing(resampling.unit)
    once = np.ones((1, len(items)), dtype=np.int64)
    # In order of the scores: neither the names nor the rows of the workers matter.
    own = np.sort([float(worker.score(once)[0]) for worker in workers])
    value = float(own.mean())
    bound = sampling_units(np.arange(len(items)), once[0], items, resampling)
    if chosen.is_mean:
        ci = _interval_of_mean(workers, items, resampling)
        method = method_of(ci)
    else:
        width = max(worker.tally.width for worker in workers)
        samples = bound.resample(lambda times: _mean_score(workers, times), width=width)
        ci, method = corpus_interval(chosen, samples, value, bound, bound.number)
    estimate = Estimate(value, ci, resampling.unit, method, len(own))
    if not others or why_not_wider(len(own), bound.number, resampling.unit):
        return estimate
    return wider_estimate(estimate, (own.sum() - own) / (len(own) - 1), low=chosen.low, high=chosen.high)


def _interval_of_mean(workers: Sequence[_OwnAnswers], items: Sequence[str], resampling: Resampling) -> Interval:
    """The interval over items of a mean in which every worker weighs the same."""
    totals, sizes = np.zeros(len(items)), np.zeros(len(items))
    answers = sum(worker.tally.answers[0] for worker in workers)
    for worker in workers:
        weight = answers / (len(workers) * worker.tally.answers[0])
        totals[worker.items] += weight * worker.tally.rows[worker.kind, 0, 0]
        sizes[worker.items] += weight * worker.tally.sizes[worker.kind, 0]
    # Rounded, so that equal sums that were added up in another order stay equal.
    return ratio_interval(totals.round(12), sizes.round(12), resampling, items=items)


def _mean_score(workers: Sequence[_OwnAnswers], times: Integers) -> Floats:
    """The mean score (B,) of the workers who have any of the items that occur as often as (B, N) says."""
    scores = np.stack([worker.score(times) for worker in workers])
    there = ~np.isnan(scores)
    return share_of(np.where(there, scores, 0).sum(axis=0), there.sum(axis=0))


def _own_answers(
    metric: Metric, gold: Mapping[str, str], votes: Votes, clusters: Clusters | None, minimum: int
) -> tuple[list[str], list[_OwnAnswers]]:
    """The items that count, and the answers to them of each worker with enough judgments."""
    least = minimum if metric.full_cluster is None else 1
    able = []
    for rows in pd.Series(votes.worker).groupby(votes.worker).indices.values():
        items, place = np.unique(votes.item[rows], return_inverse=True)
        weights = np.zeros((len(items), len(votes.labels) + 1))
        np.add.at(weights, (place, votes.label[rows]), 1)
        names = None if votes.names is None else tuple(votes.names[item] for item in items.tolist())
        said = Ballots(tuple(votes.items[item] for item in items.tolist()), votes.labels, weights, names)
        own = tally(metric, gold, said, clusters=clusters)
        if own.answers[0] >= least:
            able.append((items[own.place >= 0], own.place[own.place >= 0], own))
    used = np.unique(np.concatenate([items for items, _, _ in able])) if able else np.zeros(0, dtype=np.int64)
    workers = [_OwnAnswers(np.searchsorted(used, items), kind, own) for items, kind, own in able]
    return [votes.items[item] for item in used.tolist()], workers
