"""A server with the worker page, a browser that drives it, and studies made of the sample items."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from starlette.types import ASGIApp

import annotate
from annotate.access import Signer
from annotate.api import worker_of, worker_routes
from annotate.guard import Guard
from annotate.service import Service
from data.catalog import get_task, samples
from data.drawing.environment import STATIC
from data.task import Item, Task
from db.engine import open_database, writing
from db.items import add_items
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
    service = Service(open_database(f"sqlite:///{folder / 'etalon.db'}"), Signer("a secret for tests"))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(composed(service), log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(f"http://127.0.0.1:{listener.getsockname()[1]}", service)
        server.should_exit = True
        thread.join()
    service.database.dispose()


def composed(service: Service) -> ASGIApp:
    """Return the worker page as `app.py` mounts it."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio

    from annotate.pages import work

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static/look", StaticFiles(directory=STATIC))
    app.mount("/static/annotate", StaticFiles(directory=Path(annotate.__file__).parent / "static"))
    app.include_router(worker_routes(service))

    gradio.mount_gradio_app(
        app,
        work.build_page(),
        path="/annotate",
        auth_dependency=worker_of(service.signer),
        head=work.HEAD,
        theme=work.theme(),
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        show_error=False,
        mcp_server=False,
        enable_monitoring=False,
        pwa=False,
    )
    return Guard(app, service.signer)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
    yield opened
    opened.close()


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser of one worker; at the end nothing was asked of any other host and no script broke."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, locale="ru-RU")
    foreign: list[str] = []
    broken: list[str] = []
    opened.on("request", lambda request: None if at_home(request.url, site) else foreign.append(request.url))
    opened.on("weberror", lambda error: broken.append(str(error.error)))
    yield opened
    opened.close()
    assert foreign == []
    assert broken == []


def at_home(url: str, site: Site) -> bool:
    return url.startswith((f"{site.address}/", "data:", "blob:"))


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
