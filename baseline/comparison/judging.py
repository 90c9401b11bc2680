"""Models as judges: how far each agrees with people, and what people would say of all the items that it has judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from baseline.comparison.document import Section, estimate_words
from baseline.comparison.results import Respondent, Results, alpha_with
from baseline.comparison.score_breakdowns import answer_words
from baseline.human.baseline import names_of
from baseline.human.interval_scope import without_kappa
from data.errors import BadSetting, UnknownName
from data.numbers import DASH, counted, number, with_interval
from data.tables import Column, Table
from data.wording import enumerated
from eval.agreement.beside_people import answers_of_each
from eval.arrays import number_or_none
from eval.ballots import Ballots
from eval.intervals.jackknife import why_these_people
from eval.judges.agreement import AgreementWithPeople, AlphaBeside, wider_with_people, with_people
from eval.judges.ppi import CorrectedScore, Points, PredictionPowered, corrected_score, judged_sample
from eval.panel import one_answer_of
from eval.votes import Votes

LEAST_ITEMS = 30
"""Items that two people must have in common to stand beside each other one by one."""
MOST_PEOPLE = 6
MOST_LABELS = 30
FEW, RARE = 50, 5
"""Items of people below which the interval of a mean of points, and answers of the rarer kind below which that of a
share may be too narrow."""
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


def why_no_judges(results: Results) -> str:
    """Return why models cannot be looked at as judges of a study, "" where they can."""
    votes = results.panel.votes
    if votes.names is not None:
        return OPEN
    return "" if results.models and len(votes) else NOBODY


def judging(results: Results, question: JudgeQuestion = JudgeQuestion()) -> Judging:
    """Return what is known of the judges; raises BadSetting where there is none, UnknownName for a strange model."""
    if why := why_no_judges(results):
        raise BadSetting(f"{results.study.name}: {why}")
    rows, panel = _judges_named(results, question.models), results.panel
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
    worth = ", ".join(f"{label} = {points:g}" for label, points in question.points.items())
    measures = {f"points, {worth}": question.points} if question.points else measures_of(results)
    per_item = _per_item(votes)
    numbers = tuple(
        JudgedNumber(row, group, what, corrected_score(sample), per_item)
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
    task, votes = results.study.task, results.panel.votes
    labels, given = votes.labels, votes.counts.sum(axis=0)
    most = np.sort(np.argsort(-given, kind="stable")[:MOST_LABELS]).tolist()
    shares: dict[str, Points] = {
        f"share of “{answer_words(task, labels[column])}”": {labels[column]: 1.0} for column in most
    }
    if task.answer.level == "nominal" or not all(label.lstrip("-").isdecimal() for label in labels):
        return shares
    return {MEAN: {label: float(label) for label in labels}, **shares}


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
    most = [code for code in np.argsort(-given, kind="stable")[:MOST_PEOPLE].tolist() if given[code] >= LEAST_ITEMS]
    called = names_of(results.study, results.panel)
    people = {called[votes.workers[code]]: said for code, said in answers_of_each(votes, most).items()}
    models = {row.name: row.ballots for row in judges}
    words = {row.name: row.called for row in judges}
    twos = [*combinations(sorted(people), 2), *((model, person) for model in models for person in sorted(people))]
    for one, other in twos:
        agreed = with_people((people | models)[other], (people | models)[one], results.panel.resampling)
        if agreed.equal.n >= LEAST_ITEMS:
            yield JudgedPair(one, words.get(one, one), other, agreed)


def _in_words(estimate: PredictionPowered) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate.method != "none" else DASH


def _powered(estimate: PredictionPowered) -> dict[str, Any]:
    """Return a mean of people's points as JSON has it."""
    return {
        "value": number_or_none(estimate.value),
        "ci": [number_or_none(end) for end in estimate.ci],
        "method": estimate.method,
        "items_of_people": estimate.n,
        "items_of_judge_alone": estimate.alone,
        "weight": estimate.weight,
        "worth_items": round(estimate.worth, 3),
        "items_for_half": estimate.halving,
    }


def _halving_words(row: JudgedNumber) -> str:
    more = row.answers_more
    return DASH if more is None else f"{row.score.corrected.halving} items, {more} more answers"


JUDGES: tuple[Column[Judge], ...] = (
    Column("judge", "judge", "", lambda judge: judge.row.name, read=lambda judge: judge.row.called),
    Column("items", "items in common", "", lambda judge: judge.agreement.equal.n),
    Column("ties", "ties among them", "", lambda judge: judge.agreement.ties),
    Column("equal", "same answer as people", "", lambda judge: judge.agreement.equal, estimate_words),
    Column("kappa", "Cohen's kappa", "", lambda judge: judge.agreement.kappa, estimate_words),
    Column("alpha_people", "alpha of people", "", lambda judge: judge.alpha.people, estimate_words),
    Column("alpha_with", "alpha with the judge", "", lambda judge: judge.alpha.together, estimate_words),
)
PAIRS: tuple[Column[JudgedPair], ...] = (
    Column("one", "one", "", lambda pair: pair.one, read=lambda pair: pair.called),
    Column("other", "other", "", lambda pair: pair.other),
    Column("items", "items in common", "", lambda pair: pair.agreement.equal.n),
    Column("equal", "same answer", "", lambda pair: pair.agreement.equal, estimate_words),
    Column("kappa", "Cohen's kappa", "", lambda pair: pair.agreement.kappa, estimate_words),
)
NUMBERS: tuple[Column[JudgedNumber], ...] = (
    Column("judge", "judge", "", lambda row: row.judge.name, read=lambda row: row.judge.called),
    Column("group", "group", "", lambda row: row.group),
    Column("what", "what", "", lambda row: row.what),
    Column(
        "judge_says",
        "the judge says",
        "Over all its items; a count, not what people would say",
        lambda row: number_or_none(row.score.judge),
        number,
    ),
    Column("judged", "items of the judge", "", lambda row: row.score.judged),
    Column(
        "people",
        "people alone",
        "From the items that people answered, with its 95% interval",
        lambda row: _powered(row.score.people),
        read=lambda row: _in_words(row.score.people),
    ),
    Column("of_people", "items of people", "", lambda row: row.score.people.n),
    Column(
        "corrected",
        "people, with the judge",
        "What people would say of all items: prediction-powered inference (PPI++), with its 95% interval",
        lambda row: _powered(row.score.corrected),
        read=lambda row: _in_words(row.score.corrected),
    ),
    Column(
        "worth",
        "worth",
        "How many items answered by people alone would give as narrow an interval",
        lambda row: row.score.corrected.worth,
        lambda worth: f"{worth:.0f} items",
        ("read",),
    ),
    Column(
        "halving",
        "half as wide",
        "On how many of these items people must have answered for an interval half as wide",
        lambda row: row,
        _halving_words,
        ("read",),
    ),
    Column("answers_more", "answers more", "", lambda row: row.answers_more, forms=("json",)),
)


def number_columns(judged: Judging) -> list[Column[JudgedNumber]]:
    """Return the columns of numbers that people read, with groups only where items are grouped."""
    return [
        column
        for column in Table("", NUMBERS, ()).within("read").columns
        if column.key != "group" or any(row.group for row in judged.numbers)
    ]


def judge_section(judged: Judging) -> Section:
    """Return agreement with people, respondents in pairs, and corrected scores; a table without rows is left out."""
    tables: list[Table[Any]] = [
        Table("How far judges agree with people", JUDGES, judged.judges),
        Table("Respondents in pairs", PAIRS, judged.pairs),
        Table("What people would say of all items", number_columns(judged), judged.numbers),
    ]
    return Section(
        "Does a model judge as people do?",
        lines=tuple(_sentences(judged)),
        notes=tuple(judge_notes(judged)),
        tables=tuple(table for table in tables if table.rows),
    )


def judge_dict(judged: Judging) -> dict[str, Any]:
    """Return all of it in the shape of `judge --json`."""
    return {
        "study": judged.results.study.name,
        "task": judged.results.study.task.id,
        "sampled": judged.sampled,
        "judges": Table("", JUDGES, judged.judges).records,
        "pairs": Table("", PAIRS, judged.pairs).records,
        "scores": Table("", NUMBERS, judged.numbers).within("json").records,
        "notes": judge_notes(judged),
    }


def _sentences(judged: Judging) -> Iterator[str]:
    """Yield a sentence on each judge: how often it gives people's answer, and whether it is one of them."""
    judges = [judge for judge in judged.judges if judge.agreement.equal.n]
    shares = [judge.agreement.equal.value for judge in judges]
    best = "one of the best" if shares.count(max(shares, default=0.0)) > 1 else "the best"
    rank = f", {best} of {len(judges)} judges by this share" if len(judges) > 1 else ""
    for place, judge in enumerate(judges):
        equal, ties = judge.agreement.equal, judge.agreement.ties
        shared = f", ties between people shared out ({ties} of {counted(equal.n, 'item')})" if ties else ""
        yield (
            f"On {100 * equal.value:.1f}% of {counted(equal.n, 'item')}{shared}, {judge.row.called} gives people's "
            f"answer{'' if place else rank}: kappa {number(judge.agreement.kappa.value)}{_alpha_words(judge.alpha)}."
        )


def _alpha_words(alpha: AlphaBeside) -> str:
    if isnan(alpha.people.value) or isnan(alpha.together.value):
        return ""
    before, after = number(alpha.people.value), number(alpha.together.value)
    apart = "falls" if alpha.together.value < alpha.people.value else "rises"
    moves = f"stays at {before}" if before == after else f"{apart} from {before} to {after}"
    return f"; with it among them, agreement of people (alpha) {moves}"


def judge_notes(judged: Judging) -> list[str]:
    """Return how the tables are to be read, and what could not be had and why."""
    return [
        _hold_for(judged),
        *_about_correction(judged),
        *without_kappa([(judge.row.called, judge.agreement.kappa) for judge in judged.judges]),
        *_few(judged),
    ]


def _hold_for(judged: Judging) -> str:
    """Return whom the intervals hold for."""
    panel = judged.results.panel
    unit = panel.resampling.unit
    if not any(judge.agreement.equal.ci_items for judge in judged.judges):
        why = why_these_people(panel.votes, panel.resampling.clusters) if panel.rules.interval == "people" else ""
        none = f" There is none for other people: {why}" if why else ""
        return f"Intervals are 95%, for these people and other {unit}s of the same kind.{none}"
    return (
        f"Intervals are 95%. How far judges agree with people: for other people and other {unit}s. Pairs of "
        f"respondents, and what people would say of all items: for these people and other {unit}s; none is computed "
        "for other people."
    )


def _about_correction(judged: Judging) -> Iterator[str]:
    """Yield of which answers of people scores are corrected, which judges have nothing to correct, and how it is."""
    if judged.sampled is not None:
        yield f"Of people's answers those to {judged.sampled} items drawn at random are used, as if there were no more."
    names = {row.judge.called for row in judged.numbers if not row.score.corrected.alone}
    if names:
        yield (
            f"People answered every item of {enumerated(sorted(names))}: nothing is left to correct, and “people, with "
            "the judge” is “people alone”. judge --sample 100 shows what answers to 100 items would have told."
        )
    if any(row.score.corrected.alone for row in judged.numbers):
        yield (
            "People, with the judge: what the judge says of the items that only it has, moved by how far it is from "
            "people on the items of both. It holds where people's items are a random sample of all."
        )
        yield (
            "Half as wide: how many of these items people must have answered for an interval half as wide, and how "
            "many answers that is beside those there are; a dash where not even all these items would do."
        )


def _few(judged: Judging) -> Iterator[str]:
    """Yield which intervals rest on few answers, and that there are no pairs."""
    corrected = [row for row in judged.numbers if row.score.corrected.alone and row.score.people.n]
    if any(not row.score.binary and row.score.people.n < FEW for row in corrected):
        yield f"Intervals of points from fewer than {FEW} items that people answered are somewhat too narrow."
    if rare := list(dict.fromkeys(row.what for row in corrected if round(row.score.rarer, 9) < RARE)):
        yield (
            f"Intervals may be too narrow until people answer more items, where fewer than {RARE} of their answers are "
            f"on one side: {', '.join(rare[:5])}{' and others' * (len(rare) > 5)}."
        )
    if len(judged.judges) and not judged.pairs:
        yield f"No two respondents can be compared: no person shares {LEAST_ITEMS} items with another or with a judge."
