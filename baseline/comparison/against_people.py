"""How models differ from people: from their one answer and from the average person, and in equivalence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from baseline.human.baseline import HumanBaseline
from baseline.human.interval_scope import scope
from data.errors import BadSetting
from eval.ballots import Ballots, individual
from eval.comparison.alt_test import AlternativeTest, alternative_annotator
from eval.comparison.difference import Difference, Equivalence, difference, equivalence, holm
from eval.comparison.people_difference import ReferencePeople, wider_difference, wider_differences
from eval.intervals.clusters import FEWEST_CLUSTERS
from eval.metrics.table import metric_named
from eval.panel import one_answer_is_mean, one_answer_of

NO_MARGIN = "no margin was chosen before looking at the scores (the study's setting, or --margin)."
NO_SCORE = "{why}, so there is no score to compare."
NO_COMMON = "no item with gold is scored for both this model and the majority of people."
ONE_CLUSTER = "all items share one {unit}, and nothing shows how another would differ."
SEVERAL = "its samples are level on some items, and this takes one answer to each."

Differences = list[Difference | None]


def from_one_answer(human: HumanBaseline, said: Sequence[Ballots]) -> Differences:
    """Return each one's difference from the people's one answer by the task's first metric, None without common items.

    Their intervals hold for what the rules ask for.
    """
    return _differences(human, said, reference_people(human))


def from_a_person(human: HumanBaseline, said: Sequence[Ballots]) -> Differences:
    """Return each one's difference from the average person: from people's single answers, all weighing the same."""
    if one_person_is_people(human):
        return from_one_answer(human, said)
    votes = human.panel.votes
    return _differences(human, said, _against(human, individual(votes), individual))


def one_person_is_people(human: HumanBaseline) -> bool:
    """Return whether one person scores what people's one answer does by construction, and not by chance."""
    metric, panel = metric_named(human.task.primary), human.panel
    counted = metric.is_mean or (panel.votes.names is None and metric.of_confusion is not None)
    return counted and one_answer_is_mean(panel)


def person_from_one_answer(human: HumanBaseline) -> Difference | None:
    """Return the difference of people's single answers from their one answer, None where these are one."""
    if one_person_is_people(human):
        return None
    said, majority = individual(human.panel.votes), human.panel.consensus.ballots
    compared = _over_items(human, said, majority)
    if compared is None or human.panel.rules.interval == "items":
        return compared
    return wider_difference(compared, individual, reference_people(human))


def reference_people(human: HumanBaseline) -> ReferencePeople:
    """Return the people whose one answer others are compared with."""
    return _against(human, human.panel.consensus.ballots, one_answer_of(human.panel))


def _against(human: HumanBaseline, people: Ballots, answer: Any) -> ReferencePeople:
    panel, metric = human.panel, metric_named(human.task.primary)
    return ReferencePeople(metric, panel.gold, panel.votes, people, answer, panel.resampling.clusters)


def _differences(human: HumanBaseline, said: Sequence[Ballots], people: ReferencePeople) -> Differences:
    differences = [_over_items(human, each, people.people) for each in said]
    return differences if human.panel.rules.interval == "items" else wider_differences(differences, said, people)


def _over_items(human: HumanBaseline, said: Ballots, people: Ballots) -> Difference | None:
    panel = human.panel
    if not panel.gold:
        return None
    compared = difference(human.task.primary, panel.gold, said, people, panel.resampling)
    return compared if compared.n else None


@dataclass(frozen=True, eq=False)
class AgainstPeople:
    """What is known of one model beside its difference from people; where a part is a sentence, it says why it lacks.

    `p_holm` is the p-value of the difference from people's one answer adjusted over the models of the table, or over
    its naive baselines, which are a family of their own; None without a test. `p_person_holm` is that of the difference
    from the average person: another question, so it has its own adjustment. `equivalence` is to the human majority,
    adjusted in the same way, `alternative` the alternative-annotator test.
    """

    p_holm: float | None
    p_person_holm: float | None
    equivalence: Equivalence | str
    alternative: AlternativeTest | str

    def as_dict(self) -> dict[str, Any]:
        """Return the keys that `results --json` has beside its fixed ones; `refused` says why a value lacks."""
        parts = {name: getattr(self, name) for name in ("equivalence", "alternative")}
        shown = {name: {"refused": part} if isinstance(part, str) else part.as_dict() for name, part in parts.items()}
        if isinstance(self.equivalence, Equivalence):
            shown["equivalence"] |= {"covers": scope(self.equivalence.unit, other_people=False)}
        return {"p_holm": self.p_holm, "p_person_holm": self.p_person_holm, **shown}


def against_people(
    human: HumanBaseline,
    said: Sequence[Ballots],
    apart: Sequence[tuple[Difference | None, Difference | None]],
    families: Sequence[str],
    *,
    margin: float | None,
    epsilon: float,
) -> list[AgainstPeople]:
    """Return how each respondent stands to the people of a study.

    `apart` are the differences of each from people's one answer and from the average person; `families` says of each
    which others it is corrected with ("model", "naive"). `margin` is that of equivalence, in units of the task's first
    metric: None gives no verdict, one that is not above 0 is refused. `epsilon` is that of the alternative-annotator
    test.
    """
    if margin is not None and not 0 < margin < np.inf:
        raise BadSetting(f"The margin must be above 0, got {margin!r}; choose it before looking at the scores.")
    majority, person = (
        holm([each.p if each else None for each in (pair[at] for pair in apart)], families) for at in (0, 1)
    )
    tested = [NO_MARGIN if margin is None else _equivalence(human, given, margin) for given in said]
    equal = holm([None if isinstance(test, str) else test.p for test in tested], families)
    return [
        AgainstPeople(
            majority[place],
            person[place],
            test if isinstance(test, str) else test.adjusted(equal[place]),
            _alternative_annotator(human, given, epsilon),
        )
        for place, (given, test) in enumerate(zip(said, tested, strict=True))
    ]


def _equivalence(human: HumanBaseline, said: Ballots, margin: float) -> Equivalence | str:
    panel = human.panel
    if panel.why_no_scores:
        return NO_SCORE.format(why=panel.why_no_scores)
    if human.one_cluster:
        return ONE_CLUSTER.format(unit=human.one_cluster)
    tested = equivalence(human.task.primary, panel.gold, said, panel.consensus.ballots, panel.resampling, margin=margin)
    if not tested.n:
        return NO_COMMON
    if tested.p == tested.p:
        return tested
    return (
        f"the items come from fewer than {FEWEST_CLUSTERS} {tested.unit}s: too few to keep the test's error rate at 5%."
    )


def _alternative_annotator(human: HumanBaseline, said: Ballots, epsilon: float) -> AlternativeTest | str:
    if human.one_cluster:
        return ONE_CLUSTER.format(unit=human.one_cluster)
    if not _one_each(said):
        return SEVERAL
    return alternative_annotator(human.panel.votes, said.single_answers, epsilon=epsilon, scale=human.panel.scale)


def _one_each(said: Ballots) -> bool:
    return bool((said.weights == np.floor(said.weights)).all() and (said.weights.sum(axis=1) <= 1).all())
