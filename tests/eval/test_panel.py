from dataclasses import fields
from typing import Any

import pandas as pd
import pytest

from data.errors import BadSetting
from data.human_rules import USUAL
from eval.panel import Panel, PanelRules, StudyData, panel

ITEMS = pd.DataFrame(
    [
        ("q1", "main", "yes"),
        ("q2", "main", None),
        ("q3", "main", "no"),
        ("q4", "main", "no"),
        ("c1", "control", "yes"),
        ("c2", "control", "no"),
        ("c3", "control", None),
        ("t1", "training", "yes"),
    ],
    columns=["item", "role", "gold"],
)


def judgments(*rows: str) -> pd.DataFrame:
    """Rows of "item worker label [status [reason]]", the role by the letter of the item."""
    roles = {"q": "main", "c": "control", "t": "training"}
    cells = [(row.split() + ["counted", ""][len(row.split()) - 3 :])[:5] for row in rows]
    frame = pd.DataFrame(cells, columns=["item", "worker", "label", "status", "reason"])
    return frame.assign(role=[roles[item[0]] for item in frame["item"]])


ROWS = judgments(
    "q1 ann yes",
    "q1 bob yes",
    "q1 cid no",
    "q2 ann no",
    "q2 bob yes",
    "q2 cid yes",
    "q3 cid no",
    "q3 dan no",
    "q1 ann no void duplicate",
    "q3 bob yes void rejected",
    "q3 eve no surplus",
    "c1 ann yes",
    "c1 ann no",
    "c2 ann no",
    "c1 bob yes",
    "c1 cid no",
    "c2 cid no",
    "c2 cid yes void undo",
    "c3 dan no",
    "t1 fay yes",
)


def run(rules: PanelRules | None = None, rows: pd.DataFrame = ROWS, excluded: tuple[str, ...] = ()) -> Panel:
    return panel(StudyData(rows, ITEMS, ["no", "yes"], excluded=frozenset(excluded)), rules or PanelRules(), draws=50)


def test_without_rules_everybody_is_kept_and_every_judgment_is_counted_once() -> None:
    assert run().counts() == {
        "workers": {"total": 4, "with_controls": 3, "excluded": 0, "kept": 4},
        "judgments": {"main": 8, "kept": 8, "control": 7, "training": 1, "duplicates": 1, "surplus": 1, "void": 2},
        "items": {"total": 4, "answered": 3, "with_consensus": 3, "tied": 0, "left_out": 0, "unanimous": 1},
        "overlap": {"3": 2, "2": 1},
    }
    assert sum(run().counts()["judgments"].values()) - run().counts()["judgments"]["kept"] == len(ROWS)


def test_control_accuracy_is_over_all_counted_control_judgments_with_gold() -> None:
    table = run().controls.set_index("worker")
    assert table["answered"].to_dict() == {"ann": 3, "bob": 1, "cid": 2}
    assert table["right"].to_dict() == {"ann": 2, "bob": 1, "cid": 1}
    assert table.loc["ann", "accuracy"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("control_min", "excluded"),
    [(0.0, set()), (0.5, set()), (0.6, {"cid"}), (0.7, {"ann", "cid"}), (1.0, {"ann", "cid"})],
)
def test_workers_below_the_control_limit_are_excluded_and_those_at_it_are_kept(
    control_min: float, excluded: set[str]
) -> None:
    assert run(PanelRules(control_min=control_min)).excluded == excluded


def test_exclusion_changes_what_is_kept_but_neither_the_items_nor_the_judgments_made() -> None:
    counts = run(PanelRules(control_min=0.7)).counts()
    assert counts["workers"] == {"total": 4, "with_controls": 3, "excluded": 2, "kept": 2}
    assert (counts["judgments"]["main"], counts["judgments"]["kept"]) == (8, 3)
    # One answer alone is not unanimous.
    assert counts["items"] == {"total": 4, "answered": 3, "with_consensus": 3, "tied": 0, "left_out": 0, "unanimous": 0}
    assert counts["overlap"] == {"1": 3}


def test_unanimous_and_agreement_are_of_items_with_two_answers_or_more() -> None:
    found = run(rows=judgments("q1 ann yes", "q1 bob yes", "q2 ann no", "q3 ann no", "q3 bob yes"))
    assert (found.counts()["items"]["unanimous"], found.votes.compared) == (1, 2)
    assert found.agreement.pairwise == 0.5


def test_workers_the_study_has_excluded_count_as_excluded_whatever_the_rules_say() -> None:
    found = run(excluded=("ann", "nobody", "fay"))
    assert found.excluded == {"ann"}
    assert found.counts()["items"]["tied"] == 1
    assert run(PanelRules(control_min=0.6), excluded=("ann",)).excluded == {"ann", "cid"}


def test_the_rules_reach_the_consensus() -> None:
    counts = run(PanelRules(min_votes=3)).counts()["items"]
    assert (counts["with_consensus"], counts["tied"], counts["answered"]) == (0, 0, 3)


def test_gold_is_that_of_the_main_items_that_have_it() -> None:
    assert run().gold == {"q1": "yes", "q3": "no", "q4": "no"}


def test_a_limit_without_controls_is_noted() -> None:
    main_only = ROWS[ROWS["role"] == "main"]
    found = run(PanelRules(control_min=0.5), main_only)
    assert found.excluded == frozenset()
    first, rare = found.notes
    assert first == "Nobody answered a control item, so control_min excluded nobody."
    assert "of the resamples of items all answers bear one label" in rare
    assert run().notes == (rare,)


def test_the_order_of_rows_never_matters() -> None:
    rules = PanelRules(control_min=0.6, ties="random", seed=3)
    straight, shuffled = run(rules), run(rules, ROWS.sample(frac=1, random_state=1))
    assert straight.counts() == shuffled.counts()
    assert repr(straight.agreement) == repr(shuffled.agreement)  # NaN stands in both, and equals nothing
    assert (straight.consensus.ballots.weights == shuffled.consensus.ballots.weights).all()


def test_a_study_nobody_has_answered_has_zeros() -> None:
    found = panel(StudyData(ROWS[:0], ITEMS), PanelRules(control_min=0.5))
    assert found.counts()["items"] == {
        "total": 4,
        "answered": 0,
        "with_consensus": 0,
        "tied": 0,
        "left_out": 0,
        "unanimous": 0,
    }
    assert found.counts()["overlap"] == {}
    assert found.agreement.as_dict()["alpha"] is None


def test_the_rules_as_json_and_their_limits() -> None:
    assert PanelRules(control_min=0.5, min_votes=3, ties="drop").as_dict() == {
        "control_min": 0.5,
        "min_votes": 3,
        "ties": "drop",
        "consensus": "majority",
    }
    for wrong in ({"control_min": 50}, {"min_votes": 0}, {"ties": "coin"}, {"consensus": "oracle"}):
        with pytest.raises(BadSetting, match=r"got|choose"):
            PanelRules(**wrong)


def test_frames_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadSetting, match="frame of judgments lacks the column 'reason'"):
        run(rows=ROWS.drop(columns="reason"))
    with pytest.raises(BadSetting, match="The item 'q1' is there twice"):
        StudyData(ROWS, pd.concat([ITEMS, ITEMS[:1]]))
    with pytest.raises(BadSetting, match="The item 'q9' of a judgment"):
        run(rows=judgments("q9 ann yes"))


def test_every_declared_rule_is_one_of_the_panel_and_stands_in_json_in_its_order() -> None:
    assert {rule.name: rule.default for rule in fields(PanelRules)} == USUAL | {"seed": 0}
    usual = {"control_min": None, "min_votes": 1, "ties": "fractional", "consensus": "majority"}
    others: dict[str, Any] = {"gold": "decisions", "interval": "items", "then": ("weighted",), "agreement_min": 0.6}
    others["allowed_share"] = 0.1
    assert PanelRules().as_dict() == usual
    assert list(PanelRules(seed=3, **others).as_dict().items()) == [*usual.items(), *others.items()]
