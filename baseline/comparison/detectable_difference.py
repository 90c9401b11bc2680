"""Lines of the checklist on the smallest difference from people that a study's items show, by each test that it has."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from baseline.comparison.against_people import reference_people
from baseline.comparison.document import Line
from baseline.human.baseline import HumanBaseline
from data.numbers import counted
from eval.comparison.difference import Difference
from eval.comparison.smallest_difference import SmallestDifference, people_spread, smallest_difference
from eval.intervals.jackknife import why_these_people

FEWEST_REVERSALS = 5
"""Answers that are right where those of the better one are wrong, below which their share is not taken as known."""


def smallest_difference_lines(human: HumanBaseline, compared: Sequence[Difference | None]) -> Iterable[Line]:
    """Yield what these items would show, as alike as people and the models `compared` err; nothing without a test."""
    panel = human.panel
    reversals, assumed = _reversals(compared)
    smallest_by = partial(
        smallest_difference,
        human.task.primary,
        panel.gold,
        panel.consensus.ballots,
        panel.resampling,
        reversals=reversals,
    )
    smallest = smallest_by()
    if smallest is None:
        return
    if clusters := panel.resampling.clusters:
        yield Line(
            f"Smallest difference from people with power 0.8, {assumed}: {_points(smallest)}, were the items "
            f"independent. Those of one {clusters.unit} go together: the tests show larger differences only, "
            "and which is not computed."
        )
        return
    yield Line(
        f"Smallest difference from people with power 0.8 on {counted(smallest.n, 'item')}, {assumed}. By the test for "
        f"these people and other {panel.resampling.unit}s: {_points(smallest)}."
    )
    yield Line(_of_other_people(human, smallest_by))


def _reversals(compared: Sequence[Difference | None]) -> tuple[float | None, str]:
    """Return the share of items that only the worse of two has right, None for independent errors, and what is taken.

    A few such items, or none, do not tell how errors of people and models go together; independence has more of them.
    """
    only = [(each.only, each.n) for each in compared if each and each.only]
    independent = "if errors are independent"
    if not only:
        return None, independent
    items, seen = sum(n for _, n in only), sum(min(discordant) for discordant, _ in only)
    if seen < FEWEST_REVERSALS:
        few = f"{seen:g} of {items} answers here, too few to be taken for known"
        return None, f"{independent} (just the worse of people and a model is right on {few})"
    share = f"{100 * seen / items:.1f}%"
    return seen / items, f"if just the worse of the two is right on {share} of the items, as with the models here"


def _of_other_people(human: HumanBaseline, smallest_by: Callable[..., SmallestDifference | None]) -> str:
    """Return the smallest difference of the test for other people too, or why there is none."""
    panel = human.panel
    asked = panel.rules.interval == "people"
    in_force = f"The tables have the test for {'other people too' if asked else 'these people'}."
    if why := why_these_people(panel.votes, panel.resampling.clusters):
        return f"The tables have that test; there is none for other people: {why}"
    people = len(set(panel.votes.worker.tolist()))
    spread = people_spread(reference_people(human))
    wide = smallest_by(spread=spread) if spread else None
    if spread is None or wide is None:
        return f"By the test for other people too it cannot be computed: without somebody there is no score. {in_force}"
    return (
        f"By the test for other people too: {_points(wide)}. It is rough, since {people} of them show only roughly "
        f"how people differ. {in_force}"
    )


def _points(smallest: SmallestDifference) -> str:
    """Return the difference of a model below people, and of one above them, which they may leave no room for."""
    below = "none below them" if smallest.value is None else f"{100 * smallest.value:.1f} points below them"
    if not smallest.sided:
        return f"{below}, and of a model above them it is not computed"
    if smallest.above is not None:
        return f"{below}, or {100 * smallest.above:.1f} points above them"
    room = 1 - smallest.score
    if smallest.n * room >= FEWEST_REVERSALS:
        # A model that is right wherever people are could show it, so "none" would be false.
        return f"{below}, and of a model above them it is not known: it depends on how many of their answers it keeps"
    return (
        f"{below}, and none above them, where {f'{100 * room:.1f} points are' if room >= 0.0005 else 'nothing is'} left"
    )
