"""The guard before the pages: what anybody, a worker and the owner can reach, and the headers on everything."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse

from annotate.access import Signer, worker_cookie_name
from annotate.guard import OPEN, Guard
from annotate.login import COOKIE

SIGNER = Signer("a secret for tests")
WHO = {
    "anonymous": {},
    "worker": {worker_cookie_name("demo"): SIGNER.worker_cookie(1)},
    "forger": {COOKIE: SIGNER.worker_cookie(1)},
    "owner": {COOKIE: SIGNER.staff_cookie("owner")},
}
SHUT = ("anonymous", "worker", "forger")
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
def client() -> Iterator[TestClient]:
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.api_route("/{path:path}", methods=["GET", "POST", "HEAD"])
    def reached(request: Request) -> PlainTextResponse:
        return PlainTextResponse("reached", headers={"Content-Security-Policy": "default-src *"})

    with TestClient(Guard(app, SIGNER), follow_redirects=False) as opened:
        yield opened


def asked(client: TestClient, who: str, method: str, path: str, **headers: str) -> int:
    cookies = "; ".join(f"{name}={value}" for name, value in WHO[who].items())
    return client.request(method, path, headers=headers | ({"cookie": cookies} if cookies else {})).status_code


@pytest.mark.parametrize("who", SHUT)
@pytest.mark.parametrize("mount", ["/manage", "/results"])
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


@pytest.mark.parametrize("mount", ["/manage", "/results"])
def test_the_owner_reaches_what_the_page_needs(client: TestClient, mount: str) -> None:
    routes = [*(("GET", path) for path in ("", *PAGES)), *EVENTS]
    assert {asked(client, "owner", method, mount + path) for method, path in routes} == {200}


def test_uploads_are_for_the_owner_on_the_page_that_needs_them(client: TestClient) -> None:
    statuses = {
        (who, mount): {asked(client, who, method, mount + path) for method, path in UPLOADS}
        for who in WHO
        for mount in OPEN
    }
    assert {place for place, found in statuses.items() if found == {200}} == {("owner", "/manage")}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("mount", OPEN)
def test_what_gradio_opens_and_nobody_needs_is_closed_to_everybody(client: TestClient, who: str, mount: str) -> None:
    closed = 401 if who in SHUT and mount != "/annotate" else 404
    assert {asked(client, who, method, mount + path) for method, path in NEVER} == {closed}


@pytest.mark.parametrize("who", WHO)
def test_the_worker_page_has_no_events_and_no_uploads(client: TestClient, who: str) -> None:
    assert {asked(client, who, "GET", f"/annotate{path}") for path in PAGES} == {200}
    assert {asked(client, who, method, f"/annotate{path}") for method, path in (*EVENTS, *UPLOADS)} == {404}


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
    assert ("'unsafe-eval'" in policy["script-src"]) == path.startswith(("/manage", "/annotate", "/results"))
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


def test_who_may_frame_the_pages_can_be_said(client: TestClient) -> None:
    framed = TestClient(Guard(FastAPI(), SIGNER, frame_ancestors="https://huggingface.co"))
    assert "frame-ancestors https://huggingface.co" in framed.get("/").headers["content-security-policy"]
