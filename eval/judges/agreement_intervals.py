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

    Parameters
    ----------
    over_items : AgreementWithPeople
        With its intervals over items.
    votes : Votes
        The judgments of people; those on items that the judge was asked count.
    answer : function of Votes to Ballots
        People's one answer to each item.
    judge : Ballots
        One answer to each item.
    clusters : Clusters, optional
        What binds items that are not independent.

    Returns
    -------
    AgreementWithPeople
        With the wider intervals, the narrower ones beside them; as it is where none holds for other people
        (`eval.intervals.jackknife.why_these_people`).

    Examples
    --------
    >>> from eval.ballots import answers
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", name, "ab"[(n + (n == slip)) % 2]) for n in range(20) for slip, name in enumerate("vwxyz")]
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> judge = answers({f"q{n}": "ab"[n % 2] for n in range(1, 20)}, items=votes.items, labels=votes.labels)
    >>> from eval.consensus.majority import majority
    >>> over_items = with_people(majority(votes).ballots, judge)
    >>> wider = wider_with_people(over_items, votes, lambda people: majority(people).ballots, judge)
    >>> wider.equal.value, wider.equal.ci_items == over_items.equal.ci
    (1.0, True)
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
    """Alpha of people and with a judge, computed anew without each of the people.

    Parameters
    ----------
    over_items : AlphaBeside
        With its intervals over items.
    votes, judge, level, values
        As `alpha_beside` takes them.
    clusters : Clusters, optional
        What binds items that are not independent.

    Returns
    -------
    AlphaBeside
        With the wider intervals, the narrower ones beside them.

    Examples
    --------
    >>> from eval.ballots import answers
    >>> from eval.votes import code
    >>> rows = [(f"q{n}", name, "ab"[(n + (n == slip)) % 2]) for n in range(20) for slip, name in enumerate("vwxyz")]
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> judge = answers({f"q{n}": "ab"[n % 2] for n in range(1, 20)}, items=votes.items, labels=votes.labels)
    >>> people = wider_alphas(alpha_beside(votes, judge), votes, judge).people
    >>> round(people.value, 3), [round(end, 2) for end in people.ci_items], [round(end, 2) for end in people.ci]
    (0.833, [0.66, 0.96], [0.6, 0.98])
    """
    judged = votes.keep(judge.scored[votes.item])
    if why_these_people(judged, clusters):
        return over_items
    without = [alpha_beside(rest, judge, ONCE, level=level, values=values) for rest in without_each(judged)]
    return AlphaBeside(
        wider_estimate(over_items.people, np.array([each.people.value for each in without]), low=-1.0, high=1.0),
        wider_estimate(over_items.together, np.array([each.together.value for each in without]), low=-1.0, high=1.0),
    )
