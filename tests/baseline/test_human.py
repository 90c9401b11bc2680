"""The human baseline with all its sides: fixed and added keys, published figures, studies with little in them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, update
from typer.testing import CliRunner, Result

from app import cli
from baseline.human.baseline import changed_rules
from baseline.human.detailed_baseline import DetailedBaseline, detailed_baseline, exclusion_table, label_table
from baseline.human.sensitivity_strip import strip_remarks, strip_table
from data.console import plain
from data.task import Item
from db.engine import reading, write, writing
from db.items import add_items, list_items
from db.judgments import EXCLUDED, Judgment, add_judgments
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.tables import JUDGMENT
from db.workers import add_worker
from eval.estimate import Estimate, wilson
from eval.panel import PanelRules
from eval.sensitivity import SensitivityCell
from tests.helpers.collection import TASK
from tests.helpers.details import human_text

Run = Callable[..., Result]
FIXED = ["study", "task", "workers", "judgments", "items", "overlap", "agreement", "scores", "rules", "notes", "pay"]
ADDED = ["panel", "majority_of_k", "sensitivity", "exclusions", "agreement_by", "agreement_by_label", "left_out"]


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    assert "NaN" not in result.stdout
    return json.loads(result.stdout)


def full(database: Engine, *votes: str, gold: str | None = "red", control: str = "", **rules: Any) -> DetailedBaseline:
    """The baseline of a study whose n-th item got the votes r and g, the n-th letter from worker n.

    `control` are the same workers' answers to a control whose gold is red.
    """
    items = [Item(f"item-{n}", {"thing": f"thing {n}"}, gold) for n in range(len(votes))]
    with writing(database) as session:
        study = create_study(session, name="colours", task=TASK, settings=StudySettings(overlap=3))
        add_items(session, study=study, items=[*items, Item("check", {"thing": "check"}, "red", "control")])
        workers = [add_worker(session) for _ in range(max(map(len, [*votes, control]), default=0))]
        stored = list_items(session, study=study)
        given = [
            Judgment(entry.key, workers[place], {"r": "red", "g": "green"}[letter])
            for entry, letters in zip(stored, [*votes, control], strict=True)
            for place, letter in enumerate(letters)
            if letter != "."
        ]
        add_judgments(session, study=study, judgments=given)
    with reading(database) as session:
        return detailed_baseline(session, study=study, rules=changed_rules(study, **rules))


def test_the_fixed_keys_keep_their_order_and_the_new_ones_follow(run: Run, shared: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    human = said(run("human", "parus", "--json"))
    assert list(human) == [*FIXED, *ADDED, "computation"]
    assert list(human["scores"]) == ["majority", "individual", "leave_one_out"]
    assert list(human["panel"]) == ["item_weighted", "worker_mean", "ceiling"]
    found = human["scores"]["majority"]["accuracy"]
    assert found["ci"][0] < found["ci_items"][0] < 0.984 < found["ci_items"][1] < found["ci"][1]


def test_intervals_hold_for_other_people_or_for_these_as_asked(run: Run, shared: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    run("run", "parus", "--model", "random")
    wide, narrow = (
        said(run("results", "parus", "--json", "--interval", which))["rows"] for which in ("people", "items")
    )
    assert said(run("results", "parus", "--json"))["rows"] == wide
    for one, other in zip(wide[:2], narrow[:2], strict=True):
        found, alone = one["scores"]["accuracy"], other["scores"]["accuracy"]
        assert (found["value"], found["ci_items"]) == (alone["value"], alone["ci"])
        assert found["ci"][0] < alone["ci"][0]
        assert (one["covers"], other["covers"]) == ("other items, other people", "other items, these people")
    # Of a model nothing changes but how far it is from people.
    assert (wide[2]["scores"], wide[2]["covers"]) == (narrow[2]["scores"], "other items")
    for key in ("vs_human", "vs_person"):
        assert wide[2][key]["over_items"] == narrow[2][key]
        assert wide[2][key]["difference"] == narrow[2][key]["difference"]
    crowd, people = (wide[place]["scores"]["accuracy"]["value"] for place in (0, 1))
    assert wide[2]["vs_human"]["difference"] - wide[2]["vs_person"]["difference"] == pytest.approx(people - crowd)
    for form in ((), ("--markdown",)):
        shown = run("results", "parus", "--details", *form).stdout
        assert "other items, other people" in shown
        for title in ("vs one person, points", "agreement vs one person, points"):
            assert title in shown
    agreed = said(run("human", "parus", "--json"))["agreement"]
    assert agreed["alpha_ci"][0] < agreed["alpha_ci_items"][0] < agreed["alpha"]
    assert "alpha_ci_items" not in said(run("human", "parus", "--json", "--interval", "items"))["agreement"]
    assert "not for other people than these 111" in run("human", "parus", "--details", "--interval", "items").stdout
    refused = run("human", "parus", "--interval", "nobody")
    assert (refused.exit_code, "choose one of people, items" in refused.stderr) == (2, True)


def test_the_majority_of_one_is_one_person_and_of_all_is_the_majority(run: Run, shared: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    human = said(run("human", "parus", "--json", "--interval", "items"))
    crowds = {k: scores["accuracy"]["value"] for k, scores in human["majority_of_k"].items()}
    assert list(crowds) == ["1", "2", "3"]
    assert crowds["1"] == pytest.approx(human["panel"]["item_weighted"]["value"], abs=1e-9)
    assert crowds["1"] == pytest.approx(0.9566666666666667, abs=1e-9)
    assert crowds["3"] == pytest.approx(0.984, abs=1e-9)
    # Nobody answered a control here, so no threshold is tried.
    assert {cell["rules"]["control_min"] for cell in human["sensitivity"]} == {None}


def test_the_strip_has_the_published_score_of_lcs_beside_the_lower_one(run: Run, shared: Path, tmp_path: Path) -> None:
    import_lcs(run, shared, tmp_path)
    these_people = ("--interval", "items")  # the strip has intervals of its own
    cells = said(run("human", "LCS", "--json", *these_people))["sensitivity"]
    found = {tuple(cell["rules"][name] for name in ("control_min", "min_votes", "ties")): cell for cell in cells}
    assert len(found) == 4 * 3 * 5
    published = found[0.5, 3, "drop"]["estimate"]
    assert published["value"] == pytest.approx(0.7037037037037037, abs=1e-12)
    assert published["n"] == 54
    values = [cell["estimate"]["value"] for cell in cells if cell["estimate"]]
    assert min(values) < 0.57
    published_rules = ("--control-min", 0.5, "--min-votes", 3, "--ties", "drop")
    assert "0.704 (54)*" in run("human", "LCS", "--details", *published_rules, *these_people).stdout


def import_lcs(run: Run, shared: Path, folder: Path) -> None:
    """Import the pool LCS with gold that is computed from its strings."""
    log = next((shared / "toloka_pools" / "LCS").glob("assignments*.tsv"))
    header, *rows = [line.split("\t") for line in log.read_text("utf8").splitlines()]
    one, two, gold = (header.index(name) for name in ("INPUT:string1", "INPUT:string2", "GOLDEN:length"))
    pairs = sorted({(row[one], row[two]) for row in rows if not row[gold]})
    lines = ["string1,string2,length", *(f"{a},{b},{common_length(a, b)}" for a, b in pairs)]
    (folder / "gold.csv").write_text("\n".join(lines), "utf8")
    assert run("import-log", "LCS", log, "--gold", folder / "gold.csv").exit_code == 0


def common_length(one: str, two: str) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(two) + 1)
    for a in one:
        last = row
        row = [0]
        for place, b in enumerate(two):
            row.append(last[place] + 1 if a == b else max(last[place + 1], row[place]))
    return row[-1]


def test_exclusions_are_shown_before_and_after(sqlite: Engine) -> None:
    found = full(sqlite, "rrg", "rrg", "rgg", control="rrg", control_min=0.5)
    effect = found.as_dict()["exclusions"]
    assert (effect["before"]["workers"]["kept"], effect["after"]["workers"]["kept"]) == (3, 2)
    lines = (re.split(" {2,}", line.strip()) for line in human_text(found).splitlines())
    rows = {name: values[-2:] for name, *values in lines}
    assert rows["judgments"] == ["9", "6"]
    # One tie: with one more item, all wrong, 1, 1, 1/2 and 0 lie 11/16 from their mean 5/8, and coins 15/16.
    ends = [f"{low:.3f}–{high:.3f}" for low, high in (wilson(2, 3), wilson(2.5 * 15 / 11, 3 * 15 / 11))]
    assert rows["majority, accuracy"] == [f"0.667 ({ends[0]})", f"0.833 ({ends[1]})"]


def test_the_stated_rules_are_always_a_cell_of_the_strip(sqlite: Engine) -> None:
    found = full(sqlite, "rrg", "rrg", "rgg", control="rrg", control_min=0.6, min_votes=2, ties="wrong")
    own = found.human.panel.rules
    assert sum(str(cell).endswith("*") for row in strip_table(found.sensitivity, own).cells for cell in row) == 1


@pytest.mark.parametrize(
    ("votes", "gold", "control"),
    [
        ((), "red", ""),
        (("", ""), "red", ""),
        (("", ""), "red", "rrg"),
        (("rrg", "rgg"), None, ""),
        (("rrg", "rgg"), None, "rrg"),
        (("r", "g"), "red", ""),
        (("rrr", "rrr"), "red", "rrr"),
        (("rg", "gr"), "red", "gg"),
    ],
    ids=["no items", "nobody", "only controls", "no gold", "no gold, controls", "one vote", "all equal", "all tied"],
)
def test_a_study_with_little_in_it_gives_nulls_and_a_note(
    sqlite: Engine, votes: tuple[str, ...], gold: str | None, control: str
) -> None:
    found = full(sqlite, *votes, gold=gold, control=control)
    shown = plain(found.as_dict())
    assert list(shown) == [*FIXED, *ADDED]
    assert shown["notes"]
    text = human_text(found)
    assert not re.search(r"\b(None|nan)\b", text)


def test_of_one_vote_an_item_no_more_is_asked_for(sqlite: Engine) -> None:
    found = full(sqlite, *["r"] * 12)
    assert found.worker_mean is not None
    assert found.worker_mean.n == 1
    assert not any("no worker is scored alone" in note for note in found.notes())
    assert {choice.rules.min_votes for choice in found.sensitivity} == {1}


def test_everybody_excluded_is_a_result_too(sqlite: Engine) -> None:
    found = full(sqlite, "rrg", "rgg", control="ggg", control_min=0.5)
    assert found.human.panel.counts()["workers"]["kept"] == 0
    assert plain(found.as_dict())["panel"]["item_weighted"]["value"] is None
    assert not re.search(r"\b(None|nan)\b", human_text(found))


def test_everybody_and_the_kept_stand_side_by_side_only_where_somebody_is_left_out(sqlite: Engine) -> None:
    alone = full(sqlite, "rrg", "rgg")
    assert not exclusion_table(alone).rows
    assert "before and after exclusions" not in human_text(alone)


def test_answers_that_became_void_with_their_worker_are_those_of_everybody(sqlite: Engine) -> None:
    full(sqlite, "rrg", "rrg")
    with writing(sqlite) as session:
        study = get_study(session, name="colours")
        write(session, update(JUDGMENT).where(JUDGMENT.c.label == "green").values(status="void", reason=EXCLUDED))
    with reading(sqlite) as session:
        found = detailed_baseline(session, study=study, rules=changed_rules(study))
    rows = {what: both for what, *both in exclusion_table(found).rows}
    assert (rows["workers"], rows["judgments"]) == (["3", "2"], ["6", "4"])


def test_a_study_whose_workers_are_all_excluded_does_not_say_that_nobody_answered(sqlite: Engine) -> None:
    found = full(sqlite, "rrg", "rgg", control="ggg", control_min=0.5)
    notes = " ".join(found.notes())
    assert "No judgment is left: all 3 workers, with 6 answers, are excluded." in notes
    assert "No judgment is in yet" not in notes


def test_ties_that_are_drawn_say_that_it_was_once(sqlite: Engine) -> None:
    found = full(sqlite, "rg", "gr", "rr", ties="random", seed=7)
    assert "On 2 items votes are level and one answer is drawn, once, by the seed 7" in " ".join(found.notes())


def test_agreement_on_a_label_says_of_how_many_answers_and_items_it_is(sqlite: Engine) -> None:
    table = label_table(full(sqlite, "rrg", "rgg", "rrr", "r"))
    assert "none is computed for other people" in table.caption
    assert [(row["label"], row["answers"], row["items"]) for row in table.records] == [("red", 6, 3), ("green", 3, 2)]


def test_the_strip_says_which_rules_it_varies_and_that_random_ties_are_one_draw() -> None:
    rules = PanelRules(ties="random", seed=7)
    estimates = [Estimate(value, (0.8, 1.0), "item", "wilson", 40) for value in (0.9, 0.95)]
    cells = [
        SensitivityCell(rules, estimate, 0, 40, tied, 0, 0) for estimate, tied in zip(estimates, (0, 2), strict=True)
    ]
    assert strip_remarks(cells) == [
        "The same votes score from 0.900 to 0.950 under these choices of controls, votes and ties.",
    ]
