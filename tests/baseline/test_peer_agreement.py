"""Without gold people are the standard: agreement with people in the results, their files and the report."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from baseline.comparison.overview import study_scores
from db.engine import opened, reading
from db.studies import get_study

ITEMS = [f"q{number:02}" for number in range(40)]
SENTENCE = "the alternative-annotator test (epsilon 0.1), good may take a person's place; of bad that is not shown."


@pytest.fixture
def study(tmp_path: Path, command: Callable[..., Result]) -> str:
    """Four people of whom one says no on every fourth item; one model says what most do, one the contrary."""
    people = tmp_path / "people.csv"
    rows = [
        f"{who},{item},{'no' if who == 'dan' and at % 4 == 0 else 'yes' if at % 2 else 'maybe'}\n"
        for at, item in enumerate(ITEMS)
        for who in ("ann", "bob", "cid", "dan")
    ]
    people.write_text("worker,task,label\n" + "".join(rows), "utf8")
    assert command("import-log", "plain", people).exit_code == 0
    for model, said in (("good", ("maybe", "yes")), ("bad", ("yes", "no"))):
        run = tmp_path / f"{model}.jsonl"
        given = ({"item_id": item, "answer": said[at % 2]} for at, item in enumerate(ITEMS))
        run.write_text("".join(json.dumps(one) + "\n" for one in given), "utf8")
        assert command("import-run", "plain", run, "--from", "jsonl", "--model", model).exit_code == 0
    return "plain"


def peers(command: Callable[..., Result], study: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(command("results", study, "--json").stdout)["peers"]
    return found


def test_every_respondent_has_its_agreement_with_people(command: Callable[..., Result], study: str) -> None:
    found = peers(command, study)
    rows = {row.get("respondent", row.get("worker")): row for row in found["rows"]}
    # Of 160 judgments the 10 of the person who says no are alone.
    assert rows["human:individual"]["equal"]["value"] == 150 / 160
    of_people = json.loads(command("human", study, "--json").stdout)["scores"]["leave_one_out"]["accuracy"]
    assert rows["human:individual"]["equal"]["ci"] == of_people["ci"]
    assert (rows["model:good"]["equal"]["value"], rows["model:good"]["kappa"]["value"]) == (1, 1)
    assert rows["model:bad"]["equal"]["value"] == 0
    assert (rows["ann"]["equal"]["value"], rows["dan"]["equal"]["value"]) == (1, 30 / 40)
    assert rows["model:good"]["vs_one_person"]["difference"] == 10 / 160
    assert (rows["model:good"]["winning_rate"], rows["model:bad"]["winning_rate"]) == (1, 0)
    assert rows["model:good"]["alpha_with"]["value"] > rows["model:good"]["alpha_people"]["value"]


def test_models_are_set_against_each_other_by_their_agreement(
    command: Callable[..., Result], study: str, tmp_path: Path
) -> None:
    (pair,) = peers(command, study)["pairs"]
    assert (pair["one"], pair["other"], pair["difference"]["difference"]) == ("model:good", "model:bad", 1)
    file = tmp_path / "pairs.csv"
    assert command("export", study, "--what", "model-pairs", "--to", file).exit_code == 0
    (row,) = csv.DictReader(file.read_text("utf-8-sig").splitlines())
    assert (row["first"], row["by"], float(row["difference"])) == ("model:good", "agreement with people", 1)
    (compared,) = json.loads(command("compare-runs", study, "--json").stdout)["pairs"]
    assert abs(compared["nearer"]["difference"]) == 1
    assert set(compared["settings"]) == {"file"}, "a digest is no setting"
    shown = command("compare-runs", study).stdout
    assert "first nearer to people by, points" in shown
    assert "only first right" not in shown


def test_the_command_says_who_agrees_as_well_as_people_do(command: Callable[..., Result], study: str) -> None:
    shown = " ".join(command("results", study).stdout.split())
    assert "bad is worse." in shown


def test_the_report_has_it_in_every_form(command: Callable[..., Result], study: str, tmp_path: Path) -> None:
    for ending in ("html", "md", "tex"):
        file = tmp_path / f"report.{ending}"
        assert command("export", study, "--what", "report", "--to", file).exit_code == 0
        assert "bad is worse." in " ".join(re.sub("<.*?>", "", file.read_text("utf8")).split())


def test_the_overview_has_it_in_the_place_of_scores(sqlite_url: str, study: str) -> None:
    with opened(sqlite_url) as database, reading(database) as session:
        row = study_scores(session, get_study(session, name=study)).row
    assert row.scale.title == "same as most people"
    assert {name: each.value for name, each in row.scores.items()} == {
        "people": 150 / 160, "model:good": 1, "model:bad": 0,
    }  # fmt: skip


def test_a_log_of_one_person_keeps_its_ids_and_predictions_call_items_as_logs_do(
    tmp_path: Path, command: Callable[..., Result]
) -> None:
    log, run = tmp_path / "log.csv", tmp_path / "run.csv"
    log.write_text(
        "item_id,worker,label\n" + "".join(f"{item},ann,{at % 2}\n" for at, item in enumerate(ITEMS)), "utf8"
    )
    run.write_text("question_id,answer\n" + "".join(f"{item},1\n" for item in ITEMS), "utf8")
    assert command("import-log", "single", log).exit_code == 0
    imported = command("import-run", "single", run, "--from", "jsonl", "--model", "m")
    assert (imported.exit_code, f"{len(ITEMS)}" in imported.stdout) == (0, True)
    assert peers(command, "single")["rows"][1]["n"] == len(ITEMS)


def test_a_judge_has_the_same_interval_wherever_its_agreement_stands(
    command: Callable[..., Result], study: str
) -> None:
    judges = {row["judge"]: row for row in json.loads(command("judge", study, "--json").stdout)["judges"]}
    for row in peers(command, study)["rows"]:
        if judge := judges.get(row.get("respondent")):
            for name in ("equal", "kappa", "alpha_people", "alpha_with"):
                assert (judge[name]["value"], judge[name]["ci"]) == (row[name]["value"], row[name]["ci"]), name


def test_a_judge_of_many_people_has_one_interval_for_other_people_too(
    command: Callable[..., Result], tmp_path: Path
) -> None:
    # 40 people who answer 15 items each, three to an item, so no answers are level; every seventh is wrong.
    rows = [
        f"q{n:03},w{(n + 13 * k) % 40:02},{'ab'[(n + (n * 3 + k * 5) % 7 // 6) % 2]}\n"
        for n in range(200)
        for k in range(3)
    ]
    log, judge = tmp_path / "many.csv", tmp_path / "judge.jsonl"
    log.write_text("item,worker,label\n" + "".join(rows), "utf8")
    said = [{"id": f"q{n:03}", "answer": "ab"[(n + (n % 25 == 0)) % 2]} for n in range(200)]
    judge.write_text("".join(json.dumps(one) + "\n" for one in said), "utf8")
    assert command("import-log", "many", log).exit_code == 0
    assert command("import-run", "many", judge, "--from", "jsonl", "--model", "good").exit_code == 0
    (beside,) = json.loads(command("judge", "many", "--json").stdout)["judges"]
    row = next(row for row in peers(command, "many")["rows"] if row["respondent"] == beside["judge"])
    for name in ("equal", "kappa"):
        assert beside[name]["ci"] == row[name]["ci"] != row[name]["ci_items"] == beside[name]["ci_items"], name


def test_on_a_scale_a_point_is_said_and_why_a_constant_judge_has_no_rank_correlation(
    command: Callable[..., Result], tmp_path: Path
) -> None:
    rows = [(f"q{n}", f"w{k}", (n + k * (n % 3 == 0)) % 10 + 1) for n in range(20) for k in range(3)]
    log, judge = tmp_path / "j.csv", tmp_path / "five.jsonl"
    log.write_text("item,worker,label\n" + "".join(f"{i},{w},{label}\n" for i, w, label in rows), "utf8")
    judge.write_text("".join(json.dumps({"id": f"q{n}", "answer": "5"}) + "\n" for n in range(20)), "utf8")
    assert command("import-log", "j", log, "--scale", "ordinal").exit_code == 0
    assert command("import-run", "j", judge, "--from", "jsonl", "--model", "five").exit_code == 0
    notes = " ".join(peers(command, "j")["notes"])
    assert "The scale is 9 long, so 1% of that is 0.09" in notes
    assert "Rank correlation of five does not exist: one side always says the same" in notes
    shown = command("results", "j", "--details").stdout
    assert "agreement vs one person, % of the scale" in shown
    assert "One answer, “5”, is all that five gives to 20 items. It tells no item from another" in shown


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_what_takes_no_notice_of_a_scale_is_named(command: Callable[..., Result], tmp_path: Path, scale: str) -> None:
    log, run = tmp_path / "ratings.csv", tmp_path / "run.jsonl"
    rows = [f"w{who},{item},{1 + (at + who % 2) % 5}\n" for at, item in enumerate(ITEMS) for who in range(5)]
    log.write_text("worker,task,label\n" + "".join(rows), "utf8")
    assert command("import-log", "ratings", log, "--scale", scale).exit_code == 0
    run.write_text(
        "".join(json.dumps({"item": item, "answer": 1 + n % 5}) + "\n" for n, item in enumerate(ITEMS)), "utf8"
    )
    assert command("import-run", "ratings", run, "--from", "jsonl", "--model", "m").exit_code == 0
    human, shown = (command(name, "ratings", "--details").stdout for name in ("human", "results"))
    assert ("alpha counts how far apart they are" in human) is (scale != "nominal")
    named = {
        "nominal": False,
        "ordinal": "all that counts for “same as most people” and “Cohen's kappa”, not how far" in shown,
        "interval": "all that counts for “same as most people”, not how far" in shown,
    }
    assert ("Equal or not is all that counts" in shown) is named[scale] is (scale != "nominal")
    assert ("Alpha with a model among people, and kappa, are computed" in shown) is (scale == "interval")
    assert ("% of people's range" in shown) is ("People's answers lie up to" in shown) is (scale == "interval")


def test_items_of_one_cluster_have_no_verdict_and_no_sentence_on_intervals(
    command: Callable[..., Result], tmp_path: Path
) -> None:
    log, run = tmp_path / "log.csv", tmp_path / "run.csv"
    rows = [(f"q{n}", f"w{k}", "yes" if (n + k) % 4 else "no", "yes", "A") for n in range(12) for k in range(5)]
    log.write_text("item_id,worker,label,gold,passage\n" + "".join(",".join(row) + "\n" for row in rows), "utf8")
    run.write_text("question_id,answer\n" + "".join(f"q{n},yes\n" for n in range(12)), "utf8")
    assert command("import-log", "one", log, "--gold-column", "gold", "--cluster", "passage").exit_code == 0
    alone = command("results", "one").stdout
    assert "a model with all of them" not in alone
    assert "vs one person”" not in alone
    assert command("import-run", "one", run, "--from", "jsonl", "--model", "m").exit_code == 0
    shown = command("results", "one", "--details", "--margin", "0.1").stdout
    for words in ("passed", "(no interval)", "Intervals are 95%", "Intervals of people hold"):
        assert words not in shown
    for what in ("Equivalence to the majority of people", "annotator test"):
        assert (
            f"{what} cannot be had for m: all items share one passage, and nothing shows how another would differ."
            in shown
        )


@pytest.mark.parametrize(
    ("people", "votes", "holds"),
    [
        (4, 4, "for other items, these people."),
        # Beside one of five there are four others, too few to show how people differ.
        (5, 5, "for other items, other people; those of single persons for other items, these people."),
        # Nobody stands beside another: what there is of models is beside all five.
        (5, 1, "for other items, other people."),
    ],
)
def test_intervals_of_agreement_hold_for_whom_their_note_says(
    command: Callable[..., Result], tmp_path: Path, people: int, votes: int, holds: str
) -> None:
    log, run = tmp_path / "people.csv", tmp_path / "run.jsonl"
    rows = [
        f"w{who},{item},{'no' if (at + who) % 7 == 0 else 'yes' if at % 2 else 'maybe'}\n"
        for at, item in enumerate(ITEMS)
        for who in (range(people) if votes > 1 else [at % people])
    ]
    log.write_text("worker,task,label\n" + "".join(rows), "utf8")
    assert command("import-log", "plain", log).exit_code == 0
    given = ({"item_id": item, "answer": "yes" if at % 2 else "maybe"} for at, item in enumerate(ITEMS))
    run.write_text("".join(json.dumps(one) + "\n" for one in given), "utf8")
    assert command("import-run", "plain", run, "--from", "jsonl", "--model", "m").exit_code == 0
    shown = command("results", "plain", "--details").stdout
    note = next(line for line in shown.splitlines() if "Intervals are 95%" in line)
    assert note.removeprefix("note: Intervals are 95%, ").split("; those of alpha")[0] == holds
    wide = {row.get("worker", row["kind"]): "ci_items" in row["equal"] for row in peers(command, "plain")["rows"]}
    assert wide["model"] is ("other people" in holds)
    assert not any(wide[name] for name in wide if name.startswith("w"))
