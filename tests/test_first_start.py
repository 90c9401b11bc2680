"""A newcomer's first start as a process: what is printed, what is there, what a second start keeps."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from httpx2 import Client, ConnectError
from typer.testing import CliRunner

from annotate.demo import DEMO_TASKS, WELL_ATTENDED
from app import cli
from baseline.runs.chosen import chosen_runs
from db.engine import opened, reading
from db.frames import judgments
from db.studies import get_study, list_studies

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(home: Path, port: int, **settings: str) -> Iterator[Path]:
    """The program serving, from when it answers; gives the file of what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ETALON_", "DATABASE_"))}
    environment |= {"ETALON_HOME": str(home), "ETALON_PORT": str(port)} | settings
    printed = home.parent / f"printed-{port}.txt"
    with printed.open("w") as stream:
        server = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=stream, stderr=stream)
    try:
        wait_until_it_answers(server, port, printed)
        yield printed
    finally:
        server.kill()
        server.wait()


def wait_until_it_answers(server: subprocess.Popen[bytes], port: int, printed: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"the server ended by itself: {printed.read_text()}")
        try:
            with Client() as client:
                client.get(f"http://127.0.0.1:{port}/login")
                return
        except ConnectError:
            time.sleep(0.2)
    pytest.fail("the server does not answer")


def test_the_first_start_makes_demos_and_an_owner_and_the_second_keeps_them(tmp_path: Path) -> None:
    home, port = tmp_path / "var", free_port()
    address = f"http://127.0.0.1:{port}"
    with started(home, port) as printed:
        told = printed.read_text()
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
    with started(home, port) as printed:
        assert "password" not in printed.read_text()
    with opened(f"sqlite:///{home / 'etalon.db'}") as database, reading(database) as session:
        assert {study.name for study in list_studies(session)} == set(DEMO_TASKS.values())
        for name in DEMO_TASKS.values():
            study = get_study(session, name=name)
            given = judgments(session, study=study)
            assert len(given) > 20
            assert given["simulated"].all()
            models = {one.run.model for one in chosen_runs(session, study=study)}
            assert models == ({"random", "majority", "tfidf"} if study.task.id in WELL_ATTENDED else {"random"})


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
