"""Half-sent requests over real sockets: each is closed in time, and nobody else waits for it."""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.helpers.ports import free_port
from tests.helpers.processes import serving

WITHIN = 2.0  # seconds a request has in these tests
LATEST = 120.0  # seconds after which a connection counts as left open, however busy the machine


@dataclass
class Server:
    """The program as it serves: where, and the file of what it prints."""

    port: int
    log: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home, port = tmp_path_factory.mktemp("slow") / "home", free_port()
    more = {"ETALON_DEMO": "false", "ETALON_REQUEST_SECONDS": str(WITHIN)}
    with serving(home, port, more) as printed:
        yield Server(port, printed)


def until_closed(server: Server, *pieces: bytes, pause: float = 0.0) -> float:
    """The seconds until the server closes the connection; what it says meanwhile is read."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=LATEST) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                break
            time.sleep(pause)
        try:
            while connection.recv(65536):
                pass
        except ConnectionResetError:
            pass
        return time.monotonic() - began


HEADERS = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /login HTTP/1.1\r\nHost: 127", HEADERS + b"Content-Length: 100\r\n\r\nname=ow"],
    ids=["nothing", "half of the headers", "half of the body"],
)
def test_a_connection_whose_request_does_not_arrive_is_closed(server: Server, sent: bytes) -> None:
    assert WITHIN * 0.9 < until_closed(server, sent) < LATEST


def test_a_header_that_trickles_in_gets_no_more_time_for_it(server: Server) -> None:
    trickle = [b"GET /login HTTP/1.1\r\n", *[b"x"] * 200]
    assert until_closed(server, *trickle, pause=WITHIN / 10) < WITHIN * 10


def test_the_second_request_on_a_connection_has_the_same_time(server: Server) -> None:
    whole = b"GET /static/look/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    assert WITHIN * 0.9 < until_closed(server, whole + b"GET /login HTT") < LATEST


def test_a_request_in_pieces_that_arrives_in_time_is_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=LATEST) as connection:
        for piece in (b"GET /login HTTP/1.1\r\n", b"Host: 127.0.0.1\r\n", b"Connection: close\r\n\r\n"):
            connection.sendall(piece)
            time.sleep(WITHIN / 40)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_many_half_sent_requests_are_gone_and_the_next_person_is_served(server: Server) -> None:
    half = [socket.create_connection(("127.0.0.1", server.port), timeout=LATEST) for _ in range(100)]
    try:
        for connection in half:
            connection.sendall(b"GET /login HTTP/1.1\r\nHost: ")
        with httpx2.Client(trust_env=False, timeout=LATEST) as client:
            assert client.get(f"http://127.0.0.1:{server.port}/login").status_code == 200
        assert all(connection.recv(1) == b"" for connection in half)
    finally:
        for connection in half:
            connection.close()
    assert "Traceback" not in server.log.read_text("utf8")
