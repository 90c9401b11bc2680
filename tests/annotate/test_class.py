"""A class from one address: who found no place waits, the requester sees how many and lets them in, over HTTP."""

import pytest
from fastapi.testclient import TestClient

from annotate.pages.manage.study_drawing import draw_waits
from annotate.requesters.requester_service import RequesterService
from annotate.worker.service import Service
from db.arrivals import HOUR, KEPT, LET_IN, RefusedArrivals, forget_arrivals, refused_arrivals
from db.engine import reading, writing
from db.events import list_events
from db.studies import get_study
from db.unfinished_studies import delete_unanswered
from tests.helpers.browsing import Browser, application, invited
from tests.helpers.collection import SIGNER, Watch, make_study


def browser(service: Service, address: str = "10.0.0.1") -> Browser:
    client = TestClient(application(service), client=(address, 1), follow_redirects=False)
    with reading(service.database) as session:
        return invited(service, client, get_study(session, name="colours"))


def agrees(one: Browser) -> int:
    return int(one.act("consent", value={"version": version(one), "notice": True}).status_code)


def version(one: Browser) -> str:
    return str(one.state().json()["html"]).split('data-version="')[1].split('"')[0]


def stage(one: Browser) -> str:
    return str(one.state().json()["stage"])


def requesters(service: Service, watch: Watch) -> RequesterService:
    return RequesterService(service.database, SIGNER, "http://testserver", watch)


def refused(service: Service, watch: Watch) -> int:
    desk = requesters(service, watch)
    return desk.live(desk.study("colours")).refused.number


def test_a_class_of_forty_is_seen_let_in_and_goes_on_without_a_reload(service: Service, watch: Watch) -> None:
    make_study(service.database, overlap=50)
    pupils = [browser(service) for _ in range(40)]
    assert [agrees(one) for one in pupils] == [200] * 30 + [422] * 10
    assert {stage(one) for one in pupils[30:]} == {"no_room"}
    assert [agrees(one) for one in pupils[30:]] * 2 == [422] * 20
    assert refused(service, watch) == 10, "people, however often they ask"
    desk = requesters(service, watch)
    drawn = str(draw_waits(desk.study("colours")))
    assert "10 people were refused" in drawn
    assert "data-let-in" in drawn
    desk.oversight.let_in("colours", who="owner")
    replies = [one.act("consent", value={"version": version(one), "notice": True}) for one in pupils[30:]]
    assert [reply.json()["stage"] for reply in replies] == ["instructions"] * 10
    assert refused(service, watch) == 0
    with reading(service.database) as session:
        (event,) = list_events(session, study=get_study(session, name="colours"), kinds=["let_in"])
    assert (event.who, event.details) == ("owner", {"places": LET_IN})


def test_who_is_refused_or_let_in_in_one_study_is_nobody_of_another(service: Service, watch: Watch) -> None:
    here, there = (make_study(service.database, name=name, places_an_hour=1) for name in ("colours", "others"))
    for address in ("10.0.0.1", "10.0.0.1"):
        agrees(browser(service, address))
    requesters(service, watch).oversight.let_in("colours", who="owner")
    with reading(service.database) as session:
        waiting = refused_arrivals(session, study=here, moment=watch())
        assert (waiting.number, waiting.until) == (1, watch() + HOUR)
        assert refused_arrivals(session, study=there, moment=watch()) == RefusedArrivals()


def test_so_many_more_are_let_in_from_any_address_and_for_an_hour(
    service: Service, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.arrivals.LET_IN", 12)
    make_study(service.database, places_an_hour=1, overlap=50, main=12)
    assert [agrees(browser(service, address)) for address in ("10.0.0.1", "10.0.0.2")] == [200, 200]
    watch.passes(minutes=1)
    requesters(service, watch).oversight.let_in("colours", who="owner")
    watch.passes(minutes=1)
    let_in = [agrees(browser(service, f"10.0.0.{n % 2 + 1}")) for n in range(13)]
    assert let_in == [200] * 12 + [422]
    requesters(service, watch).oversight.let_in("colours", who="owner")
    assert agrees(browser(service)) == 200, "one more click lets as many in again"
    watch.passes(minutes=60)
    assert [agrees(browser(service, "10.0.0.3")) for _ in range(2)] == [200, 422], "the hour is over"


def test_who_waits_asks_again_with_what_was_agreed_to_and_comes_in_when_the_hour_is_over(
    service: Service, watch: Watch
) -> None:
    make_study(service.database, places_an_hour=1, notice="Тяжёлая тема")
    first, second = browser(service), browser(service)
    assert [agrees(first), second.act("consent").status_code] == [200, 422]
    assert stage(second) == "consent", "the notice is not acknowledged: nobody waits yet"
    assert (agrees(second), stage(second)) == (422, "no_room")
    second.act("language", value="en")
    html = second.state().json()["html"]
    assert "Tell the person who runs the study" in html.replace("\u00a0", " ")
    assert "data-again" in html
    assert "1 person" in html.replace("\u00a0", " ")
    watch.passes(minutes=61)
    assert (stage(second), agrees(second)) == ("consent", 200)


def test_nothing_of_an_address_but_a_digest_is_kept_for_a_week_and_goes_with_the_study(
    service: Service, watch: Watch
) -> None:
    study = make_study(service.database, places_an_hour=1)
    others = make_study(service.database, name="others", places_an_hour=1)
    for _ in range(2):
        agrees(browser(service, "203.0.113.9"))
    with reading(service.database) as session:
        stored = str(session.exec_driver_sql("SELECT * FROM refusal").all())
    assert stored != "[]"
    assert "203.0.113" not in stored
    assert refused(service, watch) == 1
    watch.passes(days=KEPT.days, seconds=1)
    with writing(service.database) as session:
        forget_arrivals(session, moment=watch())
    assert refused(service, watch) == 0
    with writing(service.database) as session:
        delete_unanswered(session, name=others.name)
    assert study.name == "colours"
