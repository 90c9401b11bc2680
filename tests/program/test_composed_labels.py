"""A letter of one sign and the same of two are one letter wherever labels and open answers are read."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import cli
from data.answers.choice import Choice
from data.answers.text import Text
from data.own_table import labels_of
from data.wording import same
from eval.metrics.texts import words

ONE = "злой"
TWO = "злои\u0306"


def said(*given: object) -> Any:
    result = CliRunner().invoke(cli, [str(word) for word in (*given, "--json")], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_log_its_gold_and_its_predictions_have_one_label_for_both_spellings(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    log, gold, predictions = tmp_path / "log.csv", tmp_path / "gold.csv", tmp_path / "run.csv"
    answers = [("q1", "ann", ONE), ("q1", "bob", TWO), ("q2", "ann", "добрый"), ("q2", "bob", "добрыи\u0306")]
    log.write_text("\n".join(["item,worker,label", *(",".join(row) for row in answers)]), "utf8")
    gold.write_text(f"item,label\nq1,{TWO}\nq2,добрый\n", "utf8")
    predictions.write_text(f"item,answer\nq1,{TWO}\nq2,{TWO}\n", "utf8")
    assert said("import-log", "mood", log, "--gold", gold)["labels"] == {"добрый": 2, ONE: 2}
    human = said("human", "mood")
    assert human["items"]["unanimous"] == human["items"]["with_consensus"] == 2
    assert human["scores"]["majority"]["accuracy"]["value"] == 1
    said("import-run", "mood", predictions, "--from", "jsonl", "--model", "m")
    rows = {row["respondent"]: row for row in said("results", "mood")["rows"]}
    assert rows["model:m"]["scores"]["accuracy"]["value"] == 0.5
    assert rows["model:m"]["statuses"] == {"ok": 2}


def test_a_mapping_in_one_spelling_reads_a_log_in_the_other(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    log = tmp_path / "log.csv"
    log.write_text(f"item,worker,label\nq1,ann,{TWO}\nq2,ann,x\n", "utf8")
    assert said("import-log", "mood", log, "--map", f"{ONE}=bad")["labels"] == {"bad": 1, "x": 1}


@pytest.mark.parametrize(("declared", "written"), [(ONE, TWO), (TWO, ONE), (TWO, TWO), (ONE, ONE)])
def test_an_option_is_chosen_by_either_spelling_and_kept_as_it_is_declared(declared: str, written: str) -> None:
    answer = Choice(choices={declared: same(declared), "x": same("x")})
    assert answer.validate(written, {}) == answer.gold(written, {}) == declared
    assert answer.parse(f"Ответ: {written}", {}) == declared


@pytest.mark.parametrize("exact", [False, True])
def test_open_answers_are_kept_as_they_came_and_are_one_answer(exact: bool) -> None:
    text = Text(exact=exact)
    assert text.folded(TWO) == text.folded(ONE)
    assert text.right(TWO, text.gold(ONE, {}), {})
    assert words(TWO) == words(ONE)


def test_a_column_of_right_answers_proposes_one_label_for_both_spellings() -> None:
    labels, spellings = labels_of([ONE, TWO, "добрый"])
    assert ([one.label for one in labels], spellings) == (["добрый", ONE], {})
