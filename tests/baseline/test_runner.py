"""A run stores one prediction for every item and sample, whatever the model, the network or the person does."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from baseline.models.model import Question
from baseline.models.prompts import prompt_hash
from baseline.models.reply import Reply
from baseline.runs.dispatcher import RunProgress
from baseline.runs.result_runs import result_runs
from baseline.runs.runner import RunSummary, run_model
from data.catalogue.catalog import get_task, sample_file
from data.errors import BadSetting, BadTask
from data.files.item_files import read_items
from data.task import Item, Task
from db.engine import Database, reading, writing
from db.items import add_items, list_items
from db.runs import Prediction, Run, add_predictions, create_run, finish_run, list_runs
from db.studies import Study, create_study
from db.study_settings import StudySettings
from tests.helpers.asking_models import (
    ITEMS,
    KEY,
    OTHERS,
    Told,
    chat,
    model_named,
    new_study,
    planned,
    predictions,
    run,
    stored_now,
)
from tests.helpers.collection import TASK
from tests.helpers.model_server import (
    BROKEN,
    CUT,
    HTML,
    Behaviour,
    HangUp,
    Messages,
    ModelServer,
    Say,
    always,
    answer_sheet,
    failing_first,
    knowing,
    too_many,
)

# What is to happen within a second may take longer where others leave this process no time: one good try is enough.
BUSY_MACHINE = range(4)


@pytest.fixture
def study(sqlite: Database) -> Study:
    return new_study(sqlite)


def everything_in(path: Path) -> str:
    """Return all a database holds, as SQL, and the bytes of its files."""
    connection = sqlite3.connect(path)
    dumped = "\n".join(connection.iterdump())
    connection.close()
    return dumped + "".join(file.read_bytes().decode("latin1") for file in path.parent.glob(f"{path.name}*"))


def test_a_run_stores_one_prediction_for_each_main_item_and_sample(sqlite: Database, study: Study) -> None:
    with ModelServer(knowing(answer_sheet(TASK, ITEMS), accuracy=0.7)) as server:
        summary = run(sqlite, study=study, model=chat(server), samples=2)
    stored = predictions(sqlite, summary.run)
    assert list(zip(stored["item"], stored["sample"], strict=True)) == [(i.id, n) for i in ITEMS for n in range(2)]
    assert len(server.requests) == 2 * len(ITEMS)
    assert summary.items == len(ITEMS)
    assert summary.statuses == {"ok": 2 * len(ITEMS)} == stored["status"].value_counts().to_dict()
    assert summary.run.status == "complete"
    assert summary.run.finished_at is not None
    assert summary.completion_tokens == stored["completion_tokens"].sum() == 2 * len(ITEMS)
    assert summary.prompt_tokens == stored["prompt_tokens"].sum() > 0
    assert all(seconds > 0 for seconds in stored["seconds"])
    gold = {item.id: item.gold for item in ITEMS}
    right = [gold[item] == label for item, label in zip(stored["item"], stored["label"], strict=True)]
    assert 0.4 < sum(right) / len(right) < 1


def test_what_it_takes_to_repeat_a_run_is_stored_with_it(sqlite: Database, study: Study) -> None:
    with ModelServer() as server:
        model = chat(server)
        done = run(sqlite, study=study, model=model, limit=3, samples=2).run
    assert (done.model, done.kind, done.study_id) == ("openai:test", "model", study.id)
    asked = {"limit": 3, "samples": 2, "variant": 0, "prompt": prompt_hash(TASK, ITEMS[0].public())}
    plain = {"shots": 0, "context": None, "fresh": False, "templates": {"": TASK.prompt}}
    assert done.settings == {**model.settings, **asked, **plain}


def test_limit_takes_the_first_items(sqlite: Database, study: Study) -> None:
    summary = run(sqlite, study=study, model=Told(), limit=3)
    assert list(predictions(sqlite, summary.run)["item"]) == ["id-0", "id-1", "id-2"]


@pytest.mark.parametrize("name", ["random", "majority", "tfidf"])
def test_naive_models_take_the_same_road(name: str, sqlite: Database, study: Study) -> None:
    summary = run(sqlite, study=study, model=model_named(name, task=TASK, train=ITEMS))
    stored = predictions(sqlite, summary.run)
    assert set(stored["raw"]) <= {"1", "2"}
    assert summary.statuses == {"ok": len(ITEMS)}
    assert summary.run.kind == "naive"


def test_lidirus_has_no_train_split_and_learns_from_that_of_terra() -> None:
    lidirus, terra = get_task("rsg/lidirus"), get_task("rsg/terra")
    borrowed = read_items(sample_file(terra, "train"), lidirus)
    own = read_items(sample_file(terra, "train"), terra)
    assert [item.gold for item in borrowed] == [item.gold for item in own]
    assert borrowed[0].fields["sentence1"] == own[0].fields["premise"]
    for name in ("majority", "tfidf", "tfidf-published"):
        assert model_named(name, task=lidirus, train=borrowed).settings["train"] == len(own)


def test_gold_ids_and_other_roles_are_in_no_request(sqlite: Database) -> None:
    """The same items with every gold turned round make the same requests, byte for byte."""
    turned = [Item(i.id, i.fields, "green" if i.gold == "red" else "red") for i in ITEMS]
    bodies = []
    for place, items in enumerate((ITEMS, turned)):
        with writing(sqlite) as session:
            study = create_study(session, name=f"s{place}", task=TASK, settings=StudySettings())
            add_items(session, study=study, items=[*items, *OTHERS])
        with ModelServer() as server:
            run(sqlite, study=study, model=chat(server), concurrency=1)
        bodies.append([json.dumps(request.body, ensure_ascii=False) for request in server.requests])
    assert bodies[0] == bodies[1]
    sent = "".join(bodies[0])
    for hidden in ("id-", "gold", "secret", "учебный", "контрольный", "потому что"):
        assert hidden not in sent


def test_a_model_sees_a_public_item(sqlite: Database, study: Study) -> None:
    model = Told()
    run(sqlite, study=study, model=model)
    assert all(not hasattr(question.item, "gold") for question in model.asked)
    assert {question.key for question in model.asked} == {item.id for item in ITEMS}


def test_each_reply_is_read_into_its_status(sqlite: Database, study: Study) -> None:
    replies = (
        Reply("Ответ: 2"),
        Reply("1 или 2"),
        Reply(""),
        Reply("1", "truncated"),
        Reply("не могу", "refused"),
        Reply("HTTP 500", "error"),
    )
    summary = run(sqlite, study=study, model=Told(*replies), limit=6, concurrency=1)
    stored = predictions(sqlite, summary.run)
    assert list(stored["status"]) == ["ok", "unparsable", "unparsable", "truncated", "refused", "error"]
    assert list(stored["label"]) == ["green", None, None, None, None, None]
    assert list(stored["raw"]) == [reply.text for reply in replies]
    assert summary.run.status == "incomplete"
    assert summary.statuses["unparsable"] == 2


@pytest.mark.parametrize("text", ["нуль \0", "половина \ud83d пары", "\udc80"])
def test_what_no_database_can_hold_is_stored_as_a_replacement_character(text: str, engine: Database) -> None:
    study = new_study(engine)
    summary = run(engine, study=study, model=Told(Reply(text)), limit=1)
    (raw,) = predictions(engine, summary.run)["raw"]
    assert raw == text.translate(dict.fromkeys([0, 0xD83D, 0xDC80], "\ufffd"))


def test_a_server_that_fails_in_every_way_does_not_end_the_run(sqlite: Database, study: Study) -> None:
    faults: list[Behaviour] = [
        too_many(),
        BROKEN,
        HTML,
        CUT,
        HangUp(),
        Say(after=30),
        Say("нечто"),
        Say(finish_reason="length"),
        Say(None, refusal="нет"),
        Say("1"),
    ]

    def script(asked: Messages) -> Behaviour:
        return faults[int(asked[-1]["content"].split("предмет ")[1].split()[0]) % len(faults)]

    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server, attempts=2, timeout=1.5))
    assert summary.run.status == "incomplete"
    assert summary.statuses == {"error": 24, "unparsable": 4, "truncated": 4, "refused": 4, "ok": 4}


def test_a_run_with_errors_says_what_the_last_one_was(sqlite: Database, study: Study) -> None:
    with ModelServer(always(BROKEN)) as server:
        summary = run(sqlite, study=study, model=chat(server, attempts=1), limit=2)
    assert summary.statuses == {"error": 2}
    assert summary.trouble == "HTTP 500: The server had an error (attempt 1 of 1)"
    assert f"the last error: {summary.trouble}" in summary.text()
    again = run(sqlite, study=study, model=Told(Reply("1")), limit=2)
    assert again.trouble == ""


def test_faults_that_pass_leave_no_trace(sqlite: Database, study: Study) -> None:
    script = failing_first(too_many(), then=failing_first(BROKEN, then=always(Say("2"))))
    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server))
    assert summary.statuses == {"ok": len(ITEMS)}
    assert summary.run.status == "complete"


@pytest.mark.parametrize("concurrency", [1, 7])
def test_never_more_requests_are_in_flight_than_allowed(concurrency: int, sqlite: Database, study: Study) -> None:
    draw = random.Random(0)
    with ModelServer(lambda _: Say(after=draw.uniform(0.005, 0.03))) as server:
        run(sqlite, study=study, model=chat(server), concurrency=concurrency)
    assert server.most_in_flight == concurrency


def test_questions_are_taken_one_by_one(sqlite: Database, study: Study) -> None:
    """Nothing is made for questions that are not asked yet."""
    model = Told(after=0.05)

    async def a_little() -> int:
        task = asyncio.create_task(run_model(sqlite, planned(sqlite, study=study, model=model, concurrency=3)))
        while not model.asked:
            await asyncio.sleep(0.001)
        pending = len(asyncio.all_tasks())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return pending

    assert asyncio.run(a_little()) == 3 + 2
    assert model.closed == 1


def test_progress_is_told_and_ends_with_all(sqlite: Database, study: Study) -> None:
    heard: list[RunProgress] = []
    model = Told(after=0.1)
    summary = run(sqlite, study=study, model=model, concurrency=3, progress=heard.append)
    last = heard[-1]
    assert (last.done, last.total, last.statuses) == (len(ITEMS), len(ITEMS), {"ok": len(ITEMS)})
    assert (last.eta, last.cost, last.cached) == (0, 0, 0)
    assert last.rate >= len(ITEMS) / summary.lasted
    assert 2 <= len(heard) <= summary.lasted / 0.5 + 2
    assert all(before.done < after.done for before, after in pairwise(heard))
    first = heard[0]
    assert first.eta == pytest.approx((first.total - first.done) / first.rate)


@pytest.mark.parametrize("options", [{"limit": 0}, {"samples": 0}, {"concurrency": 0}])
def test_numbers_below_one_are_refused(options: dict[str, int], sqlite: Database, study: Study) -> None:
    with pytest.raises(BadSetting, match=r"is '0'; it must be a whole number from 1"):
        run(sqlite, study=study, model=Told(), **options)  # type: ignore[arg-type]


def test_a_study_without_main_items_is_refused_and_leaves_no_run(sqlite: Database) -> None:
    study = new_study(sqlite, items=[])
    with pytest.raises(BadSetting, match="no main items"):
        run(sqlite, study=study, model=Told())
    with reading(sqlite) as session:
        assert list_runs(session, study=study) == []


def test_a_broken_template_is_refused_before_anything_is_asked(sqlite: Database) -> None:
    broken = Task(**{**TASK.__dict__, "prompt": "{nothing}"})
    study = new_study(sqlite, task=broken)
    with ModelServer() as server, pytest.raises(BadTask, match="nothing"):
        run(sqlite, study=study, model=chat(server))
    assert server.requests == []


def test_a_model_that_breaks_ends_the_run_with_its_own_error(sqlite: Database, study: Study) -> None:
    class Broken(Told):
        async def reply(self, question: Question) -> Reply:
            if len(self.asked) == 5:
                raise BadTask("this model broke")
            return await super().reply(question)

    model = Broken()
    with pytest.raises(BadTask, match="this model broke"):
        run(sqlite, study=study, model=model, concurrency=2)
    with reading(sqlite) as session:
        (kept,) = list_runs(session, study=study)
    assert kept.status == "incomplete"
    assert len(predictions(sqlite, kept)) == 5
    assert model.closed == 1


def test_a_database_that_refuses_a_batch_ends_the_run(sqlite: Database, study: Study) -> None:
    """Nothing more is paid for when what comes back cannot be kept."""
    with writing(sqlite) as session:
        session.exec_driver_sql(
            "CREATE TRIGGER full BEFORE INSERT ON prediction BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    model = Told(after=0.1)
    with pytest.raises(Exception, match="disk full"):
        run(sqlite, study=study, model=model, concurrency=2)
    assert len(model.asked) < len(ITEMS)
    with reading(sqlite) as session:
        assert [kept.status for kept in list_runs(session, study=study)] == ["incomplete"]


def test_a_reply_is_committed_within_a_second_of_its_arrival(sqlite: Database, study: Study) -> None:
    async def watched() -> list[tuple[int, int]]:
        model, before = Told(after=0.1), stored_now(sqlite)
        going = asyncio.create_task(run_model(sqlite, planned(sqlite, study=study, model=model, concurrency=2)))
        seen = []
        while not going.done():
            await asyncio.sleep(0.1)
            due = sum(moment < time.monotonic() - 1 for moment in model.replied)
            seen.append((due, stored_now(sqlite) - before))
        await going
        return seen

    for _ in BUSY_MACHINE:
        seen = asyncio.run(watched())
        assert any(0 < stored < len(ITEMS) for _, stored in seen), seen
        if all(stored >= due for due, stored in seen):
            return
    pytest.fail(f"(due, stored) along the run: {seen}")


def test_a_cancelled_run_keeps_what_had_arrived_and_is_incomplete(sqlite: Database, study: Study) -> None:
    with ModelServer(lambda _: Say(after=0.05)) as server:

        async def cancelled() -> int:
            going = asyncio.create_task(
                run_model(sqlite, planned(sqlite, study=study, model=chat(server), concurrency=2))
            )
            while len(server.requests) < 15:
                await asyncio.sleep(0.005)
            arrived = sum(request.answered is not None for request in server.requests)
            going.cancel()
            with pytest.raises(asyncio.CancelledError):
                await going
            return arrived

        arrived = asyncio.run(cancelled())
    with reading(sqlite) as session:
        (kept,) = list_runs(session, study=study)
    assert kept.status == "incomplete"
    assert kept.finished_at is not None
    # The server counts a reply as given while it is still on its way to at most two workers.
    assert arrived - 2 <= len(predictions(sqlite, kept)) < len(ITEMS)
    assert len(server.requests) < len(ITEMS)


CHILD = """
import asyncio, signal, sys, time
from baseline.models.model import Model
from baseline.models.reply import Reply
from db.engine import open_database, reading
from db.studies import get_study
from tests.helpers.asking_models import run

class Slow(Model):
    name, kind, settings = "slow", "naive", {}

    async def reply(self, question):
        await asyncio.sleep(0.02)
        print(question.key, time.monotonic(), flush=True)
        return Reply("1")

# A program started in the background of a script inherits "ignore interrupts".
signal.signal(signal.SIGINT, signal.default_int_handler)
database = open_database(sys.argv[1])
with reading(database) as session:
    study = get_study(session, name="colours")
run(database, study=study, model=Slow(), samples=1000, concurrency=2)
"""


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_killed_process_keeps_the_replies_that_had_arrived(
    blow: signal.Signals, sqlite: Database, study: Study
) -> None:
    """Killed, those of a second before; interrupted, all of them."""
    for _ in BUSY_MACHINE:
        arrived, moment = killed_run(str(sqlite.url), blow)
        due = sum(reply < (moment if blow == signal.SIGINT else moment - 1) for reply in arrived)
        with reading(sqlite) as session:
            kept = list_runs(session, study=study)[0]
        stored = predictions(sqlite, kept)
        assert due > 0
        assert set(stored["status"]) <= {"ok"}
        assert kept.status == ("incomplete" if blow == signal.SIGINT else "running")
        if len(stored) >= due:
            return
    pytest.fail(f"{due} replies were due, {len(stored)} are stored")


def killed_run(url: str, blow: signal.Signals) -> tuple[list[float], float]:
    """Strike a process 1.4 s after the first reply to its model; return when replies came and when it was struck."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", CHILD, url]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
    ) as child:
        assert child.stdout
        lines = [child.stdout.readline()]
        while time.monotonic() < float(lines[0].split()[1]) + 1.4:
            lines.append(child.stdout.readline())
        child.send_signal(blow)
        moment = time.monotonic()
        lines += child.stdout.readlines()
    return [float(line.split()[1]) for line in lines if line.endswith("\n")], moment


def test_the_key_is_nowhere_in_the_database(tmp_path: Path, sqlite: Database, study: Study) -> None:
    with ModelServer(failing_first(BROKEN)) as server:
        run(sqlite, study=study, model=chat(server), limit=5)
    with ModelServer(always(Say(after=30))) as server:
        run(sqlite, study=study, model=chat(server, timeout=0.1, attempts=1), limit=2)
    sqlite.dispose()
    kept = everything_in(tmp_path / "etalon.db")
    assert "openai:test" in kept
    assert KEY not in kept


# db/runs.py


@dataclass(frozen=True)
class Runs:
    """A study and a way to make runs of it."""

    database: Database
    study: Study
    item: int

    def add(self, model: str, *statuses: str) -> Run:
        with writing(self.database) as session:
            made = create_run(session, study=self.study, model=model, kind="model", settings={"seed": 1})
            rows = [
                Prediction(self.item, sample, "x", None, status)  # type: ignore[arg-type]
                for sample, status in enumerate(statuses)
            ]
            add_predictions(session, run=made, predictions=rows)
            return finish_run(session, run=made)


@pytest.fixture
def runs(engine: Database) -> Runs:
    study = new_study(engine)
    with reading(engine) as session:
        item = list_items(session, study=study)[0].key
    return Runs(engine, study, item)


def test_runs_are_listed_newest_first_and_a_model_s_is_the_newest_complete_one_that_answered(runs: Runs) -> None:
    old, other, new = runs.add("a", "ok"), runs.add("b", "ok", "refused"), runs.add("a", "ok", "error")
    empty = runs.add("a")
    with reading(runs.database) as session:
        assert list_runs(session, study=runs.study) == [empty, new, other, old]
        chosen = result_runs(session, study=runs.study)
        assert [(one.run, [each.run for each in one.others]) for one in chosen] == [(old, [empty, new]), (other, [])]
    assert (old.status, other.status, new.status) == ("complete", "complete", "incomplete")


def test_a_run_that_was_stopped_is_incomplete(runs: Runs) -> None:
    made = runs.add("a", "ok")
    with writing(runs.database) as session:
        assert finish_run(session, run=made, stopped=True).status == "incomplete"


def test_the_summary_counts_the_seconds_of_the_clock(sqlite: Database, study: Study) -> None:
    summary: RunSummary = run(sqlite, study=study, model=Told(after=0.1), limit=4, concurrency=2)
    assert 0.2 <= summary.lasted < 60
