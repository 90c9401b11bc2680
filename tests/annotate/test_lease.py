"""Who reads keeps the item: a sign of life makes a lease last, four times its length at most, and no longer."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from annotate.worker.service import Service
from data.limits import LONGEST_ACT
from db.engine import Database, writing
from db.items import add_items
from db.studies import Study, create_study
from db.study_settings import StudySettings
from tests.annotate.test_exam import USE, short
from tests.helpers.browsing import JSON, Browser, Reply, application, invited, token
from tests.helpers.collection import Watch, make_study

LEASE = 10  # minutes
ONE = {"main": 1, "overlap": 1, "page_controls": 0, "lease_minutes": LEASE}


@pytest.fixture
def people(service: Service) -> Iterator[Any]:
    """Return a maker of people, each with a browser of their own, who have read the instruction."""
    opened: list[TestClient] = []

    def arrive(study: Study) -> tuple[Browser, Reply]:
        client = TestClient(application(service), base_url="http://testserver", follow_redirects=False)
        opened.append(client.__enter__())
        browser = invited(service, client, study)
        return browser, browser.enter()

    yield arrive
    for client in opened:
        client.__exit__(None, None, None)


def beat(browser: Browser, named: str) -> dict[str, int]:
    reply = browser.client.post(f"/api/annotate/{browser.study}/alive", json={"token": named})
    assert reply.status_code == 200, reply.text
    return told(reply)


def told(reply: Reply) -> dict[str, int]:
    """Return how long an item is kept, in seconds."""
    return {name: reply.json()["kept"][name] for name in ("seconds", "most", "lease")}


def holds(reply: Reply) -> bool:
    return bool(reply.json()["stage"] == "work")


@pytest.mark.each_database
def test_an_item_is_kept_while_somebody_reads_and_given_to_others_after_four_times_its_length(
    engine: Database, people: Any, watch: Watch
) -> None:
    study = make_study(engine, **ONE)  # type: ignore[arg-type]
    (reader, page), (other, _) = people(study), people(study)
    mine = token(page)
    for minute in range(3, 40, 3):
        watch.passes(minutes=3)
        kept = beat(reader, mine)
        assert kept == {"seconds": 60 * min(LEASE, 40 - minute), "most": 60 * (40 - minute), "lease": 60 * LEASE}
        assert not holds(other.state())
    watch.passes(minutes=2)
    assert beat(reader, mine)["seconds"] == 0, "its longest time is over"
    assert holds(other.state())
    assert beat(reader, mine)["seconds"] == 0, "what others have is not taken back"
    assert other.answer(other.state()).json()["stage"] == "done"


def test_without_a_sign_of_life_an_item_goes_to_others_when_its_time_is_over(
    engine: Database, people: Any, watch: Watch
) -> None:
    study = make_study(engine, **ONE)  # type: ignore[arg-type]
    (reader, page), (other, _) = people(study), people(study)
    watch.passes(minutes=9)
    assert beat(reader, token(page))["seconds"] == 60 * LEASE
    watch.passes(minutes=9)
    assert not holds(other.state())
    watch.passes(minutes=2)
    assert holds(other.state())


def test_asking_for_the_page_again_and_again_holds_an_item_no_longer_than_that(
    engine: Database, people: Any, watch: Watch
) -> None:
    study = make_study(engine, **ONE)  # type: ignore[arg-type]
    (holder, page), (other, _) = people(study), people(study)
    for _ in range(8):
        watch.passes(minutes=5)
        assert token(holder.state()) == token(page)
        assert not holds(other.state())
    watch.passes(seconds=1)
    assert holds(other.state())


def test_every_screen_with_an_item_says_how_long_it_is_kept(engine: Database, people: Any, watch: Watch) -> None:
    study = make_study(engine, main=3, control=1, training=1, overlap=1, lease_minutes=LEASE)
    browser, page = people(study)
    whole = {"seconds": 600, "most": 2400, "lease": 600}
    assert (page.json()["stage"], told(page)) == ("training", whole)
    explained = browser.answer(page).json()
    assert (explained["stage"], "kept" in explained) == ("feedback", False)
    page = browser.act("next")
    while holds(page):
        assert told(page) == whole, "the same for a control and for a main item"
        watch.passes(minutes=4)
        assert told(browser.state()) == {"seconds": 600, "most": 2160, "lease": 600}
        page = browser.answer(page)
    assert "kept" not in page.json()


def test_only_the_item_in_ones_own_hands_is_kept(engine: Database, people: Any, watch: Watch) -> None:
    study = make_study(engine, **{**ONE, "main": 3})  # type: ignore[arg-type]
    (mine, first), (other, theirs) = people(study), people(study)
    second = mine.answer(first)
    for named in (token(first), token(theirs), "", "0", "0.forged", "999999." + "x" * 24):
        assert beat(mine, named)["seconds"] == 0, named
    watch.passes(minutes=9)
    assert beat(mine, token(second))["seconds"] == 600
    watch.passes(minutes=2)
    stage = mine.state(json={"token": token(second)}).json()
    assert (stage["stage"], stage.get("left")) == ("work", None)
    assert beat(other, token(theirs))["seconds"] == 0, "nobody's beat kept it"


def test_a_sign_of_life_is_guarded_as_an_answer_is(engine: Database, people: Any, service: Service) -> None:
    study = make_study(engine, **ONE)  # type: ignore[arg-type]
    browser, page = people(study)
    ask, path, body = browser.client.post, f"/api/annotate/{study.name}/alive", {"token": token(page)}
    assert ask(path, json=body, headers={"origin": "http://evil.example"}).status_code == 403
    assert ask(path, content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert ask(path, content=b" " * (LONGEST_ACT + 1), headers=JSON).status_code == 413
    assert ask(path, content=b"[", headers=JSON).status_code == 400
    assert ask(path, json={"token": "x" * 101}).status_code == 400
    assert browser.client.get(path).status_code == 405
    elsewhere = make_study(engine, name="others", **ONE)
    assert ask(f"/api/annotate/{elsewhere.name}/alive", json=body).status_code == 401
    browser.client.cookies.clear()
    assert ask(path, json=body).status_code == 401


@pytest.mark.each_database
def test_in_a_sitting_the_whole_variant_is_kept_as_long_as_its_item_in_hand(
    engine: Database, people: Any, watch: Watch
) -> None:
    with writing(engine) as session:
        settings = StudySettings(overlap=1, sitting=True, lease_minutes=LEASE)
        study = create_study(session, name="exam", task=USE, settings=settings, seed=7)
        add_items(session, study=study, items=short("1"))
    (sitter, page), (other, _) = people(study), people(study)
    right = {item.fields["task"]: USE.answer.best(item.gold or "", item.fields) for item in short("1")}
    for number in range(3):  # 35 minutes for each: longer than four times ten in all
        for _ in range(5):
            watch.passes(minutes=7)
            assert beat(sitter, token(page))["seconds"] == 60 * min(LEASE, 5 + 7 * (4 - _))
            assert not holds(other.state())
        if number < 2:
            value = next(gold for text, gold in right.items() if text[:20] in page.json()["html"])
            page = sitter.answer(page, value)
            assert page.json()["kept"]["most"] == 2400, "an answer is a step on: time is counted anew"
    watch.passes(minutes=6)
    assert beat(sitter, token(page))["seconds"] == 0
    sitter.state()
    assert holds(other.state()), "asking once more did not hold the variant"


def test_a_sign_of_life_costs_the_server_no_more_than_an_answer(engine: Database, people: Any, watch: Watch) -> None:
    study = make_study(engine, **{**ONE, "main": 120})  # type: ignore[arg-type]
    browser, page = people(study)
    beating, answering = [], []
    for _ in range(100):
        watch.passes(minutes=4)
        begun = time.process_time()
        beat(browser, token(page))
        between = time.process_time()
        page = browser.answer(page)
        beating.append(between - begun)
        answering.append(time.process_time() - between)
    middle = len(beating) // 2
    assert sorted(beating)[middle] <= sorted(answering)[middle]
