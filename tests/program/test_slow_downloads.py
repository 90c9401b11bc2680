"""Downloads and pages that take long leave sign-in, pages and workers quick, and are computed once for all who ask."""

import gc
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from annotate.accounts.login import COOKIE
from annotate.accounts.signer import worker_cookie_name
from annotate.worker.service import Service
from baseline.output.computed_exports import EXPORTS, FOR_VIEWERS
from baseline.pages.result_files import results_files
from baseline.pages.results_page import StudyCache
from data.errors import UnknownName
from data.table_files import Export
from db.accounts import add_account, set_password
from db.engine import Database, open_database, writing
from db.exports import ComputedFiles, ExportRequest
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.settings import Settings
from db.studies import get_study
from db.workers import add_worker
from server import PAGE_THREADS, build_app
from tests.helpers.collection import SIGNER, arrive, make_study

PASSWORD = "a password for tests"
SOON = 5.0  # seconds: far more than any of these takes, far less than what they would wait for
CROWD = 45


@dataclass
class Gate:
    """A computation that lasts until it is let through: what was begun, and how many ran at once."""

    opened: threading.Event = field(default_factory=threading.Event)
    begun: list[str | None] = field(default_factory=list)
    running: int = 0
    most: int = 0

    def __call__(self, asked: ExportRequest) -> bytes:
        self.begun.append(asked.respondent)
        self.running += 1
        self.most = max(self.most, self.running)
        assert self.opened.wait(60)
        self.running -= 1
        return b"a long file"

    def wait(self, begun: int) -> None:
        """Wait until so many have begun."""
        until = time.monotonic() + 20
        while len(self.begun) < begun and time.monotonic() < until:
            time.sleep(0.01)
        assert len(self.begun) == begun


@dataclass
class Site:
    """A server, its people and the slow file of both kinds of pages."""

    address: str
    database: Database
    worker: str

    def client(self, who: str = "") -> httpx2.Client:
        cookies = {COOKIE: SIGNER.sign_in_cookie(who, 1)} if who else {worker_cookie_name("colours"): self.worker}
        return httpx2.Client(base_url=self.address, cookies=cookies, timeout=60, trust_env=False)

    def get(self, who: str, address: str) -> Any:
        with self.client(who) as client:
            return client.get(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home: Path = tmp_path_factory.mktemp("slow")
    database = open_database(f"sqlite:///{home / 'etalon.db'}")
    make_study(database, main=6)
    worker = arrive(Service(database, SIGNER)).cookie
    with writing(database) as session:
        for name in ("ann", "bob", "eve"):
            add_account(session, name=name, role="manager" if name == "bob" else "viewer")
            set_password(session, name=name, version=0, password=PASSWORD)
    with warnings.catch_warnings(), socket.socket() as listener:
        warnings.simplefilter("ignore")  # Gradio leaves event loops behind when pages are built
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        guard = build_app(database, SIGNER, Settings(home=home, public_url=address))
        gc.collect()
        server = uvicorn.Server(uvicorn.Config(guard, log_config=None, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(address, database, worker)
        server.should_exit = True
        thread.join()
    database.dispose()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """A file that is computed for as long as the test wants."""
    made = Gate()
    slow = Export("slow", "Slow", "", {"csv": made}, for_viewers=True)
    for exports in (FOR_VIEWERS, EXPORTS):
        monkeypatch.setitem(exports, "slow", slow)
    yield made
    made.opened.set()


def asked_by_all(pool: ThreadPoolExecutor, ask: Callable[[int], Any]) -> list[Future[Any]]:
    return [pool.submit(ask, number) for number in range(CROWD)]


def everybody_else_is_served(site: Site) -> None:
    """Sign in, open both pages and answer as a worker, each of it soon."""
    with site.client() as stranger, site.client("bob") as manager:
        told = {"name": "bob", "password": PASSWORD}
        began = time.monotonic()
        origin = {"origin": site.address}
        assert stranger.get("/login", timeout=SOON).status_code == 200
        assert stranger.post("/login", data=told, headers=origin, timeout=4 * SOON).status_code == 303
        assert manager.get("/manage/", timeout=SOON).status_code == 200
        state = stranger.post("/api/annotate/colours/state", json={}, timeout=SOON)
        assert state.status_code == 200
        assert "data-token" in state.json()["html"]
        assert time.monotonic() - began < 5 * SOON


def test_45_slow_downloads_of_one_viewer_leave_sign_in_pages_and_workers_quick(site: Site, gate: Gate) -> None:
    with ThreadPoolExecutor(CROWD) as pool:
        files = asked_by_all(pool, lambda n: site.get("ann", f"/results-files/colours/slow.csv?respondent={n}"))
        gate.wait(1)
        everybody_else_is_served(site)
        gate.opened.set()
        assert {file.result().status_code for file in files} == {200}
    assert gate.most == 1, "one at a time for one account"
    assert len(gate.begun) == CROWD


def test_45_pages_of_one_viewer_that_compute_leave_sign_in_pages_and_workers_quick(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, waiting = threading.Event(), []

    def slow(self: StudyCache, name: str, *given: Any, **more: Any) -> Any:
        waiting.append(name)
        go.wait(60)
        raise UnknownName("study", name, [])

    monkeypatch.setattr(StudyCache, "open", slow)

    def look(number: int) -> Any:
        with site.client("ann") as client:
            sent = {"query": f"?study=colours&page={number}"}
            body = {"fn_index": 2, "data": [], "session_hash": f"s{number}", "trigger_id": None, "event_data": sent}
            return client.post("/results/gradio_api/run/predict", json=body, headers={"origin": site.address})

    with ThreadPoolExecutor(2 * CROWD) as pool:
        pages = asked_by_all(pool, look)
        opened = asked_by_all(pool, lambda _: site.get("ann", "/results/?study=colours"))
        until = time.monotonic() + 20
        while len(waiting) < PAGE_THREADS and time.monotonic() < until:
            time.sleep(0.01)
        everybody_else_is_served(site)
        assert {page.result(SOON).status_code for page in opened} == {200}
        assert len(waiting) <= PAGE_THREADS + 1, "and one study that is computed ahead"
        go.set()
        assert {page.result().status_code for page in pages} == {200}


def test_a_file_is_computed_once_for_all_who_ask_and_again_only_after_a_change(site: Site, gate: Gate) -> None:
    with ThreadPoolExecutor(4) as pool:
        whose = [("ann", "results"), ("eve", "results"), ("bob", "manage"), ("ann", "results")]
        files = [pool.submit(site.get, who, f"/{pages}-files/colours/slow.csv") for who, pages in whose]
        gate.wait(1)
        time.sleep(0.5)
        gate.opened.set()
        assert {(file.result().status_code, file.result().text) for file in files} == {(200, "a long file")}
    site.get("eve", "/results-files/colours/slow.csv")
    assert len(gate.begun) == 1
    with writing(site.database) as session:
        study = get_study(session, name="colours")
        item = list_items(session, study=study, role="main")[0]
        add_judgments(session, study=study, judgments=[Judgment(item.key, add_worker(session), "red")])
    assert site.get("eve", "/results-files/colours/slow.csv").text == "a long file"
    assert len(gate.begun) == 2


def test_a_viewer_does_not_get_a_managers_file_while_it_is_computed(
    site: Site, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPORTS, "raw", Export("raw", "Raw", "", {"csv": gate}))
    with ThreadPoolExecutor(1) as pool:
        managers = pool.submit(site.get, "bob", "/manage-files/colours/raw.csv")
        gate.wait(1)
        assert site.get("ann", "/results-files/colours/raw.csv").status_code == 404
        gate.opened.set()
        assert managers.result().status_code == 200


def test_two_files_are_computed_at_once_one_for_each_account(site: Site, gate: Gate) -> None:
    asked = {"one": "ann", "two": "ann", "three": "eve", "four": "eve", "five": "bob", "six": "bob"}
    with ThreadPoolExecutor(6) as pool:
        files = [
            pool.submit(site.get, who, f"/results-files/colours/slow.csv?respondent={name}")
            for name, who in asked.items()
        ]
        gate.wait(2)
        time.sleep(0.5)
        assert len({asked[str(name)] for name in gate.begun}) == len(gate.begun) == 2
        gate.opened.set()
        assert {file.result().status_code for file in files} == {200}
    assert gate.most == 2


def test_after_the_deadline_a_sentence_says_what_to_do_and_the_file_comes_later(tmp_path: Path, gate: Gate) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    make_study(database, main=6)
    app = FastAPI()
    app.include_router(results_files(ComputedFiles(database, seconds=0.5), lambda _: "ann"))
    with TestClient(app) as client, ThreadPoolExecutor(2) as pool:
        address = "/results-files/colours/slow.csv"
        late = list(pool.map(client.get, [address, f"{address}?respondent=second"]))
        assert [reply.status_code for reply in late] == [503, 503]
        told = unescape(late[0].text)
        assert "slow.csv of 'colours' is not ready after 0.5 seconds" in told
        assert "Try again in a few minutes, or run on the server: python app.py export colours --what slow" in told
        gate.opened.set()
        time.sleep(0.5)
        assert len(gate.begun) == 1, "the second was given up before its turn came"
        assert client.get(address if gate.begun == [None] else f"{address}?respondent=second").status_code == 200
        assert len(gate.begun) == 1
    database.dispose()
