"""People as the standard: how far each person agrees with the others, and a model with all of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from baseline.comparison.document import estimate_words
from baseline.comparison.results import PeerAgreement, PeerRow
from baseline.human.interval_scope import difference_words, notes_on_tests, scope, without_kappa
from data.numbers import DASH, counted, number, p_sign
from data.tables import LEFT_OUT, Column, Table
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED, PeerMeasure
from eval.comparison.alt_test import AlternativeTest
from eval.estimate import Estimate

FIGURES = {
    EQUAL: ("same as most people", "The share of answers that most of the other people gave, ties shared out"),
    KAPPA: ("Cohen's kappa", "The same beyond chance: 1 is always, 0 what chance gives"),
    RANKS: ("rank correlation", "Spearman's, with the mean of the other people's numbers"),
    ERROR: ("mean error", "How far from the mean of the other people's numbers, on average; less is nearer"),
    SQUARED: ("root mean square error", "The same, with large distances weighing more; less is nearer"),
    SIMILAR: ("similarity", "How like the other people's answers, 0 to 1, on average"),
}
"""What each figure is called, and what it says."""
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
        *([] if peers.results.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
    ]


def _about_answers(peers: PeerAgreement) -> Iterator[str]:
    """Yield who gives one answer to every item, which figures do not exist, and which ignore the order of a scale."""
    for model in peers.results.models:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.called} gives to {int(model.ballots.scored.sum())} items. "
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
    if peers.results.panel.votes.names is not None and peers.models:
        yield "Alpha with a model among people, and kappa, are computed of answers out of a list alone."


def _hold_for(peers: PeerAgreement) -> str:
    """Return what the intervals hold for, and which of them do not where others do."""
    unit, main = peers.results.panel.resampling.unit, peers.main
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
