"""What a reader must know of agreement with people, and how it stands in JSON."""

from collections.abc import Iterator
from typing import Any

from baseline.comparison.peer_agreement import PeerAgreement
from baseline.comparison.peer_tables import FIGURES, pair_table, peer_table
from baseline.human.interval_scope import notes_on_tests, without_kappa
from data.wording import enumerated
from eval.agreement.beside_people import EQUAL, KAPPA, RANKS


def peer_notes(peers: PeerAgreement) -> list[str]:
    """Return what changes how agreement with people is read."""
    return [
        *_about_constants(peers),
        *_without_order(peers),
        *_of_a_scale(peers),
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
            yield f"{long}: 1% of that is {span / 100:g}."
    if peers.human.panel.votes.names is not None and peers.models:
        yield "Alpha with a model among people, and kappa, are computed of answers out of a list alone."


def peers_dict(peers: PeerAgreement) -> dict[str, Any]:
    """Return it as it stands in JSON."""
    return {
        "by": peers.main,
        "people_range": peers.measure.span if RANKS in peers.measure.names and not peers.measure.closed else None,
        "rows": peer_table(peers, "json").records,
        "pairs": pair_table(peers, "json").records,
        "notes": peer_notes(peers),
    }
