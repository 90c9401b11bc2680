"""Where a request comes from: forged headers to servers that trust some proxies, anybody or nobody."""

import ipaddress
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from httpx2 import Client
from starlette.responses import JSONResponse

from annotate.accounts.guard import Guard
from annotate.accounts.login import FROM_ADDRESS, Accounts, account_routes
from annotate.accounts.proxies import MOST_HOPS, Proxies, network_of
from annotate.accounts.signer import Signer
from data.errors import BadSetting
from db.accounts import ensure_owner
from db.engine import Database, writing
from db.settings import Settings
from tests.helpers.ports import free_port
from tests.helpers.processes import serving

PASSWORD = "a fine long password"
NAMED = "127.0.0.1, 10.0.0.0/8"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A browser at the program as it is started behind proxies that it names."""
    home, port = tmp_path_factory.mktemp("named") / "home", free_port()
    more = {"ETALON_DEMO": "false", "ETALON_OWNER_PASSWORD": PASSWORD, "ETALON_PROXIES": NAMED}
    with serving(home, port, more), Client(timeout=60, base_url=f"http://127.0.0.1:{port}") as client:
        yield client


def trusting(database: Database, proxies: str) -> TestClient:
    """A browser at the sign-in of a server that believes these, whom it reaches from the server's own machine."""
    with writing(database) as session:
        ensure_owner(session, PASSWORD)
    app, signer = FastAPI(), Signer("a secret for tests")
    app.include_router(account_routes(Accounts(database, signer)))
    guard = Guard(app, database, signer, proxies=Proxies.of(proxies))
    return TestClient(guard, client=("127.0.0.1", 1), follow_redirects=False)


def enter(client: Any, password: str, name: str = "owner", **headers: str) -> Any:
    """Sign in as a browser that has never been here."""
    client.cookies.clear()
    sent = {key.replace("_", "-"): value for key, value in headers.items()}
    sent["origin"] = str(client.base_url).rstrip("/")
    return client.post("/login", data={"name": name, "password": password}, headers=sent)


def guessing_counts_for_the_last_address(client: Any) -> None:
    chains = [f"198.51.100.{number}, 203.0.113.9" for number in range(FROM_ADDRESS + 1)]
    heard = [enter(client, "wrong", f"somebody{n}", x_forwarded_for=chain) for n, chain in enumerate(chains)]
    assert [reply.status_code for reply in heard] == [401] * FROM_ADDRESS + [429]
    assert enter(client, PASSWORD, x_forwarded_for="203.0.113.10").status_code == 303, "who did not guess gets in"
    assert enter(client, PASSWORD, x_forwarded_for="203.0.113.9, 203.0.113.10").status_code == 303, "nor is locked out"


def test_what_a_client_writes_into_the_chain_does_not_change_whose_guesses_they_are(
    server: Client, sqlite: Database
) -> None:
    guessing_counts_for_the_last_address(server)
    guessing_counts_for_the_last_address(trusting(sqlite, "*"))


def test_a_chain_of_trusted_proxies_is_followed_from_its_end(server: Client) -> None:
    for number in range(FROM_ADDRESS):
        chain = f"198.51.100.{number}, 203.0.113.20, 10.0.0.7, 127.0.0.1"
        assert enter(server, "wrong", f"somebody{number}", x_forwarded_for=chain).status_code == 401
    assert enter(server, PASSWORD, x_forwarded_for="203.0.113.20").status_code == 429


def test_the_host_of_a_page_is_never_what_a_header_says(server: Client) -> None:
    forged = {"x-forwarded-host": "evil.example", "x-gradio-server": "http://evil.example"}
    assert enter(server, PASSWORD, x_forwarded_for="203.0.113.77").status_code == 303
    for page in ("/manage/", "/results/", "/login", "/manage/gradio_api/queue/data"):
        reply = server.get(page, headers=forged | {"accept": "text/html"})
        assert "evil.example" not in reply.text + str(reply.headers)


def test_the_scheme_is_that_of_the_last_proxy_and_of_no_other(server: Client, sqlite: Database) -> None:
    def lasts(client: Any, told: str) -> bool:
        return "strict-transport-security" in client.get("/login", headers={"x-forwarded-proto": told}).headers

    assert [lasts(server, told) for told in ("https", "http, https", "https, http", "gopher")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert lasts(trusting(sqlite, "*"), "https")


@pytest.mark.parametrize(
    ("proxies", "peer", "chain", "client"),
    [
        ("10.0.0.1", "10.0.0.1", "6.6.6.6, 5.5.5.5", "5.5.5.5"),
        ("10.0.0.1, 5.5.5.5", "10.0.0.1", "6.6.6.6, 5.5.5.5", "6.6.6.6"),
        ("10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.0/8", "10.0.0.1", "6.6.6.6, unknown", "10.0.0.1"),
        ("10.0.0.0/8", "10.0.0.1", "6.6.6.6, 7.7.7.7:4711", "7.7.7.7"),
        ("10.0.0.0/8", "10.0.0.1", "6.6.6.6, [2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:7.7.7.7", "7.7.7.7"),
        ("fd00::/8", "fd00::1", "2001:db8::2", "2001:db8::2"),
        ("*", "10.0.0.1", "6.6.6.6, 5.5.5.5", "5.5.5.5"),
        ("*", "10.0.0.1", "", "10.0.0.1"),
        ("", "127.0.0.1", "5.5.5.5", "127.0.0.1"),
        ("10.0.0.0/8", "203.0.113.9", "5.5.5.5, 10.0.0.1", "203.0.113.9"),
        ("10.0.0.0/8", "10.0.0.1", "6.6.6.6" + ", 10.0.0.2" * MOST_HOPS, "10.0.0.2"),
    ],
)
def test_a_chain_is_believed_as_far_as_it_is_trusted(
    sqlite: Database, proxies: str, peer: str, chain: str, client: str
) -> None:
    app = FastAPI()

    @app.get("/{path:path}")
    def seen(request: Request) -> JSONResponse:
        left = [name for name in request.headers if "forwarded" in name or "gradio" in name]
        return JSONResponse([request.client.host if request.client else None, left])

    guard = Guard(app, sqlite, Signer("a secret for tests"), proxies=Proxies.of(proxies))
    told = {"x-forwarded-for": chain, "x-forwarded-host": "evil.example", "forwarded": "for=1.1.1.1"}
    assert TestClient(guard, client=(peer, 1)).get("/where", headers=told).json() == [client, []]


def test_a_house_with_many_addresses_counts_as_one() -> None:
    assert network_of("2001:db8:1:2:aaaa::1") == network_of("2001:db8:1:2::ffff") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:203.0.113.9") == network_of("203.0.113.9") != network_of("203.0.113.8")
    assert network_of("testclient") == "testclient"


@pytest.mark.parametrize("wrong", ["proxy.example", "10.0.0.0/33", "*, 10.0.0.1", "10.0.0.1 10.0.0.2"])
def test_a_proxy_that_is_no_address_is_one_sentence(wrong: str) -> None:
    with pytest.raises(BadSetting, match="ETALON_PROXIES"):
        Proxies.of(wrong)


def test_nobody_is_a_proxy_who_is_not_named(sqlite: Database) -> None:
    client = trusting(sqlite, Settings().proxies)
    heard = [enter(client, "wrong", f"somebody{n}", x_forwarded_for=f"203.0.113.{n}") for n in range(FROM_ADDRESS)]
    assert {reply.status_code for reply in heard} == {401}
    assert enter(client, PASSWORD, x_forwarded_for="203.0.113.99").status_code == 429, "all came from this machine"


def test_a_space_believes_the_proxies_of_its_own_network_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "ann/etalon")
    trusted = Proxies.of(Settings().proxies)
    assert trusted.trusts(ipaddress.ip_address("10.16.4.2"))
    assert not trusted.trusts(ipaddress.ip_address("203.0.113.9"))
