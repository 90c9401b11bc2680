"""Nothing is paid for twice and nothing is lost: earlier replies, runs that were cut off, money that ends."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from baseline.comparison.results import results
from baseline.models.chat.request_pace import RequestPace
from baseline.models.model import Model, Stopped
from baseline.models.reply import DEFAULT, Price, price_of, read_prices
from baseline.runs.dispatcher import RunProgress, rescore
from baseline.runs.runner import RunSummary
from data.errors import BadFile, BadSetting
from data.task import Item
from db.clock import now
from db.engine import Database, reading, write, writing
from db.runs import Run, create_run, list_runs
from db.studies import Study
from db.tables import PREDICTION, RUN
from eval.panel import PanelRules
from tests.helpers.asking_models import ITEMS, Told, chat, chat_model, estimate, new_study, predictions, run, stored_now
from tests.helpers.details import results_text
from tests.helpers.model_server import (
    BROKEN,
    CUT,
    HTML,
    NOT_JSON,
    OUT_OF_QUOTA,
    Behaviour,
    HangUp,
    Messages,
    ModelServer,
    Say,
    Send,
    always,
    failing_first,
    too_many,
)
from tests.helpers.waiting import LONGEST, until

N = len(ITEMS)
PRICE = Price(input=1000.0, output=1000.0)
"""A thousandth for each token: a prompt of the server counts its words, a reply is one word."""


@pytest.fixture
def study(sqlite: Database) -> Study:
    return new_study(sqlite)


def runs(database: Database, study: Study) -> list[Run]:
    with reading(database) as session:
        return list_runs(session, study=study)


def failing(fault: Behaviour, *, after: int) -> ModelServer:
    """A server that answers so many requests and then fails for ever."""
    server = ModelServer()
    server.script = lambda _: Say("1") if len(server.requests) <= after else fault
    return server


def test_the_same_run_again_is_given_by_earlier_replies_and_costs_nothing(engine: Database) -> None:
    study = new_study(engine)
    with ModelServer(always(Say("2"))) as server:
        first = run(engine, study=study, model=chat(server), price=PRICE)
        again = run(engine, study=study, model=chat(server), price=PRICE)
        part = run(engine, study=study, model=chat(server), price=PRICE, limit=5)
        assert len(server.requests) == N
        fresh = run(engine, study=study, model=chat(server), price=PRICE, fresh=True)
        assert len(server.requests) == 2 * N
    assert (first.cached, again.cached, part.cached, fresh.cached) == (0, N, 5, 0)
    assert (again.cost, again.prompt_tokens, again.completion_tokens) == (0, 0, 0)
    assert fresh.cost == first.cost == pytest.approx((first.prompt_tokens + N) / 1000)
    assert first.statuses == again.statuses == {"ok": N}
    stored = predictions(engine, again.run)
    assert set(stored["label"]) == {"green"}
    assert all(stored["seconds"] == predictions(engine, first.run)["seconds"])


def test_two_models_never_share_a_reply(sqlite: Database, study: Study) -> None:
    with ModelServer(always(Say("1"))) as one, ModelServer(always(Say("2"))) as other:
        run(sqlite, study=study, model=chat(one))
        for model in (chat_model("other", base_url=one.base_url), chat(other)):
            assert run(sqlite, study=study, model=model).cached == 0
        assert (len(one.requests), len(other.requests)) == (2 * N, N)


def test_equal_items_are_paid_for_once(sqlite: Database) -> None:
    twins = [Item(f"twin-{n}", {"thing": f"предмет {n % 3}"}, "red") for n in range(30)]
    study = new_study(sqlite, items=twins)
    with ModelServer() as server:
        summary = run(sqlite, study=study, model=chat(server), samples=2, fresh=True)
    assert len(server.requests) == 6
    assert (summary.statuses, summary.cached) == ({"ok": 60}, 54)


def test_an_error_is_never_an_earlier_reply_and_is_asked_again(sqlite: Database, study: Study) -> None:
    with ModelServer(failing_first(BROKEN, times=2)) as server:
        broken = run(sqlite, study=study, model=chat(server, attempts=1))
        assert (broken.statuses, broken.run.status) == ({"error": N}, "incomplete")
        still = run(sqlite, study=study, model=chat(server, attempts=1))
        assert (still.statuses, still.cached, still.before) == ({"error": N}, 0, 0)
        mended = run(sqlite, study=study, model=chat(server, attempts=1))
    assert (mended.statuses, mended.run.status) == ({"ok": N}, "complete")
    assert {broken.run.id, still.run.id} == {mended.run.id}
    assert len(server.requests) == 3 * N


@pytest.mark.parametrize("fault", [OUT_OF_QUOTA, too_many("3600")])
def test_a_run_whose_quota_ends_stops_at_once_and_goes_on_later(
    fault: Behaviour, sqlite: Database, study: Study
) -> None:
    with failing(fault, after=10) as server:
        with pytest.raises(Stopped):
            run(sqlite, study=study, model=chat(server), concurrency=4, price=PRICE)
        (cut_off,) = runs(sqlite, study)
        stored = predictions(sqlite, cut_off)
        assert (cut_off.status, len(stored), set(stored["status"])) == ("incomplete", 10, {"ok"})
        assert len(server.requests) <= 14
        sent = Counter(server.prompts()[:10])
        server.script = always(Say("1"))
        done = run(sqlite, study=study, model=chat(server), concurrency=4, price=PRICE)
        answered = sent + Counter(server.prompts()[-30:])
    assert (done.run.id, done.before, done.cached) == (cut_off.id, 10, 0)
    assert done.statuses == {"ok": N}
    assert set(answered.values()) == {1}
    assert done.cost == pytest.approx((done.prompt_tokens + N) / 1000)


NURSERY = """
import os
import sys
from db.engine import open_database, reading
from db.studies import get_study
from tests.helpers.asking_models import chat_model, run

# One process imports, its children run: starting Python four times would take most of the test.
open_database(sys.argv[1]).dispose()
while sys.stdin.readline():
    child = os.fork()
    if child == 0:
        database = open_database(sys.argv[1])
        with reading(database) as session:
            study = get_study(session, name="colours")
        model = chat_model("test", base_url=sys.argv[2], max_tokens=9)
        run(database, study=study, model=model, samples=4, concurrency=4)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_killed_three_times_a_run_asks_nothing_again_that_was_answered(sqlite: Database, study: Study) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    blows: list[tuple[int, set[tuple[str, int]]]] = []
    most = 0

    def script(_: Messages) -> Behaviour:
        return Say("1", after=0.02 if len(server.requests) <= most else LONGEST)

    with ModelServer(script) as server:
        command = [sys.executable, "-c", NURSERY, str(sqlite.url), server.base_url]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=environment, **pipes) as nurse:
            for blow in range(1, 4):
                most = len(server.requests) + 35
                child = born(nurse)
                until(lambda: stored_now(sqlite) >= 25 * blow)  # noqa: B023
                os.kill(child, signal.SIGKILL)
                assert told(nurse) == -signal.SIGKILL
                blows.append((len(server.requests), stored(sqlite)))
                assert [one.status for one in runs(sqlite, study)] == ["running"]
            most = 8 * N
            born(nurse)
            assert told(nurse) == 0
    (whole,) = runs(sqlite, study)
    assert (whole.status, len(stored(sqlite))) == ("complete", 4 * N)
    for sent, kept in blows:
        assert len(kept) >= 25
        assert kept.isdisjoint(asked(server)[sent:])


def born(nurse: "subprocess.Popen[str]") -> int:
    assert nurse.stdin
    print(file=nurse.stdin, flush=True)
    return told(nurse)


def told(nurse: "subprocess.Popen[str]") -> int:
    assert nurse.stdout
    return int(nurse.stdout.readline())


def asked(server: ModelServer) -> list[tuple[str, int]]:
    return [(request.body["messages"][-1]["content"], request.body["seed"]) for request in list(server.requests)]


def stored(database: Database) -> set[tuple[str, int]]:
    from baseline.models.prompts import messages
    from db.items import list_items
    from db.studies import get_study
    from tests.helpers.collection import TASK

    with reading(database) as session:
        study = get_study(session, name="colours")
        texts = {one.key: messages(TASK, one.item.public())[-1]["content"] for one in list_items(session, study=study)}
        rows = session.exec_driver_sql("SELECT item_id, sample FROM prediction").all()
    return {(texts[item], sample) for item, sample in rows}


def left_running(database: Database, study: Study, model: Model, *, process: str, seconds: float) -> None:
    """Leave a run behind as a process does that was killed so many seconds after it was last heard."""
    with ModelServer(always(Say("1"))):
        settings = run(database, study=study, model=model, limit=None, fresh=True).run.settings
    with writing(database) as session:
        made = create_run(session, study=study, model=model.name, kind="model", settings=settings)
        left = {"process": process, "alive_at": now() - timedelta(seconds=seconds)}
        write(session, update(RUN).where(RUN.c.id == made.id).values(left))


@pytest.mark.parametrize(
    ("process", "seconds", "refused"),
    [
        (f"{socket.gethostname()}:{os.getpid()}", 1, True),
        ("another-host:1", 1, True),
        ("another-host:1", 31, False),
        (f"{socket.gethostname()}:{2**22 + 1}", 1, False),
    ],
    ids=["here", "elsewhere", "silent", "gone"],
)
def test_a_run_that_is_under_way_is_told_from_one_that_was_left(
    process: str, seconds: float, refused: bool, sqlite: Database, study: Study
) -> None:
    with ModelServer() as server:
        left_running(sqlite, study, chat(server), process=process, seconds=seconds)
        if refused:
            with pytest.raises(BadSetting, match="under way just now"):
                run(sqlite, study=study, model=chat(server))
        else:
            summary = run(sqlite, study=study, model=chat(server))
            assert [one.status for one in runs(sqlite, study)] == ["complete", "complete"]
            assert summary.run.id == runs(sqlite, study)[0].id


@pytest.mark.parametrize(
    ("process", "status", "state"),
    [
        (f"{socket.gethostname()}:{os.getpid()}", "running", "is under way, 5 of 40 items have an answer."),
        (f"{socket.gethostname()}:{2**22 + 1}", "running", "was cut off, 5 of 40 items have an answer; the same"),
        ("another-host:1", "incomplete", "is incomplete, 5 of 40 items have an answer; the same"),
    ],
    ids=["here", "gone", "stopped"],
)
def test_a_run_that_is_not_complete_is_said_beside_its_scores(
    process: str, status: str, state: str, sqlite: Database, study: Study
) -> None:
    made = run(sqlite, study=study, model=Told(), limit=5).run
    with writing(sqlite) as session:
        assert results(session, study=study, rules=PanelRules()).unfinished() == []
        stands = {"status": status, "process": process, "alive_at": now()}
        write(session, update(RUN).where(RUN.c.id == made.id).values(stands))
    with reading(sqlite) as session:
        found = results(session, study=study, rules=PanelRules())
        (said,) = found.unfinished()
        assert said.startswith(f"told: run {made.id} {state}")
        assert f"note: {said}" in results_text(found)


def test_faults_of_all_kinds_leave_four_hundred_items_complete(sqlite: Database) -> None:
    items = [Item(f"i{n}", {"thing": f"предмет {n}"}, "red") for n in range(400)]
    study = new_study(sqlite, items=items)
    faults: list[Behaviour] = [too_many(), too_many("0.01"), BROKEN, HTML, CUT, HangUp(), NOT_JSON, Say(after=30)]
    count = 0

    said = {7: "нечто", 8: '{"verdict": "1"}', 9: '{"answer": "1'}

    def script(messages: Messages) -> Behaviour:
        nonlocal count
        count += 1
        place = int(re.findall(r"предмет (\d+)", messages[-1]["content"])[0]) % 100
        # One in ten, each kind in its turn; the one that never comes is rarer, since it takes its time.
        kind = count // 10 % 8
        if count % 10 == 0 and (kind < 7 or count % 400 == 0):
            return faults[kind]
        return Say(None, refusal="Не могу.") if place == 6 else Say(said.get(place, "1"))

    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server, attempts=6, timeout=4, patience=60), concurrency=32)
    assert summary.run.status == "complete"
    assert summary.statuses == {"ok": 384, "unparsable": 12, "refused": 4}


# Stopping


def test_a_run_that_is_stopped_keeps_what_is_under_way_and_goes_on_later(sqlite: Database, study: Study) -> None:
    stop = threading.Event()
    heard: list[RunProgress] = []

    def script(_: Messages) -> Behaviour:
        if len(server.requests) == 15:
            stop.set()
        return Say("1", after=0.03)

    with ModelServer(script) as server:
        cut_off = run(sqlite, study=study, model=chat(server), concurrency=3, stop=stop)
        sent = len(server.requests)
        assert (cut_off.run.status, cut_off.statuses) == ("incomplete", {"ok": sent})
        assert 15 <= sent < N
        assert "goes on where it stopped" in cut_off.stopped
        done = run(
            sqlite, study=study, model=chat(server), concurrency=3, stop=threading.Event(), progress=heard.append
        )
    assert (done.run.id, done.run.status, done.statuses, done.stopped) == (cut_off.run.id, "complete", {"ok": N}, "")
    assert set(Counter(server.prompts()).values()) == {1}
    assert heard[-1].rate == pytest.approx((N - sent) / done.lasted, rel=0.5)


@pytest.mark.parametrize("fault", [too_many("30"), BROKEN], ids=["paused", "failing"])
def test_stopping_does_not_wait_for_another_attempt(fault: Behaviour, sqlite: Database, study: Study) -> None:
    stop = threading.Event()

    def script(_: Messages) -> Behaviour:
        if len(server.requests) == 11:
            stop.set()
        return Say("1") if len(server.requests) <= 10 else fault

    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server, first_pause=30, patience=60), concurrency=2, stop=stop)
    assert (summary.run.status, summary.statuses) == ("incomplete", {"ok": 10})
    assert summary.lasted < 30


def test_stopping_a_run_that_is_done_leaves_it_complete(sqlite: Database, study: Study) -> None:
    stop = threading.Event()

    def at_the_end(so_far: RunProgress) -> None:
        if so_far.done == so_far.total:
            stop.set()

    seen = run(sqlite, study=study, model=Told(after=0.01), stop=stop, progress=at_the_end)
    assert stop.is_set()
    assert (seen.run.status, seen.statuses, seen.stopped) == ("complete", {"ok": N}, "")


# Money


def test_no_more_is_paid_than_allowed_and_a_larger_sum_goes_on(sqlite: Database, study: Study) -> None:
    with ModelServer() as server:
        model = chat_model("test", base_url=server.base_url, max_tokens=10)
        whole = estimate(sqlite, study=study, model=model, price=PRICE)
        assert whole.requests == N
        assert server.requests == []
        poor = run(sqlite, study=study, model=model, price=PRICE, max_cost=0.4)
        assert poor.run.status == "incomplete"
        assert "the limit is 0.4 " in poor.stopped
        assert poor.cost is not None
        assert 0.3 < poor.cost <= 0.4
        assert 0 < len(server.requests) < N
        rich = run(sqlite, study=study, model=model, price=PRICE, max_cost=100.0)
    assert (rich.run.id, rich.run.status, rich.stopped) == (poor.run.id, "complete", "")
    assert rich.before == poor.statuses["ok"]
    assert len(server.requests) == N
    words = sum(len(prompt.split()) for prompt in server.prompts())
    assert (rich.prompt_tokens, rich.completion_tokens) == (words, N)
    assert rich.cost == pytest.approx((words + N) / 1000)


def test_an_estimate_counts_what_is_there_and_sends_nothing(sqlite: Database, study: Study) -> None:
    with failing(OUT_OF_QUOTA, after=10) as server:
        model = chat_model("test", base_url=server.base_url, max_tokens=10)
        with pytest.raises(Stopped):
            run(sqlite, study=study, model=model, concurrency=1)
        found = estimate(sqlite, study=study, model=model, price=PRICE)
        other = estimate(sqlite, study=study, model=model, limit=12)
        anew = estimate(sqlite, study=study, model=model, fresh=True)
        assert len(server.requests) == 11
    assert (found.answers, found.answered, found.cached, found.requests) == (N, 10, 0, N - 10)
    assert (other.answers, other.answered, other.cached, other.requests) == (12, 0, 10, 2)
    assert (anew.answered, anew.cached, anew.requests) == (0, 0, N)
    words = [len(prompt.split()) for prompt in server.prompts()]
    assert found.prompt_tokens == 3 * words[0] * (N - 10)
    assert found.completion_tokens_at_most == 10 * (N - 10)
    assert found.cost_at_least == pytest.approx(found.prompt_tokens / 1000)
    assert found.cost_at_most == pytest.approx((found.prompt_tokens + 10 * (N - 10)) / 1000)
    assert other.cost_at_most is None
    assert len(runs(sqlite, study)) == 1


def test_a_limit_of_money_without_a_price_is_refused(sqlite: Database, study: Study) -> None:
    with ModelServer() as server, pytest.raises(BadSetting, match="list of prices"):
        run(sqlite, study=study, model=chat(server), max_cost=1.0)
    assert runs(sqlite, study) == []


def test_a_price_list_is_read_and_the_shipped_one_names_no_price(tmp_path: Path) -> None:
    assert read_prices() == {}
    assert "[models." in DEFAULT.read_text("utf8")
    file = tmp_path / "prices.toml"
    file.write_text('currency = "RUB"\n[models."a/b"]\ninput = 2\noutput = 0.5\n', "utf8")
    price = price_of("openai:a/b", read_prices(file))
    assert price == Price(2.0, 0.5, "RUB")
    assert price.of(500_000, 2_000_000) == 2.0
    assert price_of("random", read_prices(file)) is None
    for wrong in ('[models."x"]\ninput = 1', '[models."x"]\ninput = -1\noutput = 1', "models = 1", "x ="):
        file.write_text(wrong, "utf8")
        with pytest.raises(BadFile, match=r"prices\.toml"):
            read_prices(file)


def test_a_server_that_states_no_tokens_is_paid_for_by_the_words(sqlite: Database, study: Study) -> None:
    body = json.dumps({"choices": [{"message": {"content": "Ответ: 2"}, "finish_reason": "stop"}]}).encode()
    with ModelServer(always(Send(body))) as server:
        summary = run(sqlite, study=study, model=chat(server), price=PRICE, limit=1)
        (prompt,) = server.prompts()
    assert (summary.prompt_tokens, summary.completion_tokens) == (0, 0)
    assert summary.cost == pytest.approx(3 * (len(prompt.split()) + 2) / 1000)


# RequestPace


def test_the_pace_rises_while_it_is_used_and_falls_once_for_a_round_of_refusals() -> None:
    async def along() -> list[float]:
        pace, limits = RequestPace(start=10), []
        for _ in range(2):
            turns = [pace.turn() for _ in range(10)]
            since = [await turn.__aenter__() for turn in turns]
            for moment in since[:5]:
                pace.refused(moment, wait=0)
            limits.append(pace.limit)
            for _turn in turns[5:]:
                pace.went_well()
            limits.append(pace.limit)
            for turn in turns:
                await turn.__aexit__(None, None, None)
            pace.limit = 10.0
        return limits

    first = 7.0
    for _ in range(5):
        first += 1 / first
    assert asyncio.run(along()) == pytest.approx([7.0, first, 7.0, first])


def test_before_the_first_refusal_each_good_reply_makes_room_for_one_more() -> None:
    async def along() -> list[float]:
        pace, limits = RequestPace(start=2, most=4), []
        for _ in range(3):
            async with pace.turn(), pace.turn():
                pace.went_well()
                limits.append(pace.limit)
        return limits

    assert asyncio.run(along()) == [3.0, 3.0, 3.0], "a place that is not used makes no more of them"


def test_a_server_that_bears_four_at_once_is_not_asked_twenty_at_once_for_long(sqlite: Database, study: Study) -> None:
    server = ModelServer()
    server.script = lambda _: too_many("0.05") if server.requests[-1].in_flight > 4 else Say("1", after=0.01)
    with server:
        model = chat(server, patience=60)
        summary = run(sqlite, study=study, model=model, samples=5, concurrency=40)
    assert summary.statuses == {"ok": 5 * N}
    late = server.requests[len(server.requests) // 2 :]
    assert max(request.in_flight for request in late) <= 12
    assert len(server.requests) < 2 * 5 * N


# Reading anew


def test_replies_are_read_anew_without_asking(sqlite: Database, study: Study) -> None:
    with ModelServer(always(Say("Ответ: 2"))) as server:
        summary: RunSummary = run(sqlite, study=study, model=chat(server))
        with writing(sqlite) as session:
            seven = select(PREDICTION.c.id).limit(7)
            write(session, update(PREDICTION).where(PREDICTION.c.id.in_(seven)).values(label=None, status="unparsable"))
        with writing(sqlite) as session:
            (found,) = rescore(session, study=study)
        assert len(server.requests) == N
    assert (found.replies, found.changed, found.unparsable_before, found.unparsable) == (N, 7, 7, 0)
    assert set(predictions(sqlite, summary.run)["label"]) == {"green"}
