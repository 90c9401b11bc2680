"""Agreement with people in words: its columns, once for every form, and the sentences beside them."""

from collections.abc import Callable
from typing import Any

from baseline.comparison.peer_agreement import ModelPair, PeerAgreement, PeerRow
from baseline.human.interval_scope import difference_words
from data.numbers import DASH, number, p_sign, with_interval
from data.tables import LEFT_OUT, Column, Table
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, PeerMeasure
from eval.comparison.alt_test import AlternativeTest
from eval.estimate import Estimate

READ, DATA = ("page", "text"), ("json",)
FIGURES = {
    EQUAL: ("same as most people", "The share of answers that most of the other people gave, ties shared out"),
    KAPPA: ("Cohen's kappa", "The same beyond chance: 1 is always, 0 what chance gives"),
    RANKS: ("rank correlation", "Spearman's, with the mean of the other people's numbers"),
    ERROR: ("mean error", "How far from the mean of the other people's numbers, on average; less is nearer"),
    SQUARED: ("root mean square error", "The same, with large distances weighing more; less is nearer"),
    SIMILAR: ("similarity", "How like the other people's answers, 0 to 1, on average"),
}
"""What each figure is called, and what it says."""


def _estimate_words(estimate: Estimate | None) -> str:
    return with_interval(estimate.value, estimate.ci) if estimate and estimate.n else DASH


def _figure(name: str) -> Column[PeerRow]:
    return Column(name, *FIGURES[name], lambda row: row.figures[name], _estimate_words)


def place_words(test: AlternativeTest | None) -> str:
    """Return whether a model passes the alternative-annotator test, with winning rate and advantage."""
    if test is None or test.winning_rate is None:
        return DASH
    return f"{'passes' if test.passed else 'fails'}: {number(test.winning_rate)}; {number(test.advantage)}"


def _alpha(place: str) -> Callable[[PeerRow], Any]:
    return lambda row: getattr(row.alpha, place) if row.alpha else None


def peer_columns(measure: PeerMeasure) -> tuple[Column[PeerRow], ...]:
    """Return the columns of a study whose answers are measured so."""
    return (
        Column("respondent", "respondent", "", lambda row: row.words, forms=READ),
        Column("respondent", "respondent", "", lambda r: LEFT_OUT if r.kind == "person" else r.name, forms=DATA),
        Column("worker", "worker", "", lambda row: row.name if row.kind == "person" else LEFT_OUT, forms=DATA),
        Column("kind", "kind", "", lambda row: row.kind, forms=DATA),
        Column("n", "answers", "Answers to items that other people answered", lambda row: row.figures[EQUAL].n),
        *map(_figure, measure.names),
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
    *(
        Column(key, title, help_text, _alpha(part), _estimate_words)
        for key, title, help_text, part in (
            ("alpha_people", "alpha of people", "Krippendorff's, on the items of the model", "people"),
            ("alpha_with", "alpha with it", "The same with the model as one more annotator", "together"),
        )
    ),
)


PAIRS: tuple[Column[ModelPair], ...] = (
    Column("one", "", "", lambda pair: pair.one),
    Column("other", "", "", lambda pair: pair.other),
    Column("difference", "", "", lambda pair: pair.apart),
    Column("p_holm", "", "", lambda pair: pair.p_holm),
    Column("n", "", "", lambda pair: pair.apart.n),
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
