"""People as the standard: how far each person agrees with the others, and a model with all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from baseline.human.baseline import HumanBaseline
from baseline.human.deidentified import names_of
from db.studies import Study
from eval.agreement.beside_people import EQUAL, ERROR, PeerMeasure, answers_of_each, everybody, measure_of, single_rows
from eval.agreement.peer_figures import peer_figures
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.difference import Difference, holm
from eval.comparison.peer_difference import between, from_one_person
from eval.estimate import Estimate
from eval.judges.agreement import AlphaBeside, alpha_beside, wider_alphas
from eval.votes import Votes

LEAST_ITEMS = 30
"""Items that a person must share with others to have a row, and to count in the band of single persons."""
MOST_PEOPLE, MOST_MODELS = 30, 8
AVERAGE = "human:individual"


@dataclass(frozen=True, eq=False)
class PeerModel:
    """A model to set beside people: what it is called, what it says, and whether it may take a person's place."""

    name: str
    words: str
    kind: str
    ballots: Ballots
    alternative: AlternativeTest | str


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
class PeerAgreement:
    """The rows of a study: the average person, then models, then single persons, those nearest to people first."""

    human: HumanBaseline
    candidates: tuple[PeerModel, ...]
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
        panel = self.human.panel
        votes = panel.votes
        said = {row.name: single_rows(votes, row.ballots, self.measure) for row in self.candidates}
        names = [row.name for row in self.models if row.kind == "model"][:MOST_MODELS]
        others = panel.rules.interval == "people"
        twos = list(combinations(names, 2))
        compared = [between(votes, said[a], said[b], panel.resampling, other_people=others) for a, b in twos]
        adjusted = holm([each.p for each in compared])
        return tuple(
            ModelPair(a, b, each, p) for (a, b), each, p in zip(twos, compared, adjusted, strict=True) if each.n
        )


def peer_agreement(human: HumanBaseline, study: Study, models: Sequence[PeerModel]) -> PeerAgreement | None:
    """Return how far every respondent agrees with people; None where nobody stands beside a person on any item."""
    panel = human.panel
    votes, resampling = panel.votes, panel.resampling
    if not len(votes) or not (models or (votes.counts.sum(axis=1) > 1).any()):
        return None
    measure = measure_of(votes, panel.scale)
    others, pooled = panel.rules.interval == "people", everybody(votes, measure)
    known = {EQUAL: human.leave_one_out["accuracy"]}
    figures = peer_figures(pooled, votes, resampling, other_people=others, known=known)
    average = PeerRow(AVERAGE, "One person, on average", "human", figures)
    said = [single_rows(votes, each.ballots, measure) for each in models]
    apart = [from_one_person(votes, each, pooled, resampling, other_people=others) for each in said]
    adjusted = holm([each.p for each in apart], [each.kind for each in models])
    rows = [
        PeerRow(
            model.name, model.words, model.kind, peer_figures(mine, votes, resampling, other_people=others),
            difference if difference.n else None, p, alpha_with(human, votes, model.ballots),
            None if isinstance(model.alternative, str) else model.alternative,
        )
        for model, mine, difference, p in zip(models, said, apart, adjusted, strict=True)
    ]  # fmt: skip
    nearest = _nearest(rows, measure), _nearest(_people(human, study, measure), measure)
    return PeerAgreement(human, tuple(models), measure, (average, *nearest[0], *nearest[1]))


def _nearest(rows: Sequence[PeerRow], measure: PeerMeasure) -> list[PeerRow]:
    """Return rows in the order of their main figure, the nearest to people first, those without any last."""
    sign = 1 if measure.names[0] == ERROR else -1

    def far(row: PeerRow) -> float:
        value = row.figures[measure.names[0]].value
        return float("inf") if np.isnan(value) else sign * value

    return sorted(rows, key=far)


def _people(human: HumanBaseline, study: Study, measure: PeerMeasure) -> list[PeerRow]:
    """Return the persons with most answers, each beside the others."""
    panel = human.panel
    votes, called = panel.votes, names_of(study, panel)
    shared = votes.counts.sum(axis=1) > 1
    given = np.bincount(votes.worker[shared[votes.item]], minlength=len(votes.workers))
    most = [code for code in np.argsort(-given, kind="stable")[:MOST_PEOPLE].tolist() if given[code] >= LEAST_ITEMS]
    answers = answers_of_each(votes, most)
    people = []
    for code in most:
        others = _others(votes, code)
        figures = peer_figures(
            single_rows(others, answers[code], measure), others, panel.resampling,
            other_people=panel.rules.interval == "people",
        )  # fmt: skip
        people.append(PeerRow(votes.workers[code], called[votes.workers[code]], "person", figures))
    return people


def _others(votes: Votes, code: int) -> Votes:
    return votes.keep(votes.worker != code)


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
