"""Money against servers that are hostile or broken: what every attempt is charged, and that a limit holds."""

import asyncio
import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from baseline.models.model import Stopped
from baseline.models.reply import Bill, Price, Purse, Tokens
from baseline.runs.run_history import histories
from db.engine import Database, reading
from db.studies import Study
from tests.helpers.asking_models import Told, chat, new_study, run
from tests.helpers.model_server import (
    BROKEN,
    Behaviour,
    Drip,
    HangUp,
    Messages,
    ModelServer,
    Say,
    Send,
    too_many,
    wrong,
)

PRICE = Price(input=1000.0, output=1000.0)
"""A thousandth for each token."""
LONGEST, FERTILITY = 10, 3
STATED = {"prompt_tokens": 1000, "completion_tokens": 2000}


def test_the_money_reaches_to_its_last_cent_and_no_further() -> None:
    purse = Purse(PRICE, most=3.0)
    assert [purse.set_aside(1.0) for _ in range(4)] == [True, True, True, False]


def test_tokens_of_prompts_and_of_replies_have_their_own_price() -> None:
    async def paid() -> float | None:
        bill = Bill(Purse(Price(input=1e6, output=3e6)), prompt_words=1, longest=1)
        async with bill.attempt(asyncio.sleep):
            bill.answered(Tokens(10, 2), words=1)
        return bill.total

    assert asyncio.run(paid()) == 10 * 1 + 2 * 3


class Kind(NamedTuple):
    """What a server does with its n-th request, and how many tokens that is charged: `words` are those of the prompt.

    `stated`, `estimated` and `reserved` are the three ways to a charge; 0 is for what was turned away.
    """

    behaves: Callable[[int], Behaviour]
    tokens: Callable[[int, int], float]
    timeout: float = 20.0


def body(usage: Any, *, status: int = 200, **more: Any) -> Send:
    values = {**more, "usage": usage}
    return Send(json.dumps(values).encode(), status)


def said(usage: Any) -> Send:
    """A reply of two words."""
    return body(usage, choices=[{"message": {"content": "Ответ: 1"}, "finish_reason": "stop"}])


def stated(tokens: int) -> Callable[[int, int], float]:
    return lambda number, words: tokens


def estimated(number: int, words: int) -> float:
    return FERTILITY * (words + 2)


def reserved(number: int, words: int) -> float:
    return FERTILITY * words + LONGEST


def grows(number: int) -> Send:
    return body({"prompt_tokens": 50 * number, "completion_tokens": 50 * number}, status=500, error={"message": "no"})


def in_turn(number: int) -> Behaviour:
    return body(STATED, status=500, error={"message": "no"}) if number % 2 else Say("1")


ERROR = {"error": {"message": "no", "type": "invalid_request_error"}}
BOMB = Send(gzip.compress(bytes(64 * 2**20)), headers={"Content-Encoding": "gzip"})
KINDS = {
    "a usage that is absurdly large": Kind(
        lambda n: said({"prompt_tokens": 10**9, "completion_tokens": 10**9}), stated(2 * 10**9)
    ),
    "a usage below zero": Kind(lambda n: said({"prompt_tokens": -5000, "completion_tokens": -1}), estimated),
    "a usage of NaN and text": Kind(
        lambda n: said({"prompt_tokens": float("nan"), "completion_tokens": "many"}), estimated
    ),
    "a usage of more than any number of tokens": Kind(
        lambda n: said({"prompt_tokens": 10**30, "completion_tokens": 10**400}), estimated
    ),
    "a usage of zero beside a text": Kind(lambda n: said({"prompt_tokens": 0, "completion_tokens": 0}), estimated),
    "no usage": Kind(lambda n: said(None), estimated),
    "a usage in the body of an error": Kind(lambda n: body(STATED, status=400, **ERROR), stated(3000)),
    "a usage within an error": Kind(
        lambda n: Send(json.dumps({"error": {"message": "no", "usage": STATED}}).encode(), 400), stated(3000)
    ),
    "200 without choices and with a usage": Kind(lambda n: body(STATED), stated(3000)),
    "200 with empty choices": Kind(lambda n: body(None, choices=[]), reserved),
    "JSON that breaks off after the usage": Kind(
        lambda n: Send(json.dumps({"usage": STATED}).encode()[:-1] + b', "choices": ['), reserved
    ),
    "a body that is cut in the middle": Kind(lambda n: HangUp(b'{"choices": [{"mess'), reserved),
    "no reply before the time is up": Kind(lambda n: Say("1", after=5), reserved, 0.3),
    "a body that never ends": Kind(lambda n: Drip(), reserved, 0.3),
    "a body that unpacks to 64 MB": Kind(lambda n: BOMB, reserved),
    "500 without a usage": Kind(lambda n: BROKEN, reserved),
    "500 with a usage, then a reply": Kind(in_turn, lambda n, words: 3000 if n % 2 else words + 1),
    "a usage that grows with each attempt": Kind(grows, lambda n, words: 100 * n),
    "429 for ever": Kind(lambda n: too_many(), stated(0)),
    "a redirect": Kind(lambda n: Send(status=307, headers={"Location": "http://127.0.0.1:9/"}), stated(0)),
    "an overloaded service": Kind(lambda n: wrong(529, "Overloaded", retry_after="0"), stated(0)),
}


@pytest.fixture
def study(sqlite: Database) -> Study:
    return new_study(sqlite)


def server_of(kind: Kind) -> ModelServer:
    server = ModelServer()

    def script(_: Messages) -> Behaviour:
        return kind.behaves(len(server.requests))

    server.script = script
    return server


def ask(database: Database, study: Study, server: ModelServer, timeout: float = 20.0, **settings: Any) -> None:
    """Ask four items; what stops the run stops it."""
    model = chat(server, max_tokens=LONGEST, attempts=2, timeout=timeout, patience=0.05)
    with suppress(Stopped):
        run(database, study=study, model=model, price=PRICE, limit=4, concurrency=1, **settings)


def stored_cost(database: Database, study: Study) -> float:
    with reading(database) as session:
        return sum(history.cost for history in histories(session, study=study))


def charges(kind: Kind, server: ModelServer) -> list[float]:
    """What each request should have been charged."""
    words = [len(prompt.split()) for prompt in server.prompts()]
    return [kind.tokens(number, prompt) / 1000 for number, prompt in enumerate(words, 1)]


@pytest.mark.parametrize("name", KINDS)
def test_every_attempt_is_charged_what_is_stated_or_else_what_was_set_aside(
    name: str, sqlite: Database, study: Study
) -> None:
    kind = KINDS[name]
    with server_of(kind) as server:
        ask(sqlite, study, server, kind.timeout)
        assert server.requests
        assert stored_cost(sqlite, study) == pytest.approx(sum(charges(kind, server)))
        ask(sqlite, study, server, kind.timeout)
    assert stored_cost(sqlite, study) == pytest.approx(sum(charges(kind, server)))


@pytest.mark.parametrize("name", KINDS)
def test_a_limit_is_passed_by_the_last_request_alone(name: str, sqlite: Database, study: Study) -> None:
    kind, most = KINDS[name], 0.1
    with server_of(kind) as server:
        for _ in range(3):
            ask(sqlite, study, server, kind.timeout, max_cost=most)
    paid = charges(kind, server)
    words = len(server.prompts()[-1].split())
    assert sum(paid[:-1]) + reserved(0, words) / 1000 <= most
    assert stored_cost(sqlite, study) == pytest.approx(sum(paid))


def test_attempts_under_way_at_once_hold_a_reservation_each(sqlite: Database, study: Study) -> None:
    with ModelServer(lambda _: body(STATED)) as server:
        model = chat(server, max_tokens=LONGEST, attempts=2)
        with suppress(Stopped):
            run(sqlite, study=study, model=model, price=PRICE, concurrency=16, max_cost=0.1)
        most_at_once = int(0.1 / (reserved(0, len(server.prompts()[0].split())) / 1000))
        assert 1 <= len(server.requests) <= most_at_once
    assert stored_cost(sqlite, study) == pytest.approx(3.0 * len(server.requests))


def test_nobody_there_is_charged_nothing(sqlite: Database, study: Study) -> None:
    with ModelServer() as server:
        pass
    ask(sqlite, study, server)
    assert stored_cost(sqlite, study) == 0


def test_a_run_that_was_stopped_tells_what_it_paid_when_it_goes_on(sqlite: Database, study: Study) -> None:
    with server_of(KINDS["200 without choices and with a usage"]) as server:
        ask(sqlite, study, server)
        lost = 3.0 * len(server.requests)
        server.script = lambda _: Say("1")
        done = run(
            sqlite,
            study=study,
            model=chat(server, max_tokens=LONGEST, attempts=2, timeout=20.0, patience=0.05),
            price=PRICE,
            limit=4,
        )
    words = [len(prompt.split()) for prompt in server.prompts()[-4:]]
    assert (done.run.status, done.statuses) == ("complete", {"ok": 4})
    assert done.cost == pytest.approx(lost + sum(word + 1 for word in words) / 1000)
    assert stored_cost(sqlite, study) == pytest.approx(done.cost)


def test_a_model_that_sends_nothing_is_paid_nothing(sqlite: Database, study: Study) -> None:
    assert run(sqlite, study=study, model=Told(), price=PRICE, max_cost=0.0).cost == 0
