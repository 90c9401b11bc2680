"""The smallest difference from people that a study's own items show, by its own metric."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from eval.arrays import Floats
from eval.ballots import Ballots
from eval.comparison.paired_proportions import PairedCounts
from eval.comparison.people_difference import ReferencePeople
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import people_error, people_interval, why_these_people
from eval.intervals.noise_of_votes import noise_of_votes, values_without_each
from eval.intervals.other_people import with_gold
from eval.label_histogram import LabelHistogram
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.planner import detectable
from eval.scoring import value_of, values_of
from eval.tally import Tally, tally
from eval.votes import Votes

_STUDIES, _FEWEST = 400, 20
_LEVEL, _POWER = float(ndtri(0.975)), float(ndtri(0.8))


@dataclass(frozen=True)
class SmallestDifference:
    """A model worse by `value`, in units of the metric, is told from people in four studies of five of `n` items.

    None where the items are too few for any. `above` is the same of a better model, None where people leave too little
    above them. `score` is people's; for metrics of the corpus, where it is None, `above` is not computed.
    """

    value: float | None
    n: int
    above: float | None = None
    score: float | None = None


@dataclass(frozen=True)
class PeopleSpread:
    """What other people add to a difference from people, in units of the metric.

    `below` and `above` are how far the interval over people reaches on either side of their score, `error` how far
    people's score truly varies with who they are, without the noise of single answers that the former hold too;
    `groups` of them were left out.
    """

    below: float
    above: float
    error: float
    groups: int

    def needed(self, margin: float, error: float, *, above: bool = False) -> float:
        """The difference that is shown with power 0.8, given the part over items of the interval and of its error.

        Of a model that stands below people, or `above` them. The interval itself varies from study to study, as an
        error from so few people does.
        """
        reach = self.above if above else self.below
        both = hypot(margin, reach)
        swing = reach**2 / both / (2 * (self.groups - 1)) ** 0.5 if both else 0.0
        return both + _POWER * hypot(error, self.error, swing)


THESE_PEOPLE = PeopleSpread(0.0, 0.0, 0.0, 2)
"""Where the test holds for the people who answered."""


def people_spread(people: ReferencePeople) -> PeopleSpread | None:
    """How people's score varies with who they are; None where no interval holds for other people.

    The noise of single votes (`noise_of_votes`), of which the interval over items has its part, is taken out.

    Parameters
    ----------
    people : ReferencePeople
        Whom models are compared with.

    Returns
    -------
    PeopleSpread or None

    Examples
    --------
    >>> from eval.consensus.majority import majority
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", name, "ab"[n % 7 == slip]) for n in range(20) for slip, name in enumerate("vwxyz")]
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> said = majority(votes).ballots
    >>> gold = {item: "a" for item in votes.items}
    >>> people = ReferencePeople(metric_named("accuracy"), gold, votes, said, lambda left: majority(left).ballots)
    >>> people_spread(people)  # nobody's slip changes the majority
    PeopleSpread(below=0.0, above=0.0, error=0.0, groups=5)
    """
    judged = with_gold(people.votes, people.gold)
    if why_these_people(judged, people.clusters):
        return None
    metric = people.metric

    def scores(votes: Votes) -> list[float]:
        return values_of([metric], people.gold, people.answer(votes), people.clusters)

    values = values_without_each(judged, scores, [people.variance])[:, 0]
    error, groups, noise = people_error(values), len(values), float(noise_of_votes(judged, scores)[0])
    noise = min(noise, people.variance)
    value = values_of([metric], people.gold, people.people, people.clusters)[0]
    low, high = people_interval(value, error, groups, low=metric.low, high=metric.high)
    spread = PeopleSpread(value - low, high - value, max(0.0, error**2 - noise) ** 0.5, groups)
    return None if np.isnan(spread.below + spread.error) else spread


def smallest_difference(
    metric: str,
    gold: Mapping[str, str],
    people: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    by_model: float | None = None,
    by_people: float | None = None,
    spread: PeopleSpread = THESE_PEOPLE,
) -> SmallestDifference | None:
    """The smallest difference from `people`, whose one answer to each item this is, shown with power 0.8 at level 0.05.

    It is that of the test over items, for these people; with a `spread` that of the test for other people too.

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
    by_model : float, optional
        The share of what people have wrong, 0 to 1, that a model below them has right; without it errors are taken for
        independent.
    by_people : float, optional
        The share of what a model above people has wrong, 0 to 1, that they have right; without it likewise.
    spread : PeopleSpread
        What other people add.

    Returns
    -------
    SmallestDifference or None
        In units of the metric.

    Examples
    --------
    >>> from eval.ballots import answers
    >>> gold = {f"q{n}": "a" for n in range(100)}
    >>> people = answers(dict(gold, q0="b"), items=list(gold), labels=["a", "b"])
    >>> smallest = smallest_difference("accuracy", gold, people, by_model=1.0)
    >>> None if smallest is None else round(smallest.value, 3)
    0.083
    """
    chosen = metric_named(metric)
    counted = tally(chosen, gold, people, clusters=resampling.clusters)
    n = int(counted.multiplicity.sum())
    if not n or not isinstance(counted, LabelHistogram) or counted.graded or not counted.one_each.all():
        return None
    if not chosen.is_mean:
        if n < _FEWEST or len(counted.totals(0, counted.multiplicity[None])[0]) < 2:
            return None
        simulated = _simulated(chosen, counted, n, by_model, seed=resampling.seed, spread=spread)
        return SmallestDifference(simulated, n)
    accuracy = value_of(counted, 0)
    below, better = (
        detectable(n, accuracy, reversals=reversals, above=above)
        if spread == THESE_PEOPLE
        else _over_people(n, accuracy, reversals, spread, above=above)
        for above, reversals in (
            (False, _reversals(by_model, accuracy, above=False)),
            (True, _reversals(by_people, accuracy, above=True)),
        )
    )
    return SmallestDifference(below, n, better, accuracy)


def _reversals(share: float | None, accuracy: float, *, above: bool) -> Callable[[float], float] | None:
    """The share of items that just the worse one has right, at a difference: this `share` of the better one's errors.

    The other one stands below the `accuracy` of people, or `above` it; the worse one has no more right than in all.
    """
    if share is None:
        return None

    def only_worse(difference: float) -> float:
        better, worse = (accuracy + difference, accuracy) if above else (accuracy, accuracy - difference)
        return max(0.0, min(share * (1 - better), worse))

    return only_worse


def _over_people(
    n: int, accuracy: float, reversals: Callable[[float], float] | None, spread: PeopleSpread, *, above: bool
) -> float | None:
    """The difference in accuracy shown for other people too: by expected counts and a normal approximation."""
    room = 1 - accuracy if above else accuracy

    def lacking(difference: float) -> float:
        worse = (1 - room) * (room - difference) if reversals is None else reversals(difference)
        better = min(1 - worse, difference + worse)
        margin = difference + PairedCounts(n * worse, n * better, n).interval()[1]
        variance = max(0.0, better + worse - difference**2) / n
        return spread.needed(margin, variance**0.5, above=above) - difference

    largest = room if reversals is None else room - reversals(room)
    if largest <= 0 or lacking(largest) > 0:
        return None
    return float(brentq(lacking, 0, largest))


def _simulated(
    metric: Metric, counted: Tally, n: int, by_model: float | None, *, seed: int, spread: PeopleSpread
) -> float | None:
    """The expected difference from a model just bad enough; its wrong answers are spread over the other labels.

    By the normal approximation to the simulated differences; the bootstrap's made-up item widens the test as much as
    one more differing item does.
    """
    answered = counted.totals(0, counted.multiplicity[None])[0]
    labels = len(answered)
    right = np.eye(labels, labels + 1, dtype=bool)
    accuracy = float(answered[right].sum()) / n

    def studies(skill: float) -> tuple[float, float]:
        """The mean difference and what it would have to be, for a model right with `skill` where people are right."""
        elsewhere = skill if by_model is None else by_model
        chance = np.where(right, skill, elsewhere)[:, :, None]
        model = np.where(np.eye(labels, dtype=bool)[:, None, :], chance, (1 - chance) / (labels - 1))
        joint = (answered / n)[:, :, None] * model
        samples = np.random.default_rng(seed).multinomial(n, joint.ravel() / joint.sum(), size=_STUDIES)
        counts = samples.reshape(_STUDIES, labels, labels + 1, labels).astype(np.float64)
        apart = metric.confusion(counts.sum(axis=3)) - metric.confusion(_with_no_answer(counts.sum(axis=2)))
        same = np.einsum("gmm->", joint[:, :labels])
        wider = (1 + 1 / max(1.0, n * (1 - same))) ** 0.5
        error = float(apart.std())
        return float(apart.mean()), spread.needed(error * _LEVEL * wider, error)

    def lacking(skill: float) -> float:
        mean, needed = studies(skill)
        return needed - mean

    equal = accuracy if by_model is None else 1.0
    nearly = 0.999 * equal
    if lacking(0.0) > 0 or lacking(nearly) < 0:
        return None
    return studies(float(brentq(lacking, 0.0, nearly, xtol=1e-4)))[0]


def _with_no_answer(confusion: Floats) -> Floats:
    return np.concatenate([confusion, np.zeros((*confusion.shape[:-1], 1))], axis=-1)
