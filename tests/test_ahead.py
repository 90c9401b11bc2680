"""A study is computed once for all who ask for it at the same time, and begun with while its page is loading."""

import asyncio
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.types import Message, Receive, Scope, Send

from baseline.comparison.results import results
from baseline.pages import shelf as pages
from baseline.pages.ahead import Ahead, asked_study
from baseline.pages.shelf import Opened, Shelf
from db.engine import writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.workers import add_worker
from tests.test_item_page import made


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
    shelf, start, found = Shelf(sqlite), Barrier(3), []

    def look() -> None:
        start.wait()
        found.append(shelf.open("colours"))

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
    shelf, begun = Shelf(sqlite), Event()
    opened: list[Opened] = []
    real = Shelf.open

    def opening(self: Shelf, name: str) -> Opened:
        opened.append(real(self, name))
        begun.set()
        return opened[-1]

    monkeypatch.setattr(Shelf, "open", opening)
    visit(shelf, "/results/", "study=colours")
    assert begun.wait(20)
    assert opened[0] is real(shelf, "colours")


def test_a_new_judgment_shows_at_the_next_opening(sqlite: Engine) -> None:
    study, shelf = made(sqlite, "rrg", "ggr"), Shelf(sqlite)
    before = shelf.open("colours")
    with writing(sqlite) as session:
        item = list_items(session, study=study, role="main")[0]
        add_judgments(session, study=study, judgments=[Judgment(item.key, add_worker(session), "green")])
    votes = [opened.results.human.panel.votes.counts.sum() for opened in (before, shelf.open("colours"))]
    assert votes == [6, 7]


def test_an_address_without_a_study_that_is_known_is_handed_on(sqlite: Engine, computed: list[str]) -> None:
    shelf = Shelf(sqlite)
    for query in ("", "study=", "study=<script>", "study=%00", "study=" + "x" * 5000, "%ff=&&&study"):
        visit(shelf, "/results/", query)
    visit(shelf, "/results/theme.css", "study=colours")
    assert computed == []


def test_only_the_first_study_of_an_address_is_taken() -> None:
    assert asked_study(b"study=a+b&study=c&page=2") == ["a b"]
    assert asked_study(b"study=%D1%8F") == ["я"]


def visit(shelf: Shelf, path: str, query: str) -> None:
    """Send a request through the middleware; it must come through to the program behind."""
    passed: list[str] = []

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["path"])

    async def nothing(*_: Message) -> Any:
        return None

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    asyncio.run(Ahead(behind, shelf)(scope, nothing, nothing))
    assert passed == [path]
