"""Accounts on either database: roles, the last owner, links, and two servers on one database."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import SecretStr
from typer.testing import CliRunner

from annotate.accounts.guard import Guard
from annotate.accounts.installation_secret import refuse_a_guessed_owner, refuse_open_doors
from annotate.accounts.login import (
    FAILURES,
    MOST_WAITING,
    WITHIN,
    Accounts,
    Attempt,
    RateLimit,
    account_routes,
    style_of,
)
from annotate.accounts.register import Register
from annotate.accounts.signer import Signer
from app import cli
from data.errors import BadSetting, EtalonError, UnknownName
from db.accounts import Account, ensure_owner, find_account, list_accounts, set_password, signed_in
from db.engine import Database, open_database, reading, writing
from db.settings import INSIDE, Settings
from tests.helpers.collection import Watch

SIGNER = Signer("a secret for tests")
HERE = "http://etalon.example"
PASSWORD = "a password for tests"
SENT = {"origin": HERE}


def with_owner(database: Database) -> Register:
    with writing(database) as session:
        ensure_owner(session, PASSWORD)
    return Register(database, SIGNER, HERE)


def account(database: Database, name: str) -> Account:
    with reading(database) as session:
        found = find_account(session, name=name)
    assert found is not None
    return found


def test_an_account_begins_with_an_invitation_and_signs_in_with_its_password(engine: Database) -> None:
    register = with_owner(engine)
    assert register.invite(" Ann ", "manager").startswith(f"{HERE}/account/new/")
    assert account(engine, "ann").state == "invited"
    with writing(engine) as session:
        assert signed_in(session, name="ann", password="") is None
        set_password(session, name="ann", version=0, password="correct horse")
        found = signed_in(session, name="ann", password="correct horse")
    assert found is not None
    assert [found.may(role) for role in ("viewer", "manager", "owner")] == [True, True, False]


def test_what_is_done_to_accounts_is_written_down_with_who_did_it_and_only_what_changed(engine: Database) -> None:
    clock = Watch()
    register = replace(with_owner(engine), clock=clock)
    register.invite("ann", "viewer", who="owner")
    clock.passes(minutes=5)
    register.set_role("ann", "manager", who="owner")
    register.set_role("ann", "manager", who="owner")
    register.set_shut("ann", True, who="owner")
    register.set_shut("ann", False, who="owner")
    register.reset("ann")
    with pytest.raises(BadSetting, match="last owner"):
        register.set_shut("owner", True, who="owner")
    told = [(event.kind, event.account, event.who, event.note) for event in reversed(register.events())]
    assert told == [
        ("invited", "ann", "owner", "as viewer"),
        ("role", "ann", "owner", "viewer → manager"),
        ("shut", "ann", "owner", ""),
        ("opened", "ann", "owner", ""),
        ("reset", "ann", "", ""),
    ]
    assert [event.at for event in register.events()] == [clock()] * 4 + [Watch().moment]


def test_failures_are_counted_for_all_servers_of_a_database_and_forgotten_after_a_while(engine: Database) -> None:
    clock = Watch()
    servers = [RateLimit(engine, SIGNER, "login", clock), RateLimit(engine, SIGNER, "login", clock)]

    def tried(server: RateLimit, right: bool = False, address: str = "10.0.0.1") -> Attempt:
        return asyncio.run(server.attempt(lambda: right, name="ann", address=address))

    assert [tried(servers[n % 2]) for n in range(7)] == [Attempt.WRONG] * FAILURES + [Attempt.TOO_OFTEN] * 2
    assert tried(servers[0], True, "10.0.0.2") is Attempt.RIGHT
    assert tried(RateLimit(engine, SIGNER, "password", clock), True) is Attempt.RIGHT, "another place counts for itself"
    clock.moment += WITHIN
    assert tried(servers[1]) is Attempt.WRONG


def test_a_flood_of_strangers_is_bounded_and_does_not_keep_a_known_browser_waiting(sqlite: Database) -> None:
    limit, became, go_on = RateLimit(sqlite, SIGNER, "login"), list[Attempt](), threading.Event()

    async def tried(number: int) -> None:
        became.append(await limit.attempt(go_on.wait, name=f"somebody {number}", address=f"10.0.0.{number}"))

    async def flood() -> None:
        strangers = [asyncio.ensure_future(tried(number)) for number in range(3 * MOST_WAITING)]
        await asyncio.sleep(0)
        known = await limit.attempt(lambda: True, name="ann", address="10.0.0.1", browser="one known before")
        assert known is Attempt.RIGHT, "while nobody else gets their turn"
        while len(became) < 2 * MOST_WAITING - 1:
            await asyncio.sleep(0.01)
        assert set(became) == {Attempt.BUSY}, "all but the one whose turn it is and those who may wait"
        go_on.set()
        await asyncio.gather(*strangers)

    asyncio.run(asyncio.wait_for(flood(), 60))
    assert became.count(Attempt.RIGHT) == MOST_WAITING + 1
    assert not limit.waiting


def test_an_address_has_three_attempts_waiting_and_who_failed_less_goes_before_it(sqlite: Database) -> None:
    limit, served, go_on = RateLimit(sqlite, SIGNER, "login"), list[str](), threading.Event()

    async def tried(address: str, name: str = "ann") -> Attempt:
        def check() -> bool:
            go_on.wait(60)
            served.append(address)
            return False

        return await limit.attempt(check, name=name, address=address)

    async def crowd() -> list[Attempt]:
        one = [asyncio.ensure_future(tried(f"2001:db8:1:2::{number}", f"a{number}")) for number in range(5)]
        await asyncio.sleep(0.5)
        other = [asyncio.ensure_future(tried(f"10.0.0.{number}")) for number in range(2)]
        await asyncio.sleep(0.5)
        go_on.set()
        return [*await asyncio.gather(*one), *await asyncio.gather(*other)]

    became = asyncio.run(crowd())
    assert became == [Attempt.WRONG] * 3 + [Attempt.BUSY] * 2 + [Attempt.WRONG] * 2
    assert served[0] == "2001:db8:1:2::0"
    assert sorted(served[1:3]) == ["10.0.0.0", "10.0.0.1"], "of whom nothing had failed"


@pytest.mark.parametrize("name", ["", "Анна", "a b", "a\0b", "\u202enna", "a" * 61, "-a", "owner", "OWNER"])
def test_a_name_that_cannot_be_or_is_taken_is_one_sentence(sqlite: Database, name: str) -> None:
    with pytest.raises(BadSetting, match="name"):
        with_owner(sqlite).invite(name, "viewer")


def test_unknown_roles_and_accounts_are_one_sentence(sqlite: Database) -> None:
    register = with_owner(sqlite)
    with pytest.raises(UnknownName, match="role 'boss' is not known"):
        register.invite("ann", "boss")
    with pytest.raises(UnknownName, match="account 'own' is not known; did you mean 'owner'"):
        register.reset("own")
    with pytest.raises(BadSetting, match="signed in to this account"):
        register.reset("owner", who="owner")


def test_the_last_owner_stays(engine: Database) -> None:
    register = with_owner(engine)
    register.invite("ann", "owner")
    with pytest.raises(BadSetting, match="last owner"):
        register.set_role("owner", "viewer")  # ann has no password yet
    with pytest.raises(BadSetting, match="last owner"):
        register.set_shut("owner", True)
    with writing(engine) as session:
        set_password(session, name="ann", version=0, password="correct horse")
    assert register.set_role("owner", "viewer").version == 1
    with pytest.raises(BadSetting, match="last owner"):
        register.set_shut("ann", True)


def test_two_owners_cannot_demote_each_other_at_once(engine: Database) -> None:
    register = with_owner(engine)
    register.invite("ann", "owner")
    with writing(engine) as session:
        set_password(session, name="ann", version=0, password="correct horse")

    def demote(name: str) -> None:
        with suppress(EtalonError):
            register.set_role(name, "viewer")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(demote, ["owner", "ann"]))
    assert [one.role for one in register.accounts()].count("owner") == 1


def test_the_password_of_the_settings_lets_the_owner_back_in(sqlite: Database) -> None:
    register = with_owner(sqlite)
    register.reset("owner")
    assert account(sqlite, "owner").state == "invited"
    with writing(sqlite) as session:
        ensure_owner(session, "another password")
        assert signed_in(session, name="owner", password="another password")
    assert account(sqlite, "owner").version == 2


def test_two_servers_on_one_database_are_one(engine: Database, database_url: str) -> None:
    with_owner(engine)
    other = open_database(database_url)
    servers = [TestClient(server(one, SIGNER), base_url=HERE, follow_redirects=False) for one in (engine, other)]
    stranger = TestClient(server(other, Signer("another secret")), base_url=HERE, follow_redirects=False)
    path = Register(engine, SIGNER, HERE).invite("ann", "viewer").removeprefix(HERE)
    chosen = {"new": "correct horse", "again": "correct horse"}
    assert servers[1].post(path, data=chosen, headers=SENT).status_code == 303
    assert servers[0].get(path).status_code == 410, "used on the other server"
    for one in (servers[0], stranger):
        one.cookies.update(servers[1].cookies)
    statuses = [one.get("/results/").status_code for one in (*servers, stranger)]
    assert statuses == [404, 404, 401], (
        "past the guard of both (no page stands behind it here), not with another secret"
    )
    Register(other, SIGNER, HERE).set_shut("ann", True)
    assert [one.get("/results/").status_code for one in servers] == [401, 401]
    other.dispose()


def server(database: Database, signer: Signer) -> Guard:
    app = FastAPI()
    app.include_router(account_routes(Accounts(database, signer)))
    return Guard(app, database, signer)


def test_the_way_to_a_page_is_shown_to_whom_it_is_open(sqlite: Database) -> None:
    register = with_owner(sqlite)
    register.invite("ann", "viewer")
    with writing(sqlite) as session:
        viewer = set_password(session, name="ann", version=0, password="correct horse")
    assert all(f'href="{place}"' in style_of(viewer, passing=False) for place in ("/manage/", "/models/", "/accounts/"))
    assert style_of(account(sqlite, "owner"), passing=False) == ""
    assert ".passing { display: block" in style_of(account(sqlite, "owner"), passing=True)


def test_the_commands_invite_list_reset_and_change_roles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETALON_HOME", str(tmp_path))
    monkeypatch.setenv("ETALON_PUBLIC_URL", HERE)
    run = CliRunner().invoke
    first = run(cli, ["account-invite", "ann", "--role", "manager"])
    assert first.stdout.startswith(f"{HERE}/account/new/")
    assert run(cli, ["account-role", "ann", "owner"]).exit_code == 0
    again = run(cli, ["account-reset", "ann"])
    assert again.stdout.startswith(f"{HERE}/account/new/")
    assert again.stdout != first.stdout
    listed = run(cli, ["accounts", "--json"])
    assert '"name": "ann"' in listed.stdout
    assert '"role": "owner"' in listed.stdout
    assert run(cli, ["account-role", "ann", "king"]).exit_code == 2
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    with reading(database) as session:
        assert [one.version for one in list_accounts(session)] == [2]
    database.dispose()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"host": "0.0.0.0", "owner_password": "short"}, "10 to 1000 characters"),
        ({"host": "0.0.0.0", "owner_password": "Password123"}, "among the first"),
        ({"public_url": "https://etalon.example", "owner_password": "changeme123"}, "among the first"),
        ({"space_id": "ann/etalon"}, "ETALON_OWNER_PASSWORD"),
        ({"host": "0.0.0.0", "owner_password": "a fine long password"}, ""),
        ({"host": "127.0.0.1", "owner_password": "owner"}, ""),
        ({"host": "0.0.0.0"}, ""),
    ],
)
def test_a_server_that_others_reach_starts_with_no_guessed_password(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], sentence: str
) -> None:
    monkeypatch.setenv("SPACE_ID", settings.pop("space_id", ""))
    made = Settings.model_validate(settings)
    if not sentence:
        refuse_open_doors(made)
        return
    with pytest.raises(BadSetting, match=sentence):
        refuse_open_doors(made)


def test_a_guessed_password_that_is_stored_is_found_at_the_start(sqlite: Database) -> None:
    with writing(sqlite) as session:
        ensure_owner(session, "changeme")
    refuse_a_guessed_owner(sqlite, Settings())
    with pytest.raises(BadSetting, match="well known"):
        refuse_a_guessed_owner(sqlite, Settings(host="0.0.0.0"))


def test_a_space_sets_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "ann/etalon")
    monkeypatch.setenv("SPACE_HOST", "ann-etalon.hf.space")
    space = Settings(owner_password=SecretStr("a fine long password"))
    assert (space.host, space.port, space.proxies) == ("0.0.0.0", 7860, INSIDE)
    assert space.address == "https://ann-etalon.hf.space"
    assert space.frame_ancestors == "'self' https://huggingface.co"
    assert (space.framed, space.exposed, space.passing) == (True, True, True)
    assert "ann-etalon.hf.space" in space.hosts
    assert not Settings(home=Path("/data/etalon")).passing
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://somewhere/etalon")
    assert not Settings().passing
