"""People and models side by side: one row per respondent, all scored by the same function on the same items."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from baseline.comparison.against_people import (
    AgainstPeople,
    against_people,
    from_a_person,
    from_one_answer,
    person_from_one_answer,
)
from baseline.comparison.peer_agreement import PeerAgreement, PeerModel, peer_agreement
from baseline.human.baseline import HumanBaseline, baseline_of, collected, consensus_words, needs_texts, on_kept
from baseline.runs.batch_files import waits
from baseline.runs.result_runs import ResultRun, result_runs, unfinished_notes
from baseline.runs.train_leaks import known_gold
from data.answers.pairwise import Pairwise
from data.task import Task
from db import frames
from db.engine import Session
from db.runs import Run, thinking, wordless
from db.scoring_frames import CODED, UNKNOWN, answers_of_runs, places
from db.studies import Study
from eval import ballots
from eval.arrays import Integers
from eval.ballots import Ballots
from eval.comparison.alt_test import EPSILON
from eval.comparison.difference import Difference
from eval.consensus.majority import majority
from eval.estimate import Estimate
from eval.panel import PanelRules
from eval.scoring import score
from eval.votes import code_answers

Kind = Literal["human", "naive", "model"]
NO_ANSWERS = (np.array([], dtype=np.int64), np.array([], dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Respondent:
    """One row: who answered, what it scored, and how far it is from people on the items both have.

    `vs_human` is from the people's one answer, `vs_person` of a model from their single answers: the average person.

    `name` is what data call it, `called` what people read. `chosen` is the run that stands for a model, with those that
    do not.
    `wordless` replies ended at the limit of tokens before a word of an answer; `thinking` are the tokens that were
    thought, and all of the replies.
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

    def other_runs(self) -> str:
        """Return which runs of the model are not shown, "" for none."""
        return self.chosen.note() if self.chosen else ""


@dataclass(frozen=True, eq=False)
class Results:
    """The score table of a study, people first, then the other respondents by score.

    `margin` is that of equivalence, `epsilon` that of the alternative-annotator test.
    """

    study: Study
    human: HumanBaseline
    rows: tuple[Respondent, ...]
    margin: float | None = None
    epsilon: float = EPSILON

    @property
    def models(self) -> tuple[Respondent, ...]:
        """The rows that programs gave, in their order."""
        return tuple(row for row in self.rows if row.kind != "human")

    @cached_property
    def against_people(self) -> Mapping[str, AgainstPeople]:
        """How each model stands to people, by the name of its row; computed when asked for, since it takes time."""
        models = self.models
        compared = against_people(
            self.human,
            [row.ballots for row in models],
            [(row.vs_human, row.vs_person) for row in models],
            [row.kind for row in models],
            margin=self.margin,
            epsilon=self.epsilon,
        )
        return dict(zip((row.name for row in models), compared, strict=True))

    @cached_property
    def peers(self) -> PeerAgreement | None:
        """How far every respondent agrees with people; None for what people wrote, or where nobody is beside another.

        Computed when asked for, since it takes time.
        """
        if not self.study.task.answer.has_right:
            return None
        against = self.against_people
        models = [
            PeerModel(row.name, row.called, row.kind, row.ballots, against[row.name].alternative) for row in self.models
        ]
        return peer_agreement(self.human, self.study, models)

    def model_title(self, name: str | None) -> str:
        """Return what the model of that name is called on a page, "" for none."""
        return called(name, judges=judging(self.study.task)) if name else ""

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
        return unfinished_notes((called(row.name), row.run, row.ballots, row.waiting) for row in self.models)


def called(name: str, *, judges: bool = False) -> str:
    """Return what the respondent of that name is called where people read; a judge is told from those it judges."""
    kind, _, rest = name.partition(":")
    if kind == "human":
        return "People, one at a time" if name == "human:individual" else f"People, {rest}"
    return f"{'judge ' * judges}{name.removeprefix('model:')}"


def judging(task: Task) -> bool:
    """Return whether the models of a task's results are judges of other models."""
    return isinstance(task.answer, Pairwise) and bool(task.answer.competitors)


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
            _respondent("human:individual", human, human.individual, ballots.individual(votes), {"ok": len(votes)}),
            vs_human=person_from_one_answer(human) if differ else None,
        ),
    ]
    unsorted = _with_replies(session, _models(session, study, human, answers.items))
    models = _compared(human, sorted(unsorted, key=lambda row: _worst_last(row, study.task.primary)))
    return Results(study, human, (*(row for row in people if len(votes)), *models), margin, epsilon)


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
    return _model_row(human, chosen, model_ballots(predictions, human), statuses)


def _compared(human: HumanBaseline, models: list[Respondent]) -> list[Respondent]:
    """Return the models with how far they are from people."""
    said = [row.ballots for row in models]
    apart = zip(models, from_one_answer(human, said), from_a_person(human, said), strict=True)
    return [replace(row, vs_human=majority, vs_person=person) for row, majority, person in apart]


def _respondent(
    name: str, human: HumanBaseline, scores: dict[str, Estimate], said: Ballots, statuses: Mapping[str, int]
) -> Respondent:
    n = scores[human.task.primary].n if scores else int(said.scored.sum())
    kind: Kind = "human" if name.startswith("human:") else "model"
    one_answer = kind == "human" and name != "human:individual"
    words = f"People, {consensus_words(human)}" if one_answer else called(name, judges=judging(human.task))
    return Respondent(name, words, kind, scores, n, dict(statuses), None, said)


def _model_row(human: HumanBaseline, chosen: ResultRun, said: Ballots, statuses: Mapping[str, int]) -> Respondent:
    scores = score(human.task.metrics, human.panel.gold, said, human.panel.resampling)
    row = _respondent(chosen.name, human, scores, said, statuses)
    kind: Kind = "naive" if chosen.run.kind == "naive" else "model"
    return replace(row, kind=kind, chosen=chosen)


def _consensus_statuses(human: HumanBaseline) -> dict[str, int]:
    """Return how the items ended: won, tied, short of votes, empty, below agreement; those that occur."""
    counts = {status: human.panel.consensus.number(status) for status in ("won", "tied", "short", "empty", "below")}
    return {status: n for status, n in counts.items() if n}


def model_ballots(predictions: pd.DataFrame, human: HumanBaseline) -> Ballots:
    """Return what a model says: its one answer per item, or the consensus of its samples by the rules for people.

    An answer that could not be used (unparsable, refused, truncated) is scored as wrong; an error is not an answer.
    The replies go along for metrics of what was written: the first one to each item, as published scripts ask once.
    """
    usable = predictions[predictions["status"] != "error"]
    first = usable.drop_duplicates("item")
    return _labelled(usable, human).wrote(dict(zip(first["item"], first["raw"], strict=True)))


def _labelled(usable: pd.DataFrame, human: HumanBaseline) -> Ballots:
    votes = human.panel.votes
    items, labels = votes.items, None if votes.names is not None else votes.labels
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
