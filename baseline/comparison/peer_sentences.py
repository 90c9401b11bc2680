"""Agreement with people in sentences: who agrees as well as people do, what a reader must know; a report's section."""

from collections.abc import Iterator, Sequence
from typing import Any

from baseline.comparison.peer_agreement import LEAST_ITEMS, MOST_PEOPLE, PeerAgreement, PeerRow
from baseline.comparison.peer_tables import FIGURES, pair_table, peer_table
from baseline.human.interval_scope import notes_on_tests, scope, without_kappa
from data.numbers import SIGNIFICANT, counted, interval, number
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, ERROR, KAPPA, RANKS, SIMILAR


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
    tests = [(row.words, row.alternative) for row in peers.models if row.alternative]
    passed = [name for name, test in tests if test.passed]
    failed = [name for name, test in tests if test.passed is False]
    parts = [
        *([f"{enumerated(passed)} may take a person's place"] if passed else []),
        *([f"of {enumerated(failed)} that is not shown"] if failed else []),
    ]
    if parts:
        epsilon = next(test.epsilon for _, test in tests)
        yield f"By the alternative-annotator test (epsilon {epsilon:g}), {'; '.join(parts)}."


def _about_constants(peers: PeerAgreement) -> Iterator[str]:
    """Yield which models give one answer to every item, which agrees with people where these differ at random."""
    for model in peers.candidates:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.words} gives to {int(model.ballots.scored.sum())} items. "
                "It tells no item from another, however well that agrees with people."
            )


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


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return whom the intervals hold for, and what stands beside what."""
    all_of_them = ", a model with all of them" if peers.models else ""
    return [
        f"A person is compared with the other people of an item{all_of_them}; their ties are shared out.",
        *_beside_one_person(peers),
        *_without_order(peers),
        *_of_a_scale(peers),
        *([] if peers.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
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
        "pairs": pair_table(peers, "json").records,
        "notes": peer_notes(peers),
    }
