"""PanelRules on workers, what excluding them changes, and the strip of all rules."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from data.answers.choice import Choice
from data.errors import BadSetting
from data.wording import same
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.gold import TaskItems
from eval.panel import PanelRules, StudyData
from eval.reanalysis import Effect, analysis, effect
from eval.scoring import score
from eval.sensitivity import rule_grid, sensitivity
from eval.workers.afterwards import StudyTables
from eval.workers.constant import ConstantRule
from eval.workers.control import ControlRule
from eval.workers.disagreement import DisagreementRule
from eval.workers.fast import FastRule
from eval.workers.pattern import PatternRule
from eval.workers.rule import Finding, StudyFacts, WorkerRule
from tests.helpers.crowd_logs import log, pool, pool_frames, table


def frame(rows: dict[str, str], role: str = "main", seconds: float = 10.0) -> pd.DataFrame:
    """What each worker says to item 0, 1, 2, ...: one letter each, a dot for no judgment."""
    letter = role[0]
    cells = [
        (f"{letter}{place}", worker, label)
        for worker, said in rows.items()
        for place, label in enumerate(said)
        if label != "."
    ]
    made = pd.DataFrame(cells, columns=["item", "worker", "label"])
    return made.assign(role=role, status="counted", reason="", seconds=seconds)


def items_of(judgments: pd.DataFrame, gold: dict[str, str]) -> pd.DataFrame:
    found = judgments.drop_duplicates("item")[["item", "role"]].reset_index(drop=True)
    found["gold"] = pd.Series([gold.get(item) for item in found["item"]], dtype=object)
    return found


def found_by(
    rule: WorkerRule, judgments: pd.DataFrame, items: pd.DataFrame | None = None, **known: Any
) -> list[Finding]:
    return StudyTables(judgments, items_of(judgments, {}) if items is None else items, **known).find([rule])[rule.key]


CONTROLS = frame({"ann": "aaaaaaaaaa", "bob": "abababaaab", "cid": "bbb"}, "control")
CONTROL_ITEMS = items_of(CONTROLS, {f"c{place}": "a" for place in range(10)})


def on_controls(
    judgments: pd.DataFrame = CONTROLS, items: pd.DataFrame = CONTROL_ITEMS, **numbers: Any
) -> list[Finding]:
    """Whom the rule on controls finds: half right with one control or more, unless told otherwise."""
    rule = ControlRule(**{"test": "threshold", "share": 0.5, "minimum": 1} | numbers)
    return found_by(rule, judgments, items, asked=TaskItems(Choice({"a": same("a"), "b": same("b")})))


def test_who_fails_the_controls_is_found_with_the_answers_that_show_it() -> None:
    (found,) = on_controls(test="posterior", minimum=3)
    assert (found.rule, found.worker, found.value, found.n) == ("control", "cid", 0, 3)
    assert found.limit == pytest.approx(0.7)
    assert set(found.evidence) == set(CONTROLS.index[CONTROLS["worker"] == "cid"])
    assert on_controls(test="posterior", minimum=5) == []


def test_the_plain_threshold_is_that_of_mera() -> None:
    assert [each.worker for each in on_controls()] == ["cid"]
    assert [each.worker for each in on_controls(share=0.7)] == ["bob", "cid"]


def test_only_the_last_controls_count_in_a_window() -> None:
    found = on_controls(share=0.6, window=5)
    assert {each.worker: (each.value, each.n) for each in found} == {"cid": (0, 3)}
    # The last four of bob's are b, a, a, a, b without the first.
    assert on_controls(share=0.8, window=3)[0].value == pytest.approx(2 / 3)
    no_gold = CONTROL_ITEMS.assign(gold=None)
    assert on_controls(items=no_gold) == []
    with pytest.raises(ValidationError, match=r"window\n.*greater than or equal to 1"):
        on_controls(window=0)


def test_who_answers_faster_than_one_can_read_is_found() -> None:
    rows = frame({"ann": "abababab", "bob": "abababab"})
    rows["seconds"] = [10.0] * 8 + [1.0] * 4 + [10.0] * 3 + [None]
    (found,) = found_by(FastRule(seconds=2, at_least=4), rows)
    assert (found.worker, found.value, found.n, found.limit) == ("bob", 1, 7, 2)  # of 1 1 1 1 10 10 10 the middle
    assert found.evidence == (8, 9, 10, 11)
    assert found_by(FastRule(of_median=0.3, at_least=4), rows)[0].limit == pytest.approx(3)
    assert found_by(FastRule(seconds=2, at_least=4, window=5), rows) == []
    assert found_by(FastRule(seconds=1, at_least=4), rows) == []  # the limit itself is not too fast
    assert found_by(FastRule(seconds=2), rows.assign(seconds=None)) == []
    assert found_by(FastRule(), rows) == []
    assert found_by(FastRule(seconds=2, at_least=8), rows) == []
    assert [one.worker for one in found_by(FastRule(), rows.assign(seconds=0.2))] == ["ann", "bob"]
    assert "neither seconds nor a share" in FastRule(seconds=None).why_ineffective(StudyFacts())


def test_one_answer_all_along_is_found_where_others_vary() -> None:
    rows = frame({"ann": "ab" * 10, "bob": "ba" * 10, "cid": "b" * 20, "dan": "b" * 9})
    (found,) = found_by(ConstantRule(), rows)
    assert (found.worker, found.value, found.n, len(found.evidence)) == ("cid", 1, 20, 20)
    same = frame({"ann": "b" * 20, "bob": "b" * 20, "cid": "b" * 19 + "a"})
    assert found_by(ConstantRule(), same) == []
    usual = frame({"ann": "bbbba" * 4, "bob": "bbbba" * 4, "cid": "b" * 20})  # the others' share is the limit itself
    assert found_by(ConstantRule(crowd=0.8), usual) == []
    assert found_by(ConstantRule(), frame({"ann": "b" * 20})) == []


def without(study: StudyData, workers: set[str]) -> Effect:
    """What leaving out these workers changes."""
    left = replace(study, excluded=frozenset(workers))
    return effect(*(analysis(each, ["accuracy"], PanelRules(), draws=50) for each in (study, left)))


@pytest.mark.parametrize(("name", "found"), [("RWSD", [114]), ("LiDiRus", []), ("PARus", [])])
def test_the_constant_workers_of_real_logs(shared: Path, name: str, found: list[int]) -> None:
    votes = log(shared, name)
    rows = pd.DataFrame({"item": votes.item.astype(str), "worker": votes.worker.astype(str), "label": votes.label})
    rows = rows.astype({"label": str}).assign(role="main", status="counted", reason="")
    findings = found_by(ConstantRule(), rows)
    assert [each.n for each in findings] == found
    if findings:
        changed = without(StudyData(rows, items_of(rows, {})), {each.worker for each in findings})
        # The published effect of leaving it out: alpha .165 -> .297, ties 11 -> 25.
        assert changed.before.agreement.alpha == pytest.approx(0.1649, abs=5e-5)
        assert changed.after.agreement.alpha == pytest.approx(0.297, abs=5e-4)
        assert changed.before.panel.consensus.number("tied") == 11
        assert changed.after.panel.consensus.number("tied") == 25


def test_a_repeating_pattern_is_found_and_a_constant_is_not_one() -> None:
    generator = np.random.default_rng(1)
    rows = frame({"ann": "abc" * 8, "bob": "".join(generator.choice(list("ab"), 40)), "cid": "b" * 30, "dan": "ab" * 5})
    (found,) = found_by(PatternRule(), rows)
    assert (found.worker, found.value, found.n) == ("ann", 3, 24)


def crowd(seed: int, odd: int) -> pd.DataFrame:
    """Thirty workers who are right with 0.85 and `odd` who guess, over 200 items of three labels."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(3, size=200)
    rows = {}
    for worker in range(30 + odd):
        right = generator.random(200) < (0.85 if worker < 30 else 0)
        given = np.where(right, truth, generator.integers(3, size=200))
        rows[f"w{worker:02}"] = "".join("abc"[label] if generator.random() < 0.2 else "." for label in given)
    return frame(rows)


def test_who_agrees_with_nobody_is_found_and_honest_workers_are_not() -> None:
    rule = DisagreementRule(tail=0.01, minimum=10)
    assert found_by(rule, crowd(1, 0)) == []
    found = found_by(rule, crowd(2, 2))
    assert [each.worker for each in found] == ["w30", "w31"]
    assert all(each.value < 0.6 < each.limit for each in found)
    rows = crowd(2, 2)
    assert len(found[0].evidence) == round((1 - found[0].value) * found[0].n)
    assert (rows.loc[list(found[0].evidence), "worker"] == "w30").all()


def test_rules_find_nothing_where_there_is_nothing() -> None:
    empty = frame({"ann": ""})
    assert found_by(ConstantRule(), empty) == found_by(PatternRule(), empty) == []
    assert found_by(DisagreementRule(minimum=2), empty) == found_by(FastRule(seconds=1), empty) == []
    assert on_controls(empty) == []
    assert found_by(DisagreementRule(minimum=2), frame({"ann": "ab", "bob": "..ab"})) == []
    with pytest.raises(ValidationError, match=r"tail\n.*less than 1"):
        DisagreementRule(tail=1)
    with pytest.raises(BadSetting, match="different index labels"):
        found_by(ConstantRule(), pd.concat([CONTROLS, CONTROLS]))


def test_what_excluding_a_worker_changes() -> None:
    rows = frame({"ann": "aab.", "bob": "abb.", "cid": "abba"})
    study = StudyData(rows, items_of(rows, {"m0": "a", "m1": "b", "m2": "b", "m3": "b"}), ["a", "b"])
    changed = without(study, {"cid"})
    assert changed.excluded == {"cid"}
    assert (changed.unanswered, changed.undecided, changed.decided) == (("m3",), ("m1", "m3"), ())
    assert changed.before.majority["accuracy"].value == 0.75
    assert changed.after.majority["accuracy"].value == pytest.approx((1 + 0.5 + 1) / 3)
    left = replace(study, excluded=frozenset({"ann", "bob"}))
    back = effect(*(analysis(left, ["accuracy"], rules, draws=50) for rules in (PanelRules(), PanelRules(min_votes=2))))
    assert back.undecided == ("m0", "m1", "m2", "m3")
    assert set(back.as_dict()) == {"excluded", "before", "after", "unanswered", "undecided", "decided", "changed"}


def test_the_strip_of_lcs_shows_what_the_rules_do_to_its_score(shared: Path) -> None:
    judged, items = pool_frames(shared, "LCS")
    strip = sensitivity(
        "accuracy",
        StudyData(judged, items),
        rule_grid(PanelRules(), control_mins=[None, 0.5], min_votes=[1, 3]),
        draws=100,
    )
    cells = {(c.rules.control_min, c.rules.ties, c.rules.min_votes): c for c in strip}
    assert len(cells) == len(strip) == 2 * 5 * 2
    published, other = cells[0.5, "drop", 3], cells[0.5, "skill", 1]
    assert published.estimate is not None
    assert other.estimate is not None
    assert published.estimate.value == pytest.approx(0.7037037037037037)
    assert (published.scored, published.excluded) == (54, 3)
    assert other.estimate.value == pytest.approx(0.605)
    assert (other.scored, other.short) == (100, 0)
    assert {"rules", "estimate", "refused"} < set(other.as_dict())


def test_the_skills_of_the_platform_give_the_score_of_the_notebook(shared: Path) -> None:
    people = pool(shared, "LCS", PanelRules(control_min=0.5))
    known = table(shared / "toloka_pools/LCS/workerSkills.csv", "|").set_index("worker_id")["skill_value"]
    skills = np.array([float(known[worker]) / 100 for worker in people.votes.workers])
    ballots = majority(people.votes, WinningRule("skill"), skills=skills).ballots
    assert score(["accuracy"], people.gold, ballots)["accuracy"].value == pytest.approx(0.57167, abs=5e-6)
    # Three items stay level and are shared out; the notebook goes on to take the first label, which gives its 0.56.
    first = [people.votes.labels[label] for label in ballots.weights.argmax(axis=1)]
    right = [people.gold[item] == label for item, label in zip(ballots.items, first, strict=True)]
    assert np.mean(right) == pytest.approx(0.56)


def test_a_cell_that_cannot_be_had_says_why() -> None:
    rows = frame({"ann": "ab", "bob": "aa"})
    strip = sensitivity("accuracy", StudyData(rows, items_of(rows, {"m0": "a"})), rule_grid(PanelRules()), draws=10)
    refused = {c.rules.ties: c.refused for c in strip if c.refused}
    assert list(refused) == ["skill"]
    assert "needs answers to control items" in str(refused["skill"])
    no_gold = sensitivity(
        "accuracy",
        StudyData(rows, items_of(rows, {})),
        [rules for rules in rule_grid(PanelRules()) if rules.ties == "drop"],
        draws=10,
    )
    assert all(c.estimate is None and c.refused is None for c in no_gold)
