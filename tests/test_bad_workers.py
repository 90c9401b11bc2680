"""Simulated bad workers at the real service: the rules find them as often as the planner says, and good ones not."""

from db.engine import Database
from eval.control_rules import Posterior, ever_stopped
from eval.intervals import wilson
from tests.bad_workers import CONSTANT, COPY, GOOD, HASTY, PATTERN, RANDOM, SOURCE, play, rates

OTHERS = ("fast", "constant", "pattern", "disagreement", "copying")


def test_controls_find_guessers_as_often_as_planned_and_spare_good_workers(sqlite: Database) -> None:
    quality = {name: {"action": "none"} for name in OTHERS} | {"control": {"action": "flag"}}
    crowd = [RANDOM] * 20 + [GOOD] * 10
    done = play(sqlite, crowd, name="controls", main=7, page_main=1, page_controls=3, quality=quality)
    rule = Posterior(0.5, minimum=10)
    for kind, accuracy in ((RANDOM, 0.5), (GOOD, 0.9)):
        met = [one.counted - 7 for one in done if one.kind == kind.name]
        assert min(met) >= 18
        expected = sum(ever_stopped(rule, accuracy, number) for number in met) / len(met)
        low, high = wilson(*rates(done, "control_accuracy")[kind.name])
        assert low <= expected <= high
    assert rates(done, "control_accuracy")["90%"] == (0, 10)


def test_each_bad_habit_is_found_by_its_rule_and_good_workers_by_none(sqlite: Database) -> None:
    quality = {"fast": {"action": "flag", "seconds": 3}, "control": {"action": "none"}}
    crowd = [GOOD, GOOD, GOOD, GOOD, GOOD, SOURCE, COPY, CONSTANT, PATTERN, HASTY]
    fates = play(sqlite, crowd, name="habits", main=24, quality=quality)
    done = {one.kind: one.found for one in fates}
    assert not any(one.found for one in fates if one.kind == GOOD.name)
    assert "too_fast" in done["too fast"]
    assert "constant_answers" in done["constant"]
    assert "repeating_pattern" in done["pattern"]
    assert "copying" in done["copying"] | done["copied"]
