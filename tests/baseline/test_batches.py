"""A run by way of Batch files: written, answered elsewhere with every fault there is, collected, asked again."""

import json
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from baseline.runs import batch_files
from baseline.runs.batch_files import request_line
from baseline.runs.batches import read_result
from bench.batches import measured
from data.catalogue.catalog import get_task, sample_file
from tests.helpers.batch_server import BatchServer
from tests.helpers.model_server import ModelServer

Run = Callable[..., Result]
PARUS = get_task("rsg/parus")
MAIN, TRAIN = sample_file(PARUS, "main"), sample_file(PARUS, "train")
ITEMS = len(MAIN.read_text("utf8").splitlines())
PRICES = '[models."m"]\ninput = 1000\noutput = 2000\nbatch_discount = 0.5\n'
EXPIRED = {
    "code": "batch_expired",
    "message": "This request could not be executed before the completion window expired.",
}


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
    return result.stderr.strip()


def requests(folder: Path) -> list[dict[str, Any]]:
    """Return all requests that stand in a folder, in their order."""
    files = sorted(folder.glob("requests-*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text("utf8").splitlines()]


def completion(text: str = "1") -> dict[str, Any]:
    """Return the body of a reply, as `openai.types.chat.ChatCompletion` has it."""
    message = {"role": "assistant", "content": text, "refusal": None}
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def replied(key: str, text: str = "1") -> dict[str, Any]:
    """Return a line of OpenAI's output files."""
    response = {"status_code": 200, "request_id": "r", "body": completion(text)}
    return {"id": "batch_req_1", "custom_id": key, "response": response, "error": None}


def failed(key: str) -> dict[str, Any]:
    """Return a line of OpenAI's error files: the server failed."""
    error = {"message": "The server had an error", "type": "server_error", "param": None, "code": None}
    response = {"status_code": 500, "request_id": "r", "body": {"error": error}}
    return {"id": "batch_req_2", "custom_id": key, "response": response, "error": None}


def expired(key: str) -> dict[str, Any]:
    """Return a line of OpenAI's error files: the batch expired before the request was run."""
    return {"id": "batch_req_3", "custom_id": key, "response": None, "error": EXPIRED}


def write(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf8")


def words(folder: Path, *more: object) -> tuple[object, ...]:
    return ("run", "parus", "--model", "openai:m", "--batch", folder, *more)


def test_a_batch_holds_the_very_requests_of_a_live_run_whose_replies_it_takes(run: Run, tmp_path: Path) -> None:
    with ModelServer() as server:
        assert said(run("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--limit", 3, "--json"))
        sent = [request.body for request in server.requests]
        found = said(run(*words(tmp_path / "b", "--base-url", server.base_url, "--json")))
        assert (found["requests"], found["cached"], found["waiting"]) == (ITEMS - 3, 3, 0)
        assert len(server.requests) == 3
    written = requests(tmp_path / "b")
    assert {(one["method"], one["url"]) for one in written} == {("POST", "/v1/chat/completions")}
    assert all(one["body"].keys() == sent[0].keys() for one in written)
    assert not [one for one in written if one["body"] in sent]
    # What a file says is replied live as well: one key for both.
    write(tmp_path / "b" / "out.jsonl", (replied(one["custom_id"]) for one in written))
    assert said(run(*words(tmp_path / "b", "--base-url", server.base_url, "--collect", "--json")))["run"]["cached"] == 3


def test_what_is_waited_for_is_never_written_again_and_what_is_missing_is(run: Run, tmp_path: Path) -> None:
    (prices := tmp_path / "p.toml").write_text(PRICES, "utf8")
    paid, folder = ("--prices", prices, "--json"), tmp_path / "b"
    first = said(run(*words(folder, *paid)))
    assert (first["requests"], first["files"]) == (ITEMS, ["requests-0001.jsonl"])
    assert said(run(*words(folder, *paid)))["waiting"] == ITEMS
    assert said(run(*words(folder, "--collect", *paid)))["run"] is None
    keys = [one["custom_id"] for one in requests(folder)]
    good = [replied(key) for key in keys[4:]]
    write(folder / "output.jsonl", [*good, good[0], replied(keys[3]), replied("f" * 64)])
    write(folder / "errors.jsonl", [failed(keys[0]), expired(keys[1]), failed(keys[3])])
    with (folder / "errors.jsonl").open("a") as file:
        file.write('{"custom_id": 1}\nno JSON\n')
    found = said(run(*words(folder, "--collect", *paid)))
    whole = found["run"]
    assert (whole["status"], whole["statuses"]["error"]) == ("incomplete", 2)
    assert (found["repeated"], found["unread"], found["unknown"], found["missing"]) == (2, 2, 1, 3)
    # Ten tokens for 1000 and one for 2000 a million, half of that in a batch, each reply once.
    assert whole["cost"] == pytest.approx((ITEMS - 3) * 12_000 / 1_000_000 / 2)
    assert "expired" in whole["last_error"] or "error" in whole["last_error"]
    told = run("runs", "parus").stdout
    assert "HTTP 503" not in told + whole["last_error"]

    again = said(run(*words(folder, *paid)))
    assert (again["requests"], again["answered"], again["files"]) == (3, ITEMS - 3, ["requests-0002.jsonl"])
    assert {one["custom_id"] for one in requests(folder)[ITEMS:]} == set(keys[:3])
    # Nor is it asked live meanwhile, and be paid twice.
    live = refused(run("run", "parus", "--model", "openai:m", "--base-url", "https://api.openai.com/v1"))
    assert live.endswith(
        f"requests of run 1 wait for their results in {folder} (requests-0002.jsonl), and would be paid twice if they "
        f"were asked live; collect them first (--batch {folder} --collect, or go on with the run on /models), or "
        "remove the files that nothing will come of"
    )
    # What failed before says nothing of the file in which it is asked again.
    assert said(run(*words(folder, "--collect", *paid)))["waiting"] == ["requests-0002.jsonl"]
    assert said(run(*words(folder, *paid)))["requests"] == 0
    write(folder / "output-2.jsonl", map(replied, keys[:3]))
    found = said(run(*words(folder, "--collect", *paid)))
    assert (found["run"]["status"], found["missing"], found["run"]["before"]) == ("complete", 0, ITEMS - 3)
    assert found["run"]["cost"] == pytest.approx(ITEMS * 12_000 / 1_000_000 / 2)
    assert said(run(*words(folder, "--collect", *paid)))["run"]["run"] == found["run"]["run"]
    assert said(run(*words(folder, *paid)))["requests"] == 0
    assert f"{ITEMS} items, nothing was left to ask; ok {ITEMS}" in run(*words(folder, "--collect", *paid[:-1])).stdout


def test_files_are_cut_where_a_provider_cuts_them(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert batch_files.MOST_LINES == 50_000
    monkeypatch.setattr(batch_files, "MOST_LINES", 5)
    found = said(run(*words(tmp_path / "b", "--json")))
    assert len(found["files"]) == -(-ITEMS // 5)
    monkeypatch.setattr(batch_files, "MOST_BYTES", 3000)
    run(*words(tmp_path / "c", "--samples", 2))
    assert {path.stat().st_size <= 3000 for path in (tmp_path / "c").glob("requests-*")} == {True}
    assert len(requests(tmp_path / "c")) == 2 * ITEMS
    monkeypatch.setattr(batch_files, "MOST_BYTES", 30)
    assert "--context" in refused(run(*words(tmp_path / "d")))


def test_money_is_never_put_into_more_requests_than_it_reaches_for(run: Run, tmp_path: Path) -> None:
    (prices := tmp_path / "p.toml").write_text(PRICES, "utf8")
    found = said(run(*words(tmp_path / "b", "--prices", prices, "--max-cost", 5, "--json")))
    assert 0 < found["requests"] < ITEMS
    assert found["cost_at_most"] <= 5
    assert "--max-cost" in found["stopped"]
    more = said(run(*words(tmp_path / "b", "--prices", prices, "--max-cost", 10, "--json")))
    assert found["requests"] == more["waiting"]
    assert found["cost_at_most"] + more["cost_at_most"] <= 10


def test_a_folder_is_that_of_one_run_and_a_batch_that_of_an_api_that_has_them(run: Run, tmp_path: Path) -> None:
    run(*words(tmp_path / "b"))
    assert "another run" in refused(run(*words(tmp_path / "b", "--max-tokens", 9)))
    for model in ("anthropic:m", "random"):
        told = refused(run("run", "parus", "--model", model, "--batch", tmp_path / "a"))
        assert "cannot be written as OpenAI Batch files" in told
    assert "--batch" in refused(run("run", "parus", "--model", "openai:m", "--base-url", "http://x", "--collect"))
    assert "--fresh" in refused(run(*words(tmp_path / "b", "--fresh")))
    assert "--prompt-variant" in refused(run(*words(tmp_path / "b", "--prompt-variants", 2)))
    run("run", "parus", "--model", "responses:m", "--batch", tmp_path / "r")
    assert requests(tmp_path / "r")[0]["url"] == "/v1/responses"


def test_the_lines_of_vllm_are_read_and_those_that_json_cannot_hold_are_written() -> None:
    error = {"error": {"message": "too long", "type": "BadRequestError", "param": None, "code": 400}}
    line = {"id": "vllm-1", "custom_id": "k", "response": {"status_code": 400, "request_id": "r"}, "error": error}
    found = read_result(json.dumps(line).encode())
    assert (found.status, found.body) == (400, error)
    for text in ("привет", "\ud800"):
        written = json.loads(request_line("k", "/v1/x", {"model": text}))
        assert written == {"custom_id": "k", "method": "POST", "url": "/v1/x", "body": {"model": text}}
    for broken in (b"[]", b"{}", b'{"custom_id": 1, "response": null}', b"1", b'{"custom_id": "k", "response": 5}'):
        with pytest.raises(ValueError):  # noqa: PT011
            read_result(broken)


def test_a_seed_draws_worked_examples_for_an_api_that_has_none(run: Run, tmp_path: Path) -> None:
    asked = ("--model", "responses:m", "--shots", 2, "--train", TRAIN)
    drawn: list[Any] = []
    for seed in (1, 1, 2):
        folder = tmp_path / str(len(drawn))
        assert run("run", "parus", *asked, "--seed", seed, "--batch", folder).exit_code == 0
        drawn.append([one["body"]["input"][:4] for one in requests(folder)])
        assert "seed" not in requests(folder)[0]["body"]
    assert drawn[0] == drawn[1] != drawn[2]
    assert "takes no seed" in refused(run("run", "parus", "--model", "responses:m", "--seed", 1, "--dry-run"))


def test_batches_are_sent_looked_after_and_fetched(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setattr(batch_files, "MOST_LINES", 4)
    folder = tmp_path / "b"
    with BatchServer() as server:
        sent = words(folder, "--base-url", server.base_url, "--json")
        first = said(run(*sent, "--send"))
        assert first["requests"] == ITEMS == 4 * len(server.batches)
        assert server.keys == {"Bearer sk-very-secret"}
        assert {batch.endpoint for batch in server.batches.values()} == {"/v1/chat/completions"}
        assert b"".join(server.files.values()).count(b"custom_id") == ITEMS
        run(*sent, "--send")
        assert 4 * len(server.batches) == ITEMS
        waiting = run(*sent, "--collect")
        assert (said(waiting)["run"], len(said(waiting)["waiting"])) == (None, ITEMS // 4)
        assert "batch batch_0 is validating" in waiting.stderr
        server.end("batch_0", "completed", lambda keys: ([replied(key) for key in keys], []))
        server.end("batch_1", "expired", lambda keys: ([replied(keys[0])], [expired(key) for key in keys[1:]]))
        server.end("batch_2", "failed", reason="no such model")
        server.end("batch_3", "in_progress")
        found = run(*sent, "--collect")
        assert "batch batch_2 is failed (line 2: no such model)" in found.stderr
        assert said(found)["run"]["statuses"]["error"] == 3
        assert (said(found)["missing"], said(found)["waiting"]) == (3 + 4, ["requests-0004.jsonl"])
        server.end("batch_3", "cancelled", lambda keys: ([replied(key) for key in keys[:1]], []))
        assert said(run(*sent, "--collect"))["missing"] == 3 + 4 + 3
        assert said(run(*sent, "--send"))["requests"] == 10
        for batch in ("batch_4", "batch_5", "batch_6"):
            server.end(batch, "completed", lambda keys: ([replied(key) for key in keys], []))
        assert said(run(*sent, "--collect"))["run"]["status"] == "complete"
        assert "sk-very-secret" not in (folder / "batches.json").read_text("utf8")


def test_a_batch_whose_start_was_not_heard_of_is_not_started_twice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with BatchServer() as server:
        sent = words(tmp_path / "b", "--base-url", server.base_url, "--send")
        server.lose_next = True
        lost = run(*sent)
        assert (lost.exit_code, len(server.batches)) == (2, 1)
        assert "HTTP 500" in lost.stderr
        assert run(*sent).exit_code == 0
        assert len(server.batches) == 1
    monkeypatch.setenv("ETALON_MODEL_HOSTS", "api.openai.com")
    assert "ETALON_MODEL_HOSTS" in refused(run(*sent))


def test_a_batch_goes_to_no_address_where_no_model_is_asked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    told = run(*words(tmp_path / "b", "--base-url", "http://models.example/v1", "--send"))
    assert told.exit_code == 2
    assert "169.254.169.254" in told.stderr
    assert "sk-very-secret" not in told.stderr


def test_writing_costs_little_more_than_dumping_and_holds_none_of_it() -> None:
    """A small version of `bench/batches.py`, where what is paid once weighs more: there it is 3 times and 300 MB."""
    writing, dumping, memory, _ = measured(20_000)
    assert writing <= 4.5 * dumping
    assert memory <= 200


def test_the_commands_of_the_documentation_do_what_it_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the section on batches, one after another; what another program does with its command is done here."""
    text = (Path(__file__).parents[2] / "docs/models.md").read_text("utf8")
    block = text.split("## Batches: past one machine")[1].split("```")[1]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    folder = tmp_path / "FOLDER"
    with BatchServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        for line in block.strip().splitlines():
            command = line.partition("#")[0].replace("FOLDER", str(folder)).split()
            if command[0] == "vllm":
                keys = [one["custom_id"] for one in requests(folder)]
                write(Path(command[command.index("-o") + 1]), map(replied, keys[1:]))
                continue
            assert command[:2] == ["python", "app.py"]
            assert run(*command[2:]).exit_code == 0, line
            for batch in server.batches:
                server.end(batch, "completed", lambda keys: ([replied(key) for key in keys], []))
    assert len(requests(folder)) == ITEMS + 1
    again = said(run("run", "parus", "--model", "openai:NAME", "--batch", folder, "--json"))
    assert (again["answered"], again["requests"]) == (ITEMS, 0)
