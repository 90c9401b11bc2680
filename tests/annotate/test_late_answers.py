"""What comes late is kept and told at once; nothing counts or is paid above the overlap and the study's limits."""

from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from annotate.accounts.signer import worker_cookie_name
from annotate.requesters.requester_service import RequesterService
from annotate.worker.service import Service
from data.errors import BadSetting
from data.wording import texts
from db.assignments import settle_expired
from db.engine import Database, reading, write, writing
from db.frames import judgments
from db.items import coverage
from db.studies import get_study
from tests.helpers.browsing import Browser, Reply, application, token
from tests.helpers.collection import SIGNER, Watch, arrive, make_service, make_study

PRICE = 2.0
Stored = list[tuple[str, float]]
Tabs = Callable[[int], tuple[Browser, list[str]]]


@pytest.fixture
def service(sqlite: Database, watch: Watch) -> Service:
    return make_service(sqlite, watch)


@pytest.fixture
def open_tabs(service: Service, watch: Watch) -> Iterator[Tabs]:
    """A worker who lets so many items run out, each in a tab of its own, and holds one more.

    Others take each of them and let it run out as well: else its worker would find the same one again.
    """
    places = "UPDATE item SET free = {} WHERE role = 'main' AND id IN (SELECT item_id FROM assignment)"
    with TestClient(application(service)) as client:

        def opened(number: int) -> tuple[Browser, list[str]]:
            client.cookies.set(worker_cookie_name("colours"), arrive(service).cookie)
            browser = Browser(client, "colours")
            tokens: list[str] = []
            while len(tokens) <= number:
                tokens.append(token(browser.state()))
                if len(tokens) <= number:
                    watch.passes(minutes=16)
                    with writing(service.database) as session:
                        settle_expired(session, study_id=1, moment=watch())
                        write(session, text(places.format(0)))
            with writing(service.database) as session:
                write(session, text(places.format("target - held - filled")))
            return browser, tokens

        yield opened


def send(browser: Browser, token: str, watch: Watch, seconds: float = 2) -> Reply:
    watch.passes(seconds=seconds)
    reply = browser.act("answer", token=token, value="red", seconds=seconds)
    assert reply.status_code == 200
    return reply


def stored(database: Database) -> Stored:
    with reading(database) as session:
        frame = judgments(session, study=get_study(session, name="colours"))
    return list(zip(frame["status"], frame["price"], strict=True))


def counted(database: Database) -> int:
    return sum(status == "counted" for status, _ in stored(database))


def agree(database: Database, service: Service, paid: float, answers: int) -> None:
    """Hold what the worker sees, what the study owes and what is exported against each other."""
    requesters = RequesterService(database, SIGNER, "http://etalon.example", clock=service.clock)
    owed = requesters.oversight.payments("colours").frame
    assert list(owed["total"]) == [paid]
    assert list(owed["answers"]) == [answers]
    assert sum(price for _, price in stored(database)) == paid


@pytest.mark.parametrize("limit", [{"max_items": 6}, {"max_pay": 6 * PRICE}])
def test_no_limit_is_exceeded_by_answers_that_come_late(
    sqlite: Database,
    service: Service,
    watch: Watch,
    open_tabs: Tabs,
    limit: dict[str, Any],
) -> None:
    make_study(sqlite, main=900, page_controls=0, price=PRICE, **limit)
    browser, tokens = open_tabs(9)
    replies = [send(browser, one, watch) for one in tokens]
    assert counted(sqlite) == 6
    assert len(stored(sqlite)) == 10, "every answer is kept"
    assert [reply.json().get("left", "") for reply in replies[6:]] == ["over_limit_unpaid"] * 4
    assert replies[-1].json()["stage"] == "done"
    agree(sqlite, service, 6 * PRICE, 10)
    assert "12.00" in unescape(browser.act("language", value="en").json()["html"]).replace("\N{NO-BREAK SPACE}", " ")


def test_active_hours_end_with_the_answer_that_reaches_them(sqlite: Database, watch: Watch, open_tabs: Tabs) -> None:
    make_study(sqlite, main=900, price=PRICE, max_hours=0.024)  # 86.4 seconds
    browser, tokens = open_tabs(5)
    told = [send(browser, one, watch, seconds=15).json().get("left", "") for one in tokens]
    assert counted(sqlite) == 3, "a minute of the long wait, 75 and 90 seconds: the third began below the limit"
    assert told == ["", "", "", *["over_limit_unpaid"] * 3]


def test_the_item_in_hand_goes_back_when_a_late_answer_was_the_last_that_is_allowed(
    sqlite: Database, watch: Watch, open_tabs: Tabs
) -> None:
    make_study(sqlite, main=4, overlap=1, price=PRICE, page_controls=0, max_items=1)
    browser, (late, held) = open_tabs(1)
    reply = send(browser, late, watch)
    assert (reply.json()["stage"], "left" in reply.json()) == ("done", False)
    with reading(sqlite) as session:
        known = coverage(session, study=get_study(session, name="colours"))
    assert (known.filled, known.held) == (1, 0), "others may have the item"
    assert send(browser, held, watch).json()["left"] == "over_limit_unpaid"
    assert (counted(sqlite), len(stored(sqlite))) == (1, 2)


def test_an_answer_taken_back_makes_room_for_one_and_no_more(sqlite: Database, watch: Watch, open_tabs: Tabs) -> None:
    make_study(sqlite, main=900, price=PRICE, page_controls=0, page_main=40, max_items=3)
    browser, tokens = open_tabs(4)
    reply = send(browser, tokens[-1], watch)
    reply = send(browser, token(reply), watch)
    again = browser.act("undo", token=token(reply))
    for one in (*tokens[:-1], token(again)):
        send(browser, one, watch)
    assert counted(sqlite) == 3
    assert sum(price for status, price in stored(sqlite) if status != "void") == 3 * PRICE


@pytest.mark.parametrize(("settings", "told", "price"), [
    ({"price": PRICE}, "surplus_unpaid", 0.0),
    ({"price": PRICE, "pay_late": True}, "surplus", PRICE),
    ({}, "surplus", 0.0),
])  # fmt: skip
def test_a_late_answer_that_the_overlap_no_longer_wants_is_paid_only_where_the_study_says_so(
    sqlite: Database,
    service: Service,
    watch: Watch,
    open_tabs: Tabs,
    settings: dict[str, Any],
    told: str,
    price: float,
) -> None:
    make_study(sqlite, main=2, overlap=1, page_controls=0, **settings)
    browser, (late,) = open_tabs(0)
    watch.passes(minutes=16)
    list(arrive(service).work())
    reply = send(browser, late, watch)
    assert reply.json()["left"] == told
    assert stored(sqlite)[-1] == ("surplus", price)
    for language, words in (("ru", "не оплачивается"), ("en", "not paid")):
        assert (words in texts(language)["says"][told]) == (told == "surplus_unpaid")


def test_beyond_a_limit_a_late_answer_is_paid_where_the_study_says_so(
    sqlite: Database, service: Service, watch: Watch, open_tabs: Tabs
) -> None:
    make_study(sqlite, main=900, page_controls=0, price=PRICE, max_items=2, pay_late=True)
    browser, tokens = open_tabs(3)
    told = [send(browser, one, watch).json().get("left", "") for one in tokens]
    assert told == ["", "", "over_limit", "over_limit"]
    assert counted(sqlite) == 2
    agree(sqlite, service, 4 * PRICE, 4)


def test_an_item_that_its_worker_holds_again_takes_the_late_answer(
    sqlite: Database, watch: Watch, open_tabs: Tabs
) -> None:
    """The only item ran out and came again in another tab: the first tab's answer is the one that is wanted."""
    make_study(sqlite, main=1, overlap=1, page_controls=0, price=PRICE)
    browser, (late,) = open_tabs(0)
    watch.passes(minutes=16)
    held = token(browser.state())
    for each in (late, held):
        reply = send(browser, each, watch)
        assert (reply.json()["stage"], reply.json().get("left")) == ("done", None)
    assert stored(sqlite) == [("counted", PRICE)]


def test_late_answers_to_a_sitting_keep_the_limit_too(sqlite: Database, watch: Watch, service: Service) -> None:
    make_study(sqlite, main=6, overlap=1, sitting=True, price=PRICE, max_items=4)
    person = arrive(service)
    old = person.look()
    watch.passes(minutes=16)
    other = arrive(service)
    other.look()
    watch.passes(minutes=16)
    assert person.answer(old).stage == "work"
    assert [view.item_outcome for view in person.work()] == [""] * 3
    assert (person.look().capped, counted(sqlite)) == (True, 4)


def test_what_was_promised_for_late_answers_is_not_taken_back(sqlite: Database, service: Service) -> None:
    make_study(sqlite, price=PRICE, pay_late=True)
    requesters = RequesterService(sqlite, SIGNER, "http://etalon.example", clock=service.clock)
    arrive(service)
    with pytest.raises(BadSetting, match="Pay late answers"):
        requesters.oversight.change("colours", {"pay_late": False}, who="owner")
    make_study(sqlite, name="shapes", price=PRICE)
    changed = requesters.oversight.change("shapes", {"pay_late": True, "repeat_controls": True}, who="owner")
    assert changed == {"pay_late": [False, True], "repeat_controls": [False, True]}


@pytest.mark.parametrize(("paid", "told"), [(False, "only if it is still needed"), (True, "is paid too")])
def test_consent_says_what_becomes_of_late_answers(sqlite: Database, service: Service, paid: bool, told: str) -> None:
    make_study(sqlite, price=PRICE, pay_late=paid, language="en")
    with TestClient(application(service)) as client:
        client.cookies.set(worker_cookie_name("colours"), arrive(service, ready=False).cookie)
        html = Browser(client, "colours").act("language", value="en").json()["html"]
    assert told in unescape(html).replace("\N{NO-BREAK SPACE}", " ")
