"""Lines of the checklist on the smallest difference from people that a study's items show, by each test that it has."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from baseline.comparison.against_people import reference_people
from baseline.comparison.document import Line
from baseline.human.baseline import HumanBaseline
from data.numbers import counted
from eval.comparison.difference import Difference
from eval.comparison.smallest_difference import PeopleSpread, SmallestDifference, people_spread, smallest_difference
from eval.intervals.jackknife import why_these_people

FEWEST_REVERSALS = 5
"""Answers that are right where those of the better one are wrong: below so many their share is not taken for known."""


@dataclass(frozen=True)
class SimulatedPower:
    """The power, in per cent, of what one study prints for other people, over the worlds of docs/statistics.md.

    The ends of it, and of the numbers of people and of items in them, with the metrics that were simulated.
    """

    metrics: frozenset[str]
    people: tuple[int, int]
    items: tuple[int, int]
    power: tuple[int, int]

    def words(self, metric: str, people: int, items: int) -> str:
        """Return what was simulated, "" for a study unlike it."""
        (few, many), (short, long), (low, high) = self.people, self.items, self.power
        if metric not in self.metrics or not (few <= people <= many and short <= items <= long):
            return ""
        return (
            f" In simulated studies of {few} to {many} people and {short} to {long} items what is printed of models "
            f"below them had a power of {low} to {high}%, not 80."
        )


OVER_PEOPLE = SimulatedPower(frozenset({"accuracy", "macro_f1"}), (5, 20), (40, 300), (64, 83))


@dataclass(frozen=True)
class Errors:
    """How many answers of the better one are wrong, and on how many of these items the worse one is right."""

    wrong: float
    seen: float

    @property
    def share(self) -> float:
        """The share of the former that the latter are."""
        return min(1.0, self.seen / self.wrong)  # sums of decimals may exceed it by a hair


def smallest_difference_lines(human: HumanBaseline, compared: Sequence[Difference | None]) -> Iterable[Line]:
    """Yield what these items would show, as alike as people and the models `compared` err; nothing without a test."""
    panel = human.panel
    errors = errors_together(compared)
    by_model, by_people = (each.share if each and each.seen >= FEWEST_REVERSALS else None for each in errors)
    smallest_by = partial(
        smallest_difference,
        human.task.primary,
        panel.gold,
        panel.consensus.ballots,
        panel.resampling,
        by_model=by_model,
        by_people=by_people,
    )
    smallest = smallest_by()
    if smallest is None:
        return
    assumed = _assumed(errors, smallest)
    if clusters := panel.resampling.clusters:
        yield Line(
            f"Smallest difference from people with power 0.8: {_points(smallest)}, were the items independent. Those "
            f"of one {clusters.unit} go together: the tests show larger differences only, and which is not computed. "
            f"{assumed}"
        )
        return
    yield Line(
        f"Smallest difference from people with power 0.8 on {counted(smallest.n, 'item')}. By the test for these "
        f"people and other {panel.resampling.unit}s: {_points(smallest)}. {assumed}"
    )
    yield Line(_of_other_people(human, smallest_by))


def _assumed(errors: tuple[Errors | None, Errors | None], smallest: SmallestDifference) -> str:
    """Return how far errors of people and of a model are taken to go together, for a model below them and above."""
    below, above = errors
    words = [f"below people, that {_together(below, 'models have', 'people have')}"]
    if smallest.score is not None:
        words.append(f"above them, that {_together(above, 'people have', 'models have')}")
    return f"Taken for granted: {'; '.join(words)}."


def _together(errors: Errors | None, worse: str, better: str) -> str:
    if errors is None:
        return "errors are independent"
    if errors.seen < FEWEST_REVERSALS:
        few = f"{worse} right {errors.seen:g} of {errors.wrong:.0f} answers here that {better} wrong"
        return f"errors are independent ({few}: too few to be taken for known)"
    return f"{worse} right {100 * errors.share:.0f}% of what {better} wrong, as they have here"


def errors_together(compared: Sequence[Difference | None]) -> tuple[Errors | None, Errors | None]:
    """Return the errors of people that models have right, and those of models that people have right; None of none.

    Each model is compared on the items that it answered, so people's errors are counted on these.
    """
    tests = [(each, each.only) for each in compared if each and each.only]
    of_people = Errors(sum(each.n * (1 - each.of_b) for each, _ in tests), sum(only[0] for _, only in tests))
    of_models = Errors(
        sum(each.n * (1 - each.of_b - each.value) for each, _ in tests), sum(only[1] for _, only in tests)
    )
    return of_people if of_people.wrong > 1e-6 else None, of_models if of_models.wrong > 1e-6 else None


def _of_other_people(human: HumanBaseline, smallest_by: Callable[..., SmallestDifference | None]) -> str:
    """Return the smallest difference of the test for other people too, or why there is none."""
    panel = human.panel
    asked = panel.rules.interval == "people"
    in_force = f"The tables have the test for {'other people too' if asked else 'these people'}."
    if why := why_these_people(panel.votes, panel.resampling.clusters):
        return f"The tables have that test; there is none for other people: {why}"
    spread = people_spread(reference_people(human))
    wide = smallest_by(spread=spread) if spread else None
    if spread is None or wide is None:
        return f"By the test for other people too it cannot be computed: without somebody there is no score. {in_force}"
    return f"By the test for other people too: {_points(wide)}. {_how_people_differ(human, spread, wide.n)} {in_force}"


def _how_people_differ(human: HumanBaseline, spread: PeopleSpread, items: int) -> str:
    """Return how well the people of a study show how people differ, and what that made of the power where simulated."""
    people = len(set(human.panel.votes.worker.tolist()))
    if not spread.below and not spread.above:
        return f"Without any one of the {people} people their score is the same: nothing here shows how people differ."
    simulated = OVER_PEOPLE.words(human.task.primary, people, items)
    return f"{people} people show only roughly how people differ.{simulated}"


def _points(smallest: SmallestDifference) -> str:
    """Return the difference of a model below people, and of one above them, which they may leave no room for."""
    below = "none below them" if smallest.value is None else f"{100 * smallest.value:.1f} points below them"
    if smallest.score is None:
        return f"{below}, and of a model above them it is not computed"
    if smallest.above is not None:
        return f"{below}, or {100 * smallest.above:.1f} points above them"
    room = 1 - smallest.score
    return (
        f"{below}, and none above them, where {f'{100 * room:.1f} points are' if room >= 0.0005 else 'nothing is'} left"
    )
