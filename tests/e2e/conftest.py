"""The whole program on a free port, a browser that drives it, and studies made of the sample items."""

import gc
import shutil
import socket
import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, Request, expect, sync_playwright
from sqlalchemy import Engine

from annotate.accounts.signer import Signer, worker_cookie_name
from annotate.backup import UPLOADS
from annotate.worker.service import Service
from annotate.worker.stages import Act
from data.catalogue.catalog import get_task, samples
from data.task import Item, Task
from data.wording import texts
from db import frames
from db.accounts import ensure_owner
from db.engine import open_database, reading, writing
from db.items import add_items
from db.settings import Settings
from db.studies import Study, create_study
from db.study_settings import StudySettings
from server import build_app

PASSWORD = "a password for tests"
Judgment = tuple[str, str, str, str]
LOOK = """selector => new Promise((found) => {
  const until = performance.now() + 20000;
  const look = () =>
    document.querySelector(selector) || performance.now() > until ? found() : requestAnimationFrame(look);
  look();
})"""
PATIENCE = 120_000  # milliseconds: a busy machine takes its time to load a page of Gradio
expect.set_options(timeout=PATIENCE)
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
        drawn = {"order_drawn": False}  # so that tests know what a key chooses
        values = {"overlap": 2, "page_main": 2, "page_controls": 1, "training_pass": 0.5} | drawn | settings
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


def appears(page: Page, selector: str) -> None:
    """Wait until there is such an element: at once when it comes, where Playwright looks every half second only."""
    with suppress(Error):  # the page was left meanwhile: what comes next is waited for below
        page.evaluate(LOOK, selector)
    page.wait_for_selector(selector)


@dataclass
class Worker:
    """Somebody at the page. Every step waits for what it brings, never for time."""

    page: Page

    def arrive(self, link: str) -> None:
        self.page.goto(link)
        self.at("consent")

    def sit(self, site: Site, study: Study, stage: str = "work") -> None:
        """Open the page as somebody who has consented already and (unless that is the stage) read the instruction."""
        service = site.service
        cookie = service.join(study.name, service.signer.invitation(study.name), language="ru")
        service.act(study.name, cookie, Act("consent"))
        if stage != "instructions":
            service.act(study.name, cookie, Act("begin"))
        self.page.context.add_cookies([{"name": worker_cookie_name(study.name), "value": cookie, "url": site.address}])
        self.page.goto(f"{site.address}/annotate/?study={study.name}")
        self.at(stage)

    def interceptable(self) -> None:
        """Lead what the page will ask the server through the test, so that a route set later is in force at once.

        The first route of a page reaches it on another way than its keys do: a key pressed right after may be quicker.
        """
        self.page.route("**/api/**", lambda route: route.fallback())

    def at(self, stage: str) -> None:
        """Wait until a screen of that stage is there and listens."""
        appears(self.page, f'.screen[data-stage="{stage}"][data-settled]')

    def begin(self) -> None:
        self.page.get_by_role("button", name=texts("ru")["consent"]["agree"]).click()
        self.at("instructions")
        self.page.keyboard.press("Enter")

    def token(self) -> str:
        return self.page.get_attribute(".screen", "data-token") or ""

    def gone_on(self, before: str) -> None:
        """Wait until the screen is not the one with that token any more, and listens."""
        appears(self.page, f'.screen[data-settled]:not([data-token="{before}"])')

    def answer(self, key: str = "1") -> None:
        before = self.token()
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.gone_on(before)

    def train(self, key_of: dict[str, str]) -> None:
        """Answer the practice items by the keys given for their first text, and read the feedback."""
        while self.stage() == "training":
            text = self.page.inner_text(".text >> nth=0")
            self.page.keyboard.press(key_of[text])
            self.page.keyboard.press("Enter")
            self.at("feedback")
            before = self.token()
            self.page.keyboard.press("Enter")
            self.gone_on(before)

    def stage(self) -> str:
        return self.page.get_attribute(".screen[data-settled]", "data-stage") or ""

    def note(self) -> str:
        return self.page.inner_text("[data-note]:not(:empty)")

    def work(self, key: str = "1") -> int:
        done = 0
        while self.stage() == "work":
            self.answer(key)
            done += 1
        return done


def keys(right: bool) -> dict[str, str]:
    """The key of the right (or a wrong) answer of every practice item of PARus, by its first text."""
    task = get_task("rsg/parus")
    place = {item.fields["premise"]: int(item.gold or 0) for item in samples_of(task, "training")}
    return {text: str((gold if right else 1 - gold) + 1) for text, gold in place.items()}


def stored(site: Site, study: Study) -> list[Judgment]:
    with reading(site.service.database) as session:
        frame = frames.judgments(session, study=study)
    return list(frame[["worker", "item", "role", "status"]].itertuples(index=False, name=None))


def once_each(judgments: list[Judgment]) -> bool:
    return set(Counter((worker, item) for worker, item, role, _ in judgments if role == "main").values()) <= {1}


def samples_of(task: Task, role: str) -> list[Item]:
    return [item for item in samples(task) if item.role == role]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of our own on a free port with an empty database."""
    folder = tmp_path_factory.mktemp("site")
    database, signer = open_database(f"sqlite:///{folder / 'etalon.db'}"), Signer("a secret for tests")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # who comes before the server is up waits
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with warnings.catch_warnings():
            # Gradio leaves event loops behind when pages are built; what the collector says of them is not ours.
            warnings.simplefilter("ignore")
            application = build_app(database, signer, Settings(home=folder, public_url=address))
            gc.collect()
        server = uvicorn.Server(uvicorn.Config(application, log_config=None, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Site(address, Service(database, signer))
        server.should_exit = True
        thread.join()
    database.dispose()


@pytest.fixture
def database(site: Site) -> Engine:
    """That of the program which the tests of a file drive."""
    return site.service.database


@pytest.fixture(autouse=True)
def uploads(database: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradio knows one folder of uploads in a process: that of the program built last, by whatever test."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(Path(str(database.url.database)).parent / UPLOADS))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # The shell is the same engine without a desktop around it: the tests take half of the processor's time.
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    opened = playwright.chromium.launch(executable_path=found, args=CHROMIUM)
    made = opened.new_context

    def patient(**look: Any) -> BrowserContext:
        context = made(**look)
        context.set_default_timeout(PATIENCE)
        return context

    opened.new_context = patient  # type: ignore[method-assign]
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser whose cache is warm after the first test."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, locale="ru-RU")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def signed(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser that the owner has signed in with; the cache of this one too is warm after the first page."""
    with writing(site.service.database) as session:
        ensure_owner(session, PASSWORD)
    with browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", accept_downloads=True) as opened:
        told: dict[str, str | float | bool] = {"name": "owner", "password": PASSWORD}
        assert opened.request.post(f"{site.address}/login", form=told, headers={"origin": site.address}).ok
        yield opened


@pytest.fixture
def page(request: pytest.FixtureRequest, context: BrowserContext, site: Site) -> Iterator[Page]:
    """A new tab, or that of the file where it says ONE_TAB: its tests leave nothing behind in it.

    At the end nothing was asked of any other host and no script broke.
    """
    context.clear_cookies()  # of more than twenty of ours the server takes none
    if getattr(request.module, "ONE_TAB", False):
        yield request.getfixturevalue("tab")
    else:
        yield from watched(context, site)


@pytest.fixture(scope="module")
def tab(context: BrowserContext, site: Site) -> Iterator[Page]:
    """One tab for all tests of a file: its process is started once."""
    yield from watched(context, site)


@pytest.fixture(scope="module")
def phone_tab(browser: Browser, site: Site) -> Iterator[Page]:
    """The same on a phone, in the evening."""
    with browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark", locale="ru-RU"
    ) as context:
        yield from watched(context, site)


def watched(context: BrowserContext, site: Site) -> Iterator[Page]:
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


@pytest.fixture
def worker(page: Page) -> Worker:
    return Worker(page)


@pytest.fixture
def phone(phone_tab: Page) -> Worker:
    """Somebody with a phone in the hand."""
    phone_tab.context.clear_cookies()
    return Worker(phone_tab)
