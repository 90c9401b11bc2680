"""Agreement with people in sentences: who agrees as well as people do, what a reader must know; a report's section."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baseline.comparison.document import Line, Section
from baseline.comparison.peer_agreement import LEAST_ITEMS, MOST_PEOPLE, PeerAgreement, PeerRow
from baseline.comparison.peer_tables import BY_PEOPLE, FIGURES, TITLE, pair_table, peer_table
from baseline.human.interval_scope import notes_on_tests, scope, without_kappa
from data.numbers import SIGNIFICANT, counted, interval, number, points, points_interval
from data.tables import Table
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR, SQUARED
from eval.comparison.alt_test import BY_RANKS, AlternativeTest

ROUNDING = 1e-9
NOT_PASSED = "Not to pass the alternative-annotator test is no proof of being worse."
PLACES = (
    "The intervals of winning rate and advantage say where both lie on average in other studies of as many answers. "
    "That of a winning rate is a bootstrap over items in which each person is tested anew, or, where no sample changes "
    f"the rate, Wilson's of the people tested (“{BY_PEOPLE}”); that of an advantage is Wilson's, as a mean's is. Both "
    "are joined with how people differ where they hold for other people."
)


def peer_sentences(peers: PeerAgreement) -> list[str]:
    """Return who agrees with people as well as people do, and who is told apart from one person."""
    return [*_about_people(peers), *_about_places(peers), *_about_tests(peers), *_about_constants(peers)]


def _about_people(peers: PeerAgreement) -> Iterator[str]:
    main = peers.average.figures[peers.main]
    if not main.n:
        return
    what = {
        EQUAL: f"gives the answer of most others {main.value:.1%} of the time",
        ERROR: f"is {number(main.value)} from the mean of the others, on average",
        SIMILAR: f"is {number(main.value)} like the others, where 1 is the same",
    }[peers.main]
    ends = " to ".join(f"{end:.1%}" for end in main.ci) if peers.main == EQUAL else interval(main.ci)
    people = len(peers.human.panel.workers) - len(peers.human.panel.excluded)
    yield f"One of {people} people {what}{f' (95% interval {ends})' if main.ci[0] == main.ci[0] else ''}."


def _about_places(peers: PeerAgreement) -> Iterator[str]:
    tested = _with_verdict(peers)
    by = f"By the alternative-annotator test (epsilon {_epsilon(peers):g})"
    worse = {row.words: words for row, test in tested if test.passed and (words := _worse_words(peers, row))}
    shown = [row.words for row, test in tested if test.passed and not test.by_ranks]
    if alike := [name for name in shown if name not in worse]:
        yield (
            f"{by}, {enumerated(alike)} may take a person's place: of half of the people or more it is shown that, "
            "with epsilon granted, they agree with the others no better."
        )
    for name in shown:
        if name in worse:
            yield f"{by}, {name} may take a person's place, but {worse[name]}."
    for words, names in _passed_by_ranks(tested, worse).items():
        yield f"{by}, that {enumerated(names)} may take a person's place is not shown, though {words}."
    if failed := [row.words for row, test in tested if not test.passed]:
        they = "they" if len(failed) > 1 else "it"
        yield (
            f"{by}, it is not shown of {enumerated(failed)} that {they} may take a person's place, which is no proof "
            "of the contrary."
        )


def _with_verdict(peers: PeerAgreement) -> list[tuple[PeerRow, AlternativeTest]]:
    return [(row, row.alternative) for row in peers.models if row.alternative and row.alternative.passed is not None]


def _passed_by_ranks(
    tested: Sequence[tuple[PeerRow, AlternativeTest]], worse: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return which models pass with people who were tested by ranks alone, by the words that say so."""
    models: dict[str, list[str]] = {}
    for row, test in tested:
        if test.by_ranks:
            won = sum(each.rejected for each in test.tested)
            words = (
                f"the test is passed: {test.won_by_ranks} of the {won} people won against "
                f"have fewer than {BY_RANKS} items beside a model and are tested by ranks"
            )
            models.setdefault("; ".join(filter(None, (words, worse.get(row.words)))), []).append(row.words)
    return models


def _about_constants(peers: PeerAgreement) -> Iterator[str]:
    """Yield which models give one answer to every item, which agrees with people where these differ at random."""
    for model in peers.candidates:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.words} gives to {int(model.ballots.scored.sum())} items. "
                "It tells no item from another, however well that agrees with people."
            )


def _worse_words(peers: PeerAgreement, row: PeerRow) -> str:
    """Return by which figure a model agrees less than one person does in these answers, "" where it does not.

    On a scale by the distance that the alternative-annotator test compares, else beside the very same others.
    """
    words = ""
    if SQUARED in row.figures:
        own, person = row.figures[SQUARED].value, peers.average.figures[SQUARED].value
        if own > person + ROUNDING:
            words = f"{FIGURES[SQUARED][0]} {number(own)}, of one person {number(person)}"
    elif row.apart is not None and row.apart.value < -ROUNDING:
        words = f"{points(row.apart.value)} points {points_interval(row.apart.ci)}".rstrip()
    if not words:
        return ""
    shown = row.p_holm is not None and row.p_holm < SIGNIFICANT
    chance = "" if shown else ", which may be chance"
    return f"here it agrees with people less than one does: {words}{chance}"


def _epsilon(peers: PeerAgreement) -> float:
    """Return what the alternative-annotator test grants the models of a study."""
    return next((row.alternative.epsilon for row in peers.models if row.alternative), 0.0)


def _about_tests(peers: PeerAgreement) -> Iterator[str]:
    tested = [row for row in peers.models if row.apart and row.p_holm is not None]
    clear = [row for row in tested if row.p_holm is not None and row.p_holm < SIGNIFICANT]
    parts = {
        "better than one person": [row.words for row in clear if row.apart and row.apart.value > 0],
        "less well than one person": [row.words for row in clear if row.apart and row.apart.value < 0],
        "not told apart from one person": [row.words for row in tested if row not in clear],
    }
    if words := "; ".join(f"{how}: {enumerated(names)}" for how, names in parts.items() if names):
        yield f"Agreement with the same other people, tested (Holm, 0.05): {words}."
    passed = {row.words for row in peers.models if row.alternative and row.alternative.passed}
    both = [name for name in parts["less well than one person"] if name in passed]
    if both:
        yield (
            f"Less well than one person, and passing the alternative-annotator test: {enumerated(both)}. Both can be "
            f"true: that test grants a model epsilon ({_epsilon(peers):g}), this one grants nothing."
        )


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return whom the intervals hold for, and what stands beside what."""
    all_of_them = ", a model with all of them" if peers.models else ""
    return [
        f"A person is compared with the other people of an item{all_of_them}; their ties are shared out.",
        *_beside_one_person(peers),
        *_without_order(peers),
        *_of_a_scale(peers),
        *([] if peers.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
        *([PLACES] if any(row.place for row in peers.models) else []),
        *([NOT_PASSED] if any(not test.passed for _, test in _with_verdict(peers)) else []),
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
        f"People with {LEAST_ITEMS} shared items or more have a row, at most the {MOST_PEOPLE} who answered most.",
    ]


def _beside_one_person(peers: PeerAgreement) -> Iterator[str]:
    """Yield what a model's difference from one person is of, and what it counts on a scale; nothing without a model."""
    if not any(row.apart for row in peers.models):
        return
    of_scores = "; “vs one person” beside scores is of right answers" if peers.human.panel.gold else ""
    yield (
        "“agreement vs one person”: both are compared with the same others, those who remain without one "
        f"person{of_scores}."
    )
    if RANKS in peers.measure.names:
        span = peers.measure.span
        long = f"The scale is {span:g} long" if peers.measure.closed else f"People's answers lie up to {span:g} apart"
        yield (
            f"{long}, so 1% of that is {span / 100:g}: by so much a model is nearer to the mean of the others than one "
            "person, or further off (−)."
        )


def _without_order(peers: PeerAgreement) -> list[str]:
    """Return whose rank correlation does not exist, since an order needs different answers on both sides."""
    ranks = [(row.words, row.figures[RANKS]) for row in peers.rows if RANKS in row.figures]
    names = [name for name, figure in ranks if figure.n and figure.value != figure.value]
    if not names:
        return []
    return [f"Rank correlation of {enumerated(names)} does not exist: one side always says the same, in no order."]


def _of_a_scale(peers: PeerAgreement) -> Iterator[str]:
    """Yield which figures take no notice of how far apart answers are on a scale, and which are not there."""
    if RANKS in peers.measure.names:
        names = [f"“{FIGURES[name][0]}”" for name in (EQUAL, KAPPA) if name in peers.measure.names]
        yield f"Equal or not is all that counts for {enumerated(names)}, not how far apart answers are on the scale."
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
    placed = [each for row in peers.models for each in row.place.values()]
    if placed and others != any(each.ci_items for each in placed):
        parts.append(f"those of winning rate and advantage for {scope(unit, other_people=not others)}")
    return "; ".join([scope(unit, other_people=others), *parts])


def _words_of(peers: PeerAgreement, rows: Sequence[PeerRow]) -> str:
    """Return whose rows these are: persons one by one are many."""
    persons = [row for row in rows if row.kind == "person"]
    names = [row.words for row in rows if row.kind != "person"]
    if not persons:
        return enumerated(names)
    which = "single persons" if len(persons) == len(peers.people) else counted(len(persons), "single person")
    return enumerated([*names, which])


def peer_section(peers: PeerAgreement, figure: str | None = None) -> Section:
    """Return agreement with people as a section of a report."""
    tables: tuple[Table[Any], ...] = (
        peer_table(peers, "document"),
        *([pair_table(peers, "document")] if peers.pairs else []),
    )
    return Section(TITLE, tuple(map(Line, (*peer_sentences(peers), *peer_notes(peers)))), tables, figure=figure)


def peers_dict(peers: PeerAgreement) -> dict[str, Any]:
    """Return it as it stands in JSON."""
    return {
        "by": peers.main,
        "people_range": peers.measure.span if RANKS in peers.measure.names and not peers.measure.closed else None,
        "rows": peer_table(peers, "json").records,
        "pairs": pair_table(peers, "json").records,
        "notes": peer_notes(peers),
    }
