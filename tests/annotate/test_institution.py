"""Signing in with an institution: a provider on 127.0.0.1 speaks OpenID Connect, and lies in the ways that matter."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import RSAKey
from sqlalchemy import Engine

from annotate.accounts.institution import institution_app, roles_by_group
from annotate.accounts.login import COOKIE, INSTITUTION, Accounts, account_routes, mistake_sentence
from annotate.accounts.signer import Signer
from data.drawing.environment import tied
from data.errors import BadSetting
from db.accounts import OWNER, Role, add_account, ensure_owner, find_account, list_accounts, set_shut, signed_in
from db.engine import open_database, reading, writing
from db.settings import Settings

KEY, FOREIGN_KEY = (RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"}) for _ in range(2))
SIGNER = Signer("a secret for tests")
CLIENT, SECRET = "etalon", "a secret of the client"


class Provider(ThreadingHTTPServer):
    """The institution: `claims` are of who signs in next; `changed` changes its id token, `key` signs it."""

    claims: dict[str, Any]
    changed: dict[str, Any]
    key: RSAKey
    asked: dict[str, str]

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, dict(parse_qs(urlsplit(self.path).query))
        issuer = self.server.issuer
        if path == "/authorize":
            self.server.asked = {name: values[0] for name, values in query.items()}
            back = {"code": "a code", "state": self.server.asked["state"]}
            self.send_response(302)
            self.send_header("Location", f"{self.server.asked['redirect_uri']}?{urlencode(back)}")
            self.end_headers()
        elif path == "/keys":
            self.say({"keys": [KEY.as_dict(private=False)]})
        elif path == "/userinfo":
            self.say(self.server.claims)
        else:
            parts = {f"{name}_endpoint": f"{issuer}/{name}" for name in ("authorization", "token", "userinfo")}
            parts["authorization_endpoint"] = f"{issuer}/authorize"
            self.say({"issuer": issuer, "jwks_uri": f"{issuer}/keys", **parts})

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        verifier = hashlib.sha256(sent["code_verifier"][0].encode()).digest()
        assert base64.urlsafe_b64encode(verifier).decode().rstrip("=") == self.server.asked["code_challenge"]
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        assert self.headers["Authorization"] == f"Basic {basic}"
        moment = int(time.time())
        body = {"iss": self.server.issuer, "aud": CLIENT, "iat": moment, "exp": moment + 60}
        body |= {"sub": self.server.claims["sub"], "nonce": self.server.asked["nonce"]} | self.server.changed
        token = jwt.encode({"alg": "RS256", "kid": "1"}, body, self.server.key)
        self.say({"access_token": "for userinfo", "token_type": "Bearer", "id_token": token})

    def say(self, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    serving = Provider(("127.0.0.1", 0), Answers)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield serving
    serving.shutdown()
    serving.server_close()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('institution') / 'etalon.db'}")
    with writing(opened) as session:
        ensure_owner(session, "верный пароль")
    yield opened
    opened.dispose()


@pytest.fixture(scope="module")
def browser(provider: Provider, database: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(
        home=tmp_path_factory.mktemp("home"),
        public_url="http://testserver",
        oidc_issuer=provider.issuer,
        oidc_client=CLIENT,
        oidc_secret=SECRET,
        oidc_roles="leads=manager, admins=owner, *=viewer",
    )
    app = FastAPI()
    accounts = Accounts(database, SIGNER, institution=True)
    app.include_router(account_routes(accounts))
    app.mount(INSTITUTION, institution_app(accounts, settings))
    with TestClient(app, follow_redirects=False) as client:
        yield client


def signs_in(
    browser: TestClient, provider: Provider, claims: dict[str, Any], key: RSAKey = KEY, **changed: Any
) -> httpx2.Response:
    """What the browser gets in the end of its way to the institution and back."""
    browser.cookies.clear()
    provider.claims, provider.changed, provider.key = claims, changed, key
    left = browser.get("/institution/?next=/results/?study=parus")
    assert left.status_code == 302, left.text
    sent_back = httpx2.get(left.headers["location"], follow_redirects=False).headers["location"]
    return browser.get(sent_back.removeprefix("http://testserver"), headers={"accept-language": "en"})


def role_of(database: Engine, name: str) -> Role | None:
    with reading(database) as session:
        account = find_account(session, name=name)
    return account.role if account else None


def test_somebody_signs_in_gets_the_role_of_the_highest_group_and_is_led_on(
    browser: TestClient, provider: Provider, database: Engine
) -> None:
    claims = {"sub": "1", "preferred_username": "Ann", "groups": ["leads", "staff"]}
    reply = signs_in(browser, provider, claims)
    assert (reply.status_code, reply.headers["location"]) == (303, "/results/?study=parus")
    assert COOKIE in browser.cookies
    assert role_of(database, "ann") == "manager"
    led = signs_in(browser, provider, claims | {"groups": []})
    assert led.status_code == 303
    assert role_of(database, "ann") == "viewer"


def test_no_password_opens_an_account_of_the_institution(
    browser: TestClient, provider: Provider, database: Engine
) -> None:
    signs_in(browser, provider, {"sub": "2", "email": "bob@uni.example", "groups": "leads"})
    assert role_of(database, "bob@uni.example") == "manager"
    with reading(database) as session:
        for password in ("", "institution:", "bob@uni.example"):
            assert signed_in(session, name="bob@uni.example", password=password) is None


@pytest.mark.parametrize(
    ("claims", "mistake"),
    [
        ({"sub": "9", "preferred_username": OWNER, "groups": ["admins"]}, "name_taken"),
        ({"sub": "9", "preferred_username": "ann", "groups": ["admins"]}, "name_taken"),
        ({"sub": "9", "preferred_username": "local", "groups": ["admins"]}, "name_taken"),
        ({"sub": "9", "preferred_username": "не латиница"}, "no_name"),
        ({"sub": "9"}, "no_name"),
    ],
)
def test_nobody_becomes_another_account_by_its_name(
    browser: TestClient, provider: Provider, database: Engine, claims: dict[str, Any], mistake: str
) -> None:
    signs_in(browser, provider, {"sub": "1", "preferred_username": "ann"})
    with writing(database) as session:
        if not find_account(session, name="local"):
            add_account(session, name="local", role="viewer")
    with reading(database) as session:
        before = [(each.name, each.role) for each in list_accounts(session)]
    refused = signs_in(browser, provider, claims)
    assert refused.status_code == 403
    assert tied(mistake_sentence("en", mistake)) in unescape(refused.text)
    assert COOKIE not in browser.cookies
    with reading(database) as session:
        assert [(each.name, each.role) for each in list_accounts(session)] == before


@pytest.mark.parametrize(
    "lie",
    [
        {"key": FOREIGN_KEY},
        {"nonce": "another"},
        {"aud": "another client"},
        {"iss": "http://127.0.0.1:1"},
        {"exp": int(time.time()) - 3600},
    ],
    ids=lambda lie: next(iter(lie)),
)
def test_what_the_institution_did_not_say_of_this_sign_in_opens_nothing(
    browser: TestClient, provider: Provider, database: Engine, lie: dict[str, Any]
) -> None:
    refused = signs_in(browser, provider, {"sub": "7", "preferred_username": "eve", "groups": ["admins"]}, **lie)
    assert refused.status_code == 403
    assert COOKIE not in browser.cookies
    assert role_of(database, "eve") is None


def test_what_another_browser_began_or_nobody_began_opens_nothing(
    browser: TestClient, provider: Provider, database: Engine
) -> None:
    provider.claims, provider.changed, provider.key = {"sub": "8", "preferred_username": "mallory"}, {}, KEY
    left = browser.get("/institution/")
    back = httpx2.get(left.headers["location"], follow_redirects=False).headers["location"]
    browser.cookies.clear()
    assert browser.get(back.removeprefix("http://testserver")).status_code == 403
    assert browser.get("/institution/back?code=1&state=2").status_code == 403
    assert role_of(database, "mallory") is None


def test_a_deactivated_account_stays_out(browser: TestClient, provider: Provider, database: Engine) -> None:
    claims = {"sub": "3", "preferred_username": "carol", "groups": ["leads"]}
    signs_in(browser, provider, claims)
    with writing(database) as session:
        set_shut(session, name="carol", shut=True)
    assert signs_in(browser, provider, claims | {"groups": ["admins"]}).status_code == 403
    assert role_of(database, "carol") == "manager"


def test_the_sign_in_page_leads_there_only_if_it_is_set(browser: TestClient, database: Engine) -> None:
    browser.cookies.clear()
    assert 'href="/institution/?next=%2Fmanage%2F"' in browser.get("/login").text
    plain = FastAPI()
    plain.include_router(account_routes(Accounts(database, SIGNER)))
    assert "/institution/" not in TestClient(plain).get("/login").text


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ({"oidc_issuer": "http://idp.example", "oidc_client": "c", "oidc_roles": "*=viewer"}, "https"),
        ({"oidc_issuer": "https://idp.example", "oidc_client": "c"}, "ETALON_OIDC_ROLES"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(setting: dict[str, str], fault: str) -> None:
    with pytest.raises(BadSetting, match=fault):
        Settings(**setting)


def test_a_role_that_is_not_known_is_refused() -> None:
    assert roles_by_group("a=b=manager, *=viewer") == {"a=b": "manager", "*": "viewer"}
    with pytest.raises(BadSetting, match="roles are viewer, manager, owner"):
        roles_by_group("leads=admin")
