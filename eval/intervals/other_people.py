"""Human figures with intervals that hold for other people too, and models set against such people.

`ci` of what is given is over items; what is returned has the wider one in its place and keeps the narrower beside it.
Where there is no wider one (`why_these_people`) everything is returned as it is.
"""

from collections.abc import Callable, Mapping

import numpy as np

from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.jackknife import values_without_each, variance_of, why_these_people, wider_estimate
from eval.metrics.table import metric_named
from eval.scoring import values_of
from eval.votes import Votes

ONCE = Resampling(draws=1)
"""For values alone: what follows from them has no interval of its own."""
Answer = Callable[[Votes], Ballots]
"""What people say to each item, one answer out of many or every one of them, out of their votes."""


def with_gold(votes: Votes, gold: Mapping[str, str]) -> Votes:
    """The votes on items with gold, over the same dictionaries.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> len(with_gold(votes, {"q1": "a"}))
    2
    """
    known = np.array([item in gold for item in votes.items], dtype=bool)
    return votes if known.all() else votes.keep(known[votes.item])


def wider(
    estimate: Estimate, votes: Votes, figure: Callable[[Votes], float], clusters: Clusters | None = None
) -> Estimate:
    """An estimate from 0 to 1, given how its `figure` is computed anew out of a part of the votes."""
    if why_these_people(votes, clusters):
        return estimate
    values = values_without_each(votes, lambda rest: [figure(rest)], [float("nan")])
    return wider_estimate(estimate, values[:, 0], low=0.0, high=1.0)


def wider_scores(
    estimates: Mapping[str, Estimate],
    gold: Mapping[str, str],
    votes: Votes,
    answer: Answer,
    clusters: Clusters | None = None,
) -> dict[str, Estimate]:
    """The scores, by metric, of what people answer."""
    judged = with_gold(votes, gold)
    if not estimates or why_these_people(judged, clusters):
        return dict(estimates)
    metrics = [metric_named(name) for name in estimates]
    of_items = [variance_of(each.ci) for each in estimates.values()]
    values = values_without_each(judged, lambda rest: values_of(metrics, gold, answer(rest), clusters), of_items)
    return {
        m.name: wider_estimate(estimates[m.name], values[:, place], low=m.low, high=m.high)
        for place, m in enumerate(metrics)
    }
