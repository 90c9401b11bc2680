"""What an attacker tries at our own routes: forged and old signatures, replays, hostile texts, paths and addresses."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from fastapi.testclient import TestClient
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from sqlalchemy import delete

from annotate.accounts.guard import Guard
from annotate.accounts.login import COOKIE, Accounts, account_routes
from annotate.accounts.register import Register
from annotate.accounts.signer import ACCOUNT_KEY_HOURS, Signer, worker_cookie_name
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.worker.api import Acts, worker_routes
from annotate.worker.service import Service
from data.drawing.environment import STATIC
from data.limits import LARGEST_UPLOAD
from db.accounts import ensure_owner
from db.engine import Database, open_database, writing
from db.exports import ComputedFiles
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.studies import get_study
from db.tables import FailureRow, PlaceKey
from db.workers import add_worker
from tests.helpers.browsing import Browser, token
from tests.helpers.collection import arrive, make_study

HERE = "http://etalon.example"
PASSWORD = "a password for tests"
SIGNER, FOREIGN = Signer("a secret for tests"), Signer("a secret of others")
SENT = {"origin": HERE, "accept-language": "en"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('attacks') / 'etalon.db'}")
    make_study(opened)
    make_study(opened, name="shapes")
    with writing(opened) as session:
        ensure_owner(session, PASSWORD)
    yield opened
    opened.dispose()


@pytest.fixture(autouse=True)
def nothing_failed(database: Database) -> None:
    with writing(database) as session:
        session.execute(delete(FailureRow))


@pytest.fixture
def guard(database: Database) -> Guard:
    """The program without Gradio's pages."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for routes in (
        worker_routes(Acts(Service(database, SIGNER))),
        account_routes(Accounts(database, SIGNER)),
        file_routes(RequesterService(database, SIGNER, HERE), ComputedFiles(database)),
    ):
        app.include_router(routes)
    app.mount("/static/look", StaticFiles(directory=STATIC))
    return Guard(app, database, SIGNER, hosts=frozenset({"etalon.example"}))


@pytest.fixture
def client(guard: Guard) -> TestClient:
    return TestClient(guard, base_url=HERE, follow_redirects=False)


@pytest.fixture
def owner(client: TestClient) -> TestClient:
    client.cookies.set(COOKIE, SIGNER.sign_in_cookie("owner"))
    assert client.get("/account").status_code == 200
    return client


@pytest.mark.parametrize(
    "cookie",
    [
        "owner",
        SIGNER.worker_cookie(PlaceKey(1, "nonce")),
        SIGNER.account_key("owner", 0),
        SIGNER.sign_in_cookie("owner", 7),
        SIGNER.sign_in_cookie("nobody"),
        FOREIGN.sign_in_cookie("owner"),
        URLSafeTimedSerializer(SIGNER.secret, salt="staff").dumps("owner"),
        URLSafeTimedSerializer(SIGNER.secret, salt="staff").dumps({"name": "owner"}),
        SIGNER.sign_in_cookie("owner")[:-1],
    ],
    ids=range(9),
)
def test_a_forged_sign_in_opens_nothing(client: TestClient, cookie: str) -> None:
    client.cookies.set(COOKIE, cookie)
    assert client.get("/manage-files/colours/judgments.csv").status_code == 401
    assert client.get("/account").headers["location"] == "/login?next=/account"


@pytest.mark.parametrize("study", ["shapes", "colours"])
def test_a_place_in_one_study_is_none_in_another(client: TestClient, database: Database, study: str) -> None:
    person = arrive(Service(database, SIGNER))
    for cookie in (person.cookie, SIGNER.sign_in_cookie("owner"), FOREIGN.worker_cookie(PlaceKey(1, "nonce"))):
        client.cookies.clear()
        client.cookies.set(worker_cookie_name(study), cookie)
        allowed = study == "colours" and cookie == person.cookie
        assert Browser(client, study).state().status_code == (200 if allowed else 401)


def test_somebody_elses_item_cannot_be_answered(client: TestClient, database: Database) -> None:
    mine, theirs = (arrive(Service(database, SIGNER)) for _ in range(2))
    client.cookies.set(worker_cookie_name("colours"), mine.cookie)
    stolen = theirs.look().token
    reply = Browser(client, "colours").act("answer", token=stolen, value="red", seconds=2)
    assert reply.status_code == 422
    assert theirs.look().token == stolen, "nothing has happened to it"


def test_a_link_for_a_password_works_once(client: TestClient, database: Database) -> None:
    path = Register(database, SIGNER, HERE).invite("ann", "viewer").removeprefix(HERE)
    chosen = {"new": "correct horse", "again": "correct horse"}
    assert client.get(path).status_code == 200
    assert client.post(path, data=chosen, headers={"origin": "https://evil.example"}).status_code == 403
    assert client.post(path, data=chosen | {"again": "else"}, headers=SENT).status_code == 422
    assert client.post(path, data={"new": "qwertyuiop", "again": "qwertyuiop"}, headers=SENT).status_code == 422
    first = client.post(path, data=chosen, headers=SENT)
    assert (first.status_code, first.headers["location"]) == (303, "/results/")
    assert client.get("/account").status_code == 200, "and who has chosen it is signed in"
    for again in (
        client.get(path),
        client.post(path, data={"new": "stolen stolen", "again": "stolen stolen"}, headers=SENT),
    ):
        assert again.status_code == 410


def test_a_link_that_was_replaced_forged_or_is_old_is_gone(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    register = Register(database, SIGNER, HERE)
    first = register.invite("bob", "manager").removeprefix(HERE)
    second = register.reset("bob").removeprefix(HERE)
    forged = f"/account/new/{FOREIGN.account_key('bob', 1)}"
    assert [client.get(path).status_code for path in (first, second, forged)] == [410, 200, 410]
    signed = SIGNER.account_key("bob", 1)
    later = TimestampSigner("x").get_timestamp() + ACCOUNT_KEY_HOURS * 3600 + 5
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: later)
    assert client.get(f"/account/new/{signed}").status_code == 410


def test_a_new_password_ends_every_other_sign_in(guard: Guard, database: Database) -> None:
    path = Register(database, SIGNER, HERE).invite("eve", "viewer").removeprefix(HERE)
    here, elsewhere = (TestClient(guard, base_url=HERE, follow_redirects=False) for _ in range(2))
    here.post(path, data={"new": "correct horse", "again": "correct horse"}, headers=SENT)
    entered = {"name": "eve", "password": "correct horse"}
    assert elsewhere.post("/login", data=entered, headers=SENT).status_code == 303
    wanted = {"present": "wrong", "new": "battery staple", "again": "battery staple"}
    assert here.post("/account/password", data=wanted, headers=SENT).status_code == 403
    changed = here.post("/account/password", data=wanted | {"present": "correct horse"}, headers=SENT)
    assert changed.status_code == 200
    assert [one.get("/account").status_code for one in (here, elsewhere)] == [200, 303]


def test_signing_out_everywhere_ends_every_sign_in_and_no_other_account(guard: Guard, database: Database) -> None:
    path = Register(database, SIGNER, HERE).invite("zoe", "viewer").removeprefix(HERE)
    here, elsewhere, owner = (TestClient(guard, base_url=HERE, follow_redirects=False) for _ in range(3))
    here.post(path, data={"new": "correct horse", "again": "correct horse"}, headers=SENT)
    elsewhere.post("/login", data={"name": "zoe", "password": "correct horse"}, headers=SENT)
    owner.cookies.set(COOKIE, SIGNER.sign_in_cookie("owner"))
    stolen = here.cookies[COOKIE]
    assert here.post("/account/leave", headers={"origin": "https://evil.example"}).status_code == 403
    assert elsewhere.get("/account").status_code == 200
    left = here.post("/account/leave", headers=SENT)
    assert (left.status_code, left.headers["location"], COOKIE in here.cookies) == (303, "/login", False)
    here.cookies.set(COOKIE, stolen)
    assert [one.get("/account").status_code for one in (here, elsewhere, owner)] == [303, 303, 200]


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://etalon.example.evil", "http://etalon.example:81"]
)
@pytest.mark.parametrize(
    "path", ["/login", "/logout", "/account/leave", "/account/password", "/api/annotate/colours/act"]
)
def test_a_page_of_another_site_changes_nothing(owner: TestClient, origin: str, path: str) -> None:
    reply = owner.post(path, headers={"origin": origin, "content-type": "application/json"})
    if not path.startswith("/api"):
        reply = owner.post(path, data={"name": "owner", "password": PASSWORD}, headers={"origin": origin})
    assert reply.status_code == 403
    assert "set-cookie" not in reply.headers


def test_cross_origin_reading_is_allowed_to_nobody(owner: TestClient) -> None:
    for path in ("/account", "/manage-files/colours/judgments.csv", "/static/look/look.css"):
        assert "access-control-allow-origin" not in owner.get(path, headers={"origin": "https://evil.example"}).headers


def test_what_is_too_long_is_refused_before_it_is_read(owner: TestClient) -> None:
    assert owner.post("/api/annotate/colours/act", json={"kind": "answer", "value": "x" * 70_000}).status_code == 413
    assert owner.post("/login", content=b"x" * 5_000_000).status_code == 413
    for path in ("/manage/gradio_api/upload", "/manage/gradio_api/queue/join"):
        assert owner.post(path, headers={"content-length": str(LARGEST_UPLOAD + 1)}).status_code == 413


@pytest.mark.parametrize(
    "text", ["a\0b", "\u202egnp.exe", "\ud7ff\uffff", "<script>alert(1)</script>", "'; DROP TABLE study; --"]
)
def test_hostile_texts_are_answered_with_a_sentence(client: TestClient, database: Database, text: str) -> None:
    assert client.post("/login", data={"name": text, "password": text, "next": text}, headers=SENT).status_code in (
        401,
        429,
    )
    client.cookies.set(worker_cookie_name("colours"), arrive(Service(database, SIGNER)).cookie)
    browser = Browser(client, "colours")
    shown = browser.state()
    assert browser.act("answer", token=token(shown), value=text).status_code == 422
    assert browser.act("report", token=token(shown), value={"reason": "other", "text": text}).status_code in (200, 422)
    assert client.get(f"/join/{quote(text)}/key").status_code in (403, 404)
    assert browser.state().status_code == 200


def test_cells_of_a_download_are_no_formulas(owner: TestClient, database: Database) -> None:
    with writing(database) as session:
        study = get_study(session, name="shapes")
        first, second, *_ = list_items(session, study=study)
        worker = add_worker(session)
        formula = '=HYPERLINK("http://evil.example")'
        given = [Judgment(first.key, worker, formula), Judgment(second.key, worker, "@SUM(1)")]
        add_judgments(session, study=study, judgments=given)
    rows = list(csv.DictReader(io.StringIO(owner.get("/manage-files/shapes/judgments.csv").text)))
    assert {row["label"][:2] for row in rows} == {"'=", "'@"}


@pytest.mark.parametrize(
    "path",
    [
        "/static/look/../../../app.py",
        "/static/look/..%2f..%2f..%2fapp.py",
        "/static/look/%2e%2e/%2e%2e/%2e%2e/app.py",
        "/static/look//etc/passwd",
        "/static/look/..\\..\\app.py",
        "/manage-files/../../app.py",
        "/manage-files/..%2f..%2fvar/secret.csv",
        "/manage/gradio_api/file=/etc/passwd",
        "/manage/gradio_api/file=app.py",
        "/manage/static/../../../app.py",
    ],
)
def test_no_path_leads_out_of_a_folder(owner: TestClient, path: str) -> None:
    reply = owner.get(path)
    assert reply.status_code in (401, 403, 404, 422)
    assert "import" not in reply.text
    assert "root:" not in reply.text


@pytest.mark.parametrize(
    "address",
    ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)"],
)
def test_signing_in_leads_nowhere_else(client: TestClient, owner: TestClient, address: str) -> None:
    assert owner.get("/login", params={"next": address}).headers["location"] == "/manage/"
    entered = {"name": "owner", "password": PASSWORD, "next": address}
    assert client.post("/login", data=entered, headers=SENT).headers["location"] == "/manage/"


def test_secrets_are_in_no_answer(owner: TestClient, tmp_path: Path) -> None:
    for path in ("/login", "/account", "/account/places.css", "/manage-files/colours/judgments.csv"):
        text = owner.get(path).text
        assert SIGNER.secret not in text
        assert "$argon2" not in text
