"""One person, one place: who may come, places an hour for an address, signed ids, a place that is not lost."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from fastapi.testclient import TestClient
from sqlmodel import select
from typer.testing import CliRunner

from annotate.accounts.guard import Guard
from annotate.accounts.login import COOKIE
from annotate.accounts.proxies import Proxies
from annotate.accounts.signer import Signer, worker_cookie_name
from annotate.invitations import PLATFORM_IDS, personal_link, signed_link
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.worker.service import Service
from app import cli
from db.accounts import count_attempt, end_sign_in, ensure_owner
from db.arrivals import KEPT, forget_arrivals
from db.engine import Database, reading, writing
from db.erasure import forget
from db.exports import ComputedFiles
from db.retention import expiring
from db.studies import get_study
from db.tables import ArrivalRow, EndedRow, FailureRow
from db.worker_summaries import worker_summaries
from db.workers import enrol_person
from tests.annotate.test_invitations import people
from tests.helpers.browsing import Browser, application, token
from tests.helpers.collection import Watch, back_to, make_study
from tests.helpers.waiting import until

HOME = "http://testserver"
SENT = {"origin": HOME}
JOINED = "/annotate/?study=colours"


def browser(service: Service, address: str = "10.0.0.1") -> TestClient:
    return TestClient(application(service), base_url=HOME, client=(address, 1), follow_redirects=False)


def shared(service: Service, query: str = "") -> str:
    return f"/join/colours/{service.signer.invitation('colours')}{query}"


def begin(service: Service, link: str, address: str = "10.0.0.1") -> int:
    """Open a link with a fresh browser and agree; return how that was answered, the link's refusal or the consent's."""
    client = browser(service, address)
    reply = client.get(link)
    return reply.status_code if reply.status_code != 303 else int(Browser(client, "colours").act("consent").status_code)


def own(service: Service, person: str) -> str:
    return personal_link(service.signer, "", "colours", person)


@pytest.mark.each_database
def test_where_a_platform_id_is_needed_the_open_link_lets_nobody_in(service: Service) -> None:
    make_study(service.database, entry="platform")
    assert [begin(service, shared(service)) for _ in range(12)] == [403] * 12
    assert [begin(service, shared(service, "?PROLIFIC_PID=%20")), people(service.database)] == [403, (0, 0)]
    assert begin(service, shared(service, "?PROLIFIC_PID=5f1a")) == 200
    assert begin(service, own(service, "anna")) == 200, "a personal link says more than an id does"
    assert people(service.database) == (2, 2)


def test_one_id_is_one_person_in_whichever_parameter_and_with_whatever_signs_nobody_sees(service: Service) -> None:
    make_study(service.database, entry="platform")
    for query in (
        "PROLIFIC_PID=5f1a",
        "workerId=5f1a",
        "worker=5f1a",
        "pid=5f1a",
        "pid=5f1a%E2%80%8B",
        "pid=%205f1a%00",
    ):
        assert begin(service, shared(service, f"?{query}")) == 200
    assert people(service.database) == (1, 1)
    assert begin(service, shared(service, "?pid=%00")) == 403


def test_who_came_before_ids_were_one_has_the_place_of_then(service: Service) -> None:
    study = make_study(service.database, entry="platform")
    with writing(service.database) as session:
        before = f"x.{service.signer.digest_of('workerId', '5f1a')}"
        enrol_person(session, study=study, external=before, language="ru")
    assert begin(service, shared(service, "?workerId=5f1a")) == 200
    assert people(service.database) == (1, 1)


def test_where_personal_links_are_needed_no_other_lets_anybody_in(service: Service) -> None:
    make_study(service.database, entry="personal")
    assert [begin(service, shared(service, query)) for query in ("", "?pid=1")] == [403, 403]
    assert begin(service, own(service, "anna")) == 200
    assert people(service.database) == (1, 1)


@pytest.mark.parametrize(
    ("entry", "language", "words"),
    [
        ("platform", "en", "from the platform"),
        ("platform", "ru", "с платформы"),
        ("personal", "en", "personal link"),
        ("personal", "ru", "личной ссылке"),
    ],
)
def test_who_may_not_come_is_told_what_to_do(service: Service, entry: str, language: str, words: str) -> None:
    make_study(service.database, entry=entry)
    reply = browser(service).get(shared(service), headers={"accept-language": language})
    assert reply.status_code == 403
    assert words in reply.text.replace("\u00a0", " ")
    assert f'lang="{language}"' in reply.text
    other = "ru" if language == "en" else "en"
    asked = browser(service).get(shared(service, f"?lang={language}"), headers={"accept-language": other})
    assert f'lang="{language}"' in asked.text, "the link says which language its reader has"


def test_who_is_in_already_stays_when_the_door_is_shut_and_who_has_not_agreed_does_not(service: Service) -> None:
    make_study(service.database)
    inside, waiting = browser(service), browser(service)
    for client in (inside, waiting):
        assert client.get(shared(service)).status_code == 303
    shown = Browser(inside, "colours").enter()
    Oversight(service.database).change("colours", {"entry": "personal"}, who="owner")
    assert token(Browser(inside, "colours").state()) == token(shown)
    assert inside.get(shared(service)).headers["location"] == JOINED
    refused = Browser(waiting, "colours").act("consent")
    assert refused.status_code == 401
    assert "data-stage" in refused.json()["html"]
    assert people(service.database) == (1, 1)


@pytest.mark.each_database
def test_the_thirty_first_new_place_of_an_hour_is_refused_and_nothing_is_stored(service: Service, watch: Watch) -> None:
    make_study(service.database)
    for number in range(30):
        watch.passes(minutes=1)
        assert begin(service, shared(service, f"?pid={number}")) == 200
    client = browser(service)
    client.get(shared(service))
    refused = Browser(client, "colours").act("consent")
    assert refused.status_code == 422
    assert people(service.database) == (30, 30)
    for language, words in (("en", "30 people"), ("ru", "30 человек")):
        Browser(client, "colours").act("language", value=language)
        said = Browser(client, "colours").act("consent").json()["error"].replace("\u00a0", " ")
        assert words in said
        assert "31 min" in said or "31 мин" in said, "the first of the thirty came 29 minutes ago"
    assert begin(service, shared(service), "10.0.0.2") == 200, "another address has places of its own"
    assert begin(service, shared(service, "?pid=7")) == 200, "who is in already takes no new place"
    watch.passes(minutes=31)
    assert Browser(client, "colours").act("consent").status_code == 200
    assert people(service.database) == (32, 32)


def test_a_house_of_ipv6_addresses_has_the_places_of_one_and_the_ceiling_is_the_studys(service: Service) -> None:
    make_study(service.database, places_an_hour=3)
    make_study(service.database, name="others")
    houses = [begin(service, shared(service), f"2001:db8:1:2::{n}") for n in range(1, 5)]
    assert houses == [200, 200, 200, 422]
    Oversight(service.database).change("colours", {"places_an_hour": 4}, who="owner")
    assert [begin(service, shared(service), f"2001:db8:1:2::{n}") for n in (5, 6)] == [200, 422]
    Oversight(service.database).change("colours", {"places_an_hour": 0}, who="owner")
    assert begin(service, shared(service), "2001:db8:1:2::7") == 200, "0 is no ceiling"


@pytest.mark.each_database
def test_many_at_once_get_no_more_places_than_there_are(service: Service) -> None:
    make_study(service.database, places_an_hour=3)
    clients = [browser(service) for _ in range(8)]
    for client in clients:
        client.get(shared(service))
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda client: Browser(client, "colours").act("consent").status_code, clients))
    assert sorted(statuses) == [200] * 3 + [422] * 5


@pytest.mark.each_database
def test_what_is_kept_of_an_address_is_a_digest_for_a_while(service: Service, watch: Watch) -> None:
    make_study(service.database)
    begin(service, shared(service), "203.0.113.9")
    with reading(service.database) as session:
        (row,) = session.execute(select(ArrivalRow)).all()
    assert "203.0.113.9" not in repr(row)
    assert row.source != Service(service.database, Signer("another secret")).signer.digest_once("arrival", "x")
    watch.passes(days=KEPT.days, seconds=1)
    with writing(service.database) as session:
        forget_arrivals(session, moment=watch())
    with reading(service.database) as session:
        assert session.execute(select(ArrivalRow)).all() == []


def test_a_requester_sees_bursts(service: Service, watch: Watch) -> None:
    make_study(service.database)
    requesters = RequesterService(service.database, service.signer, HOME, watch)
    assert requesters.live(requesters.study("colours")).bursts == []
    for _ in range(12):
        begin(service, shared(service))
    for number in range(4):
        begin(service, shared(service), f"10.0.1.{number}")
        watch.passes(minutes=5)
    (burst,) = RequesterService(service.database, service.signer, HOME, watch).live(requesters.study("colours")).bursts
    assert (burst.number, burst.minutes, len(burst.workers)) == (12, 60, 12)
    watch.passes(minutes=30)
    for number in range(15):
        begin(service, shared(service), f"10.0.2.{number}")
    found = RequesterService(service.database, service.signer, HOME, watch).live(requesters.study("colours")).bursts
    assert [(one.number, one.minutes) for one in found] == [(12, 60), (15, 1)]
    watch.passes(days=KEPT.days)
    assert (
        RequesterService(service.database, service.signer, HOME, watch).live(requesters.study("colours")).bursts == []
    )


@pytest.mark.parametrize("entry", ["open", "platform"])
def test_where_signatures_are_asked_for_no_id_can_be_made_up(service: Service, entry: str) -> None:
    make_study(service.database, entry=entry, signed_ids=True)
    make_study(service.database, name="others", signed_ids=True)
    link = signed_link(service.signer, "", "colours", "PROLIFIC_PID", "5f 1a/ж")
    sig = parse_qs(urlsplit(link).query)["sig"][0]
    forged = [
        f"?PROLIFIC_PID={value}{more}" for value in ("5f1b", quote("5f 1a/ж")) for more in ("", "&sig=", "&sig=x")
    ]
    forged += [f"?{name}={quote('5f 1a/ж')}&sig={sig}" for name in PLATFORM_IDS if name != "PROLIFIC_PID"]
    forged += [f"?PROLIFIC_PID=5f1b&sig={sig}"]
    assert {begin(service, shared(service, query)) for query in forged} == {403}
    elsewhere = link.replace(shared(service), f"/join/others/{service.signer.invitation('others')}")
    assert browser(service).get(elsewhere).status_code == 403, "signed for another study"
    assert people(service.database) == (0, 0)
    assert [begin(service, link), begin(service, link)] == [200, 200]
    assert people(service.database) == (1, 1)
    assert begin(service, own(service, "anna")) == 200, "a personal link is signed by itself"
    assert begin(service, shared(service)) == (200 if entry == "open" else 403)


def test_a_signature_that_does_not_fit_is_refused_even_where_none_is_asked_for(service: Service) -> None:
    make_study(service.database)
    assert begin(service, shared(service, "?pid=1&sig=x")) == 403
    assert begin(service, signed_link(service.signer, "", "colours", "pid", "1")) == 200
    assert begin(service, shared(service, "?pid=1")) == 200
    assert people(service.database) == (1, 1), "signed or not, the same id is the same person"


def test_a_link_that_would_replace_a_place_asks_first(service: Service) -> None:
    make_study(service.database)
    mine, other = browser(service), browser(service)
    mine.get(shared(service))
    shown = Browser(mine, "colours").enter()
    other.get(shared(service))
    Browser(other, "colours").enter()
    theirs = f"/join/colours/{back_to(service, 2)}"
    for link in (
        theirs,
        own(service, "anna"),
        shared(service, "?pid=1"),
        signed_link(service.signer, "", "colours", "pid", "2"),
    ):
        asked = mine.get(link, headers={"accept-language": "en"})
        assert (asked.status_code, "set-cookie" in asked.headers) == (409, False)
        assert f"/join/colours/{back_to(service, 1)}" in asked.text, "the way back to what is here"
        assert token(Browser(mine, "colours").state()) == token(shown)
        assert mine.post(link, headers={"origin": "https://evil.example"}).status_code == 403
        assert mine.post(link).status_code == 403
        assert token(Browser(mine, "colours").state()) == token(shown)
    assert mine.get(shared(service)).status_code == 303, "a link that says nothing of who comes changes nothing"
    assert mine.get(f"/join/colours/{back_to(service, 1)}").status_code == 303, "one's own place"
    went = mine.post(theirs, headers=SENT)
    assert (went.status_code, went.headers["location"]) == (303, JOINED)
    held = service.signer.enrolment(mine.cookies[worker_cookie_name("colours")])
    assert held is not None
    assert held.id == 2


def test_a_link_to_the_place_that_is_here_already_asks_nothing(service: Service) -> None:
    make_study(service.database, entry="platform", signed_ids=True)
    mine = browser(service)
    link = signed_link(service.signer, "", "colours", "pid", "1")
    assert mine.get(link).status_code == 303
    assert mine.get(own(service, "anna")).status_code == 303, "nobody has agreed to anything yet"
    assert mine.get(link).status_code == 303
    shown = Browser(mine, "colours").enter()
    assert mine.get(link).status_code == 303
    assert mine.get(shared(service, "?pid=1")).status_code == 303, "unsigned, but this browser is that very person's"
    assert token(Browser(mine, "colours").state()) == token(shown)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("already have a place", "Stay", "Go to the other place")),
        ("ru", ("уже есть место", "Остаться", "Перейти")),
    ],
)
def test_the_question_is_asked_in_the_language_of_the_place(
    service: Service, language: str, words: tuple[str, ...]
) -> None:
    make_study(service.database)
    mine = browser(service)
    mine.get(shared(service, f"?lang={language}"))
    Browser(mine, "colours").enter()
    text = mine.get(own(service, "anna")).text.replace("\u00a0", " ")
    assert all(word in text for word in words)
    assert f'<html lang="{language}"' in text


def test_links_for_a_list_are_made_on_the_page_and_by_a_command(
    engine: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "a secret for tests that is long enough"
    service = Service(engine, Signer(secret))
    make_study(engine, entry="platform", signed_ids=True)
    with writing(engine) as session:
        ensure_owner(session, "a password for tests")
    app = application(service)
    app.include_router(file_routes(RequesterService(engine, service.signer, HOME), ComputedFiles(engine)))
    client = TestClient(app, base_url=HOME)
    client.cookies.set(COOKIE, service.signer.sign_in_cookie("owner"))
    sent = {"people": "5f1a\n5f1b\n5f1a\n", "parameter": "PROLIFIC_PID"}
    made = client.post("/manage-files/colours/links", data=sent, headers=SENT)
    rows = list(csv.DictReader(io.StringIO(made.text)))
    assert [row["person"] for row in rows] == ["5f1a", "5f1b"]
    assert [begin(service, row["link"].removeprefix(HOME)) for row in rows] == [200, 200]
    assert client.post("/manage-files/colours/links", data=sent | {"parameter": "x"}, headers=SENT).status_code == 422
    for other in ({}, {"origin": "https://elsewhere.example"}):
        assert client.post("/manage-files/colours/links", data=sent, headers=other).status_code == 401

    (tmp_path / "ids.txt").write_text("5f1a\n5f1b\n", "utf8")
    for name, value in {
        "ETALON_SECRET": secret,
        "ETALON_PUBLIC_URL": HOME,
        "DATABASE_URL": engine.url.render_as_string(hide_password=False),
    }.items():
        monkeypatch.setenv(name, value)
    command = ["links", "colours", "--people", str(tmp_path / "ids.txt"), "--to", str(tmp_path / "links.csv")]
    ran = CliRunner().invoke(cli, [*command, "--parameter", "PROLIFIC_PID"])
    assert ran.exit_code == 0, ran.output
    assert list(csv.DictReader(io.StringIO((tmp_path / "links.csv").read_text("utf8")))) == rows
    assert CliRunner().invoke(cli, command).exit_code == 0
    assert "/p." in (tmp_path / "links.csv").read_text("utf8")
    assert CliRunner().invoke(cli, [*command, "--parameter", "id"]).exit_code == 2


def test_the_ceiling_counts_what_the_proxies_say_and_not_what_a_client_does(service: Service) -> None:
    make_study(service.database, places_an_hour=2)
    app = application(service)
    guard = Guard(app, service.database, service.signer, proxies=Proxies.of("10.0.0.1"))
    statuses = []
    for number in range(4):
        client = TestClient(guard, base_url=HOME, client=("10.0.0.1", 1), follow_redirects=False)
        client.headers["x-forwarded-for"] = f"198.51.100.{number}, 203.0.113.9"
        client.get(shared(service))
        statuses.append(Browser(client, "colours").act("consent").status_code)
    assert statuses == [200, 200, 422, 422]


@pytest.mark.each_database
def test_who_is_forgotten_leaves_no_address_behind(service: Service) -> None:
    make_study(service.database)
    begin(service, shared(service))
    begin(service, shared(service), "10.0.0.2")
    with writing(service.database) as session:
        study = get_study(session, name="colours")
        name = worker_summaries(session, study=study)[0].name
        forget(session, study=study, worker=name, keep_answers=True, who="owner", moment=service.clock())
    with reading(service.database) as session:
        assert [row.enrolment_id for row in session.execute(select(ArrivalRow))] == [2]


@pytest.mark.each_database
def test_a_server_forgets_on_time_what_nobody_asks_it_for(service: Service, watch: Watch) -> None:
    make_study(service.database)
    begin(service, shared(service))
    watch.passes(days=KEPT.days)
    with writing(service.database) as session:
        count_attempt(session, limits={"somebody": 5}, moment=watch(), until=watch())
        end_sign_in(session, key="some key", moment=watch(), until=watch())
    with expiring(service.database, watch, every=0.05):
        until(lambda: rows(service.database) == 0)


def rows(database: Database) -> int:
    """How much is kept of what is kept for a while only."""
    with reading(database) as session:
        return sum(len(session.execute(select(table)).all()) for table in (ArrivalRow, FailureRow, EndedRow))
