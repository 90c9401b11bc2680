"""Models as judges: how far each agrees with people, and what people would say of all the items that it has judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from baseline.comparison.confusion import answer_words
from baseline.comparison.peer_agreement import alpha_with
from baseline.comparison.results import Respondent, Results
from baseline.human.deidentified import names_of
from data.errors import BadSetting, UnknownName
from eval.ballots import Ballots, answers
from eval.judges.agreement import AgreementWithPeople, AlphaBeside, wider_with_people, with_people
from eval.judges.ppi import CorrectedScore, Points, corrected_score, judged_sample
from eval.panel import one_answer_of
from eval.votes import Votes

LEAST_ITEMS = 30
"""Items that two people must have in common to stand beside each other one by one."""
MOST_PEOPLE = 6
MOST_LABELS = 30
MEAN = "mean"
OPEN = "judges are compared by the labels of a closed list; the answers of this study are open."
NOBODY = "no model has answered yet, or no person: there is no judge to set beside people."


@dataclass(frozen=True)
class JudgeQuestion:
    """What is asked of judges.

    `models` are those looked at, () for all but naive baselines where there are others. `points` are what labels are
    worth in one number, nothing for the share of each label; `groups` name the group of each item, nothing for all
    items together. `sample` keeps the answers of people to so many items alone, drawn by `seed`: what would be known
    with fewer answers.
    """

    models: tuple[str, ...] = ()
    points: Points = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    sample: int | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Judge:
    """One model beside people's one answer, and as one more annotator."""

    row: Respondent
    agreement: AgreementWithPeople
    alpha: AlphaBeside


@dataclass(frozen=True, eq=False)
class JudgedPair:
    """Two respondents on the items both have: people, or one of them and a model, which is `called` as people read."""

    one: str
    called: str
    other: str
    agreement: AgreementWithPeople


@dataclass(frozen=True, eq=False)
class JudgedNumber:
    """One number of one judge: `what` it is, over the items of a `group` ("" for all), before and after correction."""

    judge: Respondent
    group: str
    what: str
    score: CorrectedScore
    per_item: float

    @property
    def answers_more(self) -> int | None:
        """How many more answers of people would make the interval half as wide; None where these items do not do."""
        corrected = self.score.corrected
        return None if corrected.halving is None else round((corrected.halving - corrected.n) * self.per_item)


@dataclass(frozen=True, eq=False)
class Judging:
    """What is known of the judges of a study; `sampled` says how many items kept people's answers, None for all."""

    results: Results
    judges: tuple[Judge, ...]
    pairs: tuple[JudgedPair, ...]
    numbers: tuple[JudgedNumber, ...]
    sampled: int | None = None

    @property
    def other_people(self) -> bool:
        """Whether the intervals of how far judges agree with people hold for other people too."""
        return any(judge.agreement.equal.ci_items for judge in self.judges)

    @property
    def grouped(self) -> bool:
        """Whether numbers are by group of items."""
        return any(each.group for each in self.numbers)


def why_no_judges(results: Results) -> str:
    """Return why models cannot be looked at as judges of a study, "" where they can."""
    votes = results.human.panel.votes
    if votes.names is not None:
        return OPEN
    return "" if results.models and len(votes) else NOBODY


def judging(results: Results, question: JudgeQuestion = JudgeQuestion()) -> Judging:
    """Return what is known of the judges; raises BadSetting where there is none, UnknownName for a strange model."""
    if why := why_no_judges(results):
        raise BadSetting(f"{results.study.name}: {why}")
    rows, panel = _judges_named(results, question.models), results.human.panel
    people, votes = panel.consensus.ballots, panel.votes
    if question.sample is not None:
        people, votes = _sampled(people, votes, question.sample, question.seed)
    answer, others = one_answer_of(panel), panel.rules.interval == "people"
    judges = []
    for row in rows:
        agreed = with_people(people, row.ballots, panel.resampling)
        if others:
            agreed = wider_with_people(agreed, votes, answer, row.ballots, panel.resampling.clusters)
        if alpha := alpha_with(results.human, votes, row.ballots):
            judges.append(Judge(row, agreed, alpha))
    judges.sort(key=lambda judge: -np.nan_to_num(judge.agreement.equal.value, nan=-1.0))
    measures = {_points_words(question.points): question.points} if question.points else measures_of(results)
    numbers = tuple(
        JudgedNumber(row, group, what, corrected_score(sample), _per_item(votes))
        for judge in judges
        for row in [judge.row]
        for group, within in _groups(votes.items, question.groups)
        for what, points in measures.items()
        for sample in [judged_sample(people, row.ballots, points, panel.resampling, within=within)]
        if len(sample.people) + len(sample.alone)
    )
    return Judging(results, tuple(judges), tuple(_pairs(results, rows, votes)), numbers, question.sample)


def measures_of(results: Results) -> dict[str, Points]:
    """Return the numbers that are told of a study: the mean of a scale, and the share of each label.

    Of very many labels those that people give most.
    """
    task, votes = results.study.task, results.human.panel.votes
    labels, given = votes.labels, votes.counts.sum(axis=0)
    most = np.sort(np.argsort(-given, kind="stable")[:MOST_LABELS]).tolist()
    shares: dict[str, Points] = {
        f"share of “{answer_words(task, labels[column])}”": {labels[column]: 1.0} for column in most
    }
    if task.answer.level == "nominal" or not all(label.lstrip("-").isdecimal() for label in labels):
        return shares
    return {MEAN: {label: float(label) for label in labels}, **shares}


def _points_words(points: Points) -> str:
    return "points, " + ", ".join(f"{label} = {worth:g}" for label, worth in points.items())


def _judges_named(results: Results, models: Sequence[str]) -> list[Respondent]:
    known = {row.name.removeprefix("model:"): row for row in results.models}
    for model in models:
        if model.removeprefix("model:") not in known:
            raise UnknownName("the model", model, known)
    if models:
        return [known[model.removeprefix("model:")] for model in models]
    return [row for row in results.models if row.kind == "model"] or list(results.models)


def _sampled(people: Ballots, votes: Votes, number: int, seed: int) -> tuple[Ballots, Votes]:
    """Return people's answers to so many items, drawn at random among those they answered."""
    answered = np.flatnonzero(people.scored)
    if not 2 <= number <= len(answered):
        raise BadSetting(f"--sample must be from 2 to the {len(answered)} items that people answered, got {number!r}.")
    kept = np.zeros(len(people.items), dtype=bool)
    kept[np.random.default_rng(seed).choice(answered, size=number, replace=False)] = True
    return replace(people, weights=people.weights * kept[:, None]), votes.keep(kept[votes.item])


def _groups(items: Sequence[str], groups: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    if not groups:
        yield "", None
    named = np.array([groups.get(item, "") for item in items], dtype=object)
    for group in sorted(set(groups.values())):
        yield group, np.asarray(named == group, dtype=bool)


def _per_item(votes: Votes) -> float:
    """Return how many answers of people an item that has any usually has."""
    sizes = votes.counts.sum(axis=1)
    return float(np.median(sizes[sizes > 0])) if sizes.any() else 1.0


def _pairs(results: Results, judges: Sequence[Respondent], votes: Votes) -> Iterator[JudgedPair]:
    """Yield people in pairs, then each judge with each of them: those with most answers, of enough common items."""
    given = np.bincount(votes.worker, minlength=len(votes.workers))
    most = np.argsort(-given, kind="stable")[:MOST_PEOPLE].tolist()
    called = names_of(results.study, results.human.panel)
    people = {called[votes.workers[code]]: _answers_of(votes, code) for code in most if given[code] >= LEAST_ITEMS}
    models = {row.name: row.ballots for row in judges}
    words = {row.name: row.called for row in judges}
    twos = [*combinations(sorted(people), 2), *((model, person) for model in models for person in sorted(people))]
    for one, other in twos:
        agreed = with_people((people | models)[other], (people | models)[one], results.human.panel.resampling)
        if agreed.equal.n >= LEAST_ITEMS:
            yield JudgedPair(one, words.get(one, one), other, agreed)


def _answers_of(votes: Votes, code: int) -> Ballots:
    """Return one worker's first answer to each item."""
    mine = np.flatnonzero(votes.worker == code)[::-1]
    given: dict[str, str | None] = {votes.items[votes.item[place]]: votes.labels[votes.label[place]] for place in mine}
    return answers(given, items=votes.items, labels=votes.labels)
