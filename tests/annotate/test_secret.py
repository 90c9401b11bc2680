"""The secret: another one is refused, a new one keeps places and links for a while, and the database tells nothing."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner, Result

from annotate.accounts import installation_secret
from annotate.accounts.installation_secret import installation_secrets, signer_of
from annotate.accounts.signer import Signer, worker_cookie_name
from annotate.worker.service import Service
from app import cli
from data.errors import BadSetting
from db.clock import now
from db.engine import Database, reading
from db.settings import Settings
from db.studies import get_study
from tests.helpers.browsing import Browser, application, invited
from tests.helpers.collection import back_to, make_study
from tests.helpers.ports import free_port
from tests.helpers.processes import command, ended

COOKIE = worker_cookie_name("colours")
CHOSEN = "a chosen secret, long enough for anybody"
Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Path:
    monkeypatch.setenv("ETALON_HOME", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words, catch_exceptions=False)


def page(service: Service, cookie: str = "") -> TestClient:
    client = TestClient(application(service), base_url="https://testserver", follow_redirects=False)
    if cookie:
        client.cookies.set(COOKIE, cookie, domain="testserver.local")
    return client


def joined(service: Service, query: str = "") -> str:
    client = page(service)
    with reading(service.database) as session:
        invited(service, client, get_study(session, name="colours"), query)
    Browser(client, "colours").enter()
    return str(client.cookies[COOKIE])


def test_a_lost_secret_and_another_one_are_refused_by_the_server_and_by_commands_that_sign(
    home: Path, sqlite: Database
) -> None:
    signer_of(sqlite, Settings())
    (home / "people.txt").write_text("anna\n")
    make_study(sqlite)
    words = ("links", "colours", "--people", str(home / "people.txt"), "--to", str(home / "links.csv"))
    assert run(*words).exit_code == 0
    kept = (home / "secret").read_text()
    for other in (None, "x" + kept):
        (home / "secret").unlink()
        if other:
            (home / "secret").write_text(other)
        refused = run(*words)
        assert (refused.exit_code, "rotate-secret --lost" in refused.stderr) == (2, True)
        assert (home / "secret").exists() == (other is not None), "none is made in its place"
        environment = {"ETALON_HOME": str(home), "ETALON_PORT": str(free_port()), "PATH": "/usr/bin:/bin"}
        printed = home / "printed.txt"
        server = ended(command, printed=printed, environment=environment | {"DATABASE_URL": str(sqlite.url)})
        assert (server.code, "is not the secret of this database" in server.printed) == (2, True)
        assert "Traceback" not in server.printed
        (home / "secret").write_text(kept)
    assert run(*words).exit_code == 0


def test_a_new_secret_keeps_places_links_draws_and_people(home: Path, sqlite: Database) -> None:
    before = Service(sqlite, signer_of(sqlite, Settings()))
    make_study(sqlite)
    cookie, link = joined(before, "?PROLIFIC_PID=anna"), back_to(before, 1)
    told = run("rotate-secret")
    assert told.exit_code == 0, told.stderr
    after = Service(sqlite, signer_of(sqlite, Settings()))
    assert after.signer.secret != before.signer.secret
    reply = Browser(page(after, cookie), "colours").state()
    renewed = reply.cookies[COOKIE]
    assert reply.json()["stage"] == "work"
    assert COOKIE not in Browser(page(after, renewed), "colours").state().cookies, "once is enough"
    assert page(after).get(f"/join/colours/{link}").status_code == 303
    assert page(after).get(f"/join/colours/{before.signer.invitation('colours')}").status_code == 303
    draws = [signer.chance("controls", 1, 2).random() for signer in (before.signer, after.signer)]
    assert draws[0] == draws[1]
    again = joined(after, "?PROLIFIC_PID=anna")
    assert after.signer.enrolment(again) == after.signer.enrolment(renewed), "the platform's id is the same person"
    alone = Signer(after.signer.secret)
    assert alone.enrolment(renewed)
    assert alone.enrolment(cookie) is None


def test_the_secret_before_is_taken_for_ninety_days_and_no_longer(
    home: Path, sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Service(sqlite, signer_of(sqlite, Settings()))
    make_study(sqlite)
    cookie, moment = joined(before), now()
    assert run("rotate-secret").exit_code == 0
    for days, known in ((90, True), (91, False)):
        monkeypatch.setattr(installation_secret, "now", lambda days=days: moment + timedelta(days=days))
        after = Service(sqlite, signer_of(sqlite, Settings()))
        assert (after.signer.enrolment(cookie) is not None) == known
        assert after.signer.chance("x").random() == before.signer.chance("x").random()


def test_a_secret_with_spaces_is_one_secret_and_nothing_can_stand_before_it(
    home: Path, sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ETALON_SECRET", CHOSEN)
    signer_of(sqlite, Settings())
    monkeypatch.setenv("ETALON_SECRET", CHOSEN.replace(" ", "-"))
    with pytest.raises(BadSetting, match="ETALON_SECRET is not the secret of this database"):
        signer_of(sqlite, Settings())
    monkeypatch.setenv("ETALON_SECRET", CHOSEN)
    refused = run("rotate-secret")
    assert (refused.exit_code, "spaces" in refused.stderr) == (2, True)


def test_a_secret_of_the_environment_is_changed_by_people_on_every_server(
    home: Path, sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ETALON_SECRET", CHOSEN.replace(" ", "-"))
    before = Service(sqlite, signer_of(sqlite, Settings()))
    make_study(sqlite)
    cookie = joined(before)
    told = re.fullmatch(r"ETALON_SECRET='(.+)'\n", run("rotate-secret").stdout)
    assert told
    assert not (home / "secret").exists()
    monkeypatch.setenv("ETALON_SECRET", told[1])
    after = Service(sqlite, signer_of(sqlite, Settings()))
    assert Browser(page(after, cookie), "colours").state().status_code == 200
    monkeypatch.setenv("ETALON_SECRET", CHOSEN.replace(" ", "-"))
    with pytest.raises(BadSetting, match="is not the secret"):
        signer_of(sqlite, Settings())
    monkeypatch.setenv("ETALON_SECRET", told[1].split()[0])
    assert signer_of(sqlite, Settings()).drawing_key == before.signer.drawing_key


def test_a_study_that_is_older_than_this_goes_on_with_the_same_draws_and_people(home: Path, sqlite: Database) -> None:
    make_study(sqlite)
    old = Signer(installation_secrets(Settings())[0])
    new = signer_of(sqlite, Settings())
    assert new.chance("controls", 1).random() == old.chance("controls", 1).random()
    assert new.digest_of("PROLIFIC_PID", "anna") == old.digest_of("PROLIFIC_PID", "anna")


def test_no_byte_of_the_database_holds_the_secret_or_the_drawing_key(home: Path, sqlite: Database) -> None:
    make_study(sqlite)
    signer = signer_of(sqlite, Settings())
    run("rotate-secret")
    sqlite.dispose()
    stored = b"".join(file.read_bytes() for file in home.glob("etalon.db*"))
    for hidden in (signer.secret, signer.drawing_key, (home / "secret").read_text().split()[0]):
        assert hidden.encode() not in stored
        assert hidden.encode().hex().encode() not in stored


def test_where_the_secret_is_lost_for_good_a_new_one_begins(home: Path, sqlite: Database) -> None:
    before = Service(sqlite, signer_of(sqlite, Settings()))
    make_study(sqlite)
    cookie = joined(before)
    (home / "secret").unlink()
    assert run("rotate-secret").exit_code == 2
    assert run("rotate-secret", "--lost").exit_code == 0
    after = Service(sqlite, signer_of(sqlite, Settings()))
    assert Browser(page(after, cookie), "colours").state().status_code in (401, 403)
    joined(after)
