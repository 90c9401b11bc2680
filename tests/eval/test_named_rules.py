"""Rules that others published, applied as they are written: studies worked out by hand, and raw pools."""

from pathlib import Path

import pandas as pd
import pytest

from data.errors import BadSetting, UnknownName
from data.human_rules import TIES
from eval.consensus.rules import METHODS
from eval.named_rules import NAMED_RULES, name_of_rules, rules_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.scoring import score
from eval.sensitivity import sensitivity, without_steps
from tests.helpers.crowd_logs import pool_frames

MERA = rules_named("mera")
VOTES = {
    # Three of five; three of five and wrong; two of five, so weights decide and agreement does not suffice.
    "q1": "aaabb",
    "q2": "abbba",
    "q3": "aabbc",
    # Two of three: no majority of three votes, weights decide, and two thirds agree.
    "q4": "aab",
    # A tie of two that the abler worker breaks: half of the people is too few.
    "q5": "ab",
    "q6": "",
}
CONTROLS = {"w0": "aaaa", "w1": "aaab", "w2": "aabb", "w3": "abbb", "w4": "aabb"}


def by_hand() -> StudyData:
    """Items of `VOTES`, the letter of a worker at the worker's place; w3 has one control of four right."""
    main = [(item, f"w{place}", letter, "main") for item, said in VOTES.items() for place, letter in enumerate(said)]
    control = [(f"c{n}", who, letter, "control") for who, said in CONTROLS.items() for n, letter in enumerate(said)]
    judged = pd.DataFrame([*main, *control], columns=["item", "worker", "label", "role"])
    items = [(item, "main", "a") for item in VOTES] + [(f"c{n}", "control", "a") for n in range(4)]
    frame = pd.DataFrame(items, columns=["item", "role", "gold"])
    return StudyData(judged.assign(status="counted", reason=""), frame, ["a", "b", "c"])


def under_mera(**changes: object) -> Panel:
    return panel(by_hand(), MERA.on(PanelRules(**changes)), draws=50)  # type: ignore[arg-type]


def test_mera_leaves_out_who_fails_controls_then_decides_step_by_step_and_scores_what_is_agreed() -> None:
    found = under_mera()
    assert found.excluded == {"w3"}
    # Without w3: q1 aaab.b -> a a a b, q2 a b b a, q3 a a b c, q4 a a b, q5 a b.
    assert found.answers is not None
    assert found.answers.share[:5].tolist() == pytest.approx([3 / 4, 2 / 4, 2 / 4, 2 / 3, 1 / 2])
    assert found.answers.below.tolist() == [False, True, True, False, True, False]
    assert (found.answers.answered, found.answers.share_below) == (5, 3 / 5)
    assert found.consensus.winner == ("a", None, None, "a", None, None)
    scored = score(["accuracy"], found.gold, found.consensus.ballots)["accuracy"]
    assert (scored.value, scored.n) == (1.0, 2)


def test_the_steps_decide_in_turn_and_only_what_is_left_open() -> None:
    rules = PanelRules(control_min=0.5, min_votes=3, ties="drop")
    first = panel(by_hand(), rules, draws=50).consensus
    assert first.winner == ("a", None, None, None, None, None)
    # Weights (right + 1) / 6: w0 5/6, w1 4/6, w2 and w4 3/6. q2: a 5/6 + 3/6 against b 4/6 + 3/6.
    then = panel(by_hand(), PanelRules(control_min=0.5, min_votes=3, ties="drop", then=("weighted",)), draws=50)
    assert then.consensus.winner == ("a", "a", "a", "a", "a", None)
    assert then.answers is None


def test_an_item_that_is_level_under_every_weight_is_left_to_em() -> None:
    rows = [
        (f"q{n}", who, letter)
        for n, said in enumerate(["ab", *["aac"] * 6, *["bcb"] * 3])
        for who, letter in zip("xyz", said, strict=False)
    ]
    judged = pd.DataFrame([*rows, *[("c", who, "a") for who in "xyz"]], columns=["item", "worker", "label"])
    judged = judged.assign(role=["control" if item == "c" else "main" for item in judged["item"]])
    names = sorted({item for item, _, _ in rows})
    items = pd.DataFrame(
        [*[(item, "main", "a") for item in names], ("c", "control", "a")], columns=["item", "role", "gold"]
    )
    data = StudyData(judged.assign(status="counted", reason=""), items, ["a", "b", "c"])
    weighted = PanelRules(min_votes=1, ties="drop", then=("weighted",))
    assert panel(data, weighted, draws=50).consensus.status[0] == "tied"
    assert panel(data, PanelRules(ties="drop", then=("weighted", "dawid-skene")), draws=50).consensus.status[0] == "won"


@pytest.mark.parametrize(("allowed", "void"), [(None, None), (0.5, True), (0.6, False), (1.0, False)])
def test_the_baseline_is_void_above_the_allowed_share_and_without_one_nothing_is_said(
    allowed: float | None, void: bool | None
) -> None:
    found = panel(by_hand(), MERA.on(PanelRules()).__class__(**{**MERA.sets, "allowed_share": allowed}), draws=50)
    assert found.answers is not None
    assert found.answers.void is void


def test_a_step_that_cannot_be_taken_is_passed_over_and_named() -> None:
    data = by_hand()
    main = StudyData(data.judgments[data.judgments["role"] == "main"], data.items, data.labels)
    notes = " ".join(panel(main, MERA.on(PanelRules()), draws=50).notes)
    assert "left for 'weighted', passed over: nobody answered a control." in notes


def test_any_rule_by_skill_is_passed_over_where_nobody_answered_a_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "by-skill", METHODS["weighted"])
    data = by_hand()
    main = StudyData(data.judgments[data.judgments["role"] == "main"], data.items, data.labels)
    found = panel(main, PanelRules(min_votes=3, ties="drop", then=("by-skill",)), draws=50)
    assert "left for 'by-skill', passed over: nobody answered a control." in " ".join(found.notes)


def test_the_result_without_each_step_stands_beside_it() -> None:
    rules = MERA.on(PanelRules())
    ways = without_steps(rules)
    assert list(ways) == [
        "",
        "control_min",
        "min_votes",
        "then dawid-skene",
        "then weighted",
        "only weighted",
        "agreement_min",
    ]
    found = dict(zip(ways, sensitivity("accuracy", by_hand(), ways.values(), draws=50), strict=True))
    assert {step: cell.scored for step, cell in found.items()} == {
        "": 2,
        # With w3 q2 is won by b with three of five, and q1 and q4 as they were.
        "control_min": 3,
        "min_votes": 2,
        "then dawid-skene": 2,
        # Two of three are no majority of three votes.
        "then weighted": 1,
        # On q4 Dawid-Skene by itself believes c, which nobody gave; of a and b it takes a, which two of three gave.
        "only weighted": 2,
        "agreement_min": 5,
    }
    assert [found[step].excluded for step in ("", "control_min")] == [1, 0]
    known = {step: cell.estimate.value for step, cell in found.items() if cell.estimate is not None}
    assert known["control_min"] == pytest.approx(2 / 3)
    assert known[""] == 1.0


@pytest.mark.parametrize(
    ("votes", "labels", "certain"),
    [
        ({"q1": "aaabb", "q2": "aaaaa"}, "ab", 2),  # three of five always say the same of two, which decides
        ({"q1": "aabb", "q2": "aaab", "q3": "aab"}, "ab", 0),  # two of four; of three two may, short of three votes
        ({"q1": "aaabb", "q2": "aaab"}, "ab", 1),
        ({"q1": "aaabb"}, "abc", 0),  # two of five may be the most of three labels
    ],
)
def test_items_that_could_not_fail_to_be_agreed_on_are_named(votes: dict[str, str], labels: str, certain: int) -> None:
    rows = [(item, f"w{place}", letter) for item, letters in votes.items() for place, letter in enumerate(letters)]
    judged = pd.DataFrame(rows, columns=["item", "worker", "label"]).assign(role="main", status="counted", reason="")
    items = pd.DataFrame({"item": list(votes), "role": "main", "gold": "a"})
    rules = MERA.on(PanelRules())
    agreed = panel(StudyData(judged, items, list(labels)), rules, draws=2).answers
    assert agreed is not None
    assert agreed.certain == certain
    assert ("this could not fail: of so few labels" in agreed.verdict) == bool(certain)
    assert ("On all of them" in agreed.verdict) == (certain == len(votes))


def test_rules_are_named_by_what_they_say_and_no_longer_once_a_step_is_changed() -> None:
    rules = MERA.on(PanelRules(seed=5, gold="decisions", interval="items"))
    assert (rules.seed, rules.gold, rules.interval) == (5, "decisions", "items")
    assert name_of_rules(rules) == "mera"
    assert [name_of_rules(way) for step, way in without_steps(rules).items() if step] == [""] * 6
    assert name_of_rules(PanelRules()) == ""
    with pytest.raises(UnknownName, match="did you mean 'mera'"):
        rules_named("meras")
    with pytest.raises(BadSetting, match="these rules have none"):
        PanelRules(allowed_share=0.1)
    with pytest.raises(BadSetting, match="agreement_min must be a share"):
        PanelRules(agreement_min=60)


@pytest.mark.parametrize("name", NAMED_RULES)
def test_every_published_procedure_is_made_of_rules_there_are(name: str) -> None:
    rules = rules_named(name).on(PanelRules())
    assert rules.ties in TIES
    assert rules_named(name).title
    assert rules_named(name).source


@pytest.mark.parametrize("name", ["BPS", "LCS"])
def test_a_raw_pool_under_mera_counts_as_a_plain_count_of_its_answers_does(shared: Path, name: str) -> None:
    judged, items = pool_frames(shared, name)
    found = panel(StudyData(judged, items), MERA.on(PanelRules()), draws=50)
    control = judged[judged["role"] == "control"]
    right = (control["label"] == control["gold"]).groupby(control["worker"]).mean()
    assert found.excluded == set(right.index[right < 0.5])
    main = judged[(judged["role"] == "main") & ~judged["worker"].isin(found.excluded)]
    counted = main.groupby(["item", "label"]).size().groupby("item")
    share = counted.max() / counted.sum()
    assert found.answers is not None
    assert found.answers.answered == len(share)
    # Weights may decide for the smaller part of an item, which is agreed on by fewer still.
    assert found.answers.below.sum() == int((share < 0.6).sum())
    agreed = counted.idxmax()[share >= 0.6].map(lambda pair: pair[1])
    won = {item: label for item, label in zip(found.votes.items, found.consensus.winner, strict=True) if label}
    assert won == agreed.to_dict()
