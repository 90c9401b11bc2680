"""A setting that cannot be, a database that cannot be used, a run that is ended: one sentence says what to do."""

import os
import re
import signal
import tomllib
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from app import cli
from data.errors import BadSetting
from data.version import PROGRAM
from db.engine import Database, open_database
from tests.helpers.asking_models import new_study
from tests.helpers.model_server import ModelServer, Say, always
from tests.helpers.processes import ROOT, command, running


def set_to(home: Path, **settings: str) -> dict[str, str]:
    """Return an environment with these settings, and a home folder unless they name one."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("ETALON_", "DATABASE_"))}
    return usual | {"ETALON_HOME": str(home)} | settings


@pytest.mark.usefixtures("log_of_this_test")
@pytest.mark.parametrize("words", [(), ("human", "demo-parus")], ids=["server", "command"])
@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("DATABASE_URL", "mysql://u:hidden-word@h/x", "mysql is not sqlite or postgresql+psycopg); check DATABASE_URL"),
        ("DATABASE_URL", "postgresql://u:hidden-word@h/x", "postgresql is not sqlite or postgresql+psycopg"),
        ("DATABASE_URL", "postgresql+psycopg://u:hidden-word@h:port/x", "check DATABASE_URL"),
        ("ETALON_PORT", "99999", "ETALON_PORT: input should be less than or equal to 65535"),
        ("ETALON_DEMO", "hidden-word", "ETALON_DEMO: input should be a valid boolean"),
        ("ETALON_HOME", "/dev/null/x", "ETALON_HOME"),
    ],
)
def test_a_setting_that_cannot_be_is_one_sentence(
    name: str, value: str, advice: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path))
    monkeypatch.setenv(name, value)
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 2
    assert len(result.output.splitlines()) == 1, result.output
    assert advice in result.output
    assert "hidden-word" not in result.output


def test_a_newer_database_says_which_version_it_needs(engine: Database) -> None:
    with engine.begin() as connection:
        assert connection.execute(text("SELECT program FROM alembic_version")).scalar() == PROGRAM
        connection.execute(text("UPDATE alembic_version SET version_num = '9999', program = '7.3'"))
    url = engine.url.render_as_string(hide_password=False)
    with pytest.raises(BadSetting, match=rf"by Etalon 7\.3, and this is {PROGRAM}; install Etalon 7\.3 or a newer one"):
        open_database(url)


def test_the_version_is_that_of_the_project() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["version"] == PROGRAM
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf8"), re.MULTILINE)
    assert newest
    assert newest[1] == PROGRAM


def test_a_run_that_is_terminated_says_what_is_stored_and_how_to_go_on(sqlite: Database, tmp_path: Path) -> None:
    new_study(sqlite)
    environment = set_to(tmp_path, DATABASE_URL=str(sqlite.url), OPENAI_API_KEY="sk-of-a-test")
    printed = tmp_path / "printed.txt"
    with ModelServer(always(Say(after=0.5))) as server:
        words = ("run", "colours", "--model", "openai:m", "--base-url", server.base_url, "--set", "concurrency=2")
        with running(command, *words, printed=printed, environment=environment) as process:
            while len(server.requests) < 3 and process.is_alive():
                process.join(0.05)
            os.kill(process.pid or 0, signal.SIGTERM)
            process.join(60)
            code = process.exitcode
        sent = len(server.requests)
    assert sent < 40
    assert code == 128 + signal.SIGTERM
    assert f"; ok {sent}\n" in printed.read_text()
    assert "the same run again goes on where it stopped" in printed.read_text()
