"""A plan as it is read in a terminal."""

from collections.abc import Sequence

from baseline.human.plan import MOST_CONTROLS, RULE, Gate, Planned, Wish
from data.table_text import table
from eval.planner import CrowdPlan

GATES = ("options", "controls", "guesser passes", "if looked at each time", "good excluded", "if looked at each time")
PLANS = ("votes", "majority is right", "minus model, points", "just one right", "items", "judgments")
NOTES = (
    "Guessers answer at random; a worker who knows a little is harder to tell apart.",
    "Majorities are those of independent people, whose errors spread evenly: real ones share hard items and gain less. "
    "A pilot's own majority of k (`human`) is the honest value.",
    "Items by the score test (McNemar's without correction), two-sided, the same items for people and model; clusters "
    "of items need more.",
)


def plan_text(found: Planned) -> str:
    """Return the plan as readable tables."""
    wish = found.wish
    parts = [
        f"Control items, {_rule_words(wish)}; a good worker has {wish.good:.0%} right",
        table(GATES, [_gate_row(gate) for gate in found.gates]),
        f"Controls so that at most {wish.passing:.0%} of guessers pass and at most {wish.lost:.0%} of good workers are "
        "excluded, looking once",
        table(("options", "controls"), [[k, n or f"none up to {MOST_CONTROLS} do"] for k, n in found.needed.items()]),
        _aim_words(found),
        table(PLANS, [_plan_row(one) for one in found.plans]),
        f"The smallest difference that is shown with power {wish.power:.0%}, in points",
        table(("items", *map(_votes, found.plans)), _detectable_rows(found)),
        "\n".join(f"note: {note}" for note in NOTES),
    ]
    return "\n\n".join(parts)


def _rule_words(wish: Wish) -> str:
    if wish.control_min is not None:
        return f"excluded with less than {wish.control_min:.0%} right"
    test = f"P(accuracy > half way between chance and {wish.good:g}) below {RULE.doubt:g}"
    return f"the default rule: {test}, after {RULE.minimum} or more"


def _aim_words(found: Planned) -> str:
    wish = found.wish
    aim = f"a model {100 * wish.difference:g} points below" if wish.model is None else f"a model with {wish.model:.0%}"
    agree = "" if wish.agreement is None else f" (they agree in {wish.agreement:.0%} of pairs)"
    people = f"a majority of people, each {found.person:.0%} right{agree}"
    return f"Items to tell {people}, from {aim}: power {wish.power:.0%}, level {wish.level:g}, {wish.labels} labels"


def _gate_row(gate: Gate) -> list[object]:
    rates = gate.guesser_passes, gate.guesser_passes_each, gate.good_excluded, gate.good_excluded_each
    return [gate.options, gate.controls, *(f"{100 * rate:.1f}%" for rate in rates)]


def _plan_row(one: CrowdPlan) -> list[object]:
    told = [f"{one.crowd:.3f}", f"{100 * one.difference:+.1f}", f"{one.discordant:.3f}"]
    return [one.votes, *told, "—" if one.items is None else one.items, "—" if one.judgments is None else one.judgments]


def _detectable_rows(found: Planned) -> Sequence[Sequence[object]]:
    values = {
        (items, votes): "none" if points is None else f"{100 * points:.1f}" for items, votes, points in found.detectable
    }
    return [[items, *(values[items, each.votes] for each in found.plans)] for items in found.wish.items]


def _votes(one: CrowdPlan) -> str:
    return "1 vote" if one.votes == 1 else f"{one.votes} votes"
