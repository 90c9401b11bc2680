"""Where a request comes from: real HTTP with forged headers, to servers that trust some proxies, or anybody."""

import ipaddress
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from httpx2 import Client, Response
from starlette.responses import JSONResponse

from annotate.accounts.guard import Guard
from annotate.accounts.login import FROM_ADDRESS
from annotate.accounts.proxies import MOST_HOPS, Proxies, network_of
from annotate.accounts.signer import Signer
from data.errors import BadSetting
from db.engine import Database
from db.settings import Settings
from tests.helpers.ports import free_port
from tests.helpers.processes import serving

PASSWORD = "a fine long password"
SETTINGS = {"named": "127.0.0.1, 10.0.0.0/8", "anybody": "*"}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The program as it is started, once for each setting; gives their addresses."""
    made = {}
    with ExitStack() as running:
        for name, proxies in SETTINGS.items():
            home, port = tmp_path_factory.mktemp(name) / "home", free_port()
            more = {"ETALON_DEMO": "false", "ETALON_OWNER_PASSWORD": PASSWORD, "ETALON_PROXIES": proxies}
            running.enter_context(serving(home, port, more))
            made[name] = f"http://127.0.0.1:{port}"
        yield made


def enter(server: str, password: str, name: str = "owner", **headers: str) -> Response:
    sent = {"origin": server} | {key.replace("_", "-"): value for key, value in headers.items()}
    with Client(timeout=60) as client:
        return client.post(f"{server}/login", data={"name": name, "password": password}, headers=sent)


@pytest.mark.parametrize("trusting", ["named", "anybody"])
def test_what_a_client_writes_into_the_chain_does_not_change_whose_guesses_they_are(
    servers: dict[str, str], trusting: str
) -> None:
    server = servers[trusting]
    chains = [f"198.51.100.{number}, 203.0.113.9" for number in range(FROM_ADDRESS + 1)]
    heard = [enter(server, "wrong", f"somebody{n}", x_forwarded_for=chain) for n, chain in enumerate(chains)]
    assert [reply.status_code for reply in heard] == [401] * FROM_ADDRESS + [429]
    assert enter(server, PASSWORD, x_forwarded_for="203.0.113.10").status_code == 303, "who did not guess gets in"
    assert enter(server, PASSWORD, x_forwarded_for="203.0.113.9, 203.0.113.10").status_code == 303, "nor is locked out"


def test_a_chain_of_trusted_proxies_is_followed_from_its_end(servers: dict[str, str]) -> None:
    for number in range(FROM_ADDRESS):
        chain = f"198.51.100.{number}, 203.0.113.20, 10.0.0.7, 127.0.0.1"
        assert enter(servers["named"], "wrong", f"somebody{number}", x_forwarded_for=chain).status_code == 401
    assert enter(servers["named"], PASSWORD, x_forwarded_for="203.0.113.20").status_code == 429


@pytest.mark.parametrize("trusting", SETTINGS)
def test_the_host_of_a_page_is_never_what_a_header_says(servers: dict[str, str], trusting: str) -> None:
    server, forged = servers[trusting], {"x-forwarded-host": "evil.example", "x-gradio-server": "http://evil.example"}
    with Client(timeout=60, base_url=server) as client:
        chain = {"origin": server, "x-forwarded-for": "203.0.113.77"}
        entered = client.post("/login", data={"name": "owner", "password": PASSWORD}, headers=chain)
        assert entered.status_code == 303
        for page in ("/manage/", "/results/", "/login", "/manage/gradio_api/queue/data"):
            reply = client.get(page, headers=forged | {"accept": "text/html"})
            assert "evil.example" not in reply.text + str(reply.headers)


def test_the_scheme_is_that_of_the_last_proxy_and_of_no_other(servers: dict[str, str]) -> None:
    def lasts(server: str, told: str) -> bool:
        with Client(timeout=60) as client:
            reply = client.get(f"{server}/login", headers={"x-forwarded-proto": told})
        return "strict-transport-security" in reply.headers

    assert [lasts(servers["named"], told) for told in ("https", "http, https", "https, http", "gopher")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert lasts(servers["anybody"], "https")


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


def test_nobody_is_a_proxy_who_is_not_named(tmp_path: Path) -> None:
    home, port = tmp_path / "home", free_port()
    with serving(home, port, {"ETALON_DEMO": "false", "ETALON_OWNER_PASSWORD": PASSWORD}):
        server = f"http://127.0.0.1:{port}"
        heard = [enter(server, "wrong", f"somebody{n}", x_forwarded_for=f"203.0.113.{n}") for n in range(FROM_ADDRESS)]
        assert {reply.status_code for reply in heard} == {401}
        assert enter(server, PASSWORD, x_forwarded_for="203.0.113.99").status_code == 429, "all came from this machine"


def test_a_space_believes_the_proxies_of_its_own_network_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "ann/etalon")
    trusted = Proxies.of(Settings().proxies)
    assert trusted.trusts(ipaddress.ip_address("10.16.4.2"))
    assert not trusted.trusts(ipaddress.ip_address("203.0.113.9"))
