"""The commands that ask models, as a person types them: estimates, limits, wordings, shots, reading anew."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import get_task, sample_file
from tests.helpers.model_server import OUT_OF_QUOTA, ModelServer, Say, always

Run = Callable[..., Result]
PARUS = get_task("rsg/parus")
MAIN, TRAIN = sample_file(PARUS, "main"), sample_file(PARUS, "train")
ITEMS = len(MAIN.read_text("utf8").splitlines())
PRICES = 'currency = "USD"\n[models."m"]\ninput = 1000\noutput = 1000\n'


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command where there is a study of PARus."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def command(*words: object) -> Result:
        return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)

    assert command("create", "parus", "--task", "rsg/parus", "--items", MAIN).exit_code == 0
    return command


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr.strip()


def test_a_dry_run_needs_no_key_sends_nothing_and_stores_nothing(run: Run, tmp_path: Path) -> None:
    (prices := tmp_path / "p.toml").write_text(PRICES, "utf8")
    found = said(run("run", "parus", "--model", "openai:m", "--dry-run", "--samples", 2, "--prices", prices, "--json"))
    assert (found["requests"], found["answered"], found["currency"]) == (2 * ITEMS, 0, "USD")
    assert found["cost_at_least"] == pytest.approx(found["prompt_tokens"] / 1000)
    assert "no price is known" in run("run", "parus", "--model", "openai:m", "--dry-run").stdout
    assert said(run("rescore", "parus", "--json")) == {"study": "parus", "runs": []}


def test_a_run_says_what_it_paid_and_stops_where_it_is_told_to(run: Run, tmp_path: Path) -> None:
    (prices := tmp_path / "p.toml").write_text(PRICES, "utf8")
    with ModelServer() as server:
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--prices", prices)
        poor = run(*words, "--max-cost", 3)
        assert poor.exit_code == 0
        assert "raise it to continue this run" in poor.stdout
        whole = said(run(*words, "--json"))
        assert whole["status"] == "complete"
        assert whole["before"] > 0
        assert whole["cost"] == pytest.approx((whole["prompt_tokens"] + whole["completion_tokens"]) / 1000)
        assert len(server.requests) == ITEMS
        assert "cost nothing" in run(*words).stdout
    assert "list of prices" in refused(
        run("run", "parus", "--model", "openai:m", "--base-url", "http://x", "--max-cost", 1)
    )


def test_an_empty_account_is_one_sentence(run: Run) -> None:
    with ModelServer(always(OUT_OF_QUOTA)) as server:
        result = run("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--concurrency", 1)
        assert len(server.requests) == 1
    assert "You exceeded your current quota" in refused(result)


def test_each_wording_is_run_and_the_spread_is_told(run: Run) -> None:
    with ModelServer(always(Say("1"))) as server:
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--prompt-variants", 3)
        found = said(run(*words, "--json"))
        assert len(server.requests) == 3 * ITEMS == len(set(server.prompts()))
        assert [one["status"] for one in found["runs"]] == ["complete"] * 3
        spread = found["spread"]
        assert (spread["metric"], len(spread["values"]), spread["sd"]) == ("accuracy", 3, 0)
        assert spread["min"] == spread["mean"] == spread["max"] == spread["values"][0]
        assert said(run(*words, "--json"))["runs"] == [one | {"seconds": 0, "before": ITEMS} for one in found["runs"]]
        assert "accuracy by prompt: 0: " in run(*words).stdout
        assert len(server.requests) == 3 * ITEMS
        assert "has 3 prompts" in refused(run(*words[:-1], 50))


def test_shots_come_from_the_train_split_and_prompts_from_a_file(run: Run, tmp_path: Path) -> None:
    (prompts := tmp_path / "prompts.toml").write_text('"rsg/parus" = "{premise} {options}"', "utf8")
    with ModelServer() as server:
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--limit", 2)
        assert "train split" in refused(run(*words, "--shots", 2))
        said(run(*words, "--shots", 2, "--train", TRAIN, "--prompts", prompts, "--json"))
        assert [len(request.body["messages"]) for request in server.requests] == [5, 5]
        assert "train split" in refused(run(*words, "--shots", 3))
        assert "train split" in refused(run(*words, "--shots", 2, "--seed", 1))
        assert "are not in the study" in refused(run(*words, "--shots", 1, "--train", MAIN))
    assert "reads no prompt" in refused(run("run", "parus", "--model", "random", "--shots", 1, "--train", TRAIN))


def test_a_run_with_examples_is_repeated_without_its_train_split(run: Run, tmp_path: Path) -> None:
    (train := tmp_path / "train.jsonl").write_bytes(TRAIN.read_bytes())
    with ModelServer() as server:
        words = ("run", "parus", "--base-url", server.base_url, "--limit", 2, "--shots", 2, "--json")
        first = said(run(*words, "--model", "openai:m", "--train", train))
        train.unlink()
        again = said(run(*words, "--model", "openai:m", "--fresh"))
        said(run(*words, "--model", "openai:other"))
        assert again["run"] != first["run"]
        asked = [request.body["messages"] for request in server.requests]
    assert sorted(asked[:2], key=str) == sorted(asked[2:4], key=str) == sorted(asked[4:], key=str)


def test_stored_replies_are_read_anew(run: Run) -> None:
    said(run("run", "parus", "--model", "random", "--json"))
    (found,) = said(run("rescore", "parus", "--json"))["runs"]
    assert (found["replies"], found["changed"], found["model"]) == (ITEMS, 0, "random")
    assert "are read differently" in run("rescore", "parus").stdout
