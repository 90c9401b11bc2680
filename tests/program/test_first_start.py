"""A newcomer's first start as a process: what is printed, what is there, what a second start keeps."""

import re
import socket
from pathlib import Path

import pytest
from httpx2 import Client
from typer.testing import CliRunner

from annotate.demo_studies import DEMO_TASKS
from app import cli
from baseline.comparison.pair_rankings import competitors, pair_rankings
from baseline.comparison.results import results
from baseline.demo_runs import WRONG
from baseline.human.baseline import stored_rules
from baseline.runs.result_runs import result_runs
from data.log_lines import configure
from db.engine import Database, opened, reading
from db.frames import judgments
from db.settings import Settings
from db.studies import get_study, list_studies
from server import announce, first_start, requester_service
from tests.helpers.collection import SIGNER, make_study
from tests.helpers.ports import free_port
from tests.helpers.processes import at_a_terminal, serving


def test_the_first_start_makes_demos_and_an_owner_and_the_second_keeps_them(tmp_path: Path) -> None:
    home, port = tmp_path / "var", free_port()
    address = f"http://127.0.0.1:{port}"
    with at_a_terminal(home, port) as told:
        assert f"{address}/manage/" in told
        assert f"{address}/results/" in told
        password = re.search(r"owner, password (\S+)", told)
        invitation = re.search(rf"{address}/join/demo-parus/\S+", told)
        assert password
        assert invitation
        with Client(follow_redirects=True) as client:
            assert client.get(invitation[0]).url.path == "/annotate/"
            assert client.get(f"{address}/results/", headers={"Accept": "text/html"}).url.path == "/login"
            entered = {"name": "owner", "password": password[1], "next": "/results/"}
            assert client.post(f"{address}/login", data=entered, headers={"Origin": address}).url.path == "/results/"
    with serving(home, port, {}) as printed:
        assert "password" not in printed.read_text()
        assert "/join/" not in printed.read_text()
    with opened(f"sqlite:///{home / 'etalon.db'}") as database, reading(database) as session:
        assert {study.name for study in list_studies(session)} == set(DEMO_TASKS)
        for name in DEMO_TASKS:
            study = get_study(session, name=name)
            given = judgments(session, study=study)
            assert len(given) > 20
            assert given["simulated"].all()
            models = {one.run.model for one in result_runs(session, study=study)}
            naive = {"random", "majority", "tfidf"} if name == "demo-parus" else {"random"}
            assert models == naive | (set() if name == "demo-replies" else set(WRONG))
            found = results(session, study=study, rules=stored_rules(study))
            assert (found.panel.agreement.values["alpha"] or 0) < 0.9
            if name == "demo-replies":
                assert [row.at for row in competitors(pair_rankings(session, found).first)]
            else:
                assert 0.6 < found.human.majority["accuracy"].value < 1


def test_no_demo_is_made_where_a_study_was_imported_before_the_first_start(
    sqlite: Database, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (log := tmp_path / "log.csv").write_text("item_id,worker,label\n1,a,yes\n2,a,no\n", "utf8")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert CliRunner().invoke(cli, ["import-log", "mine", str(log)], catch_exceptions=False).exit_code == 0
    assert first_start(sqlite, SIGNER, Settings(home=tmp_path)), "the owner's password"
    with reading(sqlite) as session:
        assert [study.name for study in list_studies(session)] == ["mine"]


def test_a_first_start_into_a_log_tells_the_password_and_no_link(
    log_of_this_test: None, sqlite: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_study(sqlite)
    configure("text")
    announce(requester_service(sqlite, SIGNER, Settings(home=tmp_path)), "a password")
    told = capsys.readouterr().err
    assert "owner, password a password" in told
    assert "/manage/" in told
    assert "/join/" not in told


def test_a_taken_port_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("ETALON_HOME", str(tmp_path))
        monkeypatch.setenv("ETALON_PORT", str(taken.getsockname()[1]))
        ended = CliRunner().invoke(cli, [], catch_exceptions=False)
    assert ended.exit_code == 2
    assert "ETALON_PORT" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_port_that_a_test_picks_is_nobody_elses_and_a_server_listens_there_again_and_again() -> None:
    port = free_port()
    with socket.socket() as somebody, pytest.raises(OSError, match="in use"):
        somebody.bind(("127.0.0.1", port))
    for _ in range(2):
        socket.create_server(("127.0.0.1", port)).close()
