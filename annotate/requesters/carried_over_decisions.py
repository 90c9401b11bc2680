"""Decisions that may have been carried on: stored with what was said about the item before."""

from collections.abc import Iterable

from db.records import Decision

SECONDS = 1.0
"""So soon after the one before, a decision was hardly thought of."""


def carried_over(decisions: Iterable[Decision], *, within: float = SECONDS) -> list[Decision]:
    """Return the decisions that one expert gave at most `within` seconds after one on another item, the note the same.

    `decisions` come in the order they were made. No note at all is the same note as none.
    """
    before: dict[str, Decision] = {}
    carried = []
    for decision in decisions:
        last = before.get(decision.who)
        if last and last.key != decision.key and last.note == decision.note and _seconds(last, decision) <= within:
            carried.append(decision)
        before[decision.who] = decision
    return carried


def _seconds(earlier: Decision, later: Decision) -> float:
    return (later.decided_at - earlier.decided_at).total_seconds()
