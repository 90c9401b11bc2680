"""Lines of the checklist on the smallest difference from people that a study's items show, by each test that it has."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from baseline.comparison.against_people import reference_people
from baseline.comparison.document import Line
from baseline.human.baseline import HumanBaseline
from eval.comparison.difference import Difference
from eval.comparison.smallest_difference import SmallestDifference, people_spread, smallest_difference
from eval.intervals.jackknife import why_these_people


def smallest_difference_lines(human: HumanBaseline, compared: Sequence[Difference | None]) -> Iterable[Line]:
    """Yield what these items would show, as alike as people and the models `compared` err; nothing without a test."""
    panel = human.panel
    only = [(min(each.only), each.n) for each in compared if each and each.only]
    reversals = sum(items for items, _ in only) / sum(n for _, n in only) if only else None
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
    assumed = "if errors are independent"
    if reversals is not None:
        assumed = (
            f"if just the worse of the two is right on {100 * reversals:.1f}% of the items, as with the models here"
        )
    if clusters := panel.resampling.clusters:
        yield Line(
            f"Smallest difference from people with power 0.8, {assumed}: {_points(smallest)} were the {smallest.n} "
            f"items independent. Those of one {clusters.unit} go together: the tests show larger differences only, "
            "and which is not computed."
        )
        return
    yield Line(
        f"Smallest difference from people that {smallest.n} items show with power 0.8, {assumed}. By the test for "
        f"these people and other {panel.resampling.unit}s: {_points(smallest)}."
    )
    yield Line(_of_other_people(human, smallest_by))


def _of_other_people(human: HumanBaseline, smallest_by: Callable[..., SmallestDifference | None]) -> str:
    """Return the smallest difference of the test for other people too, or why there is none."""
    panel = human.panel
    asked = panel.rules.interval == "people"
    in_force = f"The tables have the test for {'other people too' if asked else 'these people'}."
    if why := why_these_people(panel.votes, panel.resampling.clusters):
        return f"The tables have that test; there is none for other people: {why}"
    people = len(set(panel.votes.worker.tolist()))
    spread = people_spread(reference_people(human), panel.resampling.seed)
    wide = smallest_by(spread=spread) if spread else None
    if spread is None or wide is None:
        return f"By the test for other people too it cannot be computed: without somebody there is no score. {in_force}"
    return (
        f"By the test for other people too: about {_points(wide)}. It is rough, since {people} of them show "
        f"only roughly how people differ. {in_force}"
    )


def _points(smallest: SmallestDifference) -> str:
    return "none" if smallest.value is None else f"{100 * smallest.value:.1f} points"
