"""The command `judge`: published agreement through imports, corrected scores in every form, and what it refuses."""

import json
import re
import zipfile
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from app import cli
from baseline.comparison.judging import JudgeQuestion, judge_notes, judging
from baseline.comparison.results import Results, results
from baseline.human.baseline import stored_rules
from baseline.output.result_tabs import draw_judges
from bench.pandalm import write
from data.task import Item
from db.engine import opened, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.settings import Settings
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import TASK
from tests.helpers.study_pages import study_page

Run = Callable[..., Result]


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Run:
    """Run a command where four people have judged 40 items; the judge errs on every fifth and leaves one unread."""
    rows, replies = [], []
    for n in range(40):
        label = "good" if n % 3 else "bad"
        item = {"text": f"text {n}", "system": f"s{n % 2}"}
        rows += [{**item, "worker": f"w{m}", "label": label} for m in range(4)]
        wrong = {"good": "bad", "bad": "good"}[label]
        replies.append(item | {"raw": "??" if n == 7 else wrong if n % 5 == 0 else label})
    for name, records in (("people.jsonl", rows), ("judge.jsonl", replies)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, records)), "utf8")
    assert run("import-log", "s", tmp_path / "people.jsonl").exit_code == 0
    assert run("import-run", "s", tmp_path / "judge.jsonl", "--from", "jsonl", "--model", "j").exit_code == 0
    return run


def test_pandalm_through_imports_has_the_published_agreement(run: Run, shared: Path, tmp_path: Path) -> None:
    write(tmp_path, shared / "pandalm")
    assert run("import-log", "pandalm", tmp_path / "people.jsonl").exit_code == 0
    imported = ("--from", "jsonl", "--model", "gpt-3.5-turbo")
    assert run("import-run", "pandalm", tmp_path / "gpt-3.5.jsonl", *imported).exit_code == 0
    found = said(run("judge", "pandalm", "--json"))
    (judge,) = found["judges"]
    assert judge["equal"]["value"] == pytest.approx(0.698, abs=5e-4)
    assert judge["kappa"]["value"] == pytest.approx(0.476, abs=6e-4)
    people = sorted(pair["kappa"]["value"] for pair in found["pairs"] if pair["one"].startswith("w"))
    assert people == pytest.approx([0.852, 0.862, 0.879], abs=5e-4)
    fewer = said(run("judge", "pandalm", "--sample", 100, "--json"))
    for before, score in zip(found["scores"], fewer["scores"], strict=True):
        low, high = score["corrected"]["ci"]
        assert score["of_people"] == 100
        assert low <= before["people"]["value"] <= high


def test_what_people_would_say_is_told_beside_what_the_judge_says(small: Run) -> None:
    found = said(small("judge", "s", "--sample", 20, "--seed", 3, "--json"))
    (judge,) = found["judges"]
    assert (judge["judge"], judge["items"]) == ("model:j", 20)
    good = next(score for score in found["scores"] if score["what"] == "share of “good”")
    assert (good["judged"], good["of_people"]) == (40, 20)
    low, high = good["corrected"]["ci"]
    assert low < good["corrected"]["value"] < high
    assert good["answers_more"] is None or good["answers_more"] % 4 == 0  # four answers an item


def test_where_people_answered_everything_nothing_is_corrected(small: Run) -> None:
    found = said(small("judge", "s", "--json"))
    (judge,) = found["judges"]
    assert judge["equal"]["value"] == pytest.approx(31 / 40)
    for score in found["scores"]:
        assert score["corrected"]["value"] == score["people"]["value"]
        assert score["corrected"]["items_of_judge_alone"] == 0
    assert "nothing is left to correct" in " ".join(found["notes"])


def test_workers_of_an_imported_log_are_numbers(small: Run) -> None:
    pairs = said(small("judge", "s", "--json"))["pairs"]
    assert {pair["other"] for pair in pairs} == {"w001", "w002", "w003", "w004"}
    assert len(pairs) == 6 + 4


def test_scores_are_by_group_and_by_points_where_that_is_asked(small: Run) -> None:
    found = said(small("judge", "s", "--by", "system", "--points", "good=2", "--sample", 30, "--json"))
    assert [(score["group"], score["what"]) for score in found["scores"]] == [
        ("s0", "points, good = 2"),
        ("s1", "points, good = 2"),
    ]
    assert sum(score["of_people"] for score in found["scores"]) == 30


def test_every_form_has_every_table(small: Run) -> None:
    forms = {"--markdown": "# Judges of s", "--html": "<!doctype html>", "--latex": r"\documentclass"}
    for form, begins in forms.items():
        shown = small("judge", "s", "--sample", 20, form).stdout
        assert shown.startswith(begins)
        for words in ("alpha with the judge", "people, with the judge", "half as wide"):
            assert words in shown


def test_the_terminal_says_it_in_a_sentence_first(small: Run, tmp_path: Path) -> None:
    shown = small("judge", "s").stdout
    assert shown.startswith("On 77.5% of 40 items, j gives people's answer: kappa 0.")
    report = tmp_path / "judges.md"
    assert small("judge", "s", "--report", report).exit_code == 0
    assert "Respondents in pairs" in report.read_text("utf8")


def test_the_sentence_says_where_ties_are_shared_out_and_that_it_names_the_best(run: Run, tmp_path: Path) -> None:
    rows = [{"text": f"t{n}", "worker": f"w{m}", "label": "good"} for n in range(20) for m in range(2)]
    for row in rows[1::2][:6]:
        row["label"] = "bad"
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf8")
    assert run("import-log", "s", tmp_path / "people.jsonl").exit_code == 0
    for name, right in (("less", 10), ("more", 20)):
        replies = [{"text": f"t{n}", "raw": "good" if n < right else "bad"} for n in range(20)]
        (tmp_path / "judge.jsonl").write_text("\n".join(map(json.dumps, replies)), "utf8")
        run("import-run", "s", tmp_path / "judge.jsonl", "--from", "jsonl", "--model", name)
    first, second = run("judge", "s").stdout.splitlines()[:2]
    assert first.startswith(
        "On 85.0% of 20 items, ties between people shared out (6 of 20 items), more gives people's answer, the best of "
        "2 judges by this share: kappa "
    )
    assert second.startswith(
        "On 35.0% of 20 items, ties between people shared out (6 of 20 items), less gives people's"
    )
    assert [judge["ties"] for judge in said(run("judge", "s", "--json"))["judges"]] == [6, 6]


REFUSED = {
    ("--model", "k"): "model 'k' is not known",
    ("--by", "author"): "field 'author' is not known",
    ("--points", "good"): "--points 'good': write a label, '=' and what it is worth",
    ("--points", "fair=1"): "'fair', which is not one of 'bad', 'good'",
    ("--sample", "41"): "--sample must be from 2 to the 40 items",
    ("--report", "judges.txt"): "a report ends in .md, .html, .tex",
}


def test_what_makes_no_sense_is_refused_with_what_does(small: Run) -> None:
    for options, why in REFUSED.items():
        found = small("judge", "s", *options)
        assert found.exit_code == 2
        assert why in found.stderr


def test_without_a_model_there_is_no_judge(run: Run, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("task,worker,label\na,w,yes\nb,w,no\n", "utf8")
    assert run("import-log", "alone", tmp_path / "log.csv").exit_code == 0
    assert "there is no judge to set beside people" in run("judge", "alone").stderr


def partly_judged(sqlite: Engine, answered: int = 30) -> Results:
    """A study in English of 60 items that a model has answered, people only the first of them."""
    with writing(sqlite) as session:
        study = create_study(session, name="s", task=TASK, settings=StudySettings(language="en"))
        items = [Item(f"item-{n:02}", {"thing": f"thing {n}"}, None) for n in range(60)]
        add_items(session, study=study, items=items)
        stored = list_items(session, study=study, role="main")
        workers = [add_worker(session) for _ in range(2)]
        said = {entry.item.id: "red" if n % 3 else "green" for n, entry in enumerate(stored)}
        votes = [Judgment(e.key, worker, said[e.item.id]) for e in stored[:answered] for worker in workers]
        add_judgments(session, study=study, judgments=votes)
        run = create_run(session, study=study, model="big", kind="model", settings={})
        wrong = {"red": "green", "green": "red"}
        given = [(e.key, wrong[said[e.item.id]] if n % 5 == 0 else said[e.item.id]) for n, e in enumerate(stored)]
        add_predictions(session, run=run, predictions=[Prediction(key, 0, "x", label, "ok") for key, label in given])
        finish_run(session, run=run)
    with reading(sqlite) as session:
        return results(session, study=study, rules=stored_rules(study))


def test_the_page_shows_what_people_would_say_of_items_that_only_the_model_has(sqlite: Engine) -> None:
    found = partly_judged(sqlite)
    html = str(draw_judges(found))
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
    assert "share of “green”" in text
    assert html.count('class="joint"') == 1 + 2  # in the legend and for each label
    assert "too narrow" not in text


def test_a_share_with_fewer_than_five_answers_of_the_rarer_kind_is_said_to_have_too_narrow_an_interval(
    sqlite: Engine,
) -> None:
    # Every third answer of people is green: 4 of 12.
    assert (
        "Intervals may be too narrow until people answer more items, where fewer than 5 of their answers are on one "
        "side: share of “red”, share of “green”."
    ) in judge_notes(judging(partly_judged(sqlite, answered=12)))


def test_a_mean_of_points_from_few_items_is_said_to_have_too_narrow_an_interval(sqlite: Engine) -> None:
    points = JudgeQuestion(points={"green": 1, "red": 3})
    (said,) = [note for note in judge_notes(judging(partly_judged(sqlite), points)) if "too narrow" in note]
    assert said == "Intervals of points from fewer than 50 items that people answered are somewhat too narrow."


def test_without_models_or_people_the_page_has_no_judges(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        study = create_study(session, name="s", task=TASK, settings=StudySettings(language="en"))
        add_items(session, study=study, items=[Item("a", {"thing": "x"}, None)])
    assert ">Judges<" not in study_page(sqlite, study.name)


def test_the_package_of_a_report_has_its_judges(small: Run, tmp_path: Path) -> None:
    package = tmp_path / "report.zip"
    assert small("export", "s", "--what", "report", "--to", package).exit_code == 0
    with zipfile.ZipFile(package) as archive:
        judges = json.loads(archive.read("results.json"))["judges"]
    asked = said(small("judge", "s", "--json"))
    assert len(judges["judges"]) == 1
    assert all(judges[part] == asked[part] for part in ("judges", "pairs", "scores"))


def test_where_people_answered_all_items_judges_stand_beside_them_by_label(run: Run, tmp_path: Path) -> None:
    rows = [{"text": f"t{n}", "worker": w, "label": "no" if n < 4 else "yes"} for n in range(20) for w in ("v", "w")]
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf8")
    assert run("import-log", "s", tmp_path / "people.jsonl").exit_code == 0
    for name, share in (("near", 5), ("far", 15)):
        replies = [{"text": f"t{n}", "raw": "no" if n < share else "yes"} for n in range(20)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, replies)), "utf8")
        imported = ("--from", "jsonl", "--model", name)
        assert run("import-run", "s", tmp_path / f"{name}.jsonl", *imported).exit_code == 0
    with opened(Settings().database) as database, reading(database) as session:
        study = get_study(session, name="s")
        found = results(session, study=study, rules=stored_rules(study))
        html = str(draw_judges(found))
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
    assert "people near far share of “no”" in text
    assert "0.250 0.750" in text


def test_of_very_many_labels_those_that_people_give_most_have_a_share(run: Run, tmp_path: Path) -> None:
    rows = [{"text": f"t{n}", "worker": "w", "label": f"label {n % 40 if n < 40 else 7}"} for n in range(60)]
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf8")
    columns = ("--fields", "text", "--worker", "worker", "--answer", "label")
    assert run("import-log", "s", tmp_path / "people.jsonl", *columns).exit_code == 0
    assert run("run", "s", "--model", "random").exit_code == 0
    told = {score["what"] for score in said(run("judge", "s", "--json"))["scores"]}
    assert len(told) == 30
    assert "share of “label 7”" in told
