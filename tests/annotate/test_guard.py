"""The guard before the pages: what anybody, a worker and the owner can reach, and the headers on everything."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from sqlalchemy import Engine, event
from starlette.responses import PlainTextResponse

from annotate.accounts.guard import LEAST, OPEN, Guard
from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer, worker_cookie_name
from data.limits import LARGEST_BODY
from db.accounts import change_role, ensure_owner, set_shut
from db.engine import add, open_database, writing
from db.tables import AccountRow, PlaceKey

SIGNER = Signer("a secret for tests")
WHO = {
    "anonymous": {},
    "worker": {worker_cookie_name("demo"): SIGNER.worker_cookie(PlaceKey(1, "nonce"))},
    "forger": {COOKIE: SIGNER.worker_cookie(PlaceKey(1, "nonce"))},
    "viewer": {COOKIE: SIGNER.sign_in_cookie("vera")},
    "owner": {COOKIE: SIGNER.sign_in_cookie("owner")},
}
SHUT = ("anonymous", "worker", "forger")
STAFF_PAGES = list(OPEN)
HTML = {"accept": "text/html,application/xhtml+xml"}
PAGES = ("/", "/theme.css", "/assets/index.js", "/static/js/a.js")
EVENTS = (
    ("POST", "/gradio_api/queue/join"),
    ("GET", "/gradio_api/queue/data"),
    ("POST", "/gradio_api/run/predict"),
    ("GET", "/gradio_api/heartbeat/abc"),
    ("POST", "/gradio_api/reset"),
    ("POST", "/gradio_api/cancel"),
)
UPLOADS = (("POST", "/gradio_api/upload"), ("GET", "/gradio_api/upload_progress"))
NEVER = (
    ("GET", "/config"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/redoc"),
    ("GET", "/monitoring"),
    ("GET", "/monitoring/summary"),
    ("POST", "/login"),
    ("GET", "/logout"),
    ("GET", "/robots.txt"),
    ("GET", "/manifest.json"),
    ("GET", "/pwa_icon"),
    ("GET", "/gradio_api/info"),
    ("GET", "/gradio_api/openapi.json"),
    ("GET", "/gradio_api/app_id"),
    ("GET", "/gradio_api/token"),
    ("GET", "/gradio_api/user"),
    ("GET", "/gradio_api/startup-events"),
    ("GET", "/gradio_api/runs"),
    ("POST", "/gradio_api/run-history/connect"),
    ("GET", "/gradio_api/deep_link"),
    ("GET", "/gradio_api/file=/etc/passwd"),
    ("GET", "/gradio_api/file/etc/passwd"),
    ("GET", "/gradio_api/proxy=http://127.0.0.1/"),
    ("POST", "/gradio_api/call/create"),
    ("GET", "/gradio_api/call/create/1"),
    ("POST", "/gradio_api/call/v2/create"),
    ("POST", "/gradio_api/api/create"),
    ("POST", "/gradio_api/run/create"),
    ("POST", "/gradio_api/component_server"),
    ("POST", "/gradio_api/process_recording"),
    ("POST", "/gradio_api/stream/1"),
    ("POST", "/gradio_api/vibe-edit"),
    ("GET", "/gradio_api/profiling/summary"),
    ("GET", "/gradio_api/custom_component/1/client/component/a.js"),
    ("GET", "/gradio_api/mcp/sse"),
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('guard') / 'etalon.db'}")
    with writing(opened) as session:
        ensure_owner(session, "a password for tests")
        add(session, AccountRow(name="vera", password_hash="something", role="viewer"))
    yield opened
    opened.dispose()


@pytest.fixture(scope="module")
def behind() -> FastAPI:
    """What stands behind the guard: it answers whatever reaches it, when it has read all of it."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.api_route("/{path:path}", methods=["GET", "POST", "HEAD"])
    async def reached(request: Request) -> PlainTextResponse:
        length = len(await request.body())
        return PlainTextResponse(f"reached {length}", headers={"Content-Security-Policy": "default-src *"})

    return app


@pytest.fixture(scope="module")
def client(behind: FastAPI, database: Engine) -> Iterator[TestClient]:
    with TestClient(Guard(behind, database, SIGNER), follow_redirects=False) as opened:
        yield opened


def asked(client: TestClient, who: str, method: str, path: str, **headers: str) -> int:
    cookies = "; ".join(f"{name}={value}" for name, value in WHO[who].items())
    return client.request(method, path, headers=headers | ({"cookie": cookies} if cookies else {})).status_code


@pytest.mark.parametrize("who", SHUT)
@pytest.mark.parametrize("mount", STAFF_PAGES)
def test_without_a_sign_in_nothing_of_a_staff_page_answers(client: TestClient, who: str, mount: str) -> None:
    routes = [*(("GET", path) for path in PAGES), *EVENTS, *UPLOADS, *NEVER]
    assert {asked(client, who, method, mount + path) for method, path in routes} == {401}


@pytest.mark.parametrize("who", SHUT)
def test_without_a_sign_in_no_file_is_sent(client: TestClient, who: str) -> None:
    assert asked(client, who, "GET", "/manage-files/demo/judgments.csv") == 401


@pytest.mark.parametrize("who", SHUT)
@pytest.mark.parametrize(
    ("path", "after"),
    [
        ("/manage", "/manage"),
        ("/manage/", "/manage/"),
        ("/results/?study=demo-parus", "/results/%3Fstudy%3Ddemo-parus"),
        ("/results/?study=исследование", "/results/%3Fstudy%3D%25D0%25B8%25D1%2581%25D1%2581%25D0%25BB"),
        ("/manage-files/demo/judgments.csv", "/manage-files/demo/judgments.csv"),
    ],
)
def test_a_browser_without_a_sign_in_is_sent_to_the_form_and_back(
    client: TestClient, who: str, path: str, after: str
) -> None:
    reply = client.get(path, headers=HTML | {"cookie": "; ".join(f"{n}={v}" for n, v in WHO[who].items()) or "a=b"})
    assert reply.status_code == 303
    assert reply.headers["location"].startswith(f"/login?next={after}")


@pytest.mark.parametrize("mount", STAFF_PAGES)
def test_the_owner_reaches_what_the_page_needs(client: TestClient, mount: str) -> None:
    routes = [*(("GET", path) for path in ("", *PAGES)), *EVENTS]
    assert {asked(client, "owner", method, mount + path) for method, path in routes} == {200}


def test_uploads_are_for_managers_on_the_pages_that_need_them(client: TestClient) -> None:
    statuses = {
        (who, mount): {asked(client, who, method, mount + path) for method, path in UPLOADS}
        for who in WHO
        for mount in OPEN
    }
    assert {place for place, found in statuses.items() if found == {200}} == {
        ("owner", "/manage"),
        ("owner", "/models"),
    }


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("mount", OPEN)
def test_what_gradio_opens_and_nobody_needs_is_closed_to_everybody(client: TestClient, who: str, mount: str) -> None:
    closed = 401 if who in SHUT else 403 if who == "viewer" and LEAST[mount] != "viewer" else 404
    assert {asked(client, who, method, mount + path) for method, path in NEVER} == {closed}


@pytest.mark.parametrize("path", ["/login", "/join/demo/key", "/api/annotate/demo/state", "/static/look/look.css", "/"])
def test_our_own_routes_are_nobody_elses_business(client: TestClient, path: str) -> None:
    assert {asked(client, who, "GET", path) for who in WHO} == {200}


@pytest.mark.parametrize("path", ["/managed", "/results-of-others", "/manage-filesystem"])
def test_a_name_that_only_begins_like_a_staff_page_is_not_one(client: TestClient, path: str) -> None:
    assert asked(client, "anonymous", "GET", path) == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://testserver", 200), ("https://evil.example", 403), ("null", 403), ("http://testserver.evil.example", 403)],
)
def test_an_event_from_a_page_of_another_site_is_refused(client: TestClient, origin: str, status: int) -> None:
    assert asked(client, "owner", "POST", "/manage/gradio_api/queue/join", origin=origin) == status


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", ["/", "/login", "/manage/", "/manage/config", "/annotate/", "/results/theme.css"])
def test_every_response_has_safe_headers(client: TestClient, who: str, path: str) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in WHO[who].items()) or "a=b"
    headers = client.get(path, headers={"cookie": cookies}).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert headers.get_list("content-security-policy") == [headers["content-security-policy"]]
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'self'"
    assert policy["form-action"] == policy["connect-src"] == "'self'"
    assert ("'unsafe-eval'" in policy["script-src"]) == path.startswith(("/manage", "/results"))
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_role_that_is_too_little_is_told_so_and_who_can_help(client: TestClient, language: str) -> None:
    cookie = f"{COOKIE}={SIGNER.sign_in_cookie('vera')}"
    reply = client.get("/manage/", headers=HTML | {"cookie": cookie, "accept-language": language})
    words = {"ru": ("vera", "наблюдатель", "менеджер", "owner"), "en": ("vera", "viewer", "manager", "owner")}
    assert reply.status_code == 403
    assert all(word in reply.text for word in words[language])
    assert 'href="/results/"' in reply.text
    assert asked(client, "viewer", "GET", "/results/") == 200


@pytest.mark.parametrize("place", ["/manage", "/manage-files", "/models", "/models-files", "/accounts"])
def test_a_viewer_gets_to_results_alone(client: TestClient, place: str) -> None:
    assert asked(client, "viewer", "GET", f"{place}/colours/answers.jsonl") == 403
    assert asked(client, "viewer", "GET", "/results-files/colours/scores.csv") == 200


def test_a_change_of_an_account_is_felt_by_the_next_request(client: TestClient, database: Engine) -> None:
    with writing(database) as session:
        add(session, AccountRow(name="mark", password_hash="something", role="manager"))
    headers = {"cookie": f"{COOKIE}={SIGNER.sign_in_cookie('mark')}"}
    assert client.get("/manage/", headers=headers).status_code == 200
    with writing(database) as session:
        assert change_role(session, name="mark", role="viewer").version == 1
    assert client.get("/manage/", headers=headers).status_code == 401, "signed for an earlier version"
    headers = {"cookie": f"{COOKIE}={SIGNER.sign_in_cookie('mark', 1)}"}
    assert client.get("/manage/", headers=headers).status_code == 403
    with writing(database) as session:
        set_shut(session, name="mark", shut=True)
    assert client.get("/results/", headers=headers).status_code == 401
    headers = {"cookie": f"{COOKIE}={SIGNER.sign_in_cookie('mark', 2)}"}
    assert client.get("/results/", headers=headers).status_code == 401, "shut, whatever is signed"


def test_the_files_of_the_pages_ask_the_database_for_nothing(client: TestClient, database: Engine) -> None:
    cookie = {"cookie": f"{COOKIE}={SIGNER.sign_in_cookie('vera')}"}
    asked_for: list[str] = []
    event.listen(database, "checkout", lambda *_: asked_for.append("a connection"))
    assert client.get("/results/", headers=cookie).status_code == 200
    assert len(asked_for) == 1
    for path in ("/results/assets/index.js", "/results/static/js/a.js", "/results/theme.css", "/static/look/look.css"):
        assert client.get(path, headers=cookie).status_code == 200
    assert len(asked_for) == 1
    client.post("/logout", headers=cookie)
    assert client.get("/results/assets/index.js", headers=cookie).status_code == 200
    assert len(asked_for) == 2, "what is sent may be the end of the sign-in, so that it is looked up anew"


def test_a_body_is_read_up_to_its_bound(client: TestClient) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b"x" * 1024 * 1024] * 5

    assert client.post("/login", content=b"x" * LARGEST_BODY).text == f"reached {LARGEST_BODY}"
    assert client.post("/login", content=b"x" * (LARGEST_BODY + 1)).status_code == 413
    assert client.post("/login", content=pieces()).status_code == 413, "in pieces, of which nobody says how many"
    assert client.post("/login", headers={"content-length": "-1"}).status_code == 413


@pytest.mark.parametrize(
    ("host", "status"),
    [("etalon.example", 200), ("ETALON.example:8443", 200), ("evil.example", 421), ("", 421), ("[::1", 421)],
)
def test_a_server_with_a_name_answers_to_no_other(behind: FastAPI, database: Engine, host: str, status: int) -> None:
    named = TestClient(Guard(behind, database, SIGNER, hosts=frozenset({"etalon.example"})))
    assert named.get("/login", headers={"host": host}).status_code == status


def test_https_is_asked_for_ever_after(behind: FastAPI, database: Engine) -> None:
    replies = [
        TestClient(Guard(behind, database, SIGNER), base_url=f"{kind}://a.b").get("/") for kind in ("http", "https")
    ]
    assert ["strict-transport-security" in reply.headers for reply in replies] == [False, True]


def test_who_may_frame_the_pages_can_be_said(behind: FastAPI, database: Engine) -> None:
    framed = TestClient(Guard(behind, database, SIGNER, frame_ancestors="https://huggingface.co"))
    assert "frame-ancestors https://huggingface.co" in framed.get("/").headers["content-security-policy"]
