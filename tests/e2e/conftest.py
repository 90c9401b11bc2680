"""The whole program on a free port, a browser that drives it, and studies made of the sample items."""

import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, sync_playwright

from annotate.access import Signer
from annotate.service import Service
from app import build_app
from data.catalog import get_task, samples
from data.task import Item, Task
from db.engine import open_database, writing
from db.items import add_items
from db.settings import Settings
from db.studies import Study, StudySettings, create_study

CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Site:
    """The running server and the way to make studies on it."""

    address: str
    service: Service
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def study(
        self, *, main: int = 3, training: int = 2, control: int = 2, task: str = "rsg/parus", **settings: Any
    ) -> Study:
        """Store a study of sample items, open to everybody with its link."""
        chosen = get_task(task)
        kept = {"main": main, "training": training, "control": control}
        items = [item for role, number in kept.items() for item in samples_of(chosen, role)[:number]]
        return self.study_of(chosen, items, **settings)

    def study_of(self, task: Task, items: list[Item], **settings: Any) -> Study:
        """Store a study of these items."""
        values = {"overlap": 2, "page_main": 2, "page_controls": 1, "training_pass": 0.5} | settings
        with writing(self.service.database) as session:
            made = create_study(
                session,
                name=f"study-{next(self.numbers)}",
                task=task,
                settings=StudySettings.model_validate(values),
                seed=11,
            )
            add_items(session, study=made, items=items)
        return made

    def link(self, study: Study, language: str = "") -> str:
        """Return the invitation link of a study."""
        asked = f"?lang={language}" if language else ""
        return f"{self.address}/join/{study.name}/{self.service.signer.invitation(study.name)}{asked}"


def samples_of(task: Task, role: str) -> list[Item]:
    return [item for item in samples(task) if item.role == role]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of our own on a free port with an empty database."""
    folder = tmp_path_factory.mktemp("site")
    database, signer = open_database(f"sqlite:///{folder / 'etalon.db'}"), Signer("a secret for tests")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        application = build_app(database, signer, Settings(home=folder, public_url=address))
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(address, Service(database, signer))
        server.should_exit = True
        thread.join()
    database.dispose()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser whose cache is warm after the first test; every study has its own cookie, so workers do not mix."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, locale="ru-RU")
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, site: Site) -> Iterator[Page]:
    """A new tab; at the end nothing was asked of any other host and no script broke."""
    foreign: list[str] = []
    broken: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((f"{site.address}/", "data:", "blob:")):
            foreign.append(request.url)

    opened = context.new_page()
    opened.on("request", asked)
    opened.on("pageerror", lambda error: broken.append(str(error)))
    yield opened
    opened.close()
    assert foreign == []
    assert broken == []
