"""Signing in: who gets the cookie, what it is, and what a guesser gets."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Engine, delete
from sqlmodel import col, select
from starlette.requests import HTTPConnection

from annotate.accounts.login import (
    COOKIE,
    FAILURES,
    FROM_ADDRESS,
    HOME,
    KNOWN,
    STEP,
    WITHIN,
    Accounts,
    account_routes,
    account_with_role,
    local,
    mistake_sentence,
)
from annotate.accounts.signer import SIGN_IN_HOURS, Signer
from data.drawing.environment import tied
from data.errors import BadSetting
from db import accounts
from db.accounts import OWNER, add_account, ensure_owner, set_password, set_shut, signed_in
from db.engine import open_database, reading, writing
from db.tables import AccountRow, EndedRow, FailureRow, PlaceKey

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
        session.execute(delete(FailureRow))
        session.execute(delete(EndedRow))


@pytest.fixture
def clock() -> Watch:
    return Watch()


@pytest.fixture
def client(database: Engine, clock: Watch) -> Iterator[TestClient]:
    with TestClient(application(database, clock), follow_redirects=False) as opened:
        yield opened


def application(database: Engine, clock: Watch, *, framed: bool = False) -> FastAPI:
    app = FastAPI()
    app.include_router(account_routes(Accounts(database, SIGNER, framed, clock=clock)))
    return app


def enter(client: TestClient, password: str = PASSWORD, name: str = OWNER, origin: str = HERE, **more: str) -> Response:
    sent = {"name": name, "password": password, **more}
    return client.post("/login", data=sent, headers={"origin": origin, "accept-language": "en"})


def test_the_right_password_signs_in(client: TestClient) -> None:
    reply = enter(client, next="/results/?study=a")
    assert (reply.status_code, reply.headers["location"]) == (303, "/results/?study=a")
    signed = SIGNER.sign_in(client.cookies[COOKIE])
    assert signed is not None
    assert (signed.account, signed.version) == (OWNER, 0)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: TestClient) -> None:
    parts = enter(client).headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=lax", f"max-age={SIGN_IN_HOURS * 3600}", "path=/"} <= set(parts)
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
    assert tied(mistake_sentence("en", "wrong")) in reply.text
    assert COOKIE not in client.cookies


def test_a_nul_in_the_name_is_no_trouble(client: TestClient) -> None:
    assert enter(client, name="own\0er").status_code == 303


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_a_form_from_another_site_signs_nobody_in(client: TestClient, origin: str) -> None:
    reply = enter(client, origin=origin)
    assert reply.status_code == 403
    assert tied(mistake_sentence("en", "foreign")) in reply.text
    assert COOKIE not in client.cookies


def test_after_five_failures_even_the_right_password_is_not_heard_for_a_while(client: TestClient, clock: Watch) -> None:
    statuses = [enter(client, "wrong").status_code for _ in range(FAILURES)]
    assert statuses == [401] * FAILURES
    refused = enter(client)
    assert refused.status_code == 429
    assert tied(mistake_sentence("en", "too_often")) in refused.text
    clock.moment += WITHIN
    assert enter(client).status_code == 303


def browser(app: FastAPI, address: str) -> TestClient:
    return TestClient(app, client=(address, 1), follow_redirects=False)


def test_who_guesses_locks_nobody_out_but_the_own_address(database: Engine, clock: Watch) -> None:
    app = application(database, clock)
    guesser, owner = browser(app, "10.0.0.1"), browser(app, "10.0.0.2")
    assert [enter(guesser, "wrong").status_code for _ in range(FAILURES)] == [401] * FAILURES
    assert enter(guesser).status_code == 429, "the name has failed too often from here"
    assert enter(owner).status_code == 303, "who did not guess gets in"
    for number in range(FROM_ADDRESS - FAILURES):
        assert enter(guesser, "wrong", f"somebody {number}").status_code == 401
    assert enter(guesser, "wrong", "somebody else").status_code == 429, "the address has failed too often"
    assert enter(browser(app, "10.0.0.2")).status_code == 303


def test_a_house_of_many_addresses_guesses_as_one(database: Engine, clock: Watch) -> None:
    app = application(database, clock)
    tried = [enter(browser(app, f"2001:db8:1:2::{n:x}"), "wrong").status_code for n in range(1, FAILURES + 2)]
    assert tried == [401] * FAILURES + [429]
    assert enter(browser(app, "2001:db8:1:3::1")).status_code == 303


def test_a_browser_that_was_signed_in_before_gets_in_from_where_somebody_guesses(
    database: Engine, clock: Watch
) -> None:
    app = application(database, clock)
    mine, guesser = browser(app, "10.0.0.1"), browser(app, "10.0.0.1")
    enter(mine)
    mine.post("/logout", headers={"origin": HERE})
    assert KNOWN in mine.cookies
    for number in range(FROM_ADDRESS):
        enter(guesser, "wrong", f"somebody {number}")
    assert enter(guesser).status_code == 429
    assert enter(mine).status_code == 303
    mine.post("/logout", headers={"origin": HERE})
    assert [enter(mine, "wrong").status_code for _ in range(FAILURES)] == [401] * FAILURES
    assert enter(mine).status_code == 429, "known browsers do not guess for ever either"
    stolen = browser(app, "10.0.0.1")
    stolen.cookies.set(KNOWN, mine.cookies[KNOWN])
    assert enter(stolen, "wrong", "ann").status_code == 429, "known for one account, and no other"


def test_guesses_of_one_name_from_everywhere_are_slowed_and_the_owner_gets_in(database: Engine, clock: Watch) -> None:
    app = application(database, clock)
    mine = browser(app, "10.0.0.1")
    enter(mine)
    mine.post("/logout", headers={"origin": HERE})
    began = time.monotonic()
    for number in range(12):
        assert enter(browser(app, f"10.0.1.{number}"), "wrong").status_code == 401
    assert time.monotonic() - began > sum(STEP * number for number in range(1, 7)), "each after the sixth waits longer"
    delay = STEP * (12 - FAILURES)
    began = time.monotonic()
    assert enter(browser(app, "10.0.0.2")).status_code == 303, "from an address and with a browser that nobody knows"
    assert time.monotonic() - began > delay
    assert min(seconds_to_enter(mine) for _ in range(3)) < delay, "who was here before waits for nobody's guesses"


def seconds_to_enter(client: TestClient) -> float:
    began = time.monotonic()
    assert enter(client).status_code == 303
    return time.monotonic() - began


def test_guesses_at_once_are_no_way_around_the_limit(engine: Engine, clock: Watch) -> None:
    with writing(engine) as session:
        ensure_owner(session, PASSWORD)
    servers = [application(engine, clock), application(engine, clock)]
    with ThreadPoolExecutor(12) as pool:
        replies = pool.map(lambda n: enter(browser(servers[n % 2], "10.0.0.1"), "wrong").status_code, range(24))
    assert sorted(replies) == [401] * FAILURES + [429] * (24 - FAILURES)


def test_what_is_kept_of_failures_is_bounded_forgotten_and_names_nobody(
    database: Engine, clock: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST", 9)
    app = application(database, clock)
    for number in range(8):
        enter(browser(app, f"10.0.0.{number}"), "wrong", f"somebody {number}")
    with reading(database) as session:
        kept = session.execute(select(FailureRow.source)).all()
    assert 0 < len(kept) <= 9 + 3
    assert not any("somebody" in source or "10.0" in source for source in kept)
    clock.moment += WITHIN
    enter(browser(app, "10.0.0.1"), "wrong")
    with reading(database) as session:
        assert len(session.execute(select(FailureRow.source)).all()) == 3, "a pair, an address and a name"


def test_a_success_in_between_forgives_nothing_and_old_failures_are_forgotten(client: TestClient, clock: Watch) -> None:
    for _ in range(FAILURES - 1):
        enter(client, "wrong")
    assert enter(client).status_code == 303
    client.cookies.clear()  # a browser that was signed in before is counted for itself
    clock.moment += WITHIN - timedelta(seconds=1)
    enter(client, "wrong")
    assert enter(client).status_code == 429
    clock.moment += timedelta(seconds=1)
    assert enter(client).status_code == 303


def test_a_deactivated_account_is_refused_like_a_wrong_password(client: TestClient, database: Engine) -> None:
    with writing(database) as session:
        made = add_account(session, name="mark", role="manager")
        set_password(session, name="mark", version=made.version, password=PASSWORD)
    assert enter(client, name="mark").status_code == 303
    client.cookies.clear()
    with writing(database) as session:
        set_shut(session, name="mark", shut=True)
    assert enter(client, name="mark").status_code == 401


def test_the_right_password_may_be_typed_as_often_as_one_likes(client: TestClient) -> None:
    for _ in range(FAILURES + 2):
        assert enter(client).status_code == 303
        client.cookies.clear()


def test_signing_out_takes_the_cookie_away(client: TestClient) -> None:
    enter(client)
    assert client.post("/logout", headers={"origin": "https://evil.example"}).status_code == 403
    assert COOKIE in client.cookies
    reply = client.post("/logout", headers={"origin": HERE})
    assert (reply.status_code, reply.headers["location"]) == (303, "/login")
    assert COOKIE not in client.cookies


def test_signing_out_ends_that_sign_in_on_the_server_and_no_other(client: TestClient, clock: Watch) -> None:
    enter(client)
    stolen = client.cookies[COOKIE]
    client.cookies.clear()
    enter(client)
    other = client.cookies[COOKIE]
    client.cookies.clear()
    client.cookies.set(COOKIE, stolen)
    assert client.get("/login").status_code == 303
    client.post("/logout", headers={"origin": HERE})
    for cookie, status in ((stolen, 200), (other, 303)):
        client.cookies.clear()
        client.cookies.set(COOKIE, cookie)
        assert client.get("/login").status_code == status
    client.post("/logout", headers={"origin": HERE})
    client.cookies.set(COOKIE, other)
    assert client.post("/logout", headers={"origin": HERE}).status_code == 303, "ended twice is ended"


def test_ended_sign_ins_are_kept_for_as_long_as_their_cookies_would_be_good(
    client: TestClient, clock: Watch, database: Engine
) -> None:
    for _ in range(3):
        enter(client)
        client.post("/logout", headers={"origin": HERE})
        clock.moment += timedelta(hours=SIGN_IN_HOURS / 2)
    with reading(database) as session:
        assert len(session.execute(select(EndedRow)).all()) == 2


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
    for value in ("owner", SIGNER.worker_cookie(PlaceKey(1, "nonce")), Signer("another secret").sign_in_cookie(OWNER)):
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
        row = session.execute(select(AccountRow).where(col(AccountRow.id) == 1)).one()
    assert row.password_hash.startswith("$argon2id$")
    assert PASSWORD not in row.password_hash


def test_staff_is_a_dependency_that_knows_the_account(database: Engine) -> None:
    signed = f"{COOKIE}={SIGNER.sign_in_cookie(OWNER)}".encode()
    request = HTTPConnection({"type": "http", "headers": [(b"cookie", signed)]})
    assert account_with_role(database, SIGNER, "owner")(request) == OWNER
