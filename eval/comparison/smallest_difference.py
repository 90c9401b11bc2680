"""The smallest difference from people that a study's own items show, by its own metric."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from eval.arrays import Floats
from eval.ballots import Ballots
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.label_histogram import LabelHistogram
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.planner import detectable
from eval.scoring import value_of
from eval.tally import Tally, tally

_STUDIES, _FEWEST = 400, 20


@dataclass(frozen=True)
class SmallestDifference:
    """A model worse by `value`, in units of the metric, is told from people in four studies of five of `n` items.

    None where the items are too few for any. `reversals` is the share of items that only the model has right, as other
    models show it; None where errors are taken for independent.
    """

    value: float | None
    n: int
    reversals: float | None


def smallest_difference(
    metric: str,
    gold: Mapping[str, str],
    people: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    reversals: float | None = None,
) -> SmallestDifference | None:
    """The smallest difference from `people`, whose one answer to each item this is, shown with power 0.8 at level 0.05.

    For answers that are right or wrong it is exact (`eval.planner.detectable`). For a metric of the corpus over closed
    labels 400 studies are simulated out of the people's own answers and a model that is right at random, and
    made worse until four studies of five would show it. None where neither applies: graded credit, open answers in
    a metric of the corpus, or such a metric of fewer than 20 items. Clusters of items need more.

    Parameters
    ----------
    metric : str
        The name of a metric.
    gold : mapping of item to label
        The right answers that are known.
    people : Ballots
        One answer to each item.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.
    reversals : float, optional
        The share of items, 0 to 1, that only the other has right.

    Returns
    -------
    SmallestDifference or None
        In units of the metric.

    Examples
    --------
    >>> from eval.ballots import answers
    >>> gold = {f"q{n}": "a" for n in range(100)}
    >>> people = answers(dict(gold, q0="b"), items=list(gold), labels=["a", "b"])
    >>> smallest = smallest_difference("accuracy", gold, people, reversals=0.02)
    >>> None if smallest is None else round(smallest.value, 3)
    0.099
    """
    chosen = metric_named(metric)
    counted = tally(chosen, gold, people, clusters=resampling.clusters)
    n = int(counted.multiplicity.sum())
    if not n or not isinstance(counted, LabelHistogram) or counted.graded or not counted.one_each.all():
        return None
    if not chosen.is_mean:
        if n < _FEWEST or len(counted.totals(0, counted.multiplicity[None])[0]) < 2:
            return None
        return SmallestDifference(_simulated(chosen, counted, n, reversals, resampling.seed), n, reversals)
    accuracy = value_of(chosen, counted, 0, seed=resampling.seed)
    return SmallestDifference(detectable(n, accuracy, reversals=reversals), n, reversals)


def _simulated(metric: Metric, counted: Tally, n: int, reversals: float | None, seed: int) -> float | None:
    """The expected difference from a model just bad enough; its wrong answers are spread over the other labels.

    By the normal approximation to the simulated differences; the bootstrap's made-up item widens the test as much as
    one more differing item does.
    """
    answered = counted.totals(0, counted.multiplicity[None])[0]
    labels = len(answered)
    right = np.eye(labels, labels + 1, dtype=bool)
    accuracy = float(answered[right].sum()) / n
    level, power = float(ndtri(0.975)), float(ndtri(0.8))

    def studies(skill: float) -> tuple[float, float]:
        """The mean difference and what it would have to be, for a model right with `skill` where people are right."""
        elsewhere = skill if reversals is None else min(1.0, reversals / max(1e-9, 1 - accuracy))
        chance = np.where(right, skill, elsewhere)[:, :, None]
        model = np.where(np.eye(labels, dtype=bool)[:, None, :], chance, (1 - chance) / (labels - 1))
        joint = (answered / n)[:, :, None] * model
        samples = np.random.default_rng(seed).multinomial(n, joint.ravel() / joint.sum(), size=_STUDIES)
        counts = samples.reshape(_STUDIES, labels, labels + 1, labels).astype(np.float64)
        apart = metric.confusion(counts.sum(axis=3)) - metric.confusion(_with_no_answer(counts.sum(axis=2)))
        same = np.einsum("gmm->", joint[:, :labels])
        wider = (1 + 1 / max(1.0, n * (1 - same))) ** 0.5
        return float(apart.mean()), float(apart.std()) * (level * wider + power)

    def lacking(skill: float) -> float:
        mean, needed = studies(skill)
        return needed - mean

    equal = accuracy if reversals is None else 1.0
    nearly = 0.999 * equal
    if lacking(0.0) > 0 or lacking(nearly) < 0:
        return None
    return studies(float(brentq(lacking, 0.0, nearly, xtol=1e-4)))[0]


def _with_no_answer(confusion: Floats) -> Floats:
    return np.concatenate([confusion, np.zeros((*confusion.shape[:-1], 1))], axis=-1)
