"""Before a study: what controls keep out and whom they hit, and how many items and votes show a difference."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

from data.declared import option, settings_of
from data.errors import BadSetting
from data.numbers import counted, or_dash
from data.tables import Column, Table, table_of
from db.study_settings import SETTINGS
from eval.planner import PERSON, CrowdPlan, accuracy_of, crowd_accuracy, crowd_plan, detectable
from eval.workers import control
from eval.workers.control import ControlTest, controls_needed, ever_stopped, stop_rate

MOST_CONTROLS = 200
about_controls, about_difference = (partial(option, group=group) for group in ("Controls", "A difference"))
RULE = control.ControlRule()
"""The rule on controls as a new study has it."""
LEAST = {"options": 2, "controls": 1, "votes": 1, "items": 1}
"""The least of the numbers in each of the settings that take several."""


class PlanOptions(BaseModel):
    """What is planned for.

    `options` and `controls` are the numbers of answers and of control items to look at; `good` is the accuracy of a
    good worker, `control_min` a plain threshold instead of the default rule. `passing` guessers may get through,
    `lost` good workers may be excluded. A person has the accuracy `person`, or the one that follows from the share of
    equal pairs `agreement`. The difference to detect is `difference`, or that from a `model`; `discordant` is the
    share of items that just one of people and model has right, None where their errors are taken to be independent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    options: tuple[int, ...] = about_controls("--options", (2, 3, 4), "Answer options per item", typed=str)
    controls: tuple[int, ...] = about_controls("--controls", (5, 10, 20, 30), "Numbers of control items", typed=str)
    good: float = about_controls("--good", RULE.good, "Accuracy of a good worker")
    control_min: float | None = about_controls(
        "--control-min", None, SETTINGS["control_min"].title, "Instead of the default control rule", ge=0, le=1
    )
    passing: float = about_controls("--passing", 0.1, "Share of guessers who may pass", "Between 0 and 1")
    lost: float = about_controls("--lost", 0.01, "Share of good workers who may be excluded", "Between 0 and 1")
    person: float = about_difference("--person", PERSON, "Accuracy of a person")
    agreement: float | None = about_difference("--agreement", None, "Pairwise agreement", "Instead of --person")
    votes: tuple[int, ...] = about_difference("--votes", (1, 3, 5, 7), "Votes per item", typed=str)
    items: tuple[int, ...] = about_difference("--items", (100, 300, 500, 1000), "Numbers of items", typed=str)
    difference: float = about_difference("--difference", 0.05, "Difference to detect", "0.05 is 5 points")
    model: float | None = about_difference("--model", None, "Accuracy of the model", "For its difference from people")
    discordant: float | None = about_difference(
        "--discordant", None, "Discordant items", "Share of items that only one of the two gets right"
    )
    labels: int = about_difference("--labels", 2, "Answer options of a main item")
    power: float = about_difference(
        "--power", 0.8, "Power", "Probability of detecting the difference, from 0.5 to below 1"
    )
    level: float = about_difference("--level", 0.05, "Significance level")

    @field_validator(*LEAST, mode="before")
    @classmethod
    def _numbers(cls, given: Any, info: ValidationInfo) -> Any:
        """Read numbers as they are typed; refuse none, and numbers that make no sense."""
        if isinstance(given, str):
            parts = [part.strip() for part in given.split(",")]
            if not all(part.isdecimal() for part in parts):
                raise BadSetting(
                    f"--{info.field_name} takes whole numbers separated by commas, such as 3,5,10; got {given!r}."
                )
            given = tuple(map(int, parts))
        least = LEAST[str(info.field_name)]
        if not given or min(given) < least:
            raise BadSetting(f"--{info.field_name} takes numbers from {least}, such as 3,5,10; got {given!r}.")
        return given

    @field_validator("passing", "lost")
    @classmethod
    def _share(cls, given: float, info: ValidationInfo) -> float:
        if not 0 < given < 1:
            raise BadSetting(f"--{info.field_name} is a share between 0 and 1, got {given!r}.")
        return given

    @field_validator("difference")
    @classmethod
    def _above_none(cls, given: float) -> float:
        if not given > 0:
            raise BadSetting(f"Difference to detect must be above 0, got {given!r}.")
        return given

    def rule(self, options: int) -> ControlTest:
        """Return the control rule for items of so many options."""
        if self.control_min is not None:
            return control.Threshold(self.control_min)
        return control.Posterior(1 / options, self.good, RULE.doubt, RULE.minimum)


PLAN_OPTIONS = settings_of(PlanOptions)
"""What can be asked of a plan, by name."""


@dataclass(frozen=True)
class ControlsOutcome:
    """What so many controls do, looked at once at their end or after each of them: who passes, whom they cost."""

    options: int
    controls: int
    guesser_passes: float
    guesser_passes_each: float
    good_excluded: float
    good_excluded_each: float


@dataclass(frozen=True)
class StudyPlan:
    """What a wish comes to; `needed` is by the number of options, None where no number of controls does."""

    wish: PlanOptions
    person: float
    controls: tuple[ControlsOutcome, ...]
    needed: dict[int, int | None]
    plans: tuple[CrowdPlan, ...]
    detectable: tuple[tuple[int, int, float | None], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as `plan --json` prints it."""
        return {
            "wish": self.wish.model_dump(),
            "person": self.person,
            "controls": [asdict(outcome) for outcome in self.controls],
            "controls_needed": {str(options): number for options, number in self.needed.items()},
            "items_needed": [asdict(plan) for plan in self.plans],
            "detectable": [dict(zip(("items", "votes", "difference"), each, strict=True)) for each in self.detectable],
        }


def plan(wish: PlanOptions) -> StudyPlan:
    """Return what a wish comes to; raises BadSetting for one that makes no sense."""
    person = wish.person if wish.agreement is None else accuracy_of(wish.agreement, labels=wish.labels)
    plans = tuple(_crowd_plan(wish, number, person) for number in wish.votes)

    def shown(items: int, each: CrowdPlan) -> float | None:
        return detectable(items, each.crowd, reversals=_reversals(each, wish), power=wish.power, level=wish.level)

    return StudyPlan(
        wish=wish,
        person=person,
        controls=tuple(_controls(wish, options, number) for options in wish.options for number in wish.controls),
        needed={options: _needed(wish, options) for options in wish.options},
        plans=plans,
        detectable=tuple((items, each.votes, shown(items, each)) for items in wish.items for each in plans),
    )


def _crowd_plan(wish: PlanOptions, votes: int, person: float) -> CrowdPlan:
    majority = crowd_accuracy(person, votes, labels=wish.labels)
    model = majority - wish.difference if wish.model is None else wish.model
    return crowd_plan(votes, majority, model, discordant=wish.discordant, power=wish.power, level=wish.level)


def _controls(wish: PlanOptions, options: int, controls: int) -> ControlsOutcome:
    rule, guess = wish.rule(options), 1 / options
    each = ever_stopped if controls > rule.minimum else stop_rate  # until then the rule looks once at most
    rates = (1 - stop_rate(rule, guess, controls), 1 - each(rule, guess, controls))
    hit = (stop_rate(rule, wish.good, controls), each(rule, wish.good, controls))
    return ControlsOutcome(options, controls, *rates, *hit)


def _needed(wish: PlanOptions, options: int) -> int | None:
    rule, stopped, spared = wish.rule(options), 1 - wish.passing, 1 - wish.lost
    return controls_needed(rule, 1 / options, stopped=stopped, good=wish.good, spared=spared, most=MOST_CONTROLS)


def _reversals(crowd_plan: CrowdPlan, wish: PlanOptions) -> Callable[[float], float] | None:
    """Return the share of items that only the less accurate of two has right, None where errors are independent."""
    if wish.discordant is None:
        return None
    share = (wish.discordant - abs(crowd_plan.difference)) / 2
    return lambda _: share


PLAN_NOTES = (
    "Guessers answer at random; a worker who knows a little is harder to find.",
    "Majorities assume independent errors. Real people share hard items and gain less: take the majority of k from a "
    "pilot (`human`).",
    "Items by the score test (McNemar's without correction), two-sided, on the same items. The default test of "
    "`results` also allows for other people, so it needs larger differences; clusters of items need more.",
)


CONTROL_COLUMNS: tuple[Column[ControlsOutcome], ...] = (
    Column("options", "options", "", lambda row: row.options),
    Column("controls", "controls", "", lambda row: row.controls),
    Column("guesser_passes", "guesser passes", "", lambda row: row.guesser_passes, "{:.1%}".format),
    Column("guesser_passes_each", "if looked at each time", "", lambda row: row.guesser_passes_each, "{:.1%}".format),
    Column("good_excluded", "good excluded", "", lambda row: row.good_excluded, "{:.1%}".format),
    Column("good_excluded_each", "if looked at each time", "", lambda row: row.good_excluded_each, "{:.1%}".format),
)
ITEM_COLUMNS: tuple[Column[CrowdPlan], ...] = (
    Column("votes", "votes", "", lambda row: row.votes),
    Column("crowd", "majority is right", "", lambda row: row.crowd, "{:.3f}".format),
    Column("difference", "minus model, points", "", lambda row: 100 * row.difference, "{:+z.1f}".format),
    Column("discordant", "just one right", "", lambda row: row.discordant, "{:.3f}".format),
    Column("items", "items", "", lambda row: row.items, or_dash),
    Column("judgments", "judgments", "", lambda row: row.judgments, or_dash),
)


def plan_tables(study_plan: StudyPlan) -> list[Table[Any]]:
    """Return the four tables of a plan, each under what it was planned for."""
    wish = study_plan.wish
    enough = (
        f"Controls so that at most {wish.passing:.0%} of guessers pass and at most {wish.lost:.0%} of good workers are "
        "excluded, looking once"
    )
    needed = [(options, number or f"none up to {MOST_CONTROLS} do") for options, number in study_plan.needed.items()]
    first = f"Control items, {_rule_words(wish)}; a good worker has {wish.good:.0%} right"
    return [
        Table(first, CONTROL_COLUMNS, study_plan.controls),
        table_of(enough, ["options", "controls"], needed),
        Table(_aim_words(study_plan), ITEM_COLUMNS, study_plan.plans),
        _by_votes(study_plan),
    ]


def _by_votes(study_plan: StudyPlan) -> Table[Sequence[object]]:
    """Return for each number of items the difference that it shows with each number of votes."""
    wish, votes = study_plan.wish, [each.votes for each in study_plan.plans]
    shown = {(items, votes): "none" if d is None else f"{100 * d:.1f}" for items, votes, d in study_plan.detectable}
    caption = f"The smallest difference of a model below people that is shown with power {wish.power:.0%}, in points"
    rows = [(items, *(shown[items, number] for number in votes)) for items in wish.items]
    return table_of(caption, ["items", *(counted(number, "vote") for number in votes)], rows)


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
