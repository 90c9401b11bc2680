"""Signing in: who gets the cookie, what it is, and what a guesser gets."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Engine, delete
from starlette.requests import HTTPConnection

from annotate.access import STAFF_COOKIE_HOURS, Signer
from annotate.accounts.entry import FOREIGN, HOME, TOO_OFTEN, WRONG, local
from annotate.accounts.throttle import FAILURES, WITHIN
from annotate.login import COOKIE, login_routes, staff
from data.drawing.environment import tied
from data.errors import BadSetting
from db.account_tables import AccountRow, FailureRow
from db.accounts import OWNER, ensure_owner, signed_in
from db.engine import open_database, reading, writing

SIGNER = Signer("a secret for tests")
HERE = "http://testserver"
PASSWORD = "верный пароль"


class Watch:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('login') / 'etalon.db'}")
    with writing(opened) as session:
        ensure_owner(session, PASSWORD)
    yield opened
    opened.dispose()


@pytest.fixture(autouse=True)
def nothing_failed(database: Engine) -> None:
    with writing(database) as session:
        session.exec(delete(FailureRow))


@pytest.fixture
def clock() -> Watch:
    return Watch()


@pytest.fixture
def client(database: Engine, clock: Watch) -> Iterator[TestClient]:
    with TestClient(application(database, clock), follow_redirects=False) as opened:
        yield opened


def application(database: Engine, clock: Watch, *, framed: bool = False) -> FastAPI:
    app = FastAPI()
    app.include_router(login_routes(database, SIGNER, framed=framed, clock=clock))
    return app


def enter(client: TestClient, password: str = PASSWORD, name: str = OWNER, origin: str = HERE, **more: str) -> Response:
    sent = {"name": name, "password": password, **more}
    return client.post("/login", data=sent, headers={"origin": origin, "accept-language": "en"})


def test_the_right_password_signs_in(client: TestClient) -> None:
    reply = enter(client, next="/results/?study=a")
    assert (reply.status_code, reply.headers["location"]) == (303, "/results/?study=a")
    assert SIGNER.account(client.cookies[COOKIE]) == (OWNER, 0)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: TestClient) -> None:
    parts = enter(client).headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=lax", f"max-age={STAFF_COOKIE_HOURS * 3600}", "path=/"} <= set(parts)
    assert "secure" not in parts


def test_on_https_the_cookie_never_travels_in_the_clear(database: Engine, clock: Watch) -> None:
    client = TestClient(application(database, clock), base_url="https://etalon.example", follow_redirects=False)
    assert "Secure" in enter(client, origin="https://etalon.example").headers["set-cookie"].split("; ")


def test_in_the_frame_of_another_site_the_cookie_is_made_for_frames(database: Engine, clock: Watch) -> None:
    client = TestClient(application(database, clock, framed=True), follow_redirects=False)
    parts = enter(client).headers["set-cookie"].split("; ")
    assert {"Secure", "SameSite=none", "Partitioned", "HttpOnly"} <= set(parts)


@pytest.mark.parametrize(("name", "password"), [(OWNER, "wrong"), ("nobody", PASSWORD), ("", ""), (OWNER, "x" * 5000)])
def test_a_wrong_name_or_password_is_a_sentence_and_no_cookie(client: TestClient, name: str, password: str) -> None:
    reply = enter(client, password, name)
    assert reply.status_code == 401
    assert tied(WRONG.en) in reply.text
    assert COOKIE not in client.cookies


def test_a_nul_in_the_name_is_no_trouble(client: TestClient) -> None:
    assert enter(client, name="own\0er").status_code == 303


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_a_form_from_another_site_signs_nobody_in(client: TestClient, origin: str) -> None:
    reply = enter(client, origin=origin)
    assert reply.status_code == 403
    assert tied(FOREIGN.en) in reply.text
    assert COOKIE not in client.cookies


def test_after_five_failures_even_the_right_password_is_not_heard_for_a_while(client: TestClient, clock: Watch) -> None:
    statuses = [enter(client, "wrong").status_code for _ in range(FAILURES)]
    assert statuses == [401] * FAILURES
    refused = enter(client)
    assert refused.status_code == 429
    assert tied(TOO_OFTEN.en) in refused.text
    clock.moment += WITHIN
    assert enter(client).status_code == 303


def test_failures_are_counted_by_name_and_by_address(database: Engine, clock: Watch) -> None:
    app = application(database, clock)
    one, other = (TestClient(app, client=(address, 1), follow_redirects=False) for address in ("10.0.0.1", "10.0.0.2"))
    for number in range(FAILURES):
        enter(one, "wrong", f"somebody {number}")
    assert enter(one).status_code == 429, "the address has failed too often, whatever the name"
    assert enter(other).status_code == 303, "another address has not"
    for _ in range(FAILURES):
        enter(other, "wrong", "somebody")
    third = TestClient(app, client=("10.0.0.3", 1), follow_redirects=False)
    assert enter(third, "wrong", "somebody").status_code == 429, "the name has failed too often, from wherever"


def test_a_success_in_between_forgives_nothing_and_old_failures_are_forgotten(client: TestClient, clock: Watch) -> None:
    for _ in range(FAILURES - 1):
        enter(client, "wrong")
    assert enter(client).status_code == 303
    clock.moment += WITHIN - timedelta(seconds=1)
    enter(client, "wrong")
    assert enter(client).status_code == 429
    clock.moment += timedelta(seconds=1)
    assert enter(client).status_code == 303


def test_signing_out_takes_the_cookie_away(client: TestClient) -> None:
    enter(client)
    assert client.post("/logout", headers={"origin": "https://evil.example"}).status_code == 403
    assert COOKIE in client.cookies
    reply = client.post("/logout", headers={"origin": HERE})
    assert (reply.status_code, reply.headers["location"]) == (303, "/login")
    assert COOKIE not in client.cookies


def test_who_is_signed_in_is_sent_on(client: TestClient) -> None:
    enter(client)
    reply = client.get("/login", params={"next": "/results/"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/results/")


@pytest.mark.parametrize(
    ("asked", "heading"), [("ru", "Вход"), ("ru-RU,en;q=0.5", "Вход"), ("en-US,ru;q=0.5", "Sign in"), ("de", "Sign in")]
)
def test_the_page_speaks_the_browsers_language(client: TestClient, asked: str, heading: str) -> None:
    reply = client.get("/login", headers={"accept-language": asked})
    assert f"<h1>{heading}" in reply.text
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "manage",
        "//evil.example",
        "/\\evil.example",
        "\\/evil",
        "https://evil.example",
        "/a\nb",
        "/a\tb",
        "javascript:x",
    ],
)
def test_only_paths_of_this_server_are_gone_on_to(address: str) -> None:
    assert local(address) == HOME


def test_what_is_typed_is_shown_again_as_text(client: TestClient) -> None:
    reply = enter(client, "wrong", "<b>ann</b>", next='/"><script>')
    assert "&lt;b&gt;ann&lt;/b&gt;" in reply.text
    assert "<script>" not in reply.text


def test_a_forged_or_foreign_cookie_is_nobody(client: TestClient) -> None:
    for value in ("owner", SIGNER.worker_cookie(1), Signer("another secret").staff_cookie(OWNER)):
        client.cookies.set(COOKIE, value)
        assert client.get("/login").status_code == 200


def test_the_first_start_makes_a_password_once(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        made = ensure_owner(session, None)
        assert made is not None
        assert len(made) >= 12
        assert ensure_owner(session, None) is None
        assert signed_in(session, name=OWNER, password=made)


def test_a_password_from_the_settings_becomes_the_owners(sqlite: Engine) -> None:
    with writing(sqlite) as session:
        assert ensure_owner(session, "first") is None
        assert signed_in(session, name=OWNER, password="first")
        assert ensure_owner(session, "second") is None
        assert signed_in(session, name=OWNER, password="second")
        assert not signed_in(session, name=OWNER, password="first")


@pytest.mark.parametrize("password", ["", "x" * 1001])
def test_an_unfit_password_is_refused_in_a_sentence(sqlite: Engine, password: str) -> None:
    with writing(sqlite) as session, pytest.raises(BadSetting, match="1 to 1000"):
        ensure_owner(session, password)


def test_passwords_are_kept_as_argon2_hashes(database: Engine) -> None:
    with reading(database) as session:
        row = session.get_one(AccountRow, 1)
    assert row.password_hash.startswith("$argon2id$")
    assert PASSWORD not in row.password_hash


def test_staff_is_a_dependency_that_knows_the_account(database: Engine) -> None:
    signed = f"{COOKIE}={SIGNER.staff_cookie(OWNER)}".encode()
    request = HTTPConnection({"type": "http", "headers": [(b"cookie", signed)]})
    assert staff(database, SIGNER, "owner")(request) == OWNER
