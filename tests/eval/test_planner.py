"""The planner against the figures of the decisions, the research notes and simulation."""

from math import comb

import numpy as np
import pytest

from data.errors import BadSetting
from eval.comparison.paired_bootstrap import PairedCounts
from eval.planner import crowd_accuracy, crowd_plan, detectable, discordance, items_needed, power_of
from eval.workers.control import ControlTest, Posterior, Threshold, controls_needed, ever_stopped, stop_rate


@pytest.mark.parametrize(
    ("options", "controls", "stopped"), [(2, 10, 0.62), (2, 20, 0.75), (3, 10, 0.79), (3, 20, 0.91)]
)
def test_the_default_rule_stops_the_guessers_it_is_said_to_stop(options: int, controls: int, stopped: float) -> None:
    rule = Posterior(chance=1 / options)
    assert stop_rate(rule, 1 / options, controls) == pytest.approx(stopped, abs=0.005)
    assert stop_rate(rule, 0.9, controls) <= 0.002


@pytest.mark.parametrize(
    ("options", "controls", "passes"),
    [(3, 2, 0.56), (3, 5, 0.21), (3, 20, 0.09), (2, 2, 0.75), (2, 10, 0.62), (2, 20, 0.59)],
)
def test_half_of_the_controls_is_no_test(options: int, controls: int, passes: float) -> None:
    assert 1 - stop_rate(Threshold(0.5), 1 / options, controls) == pytest.approx(passes, abs=0.005)


def test_a_rule_waits_for_its_minimum() -> None:
    assert stop_rate(Threshold(0.5, minimum=5), 0.0, 4) == 0
    assert stop_rate(Threshold(0.5, minimum=5), 0.0, 5) == 1
    assert Posterior(0.5).limit == pytest.approx(0.7)
    for wrong in (lambda: Posterior(0.95), lambda: Threshold(50), lambda: Threshold(0.5, minimum=0)):
        with pytest.raises(BadSetting, match=r"below good|0\.5 is half|at least 1"):
            wrong()


@pytest.mark.parametrize("rule", [Posterior(0.5), Threshold(0.5, minimum=3)])
def test_looking_after_every_control_stops_more_and_exactly_as_many_as_simulated(rule: ControlTest) -> None:
    generator = np.random.default_rng(1)
    right = (generator.random((20_000, 12)) < 0.6).cumsum(axis=1)
    given = np.broadcast_to(np.arange(1, 13), right.shape)
    simulated = rule.stops(right, given).any(axis=1).mean()
    assert ever_stopped(rule, 0.6, 12) == pytest.approx(simulated, abs=0.015)
    assert ever_stopped(rule, 0.6, 12) >= stop_rate(rule, 0.6, 12)
    assert ever_stopped(rule, 0.6, 0) == 0


def test_how_many_controls_a_rule_needs() -> None:
    assert controls_needed(Posterior(1 / 3), 1 / 3) == 19
    assert stop_rate(Posterior(1 / 3), 1 / 3, 19) >= 0.9 > stop_rate(Posterior(1 / 3), 1 / 3, 18)
    # No number of controls makes "half right" a test of binary guessers.
    assert controls_needed(Threshold(0.5), 0.5) is None
    with pytest.raises(BadSetting, match="between 0 and 1"):
        stop_rate(Threshold(), 1.5, 3)


def test_items_for_a_difference_by_hand() -> None:
    # (1.96 + 0.8416)^2 = 7.849; times (0.3 - 0.01) / 0.01 = 227.6: the usual approximation lacks one item.
    assert items_needed(0.1, 0.3) == 229
    assert items_needed(-0.1, 0.3) == 229
    assert detectable(229, 0.9, reversals=lambda _: 0.1) == pytest.approx(0.1, abs=4e-4)
    # Fewer than four items never give |b - c| / sqrt(b + c) above 1.96; four that all differ do.
    assert items_needed(1, 1) == 4
    assert detectable(3, 1) is None
    assert detectable(4, 1) == pytest.approx(0.8**0.25)
    assert detectable(0, 1) is None
    assert detectable(10, 0.05) is None
    for wrong in (lambda: items_needed(0, 0.3), lambda: items_needed(0.4, 0.3), lambda: detectable(-1, 0.3)):
        with pytest.raises(BadSetting, match="must"):
            wrong()
    with pytest.raises(BadSetting, match="power must lie"):
        items_needed(0.1, 0.3, power=80)


def test_the_planned_items_have_the_planned_power() -> None:
    generator = np.random.default_rng(2)
    items = items_needed(0.1, 0.3)
    assert found_in(2000, items, 0.2, 0.1, generator) == pytest.approx(0.8, abs=0.03)


def found_in(studies: int, items: int, only_better: float, only_worse: float, generator: np.random.Generator) -> float:
    """Return the share of simulated studies in which the test that is printed tells the two apart."""
    pairs = generator.multinomial(items, [only_better, only_worse, 1 - only_better - only_worse], size=studies)
    return float(np.mean([PairedCounts(int(b), int(c), items).p < 0.05 for b, c, _ in pairs]))


@pytest.mark.parametrize(("items", "people"), [(265, 0.985), (500, 0.97), (50, 0.8), (20, 0.8)])
@pytest.mark.parametrize("reversals", [None, 0.005])
def test_the_smallest_difference_is_shown_in_four_simulated_studies_of_five(
    items: int, people: float, reversals: float | None
) -> None:
    least = detectable(items, people, reversals=None if reversals is None else lambda _: reversals)
    assert least is not None
    only_model = (1 - people) * (people - least) if reversals is None else reversals
    shown = found_in(2000, items, least + only_model, only_model, np.random.default_rng(items))
    assert 0.77 < shown < 0.83
    needed = items_needed(least, least + 2 * only_model)
    assert abs(needed - items) <= 0.05 * items, "the planner says the same in the other direction"


def test_the_power_is_that_of_all_outcomes_counted() -> None:
    n, only_better, only_worse = 9, 0.5, 0.1
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = comb(n, b) * comb(n - b, c)
            chance = ways * only_better**b * only_worse**c * (1 - only_better - only_worse) ** (n - b - c)
            total += chance * (b + c > 0 and abs(b - c) > 1.959964 * (b + c) ** 0.5)
    assert power_of(n, only_better, only_worse) == pytest.approx(total, abs=1e-12)
    assert power_of(0, 0.5, 0.1) == power_of(5, 0, 0) == 0


@pytest.mark.parametrize(
    ("person", "votes", "crowd"), [(0.7, 3, 0.784), (0.7, 5, 0.837), (0.75, 5, 0.896), (0.8, 5, 0.942), (0.7, 4, 0.784)]
)
def test_a_crowd_of_two_labels_gains_what_is_published(person: float, votes: int, crowd: float) -> None:
    assert crowd_accuracy(person, votes) == pytest.approx(crowd, abs=5e-4)


def test_a_crowd_of_more_labels_gains_what_a_simulation_gains() -> None:
    generator = np.random.default_rng(3)
    counts = generator.multinomial(5, [0.5, 1 / 6, 1 / 6, 1 / 6], size=40_000)
    top = counts == counts.max(axis=1, keepdims=True)
    assert crowd_accuracy(0.5, 5, labels=4) == pytest.approx((top[:, 0] / top.sum(axis=1)).mean(), abs=0.006)
    assert crowd_accuracy(0, 3) == 0
    assert crowd_accuracy(1, 3) == pytest.approx(1)
    with pytest.raises(BadSetting, match="the least"):
        crowd_accuracy(0.5, 0)


def test_what_each_number_of_votes_needs() -> None:
    three, five = (crowd_plan(votes, crowd_accuracy(0.7, votes), 0.837) for votes in (3, 5))
    assert (three.votes, round(three.crowd, 3), round(three.difference, 3)) == (3, 0.784, -0.053)
    assert three.discordant == pytest.approx(discordance(0.784, 0.837))
    assert three.items == items_needed(three.difference, three.discordant)
    assert three.judgments == 3 * (three.items or 0)
    assert five.items is None or five.items > 1000
    assert crowd_plan(1, 1, 1).items is None
