"""No worker meets a control twice unless the study says so, and nobody sees when there are none left."""

import re
from collections import Counter

import pytest
from fastapi.testclient import TestClient

from annotate.access import worker_cookie_name
from annotate.service import Service
from db.engine import Database, reading
from db.frames import judgments
from db.studies import get_study
from tests.browsing import Browser, Reply, application, token
from tests.collection import Watch, arrive, make_service, make_study

PLACE = re.compile(r'<span class="figures">(\d+) / (\d+)</span>')
LAST = "this is the last one"
LEFT = re.compile(r"<dt>Pages ahead</dt><dd>(.*?)</dd>")


def thing(reply: Reply) -> str:
    return str(re.findall(r"(?:main|control) thing \d+", reply.json()["html"])[0])


def walked(service: Service) -> list[Reply]:
    """Every screen of somebody who works until nothing is left."""
    cookies = {worker_cookie_name("colours"): arrive(service).cookie}
    with TestClient(application(service), cookies=cookies) as client:
        browser = Browser(client, "colours")
        reply, screens = browser.act("language", value="en"), []
        while reply.json()["stage"] == "work":
            screens.append(reply)
            reply = browser.answer(reply)
    return screens


def figures(screens: list[Reply]) -> list[tuple[str, ...]]:
    """Where each screen says that it stands: place and size of the page, and pages to come."""
    html = [screen.json()["html"] for screen in screens]
    return [(*PLACE.findall(one)[0], *LEFT.findall(one)) for one in html]


@pytest.mark.parametrize("main", [24, 30, 29])
@pytest.mark.parametrize("controls", [2, 3])
def test_a_worker_meets_no_control_twice_and_then_main_items_only(sqlite: Database, main: int, controls: int) -> None:
    make_study(sqlite, main=main, control=controls, overlap=1, page_main=6, page_controls=2)
    things = [thing(screen) for screen in walked(make_service(sqlite))]
    met = Counter(one.split()[0] for one in things)
    assert met == {"main": main, "control": controls}
    assert len(set(things)) == len(things)


def test_nobody_sees_when_there_are_no_controls_left(sqlite: Database) -> None:
    """Pages keep their length and go down one by one, whether controls run out on the way or never."""
    make_study(sqlite, main=45, control=3, overlap=1, page_main=6, page_controls=2)
    seen = figures(walked(make_service(sqlite)))
    assert len(seen) == 48
    assert [(int(place), int(size)) for place, size, _ in seen] == [(n % 8 + 1, 8) for n in range(48)]
    told = [left for *_, left in seen]
    assert [told[page * 8] for page in range(6)] == ["about 5", "about 4", "about 3", "about 2", "about 1", LAST]
    assert all(len(set(told[page * 8 : page * 8 + 8])) == 1 for page in range(6))


def test_a_study_may_let_controls_come_again(sqlite: Database) -> None:
    make_study(sqlite, main=24, control=2, overlap=1, page_main=6, page_controls=2, repeat_controls=True)
    screens = walked(make_service(sqlite))
    met = Counter(thing(screen) for screen in screens if "control thing" in screen.json()["html"])
    assert sorted(met.values()) == [4, 4]
    assert {size for _, size, _ in figures(screens)} == {"8"}


def test_a_control_whose_time_ran_out_comes_again_as_a_main_item_does(sqlite: Database) -> None:
    """Were it left out for good, what comes back would be known for a main item. It is answered once all the same."""
    study, watch = make_study(sqlite, main=1, control=1, overlap=1, page_main=1, page_controls=1), Watch()
    service = make_service(sqlite, watch)
    cookies = {worker_cookie_name("colours"): arrive(service).cookie}
    with TestClient(application(service), cookies=cookies) as client:
        browser = Browser(client, "colours")
        first: dict[str, str] = {}
        while len(first) < 2:
            reply = browser.state()
            first.setdefault(thing(reply), token(reply))
            watch.passes(minutes=20)
        for late in first.values():
            browser.act("answer", token=late, value="red", seconds=2)
        reply = browser.state()
        while reply.json()["stage"] == "work":
            reply = browser.answer(reply)
    with reading(sqlite) as session:
        stored = judgments(session, study=get_study(session, name=study.name))
    assert sorted(stored["role"]) == ["control", "main"]
    assert set(stored["status"]) == {"counted"}
