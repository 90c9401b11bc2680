"""What is told of runs that bring nothing: trials, wrong keys, redirects, limits that a server does not take."""

import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from baseline.pages.model_jobs import Running
from baseline.pages.models_drawing import draw_runs
from baseline.pages.models_service import ModelsService
from data.catalogue.catalog import get_task, sample_file
from data.files.item_files import read_items
from db.engine import opened
from tests.helpers.model_server import ModelServer, Say, Send, always, answer_sheet, knowing, wrong
from tests.helpers.reasoning_server import Body, reasoning, refused, thought
from tests.helpers.study_pages import notes, study_page, warnings

Command = Callable[..., Result]
PARUS = get_task("rsg/parus")
N = len(read_items(sample_file(PARUS, "main"), PARUS))
KEY = always(wrong(401, "Incorrect API key provided"))
TOO_LARGE = refused(
    "max_tokens is too large: 2048. This model supports at most 1024 completion tokens, whereas you provided 2048.",
    param="max_tokens",
    code=None,
)


@pytest.fixture
def server() -> Any:
    with ModelServer(knowing(answer_sheet(PARUS, read_items(sample_file(PARUS, "main"), PARUS)))) as made:
        yield made


def asked(command: Command, server: ModelServer, *more: object, model: str = "m") -> Result:
    words = ("run", "parus", "--model", f"openai:{model}", "--base-url", server.base_url, "--concurrency", 1, "--json")
    return command(*words, *more)


def made(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def rows(command: Command) -> dict[str, Any]:
    found = json.loads(command("results", "parus", "--json").stdout)["rows"]
    return {row["respondent"]: row for row in found}


def told(command: Command, *form: str) -> str:
    return " ".join(command("results", "parus", "--details", *form).stdout.split())


# Which run stands for a model


@pytest.mark.parametrize("trial", [("--limit", 3, "--fresh"), ("--limit", 2, "--temperature", 5)])
def test_a_trial_never_stands_for_a_run_over_more_items(
    trial: tuple[object, ...], command: Command, server: ModelServer
) -> None:
    whole = made(asked(command, server))
    server.script = always(Say("?"))
    few = made(asked(command, server, *trial))
    row = rows(command)["model:openai:m"]
    assert (row["n"], row["scores"]["accuracy"]["value"], row["run"]["id"]) == (N, 1.0, whole["run"])
    assert f"run {whole['run']} is shown; not shown: run {few['run']} (complete)" in told(command)


def test_a_limit_beyond_the_study_is_no_limit(command: Command, server: ModelServer) -> None:
    made(asked(command, server))
    newest = made(asked(command, server, "--limit", N + 5, "--fresh"))
    assert rows(command)["model:openai:m"]["run"]["id"] == newest["run"]


def test_a_model_whose_run_is_not_complete_is_warned_of(command: Command, server: ModelServer, sqlite_url: str) -> None:
    answers = server.script
    server.script = lambda messages: answers(messages) if len(server.requests) <= 4 else wrong(400, "no")
    made(asked(command, server, model="lucky"))
    server.script = answers
    made(asked(command, server, "--limit", 2, model="trial"))
    server.script = always(Say("1"))
    made(asked(command, server, model="whole"))
    with opened(sqlite_url) as database:
        page = study_page(database, "parus")
    (incomplete,) = [line for line in warnings(page) if line.startswith("Incomplete: ")]
    assert "lucky" in incomplete
    assert "whole" not in incomplete


# Runs without an answer


def test_a_rerun_without_an_answer_is_listed_with_its_reason(
    command: Command, server: ModelServer, sqlite_url: str
) -> None:
    good = made(asked(command, server))
    server.script = KEY
    assert asked(command, server, "--fresh").exit_code == 2
    row = rows(command)["model:openai:m"]
    (other,) = row["run"]["others"]
    bad = other["id"]
    assert (row["run"]["id"], other["status"], other["statuses"]) == (good["run"], "incomplete", {})
    assert other["ended"] == "the server does not accept the key"
    for form in ((), ("--markdown",)):
        assert f"not shown: run {bad} (no answer: the server does not accept the key)" in told(command, *form)
    with opened(sqlite_url) as database:
        page = str(draw_runs(ModelsService(database, Running(database)).look("parus")))
    assert "the server does not accept the key (HTTP 401: Incorrect API key provided)" in page


def test_a_model_without_any_answer_is_there_with_the_reason(
    command: Command, server: ModelServer, tmp_path: Any, sqlite_url: str
) -> None:
    server.script = KEY
    assert asked(command, server).exit_code == 2
    row = rows(command)["model:openai:m"]
    assert (row["n"], row["statuses"], row["run"]["ended"]) == (0, {}, "the server does not accept the key")
    why = f"0 of {N} items have an answer: the server does not accept the key"
    assert why in told(command)
    assert "Incomplete: openai:m." in command("results", "parus").stdout
    with opened(sqlite_url) as database:
        assert why in " ".join(notes(study_page(database, "parus", tab="models")))
    to = tmp_path / "predictions.csv"
    result = command("export", "parus", "--what", "predictions", "--respondent", "model:openai:m", "--to", to)
    assert result.exit_code == 2
    assert "no predictions of model:openai:m" in result.stderr


def test_the_reason_goes_when_the_run_goes_on(command: Command, server: ModelServer, sqlite_url: str) -> None:
    answers = server.script
    server.script = KEY
    asked(command, server)
    server.script = answers
    made(asked(command, server))
    assert "ended" not in rows(command)["model:openai:m"]["run"]
    with opened(sqlite_url) as database:
        assert "does not accept" not in str(draw_runs(ModelsService(database, Running(database)).look("parus")))


def test_a_run_of_errors_alone_exits_with_1_and_the_page_says_what_the_last_one_was(
    command: Command, server: ModelServer, sqlite_url: str
) -> None:
    server.script = always(wrong(400, "no room for it"))
    result = asked(command, server, "--limit", 2)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["statuses"] == {"error": 2}
    with opened(sqlite_url) as database:
        assert "HTTP 400: no room for it" in str(draw_runs(ModelsService(database, Running(database)).look("parus")))


# What concerns a run


@pytest.mark.parametrize("temperature", ["1", "none"])
def test_a_refusal_of_what_was_not_sent_is_not_told(temperature: str, command: Command, server: ModelServer) -> None:
    server.script = reasoning(server)
    first = made(asked(command, server))
    other = made(asked(command, server, "--temperature", temperature))
    assert set(first["refused"]) == {"max_tokens", "temperature"}
    assert other["refused"] == {"max_tokens": "max_completion_tokens"}
    assert other["sent"].get("temperature") == (1 if temperature == "1" else None)
    assert "refused max_tokens: max_completion_tokens was sent in its place" in told(command)
    assert "no temperature" not in told(command)
    before = len(server.requests)
    made(asked(command, server, "--param", "top_p=1"))
    first_body: Body = server.requests[before].body
    assert "temperature" not in first_body, "what earlier runs have found of the server is still known"
    assert "max_tokens" not in first_body
    assert len(server.requests) == before + N


# What ends a run


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_ends_the_run_at_once(status: int, command: Command, server: ModelServer) -> None:
    to = {"Location": "https://user:secret@login.example.org/v1/chat/completions?token=secret"}
    server.script = always(Send(b'{"detail": "moved"}', status, headers=to))
    result = asked(command, server)
    assert (result.exit_code, len(server.requests)) == (2, 1)
    assert "redirect" in result.stderr
    assert "login.example.org" in result.stderr
    assert "secret" not in result.stderr
    assert "base URL" in result.stderr


def test_a_redirect_in_the_middle_of_a_run_is_tried_again(command: Command, server: ModelServer) -> None:
    answers = server.script
    moved = Send(b"", 307, headers={"Location": "/elsewhere"})
    server.script = lambda messages: moved if len(server.requests) == 3 else answers(messages)
    assert made(asked(command, server))["statuses"] == {"ok": N}


def test_a_value_that_the_server_refuses_for_every_item_ends_the_run(command: Command, server: ModelServer) -> None:
    server.script = always(TOO_LARGE)
    result = asked(command, server)
    assert (result.exit_code, len(server.requests)) == (2, 3)
    assert "max_tokens is too large: 2048" in result.stderr
    assert "--max-tokens" in result.stderr


def test_a_parameter_of_ones_own_is_named_with_its_option(command: Command, server: ModelServer) -> None:
    server.script = always(refused("Invalid 'top_p': above the maximum", param="top_p", code="decimal_above_max_value"))
    result = asked(command, server, "--param", "top_p=7")
    assert (result.exit_code, len(server.requests)) == (2, 3)
    assert "--param top_p" in result.stderr


@pytest.mark.parametrize("answered", [0, 1])
def test_a_text_that_is_too_long_ends_nothing(answered: int, command: Command, server: ModelServer) -> None:
    long = refused("This model's maximum context length is 99 tokens", param="max_tokens", code=None)
    fault = long if answered == 0 else TOO_LARGE
    answers = server.script
    server.script = lambda messages: fault if answered < len(server.requests) <= answered + 4 else answers(messages)
    assert made(asked(command, server))["statuses"] == {"ok": N - 4, "error": 4}


# Notes


def test_thinking_is_told_in_results_and_in_the_package_of_the_report(
    command: Command, server: ModelServer, tmp_path: Any
) -> None:
    server.script = always(thought())
    made(asked(command, server, "--limit", 2))
    note = "580 of 600 tokens of its replies were thinking"
    assert note in told(command)
    assert command("export", "parus", "--what", "report", "--to", tmp_path / "report.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "report.zip") as package:
        assert note in " ".join(json.loads(package.read("results.json"))["results"]["notes"])
    server.script = always(Say("1"))
    made(asked(command, server, "--limit", 2, model="plain"))
    assert told(command).count("were thinking") == 1


def test_what_cannot_be_had_of_several_models_is_one_line_for_each_reason(
    command: Command, server: ModelServer
) -> None:
    for name in ("a", "b", "c"):
        made(asked(command, server, model=name))
    lines = [line for line in command("results", "parus", "--details").stdout.splitlines() if "cannot be had" in line]
    reasons = [line.partition(": ")[2] for line in lines]
    assert reasons
    assert len(set(reasons)) == len(reasons)
    assert all("cannot be had for openai:a, openai:b and openai:c: " in line for line in lines)
