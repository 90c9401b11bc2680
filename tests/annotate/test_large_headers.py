"""Headers without an end over real sockets: the connection is closed, and nobody else waits for it."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import httpx2
import pytest
from fastapi.testclient import TestClient

from annotate.accounts.guard import Guard
from annotate.accounts.login import COOKIE
from annotate.accounts.signer import worker_cookie_name
from data.limits import LARGEST_HEADERS, MOST_COOKIES, MOST_HEADERS
from db.engine import Database
from tests.helpers.browsing import application, invited
from tests.helpers.collection import SIGNER, make_service, make_study
from tests.helpers.ports import free_port
from tests.helpers.processes import serving

MB, TIMEOUT = 1024**2, 60.0
GET = b"GET /annotate/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CLOSING = b"Connection: close\r\n"


def places(number: int) -> bytes:
    """The Cookie header of a browser with that many cookies of ours, all forged."""
    cookies = (f"{worker_cookie_name(str(n))}=MQ.{n:020}" for n in range(number))
    return b"Cookie: " + "; ".join(cookies).encode() + b"\r\n"


ATTACKS: dict[str, Callable[[], bytes]] = {
    "a cookie of 24 MB": lambda: GET + b"Cookie: a=" + b"x" * 24 * MB + b"\r\n\r\n",
    "20 MB of languages": lambda: GET + b"Accept-Language: " + b"ru,en;q=0.5," * (20 * MB // 12) + b"\r\n\r\n",
    "a header that never ends": lambda: GET + b"X-Endless: " + b"x" * 100 * MB,
    "100,000 short headers": lambda: GET + b"".join(b"X-%d: y\r\n" % n for n in range(100_000)) + b"\r\n",
    "thousands of our cookies": lambda: GET + places(5_000) + b"\r\n",
    "as many of our cookies as fit": lambda: GET + places(600) + b"\r\n",
    "a body whose trailers never end": lambda: (
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: " + b"x" * 24 * MB
    ),
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    home, port = tmp_path_factory.mktemp("headers") / "home", free_port()
    with serving(home, port, {"ETALON_DEMO": "false"}):
        yield port


@dataclass
class Sent:
    """What became of what was sent: what came back, and whether the connection was closed then."""

    reply: bytes
    closed: bool

    @property
    def status(self) -> int:
        return int(self.reply.split()[1]) if self.reply else 0


def send(port: int, sent: bytes, wait: float = TIMEOUT) -> Sent:
    """Send all that the server takes, and read until it closes the connection, `wait` seconds at most."""
    reply, done, closed = b"", 0, False
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        with suppress(ConnectionResetError, BrokenPipeError):
            while done < len(sent):
                done += connection.send(sent[done : done + 65536])
        with suppress(TimeoutError):
            try:
                while part := connection.recv(65536):
                    reply += part
            except ConnectionResetError:
                pass
            closed = True
    return Sent(reply, closed)


@pytest.mark.parametrize("attack", ATTACKS)
def test_headers_without_an_end_are_refused_while_somebody_else_is_served(port: int, attack: str) -> None:
    over, became, sent = threading.Event(), [], ATTACKS[attack]()

    def attacking() -> None:
        for _ in range(2):
            became.append(send(port, sent))
        over.set()

    waited: list[float] = []
    with httpx2.Client(trust_env=False, timeout=TIMEOUT, base_url=f"http://127.0.0.1:{port}") as other:
        other.get("/login")
        thread = threading.Thread(target=attacking)
        thread.start()
        while not (over.is_set() and waited):
            began = time.monotonic()
            assert other.get("/login").status_code == 200
            waited.append(time.monotonic() - began)
            time.sleep(0.02)
        thread.join()
    assert max(waited) < 0.5
    assert all(one.closed and one.status in (0, 431) for one in became)


def headers(size: int) -> bytes:
    """A header of so many bytes, without the end of it."""
    return b"X: " + b"x" * (size - len(b"X: "))


BODY = b"name=owner&password=wrong"
LARGE = POST + b"Content-Length: %d\r\n" % len(BODY) + headers(LARGEST_HEADERS) + b"\r\n\r\n" + BODY
SMALL = b"GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 20_000 + b"0\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (LARGE, 431),
        (SMALL + b"X: y\r\n" * MOST_HEADERS + CLOSING + b"\r\n", 431),
        (GET.replace(b"/annotate/", b"/annotate/?" + b"x" * LARGEST_HEADERS) + CLOSING + b"\r\n", 431),
        (SMALL + headers(LARGEST_HEADERS - 200) + b"\r\n" + CLOSING + b"\r\n", 301),
        (SMALL + b"X: y\r\n" * (MOST_HEADERS - 2) + CLOSING + b"\r\n", 301),
        (CHUNKS.replace(b"Host", CLOSING + b"Host") + b"\r\n", 403),
    ],
    ids=["in one piece with a body", "many", "the address", "just fits", "as many as may be", "chunks are no headers"],
)
def test_what_is_refused_and_what_just_fits(port: int, sent: bytes, status: int) -> None:
    assert send(port, sent).status == status


def test_a_second_request_on_a_connection_is_counted_for_itself_and_refused_alike(port: int) -> None:
    kept = SMALL + headers(LARGEST_HEADERS // 2) + b"\r\n\r\n"
    fine = send(port, kept * 5 + SMALL + CLOSING + b"\r\n")
    assert fine.reply.count(b"HTTP/1.1 301") == 6
    refused = send(port, kept + LARGE)
    assert refused.closed
    assert b"HTTP/1.1 401" not in refused.reply
    assert b"HTTP/1.1 403" not in refused.reply


@pytest.mark.parametrize("trailers", [headers(LARGEST_HEADERS) + b"\r\n", b"X: y\r\n" * MOST_HEADERS])
def test_trailers_count_as_headers_do(port: int, trailers: bytes) -> None:
    sent = send(port, CHUNKS + trailers + b"\r\n", wait=10)
    assert sent.closed
    assert b"HTTP/1.1 403" not in sent.reply


@pytest.fixture
def browser(sqlite: Database) -> Callable[[int], TestClient]:
    """A browser in which somebody has joined that many studies, one after the other."""
    service = make_service(sqlite)
    guard = Guard(application(service), sqlite, SIGNER)

    def joined(number: int) -> TestClient:
        client = TestClient(guard, follow_redirects=False)
        for n in range(number):
            study = make_study(sqlite, name=f"study-{n}")
            assert invited(service, client, study).act("consent").status_code == 200
        return client

    return joined


def test_a_worker_of_many_studies_gives_up_the_oldest_places_and_is_never_refused(
    browser: Callable[[int], TestClient],
) -> None:
    client = browser(MOST_COOKIES + 5)
    kept = [name for n in range(MOST_COOKIES + 5) if (name := worker_cookie_name(f"study-{n}")) in client.cookies]
    assert kept == [worker_cookie_name(f"study-{n}") for n in range(7, MOST_COOKIES + 5)], "two are left for staff"
    assert client.post(f"/api/annotate/study-{MOST_COOKIES + 4}/state", json={}).status_code == 200


def test_a_browser_with_too_many_places_is_refused_once_and_keeps_its_newest_and_its_sign_in(
    browser: Callable[[int], TestClient],
) -> None:
    client = browser(1)
    ours = dict(client.cookies)
    for n in range(200):
        client.cookies.set(worker_cookie_name(str(n)), "MQ.old", domain="testserver.local")
    client.cookies.set(COOKIE, "signed", domain="testserver.local")
    for name, value in ours.items():
        client.cookies.delete(name)
        client.cookies.set(name, value, domain="testserver.local")
    refused = client.post("/api/annotate/study-0/state", json={})
    assert (refused.status_code, refused.headers["connection"]) == (431, "close")
    assert len(client.cookies) < MOST_COOKIES
    assert COOKIE in client.cookies
    assert client.post("/api/annotate/study-0/state", json={}).status_code == 200
