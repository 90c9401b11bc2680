"""People and models side by side: one row per respondent, how it differs from people and how far it agrees with them.

All are scored by the same function on the same items.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd

from baseline.comparison.position_bias import first_shown
from baseline.human.baseline import (
    HumanBaseline,
    baseline_of,
    collected,
    consensus_words,
    names_of,
    needs_texts,
    on_kept,
)
from baseline.human.interval_scope import scope
from baseline.runs.batch_files import waits
from baseline.runs.result_runs import ResultRun, known_gold, result_runs, why_unanswered
from baseline.runs.run_prompts import in_our_numbers, requests_each
from baseline.runs.run_state import IMPORTED, imported_words, status_words, under_way
from data.answers.form import criteria
from data.answers.pairwise import TIE, Pairwise
from data.errors import BadSetting
from data.task import Task
from db import frames
from db.engine import Session
from db.runs import Run, thinking, wordless
from db.scoring_frames import CODED, UNKNOWN, answers_of_runs, places
from db.studies import Study
from eval import ballots
from eval.agreement.beside_people import EQUAL, ERROR, PeerMeasure, answers_of_each, everybody, measure_of, single_rows
from eval.agreement.peer_figures import peer_figures
from eval.arrays import Floats, Integers
from eval.ballots import Ballots, individual
from eval.comparison.alt_test import EPSILON, AlternativeTest, alternative_annotator
from eval.comparison.difference import Difference, Equivalence, equivalence, holm
from eval.comparison.from_people import from_people, person_from_one_answer
from eval.comparison.peer_difference import between, from_one_person
from eval.consensus.majority import majority
from eval.estimate import Estimate
from eval.intervals.clusters import FEWEST_CLUSTERS
from eval.judges.agreement import AlphaBeside, alpha_beside, wider_alphas
from eval.panel import Panel, PanelRules
from eval.scoring import score
from eval.votes import Votes, code_answers

Kind = Literal["human", "naive", "model"]
NO_ANSWERS = (np.array([], dtype=np.int64), np.array([], dtype=np.int64))
NO_MARGIN = "no margin was chosen before looking at the scores (the study's setting, or --margin)."
NO_SCORE = "{why}, so there is no score to compare."
NO_COMMON = "no item with gold is scored for both this model and the majority of people."
ONE_CLUSTER = "all items share one {unit}, and nothing shows how another would differ."
SEVERAL = "its samples are level on some items, and this takes one answer to each."
LEAST_ITEMS = 30
"""Items that a person must share with others to have a row, and to count in the band of single persons."""
MOST_PEOPLE, MOST_MODELS = 30, 8
AVERAGE = "human:individual"
"""The row of people one at a time."""


@dataclass(frozen=True, eq=False)
class Respondent:
    """One row: who answered, what it scored, and how far it is from people on the items both have.

    `vs_human` is from the people's one answer, `vs_person` of a model from their single answers: the average person.

    `name` is what data call it, `called` what people read. `chosen` is the run that stands for a model, with those that
    do not.
    `wordless` replies ended at the limit of tokens before a word of an answer; `thinking` are the tokens that were
    thought, and all of the replies. `first` is how often it took the option shown first, None where no order was drawn.
    """

    name: str
    called: str
    kind: Kind
    scores: dict[str, Estimate]
    n: int
    statuses: dict[str, int]
    vs_human: Difference | None
    ballots: Ballots
    chosen: ResultRun | None = None
    wordless: int = 0
    thinking: tuple[int, int] = (0, 0)
    first: Estimate | None = None
    vs_person: Difference | None = None

    @property
    def run(self) -> Run | None:
        """The run whose answers these are."""
        return self.chosen.run if self.chosen else None

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is stored of how that run was made."""
        return self.run.settings if self.run else {}

    @property
    def waiting(self) -> str:
        """How many items have their answers out of Batch files so far, "" for a run that waits for none."""
        scored = self.ballots.scored
        return f"waiting: {int(scored.sum())} of {len(scored)} collected" if self.run and waits(self.run) else ""

    @property
    def origin(self) -> str:
        """The harness whose log an imported run is from, "" for a run of our own."""
        return imported_words(self.run)

    @property
    def reply_words(self) -> str:
        """How many answers ended how, and how many of those that wait in files are collected: `ok 5, error 1`."""
        return "; ".join(filter(None, (status_words(self.statuses), self.waiting)))

    @property
    def lacking(self) -> str:
        """How many items have no answer, or several level ones: `error 1, not asked 2`."""
        statuses = {status: n for status, n in self.statuses.items() if status not in ("ok", "won")}
        absent = int((~self.ballots.scored).sum()) - statuses.get("error", 0)
        if absent > 0 and self.kind != "human" and not self.waiting:
            statuses["not in its log" if self.origin else "not asked"] = absent
        return ", ".join(filter(None, (status_words(statuses), self.waiting)))


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


@dataclass(frozen=True, eq=False)
class PeerRow:
    """One respondent beside people: `kind` is "human" for the average person, "person" for one of them, or a model's.

    `apart` is how much better it agrees with people than one of them, taken at random, does; `p_holm` its p-value
    adjusted over the models, or over the naive baselines. `alpha` is that of people without and with it,
    `alternative` the alternative-annotator test.
    """

    name: str
    words: str
    kind: str
    figures: Mapping[str, Estimate]
    apart: Difference | None = None
    p_holm: float | None = None
    alpha: AlphaBeside | None = None
    alternative: AlternativeTest | None = None

    @property
    def estimates(self) -> dict[str, Estimate]:
        """All that is known of it by one name each."""
        estimates_of = dict(self.figures)
        if self.alpha:
            estimates_of |= {"alpha_people": self.alpha.people, "alpha_with": self.alpha.together}
        return estimates_of


@dataclass(frozen=True)
class ModelPair:
    """Two models: how much better the first agrees with people, with the p-value adjusted over all pairs."""

    one: str
    other: str
    apart: Difference
    p_holm: float | None


@dataclass(frozen=True, eq=False)
class Results:
    """The score table of a study, people first, then the other respondents by score.

    `margin` is that of equivalence, `epsilon` that of the alternative-annotator test. `first_by_chance` is how often
    the option shown first would be taken by merit alone, None where nobody met a drawn order.
    """

    study: Study
    human: HumanBaseline
    rows: tuple[Respondent, ...]
    margin: float | None = None
    epsilon: float = EPSILON
    first_by_chance: float | None = None

    @property
    def models(self) -> tuple[Respondent, ...]:
        """The rows that programs gave, in their order."""
        return tuple(row for row in self.rows if row.kind != "human")

    @property
    def panel(self) -> Panel:
        """The people whose answers count, and what these come to."""
        return self.human.panel

    @cached_property
    def against_people(self) -> Mapping[str, AgainstPeople]:
        """How each model stands to people, by the name of its row; computed when asked for, since it takes time."""
        return against_people(self)

    @cached_property
    def peers(self) -> "PeerAgreement | None":
        """How far every respondent agrees with people; None for what people wrote, or where nobody is beside another.

        Computed when asked for, since it takes time.
        """
        return peer_agreement(self) if self.study.task.answer.has_right else None

    def model_title(self, name: str | None) -> str:
        """Return what the model of that name is called on a page, "" for none."""
        return called(name, judges=has_judges(self.study.task)) if name else ""

    def notes_of_runs(self) -> list[str]:
        """Return what is to be known of the models' runs: which are not complete, which are not shown."""
        asked = [row.called for row in self.models if row.kind == "model"]
        return [*self.unfinished(), *known_gold(self.study, asked), *self.notes_of_each_run()]

    def notes_of_each_run(self) -> list[str]:
        """Return what is to be known of single runs: others of the model, what its server refused, what was cut off."""
        shown = [(row, row.chosen) for row in self.models if row.chosen]
        return [
            f"{called(row.name)}: {note}."
            for row, run in shown
            for note in run.notes(row.wordless, row.thinking)
            if note
        ]

    def unfinished(self) -> list[str]:
        """Return a sentence for each model whose run is not complete."""
        return [_unfinished(row, row.run) for row in self.models if row.run and row.run.status != "complete"]


@dataclass(frozen=True, eq=False)
class PeerAgreement:
    """The rows of a study: the average person, then models, then single persons, those nearest to people first."""

    results: Results
    measure: PeerMeasure
    rows: tuple[PeerRow, ...]

    @property
    def main(self) -> str:
        """The figure that respondents are compared by."""
        return self.measure.names[0]

    @property
    def average(self) -> PeerRow:
        """The average person."""
        return self.rows[0]

    @property
    def shown(self) -> tuple[PeerRow, ...]:
        """The rows that have something to show: the average person has nothing where nobody else answered."""
        return tuple(row for row in self.rows if row is not self.average or row.figures[EQUAL].n)

    @property
    def models(self) -> tuple[PeerRow, ...]:
        """The rows that programs gave."""
        return tuple(row for row in self.rows if row.kind not in ("human", "person"))

    @property
    def people(self) -> tuple[PeerRow, ...]:
        """Single persons."""
        return tuple(row for row in self.rows if row.kind == "person")

    def row_of(self, name: str) -> PeerRow | None:
        """Return the row of the average person, or of a model; None for who has none."""
        return next((row for row in (self.average, *self.models) if row.name == name), None)

    @cached_property
    def pairs(self) -> tuple[ModelPair, ...]:
        """Models against each other, the first of them all."""
        said = {row.name: row.ballots for row in self.results.models}
        names = [row.name for row in self.models if row.kind == "model"][:MOST_MODELS]
        twos = list(combinations(names, 2))
        compared = nearer_to_people(self.results.panel, [(said[one], said[other]) for one, other in twos])
        return tuple(ModelPair(*two, apart, p) for two, (apart, p) in zip(twos, compared, strict=True) if apart.n)


def called(name: str, *, judges: bool = False) -> str:
    """Return what the respondent of that name is called where people read; a judge is told from those it judges."""
    kind, _, rest = name.partition(":")
    if kind == "human":
        return "People, one at a time" if name == AVERAGE else f"People, {rest}"
    return f"{'judge ' * judges}{name.removeprefix('model:')}"


def _unfinished(row: Respondent, run: Run) -> str:
    """Return how far a run is that is not complete; one whose program is gone was cut off."""
    name = called(row.name)
    if row.waiting:
        return f"{name}: the requests of run {run.id} are in Batch files; {row.waiting}."
    state = "is incomplete"
    if run.status == "running":
        state = "is under way" if under_way(run) else "was cut off"
    # What another harness left unfinished only that one can go on with; so can nobody with what is under way.
    onward = "" if state == "is under way" or IMPORTED in run.settings else "; the same `run` command goes on with it"
    why = why_unanswered(run) if state == "is incomplete" else ""
    scored = row.ballots.scored
    note = f"{int(scored.sum())} of {len(scored)} items have an answer" + (f": {why}" if why else "")
    return f"{name}: run {run.id} {state}, {note}{onward}."


def has_judges(task: Task) -> bool:
    """Return whether the models of a task's results are judges of other models."""
    return any(isinstance(asked, Pairwise) and asked.competitors for _, _, asked in criteria(task.answer))


def results(
    session: Session,
    *,
    study: Study,
    rules: PanelRules,
    margin: float | None = None,
    epsilon: float | None = None,
    consensus_only: bool = False,
) -> Results:
    """Return people and every model's chosen run on the main items of a study, under `rules` for the human side.

    `margin` is that of equivalence, `epsilon` that of the alternative-annotator test, the study's own where none is
    named. With `consensus_only` everybody is scored on those items alone for which people have one answer.
    """
    margin = study.settings.margin if margin is None else margin
    epsilon = study.settings.epsilon if epsilon is None else epsilon
    answers = collected(session, study=study, briefly=True)
    human = baseline_of(answers, rules)
    if consensus_only:
        human = on_kept(human)
    votes, majority = human.panel.votes, human.panel.consensus.ballots
    # One vote an item is the majority itself: to compare them would test something against itself.
    differ = human.panel.rules.consensus == "expert" or len(votes) > int(np.count_nonzero(np.bincount(votes.item)))
    people = [
        _respondent(
            f"human:{human.panel.rules.consensus}", human, human.majority, majority, _consensus_statuses(human)
        ),
        replace(
            _respondent(AVERAGE, human, human.individual, individual(votes), {"ok": len(votes)}),
            vs_human=person_from_one_answer(human.panel, study.task.primary) if differ else None,
        ),
    ]
    unsorted = _with_replies(session, _models(session, study, human, answers.items))
    models = _compared(human, sorted(unsorted, key=lambda row: _worst_last(row, study.task.primary)))
    rows = (*(row for row in people if len(votes)), *models)
    first = first_shown(session, study, human.panel, [row.run for row in models if row.run])
    if first is None:
        return Results(study, human, rows, margin, epsilon)
    shares = (first.runs.get(row.run.id) if row.run else first.people if row.name == AVERAGE else None for row in rows)
    rows = tuple(replace(row, first=share) for row, share in zip(rows, shares, strict=True))
    return Results(study, human, rows, margin, epsilon, first.chance)


def _worst_last(row: Respondent, metric: str) -> float:
    """Return what puts the best score first and whoever has none (no gold, or nothing but errors) last."""
    value = row.scores[metric].value if metric in row.scores else math.nan
    return math.inf if math.isnan(value) else -value


def _models(session: Session, study: Study, human: HumanBaseline, items: pd.DataFrame) -> list[Respondent]:
    """Return a row for each model: where labels are all that its score is made of, all runs are read at once."""
    runs = result_runs(session, study=study)
    labels = human.panel.votes.labels
    if human.panel.votes.names is not None or needs_texts(study.task):
        return [model_respondent(session, human, chosen) for chosen in runs]
    given = answers_of_runs(session, run_ids=[chosen.run.id for chosen in runs], labels=labels)
    keys = items.set_index("item")["stored"].loc[list(human.panel.votes.items)].to_numpy(dtype=np.int64)
    models = []
    for chosen in runs:
        asked, codes = given.get(chosen.run.id, NO_ANSWERS)
        once = bool(np.diff(np.sort(asked)).all())
        plain = once and not (codes == UNKNOWN).any()
        models.append(
            _of_codes(human, chosen, keys, asked, codes) if plain else model_respondent(session, human, chosen)
        )
    return models


def _with_replies(session: Session, rows: list[Respondent]) -> list[Respondent]:
    """Return the rows with the thinking in their replies, and with how many of the truncated had not a word."""
    asked = [row.run for row in rows if row.run and row.kind == "model"]
    cut = [row.run for row in rows if row.run and row.statuses.get("truncated")]
    thought = thinking(session, runs=asked) if asked else {}
    silent = wordless(session, runs=cut) if cut else {}
    return [
        replace(row, wordless=silent.get(row.run.id, 0), thinking=thought.get(row.run.id, (0, 0))) if row.run else row
        for row in rows
    ]


def _of_codes(human: HumanBaseline, chosen: ResultRun, keys: Integers, asked: Integers, codes: Integers) -> Respondent:
    """Return the row of a model that gave one answer to an item at most, out of the codes of its answers."""
    answered = codes > -1 - CODED.index("error")
    said = ballots.ballots_of_codes(human.panel.votes, places(keys, asked[answered]), codes[answered])
    numbers = {"ok": int((codes >= 0).sum())}
    numbers |= {status: int((codes == -1 - place).sum()) for place, status in enumerate(CODED)}
    statuses = {status: n for status, n in sorted(numbers.items()) if n}
    return _model_row(human, chosen, said, statuses)


def model_respondent(session: Session, human: HumanBaseline, chosen: ResultRun) -> Respondent:
    """Return the row of a model's run, without how far it is from people."""
    predictions = frames.predictions(session, run_id=chosen.run.id)
    statuses = {str(status): int(n) for status, n in predictions["status"].value_counts().sort_index().items()}
    return _model_row(human, chosen, model_ballots(predictions, human, chosen.run), statuses)


def _compared(human: HumanBaseline, models: list[Respondent]) -> list[Respondent]:
    """Return the models with how far they are from people's one answer and from the average person.

    That is from people's single answers, all weighing the same. Intervals hold for what the rules ask for.
    """
    majority, person = from_people(human.panel, human.task.primary, [row.ballots for row in models])
    return [
        replace(row, vs_human=one, vs_person=other) for row, one, other in zip(models, majority, person, strict=True)
    ]


def _respondent(
    name: str,
    human: HumanBaseline,
    scores: dict[str, Estimate],
    said: Ballots,
    statuses: Mapping[str, int],
    chosen: ResultRun | None = None,
) -> Respondent:
    n = scores[human.task.primary].n if scores else int(said.scored.sum())
    one_answer = chosen is None and name != AVERAGE
    words = f"People, {consensus_words(human)}" if one_answer else called(name, judges=has_judges(human.task))
    kind: Kind = "human" if chosen is None else "naive" if chosen.run.kind == "naive" else "model"
    return Respondent(name, words, kind, scores, n, dict(statuses), None, said, chosen)


def _model_row(human: HumanBaseline, chosen: ResultRun, said: Ballots, statuses: Mapping[str, int]) -> Respondent:
    scores = score(human.task.metrics, human.panel.gold, said, human.panel.resampling)
    return _respondent(chosen.name, human, scores, said, statuses, chosen)


def _consensus_statuses(human: HumanBaseline) -> dict[str, int]:
    """Return how the items ended: won, tied, short of votes, empty, below agreement; those that occur."""
    counts = {status: human.panel.consensus.number(status) for status in ("won", "tied", "short", "empty", "below")}
    return {status: n for status, n in counts.items() if n}


def model_ballots(predictions: pd.DataFrame, human: HumanBaseline, run: Run) -> Ballots:
    """Return what a model says: its one answer per item, or the consensus of its samples by the rules for people.

    Of both orders of a pair one answer is made first.

    An answer that could not be used (unparsable, refused, truncated) is scored as wrong; an error is not an answer.
    The replies go along for metrics of what was written: the first one to each item, as published scripts ask once.
    """
    usable = predictions[predictions["status"] != "error"]
    first = usable.drop_duplicates("item")
    wrote = {item: in_our_numbers(raw, run.settings) for item, raw in zip(first["item"], first["raw"], strict=True)}
    return _labelled(usable, human, both=requests_each(run.settings) > 1).wrote(wrote)


def one_of_both(usable: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Return what replies to both orders of pairs come to: their answer where they agree, else a tie.

    Without an answer for a tie both are kept, and each is worth half.
    """
    tie = TIE if TIE in task.answer.labels() else None
    known = usable.assign(pair=usable["sample"].floordiv(2), label=usable["label"].where(usable["status"] == "ok", ""))
    agreed = known.groupby(["item", "pair"])["label"].transform("nunique") == 1
    if tie is None:
        return usable[~agreed | ~known.duplicated(["item", "pair"])]
    ties = usable.assign(label=usable["label"].where(agreed, tie), status=usable["status"].where(agreed, "ok"))
    return ties.assign(sample=known["pair"]).drop_duplicates(["item", "sample"])


def _labelled(usable: pd.DataFrame, human: HumanBaseline, *, both: bool) -> Ballots:
    votes = human.panel.votes
    items, labels = votes.items, None if votes.names is not None else votes.labels
    usable = one_of_both(usable, human.task) if both else usable
    if usable["sample"].nunique() <= 1:
        given: dict[str, str | None] = dict(
            zip(usable["item"], usable["label"].where(usable["status"] == "ok", None), strict=True)
        )
        return ballots.answers(given, items=items, labels=labels)
    answered = usable[usable["status"] == "ok"].rename(columns={"sample": "worker"}).astype({"worker": str})
    sampled = answered[["item", "worker", "label"]]
    chosen = majority(code_answers(sampled, items=items, labels=labels, asked=votes.asked)).ballots
    silent = set(usable["item"]) - set(answered["item"])
    weights = chosen.weights.copy()
    weights[[row for row, item in enumerate(items) if item in silent], -1] = 1
    return Ballots(items, chosen.labels, weights, chosen.names)


def against_people(results: Results) -> dict[str, AgainstPeople]:
    """Return how each model stands to the people of a study; naive baselines are a family of their own.

    Raises BadSetting for a margin, in units of the task's first metric, that is not above 0; without one there is no
    verdict on equivalence.
    """
    human, models, margin = results.human, results.models, results.margin
    if margin is not None and not 0 < margin < np.inf:
        raise BadSetting(f"The margin must be above 0, got {margin!r}; choose it before looking at the scores.")
    families = [row.kind for row in models]
    majority = holm([row.vs_human.p if row.vs_human else None for row in models], families)
    person = holm([row.vs_person.p if row.vs_person else None for row in models], families)
    tested = [NO_MARGIN if margin is None else _equivalence(human, row.ballots, margin) for row in models]
    equal = holm([None if isinstance(test, str) else test.p for test in tested], families)
    return {
        row.name: AgainstPeople(
            majority[place],
            person[place],
            test if isinstance(test, str) else test.adjusted(equal[place]),
            _alternative_annotator(human, row.ballots, results.epsilon),
        )
        for place, (row, test) in enumerate(zip(models, tested, strict=True))
    }


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
    if not ((said.weights == np.floor(said.weights)).all() and (said.weights.sum(axis=1) <= 1).all()):
        return SEVERAL
    return alternative_annotator(human.panel.votes, said.single_answers, epsilon=epsilon, scale=human.panel.scale)


def peer_agreement(results: Results) -> PeerAgreement | None:
    """Return how far every respondent agrees with people; None where nobody stands beside a person on any item."""
    human, panel, models = results.human, results.panel, results.models
    votes, resampling = panel.votes, panel.resampling
    if not len(votes) or not (models or (votes.counts.sum(axis=1) > 1).any()):
        return None
    measure = measure_of(votes, panel.scale)
    others, pooled = panel.rules.interval == "people", everybody(votes, measure)
    known = {EQUAL: human.leave_one_out}
    figures = peer_figures(pooled, votes, resampling, other_people=others, known=known)
    average = PeerRow(AVERAGE, "One person, on average", "human", figures)
    said = [single_rows(votes, each.ballots, measure) for each in models]
    apart = [from_one_person(votes, each, pooled, resampling, other_people=others) for each in said]
    adjusted = holm([each.p for each in apart], [each.kind for each in models])
    rows = []
    for model, mine, difference_of, p in zip(models, said, apart, adjusted, strict=True):
        figures = peer_figures(mine, votes, resampling, other_people=others)
        test = results.against_people[model.name].alternative
        rows.append(
            PeerRow(
                model.name,
                model.called,
                model.kind,
                figures,
                difference_of if difference_of.n else None,
                p,
                alpha_with(human, votes, model.ballots),
                None if isinstance(test, str) else test,
            )
        )
    nearest = _nearest(rows, measure), _nearest(_people(results, measure), measure)
    return PeerAgreement(results, measure, (average, *nearest[0], *nearest[1]))


def _nearest(rows: Sequence[PeerRow], measure: PeerMeasure) -> list[PeerRow]:
    """Return rows in the order of their main figure, the nearest to people first, those without any last."""
    sign = 1 if measure.names[0] == ERROR else -1

    def far(row: PeerRow) -> float:
        value = row.figures[measure.names[0]].value
        return float("inf") if np.isnan(value) else sign * value

    return sorted(rows, key=far)


def _people(results: Results, measure: PeerMeasure) -> list[PeerRow]:
    """Return the persons with most answers, each beside the others."""
    panel = results.panel
    votes, called = panel.votes, names_of(results.study, panel)
    shared = votes.counts.sum(axis=1) > 1
    given = np.bincount(votes.worker[shared[votes.item]], minlength=len(votes.workers))
    most = [code for code in np.argsort(-given, kind="stable")[:MOST_PEOPLE].tolist() if given[code] >= LEAST_ITEMS]
    answers = answers_of_each(votes, most)
    people = []
    for code in most:
        others = votes.keep(votes.worker != code)
        figures = peer_figures(
            single_rows(others, answers[code], measure), others, panel.resampling,
            other_people=panel.rules.interval == "people",
        )  # fmt: skip
        people.append(PeerRow(votes.workers[code], called[votes.workers[code]], "person", figures))
    return people


def alpha_with(human: HumanBaseline, votes: Votes, said: Ballots) -> AlphaBeside | None:
    """Return alpha of people without and with a respondent, for what the rules ask for; None for open answers."""
    if votes.names is not None:
        return None
    level, resampling = human.task.answer.level, human.panel.resampling
    values = [float(label) for label in votes.labels] if level == "interval" else None
    scale: dict[str, Any] = {"level": level, "values": values}
    beside = alpha_beside(votes, said, resampling, **scale)
    if human.panel.rules.interval == "items":
        return beside
    return wider_alphas(beside, votes, said, clusters=resampling.clusters, **scale)


def nearer_to_people(panel: Panel, pairs: Sequence[tuple[Ballots, Ballots]]) -> list[tuple[Difference, float | None]]:
    """Return how much better the first of each pair agrees with people, with its p-value adjusted over all of them."""
    votes, others = panel.votes, panel.rules.interval == "people"
    measure = measure_of(votes, panel.scale)
    each = {id(ballots): ballots for pair in pairs for ballots in pair}
    said = {key: single_rows(votes, ballots, measure) for key, ballots in each.items()}
    compared = [
        between(votes, said[id(one)], said[id(other)], panel.resampling, other_people=others) for one, other in pairs
    ]
    return list(zip(compared, holm([each.p for each in compared]), strict=True))


def distance_from_people(human: HumanBaseline, said: Ballots) -> Floats:
    """Return how far a respondent is from people on each item (N,), 0 to 1; NaN where there is nothing to compare.

    A number further off than people's are apart is as far as can be.
    """
    votes = human.panel.votes
    beside = single_rows(votes, said, measure_of(votes, human.panel.scale)).beside(votes.counts)
    far = np.full(len(votes.items), np.nan)
    size = np.bincount(beside.item, weights=beside.weight, minlength=len(far))
    agreed = np.bincount(beside.item, weights=beside.weight * beside.credit, minlength=len(far))
    far[size > 0] = np.minimum(1 - agreed[size > 0] / size[size > 0], 1)
    return far
