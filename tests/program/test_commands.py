"""The commands as a person or a script runs them: JSON, one sentence for a mistake, the published figures."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import get_task, sample_file
from tests.helpers.model_server import ModelServer

Run = Callable[..., Result]
PARUS = sample_file(get_task("rsg/parus"), "main")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty database of either kind."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def run_sqlite(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result) -> str:
    """The one sentence of a refused command."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.strip()


def test_tasks_lists_every_task(run_sqlite: Run) -> None:
    listed = {task["id"]: task for task in said(run_sqlite("tasks", "--json"))["tasks"]}
    assert {"rsg/parus", "rsg/terra"} <= set(listed)
    assert listed["rsg/parus"]["metrics"] == ["accuracy"]
    assert "rsg/terra" in run_sqlite("tasks").stdout


def test_check_says_all_that_is_wrong_with_lines(run_sqlite: Run, tmp_path: Path) -> None:
    lines = PARUS.read_text("utf8").splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text(
        "\n".join([lines[0], "{", lines[1].replace('"cause"', '"why"').replace('"effect"', '"why"')]), "utf8"
    )
    result = run_sqlite("check", "rsg/parus", broken)
    assert result.exit_code == 2
    assert "line 2" in result.stdout
    assert "line 3, field 'question'" in result.stdout
    assert said(run_sqlite("check", "rsg/parus", PARUS, "--json"))["problems"] == []


def test_the_published_human_score_of_parus_comes_out_of_its_log(run: Run, shared: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    human = said(run("human", "parus", "--json"))
    assert list(human)[:11] == [
        "study", "task", "workers", "judgments", "items", "overlap", "agreement", "scores", "rules", "notes", "pay"
    ]  # fmt: skip
    assert (human["study"], human["task"]) == ("parus", "rsg/parus")
    assert human["workers"] == {"total": 111, "with_controls": 0, "excluded": 0, "kept": 111}
    assert human["items"] == {
        "total": 500,
        "answered": 500,
        "with_consensus": 500,
        "tied": 0,
        "left_out": 0,
        "unanimous": 449,
    }
    assert human["judgments"]["main"] == 1500
    assert human["overlap"] == {"3": 500}
    assert human["agreement"]["alpha"] == pytest.approx(0.8640362811791383, abs=1e-9)
    assert human["scores"]["majority"]["accuracy"]["value"] == pytest.approx(0.984, abs=1e-12)
    assert human["scores"]["majority"]["accuracy"]["method"] == "wilson"
    assert human["scores"]["individual"]["accuracy"]["value"] == pytest.approx(0.9566666666666667, abs=1e-12)
    assert human["scores"]["leave_one_out"]["accuracy"]["against"] == "peers"
    assert human["rules"] == {"control_min": None, "min_votes": 1, "ties": "fractional", "consensus": "majority"}


def test_the_pools_give_the_published_counts(run_sqlite: Run, shared: Path) -> None:
    expected = json.loads((shared / "toloka_pools" / "expected.json").read_text("utf8"))
    pay = {"BPS": 5.086, "LCS": 7.25, "RCB": 36.732}
    for pool in ("BPS", "LCS", "RCB"):
        log = next((shared / "toloka_pools" / pool).glob("assignments*.tsv"))
        run_sqlite("import-log", pool, log)
        human = said(run_sqlite("human", pool, "--control-min", 0.5, "--min-votes", 3, "--ties", "drop", "--json"))
        known = expected[pool]
        assert human["task"] == f"log/{pool}"
        assert human["workers"]["with_controls"] == known["workers_with_controls"]
        assert human["workers"]["excluded"] == known["workers_below_half_on_controls"]
        assert human["items"]["total"] == known["main_items"]
        assert human["overlap"] == known["overlap_after_exclusion"]
        assert human["items"]["with_consensus"] == known["items_with_3_equal_votes"]
        # The published count takes items with one answer for unanimous.
        single = known["overlap_after_exclusion"].get("1", 0)
        assert human["items"]["unanimous"] == known["unanimous"] - single
        assert human["scores"]["majority"] == human["scores"]["individual"] == {}
        assert human["pay"]["total"] == pytest.approx(pay[pool])
        assert human["pay"]["currency"] == "USD"


def balanced(brackets: str) -> str:
    """Whether the brackets are balanced: the gold of BPS, computed from the item."""
    pairs, open_ones = {")": "(", "]": "[", "}": "{"}, []
    for bracket in brackets.split():
        if bracket not in pairs:
            open_ones.append(bracket)
        elif not open_ones or open_ones.pop() != pairs[bracket]:
            return "0"
    return "0" if open_ones else "1"


def common_length(one: str, two: str) -> str:
    """The length of the longest common subsequence: the gold of LCS."""
    lengths = [0] * (len(two) + 1)
    for a in one:
        diagonal = 0
        for place, b in enumerate(two, 1):
            above = lengths[place]
            lengths[place] = diagonal + 1 if a == b else max(above, lengths[place - 1])
            diagonal = above
    return str(lengths[-1])


@pytest.mark.parametrize(
    ("pool", "columns", "answer", "gold_of", "value", "n"),
    [
        ("BPS", ["parentheses"], "correct", balanced, 1.0, 100),
        ("LCS", ["string1", "string2"], "length", common_length, 0.7037037037037037, 54),
    ],
)
def test_the_published_scores_of_bps_and_lcs_come_out_with_computed_gold(
    run_sqlite: Run,
    shared: Path,
    tmp_path: Path,
    pool: str,
    columns: list[str],
    answer: str,
    gold_of: Callable[..., str],
    value: float,
    n: int,
) -> None:
    log = next((shared / "toloka_pools" / pool).glob("assignments*.tsv"))
    header, *rows = [line.split("\t") for line in log.read_text("utf8").splitlines()]
    places = [header.index(f"INPUT:{column}") for column in columns]
    items = sorted({tuple(row[place] for place in places) for row in rows if not row[header.index(f"GOLDEN:{answer}")]})
    gold = tmp_path / "gold.csv"
    gold.write_text(
        "\n".join([",".join([*columns, answer]), *(",".join([*item, gold_of(*item)]) for item in items)]), "utf8"
    )
    run_sqlite("import-log", pool, log, "--gold", gold)
    human = said(run_sqlite("human", pool, "--control-min", 0.5, "--min-votes", 3, "--ties", "drop", "--json"))
    majority = human["scores"]["majority"]["accuracy"]
    assert majority["value"] == pytest.approx(value, abs=1e-12)
    assert majority["n"] == n


def test_people_naive_baselines_and_a_served_model_stand_side_by_side(run_sqlite: Run, shared: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run_sqlite("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    train = sample_file(get_task("rsg/parus"), "train")
    for words in (["random"], ["majority", "--train", train], ["tfidf", "--train", train]):
        assert said(run_sqlite("run", "parus", "--model", *words, "--json"))["statuses"] == {"ok": 500}
    with ModelServer() as server:
        said(
            run_sqlite(
                "run", "parus", "--model", "openai:scripted", "--base-url", server.base_url, "--limit", 40, "--json"
            )
        )
    results = said(run_sqlite("results", "parus", "--json"))
    rows = {row["respondent"]: row for row in results["rows"]}
    assert (results["study"], results["task"], results["items"]) == ("parus", "rsg/parus", 500)
    assert list(rows)[:2] == ["human:majority", "human:individual"]
    assert set(rows) - set(list(rows)[:2]) == {f"model:{m}" for m in ("random", "majority", "tfidf", "openai:scripted")}
    assert rows["human:majority"]["vs_human"] is None
    assert rows["model:openai:scripted"]["n"] == 40
    chance = rows["model:random"]
    assert (chance["kind"], chance["n"], chance["statuses"]) == ("model", 500, {"ok": 500})
    assert chance["vs_human"]["difference"] == pytest.approx(chance["scores"]["accuracy"]["value"] - 0.984)
    assert chance["vs_human"]["p"] < 1e-6
    assert "\ntfidf " in run_sqlite("results", "parus").stdout
    assert "| tfidf |" in run_sqlite("results", "parus", "--markdown").stdout


def test_a_model_that_learns_refuses_without_a_train_split(run_sqlite: Run) -> None:
    run_sqlite("create", "s", "--task", "rsg/parus", "--items", PARUS)
    for model in ("majority", "tfidf"):
        assert "learns from a train split" in refused(run_sqlite("run", "s", "--model", model))


def test_score_needs_no_database(run_sqlite: Run, tmp_path: Path) -> None:
    (tmp_path / "etalon.db").unlink()
    items = [json.loads(line) for line in PARUS.read_text("utf8").splitlines()]
    predictions = tmp_path / "predictions.jsonl"
    answers = [item["label"] for item in items[:-2]] + ["не знаю"]
    lines = [json.dumps({"id": item["id"], "answer": a}) for item, a in zip(items, answers, strict=False)]
    predictions.write_text("\n".join(lines), "utf8")
    scored = said(run_sqlite("score", "rsg/parus", "--gold", PARUS, "--predictions", predictions, "--json"))
    assert scored["n"] == len(items)
    assert scored["metrics"]["accuracy"]["value"] == pytest.approx((len(items) - 2) / len(items))
    assert scored["statuses"] == {"ok": len(items) - 2, "unparsable": 1, "missing": 1}
    assert not (tmp_path / "etalon.db").exists()


def test_what_is_exported_can_be_imported_and_gives_the_same_figures(
    run_sqlite: Run, shared: Path, tmp_path: Path
) -> None:
    log = next((shared / "toloka_pools" / "BPS").glob("assignments*.tsv"))
    run_sqlite("import-log", "BPS", log)
    again = tmp_path / "again.tsv"
    assert run_sqlite("export", "BPS", "--what", "judgments", "--format", "toloka", "--to", again).exit_code == 0
    run_sqlite("import-log", "again", again)
    first, second = (said(run_sqlite("human", name, "--control-min", 0.5, "--json")) for name in ("BPS", "again"))
    for block in ("workers", "items", "overlap", "agreement", "scores"):
        assert first[block] == second[block]
    for fmt in ("csv", "jsonl", "parquet"):
        for what in ("judgments", "items"):
            assert (
                run_sqlite("export", "BPS", "--what", what, "--format", fmt, "--to", tmp_path / f"x.{fmt}").exit_code
                == 0
            )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["human", "nothing"], "study 'nothing' is not known"),
        (["results", "nothing", "--json"], "study 'nothing' is not known"),
        (["run", "nothing", "--model", "random"], "study 'nothing' is not known"),
        (["check", "rsg/paris", "x.jsonl"], "did you mean 'rsg/parus'"),
        (["check", "rsg/parus", "absent.jsonl"], "cannot be opened"),
        (["create", "s", "--task", "rsg/parus", "--items", "absent.jsonl"], "cannot be opened"),
        (["import-log", "s", "absent.tsv"], "cannot be opened"),
        (["export", "nothing", "--what", "judgments", "--to", "x.csv"], "study 'nothing' is not known"),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(run_sqlite: Run, words: list[str], sentence: str) -> None:
    result = run_sqlite(*words)
    assert result.exit_code == 2
    told = (result.stderr or result.stdout).strip()
    assert sentence in told
    assert "\n" not in told.removesuffix("absent.jsonl: 0 items can be used, 0 of them with gold").strip()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (["--ties", "coin"], "coin"),
        (["--min-votes", "0"], "0"),
        (["--control-min", "7"], "7"),
        (["--consensus", "x"], "x"),
    ],
)
def test_rules_out_of_range_are_refused_with_what_is_allowed(run_sqlite: Run, rules: list[str], sentence: str) -> None:
    run_sqlite("create", "s", "--task", "rsg/parus", "--items", PARUS)
    assert sentence in refused(run_sqlite("human", "s", *rules))


def test_a_study_nobody_judged_gives_a_clear_result_and_no_nan(run_sqlite: Run) -> None:
    run_sqlite("create", "s", "--task", "rsg/parus", "--items", PARUS)
    result = run_sqlite("human", "s", "--json")
    assert "NaN" not in result.stdout
    human = said(result)
    assert human["items"]["answered"] == 0
    assert human["agreement"]["alpha"] is None
    assert human["notes"]


def test_the_program_says_a_mistake_in_one_line_as_a_process_too(tmp_path: Path) -> None:
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path / 'x.db'}"}
    ended = subprocess.run(
        [sys.executable, "app.py", "events", "nothing", "--json"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.strip() == "study 'nothing' is not known; known are: none yet"
