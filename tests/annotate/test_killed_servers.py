"""People at work over real HTTP while their server is killed and its database crashes: nothing acknowledged is lost."""

import asyncio
import os
from argparse import Namespace
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

import pandas as pd
import pytest
from fastapi.testclient import TestClient

from annotate.accounts.guard import Guard
from annotate.worker.api import Acts
from annotate.worker.service import Service
from bench.load import complete
from bench.load_browser import Tally
from bench.load_checks import Findings, findings
from bench.load_run import Run
from bench.load_servers import DatabaseServer, Server, Site
from bench.load_study import make_study
from db import frames
from db.engine import Database, opened, reading, writing
from db.studies import Study
from tests.conftest import fresh_postgres
from tests.helpers import collection
from tests.helpers.browsing import application, invited
from tests.helpers.lean_server import serve
from tests.helpers.ports import free_port
from tests.helpers.processes import started
from tests.helpers.waiting import LONGEST

ITEMS, OVERLAP = 40, 3
SESSION: dict[str, Any] = {
    "workers": 12, "items": ITEMS, "overlap": OVERLAP, "think": 0.25, "lease": 2.0, "seconds": LONGEST, "seed": 5,
    "backup": False,
}  # fmt: skip


@pytest.fixture
def postgres(postgres_server: Any, postgres_uri: str, empty_postgres: str) -> DatabaseServer:
    return DatabaseServer(fresh_postgres(postgres_uri, like=empty_postgres), postgres_server)


@dataclass
class Forked:
    """A process of multiprocessing, of which is asked what a Server asks."""

    process: BaseProcess

    def __getattr__(self, name: str) -> Any:  # pid, kill, terminate
        return getattr(self.process, name)

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, seconds: float | None = None) -> None:
        self.process.join(seconds)
        if self.process.exitcode is None:
            raise TimeoutExpired("the server", seconds or 0)


class LeanServer(Server):
    """A server of the workers' routes, forked with all imported: to start Python anew takes longer than the work."""

    def start(self) -> None:
        environment = os.environ | self.environment
        self.process = Forked(started(serve, self.port, printed=self.log, environment=environment))  # type: ignore[assignment]
        self._idle = float("inf")


def served(home: Path, database: str) -> Server:
    environment = {"ETALON_HOME": str(home), "DATABASE_URL": database}
    return LeanServer((), environment, port := free_port(), home / f"log-{port}", "/join")


def session(home: Path, database: DatabaseServer, *, servers: int = 1, **crashes: int) -> tuple[Site, Findings, Tally]:
    """Let people work until every item has its judgments, with these crashes meanwhile; what is stored then."""
    run, tally = Run(Namespace(**SESSION, **crashes), home), Tally()
    with opened(database.url) as engine:
        study = make_study(engine, "crowd", items=ITEMS, overlap=OVERLAP, lease=run.manners.lease)
        site = Site([served(home, database.url) for _ in range(servers)], database)

        async def people() -> None:
            await site.start()
            await run.crowd(site, run.place(site, study), tally, lambda: complete(engine, study))

        try:
            asyncio.run(people())
        finally:
            site.stop()
        return site, findings(engine, study, run.signer, tally.answers), tally


def holds(found: Findings, tally: Tally) -> None:
    assert (found.complete, found.counted, found.wrong) == (ITEMS, ITEMS * OVERLAP, {})
    assert found.acknowledged >= ITEMS * OVERLAP
    assert [trouble for trouble in tally.troubles if trouble.startswith(("refused", "two replies"))] == []


def test_a_server_killed_at_work_loses_no_answer_and_no_place(tmp_path: Path, sqlite_url: str) -> None:
    site, found, tally = session(tmp_path, DatabaseServer(sqlite_url), kills=1, database_restarts=0)
    holds(found, tally)
    assert site.kills == 1
    assert tally.troubles


def test_two_servers_on_one_database_fill_every_item_exactly_though_both_kinds_crash(
    tmp_path: Path, postgres: DatabaseServer
) -> None:
    site, found, tally = session(tmp_path, postgres, servers=2, kills=1, database_restarts=1)
    holds(found, tally)
    assert (site.kills, postgres.restarts) == (1, 1)


def grow(database: Database, pages: int) -> None:
    """Let the file grow up to so many pages, or not at all below what it has: SQLite's own way to a full disk."""
    with writing(database) as session:
        session.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_takes_no_answer_loses_none_and_the_same_one_is_taken_when_there_is_room(sqlite: Database) -> None:
    service = collection.make_service(sqlite)
    study = collection.make_study(sqlite, main=200, page_main=10)
    guarded = Guard(application(service), sqlite, service.signer, workers=Acts(service))
    with TestClient(guarded, raise_server_exceptions=False, follow_redirects=False) as client:
        browser = invited(service, client, study)
        reply, taken = browser.enter(), 0
        grow(sqlite, 1)
        while (given := browser.answer(reply)).status_code == 200:
            reply, taken = given, taken + 1
        assert given.status_code == 503
        assert browser.answer(reply).status_code == 503
        assert len(stored(service, study)) == taken
        grow(sqlite, 2**30)
        assert browser.answer(reply).status_code == 200
    assert len(stored(service, study)) == taken + 1


def stored(service: Service, study: Study) -> pd.DataFrame:
    with reading(service.database) as session:
        return frames.judgments(session, study=study)
