"""Who comes with which link, and who comes back as whom: shared links, platforms, links of one's own, return links."""

from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlmodel import col, func, select

from annotate.accounts.signer import worker_cookie_name
from annotate.invitations import NotInvited, personal_link
from annotate.worker import screens
from annotate.worker.service import Service
from annotate.worker.stages import Act
from db.engine import Database, reading, writing
from db.statuses import StudyStatus
from db.studies import get_study, set_status
from db.tables import EnrolmentRow, WorkerRow
from tests.helpers.browsing import Browser, application, token
from tests.helpers.collection import Person, make_service, make_study

HOME = "http://testserver"


@pytest.fixture
def service(sqlite: Database) -> Service:
    make_study(sqlite)
    return make_service(sqlite)


def opened(service: Service, query: str = "", key: str = "", study: str = "colours") -> Browser:
    """A browser nobody has used before, at a link."""
    client = TestClient(application(service), base_url=HOME, follow_redirects=False)
    return follow(service, client, query, key, study)


def follow(service: Service, client: httpx2.Client, query: str = "", key: str = "", study: str = "colours") -> Browser:
    reply = client.get(f"/join/{study}/{key or service.signer.invitation(study)}{query}")
    assert (reply.status_code, reply.headers["location"]) == (303, f"/annotate/?study={study}")
    return Browser(client, study)


def people(database: Database) -> tuple[int, int]:
    """How many workers and how many enrolments there are."""
    with reading(database) as session:
        workers, enrolments = (
            session.execute(select(func.count(col(row.id)))).scalar_one() for row in (WorkerRow, EnrolmentRow)
        )
    return workers, enrolments


def test_nobody_is_enrolled_before_they_agree(service: Service) -> None:
    for _ in range(3):
        browser = opened(service, "?PROLIFIC_PID=5f1a")
        assert browser.state().json()["stage"] == "consent"
        assert browser.act("begin").json()["stage"] == "consent"
    assert people(service.database) == (0, 0)
    assert browser.act("language", value="en").json()["html"].count('lang="en"') >= 1
    assert 'lang="en"' in browser.state().json()["html"]
    assert browser.enter().json()["stage"] == "work"
    assert people(service.database) == (1, 1)


def test_consent_sent_again_and_at_once_enrols_once(engine: Database) -> None:
    make_study(engine)
    service = make_service(engine)
    cookie = service.invite("colours", service.signer.invitation("colours"))
    with ThreadPoolExecutor(6) as pool:
        views = list(pool.map(lambda _: service.act("colours", cookie, Act("consent")), range(6)))
    assert {view.stage for view in views} == {"instructions"}
    assert len({view.cookie for view in views}) == 1
    assert people(service.database) == (1, 1)
    assert service.state("colours", cookie).stage == "instructions", "the old cookie leads to the same place"


@pytest.mark.parametrize(
    "query",
    [
        "?PROLIFIC_PID=5f1a&STUDY_ID=s&SESSION_ID={visit}",
        "?workerId=A1&assignmentId={visit}",
        "?worker=7",
        "?pid=%D0%96",
    ],
)
def test_who_comes_from_a_platform_again_is_the_same_worker(service: Service, query: str) -> None:
    first = opened(service, query.format(visit="one"))
    shown = first.enter()
    other = opened(service, query.format(visit="two"))
    assert token(other.state()) == token(shown)
    assert people(service.database) == (1, 1)
    assert opened(service, query.replace("=", "=x")).state().json()["stage"] == "consent"


def test_what_is_kept_of_a_platforms_id_is_a_digest(service: Service) -> None:
    browser = opened(service, "?PROLIFIC_PID=5f1a0c&workerId=other")
    browser.enter()
    with reading(service.database) as session:
        worker = session.execute(select(WorkerRow)).one()
    assert "5f1a0c" not in repr(worker)
    assert worker.external == f"x.{service.signer.digest_of('PROLIFIC_PID', '5f1a0c')}"
    assert "5f1a0c" not in "".join(browser.client.cookies.values())


def test_a_link_of_ones_own_is_the_same_worker_everywhere_and_cannot_be_made_up(service: Service) -> None:
    link = personal_link(service.signer, "https://here", "colours", "anna@example.org")
    key = link.rpartition("/")[2]
    assert link.startswith("https://here/join/colours/p.")
    assert "anna" not in link
    shown = opened(service, key=key).enter()
    assert token(opened(service, key=key).state()) == token(shown)
    assert token(opened(service, "?pid=somebody-else", key=key).state()) == token(shown)
    forged = key.replace(key.split(".")[1], service.signer.digest_of("personal", "boris"))
    for wrong in (forged, key[:-1], f"{key}x", key.split(".")[1], "p..", "p.", "r.", "r.1.", "r.x.y", "r.1.ж"):
        with pytest.raises(NotInvited):
            service.invite("colours", wrong)
    make_study(service.database, name="others")
    with pytest.raises(NotInvited):
        service.invite("others", key)


def test_somebody_elses_link_in_the_same_browser_is_somebody_else(service: Service) -> None:
    first = opened(service, "?pid=1")
    first.enter()
    asked = first.client.get(f"/join/colours/{service.signer.invitation('colours')}?pid=2")
    assert asked.status_code == 409, "whoever is here is asked before another person takes the place"
    first.client.post(str(asked.url), headers={"origin": HOME})
    second = Browser(first.client, "colours")
    assert second.state().json()["stage"] == "consent"
    second.enter()
    assert people(service.database) == (2, 2)
    assert follow(service, first.client).state().json()["stage"] == "work", "a link that says nothing changes nothing"
    assert people(service.database) == (2, 2)


def test_who_is_known_by_nothing_comes_back_by_a_return_link(service: Service) -> None:
    browser = opened(service)
    shown = browser.enter()
    person = Person(service, "colours", browser.client.cookies[worker_cookie_name("colours")])
    path = person.look().return_path
    assert path.startswith("/join/colours/r.")
    beside = service.sheet("colours", person.cookie)
    assert f">{path}<" in screens.sheet(beside)
    assert token(opened(service, key=path.rpartition("/")[2]).state()) == token(shown)
    with pytest.raises(NotInvited):
        service.invite("colours", path.rpartition("/")[2].replace("r.1.", "r.2."))
    known = opened(service, "?pid=1")
    assert "/join/" not in known.enter().json()["html"]


def test_one_person_in_two_studies_is_one_worker(service: Service) -> None:
    make_study(service.database, name="others")
    for study in ("colours", "others"):
        opened(service, "?pid=1", study=study).enter()
    assert people(service.database) == (1, 2)


def test_an_invitation_to_a_study_that_rests_or_is_over_enrols_nobody(service: Service) -> None:
    resting: tuple[StudyStatus, ...] = ("paused", "closed")
    for status in resting:
        rest(service, status)
        browser = opened(service)
        assert (browser.state().json()["stage"], browser.act("consent").json()["stage"]) == (status, status)
    assert people(service.database) == (0, 0)


def rest(service: Service, status: StudyStatus) -> None:
    with writing(service.database) as session:
        set_status(session, study=get_study(session, name="colours"), status=status)


@pytest.fixture
def finishing(sqlite: Database) -> Service:
    make_study(
        sqlite,
        main=1,
        training=1,
        overlap=2,
        completion_code="C 1",
        completion_url="https://there.example/done?code={code}&who={worker}",
        failure_code="F-9",
    )
    return make_service(sqlite)


def test_the_code_and_the_link_come_at_the_end_to_who_has_worked(finishing: Service) -> None:
    service = finishing
    good = opened(service)
    good.enter()
    good.answer(good.state())
    shown = good.act("next")
    assert "C 1" not in shown.json()["html"]
    html = good.answer(shown).json()["html"]
    with reading(service.database) as session:
        name = session.execute(select(WorkerRow.name)).scalar_one()
    assert ">C 1<" in html
    assert f'href="https://there.example/done?code=C%201&amp;who={name}"' in html
    with writing(service.database) as session:
        session.execute(update(EnrolmentRow).where(col(EnrolmentRow.id) == 1).values(status="excluded"))
    html = good.state().json()["html"]
    assert good.state().json()["stage"] == "stopped"
    assert "C 1" not in html
    assert "there.example" not in html


def test_who_fails_the_training_gets_only_the_code_for_that(finishing: Service) -> None:
    service = finishing
    bad = opened(service)
    bad.enter()
    bad.answer(bad.state(), "green")
    reply = bad.act("next").json()
    assert reply["stage"] == "failed"
    assert ">F-9<" in reply["html"]
    assert "C 1" not in reply["html"]
    assert "there.example" not in reply["html"]


def test_who_has_done_nothing_gets_no_code(finishing: Service) -> None:
    service = finishing
    rest(service, "closed")
    late = opened(service)
    assert "C 1" not in late.state().json()["html"]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "//there", "ftp://x", 'https://x/"onclick', "https://a b"])
def test_a_link_that_is_no_web_address_is_refused(sqlite: Database, url: str) -> None:
    with pytest.raises(ValueError, match="completion_url"):
        make_study(sqlite, completion_url=url)
