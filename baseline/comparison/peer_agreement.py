"""People as the standard: how far each person agrees with the others, and a model with all of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from baseline.comparison.document import estimate_words
from baseline.human.baseline import HumanBaseline, names_of
from baseline.human.interval_scope import difference_words, notes_on_tests, scope, without_kappa
from data.numbers import DASH, counted, number, p_sign
from data.tables import LEFT_OUT, Column, Table
from data.wording import enumerated
from db.studies import Study
from eval.agreement.beside_people import (
    EQUAL,
    ERROR,
    KAPPA,
    RANKS,
    SIMILAR,
    SQUARED,
    PeerMeasure,
    answers_of_each,
    everybody,
    measure_of,
    single_rows,
)
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
FIGURES = {
    EQUAL: ("same as most people", "The share of answers that most of the other people gave, ties shared out"),
    KAPPA: ("Cohen's kappa", "The same beyond chance: 1 is always, 0 what chance gives"),
    RANKS: ("rank correlation", "Spearman's, with the mean of the other people's numbers"),
    ERROR: ("mean error", "How far from the mean of the other people's numbers, on average; less is nearer"),
    SQUARED: ("root mean square error", "The same, with large distances weighing more; less is nearer"),
    SIMILAR: ("similarity", "How like the other people's answers, 0 to 1, on average"),
}
"""What each figure is called, and what it says."""


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


READ, DATA = ("page", "text"), ("json",)


def place_words(test: AlternativeTest | None) -> str:
    """Return whether a model passes the alternative-annotator test, with winning rate and advantage."""
    if test is None or test.winning_rate is None:
        return DASH
    return f"{'passes' if test.passed else 'fails'}: {number(test.winning_rate)}; {number(test.advantage)}"


def _figure(name: str) -> Callable[[PeerRow], Estimate | None]:
    return lambda row: row.estimates.get(name)


def peer_columns(measure: PeerMeasure) -> tuple[Column[PeerRow], ...]:
    """Return the columns of a study whose answers are measured so."""
    return (
        Column(
            "respondent",
            "respondent",
            "",
            lambda row: LEFT_OUT if row.kind == "person" else row.name,
            read=lambda row: row.words,
        ),
        Column("worker", "worker", "", lambda row: row.name if row.kind == "person" else LEFT_OUT, forms=DATA),
        Column("kind", "kind", "", lambda row: row.kind, forms=DATA),
        Column("n", "answers", "Answers to items that other people answered", lambda row: row.figures[EQUAL].n),
        *(Column(name, *FIGURES[name], _figure(name), estimate_words) for name in measure.names),
        *(column.called(unit=unit_of(measure)) for column in MODEL_COLUMNS),
    )


def unit_of(measure: PeerMeasure) -> str:
    """Return what a difference of agreement counts: points of a hundred, on a scale hundredths of its length.

    Numbers that anybody writes have no such length: they count how far apart people's are.
    """
    if RANKS not in measure.names:
        return "points"
    return "% of the scale" if measure.closed else "% of people's range"


MODEL_COLUMNS: tuple[Column[PeerRow], ...] = (
    Column(
        "vs_one_person",
        "agreement vs one person, {unit}",
        "How much better it agrees with people than one of them, taken at random, agrees with the same others; with "
        "its 95% interval",
        lambda row: row.apart,
        difference_words,
    ),
    Column("p_holm", "p, Holm", "Of that difference, adjusted for the number of models", lambda r: r.p_holm, p_sign),
    Column(
        "alternative",
        "annotator's place",
        "The alternative-annotator test: winning rate, the share of people against whom the model wins (half "
        "or more to pass); then advantage, how often it agrees with the others as well as the person",
        lambda row: row.alternative,
        place_words,
        READ,
    ),
    Column("winning_rate", "", "", lambda r: r.alternative.winning_rate if r.alternative else None, forms=DATA),
    Column("advantage", "advantage", "", lambda r: r.alternative.advantage if r.alternative else None, forms=DATA),
    Column(
        "alpha_people",
        "alpha of people",
        "Krippendorff's, on the items of the model",
        _figure("alpha_people"),
        estimate_words,
    ),
    Column(
        "alpha_with",
        "alpha with it",
        "The same with the model as one more annotator",
        _figure("alpha_with"),
        estimate_words,
    ),
)


def peer_table(peers: PeerAgreement, form: str) -> Table[PeerRow]:
    """Return every respondent's agreement with people, in a form."""
    known = [column for column in peer_columns(peers.measure) if _has_values(column, peers)]
    return Table("Agreement with people", known, peers.rows if form == "json" else peers.shown).within(form)


def _has_values(column: Column[PeerRow], peers: PeerAgreement) -> bool:
    """Return whether a column that only models have says anything of one."""
    if column.key in ("alpha_people", "alpha_with"):
        return any(row.alpha for row in peers.models)
    return bool(peers.models) or column.key not in ("vs_one_person", "p_holm", "alternative")


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return what changes how agreement with people is read."""
    return [
        *_about_answers(peers),
        *([] if peers.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
    ]


def _about_answers(peers: PeerAgreement) -> Iterator[str]:
    """Yield who gives one answer to every item, which figures do not exist, and which ignore the order of a scale."""
    for model in peers.candidates:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.words} gives to {int(model.ballots.scored.sum())} items. "
                "It tells no item from another, however well that agrees with people."
            )
    ranks = [(row.words, row.figures[RANKS]) for row in peers.rows if RANKS in row.figures]
    if names := [name for name, figure in ranks if figure.n and np.isnan(figure.value)]:
        yield f"Rank correlation of {enumerated(names)} does not exist: one side always says the same, in no order."
    if RANKS in peers.measure.names:
        span = peers.measure.span
        names = [f"“{FIGURES[name][0]}”" for name in (EQUAL, KAPPA) if name in peers.measure.names]
        yield f"Equal or not is all that counts for {enumerated(names)}, not how far apart answers are on the scale."
        if any(row.apart for row in peers.models):
            long = (
                f"The scale is {span:g} long" if peers.measure.closed else f"People's answers lie up to {span:g} apart"
            )
            yield f"{long}, so 1% of that is {span / 100:g}."
    if peers.human.panel.votes.names is not None and peers.models:
        yield "Alpha with a model among people, and kappa, are computed of answers out of a list alone."


def _hold_for(peers: PeerAgreement) -> str:
    """Return what the intervals hold for, and which of them do not where others do."""
    unit, main = peers.human.panel.resampling.unit, peers.main
    known = [row for row in peers.rows if row.figures[main].method != "none"]
    narrow = [row for row in known if row.figures[main].ci_items is None]
    others = len(narrow) < len(known)
    parts = [_words_of(peers, narrow)] if others and narrow else []
    if others and any(row.alpha and row.alpha.together.n and not row.alpha.together.ci_items for row in peers.models):
        parts.append("alpha")
    parts = [f"those of {part} for {scope(unit, other_people=False)}" for part in parts]
    return "; ".join([scope(unit, other_people=others), *parts])


def _words_of(peers: PeerAgreement, rows: Sequence[PeerRow]) -> str:
    """Return whose rows these are: persons one by one are many."""
    persons = [row for row in rows if row.kind == "person"]
    names = [row.words for row in rows if row.kind != "person"]
    if not persons:
        return enumerated(names)
    which = "single persons" if len(persons) == len(peers.people) else counted(len(persons), "single person")
    return enumerated([*names, which])


def peers_dict(peers: PeerAgreement) -> dict[str, Any]:
    """Return it as it stands in JSON."""
    return {
        "by": peers.main,
        "people_range": peers.measure.span if RANKS in peers.measure.names and not peers.measure.closed else None,
        "rows": peer_table(peers, "json").records,
        "pairs": [
            {
                "one": pair.one,
                "other": pair.other,
                "difference": pair.apart.as_dict(),
                "p_holm": pair.p_holm,
                "n": pair.apart.n,
            }
            for pair in peers.pairs
        ],
        "notes": peer_notes(peers),
    }
