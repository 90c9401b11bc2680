"""Agreement with people in words: its columns, once for every form, and the sentences beside them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from baseline.comparison.peer_agreement import ModelPair, PeerAgreement, PeerRow
from data.numbers import DASH, number, p_sign, points, points_interval, with_interval
from data.tables import LEFT_OUT, Column, Table
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, PeerMeasure
from eval.comparison.alt_test import AlternativeTest
from eval.comparison.difference import Difference
from eval.estimate import Estimate

READ, DATA = ("page", "text"), ("json", "csv")
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


def _figure(name: str) -> Iterator[Column[PeerRow]]:
    title, meaning = FIGURES[name]
    yield Column(name, title, meaning, lambda row: row.figures[name], _estimate_words, (*READ, "json"))
    ends: tuple[tuple[str, Callable[[Estimate], float]], ...] = (
        (name, lambda estimate: estimate.value),
        (f"{name}_low", lambda estimate: estimate.ci[0]),
        (f"{name}_high", lambda estimate: estimate.ci[1]),
    )
    for key, part in ends:
        yield Column(key, key, "", _part(name, part), forms=("csv",))


def _part(name: str, part: Callable[[Estimate], float]) -> Callable[[PeerRow], float | None]:
    def value(row: PeerRow) -> float | None:
        figure = part(row.figures[name])
        return None if figure != figure else figure

    return value


def apart_words(apart: Difference | None) -> str:
    """Return how much better than one person, in points with the interval."""
    return f"{points(apart.value)} {points_interval(apart.ci)}" if apart else DASH


def place_words(test: AlternativeTest | None) -> str:
    """Return whether a model passes the alternative-annotator test, with winning rate and advantage."""
    if test is None or test.winning_rate is None:
        return DASH
    return f"{verdict(test)}: {number(test.winning_rate)}; {number(test.advantage)}"


def verdict(test: AlternativeTest) -> str:
    """Return whether a model passes the alternative-annotator test."""
    return "passes" if test.passed else "fails"


def _alpha(place: str) -> Callable[[PeerRow], Any]:
    return lambda row: getattr(row.alpha, place) if row.alpha else None


def peer_columns(measure: PeerMeasure) -> tuple[Column[PeerRow], ...]:
    """Return the columns of a study whose answers are measured so."""
    return (
        Column("respondent", "respondent", "", lambda row: row.words, forms=(*READ, "csv")),
        Column("respondent", "respondent", "", lambda r: LEFT_OUT if r.kind == "person" else r.name, forms=("json",)),
        Column("worker", "worker", "", lambda row: row.name if row.kind == "person" else LEFT_OUT, forms=("json",)),
        Column("kind", "kind", "", lambda row: row.kind, forms=DATA),
        Column("n", "answers", "Answers to items that other people answered", lambda row: row.figures[EQUAL].n),
        *(column for name in measure.names for column in _figure(name)),
        *_in_units(MODEL_COLUMNS, measure),
    )


def unit_of(measure: PeerMeasure) -> str:
    """Return what a difference of agreement counts: points of a hundred, on a scale hundredths of its length.

    Numbers that anybody writes have no such length: they count how far apart people's are.
    """
    if RANKS not in measure.names:
        return "points"
    return "% of the scale" if measure.closed else "% of people's range"


def _in_units(columns: Iterable[Column[Any]], measure: PeerMeasure) -> Iterator[Column[Any]]:
    return (column.called(unit=unit_of(measure)) for column in columns)


MODEL_COLUMNS: tuple[Column[PeerRow], ...] = (
    Column(
        "vs_one_person",
        "agreement vs one person, {unit}",
        "How much better it agrees with people than one of them, taken at random, agrees with the same others; with "
        "its 95% interval",
        lambda row: row.apart,
        apart_words,
        (*READ, "json"),
    ),
    Column("vs_one_person", "vs one person", "", lambda r: r.apart.value if r.apart else None, forms=("csv",)),
    Column("low", "low", "", lambda row: row.apart.ci[0] if row.apart else None, forms=("csv",)),
    Column("high", "high", "", lambda row: row.apart.ci[1] if row.apart else None, forms=("csv",)),
    Column(
        "p_holm",
        "p, Holm",
        "Of that difference, adjusted for the number of models",
        lambda row: row.p_holm,
        p_sign,
    ),
    Column(
        "alternative",
        "annotator's place",
        "The alternative-annotator test: winning rate, the share of people against whom the model wins (half "
        "or more to pass); then advantage, how often it agrees with the others as well as the person",
        lambda row: row.alternative,
        place_words,
        READ,
    ),
    Column(
        "winning_rate",
        "winning rate",
        "",
        lambda r: r.alternative.winning_rate if r.alternative else None,
        forms=DATA,
    ),
    Column("advantage", "advantage", "", lambda r: r.alternative.advantage if r.alternative else None, forms=DATA),
    *(
        Column(key, title, help_text, _alpha(part), _estimate_words, (*READ, "json"))
        for key, title, help_text, part in (
            ("alpha_people", "alpha of people", "Krippendorff's, on the items of the model", "people"),
            ("alpha_with", "alpha with it", "The same with the model as one more annotator", "together"),
        )
    ),
)


PAIRS: tuple[Column[ModelPair], ...] = (
    Column("one", "model", "", lambda pair: pair.words[0], forms=READ),
    Column("one", "model", "", lambda pair: pair.one, forms=("json",)),
    Column("other", "another", "", lambda pair: pair.words[1], forms=READ, style="start"),
    Column("other", "another", "", lambda pair: pair.other, forms=("json",)),
    Column("difference", "model nearer to people by, {unit}", "", lambda pair: pair.apart, apart_words),
    Column("p_holm", "p, Holm", "", lambda pair: pair.p_holm, p_sign),
    Column("n", "items", "", lambda pair: pair.apart.n),
)


def peer_table(peers: PeerAgreement, form: str) -> Table[PeerRow]:
    """Return every respondent's agreement with people, in a form."""
    known = [column for column in peer_columns(peers.measure) if _has_values(column, peers)]
    return Table("Agreement with people", known, peers.rows if form in DATA else peers.shown).within(form)


def _has_values(column: Column[PeerRow], peers: PeerAgreement) -> bool:
    """Return whether a column that only models have says anything of one."""
    if column.key in ("alpha_people", "alpha_with"):
        return _alphas(peers)
    return bool(peers.models) or column.key not in ("vs_one_person", "p_holm", "alternative", "low", "high")


def pair_table(peers: PeerAgreement, form: str) -> Table[ModelPair]:
    """Return models against each other."""
    caption = "Models against each other, by agreement with people"
    return Table(caption, tuple(_in_units(PAIRS, peers.measure)), peers.pairs).within(form)


def _alphas(peers: PeerAgreement) -> bool:
    return any(row.alpha for row in peers.models)
