"""How far a judge agrees with people, with intervals that hold for other people too."""

from collections.abc import Callable, Sequence

import numpy as np

from eval.agreement.alpha import Level
from eval.ballots import Ballots
from eval.intervals.clusters import Clusters
from eval.intervals.jackknife import why_these_people, wider_estimate, without_each
from eval.intervals.noise_of_votes import values_without_each, variance_of
from eval.intervals.other_people import ONCE
from eval.judges.agreement import AgreementWithPeople, AlphaBeside, alpha_beside, with_people
from eval.votes import Votes


def wider_with_people(
    over_items: AgreementWithPeople,
    votes: Votes,
    answer: Callable[[Votes], Ballots],
    judge: Ballots,
    clusters: Clusters | None = None,
) -> AgreementWithPeople:
    """A judge's agreement with people's one answer, that answer made anew without each of them.

    Returns:
        With the wider intervals, the narrower ones beside them; as it is where none holds for other people
        (`eval.intervals.jackknife.why_these_people`).
    """
    judged = votes.keep(judge.scored[votes.item])
    if why_these_people(judged, clusters):
        return over_items

    def figures(rest: Votes) -> list[float]:
        agreement = with_people(answer(rest), judge, ONCE)
        return [agreement.equal.value, agreement.kappa.value]

    of_items = [variance_of(over_items.equal.ci), variance_of(over_items.kappa.ci)]
    equal, kappa = values_without_each(judged, figures, of_items).T
    return AgreementWithPeople(
        wider_estimate(over_items.equal, equal, low=0.0, high=1.0),
        wider_estimate(over_items.kappa, kappa, low=-1.0, high=1.0),
        over_items.ties,
    )


def wider_alphas(
    over_items: AlphaBeside,
    votes: Votes,
    judge: Ballots,
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    clusters: Clusters | None = None,
) -> AlphaBeside:
    """Alpha of people and with a judge, computed anew without each of the people."""
    judged = votes.keep(judge.scored[votes.item])
    if why_these_people(judged, clusters):
        return over_items
    without = [alpha_beside(rest, judge, ONCE, level=level, values=values) for rest in without_each(judged)]
    return AlphaBeside(
        wider_estimate(over_items.people, np.array([each.people.value for each in without]), low=-1.0, high=1.0),
        wider_estimate(over_items.together, np.array([each.together.value for each in without]), low=-1.0, high=1.0),
    )
