"""Workers one by one: what they have right, and the best of them without the luck of the best."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eval.arrays import Integers, number_or_none
from eval.estimate import Estimate
from eval.intervals.beta_binomial import fit, mixture
from eval.item_scores import credit_of
from eval.metrics.table import metric_named
from eval.votes import Votes
from eval.workers.worker_mean import check_minimum


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


def best_worker(gold: Mapping[str, str], votes: Votes, *, minimum: int = 10) -> BestWorker | None:
    """The worker with the highest accuracy after shrinkage, among those with `minimum` judgments on items with gold.

    Empirical Bayes: a Beta is fitted to all workers' counts by maximum likelihood, and each accuracy becomes its
    posterior mean (a + right) / (a + b + answered), so a short lucky streak does not win. The interval is the central
    95% of that worker's posterior averaged over all Betas as the counts make them likely (`BetaMixture`), since a few
    workers show little of how workers differ. Level workers: the one with more answers, then the first by name. None
    without gold or where nobody has enough judgments.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> best_worker({"q1": "a", "q2": "a"}, votes, minimum=2).worker
    'ann'
    """
    check_minimum(minimum)
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
