"""The smallest difference that a study's own items show: its power in the test that is printed, and what has none."""

import numpy as np
import pytest

from bench.coverage_people import World, model, one_answer
from eval.arrays import Integers
from eval.ballots import Ballots, answers, individual
from eval.comparison.difference import difference
from eval.comparison.paired_proportions import PairedCounts
from eval.comparison.people_difference import ReferencePeople, wider_differences
from eval.comparison.smallest_difference import people_spread, smallest_difference
from eval.intervals.clusters import Resampling
from eval.metrics.table import metric_named
from eval.planner import detectable, power_of
from tests.eval.test_equivalence import annotations
from tests.helpers.measuring import evaluate

LABELS = ["a", "b", "c"]


def said(codes: Integers) -> Ballots:
    items = [f"q{n}" for n in range(len(codes))]
    return answers(dict(zip(items, (LABELS[code] for code in codes), strict=True)), items=items, labels=LABELS)


def gold_of(truth: Integers) -> dict[str, str]:
    return {f"q{n}": LABELS[code] for n, code in enumerate(truth)}


def right_on(truth: Integers, share: float, generator: np.random.Generator) -> Integers:
    other = (truth + generator.integers(1, 3, len(truth))) % 3
    return np.where(generator.random(len(truth)) < share, truth, other)


def macro_f1(truth: Integers, given: Integers) -> float:
    return evaluate("macro_f1", [LABELS[code] for code in truth], [LABELS[code] for code in given])


def test_a_macro_f1_is_shown_in_about_four_simulated_studies_of_five() -> None:
    generator = np.random.default_rng(8)
    shares = [0.5, 0.3, 0.2]
    truth = generator.choice(3, 300, p=shares)
    found = smallest_difference("macro_f1", gold_of(truth), said(right_on(truth, 0.8, generator)))
    assert found is not None
    assert found.value is not None
    many = generator.choice(3, 60_000, p=shares)
    people = macro_f1(many, right_on(many, 0.8, generator))
    skill = next(
        share
        for share in np.arange(0.8, 0.5, -0.004)
        if people - macro_f1(many, right_on(many, share, generator)) >= found.value
    )
    shown = 0
    for seed in range(250):
        truth = generator.choice(3, 300, p=shares)
        one, other = (said(right_on(truth, share, generator)) for share in (0.8, skill))
        p = difference("macro_f1", gold_of(truth), one, other, Resampling(draws=300, seed=seed)).p
        shown += p is not None and p < 0.05
    assert 0.74 < shown / 250 < 0.91  # bench/coverage.py simulates 2,000 studies


def test_right_or_wrong_is_the_planners_exact_figure() -> None:
    truth = np.arange(200) % 3
    people = truth.copy()
    people[:20] = (truth[:20] + 1) % 3
    found = smallest_difference("accuracy", gold_of(truth), said(people), by_model=0.3, by_people=0.6)
    assert found is not None
    # Right on 30% of the tenth that people have wrong; people on 60% of what a better model has wrong.
    assert found.n == 200
    assert found.value == pytest.approx(detectable(200, 0.9, reversals=lambda _: 0.1 * 0.3))
    assert found.above == pytest.approx(detectable(200, 0.9, reversals=lambda d: 0.6 * (0.1 - d), above=True))
    assert found.above is not None
    assert power_of(200, found.above + 0.6 * (0.1 - found.above), 0.6 * (0.1 - found.above)) == pytest.approx(0.8)


def test_a_better_model_that_keeps_what_people_have_right_is_shown_sooner() -> None:
    truth = np.arange(300) % 3
    people = truth.copy()
    people[:30] = (truth[:30] + 1) % 3
    alike, alone, none = (
        smallest_difference("accuracy", gold_of(truth), said(people), by_people=share) for share in (0.0, 0.9, 1.0)
    )
    assert alike is not None
    assert alone is not None
    assert alike.above is not None
    assert alone.above is not None
    assert alike.above < alone.above < 0.1, "there is room for either, and it is never said that there is none"
    assert none is not None
    assert none.value == alike.value, "a model below people has nothing to do with it"


@pytest.mark.parametrize("above", [False, True])
def test_nobody_is_right_on_more_of_the_other_ones_errors_than_in_all(above: bool) -> None:
    truth = np.arange(200) % 3
    people = np.where(np.arange(200) < 60, truth, (truth + 1) % 3)  # right on 30%
    found = smallest_difference("accuracy", gold_of(truth), said(people), by_model=0.9, by_people=0.9)
    assert found is not None
    least = found.above if above else found.value
    assert least is not None, "there is room for a model that is shown"
    better, worse = (0.3 + least, 0.3) if above else (0.3, 0.3 - least)
    only_worse = min(worse, 0.9 * (1 - better))
    assert only_worse == pytest.approx(worse), "all that the worse one has right the better one has wrong"
    generator = np.random.default_rng(5)
    shares = [only_worse + least, only_worse, 1 - 2 * only_worse - least]
    drawn = generator.multinomial(200, shares, size=2000).tolist()
    shown = sum(PairedCounts(b, c, 200).p < 0.05 for b, c, _ in drawn) / 2000
    assert 0.75 < shown < 0.85


def test_no_difference_above_people_is_larger_than_what_they_leave() -> None:
    for items, people in ((265, 0.985), (50, 0.9), (400, 0.97)):
        above = detectable(items, people, above=True)
        assert above is None or people + above <= 1
    assert detectable(265, 0.985, above=True) is None


def test_models_that_are_right_where_people_are_wrong_make_it_larger() -> None:
    truth = np.arange(300) % 3
    people = right_on(truth, 0.8, np.random.default_rng(1))
    alike, unlike = (smallest_difference("macro_f1", gold_of(truth), said(people), by_model=r) for r in (0.05, 0.5))
    assert alike is not None
    assert unlike is not None
    assert alike.value is not None
    assert unlike.value is not None
    assert alike.value < unlike.value


def test_too_few_items_show_none_and_several_answers_have_no_figure() -> None:
    truth = np.arange(3) % 3
    found = smallest_difference("accuracy", gold_of(truth), said(truth))
    assert found is not None
    assert found.value is None
    assert smallest_difference("macro_f1", gold_of(truth), said(truth)) is None
    votes, names = annotations(5, items=40, people=3)
    assert smallest_difference("accuracy", dict(zip(votes.items, names, strict=False)), individual(votes)) is None
    assert smallest_difference("accuracy", {}, said(truth)) is None


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_gives_the_same_figure(seed: int) -> None:
    truth = np.arange(90) % 3
    people = said(right_on(truth, 0.7, np.random.default_rng(4)))
    first, again = (smallest_difference("mcc", gold_of(truth), people, Resampling(seed=seed)) for _ in range(2))
    assert first == again


def test_the_test_for_other_people_shows_its_own_difference_in_about_four_studies_of_five() -> None:
    world, generator = World(10, 150, 5, 0.7), np.random.default_rng(3)

    def study() -> ReferencePeople:
        votes, gold, _ = world.study(world.skills(generator), world.items, generator)
        return ReferencePeople(metric_named("accuracy"), gold, votes, one_answer(votes), one_answer)

    printed = []
    for people in (study() for _ in range(8)):
        spread = people_spread(people)
        found = spread and smallest_difference("accuracy", people.gold, people.people, spread=spread)
        printed.append(found.value if found and found.value else 1.0)
    right, shown = 0.768 - float(np.mean(printed)), 0  # what the majority of such people has right, as simulated
    for people in (study() for _ in range(60)):
        other = model(people.votes, dict(people.gold), generator.random(world.items) < right)
        wide = wider_differences([difference("accuracy", people.gold, other, people.people)], [other], people)[0]
        shown += wide is not None and wide.p is not None and wide.p < 0.05
    assert 0.6 < shown / 60 < 0.95  # bench/coverage.py simulates more


def test_there_is_no_spread_of_four_people() -> None:
    votes, gold, _ = World(4, 40, 3, 1.0).study(np.zeros(4), 40, np.random.default_rng(1))
    assert people_spread(ReferencePeople(metric_named("accuracy"), gold, votes, one_answer(votes), one_answer)) is None
