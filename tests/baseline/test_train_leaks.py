"""Items of a study in the train split are named before anything is asked, stored with the run and told in results."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app import cli
from baseline.comparison.results import results
from baseline.comparison.score_columns import results_dict
from baseline.human.baseline import stored_rules
from db.engine import opened, reading
from db.studies import get_study
from tests.helpers.leaderboards import written
from tests.helpers.model_server import ModelServer, Say, Script, always, wrong
from tests.helpers.study_pages import lead, study_page, warnings

Run = Callable[..., Result]
LONG = "Утром в городе прошёл сильный дождь и все улицы были залиты водой до самого вечера"


def record(number: int, premise: str) -> dict[str, object]:
    return {
        "idx": number, "premise": premise, "choice1": "Сухо.", "choice2": "Мокро.", "question": "effect", "label": 0
    }  # fmt: skip


ITEMS = [record(0, "Дождь прошёл."), record(1, LONG), record(2, "Снег."), record(3, "Град.")]
TRAIN = [record(7, "дождь прошел"), record(8, f"{LONG} и ночи"), *(record(n, f"Ветер {n}.") for n in range(9, 20))]
SENTENCE = "2 of 4 items of the study stand in the train split, 1 word for word, 1 in long stretches: 0 is 7, 1 is 8"


def refusing(premises: tuple[str, ...]) -> Script:
    """A server that refuses the items with these premises and answers the others."""
    refused, answer = wrong(400, "no"), Say("1")
    return lambda asked: refused if any(premise in asked[-1]["content"] for premise in premises) else answer


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.chdir(tmp_path)

    def command(*words: object) -> Result:
        result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        return result

    written(tmp_path / "train.jsonl", TRAIN)
    command("create", "parus", "--task", "rsg/parus", "--items", written(tmp_path / "parus.jsonl", ITEMS))
    return command


def test_items_of_the_train_split_are_named_before_anything_is_asked(run: Run) -> None:
    told = run("run", "parus", "--model", "majority", "--train", "train.jsonl", "--dry-run")
    assert SENTENCE in told.stderr
    assert json.loads(run("runs", "parus", "--json").stdout or '{"runs": []}')["runs"] == []


def test_the_run_keeps_them_and_results_tell_them(run: Run) -> None:
    run("run", "parus", "--model", "majority", "--train", "train.jsonl")
    (row,) = json.loads(run("runs", "parus", "--json").stdout)["runs"]
    assert (row["settings"]["leaked"]["train"]["exact"], row["settings"]["leaked"]["train"]["near"]) == (1, 1)
    assert f"majority: {SENTENCE}." in run("results", "parus", "--details").stdout


def test_a_run_without_such_items_keeps_nothing(run: Run, tmp_path: Path) -> None:
    clean = written(tmp_path / "clean.jsonl", TRAIN[2:])
    assert "stand in" not in run("run", "parus", "--model", "majority", "--train", clean).stderr
    (row,) = json.loads(run("runs", "parus", "--json").stdout)["runs"]
    assert "leaked" not in row["settings"]


def test_worked_examples_like_an_item_are_named(run: Run, tmp_path: Path) -> None:
    close = written(tmp_path / "close.jsonl", TRAIN[1:2])
    with ModelServer() as server:
        server.script = always(Say("1"))
        asked = ("--model", "openai:m", "--base-url", server.base_url, "--train", close, "--shots", 1, "--dry-run")
        told = run("run", "parus", *asked).stderr
        assert server.requests == []
    assert "1 of 4 items of the study stands in the worked examples, in long stretches: 1 is 8" in told
    assert "what a model knows from there" in told


def test_a_model_that_was_shown_clean_examples_only_knew_no_item(run: Run) -> None:
    with ModelServer() as server:
        server.script = always(Say("1"))
        asked = ("--model", "openai:m", "--base-url", server.base_url, "--train", "train.jsonl", "--shots", 1)
        told = run("run", "parus", *asked).stderr
    assert f"{SENTENCE}; the model was shown none of them" in told
    assert "what a model knows from there" not in told
    assert f"openai:m: {SENTENCE}; the model was shown none of them." in run("results", "parus", "--details").stdout


def test_a_clean_run_stands_before_one_whose_model_knew_items(run: Run, tmp_path: Path) -> None:
    clean = written(tmp_path / "clean.jsonl", TRAIN[2:])
    run("run", "parus", "--model", "majority", "--train", clean)
    run("run", "parus", "--model", "majority", "--train", "train.jsonl")
    told = "run 1 is shown; not shown: run 2 (complete, its model knew items of the study)"
    assert told in (rows := run("results", "parus", "--details").stdout)
    assert "run 1 counts because it has the most answers to items that its model did not know" in rows
    run("pin-run", "parus", 2, "--reason", "to see what it is worth")
    assert "run 2 is shown, pinned by" in (told := run("results", "parus", "--details").stdout)
    assert SENTENCE in told


def test_a_run_that_knew_items_has_no_verdict_and_naive_baselines_are_no_models(run: Run, sqlite_url: str) -> None:
    run("run", "parus", "--model", "tfidf", "--train", "train.jsonl")
    run("run", "parus", "--model", "random")
    with opened(sqlite_url) as database:
        page = study_page(database, "parus")
    assert "tfidf had seen items of this study, so no verdict is given." in warnings(page)
    assert "random" not in lead(page)
    assert "tfidf" not in lead(page)


def test_answers_to_items_that_the_model_knew_do_not_count_for_its_run(run: Run, tmp_path: Path) -> None:
    backwards = " ".join(reversed(LONG.split()))
    items = [record(0, "Снег."), record(1, LONG), record(2, backwards)]
    close = [record(7, f"{LONG} и ночи"), record(8, f"{backwards} и ночи")]
    run("create", "two", "--task", "rsg/parus", "--items", written(tmp_path / "two.jsonl", items))
    with ModelServer() as server:
        asked = ("run", "two", "--model", "openai:m", "--base-url", server.base_url, "--concurrency", 1)
        server.script = always(Say("1"))
        run(*asked, "--train", written(tmp_path / "close.jsonl", close), "--shots", 2)
        for failing, stands in (((LONG, backwards), 1), ((backwards,), 3)):
            server.script = refusing(failing)
            run(*asked, "--fresh")
            (row,) = [row for row in json.loads(run("results", "two", "--json").stdout)["rows"] if row.get("run")]
            assert row["run"]["id"] == stands
    assert row["run"]["why"] == "has the most answers to items that its model did not know"


def test_a_task_says_that_its_right_answers_are_public(run: Run, sqlite_url: str) -> None:
    with ModelServer() as server:
        server.script = always(Say("1"))
        run("run", "parus", "--model", "openai:m", "--base-url", server.base_url)
    with opened(sqlite_url) as database, reading(database) as session:
        study = get_study(session, name="parus")
        found = results(session, study=study, rules=stored_rules(study))
    # What an older version stored of a task of the catalogue counts no more; of one's own tasks nobody else knows.
    older = replace(study, task=replace(study.task, public_gold="an old sentence", public_splits=()))
    assert replace(found, study=older).notes_of_runs() == found.notes_of_runs()
    own_task = replace(study.task, id="own/parus", public_gold="since 2020", public_splits=())
    public = replace(study, task=own_task)
    said = "The right answers are public (since 2020): openai:m may have learnt them in training."
    assert said in replace(found, study=public).notes_of_runs()
    assert said not in found.notes_of_runs()
    splits = replace(public, task=replace(public.task, public_splits=("train", "validation")))
    assert (
        "The right answers may be public (since 2020 for train and validation, not for other splits; the split "
        "of these items is unknown): openai:m may have learnt them in training."
    ) in replace(found, study=splits).notes_of_runs()
    own = replace(study, settings=study.settings.model_copy(update={"public_gold": "since 2024, in our paper"}))
    assert said.replace("since 2020", "since 2024, in our paper") in replace(found, study=own).notes_of_runs()
    rows = results_dict(replace(found, study=own))["rows"]
    assert [row["gold_public"] for row in rows if "gold_public" in row] == ["since 2024, in our paper"]
    test = replace(public, settings=study.settings.model_copy(update={"public_gold": "no"}))
    assert not [note for note in replace(found, study=test).notes_of_runs() if "public" in note]
