"""How far models are from people under the rules of a panel: from their one answer, and from one person alone."""

from collections.abc import Callable, Sequence

from eval.ballots import Ballots, individual
from eval.comparison.difference import Difference, difference
from eval.comparison.people_difference import ReferencePeople, wider_difference, wider_differences
from eval.metrics.table import metric_named
from eval.panel import Panel, one_answer_is_mean, one_answer_of
from eval.votes import Votes

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
