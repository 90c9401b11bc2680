"""A plan as tables: what controls do, how many it takes, how many items show a difference, and which one is shown."""

from collections.abc import Callable, Mapping
from typing import Any

from baseline.human.plan import MOST_CONTROLS, RULE, ControlsOutcome, PlanOptions, StudyPlan
from data.numbers import DASH
from data.tables import Column, Table
from eval.planner import CrowdPlan

PLAN_NOTES = (
    "Guessers answer at random; a worker who knows a little is harder to tell apart.",
    "Majorities are those of independent people, whose errors spread evenly: real ones share hard items and gain less. "
    "A pilot's own majority of k (`human`) is the honest value.",
    "Items by the score test (McNemar's without correction), two-sided, the same items for people and model, for these "
    "people: the default test of `results` is for other people too and shows only larger differences. Clusters of "
    "items need more.",
)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}%"


def _known(number: int | None) -> object:
    return DASH if number is None else number


def _points(difference: float | None) -> str:
    return "none" if difference is None else f"{100 * difference:.1f}"


CONTROLS: tuple[Column[ControlsOutcome], ...] = (
    Column("options", "options", "", lambda row: row.options),
    Column("controls", "controls", "", lambda row: row.controls),
    Column("guesser_passes", "guesser passes", "", lambda row: row.guesser_passes, _percent),
    Column("guesser_passes_each", "if looked at each time", "", lambda row: row.guesser_passes_each, _percent),
    Column("good_excluded", "good excluded", "", lambda row: row.good_excluded, _percent),
    Column("good_excluded_each", "if looked at each time", "", lambda row: row.good_excluded_each, _percent),
)
NEEDED: tuple[Column[tuple[int, int | None]], ...] = (
    Column("options", "options", "", lambda row: row[0]),
    Column("controls", "controls", "", lambda row: row[1], lambda number: number or f"none up to {MOST_CONTROLS} do"),
)
ITEMS: tuple[Column[CrowdPlan], ...] = (
    Column("votes", "votes", "", lambda row: row.votes),
    Column("crowd", "majority is right", "", lambda row: row.crowd, "{:.3f}".format),
    Column("difference", "minus model, points", "", lambda row: 100 * row.difference, "{:+z.1f}".format),
    Column("discordant", "just one right", "", lambda row: row.discordant, "{:.3f}".format),
    Column("items", "items", "", lambda row: row.items, _known),
    Column("judgments", "judgments", "", lambda row: row.judgments, _known),
)


def plan_tables(study_plan: StudyPlan) -> list[Table[Any]]:
    """Return the four tables of a plan, each under what it was planned for."""
    wish = study_plan.wish
    enough = (
        f"Controls so that at most {wish.passing:.0%} of guessers pass and at most {wish.lost:.0%} of good workers are "
        "excluded, looking once"
    )
    shown = f"The smallest difference of a model below people that is shown with power {wish.power:.0%}, in points"
    first = f"Control items, {_rule_words(wish)}; a good worker has {wish.good:.0%} right"
    return [
        Table(first, CONTROLS, study_plan.controls),
        Table(enough, NEEDED, tuple(study_plan.needed.items())),
        Table(_aim_words(study_plan), ITEMS, study_plan.plans),
        Table(shown, _by_votes(study_plan), wish.items),
    ]


def _by_votes(study_plan: StudyPlan) -> list[Column[int]]:
    """Return the number of items, then the difference that it shows with each number of votes."""
    values = {(items, votes): difference for items, votes, difference in study_plan.detectable}
    columns: list[Column[int]] = [Column("items", "items", "", lambda items: items)]
    numbers = [each.votes for each in study_plan.plans]
    return columns + [Column(str(n), _votes(n), "", _shown_with(values, n), _points) for n in numbers]


def _shown_with(values: Mapping[tuple[int, int], float | None], votes: int) -> Callable[[int], float | None]:
    return lambda items: values[items, votes]


def _votes(number: int) -> str:
    return "1 vote" if number == 1 else f"{number} votes"


def _rule_words(wish: PlanOptions) -> str:
    if wish.control_min is not None:
        return f"excluded with less than {wish.control_min:.0%} right"
    test = f"P(accuracy > half way between chance and {wish.good:g}) below {RULE.doubt:g}"
    return f"the default rule: {test}, after {RULE.minimum} or more"


def _aim_words(study_plan: StudyPlan) -> str:
    wish = study_plan.wish
    aim = f"a model {100 * wish.difference:g} points below" if wish.model is None else f"a model with {wish.model:.0%}"
    agree = "" if wish.agreement is None else f" (they agree in {wish.agreement:.0%} of pairs)"
    people = f"a majority of people, each {study_plan.person:.0%} right{agree}"
    return f"Items to tell {people}, from {aim}: power {wish.power:.0%}, level {wish.level:g}, {wish.labels} labels"
