"""What a failing server means for a whole run: stray refusals, wrong keys, nobody who listens, a server that dies."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from baseline.models.model import Stopped
from db.engine import Database, reading
from db.runs import Run, list_runs
from db.studies import Study
from tests.helpers.asking_models import ITEMS, KEY, chat, chat_model, new_study, predictions, run
from tests.helpers.model_server import Behaviour, Messages, ModelServer, Say, always, wrong
from tests.helpers.ports import free_port
from tests.helpers.waiting import LONGEST, until

N = len(ITEMS)
SOON = 10.0
"""Seconds within which a run ends where nobody listens."""


@pytest.fixture
def study(sqlite: Database) -> Study:
    return new_study(sqlite)


def runs(database: Database, study: Study) -> list[Run]:
    with reading(database) as session:
        return list_runs(session, study=study)


# Keys


@pytest.mark.parametrize("status", [401, 403])
def test_a_stray_refusal_among_accepted_requests_is_tried_again(status: int, sqlite: Database, study: Study) -> None:
    def script(_: Messages) -> Behaviour:
        return wrong(status, "upstream auth timed out") if len(server.requests) % 5 == 0 else Say("1")

    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server, attempts=6), concurrency=4)
    assert (summary.run.status, summary.statuses) == ("complete", {"ok": N})
    assert len(server.requests) > N


def test_a_key_that_the_first_answer_refuses_ends_the_run_at_once(sqlite: Database, study: Study) -> None:
    with ModelServer(always(wrong(401, "Incorrect API key provided"))) as server:
        with pytest.raises(Stopped, match="check the API key"):
            run(sqlite, study=study, model=chat(server), concurrency=1)
        assert len(server.requests) == 1
    assert [one.status for one in runs(sqlite, study)] == ["incomplete"]


def test_a_key_that_may_do_nothing_ends_the_run_after_the_first_answers(sqlite: Database, study: Study) -> None:
    with ModelServer(always(wrong(403, "Country, region, or territory not supported"))) as server:
        with pytest.raises(Stopped, match="check the API key and what it may do"):
            run(sqlite, study=study, model=chat(server), concurrency=1)
        assert len(server.requests) == 3


def test_a_key_that_is_taken_back_in_the_middle_ends_the_run(sqlite: Database, study: Study) -> None:
    def script(_: Messages) -> Behaviour:
        return Say("1") if len(server.requests) <= 10 else wrong(401, "This key was deleted")

    with ModelServer(script) as server:
        with pytest.raises(Stopped, match=r"does not accept the key.*any more"):
            run(sqlite, study=study, model=chat(server), concurrency=2)
        assert len(server.requests) <= 10 + 2 * 3
        server.script = always(Say("1"))
        done = run(sqlite, study=study, model=chat(server), concurrency=2)
    assert (done.before, done.statuses) == (10, {"ok": N})


# Connections


@contextmanager
def talking_no_tls() -> Iterator[int]:
    """A port where something listens that answers a TLS handshake with words."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.1)
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            try:
                with listening.accept()[0] as met:
                    met.sendall(b"220 this is no TLS\r\n")
            except TimeoutError:
                continue

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        done.set()
        serving.join(10)
        listening.close()


def ended_within(database: Database, study: Study, url: str, words: str) -> None:
    began = time.monotonic()
    with pytest.raises(Stopped, match=words) as stopped:
        run(database, study=study, model=chat_model("test", base_url=url, api_key=KEY), concurrency=16)
    assert time.monotonic() - began < SOON
    assert str(stopped.value).count(". ") == 0
    (made,) = runs(database, study)
    assert (made.status, len(predictions(database, made))) == ("incomplete", 0)


def test_a_port_where_nobody_listens_ends_the_run_soon_with_one_sentence(sqlite: Database, study: Study) -> None:
    ended_within(sqlite, study, f"http://127.0.0.1:{free_port()}/v1", r"no answer from 127\.0\.0\.1:\d+ .*base URL")


def test_a_name_that_nobody_has_ends_the_run_soon_with_one_sentence(sqlite: Database, study: Study) -> None:
    ended_within(sqlite, study, "http://no-such-host.invalid/v1", r"no answer from no-such-host\.invalid:80 .*base URL")


def test_a_server_that_speaks_no_tls_ends_the_run_soon_with_one_sentence(sqlite: Database, study: Study) -> None:
    with talking_no_tls() as port:
        ended_within(sqlite, study, f"https://127.0.0.1:{port}/v1", r"no answer from 127\.0\.0\.1:\d+ .*base URL")


def test_a_resolver_that_never_answers_ends_the_run_soon(
    sqlite: Database, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait(60))
    try:
        ended_within(sqlite, study, "http://slow-names.example/v1", "no answer from slow-names.example")
    finally:
        over.set()


def test_a_server_that_is_started_anew_in_the_middle_of_a_run_costs_no_answer(sqlite: Database, study: Study) -> None:
    port = free_port()
    with ModelServer(always(Say("1", after=0.05)), port=port) as server:
        made: list[object] = []
        model = chat_model("test", base_url=server.base_url, api_key=KEY, first_pause=0.2)
        asking = threading.Thread(
            target=lambda: made.append(run(sqlite, study=study, model=model, concurrency=2)), daemon=True
        )
        asking.start()
        until(lambda: len(server.requests) >= 8)
    time.sleep(0.5)
    with ModelServer(always(Say("1")), port=port):
        asking.join(LONGEST)
    (one,) = runs(sqlite, study)
    assert (one.status, set(predictions(sqlite, one)["status"])) == ("complete", {"ok"})


def test_a_server_that_dies_for_good_ends_the_run_and_leaves_the_rest_to_be_asked(
    sqlite: Database, study: Study
) -> None:
    port = free_port()
    stopped: list[str] = []

    def ask() -> None:
        try:
            run(sqlite, study=study, model=model, concurrency=2)
        except Stopped as error:
            stopped.append(str(error))

    with ModelServer(always(Say("1", after=0.05)), port=port) as server:
        model = chat_model("test", base_url=server.base_url, api_key=KEY, attempts=6, first_pause=0.1)
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        until(lambda: len(server.requests) >= 8)
    asking.join(LONGEST)
    assert "no answer any more" in stopped[0]
    (one,) = runs(sqlite, study)
    kept = predictions(sqlite, one)
    assert (one.status, set(kept["status"])) == ("incomplete", {"ok"})
    assert 6 <= len(kept) < N
