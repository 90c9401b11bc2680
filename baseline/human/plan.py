"""Before a study: what controls keep out and whom they hit, and how many items and votes show a difference."""

from dataclasses import asdict, dataclass
from typing import Any

from data.errors import BadSetting
from eval.control_rules import ControlTest, Posterior, Threshold, controls_needed, ever_stopped, stop_rate
from eval.planner import CrowdPlan, accuracy_of, crowd_accuracy, crowd_plan, detectable

MOST_CONTROLS = 200


@dataclass(frozen=True)
class Wish:
    """What is planned for.

    `options` and `controls` are the numbers of answers and of control items to look at; `good` is the accuracy of a
    good worker, `control_min` a plain threshold in the place of the default rule. `passing` guessers may get through,
    `lost` good workers may be excluded. A person has the accuracy `person`, or the one that follows from the share of
    equal pairs `agreement`. The difference to be shown is `difference`, or that from a `model`; `discordant` is the
    share of items that just one of people and model has right, None where their errors are taken to be independent.
    """

    options: tuple[int, ...] = (2, 3, 4)
    controls: tuple[int, ...] = (5, 10, 20, 30)
    good: float = 0.9
    control_min: float | None = None
    passing: float = 0.1
    lost: float = 0.01
    person: float = 0.85
    agreement: float | None = None
    votes: tuple[int, ...] = (1, 3, 5, 7)
    items: tuple[int, ...] = (100, 300, 500, 1000)
    difference: float = 0.05
    model: float | None = None
    discordant: float | None = None
    labels: int = 2
    power: float = 0.8
    level: float = 0.05

    def __post_init__(self) -> None:
        for name, least in (("options", 2), ("controls", 1), ("votes", 1), ("items", 1)):
            given = getattr(self, name)
            if not given or min(given) < least:
                raise BadSetting(f"--{name} takes numbers from {least}, such as 3,5,10; got {given!r}.")
        for name in ("passing", "lost"):
            if not 0 < getattr(self, name) < 1:
                raise BadSetting(f"--{name} is a share between 0 and 1, got {getattr(self, name)!r}.")
        if not self.difference > 0:
            raise BadSetting(f"The difference to be shown must be above 0, got {self.difference!r}.")

    def rule(self, options: int) -> ControlTest:
        """Return the control rule for items of so many options."""
        if self.control_min is not None:
            return Threshold(self.control_min)
        return Posterior(1 / options, good=self.good)


@dataclass(frozen=True)
class Gate:
    """What so many controls do, looked at once at their end or after each of them: who passes, whom they cost."""

    options: int
    controls: int
    guesser_passes: float
    guesser_passes_each: float
    good_excluded: float
    good_excluded_each: float


@dataclass(frozen=True)
class Planned:
    """What a wish comes to; `needed` is by the number of options, None where no number of controls does."""

    wish: Wish
    person: float
    gates: tuple[Gate, ...]
    needed: dict[int, int | None]
    plans: tuple[CrowdPlan, ...]
    detectable: tuple[tuple[int, int, float | None], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as `plan --json` prints it."""
        return {
            "wish": asdict(self.wish),
            "person": self.person,
            "controls": [asdict(gate) for gate in self.gates],
            "controls_needed": {str(options): number for options, number in self.needed.items()},
            "items_needed": [asdict(one) for one in self.plans],
            "detectable": [dict(zip(("items", "votes", "difference"), each, strict=True)) for each in self.detectable],
        }


def plan(wish: Wish) -> Planned:
    """Return what a wish comes to; raises BadSetting for one that makes no sense."""
    person = wish.person if wish.agreement is None else accuracy_of(wish.agreement, labels=wish.labels)
    found = tuple(_crowd_plan(wish, number, person) for number in wish.votes)
    shown = [
        (
            items,
            each.votes,
            detectable(items, each.crowd, reversals=_reversals(each, wish), power=wish.power, level=wish.level),
        )
        for items in wish.items
        for each in found
    ]
    return Planned(
        wish=wish,
        person=person,
        gates=tuple(_gate(wish, options, number) for options in wish.options for number in wish.controls),
        needed={options: _needed(wish, options) for options in wish.options},
        plans=found,
        detectable=tuple(shown),
    )


def _crowd_plan(wish: Wish, votes: int, person: float) -> CrowdPlan:
    crowd = crowd_accuracy(person, votes, labels=wish.labels)
    model = crowd - wish.difference if wish.model is None else wish.model
    return crowd_plan(votes, crowd, model, discordant=wish.discordant, power=wish.power, level=wish.level)


def _gate(wish: Wish, options: int, controls: int) -> Gate:
    rule, guess = wish.rule(options), 1 / options
    rates = (1 - stop_rate(rule, guess, controls), 1 - ever_stopped(rule, guess, controls))
    hit = (stop_rate(rule, wish.good, controls), ever_stopped(rule, wish.good, controls))
    return Gate(options, controls, *rates, *hit)


def _needed(wish: Wish, options: int) -> int | None:
    return controls_needed(
        wish.rule(options),
        1 / options,
        stopped=1 - wish.passing,
        good=wish.good,
        spared=1 - wish.lost,
        most=MOST_CONTROLS,
    )


def _reversals(one: CrowdPlan, wish: Wish) -> float | None:
    """Return the share of items that only the less accurate of two has right, None where errors are independent."""
    return None if wish.discordant is None else (wish.discordant - abs(one.difference)) / 2
