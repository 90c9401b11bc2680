"""Uploads and the files that events name: nothing outside of one's own uploads is read, copied or told apart."""

import asyncio
import gc
import os
import shutil
import socket
import statistics
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI

import annotate.accounts.uploads
from annotate.accounts.guard import LEAST
from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer
from annotate.accounts.uploads import NOT_YOURS, Uploads, folder_of, plain_name
from data.limits import DEEPEST_EVENT, UPLOADS_LAST
from db.accounts import add_account, ensure_owner, set_password
from db.clock import now
from db.engine import open_database, writing
from db.settings import Settings
from server import build_app
from tests.helpers.collection import make_study
from tests.helpers.waiting import LONGEST, until
from tests.helpers.watching import Watch, watched

PASSWORD = "a password for tests"
SIGNER = Signer("a secret for tests")
PEOPLE = {"owner": "owner", "mary": "manager", "vera": "viewer"}
UPLOADING = ("/manage", "/models")
META = {"_type": "gradio.FileData"}
FOR_EACH = 4  # paths that each function of a page is tried with


@dataclass
class Site:
    """The running program: where it is, its pages' functions with the number of their inputs, files beside it."""

    address: str
    home: Path
    pages: dict[str, Any]
    functions: list[tuple[str, int, int]]
    cookies: dict[str, str]
    outside: list[Path] = field(default_factory=list)

    def client(self, who: str) -> httpx2.Client:
        headers = {"origin": self.address, "cookie": f"{COOKIE}={self.cookies[who]}"}
        return httpx2.Client(base_url=self.address, headers=headers, timeout=LONGEST, trust_env=False)

    def upload(self, who: str, name: str = "items.csv", content: bytes = b"a,b\n1,2\n", page: str = "/manage") -> str:
        with self.client(who) as client:
            reply = client.post(f"{page}/gradio_api/upload", files={"files": (name, content)})
        assert reply.status_code == 200, reply.text
        (path,) = reply.json()
        return str(path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("uploads")
    database = open_database(f"sqlite:///{home / 'etalon.db'}")
    make_study(database, main=6)
    cookies = {}
    with writing(database) as session:
        ensure_owner(session, PASSWORD)
        cookies["owner"] = SIGNER.sign_in_cookie("owner")
        for name, role in list(PEOPLE.items())[1:]:
            add_account(session, name=name, role=role)  # type: ignore[arg-type]
            account = set_password(session, name=name, version=0, password=PASSWORD)
            cookies[name] = SIGNER.sign_in_cookie(name, account.version)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # who comes before the server is up waits
        settings = Settings(home=home, port=listener.getsockname()[1])
        with warnings.catch_warnings():
            # Gradio leaves event loops behind when pages are built; what the collector says of them is not ours.
            warnings.simplefilter("ignore")
            application = build_app(database, SIGNER, settings)
            asyncio.run(asyncio.sleep(0))
            gc.collect()
        assert isinstance(application.app, FastAPI)
        pages = {
            str(getattr(route, "path", "")): route.app.get_blocks()
            for route in application.app.routes
            if hasattr(route, "app") and hasattr(route.app, "get_blocks")
        }
        functions = [
            (page, number, len(one.inputs)) for page, blocks in pages.items() for number, one in blocks.fns.items()
        ]
        server = uvicorn.Server(uvicorn.Config(application, log_config=None, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        made = Site(settings.address, home, pages, functions, cookies, outside_of(home))
        until(lambda: server.started)
        yield made
        server.should_exit = True
        thread.join()
    database.dispose()


def outside_of(home: Path) -> list[Path]:
    """Make what an attacker would like to have read."""
    (home / "secret").write_text("the secret of this installation, which nobody may read")
    (home / "table.csv").write_text("premise,gold\nbecause,1\n")
    (home / "link.csv").symlink_to(home / "table.csv")
    os.mkfifo(home / "pipe.csv")
    return [home / name for name in ("secret", "table.csv", "pipe.csv", "etalon.db")]


def opened(watch: Watch, site: Site) -> set[Path]:
    """What was opened, but for the database, in which the server looks up who asks."""
    return watch.opened() - {site.home / "etalon.db"}


def paths_of(site: Site) -> list[str]:
    """The paths that are tried, each existing one beside one that does not exist."""
    home = site.home
    inside = home / "uploads"
    inside.joinpath("not-an-upload.csv").write_text("a\n1\n")
    relative = os.path.relpath(home / "table.csv")
    theirs = site.upload("mary")
    mine = Path(site.upload("owner"))
    mine.with_name("link.csv").symlink_to(home / "table.csv")
    os.mkfifo(mine.with_name("pipe.csv"))
    (mine.parent.parent / "linked").symlink_to(home)
    return [
        str(home / "nothing.csv"),
        *map(str, site.outside),
        *(str(home / name) for name in ("link.csv", "", "nothing/at/all.csv", "uploads", "uploads/not-an-upload.csv")),
        relative,
        f"{inside}/../table.csv",
        f"{mine.parent}/../../../table.csv",
        f"{mine}/../../../../table.csv",
        str(mine.with_name("link.csv")),
        str(mine.with_name("pipe.csv")),
        str(mine.with_name("nothing.csv")),
        str(mine.parent),
        str(mine.parent.parent / "linked" / "table.csv"),
        f"{mine}\0.csv",
        f"{mine}/",
        f"/{mine}",
        "x" * 5000,
        theirs,
        "/dev/zero",
        "/dev/stdin",
        "/proc/self/environ",
        "/etc/passwd",
        f"file://{home / 'table.csv'}",
        f"file://localhost{home / 'table.csv'}",
        f"{site.address}/login",
        "http://169.254.169.254/latest/meta-data",
        "http://localhost:22/",
        "",
    ]


def event(number: int, data: list[Any], **more: Any) -> dict[str, Any]:
    return {"fn_index": number, "data": data, "session_hash": "s", "trigger_id": None, **more}


def test_no_function_of_any_page_takes_a_file_that_is_not_ones_own(site: Site) -> None:
    paths = paths_of(site)
    assert len(site.functions) > 90
    seen = set()
    with watched(site.outside) as watch, site.client("owner") as client:
        for turn, (page, number, inputs) in enumerate(site.functions):
            for place in range(turn, turn + FOR_EACH):  # every path comes again and again, with other functions
                data = [{"path": paths[place % len(paths)], "meta": META}] * max(inputs, 1)
                asked = ("run/predict", "queue/join")[place % 2]
                reply = client.post(f"{page}/gradio_api/{asked}", json=event(number, data))
                seen.add((reply.status_code, reply.text))
        assert opened(watch, site) == set()
    assert {status for status, _ in seen} == {422}
    assert len(seen) == 1, "one answer to all, whatever stands at the path"
    assert NOT_YOURS in seen.pop()[1]
    copied = [path for path in (site.home / "uploads").rglob("*") if path.is_file() and b"secret" in path.read_bytes()]
    assert copied == []


@pytest.mark.parametrize("who", PEOPLE)
def test_who_may_less_gets_no_further(site: Site, who: str) -> None:
    with site.client(who) as client:
        for page, least in LEAST.items():
            if page not in site.pages:
                continue
            body = event(min(site.pages[page].fns), [{"path": "/dev/zero", "meta": META}])
            reply = client.post(f"{page}/gradio_api/run/predict", json=body)
            role = PEOPLE[who]
            may = role == "owner" or least == "viewer" or (role, least) == ("manager", "manager")
            assert reply.status_code == (422 if may else 403)


SHAPES: list[Any] = [
    lambda path: {"path": path},
    lambda path: {"path": path, "meta": META},
    lambda path: {"path": path, "meta": {"_type": "gradio.FileData", "more": 1}},
    lambda path: {"path": path, "meta": {"_type": "else"}},
    lambda path: {"path": path, "meta": [], "is_stream": True},
    lambda path: {"path": path, "meta": META, "is_stream": True, "url": "http://127.0.0.1:22/"},
    lambda path: {"path": path, "meta": META, "orig_name": "/etc/passwd", "size": -1, "mime_type": "image/svg+xml"},
    lambda path: [{"path": path, "meta": META}],
    lambda path: [[{"path": path, "meta": META}]],
    lambda path: {"value": {"path": path, "meta": META}},
    lambda path: {"files": [{"a": {"b": [{"path": path, "meta": META}]}}]},
    lambda path: {"path": {"path": path, "meta": META}, "meta": META},
    lambda path: {"path": [path], "meta": META},
    lambda path: {"video": {"path": path, "meta": META}, "subtitles": {"path": path, "meta": META}},
]


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_however_a_file_is_named_it_is_refused(site: Site, shape: int) -> None:
    with watched(site.outside) as watch, site.client("owner") as client:
        for page, number, inputs in [one for one in site.functions if one[0] in UPLOADING][shape :: len(SHAPES)]:
            named = SHAPES[shape](str(site.home / "secret"))
            for body in (
                event(number, [named] * max(inputs, 1)),
                event(number, [None] * inputs, event_data=named),
                event(number, [[named] * max(inputs, 1)], batched=True),
            ):
                assert client.post(f"{page}/gradio_api/run/predict", json=body).status_code == 422
        assert opened(watch, site) == set()


def test_a_text_that_is_a_path_is_only_a_text(site: Site) -> None:
    with watched(site.outside) as watch, site.client("owner") as client:
        for page, number, inputs in site.functions:
            text = "/dev/zero" if number % 4 == 0 else str(site.home / "table.csv")
            body = event(number, [text] * inputs, session_hash=page)
            reply = client.post(f"{page}/gradio_api/run/predict", json=body)
            assert reply.status_code in (200, 500)
            assert "because" not in reply.text
        assert opened(watch, site) == set()


def test_an_address_beside_a_path_is_never_asked(site: Site) -> None:
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as listener, site.client("owner") as client:
        listener.settimeout(0.3)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        mine = site.upload("owner")
        named = ({"path": address, "meta": META}, {"path": mine, "url": address, "meta": META}, {"url": address})
        for turn, (page, number, inputs) in enumerate(site.functions):
            body = event(number, [named[turn % len(named)]] * inputs)
            client.post(f"{page}/gradio_api/run/predict", json=body)
        with suppress(TimeoutError):
            asked.append(listener.accept())
    assert asked == []


def test_what_stands_at_a_path_does_not_show_in_the_time(site: Site) -> None:
    large = site.home / "large.csv"
    with large.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    tried = [str(large), str(site.home / "nothing.csv"), "/dev/zero", str(site.home / "secret")]
    taken: dict[str, list[float]] = {path: [] for path in tried}
    with site.client("owner") as client:
        for _ in range(40):
            for path, times in taken.items():
                began = time.perf_counter()
                body = event(0, [{"path": path, "meta": META}])
                assert client.post("/manage/gradio_api/run/predict", json=body).status_code == 422
                times.append(time.perf_counter() - began)
    typical = [statistics.median(times) for times in taken.values()]
    assert max(typical) < 2 * min(typical) + 0.01


def test_a_device_is_answered_as_soon_as_nothing_while_others_go_on(site: Site) -> None:
    def asked(path: str) -> float:
        began = time.perf_counter()
        with site.client("vera") as client:
            body = event(min(site.pages["/results"].fns), [{"path": path, "meta": META}])
            assert client.post("/results/gradio_api/run/predict", json=body).status_code == 422
            assert client.get("/login").status_code == 303
        return time.perf_counter() - began

    taken: dict[str, list[float]] = {"/dev/zero": [], str(site.home / "nothing.csv"): []}
    with ThreadPoolExecutor(8) as pool:
        for _ in range(4):
            for path, times in taken.items():  # one path at a time: what holds everybody up would hold up both
                times += pool.map(asked, [path] * 8)
    device, nothing = map(statistics.median, taken.values())
    assert device < 3 * nothing


def test_ones_own_upload_is_taken_by_the_page_and_by_nobody_elses(site: Site) -> None:
    (number, inputs) = next(
        (number, one.inputs)
        for number, one in site.pages["/models"].fns.items()
        if [type(given).__name__ for given in one.inputs].count("File") == 1 and len(one.inputs) == 4
    )
    path = site.upload("owner", "журнал прогона.json", b"{}", "/models")
    assert Path(path).name == "журнал прогона.json"
    named = {"path": path, "orig_name": "x", "url": f"{site.address}/models/gradio_api/file={path}", "meta": META}
    kinds = [type(given).__name__ for given in inputs]
    data = ["colours" if kind == "Dropdown" else named if kind == "File" else "" for kind in kinds]
    data[kinds.index("Radio")] = inputs[kinds.index("Radio")].value
    with site.client("owner") as client:
        for first in (first for first, one in site.pages["/models"].fns.items() if not one.inputs):
            client.post("/models/gradio_api/run/predict", json=event(first, []))  # the page is there: it lists studies
        reply = client.post("/models/gradio_api/run/predict", json=event(number, data))
        assert reply.status_code == 200
        assert "журнал прогона.json" in reply.text, "the sentence about what is wrong in this file"
    with site.client("mary") as client:
        reply = client.post("/models/gradio_api/run/predict", json=event(number, data))
        assert (reply.status_code, NOT_YOURS in reply.text) == (422, True)


@pytest.mark.parametrize("asked", ["file={path}", "file/{path}", "proxy={path}", "stream/{path}"])
def test_no_upload_is_sent_back(site: Site, asked: str) -> None:
    path = site.upload("owner")
    with site.client("owner") as client:
        for page in site.pages:
            assert client.get(f"{page}/gradio_api/{asked.format(path=path)}").status_code == 404


@pytest.mark.parametrize("page", ["/results", "/accounts", "/annotate"])
def test_pages_without_files_take_no_uploads(site: Site, page: str) -> None:
    with site.client("owner") as client:
        assert client.post(f"{page}/gradio_api/upload", files={"files": ("a.csv", b"a")}).status_code == 404


DEEP = b'{"a":' * (DEEPEST_EVENT + 1) + b"1" + b"}" * (DEEPEST_EVENT + 1)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"data": ' + b"9" * 6000 + b"}",
        b"[" * 100_000,
        DEEP,
    ],
    ids=["empty", "cut", "no text", "long number", "deep and cut", "deep"],
)
@pytest.mark.parametrize("asked", ["run/predict", "queue/join"])
def test_what_is_no_event_is_told_so(site: Site, asked: str, body: bytes) -> None:
    with site.client("owner") as client:
        reply = client.post(f"/manage/gradio_api/{asked}", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == 422
    assert "load the page again" in reply.json()["error"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../../etc/cron.d/a.csv", "a.csv"),
        ("..\\..\\a.csv", "a.csv"),
        ("..", "file"),
        ("", "file"),
        (".bashrc", "bashrc"),
        ("<img src=x onerror=alert(1)>.csv", "_img src_x onerror_alert(1)_.csv"),
        ("я" * 300 + ".csv", "я" * 80 + ".csv"),
        ("таблица (1).csv", "таблица (1).csv"),
    ],
)
def test_the_name_of_an_upload_is_only_a_name(site: Site, name: str, kept: str) -> None:
    assert plain_name(name) == kept == plain_name(kept)
    if name:
        path = Path(site.upload("owner", name))
        assert path.name == kept
        assert path.parent.parent.parent == site.home / "uploads"


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b"", {}),
        (b"x" * 100, {"content-type": "text/csv"}),
        (b"--b\r\n", {"content-type": "multipart/form-data; boundary=b"}),
        (b"--b\r\n" + b"x" * 100_000, {"content-type": "multipart/form-data; boundary=b"}),
        (
            b'--b\r\nContent-Disposition: form-data; name="files"\r\n\r\n' + b"x" * 100_000 + b"\r\n--b--\r\n",
            {"content-type": "multipart/form-data; boundary=b"},
        ),
        (b"x", {"content-type": "multipart/form-data"}),
    ],
)
def test_what_is_no_upload_is_no_error_of_ours(site: Site, content: bytes, headers: dict[str, str]) -> None:
    with site.client("owner") as client:
        assert client.post("/manage/gradio_api/upload", content=content, headers=headers).status_code == 400


def test_several_files_at_once_are_refused(site: Site) -> None:
    with site.client("owner") as client:
        files = [("files", (f"{number}.csv", b"a")) for number in range(3)]
        assert client.post("/manage/gradio_api/upload", files=files).status_code == 400


def test_somebodys_oldest_uploads_make_room_and_nobody_elses_do(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotate.accounts.uploads, "UPLOADS_OF_ONE", 3)
    shutil.rmtree(site.home / "uploads" / folder_of("mary"), ignore_errors=True)
    theirs = site.upload("owner")
    mine = []
    for number in range(5):
        mine.append(Path(site.upload("mary", f"{number}.csv", b"x" * 400)))
        os.utime(mine[-1], (time.time() - 100 + number,) * 2)
    assert [path.exists() for path in mine] == [False, False, True, True, True]
    assert Path(theirs).exists()
    monkeypatch.setattr(annotate.accounts.uploads, "BYTES_OF_ONE", 1200)
    site.upload("mary", content=b"x" * 500)
    assert [path.exists() for path in mine[-2:]] == [False, True]
    with site.client("mary") as client:
        reply = client.post("/manage/gradio_api/upload", files={"files": ("a.csv", b"x" * 3000)})
    assert reply.status_code == 413


def test_all_uploads_together_have_a_limit(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.upload("mary")
    stored = len(Uploads(site.home / "uploads").stored())
    for name, value in (("UPLOADS_IN_ALL", stored), ("BYTES_IN_ALL", 10)):
        with monkeypatch.context() as changed, site.client("owner") as client:
            changed.setattr(annotate.accounts.uploads, name, value)
            reply = client.post("/manage/gradio_api/upload", files={"files": ("a.csv", b"x")})
            assert reply.status_code == 413
            assert "no room" in reply.text


def test_an_upload_that_breaks_off_leaves_nothing(site: Site) -> None:
    before = sorted((site.home / "uploads").rglob("*"))
    host, port = site.address.removeprefix("http://").split(":")
    for _ in range(3):
        with socket.create_connection((host, int(port))) as sent:
            head = (
                f"POST /manage/gradio_api/upload HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {site.address}\r\n"
                f"Cookie: {COOKIE}={site.cookies['owner']}\r\nContent-Length: 4000000\r\n"
                "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
                'Content-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
            )
            sent.sendall(head.encode() + b"x" * 2_000_000)
            sent.shutdown(socket.SHUT_WR)
            while sent.recv(65536):
                pass  # until the server has noticed
    with site.client("owner") as client:
        assert client.get("/login").status_code == 303
    assert sorted((site.home / "uploads").rglob("*")) == before


def test_uploads_go_by_age(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    kept = []
    for name in ("old.csv", "new.csv"):
        source = tmp_path / name
        source.write_text("a\n")
        with source.open("rb") as file:
            kept.append(uploads.keep("owner", name, file))
    beside = uploads.folder / "tmpabc"
    beside.touch()
    ago = time.time() - UPLOADS_LAST - 60
    for path in (kept[0], beside):
        os.utime(path, (ago, ago))
    uploads.sweep(None, now())
    assert [path.exists() for path in (*kept, beside)] == [False, True, False]
    ago = time.time() - UPLOADS_LAST + 60
    os.utime(kept[1], (ago, ago))
    assert uploads.own("owner", str(kept[1])) == kept[1], "who uses it keeps it"
    assert kept[1].stat().st_mtime > ago + 30


def test_gradio_looks_at_files_itself_too(site: Site) -> None:
    assert all(blocks.has_launched for blocks in site.pages.values())


def test_nobody_else_on_the_machine_looks_into_the_uploads(site: Site) -> None:
    path = Path(site.upload("owner"))
    for folder in (site.home / "uploads", path.parent.parent, path.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
