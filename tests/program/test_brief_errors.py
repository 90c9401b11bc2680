"""No error quotes more than one reads: at the command line, to a worker's page, on a requester's, in a file."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from typer.testing import CliRunner

from annotate.accounts.guard import Guard
from annotate.accounts.login import COOKIE
from annotate.requesters.requester_service import RequesterService, file_routes
from app import cli
from data.errors import LONGEST_SENTENCE
from db.accounts import ensure_owner
from db.engine import writing
from db.exports import ComputedFiles
from tests.helpers.browsing import application, invited
from tests.helpers.collection import SIGNER, make_service, make_study

LONG = "z" * 50_000
COMMANDS = [
    ["check", LONG, "items.jsonl"],
    ["tasks", f"--{LONG}"],
    [f"--{LONG}"],
    [LONG],
    ["results", LONG],
    ["create", "new", "--task", "rsg/parus", "--main", LONG],
    ["create", "new", "--task", "rsg/parus", "--set", f"{LONG}=1"],
    ["create", "new", "--task", "rsg/parus", "--samples", "--set", f"overlap={LONG}"],
]


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return CliRunner()


@pytest.mark.parametrize("words", COMMANDS, ids=range(len(COMMANDS)))
def test_a_command_quotes_no_word_whole(run: CliRunner, words: list[str]) -> None:
    said = run.invoke(cli, words)
    assert said.exit_code == 2
    assert 0 < max(map(len, said.output.splitlines())) <= LONGEST_SENTENCE + len("Error: ")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_file_of_very_many_or_very_long_columns_is_refused_in_short_sentences(
    run: CliRunner, tmp_path: Path, more: list[str]
) -> None:
    for columns in ({f"k{n}": 1 for n in range(5_000)}, {LONG: 1}):
        (tmp_path / "items.jsonl").write_text(json.dumps(columns), "utf8")
        said = run.invoke(cli, ["check", "rsg/parus", str(tmp_path / "items.jsonl"), *more])
        assert said.exit_code == 2
        assert "premise" in said.output
        assert max(map(len, said.output.splitlines())) <= LONGEST_SENTENCE + 50


def test_neither_a_worker_nor_a_requester_is_sent_more(sqlite: Engine) -> None:
    service = make_service(sqlite)
    worker = invited(service, TestClient(application(service), follow_redirects=False), make_study(sqlite))
    refused = worker.answer(worker.enter(), LONG)
    assert refused.status_code == 422
    assert len(refused.json()["error"]) <= LONGEST_SENTENCE
    with writing(sqlite) as session:
        ensure_owner(session, "a long password")
    app = application(service)
    app.include_router(file_routes(RequesterService(sqlite, SIGNER, "http://testserver"), ComputedFiles(sqlite)))
    requester = TestClient(Guard(app, sqlite, SIGNER), cookies={COOKIE: SIGNER.sign_in_cookie("owner")})
    missing = requester.get(f"/manage-files/{LONG[:20_000]}/judgments.csv")
    assert missing.status_code == 404
    assert len(missing.text) <= LONGEST_SENTENCE
