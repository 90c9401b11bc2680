"""What a reader must know of agreement with people, and how it stands in JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from baseline.comparison.peer_agreement import PeerAgreement, PeerRow
from baseline.comparison.peer_tables import FIGURES, PAIRS, peer_table
from baseline.human.interval_scope import notes_on_tests, scope, without_kappa
from data.numbers import counted
from data.tables import Table
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, KAPPA, RANKS


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return what changes how agreement with people is read."""
    return [
        *_about_constants(peers),
        *_without_order(peers),
        *_of_a_scale(peers),
        *([] if peers.human.one_cluster else [f"Intervals are 95%, for {_hold_for(peers)}."]),
        *notes_on_tests(row.apart for row in peers.models),
        *without_kappa([(row.words, row.figures[KAPPA]) for row in peers.rows if KAPPA in row.figures]),
    ]


def _about_constants(peers: PeerAgreement) -> Iterator[str]:
    """Yield which models give one answer to every item, which agrees with people where these differ at random."""
    for model in peers.candidates:
        if (answer := model.ballots.only_answer) is not None:
            yield (
                f"One answer, “{answer}”, is all that {model.words} gives to {int(model.ballots.scored.sum())} items. "
                "It tells no item from another, however well that agrees with people."
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
        "pairs": Table("", PAIRS, peers.pairs).records,
        "notes": peer_notes(peers),
    }
