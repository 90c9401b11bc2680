"""The page of models without a browser: drafts, estimates, jobs held and stopped, keys that stay in memory."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from baseline.comparison.run_pairs import name_of
from baseline.models.providers import PROVIDERS
from baseline.pages.model_jobs import Job, Running, RunsOverview
from baseline.pages.models_drawing import (
    draw_comparison,
    draw_imported,
    draw_live,
    draw_preview,
    draw_runs,
    lasting,
)
from baseline.pages.models_service import ModelsService, settings_of_form
from baseline.pages.result_files import batch_files
from baseline.runs.run_settings import settings_again
from data.catalogue.catalog import get_task, sample_file, samples
from data.errors import BadSetting, EtalonError, UnknownName
from db.engine import open_database, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.runs import continue_run, list_runs
from db.settings import Settings
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.model_server import OUT_OF_QUOTA, ModelServer, Say, always, failing_first, wrong
from tests.helpers.waiting import until

PARUS = get_task("rsg/parus")
TRAIN = sample_file(PARUS, "train")
ITEMS = sum(item.role == "main" for item in samples(PARUS))
KEY = "sk-typed-by-hand-0123456789"


@pytest.fixture
def desk(sqlite: Engine) -> ModelsService:
    make_study(sqlite)
    return ModelsService(sqlite, Running(sqlite))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(always(Say("1"))) as running:
        yield running


def make_study(database: Engine, name: str = "parus") -> Study:
    with writing(database) as session:
        made = create_study(session, name=name, task=PARUS, settings=StudySettings(), seed=1)
        add_items(session, study=made, items=list(samples(PARUS)))
    return made


def asked(server: ModelServer, **more: Any) -> dict[str, Any]:
    return {"provider": "openai", "model": "test", "base_url": server.base_url, "concurrency": 2, **more}


def ended(job: Job) -> Job:
    until(lambda: job.state in ("ended", "paused"))
    return job


def begun(desk: ModelsService, values: Mapping[str, Any], key: str = KEY) -> Job:
    return desk.start("parus", values, key, who="owner")


def counted(look: RunsOverview) -> list[tuple[str, str, int]]:
    return [(line.run.model, line.state, line.done) for line in look.lines]


def test_batch_files_are_written_downloaded_and_their_results_stored(
    desk: ModelsService, server: ModelServer, tmp_path: Path
) -> None:
    desk = replace(desk, batches=tmp_path / "batches")
    written = ended(desk.start_batch("parus", asked(server), run=None, results=[], who="owner"))
    assert f"{ITEMS} requests written into requests-0001.jsonl" in written.message
    assert "requests of run 1 wait for their results" in ended(begun(desk, asked(server))).message
    look = desk.look("parus")
    assert counted(look) == [("openai:test", "incomplete", 0)]
    assert 'href="/models-files/batches/parus/1/requests-0001.jsonl"' in str(draw_runs(look))
    routes = FastAPI()
    routes.include_router(batch_files(desk.database, lambda request: request.headers.get("who")))
    client = TestClient(routes)
    assert client.get("/models-files/batches/parus/1/requests-0001.jsonl").status_code == 401
    assert client.get("/models-files/batches/parus/1/batches.json", headers={"who": "owner"}).status_code == 404
    lines = client.get("/models-files/batches/parus/1/requests-0001.jsonl", headers={"who": "owner"}).text.splitlines()
    body = json.loads(Say("1").body("test", "x"))
    results = [
        {"custom_id": json.loads(line)["custom_id"], "response": {"status_code": 200, "body": body}} for line in lines
    ]
    (came := tmp_path / "came.jsonl").write_text("".join(json.dumps(line) + "\n" for line in results), "utf8")
    assert desk.again("parus", 1).batch
    collected = ended(desk.start_batch("parus", asked(server), run=1, results=[came], who="owner"))
    assert collected.message.endswith(f"; ok {ITEMS}; {ITEMS} lines of results")
    assert counted(desk.look("parus")) == [("openai:test", "complete", ITEMS)]
    assert server.requests == []
    with pytest.raises(BadSetting, match="of one prompt"):
        desk.start_batch("parus", asked(server, variants=[0, 1]), run=None, results=[], who="owner")


def test_an_estimate_sends_and_stores_nothing_and_shows_the_very_prompt(
    desk: ModelsService, server: ModelServer
) -> None:
    priced = {"price_input": 2, "price_output": 0, "max_cost": 5, "variants": [0, 1]}
    found = desk.preview("parus", asked(server, **priced), "")
    assert [one.requests for one in found.estimates] == [ITEMS, ITEMS]
    drawn = str(draw_preview(found))
    first = next(item for item in samples(PARUS) if item.role == "main")
    assert first.fields["premise"] in found.messages[0]["content"]
    assert first.fields["premise"] in drawn
    assert "it stops before 5" in drawn
    assert f"run parus --model openai:test --base-url {server.base_url} --batch FOLDER" in drawn
    assert (server.requests, desk.look("parus").lines) == ([], [])


def test_a_run_is_made_to_its_end_and_both_managers_see_it(desk: ModelsService, server: ModelServer) -> None:
    job = ended(begun(desk, asked(server)))
    assert (job.state, job.message, job.failed, job.planned) == ("ended", "done", False, ())
    other = desk.look("parus")
    assert counted(other) == [("openai:test", "complete", ITEMS)]
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert f"{ITEMS} ok" in str(draw_runs(other))
    # That it is over is said once, beside what came of it.
    assert str(draw_live(other)).count(">done<") == 1
    assert "ended" not in str(draw_live(other))


def test_the_last_error_stands_there_while_the_run_goes_on(desk: ModelsService) -> None:
    script = iter([wrong(400, f"no <b>room</b> for {KEY}")])
    with ModelServer(lambda _: next(script, Say("1", after=0.2))) as server:
        job = begun(desk, asked(server, concurrency=1, limit=4))
        until(lambda: job.progress is not None and bool(job.progress.trouble))
        shown = str(draw_live(desk.look("parus")))
        assert "The last error: HTTP 400: no &lt;b&gt;room&lt;/b&gt; for" in shown
        assert KEY not in shown
        desk.running.halt(job.number)
        ended(job)
    assert "The last error" not in str(draw_live(desk.look("parus")))


def test_a_paused_run_asks_nothing_goes_on_where_it_was_and_asks_nothing_twice(desk: ModelsService) -> None:
    with ModelServer(always(Say("1", after=0.05))) as server:
        job = begun(desk, asked(server, concurrency=1))
        until(lambda: len(server.requests) >= 3)
        desk.running.pause(job.number)
        ended(job)
        (line,) = desk.look("parus").lines
        assert (job.state, line.state, line.may_go_on) == ("paused", "paused", False)
        assert len(server.requests) == line.done < ITEMS
        assert "Resume" in str(draw_live(desk.look("parus")))
        desk.running.resume(job.number)
        ended(job)
        assert len(server.requests) == ITEMS
        assert counted(desk.look("parus")) == [("openai:test", "complete", ITEMS)]


def test_a_stopped_run_lets_its_key_go_and_goes_on_from_its_own_settings(desk: ModelsService) -> None:
    with ModelServer(always(Say("1", after=0.05))) as server:
        job = begun(desk, asked(server, concurrency=1, limit=9, samples=2, structured="off"))
        until(lambda: len(server.requests) >= 3)
        desk.running.halt(job.number)
        ended(job)
        assert (job.state, job.planned) == ("ended", ())
        (line,) = desk.look("parus").lines
        assert line.may_go_on
        assert "Go on" in str(draw_runs(desk.look("parus")))
        form = desk.again("parus", line.run.id).values()
        values: dict[str, Any] = {"provider": "openai", "model": "test"}
        values |= {name: form[name] for name in ("base_url", "limit", "samples", "variants")}
        with pytest.raises(BadSetting, match=f"this is not run {line.run.id} any more .limit, seed differ."):
            desk.preview("parus", values | {"limit": 8, "seed": 3}, KEY, run=line.run.id)
        ended(desk.start("parus", values, KEY, who="owner", run=line.run.id))
        assert counted(desk.look("parus")) == [("openai:test", "complete", 18)]
        assert len(server.requests) == 18


def test_a_run_whose_server_was_killed_is_cut_off_and_may_go_on(desk: ModelsService) -> None:
    ended(begun(desk, {"provider": "random", "limit": 2}, ""))
    with writing(desk.database) as session:
        (run,) = list_runs(session, study=desk.look("parus").study)
        continue_run(session, run=run)
        session.exec_driver_sql("UPDATE run SET process = 'elsewhere:1', alive_at = '2020-01-01 00:00:00'")
    (line,) = desk.look("parus").lines
    assert (line.state, line.may_go_on) == ("cut off", True)
    assert settings_again(line.run).limit == 2


FAULTS = {
    "the server does not accept the key": always(wrong(401, f"Incorrect API key: {KEY}", code="invalid_api_key")),
    "used up": always(OUT_OF_QUOTA),
    "no such model": always(wrong(404, "no model test")),
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_what_ends_a_run_is_one_sentence_without_the_key(desk: ModelsService, sentence: str) -> None:
    with ModelServer(FAULTS[sentence]) as server:
        job = ended(begun(desk, asked(server, concurrency=1)))
    assert job.failed
    assert sentence in job.message
    assert KEY not in job.message
    assert sentence in str(draw_live(desk.look("parus")))


def test_the_typed_key_is_nowhere_but_in_the_request(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    make_study(database)
    desk = ModelsService(database, Running(database))
    with ModelServer(failing_first(wrong(400, f"what is {KEY}?"))) as server:
        ended(begun(desk, asked(server)))
        look = desk.look("parus")
        seen = f"{draw_runs(look)}{draw_live(look)}{draw_preview(desk.preview('parus', asked(server), KEY))}"
        seen += repr(look) + repr(desk.again("parus", look.lines[0].run.id))
        assert any(KEY in request.headers["Authorization"] for request in server.requests)
    database.dispose()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    written = "".join(capfd.readouterr())
    assert b"openai:test" in kept
    assert KEY.encode() not in kept
    assert KEY not in seen + written


def test_the_key_of_the_environment_goes_to_its_own_server_only(
    sqlite: Engine, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study(sqlite)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    desk = ModelsService.of(sqlite, Settings())
    openai = PROVIDERS["openai"]
    assert desk.knows_key(openai, server.base_url)
    assert not desk.knows_key(openai, "http://elsewhere.example/v1")
    assert not desk.knows_key(openai, "")
    ended(begun(desk, asked(server, limit=1), ""))
    with ModelServer() as other:
        ended(begun(desk, asked(other, limit=2), ""))
        assert {request.headers["Authorization"] for request in other.requests} == {"Bearer none"}
    assert server.requests[0].headers["Authorization"] == "Bearer sk-of-the-environment"


def test_no_more_than_so_many_ask_at_once_and_no_run_twice(sqlite: Engine) -> None:
    make_study(sqlite)
    desk = ModelsService(sqlite, Running(sqlite, at_once=2))
    with ModelServer(always(Say("1", after=0.2))) as server:
        first, second = (begun(desk, asked(server, limit=place)) for place in (5, 6))
        with pytest.raises(BadSetting, match="2 runs are asking already"):
            begun(desk, asked(server, limit=7))
        desk.running.pause(second.number)
        ended(second)
        with pytest.raises(BadSetting, match="openai:test is asked this already"):
            begun(desk, asked(server, limit=6))
        for job in (first, second):
            desk.running.halt(job.number)
        until(lambda: first.state == second.state == "ended")
    with pytest.raises(UnknownName):
        desk.running.pause(99)


def test_several_prompts_are_several_runs_and_the_spread_is_told(desk: ModelsService, server: ModelServer) -> None:
    job = ended(begun(desk, asked(server, variants=[0, 2], limit=4)))
    assert "accuracy by prompt: 0:" in job.message
    assert [line.run.settings["variant"] for line in desk.look("parus").lines] == [0, 2]


def test_what_learns_and_what_is_shown_examples_needs_the_train_split(desk: ModelsService, server: ModelServer) -> None:
    ended(begun(desk, {"provider": "tfidf-published", "train": str(TRAIN)}, ""))
    ended(begun(desk, {"provider": "tfidf", "train": str(TRAIN)}, ""))
    with pytest.raises(BadSetting, match="a train split; give one"):
        begun(desk, asked(server, shots=2, limit=1))
    ended(begun(desk, asked(server, shots=2, train=str(TRAIN), limit=1)))
    ended(begun(desk, asked(server, shots=2, limit=1, model="other")))
    assert len(server.requests[0].body["messages"]) == 5
    assert server.requests[0].body["messages"] == server.requests[1].body["messages"]
    assert counted(desk.look("parus"))[2][:2] == ("tfidf", "complete")
    with pytest.raises(BadSetting, match="learns from a train split; give it one"):
        begun(desk, {"provider": "majority"})


WRONG: dict[str, dict[str, Any]] = {
    "“Maximum items” is '0'": {"limit": 0},
    "“Answers per item” is '1.5'": {"samples": 1.5},
    "“Concurrent requests” is '1000'": {"concurrency": 1000},
    "“Price per million prompt tokens” is '-1'": {"price_input": -1},
    "is no setting of a run": {"gold": "all"},
    "the model 'oracle' is not known": {"provider": "oracle"},
    "type it": {"model": ""},
    "type the key into its own field": {"base_url": "http://me:secret@host/v1"},
    "begins with http:// or https://": {"base_url": "file:///etc/passwd"},
    "needs the price of 'openai:test'": {"max_cost": 1},
    "one of the two prices is missing": {"price_input": 1},
    "there is no prompt 9": {"variants": [9]},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_cannot_be_is_one_sentence_and_nothing_is_stored(
    desk: ModelsService, server: ModelServer, sentence: str
) -> None:
    values = {name: value for name, value in (asked(server) | WRONG[sentence]).items() if value != ""}
    with pytest.raises(EtalonError, match=sentence):
        begun(desk, values)
    assert (desk.look("parus").lines, server.requests) == ([], [])


def test_a_refused_connection_is_an_error_of_each_item_and_retried_when_it_goes_on(desk: ModelsService) -> None:
    with ModelServer() as server:
        closed = asked(server, limit=1)
    found = settings_of_form(closed)
    assert found.limit == 1
    with pytest.raises(BadSetting, match="has characters that no key has"):
        begun(desk, closed, "ключ")


def test_an_imported_run_stands_in_the_list_and_nobody_goes_on_with_it(desk: ModelsService, tmp_path: Path) -> None:
    first = next(item for item in samples(PARUS) if item.role == "main")
    (path := tmp_path / "a.jsonl").write_text(f'{{"item": "{first.id}", "answer": "<b>1</b>"}}\n', "utf8")
    found = desk.import_run("parus", path, "jsonl", "theirs")
    drawn, listed = str(draw_imported(found)), str(draw_runs(desk.look("parus")))
    assert "&lt;b&gt;1&lt;/b&gt;" in drawn
    assert ">imported<" in listed
    assert "complete" not in listed
    assert "Go on" not in listed
    with pytest.raises(BadSetting, match="was imported from jsonl"):
        desk.again("parus", found.run.id)
    assert [one.changed for one in desk.rescore("parus")] == [0]


def test_each_run_has_its_score_and_those_in_results_a_verdict(desk: ModelsService, server: ModelServer) -> None:
    study = make_study(desk.database, "judged")
    with writing(desk.database) as session:
        worker = add_worker(session)
        main = list_items(session, study=study, role="main")
        given = [Judgment(entry.key, worker, str(entry.item.gold)) for entry in main]
        add_judgments(session, study=study, judgments=given)
    for reply, more in (("1", {}), ("2", {"temperature": "0.5"})):
        server.script = always(Say(reply))
        ended(desk.start("judged", asked(server, **more), KEY, who="owner"))
    newer, older = desk.look("judged").lines
    ones = sum(entry.item.gold == "1" for entry in main)
    assert newer.score
    assert older.score
    assert (newer.score.score, older.score.score) == tuple(f"{100 * n / ITEMS:.1f}%" for n in (ITEMS - ones, ones))
    assert newer.score.difference == f"−{100 * ones / ITEMS:.1f} points"
    assert (newer.score.verdict, older.score.verdict) == ("worse", ""), "results show one run of a model"
    drawn = str(draw_runs(desk.look("judged")))
    assert f'<a href="/results/?study=judged"><b>{newer.score.score}</b></a>' in drawn
    assert "worse" in drawn


def test_times_are_told_in_two_units() -> None:
    assert [lasting(seconds) for seconds in (59, 61, 3700)] == ["59 s", "1 min 1 s", "1 h 1 min"]


def test_runs_are_compared_pinned_and_deleted_on_the_page_with_events(desk: ModelsService, server: ModelServer) -> None:
    ended(begun(desk, asked(server)))
    server.script = always(Say("2"))
    ended(begun(desk, asked(server, temperature="0.5")))
    newer, older = desk.look("parus").lines
    assert (newer.stands, older.stands) == (True, False)
    compared = desk.compare("parus", [older.run.id, newer.run.id])
    assert len(compared.pairs[0].changed) == ITEMS
    drawn = str(draw_comparison(compared))
    assert f"What changed between {name_of(compared.rows[0])} and {name_of(compared.rows[1])} ({ITEMS})" in drawn
    assert re.search(r"temperature</th>\s*<td[^>]*>0</td>\s*<td[^>]*>0.5</td>", drawn)

    assert desk.decision("parus", "pin", older.run.id)[0] == f"Pin run {older.run.id}"
    desk.decide("parus", "pin", older.run.id, who="owner", reason="the paper's")
    newer, older = desk.look("parus").lines
    assert (newer.stands, older.stands) == (False, True)
    assert "the paper" in older.pinned
    assert "Unpin" in str(draw_runs(desk.look("parus")))

    assert f"{ITEMS} replies of run {older.run.id}" in desk.decision("parus", "delete", older.run.id)[1]
    desk.decide("parus", "delete", older.run.id, who="owner", reason="a trial")
    seen = desk.look("parus")
    assert [line.run.id for line in seen.lines] == [newer.run.id]
    assert seen.lines[0].stands
    assert seen.deleted[0].happened().endswith("deleted by owner: a trial")
    assert "deleted by owner: a trial" in str(draw_runs(seen))
