"""A study is computed once for all who ask for it at once, and ahead by its address."""

import asyncio
import threading
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.types import Message, Receive, Scope, Send

from baseline.comparison.results import results
from baseline.pages import results_page as pages
from baseline.pages.results_page import Opened, Prefetch, StudyCache, asked_study
from db.engine import writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.workers import add_worker
from tests.baseline.test_item_page import made


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the studies that are computed, in order."""
    names: list[str] = []

    def counting(session: Any, **asked: Any) -> Any:
        names.append(asked["study"].name)
        return results(session, **asked)

    monkeypatch.setattr(pages, "results", counting)
    return names


def test_all_who_open_a_study_at_once_share_what_is_computed(sqlite: Engine, computed: list[str]) -> None:
    made(sqlite, "rrg", "ggr")
    studies, start, found = StudyCache(sqlite), Barrier(3), []

    def look() -> None:
        start.wait()
        found.append(studies.open("colours"))

    threads = [Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert found[0] is found[1] is found[2]
    assert computed == ["colours"]


def test_the_address_of_a_page_begins_its_study(sqlite: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    made(sqlite, "rrg", "ggr")
    studies = StudyCache(sqlite)
    opened: list[Opened] = []
    real = StudyCache.open

    def opening(self: StudyCache, name: str, **asked: Any) -> Opened:
        opened.append(real(self, name, **asked))
        return opened[-1]

    monkeypatch.setattr(StudyCache, "open", opening)
    visit(studies, "/results/", "study=colours")
    assert opened[0] is real(studies, "colours")


def test_a_new_judgment_shows_at_the_next_opening(sqlite: Engine) -> None:
    study, studies = made(sqlite, "rrg", "ggr"), StudyCache(sqlite)
    before = studies.open("colours")
    with writing(sqlite) as session:
        item = list_items(session, study=study, role="main")[0]
        add_judgments(session, study=study, judgments=[Judgment(item.key, add_worker(session), "green")])
    votes = [opened.results.human.panel.votes.counts.sum() for opened in (before, studies.open("colours"))]
    assert votes == [6, 7]


def test_an_address_without_a_study_that_is_known_is_handed_on(sqlite: Engine, computed: list[str]) -> None:
    studies = StudyCache(sqlite)
    for query in ("", "study=", "study=<script>", "study=%00", "study=" + "x" * 5000, "%ff=&&&study"):
        visit(studies, "/results/", query)
    visit(studies, "/results/theme.css", "study=colours")
    assert computed == []


def test_only_the_first_study_of_an_address_is_taken() -> None:
    assert asked_study(b"study=a+b&study=c&page=2") == ["a b"]
    assert asked_study(b"study=%D1%8F") == ["я"]


def visit(studies: StudyCache, path: str, query: str) -> None:
    """Send a request through the middleware, which must come through to the program behind; what it began is done."""
    passed: list[str] = []

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["path"])

    async def nothing(*_: Message) -> Any:
        return None

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    others = threading.enumerate()
    asyncio.run(Prefetch(behind, studies)(scope, nothing, nothing))
    assert passed == [path]
    for begun in threading.enumerate():  # one that outlives the test opens a database that nobody closes any more
        if begun not in others:
            begun.join()
