"""One worker sends the worst there is, and another one's screen comes as fast as ever."""

import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import httpx2
import pytest
import uvicorn

from annotate.accounts.guard import Guard
from annotate.accounts.signer import Signer, worker_cookie_name
from annotate.worker.service import Service
from data.catalogue.catalog import get_task, samples
from db.engine import open_database, writing
from db.items import add_items
from db.settings import Settings
from db.studies import create_study
from db.study_settings import StudySettings
from tests.helpers.browsing import application
from tests.helpers.collection import arrive

SIGNER = Signer("a secret for tests")
STUDY = "written"
WORST = (
    "." * 30_000 + "a?",
    "." * 60_000,
    "!?" * 30_000 + "a",
    "-a" * 30_000,
    "a'" * 30_000 + "?",
    "« " * 30_000,
    " \n" * 30_000 + "x",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """A server with a study in which people write questions, and the cookies of its people."""
    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('held') / 'etalon.db'}")
    task = get_task("writing/history")
    items = [item for item in samples(task) if item.role == "main"]
    with writing(database) as session:
        study = create_study(session, name=STUDY, task=task, settings=StudySettings(overlap=20))
        add_items(session, study=study, items=list(islice(items, 5)))
    service = Service(database, SIGNER)
    cookies = [arrive(service, STUDY).cookie for _ in range(4)]
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # who comes before the server is up waits
        guard = Guard(application(service), database, SIGNER)
        server = uvicorn.Server(uvicorn.Config(guard, log_config=None, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Settings(port=listener.getsockname()[1]).address, cookies
        server.should_exit = True
        thread.join()
    database.dispose()


def client(address: str, cookie: str) -> httpx2.Client:
    headers = {"cookie": f"{worker_cookie_name(STUDY)}={cookie}", "content-type": "application/json"}
    return httpx2.Client(base_url=f"{address}/api/annotate/{STUDY}", headers=headers, timeout=60, trust_env=False)


def screen(one: httpx2.Client) -> tuple[float, str]:
    """What the processor did for everybody here until a screen came, in seconds, and the screen."""
    began = time.process_time()
    reply = one.post("/state", content=b"{}")
    assert reply.status_code == 200
    return time.process_time() - began, reply.json()["html"]


def test_the_worst_answer_of_one_worker_does_not_delay_another(address: tuple[str, list[str]]) -> None:
    where, cookies = address
    waiting, done = [], threading.Event()

    def send() -> set[int]:
        statuses = set()
        with client(where, cookies[0]) as worker:
            token = screen(worker)[1].split('data-token="')[1].split('"')[0]
            for text in WORST:
                value = [{"question": text, "answer": "да"}, *[{"question": "Кто?", "answer": "да"}] * 3]
                for given in (value, json.dumps(value), [{"question": "Описывает " + text}], text):
                    body = {"kind": "answer", "token": token, "value": given, "seconds": 3}
                    statuses.add(worker.post("/act", json=body).status_code)
        done.set()
        return statuses

    with ThreadPoolExecutor(1) as pool, client(where, cookies[1]) as other:
        usual = statistics.median(screen(other)[0] for _ in range(10))
        sending = pool.submit(send)
        while not done.is_set():
            waiting.append(screen(other)[0])
            time.sleep(0.01)
        assert sending.result() <= {413, 422}
    assert max(waiting) < 1 + 5 * usual


@pytest.mark.parametrize(
    "value",
    [
        "9" * 6000,
        "[" * 3000,
        "[" * 3000 + "]" * 3000,
        '{"a":' * 3000 + "1" + "}" * 3000,
        "1e999999",
        "-" + "9" * 60_000,
    ],
    ids=["number", "open", "deep", "objects", "exponent", "longer"],
)
def test_numbers_and_depths_that_nobody_can_mean_get_one_true_sentence(
    address: tuple[str, list[str]], value: str
) -> None:
    where, cookies = address
    with client(where, cookies[2]) as worker:
        token = screen(worker)[1].split('data-token="')[1].split('"')[0]
        body = f'{{"kind": "answer", "token": "{token}", "value": {value}, "seconds": 2}}'
        reply = worker.post("/act", content=body.encode(), headers={"accept-language": "en"})
    assert reply.status_code in (400, 422)
    assert reply.json()["error"].endswith(".")
    assert "rror" not in reply.json()["error"]
