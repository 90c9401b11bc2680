"""The command `ranking`: published scores through imports, every form, and what they refuse."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from app import cli
from baseline.output.plots import Axis, IntervalRow, drawn_rows
from bench.llmfao import TASK, write

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
    """Run a command where six people compared a, b, c and d, the first being the best; e and f met once."""
    generator, rows = np.random.default_rng(0), []
    for n in range(90):
        left, right = generator.choice(list("abcd"), 2, replace=False).tolist()
        item = {"prompt": f"prompt {n}", "left_reply": "x", "right_reply": "y", "left": left, "right": right}
        rows += [item | {"worker": f"w{m}", "answer": chosen(left, right, generator.random())} for m in range(6)]
    rows.append(rows[0] | {"prompt": "another", "left": "e", "right": "f", "answer": "tie"})
    (tmp_path / "task.toml").write_text(TASK, "utf8")
    (tmp_path / "people.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf8")
    found = run("import-log", "s", tmp_path / "people.jsonl", "--task", tmp_path / "task.toml")
    assert found.exit_code == 0, found.stderr
    return run


def chosen(left: str, right: str, drawn: float) -> str:
    better = "0" if left < right else "1"
    return better if drawn < 0.7 else "tie" if drawn < 0.85 else {"0": "1", "1": "0"}[better]


def test_the_scores_of_fifty_nine_models_come_out_of_the_imports(run: Run, shared: Path, tmp_path: Path) -> None:
    """The commands of docs/ranking.md give the scores of evalica, up to a factor, and where GPT-4 parts from people."""
    write(tmp_path, shared / "llmfao")
    log = ("--task", tmp_path / "llmfao.toml", "--language", "en")
    assert run("import-log", "llmfao", tmp_path / "people.jsonl", *log).exit_code == 0
    imported = ("--from", "jsonl", "--model", "gpt-4")
    assert run("import-run", "llmfao", tmp_path / "gpt-4.jsonl", *imported).exit_code == 0
    found = said(run("ranking", "llmfao", "--draws", 100, "--json"))
    people, judge = found["rankings"]
    assert (people["judgments"], people["people"], len(people["competitors"])) == (8931, 124, 59)
    with (shared / "llmfao" / "golden.csv").open(encoding="utf8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for algorithm, of in (("bradley_terry", lambda row: np.exp(row["strength"])), ("average_win_rate", average)):
        golden = {row["item"]: float(row["score"]) for row in rows if row["algorithm"] == algorithm}
        factor = [golden[row["competitor"]] / of(row) for row in people["competitors"]]
        np.testing.assert_allclose(factor, factor[0], rtol=1e-7)
    assert factor[0] == pytest.approx(1)
    assert (judge["judge"], judge["judgments"]) == ("model:gpt-4", 2139)
    assert found["beside_people"][0]["spearman"] == pytest.approx(0.7309, abs=1e-4)
    assert found["partings"][0]["competitor"] == "Airoboros L2 70B"
    shown = run("ranking", "llmfao", "--draws", 100).stdout
    assert shown.startswith("8931 judgments by 124 people, 3471 of them ties, rank 59 competitors: GPT 4 is first")


def average(row: dict[str, float]) -> float:
    return row["average_win_rate"]


def test_competitors_are_ranked_with_intervals_and_groups_are_named(small: Run) -> None:
    found = said(small("ranking", "s", "--json"))
    (people,) = found["rankings"]
    rows = people["competitors"]
    assert [(row["group"], row["rank"], row["competitor"]) for row in rows[:4]] == [
        (1, place, name) for place, name in enumerate("abcd", 1)
    ]
    assert all(row["ci"][0] < row["strength"] < row["ci"][1] for row in rows[:4])
    assert [row["ci"] for row in rows[4:]] == [[None, None], [None, None]], "one pair is too few"
    assert any("2 groups that never met" in note for note in found["notes"])
    davidson = said(small("ranking", "s", "--ties", "davidson", "--draws", 100, "--json"))["rankings"][0]
    assert davidson["tie"] > 0
    assert [row["competitor"] for row in davidson["competitors"][:4]] == list("abcd")


def test_a_ranking_is_written_in_every_form(small: Run, tmp_path: Path) -> None:
    begins = {"--markdown": "# Ranking of s", "--html": "<!doctype html>", "--latex": r"\documentclass"}
    for form, begin in begins.items():
        shown = small("ranking", "s", "--draws", 100, form).stdout
        assert shown.startswith(begin)
        assert "average win rate" in shown
    assert "<svg" in small("ranking", "s", "--draws", 100, "--html").stdout
    assert small("ranking", "s", "--draws", 100, "--report", tmp_path / "r.md").exit_code == 0
    assert "By people" in (tmp_path / "r.md").read_text("utf8")
    assert small("export", "s", "--what", "ranking", "--to", tmp_path / "ranking.csv").exit_code == 0
    rows = list(csv.DictReader((tmp_path / "ranking.csv").read_text("utf-8-sig").splitlines()))
    assert [(row["judge"], row["rank"], row["competitor"]) for row in rows[:4]] == [
        ("people", str(place), name) for place, name in enumerate("abcd", 1)
    ]
    assert float(rows[0]["low"]) < float(rows[0]["strength"]) < float(rows[0]["high"])


def test_the_report_of_a_study_of_pairs_ranks_them(small: Run) -> None:
    shown = small("results", "s", "--html").stdout
    assert "comes first by" in shown
    assert 'class="figure curves intervals"' in shown


def test_columns_that_are_the_competitors_are_ranked_by_their_titles(small: Run, tmp_path: Path) -> None:
    columns = TASK.replace('competitors = ["left", "right"]', 'competitors = ["left_reply", "right_reply"]')
    (tmp_path / "columns.toml").write_text(columns, "utf8")
    log = (tmp_path / "people.jsonl", "--task", tmp_path / "columns.toml")
    assert small("import-log", "columns", *log).exit_code == 0
    (people,) = said(small("ranking", "columns", "--draws", 100, "--json"))["rankings"]
    rates = [row["average_win_rate"] for row in people["competitors"]]
    assert (len(rates), sum(rates)) == (2, pytest.approx(1))


def test_what_gives_no_ranking_is_refused_with_the_reason(small: Run, tmp_path: Path) -> None:
    plain = TASK.replace('competitors = ["left", "right"]\n', "")
    (tmp_path / "plain.toml").write_text(plain, "utf8")
    log = (tmp_path / "people.jsonl", "--task", tmp_path / "plain.toml")
    assert small("import-log", "plain", *log).exit_code == 0
    for words, why in {
        ("ranking", "plain"): "set `competitors` under [answer]",
        ("ranking", "s", "--ties", "drop"): "half",
        ("ranking", "s", "--report", "r.txt"): "a report ends in .md, .html, .tex",
    }.items():
        found = small(*words)
        assert found.exit_code == 2, words
        assert why in found.stderr


def test_competitors_are_two_fields_of_the_task(run: Run, tmp_path: Path) -> None:
    for wrong, why in {'["left"]': "must be the two fields", '["left", "other"]': "there is no field 'other'"}.items():
        (tmp_path / "task.toml").write_text(TASK.replace('["left", "right"]', wrong), "utf8")
        found = run("check-task", tmp_path / "task.toml")
        assert found.exit_code != 0
        assert why in found.stdout + found.stderr


def test_an_interval_without_an_end_has_an_arrow_at_the_end_of_the_axis() -> None:
    axis = Axis(-2, 4, 1)
    assert axis.mark("people", 3.7, (2.8, float("inf")), "GPT").arrows == ((100.0, "▸"),)
    assert axis.mark("people", 1, (-2, 4), "a model").arrows == ()
    rows: list[IntervalRow] = [("a", "", (axis.mark("people", 1, (-float("inf"), 2), "a"),))]
    drawn = drawn_rows(rows, axis, title="strength", legend=[])
    assert "◂" in drawn
    assert drawn.count("an arrow: the interval has no end on that side, or one beyond the axis") == 2
    ended: list[IntervalRow] = [("a", "", (axis.mark("people", 1, (0, 2), "a"),))]
    assert "an arrow" not in drawn_rows(ended, axis, title="strength", legend=[])


def test_a_phone_has_every_second_number_from_zero_and_the_plot_begins_behind_the_longest_name() -> None:
    def drawn(name: str) -> str:
        axis = Axis(-3, 3, 1, edge=0.0)
        row = (name, "", (axis.mark("people", 1, (0, 2), name),))
        return drawn_rows([row], axis, title="strength", legend=[])

    assert re.findall(r'class="wide-only">(−?\d)<', drawn("a model")) == ["−3", "−1", "1", "3"]
    begins = [int(part) for name in ("m", "x" * 21, "x" * 40) for part in re.findall(r'<svg x="(\d+)%', drawn(name))]
    assert begins == [19, 43, 43]  # 16% for the shortest names and 40% for the longest, and a gap
