"""The workers' routes: who gets in, what is refused and how, and that sending twice is sending once."""

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlmodel import col
from starlette.types import Message

from annotate.accounts.signer import worker_cookie_name
from annotate.worker.screens import uninvited_page
from annotate.worker.service import Service
from annotate.worker.stages import Stage
from data.drawing.environment import tied
from data.limits import LONGEST_ACT
from data.wording import texts
from db import frames
from db.engine import open_database, reading, writing
from db.studies import Study, set_status
from db.tables import EnrolmentRow
from tests.helpers.browsing import JSON, Browser, Reply, application, invited, token
from tests.helpers.collection import make_service, make_study

HOME = "http://testserver"
FOREIGN = (
    "http://evil.example", "http://testserver.evil.example", "null", "", "http://testserver:81", "http://[testserver",
)  # fmt: skip
NUMBERS = count(1)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One database for all tests here, each of which makes studies of its own."""
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('api') / 'etalon.db'}")
    yield make_service(opened)
    opened.dispose()


@pytest.fixture
def study(service: Service) -> Study:
    return another(service)


def another(service: Service, **settings: Any) -> Study:
    return make_study(service.database, name=f"colours-{next(NUMBERS)}", **settings)


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    with TestClient(application(service), base_url=HOME, follow_redirects=False) as opened:
        opened.headers["accept-language"] = "ru"
        yield opened


def judgments(service: Service, study: Study) -> list[tuple[str, str]]:
    with reading(service.database) as session:
        frame = frames.judgments(session, study=study)
    return list(frame[["item", "label"]].itertuples(index=False, name=None))


def test_an_invitation_becomes_a_cookie_and_leaves_the_address(
    service: Service, client: TestClient, study: Study
) -> None:
    reply = client.get(f"/join/{study.name}/{service.signer.invitation(study.name)}")
    assert (reply.status_code, reply.headers["location"]) == (303, f"/annotate/?study={study.name}")
    name, _, attributes = reply.headers["set-cookie"].partition("=")
    assert name == worker_cookie_name(study.name)
    assert {part.strip().lower() for part in attributes.split(";")[1:]} == {
        "httponly", "samesite=lax", "path=/", "max-age=7776000",
    }  # fmt: skip
    assert reply.headers["cache-control"] == "no-store"


def test_over_https_the_cookie_is_secure_and_in_a_frame_made_for_it(service: Service, study: Study) -> None:
    link = f"/join/{study.name}/{service.signer.invitation(study.name)}"
    with TestClient(application(service), base_url="https://testserver", follow_redirects=False) as client:
        assert "; Secure" in client.get(link).headers["set-cookie"]
    with TestClient(application(service, framed=True), base_url=HOME, follow_redirects=False) as client:
        cookie = client.get(link).headers["set-cookie"]
    assert all(part in cookie for part in ("; Secure", "SameSite=none", "; Partitioned"))


def test_the_same_link_twice_is_the_same_worker(service: Service, client: TestClient, study: Study) -> None:
    browser = invited(service, client, study)
    browser.enter()
    assert invited(service, client, study).state().json()["stage"] == "work"


def test_a_place_in_one_study_is_no_place_in_another(service: Service, client: TestClient, study: Study) -> None:
    first, second = study, another(service)
    browser = invited(service, client, first)
    assert Browser(client, second.name).state().status_code == 401
    stolen = client.cookies[worker_cookie_name(first.name)]
    client.cookies.set(worker_cookie_name(second.name), stolen)
    assert Browser(client, second.name).state().status_code == 401
    invited(service, client, second)
    assert Browser(client, second.name).state().status_code == 200
    assert browser.state().status_code == 200


def test_a_wrong_link_and_one_to_a_study_that_is_gone_are_a_friendly_page(
    client: TestClient, service: Service, study: Study
) -> None:
    wrong = [f"{study.name}/{key}" for key in ("wrong", "ключ", "%00", "a" * 500, "wrong/", "wrong/more", "")]
    for path in [*wrong, study.name, f"gone/{service.signer.invitation('gone')}"]:
        reply = client.get(f"/join/{path}")
        assert reply.status_code in (403, 404), path
        assert reply.headers["content-type"].startswith("text/html")
        assert texts("ru")["wrong_link"]["text"].split()[0] in reply.text
        assert "set-cookie" not in reply.headers


def test_somebody_without_a_place_is_told_what_to_do(client: TestClient, service: Service, study: Study) -> None:
    reply = Browser(client, study.name).state()
    assert reply.status_code == 401
    assert reply.json()["error"] == texts("ru")["refusals"]["not_invited"]
    assert 'data-stage="uninvited"' in reply.json()["html"]
    page = client.get("/join")
    assert (page.status_code, page.text) == (401, uninvited_page("ru", "uninvited"))


def test_only_who_has_a_place_may_load_the_page(client: TestClient, service: Service, study: Study) -> None:
    sent_away = client.get("/annotate/", follow_redirects=False)
    assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/join")
    invited(service, client, study)
    assert client.get("/annotate/").status_code == 200
    Browser(client, study.name).enter()
    assert client.get("/annotate/").status_code == 200
    assert study.name not in client.get("/annotate/").text
    client.cookies.clear()


def test_a_browser_asks_for_the_page_one_script_and_one_style_sheet_and_never_again_for_those_two(
    service: Service, client: TestClient, study: Study
) -> None:
    invited(service, client, study)
    page = client.get("/annotate/").text
    asked_for = re.findall(r'(?:src|href)="(/static/worker/[^"]+)"', page)
    assert len(asked_for) == 2
    for path in asked_for:
        packed, plain = (client.get(path, headers={"accept-encoding": way}) for way in ("gzip, br", "identity"))
        assert packed.headers["content-encoding"] == "gzip"
        assert (packed.text, "content-encoding" in plain.headers) == (plain.text, False)
        assert "immutable" in packed.headers["cache-control"]
    assert client.get("/static/worker/gone.js").status_code == 404


def test_only_our_own_page_may_ask_and_only_in_json(service: Service, client: TestClient, study: Study) -> None:
    browser = invited(service, client, study)
    kinds = {
        "text/plain": 415,
        "application/x-www-form-urlencoded": 415,
        "": 415,
        "application/json; charset=utf-8": 200,
    }
    origins = {HOME: 200, "http://TESTSERVER": 200} | dict.fromkeys(FOREIGN, 403)
    asked = [({"content-type": kind}, status) for kind, status in kinds.items()]
    asked += [({"origin": origin}, status) for origin, status in origins.items()]
    for headers, status in asked:
        for reply in (browser.raw(b'{"kind": "consent"}', **headers), browser.state(headers=JSON | headers, json=None)):
            assert reply.status_code == status, headers
            assert reply.headers["cache-control"] == "no-store"
            assert status == 200 or set(reply.json()) == {"error"}


def test_a_body_that_makes_no_sense_is_refused(service: Service, client: TestClient, study: Study) -> None:
    browser = invited(service, client, study)
    answers = [
        b'"token": 5', b'"token": "\\u0451"', b'"token": "%b"' % (b"1" * 101), b'"seconds": NaN', b'"seconds": "soon"',
        b'"value": "\\ud800"', b'"value": "\xff"', b'"value": %b' % (b"[" * 20_000 + b"]" * 20_000),
        b'"value": ' + b"9" * 30_000,
    ]  # fmt: skip
    bodies = [b"", b"{", b"[]", b"null", b'"consent"', b"{}", b'{"kind": "redo"}', b'{"kind": 1}']
    for body in bodies + [b'{"kind": "answer", %b}' % answer for answer in answers]:
        reply = browser.raw(body)
        expected = (400, {"error": texts("ru")["refusals"]["bad_request"]})
        assert (reply.status_code, reply.json()) == expected, body[:80]


def test_a_body_that_is_too_long_is_refused_whatever_it_says(
    service: Service, client: TestClient, study: Study
) -> None:
    browser = invited(service, client, study)
    longest = b'{"kind": "consent", "value": "%b"}' % (b"x" * (LONGEST_ACT - 32))
    assert browser.raw(longest).status_code == 200
    assert browser.raw(longest.replace(b"xx", b"xxx", 1)).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield from (b" " * 1024 for _ in range(65))

    assert browser.state(content=pieces(), headers=JSON, json=None).status_code == 413


def test_an_answer_the_task_does_not_allow_is_a_sentence_in_the_workers_language(
    service: Service, client: TestClient, study: Study
) -> None:
    browser = invited(service, client, study, "?lang=en")
    shown = browser.enter()
    nested: dict[str, Any] = {"a": {"b": []}}
    for value in ("blue", "", None, 0, True, 1.5, [], {}, ["red"], nested, "<b>", "\0", "9" * 4000, 10**300):
        reply = browser.answer(shown, value)
        assert reply.status_code == 422, value
        assert reply.json()["error"].startswith(("Please choose", "There is no option"))
    assert judgments(service, study) == []


def test_an_answer_to_something_else_is_refused(service: Service, client: TestClient, study: Study) -> None:
    browser = invited(service, client, study)
    browser.enter()
    for wrong in ("", "0", "0.", "0.x", "999999999.x", "-1.x", "1." + "A" * 24, "%s.x", " "):
        assert browser.act("answer", token=wrong, value="red").status_code in (400, 422), wrong
    assert judgments(service, study) == []


def test_the_token_of_another_worker_is_worth_nothing(service: Service, client: TestClient, study: Study) -> None:
    other = token(invited(service, client, study).enter())
    client.cookies.clear()
    browser = invited(service, client, study)
    own = browser.enter()
    reply = browser.act("answer", token=other, value="red")
    assert (reply.status_code, reply.json()["error"]) == (422, texts("ru")["mistakes"]["unknown_item"])
    assert browser.state().content == own.content


def test_looking_or_sending_twice_gives_the_same_bytes_and_one_judgment(
    service: Service, client: TestClient, study: Study
) -> None:
    browser = invited(service, client, study)
    shown = browser.enter()
    assert browser.state().content == shown.content
    first, second = browser.answer(shown), browser.answer(shown)
    assert first.content == second.content
    assert len(judgments(service, study)) == 1
    other = browser.answer(shown, "green").json()
    assert other.pop("left") == "elsewhere", "that answer is not the one that was stored"
    assert other == first.json()
    assert [label for _, label in judgments(service, study)] == ["red"]


def test_the_language_changes_at_once_and_stays(service: Service, client: TestClient, study: Study) -> None:
    browser = invited(service, client, study)
    russian = browser.enter()
    english = browser.act("language", value="en")
    assert 'lang="en"' in english.json()["html"]
    assert token(english) == token(russian)
    assert browser.state().content == english.content
    assert browser.act("language", value="ru").content == russian.content
    reply = browser.act("language", value="xx")
    assert (reply.status_code, "ru, en" in reply.json()["error"]) == (422, True)


def test_every_stage_is_reached_and_drawn(service: Service, client: TestClient) -> None:
    study = another(service, main=1, training=1, overlap=2, training_attempts=2)
    browser = invited(service, client, study)
    seen = [browser.state(), browser.act("consent"), browser.act("begin")]
    seen.append(browser.answer(seen[-1]))
    seen.append(browser.act("next"))
    seen.append(browser.answer(seen[-1]))
    assert stages(seen) == ["consent", "instructions", "training", "feedback", "work", "done"]

    client.cookies.clear()
    late = invited(service, client, study)
    reply = late.answer(late.enter(), "green")
    assert tied(texts("ru")["feedback"]["wrong"]) in unescape(reply.json()["html"])
    once = [late.act("next"), late.act("again")]
    assert stages([*once, late.answer(once[-1], "green")]) == ["again", "training", "feedback"]
    assert stages([late.act("next"), late.state()]) == ["failed", "failed"]
    with writing(service.database) as session:
        session.execute(update(EnrolmentRow).where(col(EnrolmentRow.study_id) == study.id).values(status="excluded"))
    assert stages([late.state()]) == ["stopped"]
    with writing(service.database) as session:
        set_status(session, study=study, status="closed")
    client.cookies.clear()
    assert stages([invited(service, client, study).state()]) == ["closed"]


def stages(replies: list[Reply]) -> list[Stage]:
    for reply in replies:
        assert reply.status_code == 200
        stage = reply.json()["stage"]
        assert ("kept" in reply.json()) == (stage in ("training", "work"))
        assert set(reply.json()) - {"kept", "note"} == {"stage", "html"}
        assert f'data-stage="{reply.json()["stage"]}"' in reply.json()["html"]
    return [reply.json()["stage"] for reply in replies]


def test_a_browser_that_goes_away_in_the_middle_of_its_body_breaks_nothing(service: Service, study: Study) -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    sent: list[Message] = []
    path = f"/api/annotate/{study.name}/act"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"100")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    asyncio.run(application(service)(scope, receive, send))
    assert sent[0]["status"] == 400
