"""How far models are from people under the rules of a panel: from their one answer, and from one person alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eval.arrays import Floats, Mask
from eval.ballots import Ballots, individual
from eval.comparison.difference import Difference, difference, over_people
from eval.intervals import jackknife
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.other_people import Answer, with_gold
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.panel import Panel, one_answer_is_mean, one_answer_of
from eval.scoring import score, values_of
from eval.votes import Votes


@dataclass(frozen=True, eq=False)
class ReferencePeople:
    """People that others are compared with: what they say, and how they would say it with somebody left out."""

    metric: Metric
    gold: Mapping[str, str]
    votes: Votes
    people: Ballots
    answer: Answer
    clusters: Clusters | None = None

    @cached_property
    def variance(self) -> float:
        """The variance over items of what they score."""
        name = self.metric.name
        return jackknife.variance_of(score([name], self.gold, self.people, Resampling(self.clusters))[name].ci)

    def value(self, said: Ballots, counting: Mask) -> float:
        """The metric of some answers on the items that count."""
        if (said.scored & ~counting).any():
            said = replace(said, weights=said.weights * counting[:, None])
        return values_of([self.metric], self.gold, said, self.clusters)[0]


def wider_differences(
    differences: Sequence[Difference | None], said: Sequence[Ballots], against: ReferencePeople
) -> list[Difference | None]:
    """The differences of what others `said` from people, as other people would leave them; p is of that interval."""
    judged = with_gold(against.votes, against.gold)
    if not any(differences) or jackknife.why_these_people(judged, against.clusters):
        return list(differences)
    known = np.array([item in against.gold for item in against.votes.items], dtype=bool)
    asked = [each.on(against.votes.items) for each in said]
    own: dict[tuple[int, bytes], float] = {}

    def scores(people: Ballots) -> list[tuple[float, float]]:
        """The score of each of the others and that of people, on the items that both answered."""
        theirs: dict[bytes, float] = {}
        row = []
        for place, each in enumerate(asked):
            counting = each.scored & people.scored & known
            key = counting.tobytes()
            if (place, key) not in own:
                own[place, key] = against.value(each, counting)
            if key not in theirs:
                theirs[key] = against.value(people, counting)
            row.append((own[place, key], theirs[key]))
        return row

    def gaps(rest: Votes) -> list[float]:
        return [first - second for first, second in scores(against.answer(rest))]

    items = int((against.people.scored & known).sum())
    of_items = [against.variance * items / each.n if each and each.n else float("nan") for each in differences]
    values = jackknife.values_without_each(judged, gaps, of_items)
    return [
        each and _apart(each, values[:, place], theirs, against.metric)
        for place, (each, (_, theirs)) in enumerate(zip(differences, scores(against.people), strict=True))
    ]


def wider_difference(difference: Difference, first: Answer, against: ReferencePeople) -> Difference:
    """The difference of people from people, both out of the same votes."""
    judged = with_gold(against.votes, against.gold)
    if jackknife.why_these_people(judged, against.clusters):
        return difference

    def gap(rest: Votes) -> list[float]:
        one, other = first(rest), against.answer(rest)
        counting = np.asarray(one.scored & other.scored)
        return [against.value(one, counting) - against.value(other, counting)]

    span = against.metric.high - against.metric.low
    values = jackknife.values_without_each(judged, gap, [jackknife.variance_of(difference.ci)])
    return over_people(
        difference, jackknife.wider_interval(difference.value, difference.ci, values[:, 0], low=-span, high=span)
    )


def _apart(difference: Difference, gaps: Floats, people: float, metric: Metric) -> Difference:
    """The difference of a model from what `people` score, given its `gaps` (G,) without each group of people."""
    error, span = jackknife.people_error(gaps), metric.high - metric.low
    low, high = jackknife.people_interval(people, error, len(gaps), low=metric.low, high=metric.high)
    # What people could score more is what the model could be further behind.
    theirs = difference.value - (high - people), difference.value + (people - low)
    return over_people(difference, jackknife.joined(difference.value, difference.ci, theirs, low=-span, high=span))


FromPeople = list[Difference | None]
"""The differences of respondents, None where there is no gold or no common item."""


def from_people(panel: Panel, metric: str, said: Sequence[Ballots]) -> tuple[FromPeople, FromPeople]:
    """How far each respondent is from people's one answer, and from their single answers, all weighing the same.

    Intervals hold for what the rules ask for.

    >>> import pandas as pd
    >>> from eval.ballots import answers
    >>> from eval.panel import PanelRules, StudyData, panel
    >>> rows = [("q1", *given) for given in ("xa", "ya", "zb")] + [("q2", *given) for given in ("xb", "yb", "zb")]
    >>> judgments = pd.DataFrame(rows, columns=["item", "worker", "label"])
    >>> judgments = judgments.assign(role="main", status="counted", reason="")
    >>> items = pd.DataFrame({"item": ["q1", "q2"], "role": "main", "gold": ["a", "b"]})
    >>> people = panel(StudyData(judgments, items), PanelRules())
    >>> model = answers({"q1": "b", "q2": "b"}, items=["q1", "q2"], labels=["a", "b"])
    >>> (one_answer,), (one_person,) = from_people(people, "accuracy", [model])
    >>> one_answer.value, round(one_person.value, 3)
    (-0.5, -0.333)
    """
    one_answer = _differences(panel, metric, said, reference_people(panel, metric))
    if one_person_is_people(panel, metric):
        return one_answer, one_answer
    return one_answer, _differences(panel, metric, said, _reference(panel, metric, individual(panel.votes), individual))


def one_person_is_people(panel: Panel, metric: str) -> bool:
    """Whether one person scores what people's one answer does by construction, and not by chance."""
    chosen = metric_named(metric)
    counted = chosen.is_mean or (panel.votes.names is None and chosen.of_confusion is not None)
    return counted and one_answer_is_mean(panel)


def person_from_one_answer(panel: Panel, metric: str) -> Difference | None:
    """The difference of people's single answers from their one answer, None where these are one."""
    if one_person_is_people(panel, metric):
        return None
    apart = _over_items(panel, metric, individual(panel.votes), panel.consensus.ballots)
    if apart is None or panel.rules.interval == "items":
        return apart
    return wider_difference(apart, individual, reference_people(panel, metric))


def reference_people(panel: Panel, metric: str) -> ReferencePeople:
    """The people whose one answer others are compared with."""
    return _reference(panel, metric, panel.consensus.ballots, one_answer_of(panel))


def _reference(panel: Panel, metric: str, people: Ballots, answer: Callable[[Votes], Ballots]) -> ReferencePeople:
    return ReferencePeople(metric_named(metric), panel.gold, panel.votes, people, answer, panel.resampling.clusters)


def _differences(panel: Panel, metric: str, said: Sequence[Ballots], people: ReferencePeople) -> FromPeople:
    apart = [_over_items(panel, metric, each, people.people) for each in said]
    return apart if panel.rules.interval == "items" else wider_differences(apart, said, people)


def _over_items(panel: Panel, metric: str, said: Ballots, people: Ballots) -> Difference | None:
    if not panel.gold:
        return None
    apart = difference(metric, panel.gold, said, people, panel.resampling)
    return apart if apart.n else None
