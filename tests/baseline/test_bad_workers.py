"""Simulated bad workers at the real service: the rules find them as often as the planner says, and good ones not."""

from dataclasses import replace

from baseline.human.baseline import collected
from baseline.human.quality_afterwards import Checks, checked
from db import frames
from db.engine import Database, reading
from db.studies import get_study
from eval.estimate import wilson
from eval.workers.control import Posterior, ever_stopped
from eval.workers.table import RULES
from tests.helpers.bad_workers import (
    CARELESS,
    CONSTANT,
    COPY,
    GOOD,
    HASTY,
    PASTES,
    PATTERN,
    RANDOM,
    SKIPS,
    SOURCE,
    is_trap,
    play,
    rates,
)

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
        low, high = wilson(*rates(done, "control")[kind.name])
        assert low <= expected <= high
    assert rates(done, "control")["90%"] == (0, 10)


def test_each_bad_habit_is_found_by_its_rule_and_good_workers_by_none(sqlite: Database) -> None:
    quality = {"fast": {"action": "flag", "seconds": 3}, "control": {"action": "none"}}
    crowd = [GOOD, GOOD, GOOD, GOOD, GOOD, SOURCE, COPY, CONSTANT, PATTERN, HASTY]
    fates = play(sqlite, crowd, name="habits", main=24, quality=quality)
    done = {one.kind: one.found for one in fates}
    assert not any(one.found for one in fates if one.kind == GOOD.name)
    assert "fast" in done["too fast"]
    assert "constant" in done["constant"]
    assert "pattern" in done["pattern"]
    assert "copying" in done["copying"] | done["copied"]


def test_the_same_rule_finds_the_same_people_while_they_work_and_afterwards(sqlite: Database) -> None:
    traps = [f"control-{place}" for place in range(48) if is_trap(f"control {place}")]
    quality: dict[str, dict[str, object]] = {key: {"action": "flag"} for key in RULES}
    quality["trap"] |= {"items": traps, "wrong": 2}
    quality["fast"]["seconds"] = 3
    bad = [RANDOM, CONSTANT, PATTERN, HASTY, SOURCE, COPY, SKIPS, PASTES, CARELESS]
    fates = play(sqlite, [GOOD] * 7 + bad, name="seven", main=48, quality=quality)
    live = {key: {one.worker for one in fates if key in one.found} for key in RULES}
    with reading(sqlite) as session:
        study = get_study(session, name="seven")
        found = replace(collected(session, study=study), items_met=frames.items_met(session, study=study))
        afterwards = {check.rule.key: {each.worker for each in check.findings} for check in checked(found, Checks())}
    assert afterwards == live
    kinds = {one.worker: one.kind for one in fates}
    by_kind = {key: {kinds[worker] for worker in workers} for key, workers in live.items()}
    told = {"control": RANDOM, "disagreement": RANDOM, "constant": CONSTANT, "pattern": PATTERN, "fast": HASTY}
    told |= {"copying": COPY, "skips": SKIPS, "attention": PASTES, "trap": CARELESS}
    assert all(kind.name in by_kind[key] for key, kind in told.items()), by_kind
    assert not any(GOOD.name in names for names in by_kind.values())
