"""A server that is watched: health, readiness and metrics over HTTP, while its disk is full and its database away."""

import re
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import update

from annotate.accounts.operator_routes import operator_routes
from db.clock import now
from db.engine import Database, opened, write, writing
from db.runs import Prediction, add_predictions, create_run
from db.settings import Settings
from db.studies import get_study
from db.tables import ASSIGNMENT
from tests.conftest import fresh_postgres
from tests.helpers.operated import STUDY, TOKEN, Operated, begin_within, free_of, operated, postgres_control

UNABLE = "Сервер сейчас не может"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, empty_sqlite: Path) -> Iterator[Operated]:
    """A server for all of these tests: whoever takes something from it gives it back."""
    folder = tmp_path_factory.mktemp("operated")
    url = f"sqlite:///{shutil.copy(empty_sqlite, folder / 'etalon.db')}"
    changed = {"db.engine:_begin_sqlite": begin_within, "data.log_lines:EVERY": 3.0}
    with operated(folder, url, changed, ETALON_METRICS=TOKEN) as running:
        yield running


def until(seen: Callable[[], Any], longest: float = 60.0) -> None:
    """Wait until something is so."""
    end = monotonic() + longest
    while not seen():
        assert monotonic() < end, "it did not come to be"
        sleep(0.2)


def test_a_server_says_under_any_name_that_it_works_and_why_not_with_another_database_or_none(server: Operated) -> None:
    for path, said in (("/healthz", "ok"), ("/readyz", "ready")):
        reply = server.get(path, host="10.1.2.3:7860")
        assert (reply.status_code, reply.text) == (200, said)
    assert server.get("/login", host="10.1.2.3:7860").status_code == 421

    file = Path(server.url.removeprefix("sqlite:///"))
    with opened(server.url) as database, database.begin() as connection:
        (version,) = connection.exec_driver_sql("SELECT version_num FROM alembic_version").one()
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    until(lambda: server.get("/readyz").status_code == 503)
    assert "the database is at 0001" in server.get("/readyz").text
    gone = file.rename(file.with_suffix(".gone"))
    until(lambda: "cannot be read" in server.get("/readyz").text)
    assert server.get("/healthz").status_code == 200
    gone.rename(file)
    with closing(sqlite3.connect(file)) as repaired, repaired:
        repaired.execute("UPDATE alembic_version SET version_num = ?", [version])
    until(lambda: server.get("/readyz").status_code == 200)


def test_a_disk_with_little_room_is_not_ready_and_metrics_are_closed_until_a_token_is_set(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.health.LEAST_FREE", 2**60)
    app = FastAPI()
    app.include_router(operator_routes(sqlite, Settings(home=tmp_path)))
    with TestClient(app) as client:
        reply, closed = client.get("/readyz"), client.get("/metrics", headers={"authorization": "Bearer x"})
    assert (reply.status_code, "make room" in reply.text) == (503, True)
    assert closed.status_code == 403
    assert "set ETALON_METRICS" in closed.text


def test_metrics_are_for_who_has_the_token_and_tell_answers_refusals_leases_waits_and_room(server: Operated) -> None:
    for wrong in ("", "Bearer", f"Bearer {TOKEN}x", "Basic abc"):
        assert server.get("/metrics", authorization=wrong).status_code == 401
    before = defaultdict(float, server.figures())
    token = server.enter()
    assert server.answer(token, "").status_code == 422
    assert server.answer(token, "слово").status_code == 200
    assert server.act("answer", token=token, value="a" * 100_000).status_code == 413
    login = server.client.post(
        f"{server.address}/login", data={"name": "owner", "password": "no"}, headers={"Origin": server.address}
    )
    assert login.status_code == 401
    figures = server.figures()
    held, expired = (f'etalon_leases{{state="{state}"}}' for state in ("held", "expired"))
    for one in (
        'etalon_answers_total{study="ellipses"}',
        'etalon_refusals_total{reason="too_long"}',
        'etalon_refusals_total{reason="login_wrong"}',
        held,
    ):
        assert figures[one] == before[one] + 1, one
    assert figures[expired] == before[expired]
    waited = "etalon_write_wait_seconds_count"
    assert figures[waited] >= before[waited] + 3
    assert figures["etalon_database_up"] == 1
    assert figures['etalon_disk_free_bytes{of="home"}'] == pytest.approx(free_of(server.home), rel=0.05)
    with opened(server.url) as database, writing(database) as session:
        write(session, update(ASSIGNMENT).values(expires_at=now() - timedelta(minutes=1)))
    later = server.figures()
    assert (later[held], later[expired]) == (0, figures[held] + figures[expired])


def test_metrics_tell_replies_of_models_and_their_cost_of_any_process_once(server: Operated) -> None:
    def replied(*predictions: Prediction) -> None:
        with opened(server.url) as database, writing(database) as session:
            run = create_run(session, study=get_study(session, name=STUDY), model="m", kind="model", settings={})
            add_predictions(session, run=run, predictions=predictions)

    right = Prediction(1, 0, "рисует", "рисует", "ok", request="a", cost=0.25)
    replied(right, replace(right, item_id=2, request="b", cost=0.5), replace(right, item_id=3, status="error"))
    ok, failed = (f'etalon_model_replies_total{{status="{status}"}}' for status in ("ok", "error"))
    for _ in range(2):
        figures = server.figures()
        assert (figures[ok], figures[failed], figures["etalon_model_cost_total"]) == (2, 1, 1.0)
    replied(replace(right, cost=2.0), replace(right, item_id=2, cached=True, cost=0.0))
    figures = server.figures()
    assert (figures[ok], figures[failed], figures["etalon_model_cost_total"]) == (3, 1, 3.0)


def test_a_full_disk_is_a_sentence_for_people_and_a_line_with_its_count_in_the_log(server: Operated) -> None:
    token, pages, before = server.enter(), server.printed.parent / "pages", len(server.lines())
    pages.write_text("1")
    while (reply := server.answer(token, "рисует")).status_code == 200:
        token = server.token(reply)
    for _ in range(199):
        reply = server.answer(token, "рисует")
        assert (reply.status_code, reply.headers["retry-after"]) == (503, "10")
    assert reply.json() == {"error": "The server cannot save or read anything just now. What was saved is not lost."}

    def said() -> list[dict[str, Any]]:
        return [line for line in server.lines() if "the disk is full" in line["event"]]

    until(lambda: sum(line.get("times", 1) for line in said()) == 200)
    assert len(said()) < 10
    assert said()[0]["study"] == "ellipses"
    assert said()[0]["fault"].endswith("database or disk is full")
    assert not [line for line in server.lines()[before:] if "at" in line], "no traceback"
    pages.write_text(str(2**30))
    assert server.answer(token, "рисует").status_code == 200


def test_a_database_that_goes_and_comes_back_leaves_a_line_for_each_and_people_wait_calmly(
    tmp_path: Path, postgres_server: Any, postgres_uri: str, empty_postgres: str
) -> None:
    url = fresh_postgres(postgres_uri, like=empty_postgres)
    with operated(tmp_path, url, {"db.engine:PATIENCE": 1.0}, ETALON_METRICS=TOKEN) as running:
        token = running.enter()
        assert running.get("/readyz").text == "ready"
        postgres_control(postgres_server, "-m", "immediate", "stop")
        try:
            reply = running.answer(token, "слово")
            assert (reply.status_code, reply.headers["retry-after"]) == (503, "10")
            until(lambda: running.get("/readyz").status_code == 503)
            joining = running.page(f"/join/ellipses/{running.invitation}")
            assert (joining.status_code, joining.headers["refresh"]) == (503, "10")
            assert UNABLE in joining.text.replace("\N{NO-BREAK SPACE}", " ")
            assert running.get("/healthz").status_code == 200
            assert running.figures()["etalon_database_up"] == 0
        finally:
            postgres_control(postgres_server, "restart")
        assert running.answer(token, "слово").status_code == 200
        until(lambda: running.get("/readyz").text == "ready")
        events = [line["event"] for line in running.lines()]
        assert events.count("the database is reached again") == 1
        assert events.index("the database cannot be reached") < events.index("the database is reached again")
        assert not re.search("Traceback", running.printed.read_text("utf8"))
