"""Workers one by one: the mean over workers, and the best of them without the luck of the best."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats, Integers, number_or_none
from eval.estimate import Estimate, nothing
from eval.intervals.beta_binomial import fit
from eval.intervals.beta_mixture import mixture
from eval.intervals.bootstrap import percentile, resample
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling, cluster_codes
from eval.intervals.jackknife import LEAST_PEOPLE
from eval.intervals.ratio import ratio
from eval.intervals.wilson import UNDEFINED
from eval.item_scores import credit_of, read_off_labels, sums_of_answers
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.votes import Votes

_NUMBERS = 2**21


@dataclass(frozen=True)
class BestWorker:
    """The worker with the highest shrunken accuracy.

    `right` of `answered` judgments on items with gold are right; `prior` is the (a, b) of the Beta the accuracies of
    all workers follow; `estimate` has the posterior mean, its 95% credible interval (method "beta") and n = answered.
    """

    worker: str
    right: int
    answered: int
    prior: tuple[float, float]
    estimate: Estimate

    def as_dict(self) -> dict[str, object]:
        """The estimate as it stands in JSON with the worker, the bare counts and the prior beside it."""
        counts: dict[str, object] = {"worker": self.worker, "right": self.right, "answered": self.answered}
        return self.estimate.as_dict() | counts | {"prior": [number_or_none(shape) for shape in self.prior]}


def worker_mean(
    metric: str,
    gold: Mapping[str, str],
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    minimum: int = 10,
) -> Estimate | None:
    """The mean over workers of each one's metric, over those with at least `minimum` judgments on items with gold.

    Every worker weighs the same, however few answers they gave. The interval is a percentile bootstrap over workers,
    NaN for fewer than five, who show nothing of how others differ; `n` counts workers.
    None where no item has gold, NaN where nobody has enough judgments.

    A metric of whole clusters (an exam) is that of each worker's complete ones, and who has one counts.

    Parameters
    ----------
    metric : str
        The name of a metric.
    gold : mapping of item to label
        The right answers that are known.
    votes : Votes
        J judgments.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.
    minimum : int
        Judgments that a worker needs.

    Returns
    -------
    Estimate or None
        On the scale of the metric.

    Examples
    --------
    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> worker_mean("accuracy", {"q1": "a", "q2": "a"}, votes, minimum=2).value
    0.75
    """
    _check_minimum(minimum)
    chosen = metric_named(metric)
    if not any(item in gold for item in votes.items):
        return None
    full_clusters = chosen.full_cluster is not None
    values = (
        _of_whole(chosen, gold, votes, resampling.clusters) if full_clusters else _values(chosen, gold, votes, minimum)
    )
    if not len(values):
        return nothing("worker")
    if len(values) < LEAST_PEOPLE:
        return Estimate(float(values.mean()), UNDEFINED, "worker", "none", len(values))
    # In order of the values: neither the names nor the rows of the workers matter.
    ordered = np.sort(values)
    if chosen.low == 0:
        return replace(ratio(ordered, np.ones(len(ordered))), unit="worker")

    def statistic(multiplicities: Integers) -> Floats:
        return np.asarray((multiplicities @ ordered) / len(ordered))

    ones = np.ones(len(ordered), dtype=np.int64)
    samples = resample(ones, statistic, draws=resampling.draws, generator=resampling.generator)
    value = float(ordered.mean())
    return Estimate(value, percentile(samples), "worker", "bootstrap", len(values))


def best_worker(gold: Mapping[str, str], votes: Votes, *, minimum: int = 10) -> BestWorker | None:
    """The worker with the highest accuracy after shrinkage, among those with `minimum` judgments on items with gold.

    Empirical Bayes: a Beta is fitted to all workers' counts by maximum likelihood, and each accuracy becomes its
    posterior mean (a + right) / (a + b + answered), so a short lucky streak does not win. The interval is the central
    95% of that worker's posterior averaged over all Betas as the counts make them likely (`BetaMixture`), since a few
    workers show little of how workers differ. Level workers: the one with more answers, then the first by name. None
    without gold or where nobody has enough judgments.

    Parameters
    ----------
    gold : mapping of item to label
        The right answers that are known.
    votes : Votes
        J judgments.
    minimum : int
        Judgments that a worker needs.

    Returns
    -------
    BestWorker or None

    Examples
    --------
    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> best_worker({"q1": "a", "q2": "a"}, votes, minimum=2).worker
    'ann'
    """
    _check_minimum(minimum)
    right, answered = worker_counts(gold, votes)
    able = np.flatnonzero(answered >= minimum)
    if not len(able):
        return None
    order = np.argsort(right[answered > 0], kind="stable")
    counts = right[answered > 0][order], answered[answered > 0][order]
    a, b = fit(*counts)
    shrunk = (a + right) / (a + b + answered)
    best = int(max(able, key=lambda worker: (shrunk[worker], answered[worker], -worker)))
    n = int(answered[best])
    ci = mixture(*counts).interval(int(right[best]), n)
    estimate = Estimate(float(shrunk[best]), ci, "judgment of this worker", "beta", n)
    return BestWorker(votes.workers[best], int(right[best]), n, (a, b), estimate)


def worker_counts(gold: Mapping[str, str], votes: Votes) -> tuple[Integers, Integers]:
    """How many of each worker's judgments on items with gold are right, and how many there are, (W,) each."""
    known = np.array([item in gold for item in votes.items], dtype=bool)
    worth = credit_of(metric_named("accuracy"), gold, votes)
    counting = known[votes.item]
    right = counting & (worth[votes.item, votes.label] > 0)
    size = len(votes.workers)
    tally = (np.bincount(votes.worker[mask], minlength=size).astype(np.int64) for mask in (right, counting))
    return next(tally), next(tally)


def _values(metric: Metric, gold: Mapping[str, str], votes: Votes, minimum: int) -> Floats:
    """The metric of each worker with enough judgments."""
    known = np.array([item in gold for item in votes.items], dtype=bool)
    rows = np.flatnonzero(known[votes.item])
    able = np.flatnonzero(np.bincount(votes.worker[rows], minlength=len(votes.workers)) >= minimum)
    if read_off_labels(metric, votes):
        return _of_labels(metric, gold, votes, rows, able)
    sums: Floats = sums_of_answers(metric, gold, votes)[votes.item[rows], votes.label[rows]]
    size = len(votes.workers)
    totals: Floats = np.stack(
        [np.bincount(votes.worker[rows], weights=part, minlength=size) for part in sums.T], axis=1
    )
    return np.asarray(metric.sums(totals[able]))


def _of_whole(metric: Metric, gold: Mapping[str, str], votes: Votes, clusters: Clusters | None) -> Floats:
    """The metric of each worker with a complete cluster, over the answers to such clusters."""
    if clusters is None:
        raise BadSetting(f"The metric {metric.name!r} is one of whole clusters; name the field that binds items.")
    rows = np.flatnonzero(np.array([item in gold for item in votes.items], dtype=bool)[votes.item])
    if not len(rows):
        return np.zeros(0)
    sums: Floats = sums_of_answers(metric, gold, votes)[votes.item[rows], votes.label[rows]]
    asked = np.unique(votes.item[rows])
    cluster = np.zeros(len(votes.items), dtype=np.int64)
    cluster[asked] = cluster_codes([votes.items[item] for item in asked.tolist()], clusters)
    sitting = votes.worker[rows].astype(np.int64) * (int(cluster.max()) + 1) + cluster[votes.item[rows]]
    sittings, place = np.unique(sitting, return_inverse=True)
    most = np.bincount(place, weights=sums[:, -1])
    complete = np.isclose(most, metric.full_cluster or 0.0)
    worker = sittings[complete] // (int(cluster.max()) + 1)
    totals = np.stack([np.bincount(place, weights=part)[complete] for part in sums.T], axis=1)
    return np.array([float(metric.sums(totals[worker == each].sum(axis=0))) for each in np.unique(worker)])


def _of_labels(metric: Metric, gold: Mapping[str, str], votes: Votes, rows: Integers, able: Integers) -> Floats:
    """The metric of these workers by one confusion matrix each."""
    wanted = {label for item in votes.items if (label := gold.get(item)) is not None}
    labels = [*votes.labels, *sorted(wanted - set(votes.labels))]
    place = {label: position for position, label in enumerate(labels)}
    known = np.array([place[gold[item]] if item in gold else -1 for item in votes.items], dtype=np.int64)
    size, width = len(labels) * (len(labels) + 1), len(labels)
    scores = []
    for chunk in np.array_split(able, max(1, -(-len(able) * size // _NUMBERS))):
        mine = rows[np.isin(votes.worker[rows], chunk)]
        row = np.searchsorted(chunk, votes.worker[mine])
        key = row * size + known[votes.item[mine]] * (width + 1) + votes.label[mine]
        confusion = np.bincount(key, minlength=len(chunk) * size).astype(np.float64)
        scores.append(metric.confusion(confusion.reshape(len(chunk), width, width + 1)))
    return np.concatenate(scores)


def _check_minimum(minimum: int) -> None:
    if minimum < 1:
        raise BadSetting(f"A worker must have at least 1 judgment to count, got a minimum of {minimum!r}.")
