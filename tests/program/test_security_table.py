"""Who gets what: everybody at every route of the program as it is composed, Gradio's own routes included."""

import asyncio
import gc
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from annotate.accounts.guard import LEAST, OPEN, Guard, least_role
from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer, worker_cookie_name
from annotate.requesters.oversight import Oversight
from annotate.worker.service import Service
from db.accounts import ROLES, add_account, set_password
from db.engine import Database, open_database, writing
from db.settings import Settings
from server import QUEUE_PAUSE, build_app
from tests.helpers.collection import Person, arrive, make_study
from tests.helpers.routes import ORIGIN, Answer, asked, filled, routes_of

PASSWORD = "a password for tests"
SIGNER = Signer("a secret for tests")
PEOPLE = ("anonymous", "worker", "excluded", *ROLES)
FORM = "application/x-www-form-urlencoded"
TEMPLATES = {"study": "colours", "key": SIGNER.invitation("colours"), "what": "judgments", "form": "csv"}
TEMPLATES |= {"api_name": "predict"}

BY_ROLE = {"viewer": "LLL+++", "manager": "LLLF++", "owner": "LLLFF+"}

# What somebody gets: "+" an answer, "L" is sent to sign in (or to an invitation), "F" is told that this is not allowed,
# "-" is told that there is nothing. In the order of PEOPLE.
OURS = {
    "GET /": "++++++",
    "GET /favicon.ico": "++++++",
    "GET /healthz": "++++++",
    "GET /readyz": "++++++",
    "GET /metrics": "FFFFFF",
    "GET /static/look/{path}": "++++++",
    "GET /static/annotate/{path}": "++++++",
    "GET /static/worker/{name}": "------",
    "GET /annotate": "L++LLL",
    "GET /annotate/": "L++LLL",
    "GET /login": "++++++",
    "POST /login": "++++++",
    "POST /logout": "++++++",
    "GET /account": "LLL+++",
    "POST /account/password": "LLL+++",
    "POST /account/leave": "LLL+++",
    "GET /account/new/{key}": "++++++",
    "POST /account/new/{key}": "++++++",
    "GET /account/places.css": "++++++",
    "GET /join": "LLLLLL",
    "GET /join/{study}/{key}": "++++++",
    "POST /join/{study}/{key}": "++++++",
    "GET /join/{anything:path}": "++++++",
    "POST /api/annotate/{study}/state": "L++LLL",
    "POST /api/annotate/{study}/act": "L++LLL",
    "POST /api/annotate/{study}/alive": "L++LLL",
    "GET /board": "------",
    "GET /board/{name}": "------",
    "POST /board/{name}": "------",
    "GET /board-submissions": BY_ROLE["manager"],
    "POST /board-submissions": BY_ROLE["manager"],
    "POST /board-studies": BY_ROLE["owner"],
    "POST /api/annotate/{study}/sheet": "L++LLL",
}
ENDING = ("/account/leave", "/logout")
SIGNED_OUT = "signed out"
"""Somebody with a copy of a manager's cookie, who has signed out meanwhile."""
CLOSED_BY_ROLE = {place: verdicts.replace("+", "-") for place, verdicts in BY_ROLE.items()}
BODIES = {
    "/api/annotate/{study}/act": '{"kind": "next"}',
    "/login": f"name=manager&password={PASSWORD}".replace(" ", "+"),
    "/account/password": f"present={PASSWORD}&new=a&again=b".replace(" ", "+"),
}

# Gradio's routes below a page of ours that the page needs; all others are closed to everybody.
NEEDED = {"/", "/theme.css", "/assets/{path:path}", "/static/{path:path}"}
UPLOADING = ("/manage", "/models")
NEEDED_FOR_EVENTS = {
    f"/gradio_api/{name}"
    for name in ("heartbeat/{session_hash}", "queue/join", "queue/data", "reset", "cancel", "run/{api_name}")
}


@dataclass
class Site:
    """The program, its database and people in it; what everybody got everywhere, once it was asked."""

    guard: Guard
    database: Database
    cookies: dict[str, dict[str, str]]
    persons: dict[str, Person]
    routes: list[tuple[str, str, str]]
    answers: dict[tuple[str, str, str], Answer] = field(default_factory=dict)

    def client(self, who: str = "anonymous") -> TestClient:
        opened = TestClient(self.guard, base_url=ORIGIN, follow_redirects=False, raise_server_exceptions=True)
        opened.cookies.update(self.cookies[who])
        return opened


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("table")
    database = open_database(f"sqlite:///{home / 'etalon.db'}")
    make_study(database, main=6)
    make_study(database, main=6, name="shapes")
    persons = {who: arrive(Service(database, SIGNER)) for who in ("worker", "excluded")}
    cookies: dict[str, dict[str, str]] = {"anonymous": {}}
    cookies |= {who: {worker_cookie_name("colours"): person.cookie} for who, person in persons.items()}
    names = [line.work.name for line in Oversight(database).workers("colours")]
    Oversight(database).exclude("colours", names[-1], who="owner", reason="random answers")
    with writing(database) as session:
        for role in ROLES:
            add_account(session, name=role, role=role)
            account = set_password(session, name=role, version=0, password=PASSWORD)
            cookies[role] = {COOKIE: SIGNER.sign_in_cookie(role, account.version)}
    with warnings.catch_warnings():
        # Gradio leaves event loops behind when pages are built; what the collector says of them is not ours.
        warnings.simplefilter("ignore")
        guard = build_app(database, SIGNER, Settings(home=home, public_url=ORIGIN))
        assert isinstance(guard.app, FastAPI)
        made = Site(guard, database, cookies, persons, sorted(set(routes_of(guard.app.routes))))
        cookies[SIGNED_OUT] = {COOKIE: SIGNER.sign_in_cookie("manager", 1)}
        assert made.client(SIGNED_OUT).get("/account").status_code == 200
        assert made.client(SIGNED_OUT).post("/logout", headers={"origin": ORIGIN}).status_code == 303
        made.answers = asyncio.run(everything(made))
        gc.collect()
    yield made
    database.dispose()


async def everything(site: Site) -> dict[tuple[str, str, str], Answer]:
    """Ask every route as everybody, and those last that end the sign-in with which they are asked."""
    assert isinstance(site.guard.app, FastAPI)
    found = {}
    async with site.guard.app.router.lifespan_context(site.guard.app):
        for method, path, _ in sorted(site.routes, key=lambda route: route[1] in ENDING):
            for who in (*PEOPLE, SIGNED_OUT):
                body = BODIES.get(path, "{}")
                headers = {"origin": ORIGIN, "content-type": FORM if "=" in body else "application/json"}
                headers |= {"cookie": "; ".join(f"{name}={value}" for name, value in site.cookies[who].items())}
                at = filled(path, TEMPLATES)
                found[who, method, path] = await asked(site.guard, method, at, headers, body.encode())
    return found


def verdict(answer: Answer) -> str:
    """Return what an answer means, in one sign."""
    assert answer.status < 500, answer
    if answer.status == 401 or answer.location.startswith(("/login?next", "/join")):
        return "L"
    if answer.status == 403:
        return "F"
    return "-" if b"there is nothing here" in answer.body else "+"


def expected(method: str, path: str, mount: str) -> str | None:
    """Return what everybody gets at a route, None where the table has no row for it."""
    row = f"{method.replace('HEAD', 'GET')} {path}"
    if row in OURS:
        return OURS[row]
    least = least_role(path)
    if not mount or mount.startswith("/static"):
        return BY_ROLE[least] if least else None
    return None if mount not in OPEN else of_gradio(path.removeprefix(mount), mount)


def of_gradio(inner: str, mount: str) -> str:
    """Return what everybody gets at a route of Gradio's below one of our pages."""
    uploads = {"/gradio_api/upload", "/gradio_api/upload_progress"} if mount in UPLOADING else set()
    open_here = inner in NEEDED | NEEDED_FOR_EVENTS | uploads
    return (BY_ROLE if open_here else CLOSED_BY_ROLE)[LEAST[mount]]


def test_every_route_has_a_row(site: Site) -> None:
    without = [f"{method} {path}" for method, path, mount in site.routes if expected(method, path, mount) is None]
    assert not without, f"say in this table who may have {without}, or put them below a place of accounts/guard.py"
    mounts = {mount for _, _, mount in site.routes if mount in OPEN}
    assert {"/manage", "/results", "/accounts"} <= mounts
    assert len(site.routes) > 300, "Gradio's routes are among them"


@pytest.mark.parametrize("place", ["", *OPEN])
@pytest.mark.parametrize("who", PEOPLE)
def test_everybody_gets_what_the_table_says(site: Site, who: str, place: str) -> None:
    here = [(method, path, mount) for method, path, mount in site.routes if (mount if mount in OPEN else "") == place]
    wanted = {
        f"{method} {path}": (expected(method, path, mount) or "??????")[PEOPLE.index(who)]
        for method, path, mount in here
    }
    got = {f"{method} {path}": verdict(site.answers[who, method, path]) for method, path, _ in here}
    assert got == wanted


def test_a_copied_cookie_is_worth_nothing_after_its_owner_has_signed_out(site: Site) -> None:
    got, nobodys = (
        {f"{method} {path}": verdict(site.answers[who, method, path]) for method, path, _ in site.routes}
        for who in (SIGNED_OUT, "anonymous")
    )
    assert got == nobodys


def test_the_queues_of_the_pages_leave_the_processor_alone(site: Site) -> None:
    assert isinstance(site.guard.app, FastAPI)
    pages = [
        route.app.get_blocks()
        for route in site.guard.app.routes
        if hasattr(route, "app") and hasattr(route.app, "get_blocks")
    ]
    assert [page._queue.sleep_when_free for page in pages] == [QUEUE_PAUSE] * len(OPEN)
