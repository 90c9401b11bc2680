"""Every provider replies with a text that the answer type reads; the chat server is real HTTP and really fails."""

import asyncio
import json
import logging
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from email.utils import formatdate
from pathlib import Path

import pytest

from baseline.models.model import Model, Question, Stopped
from baseline.models.reply import Reply
from data.catalogue.catalog import get_task
from data.errors import BadSetting, UnknownName
from data.task import Item, Task
from tests.helpers.asking_models import KEY, chat_model, model_named
from tests.helpers.model_server import (
    BROKEN,
    CUT,
    HTML,
    NO_CHOICES,
    NOT_JSON,
    OUT_OF_QUOTA,
    Behaviour,
    HangUp,
    Messages,
    ModelServer,
    Say,
    Script,
    Send,
    always,
    answer_sheet,
    failing_first,
    knowing,
    too_many,
    wrong,
)

PARUS, TERRA = get_task("rsg/parus"), get_task("rsg/terra")

NAMES = ("random", "majority", "tfidf", "openai:test")


def parus(n: int, seed: int = 0) -> list[Item]:
    """Items whose right option shares a word with the premise and speaks of the weather."""
    draw = random.Random(seed)
    items = []
    for place in range(n):
        word, other = draw.sample(["снег", "дождь", "ветер", "мороз", "туман", "град"], 2)
        right, wrong_one = f"на улице {word} и холодно", f"в комнате {other} на картине"
        gold = draw.randrange(2)
        options = (right, wrong_one) if gold == 0 else (wrong_one, right)
        fields = {
            "premise": f"Весь день шёл {word}, прохожий {place}.",
            "question": draw.choice(["cause", "effect"]),
            "choice1": options[0],
            "choice2": options[1],
        }
        items.append(Item(f"p{seed}-{place}", fields, str(gold)))
    return items


def terra(n: int, seed: int = 0) -> list[Item]:
    draw = random.Random(seed)
    items = []
    for place in range(n):
        gold = draw.choice(["entailment", "not_entailment"])
        word = draw.choice(["всегда", "точно"] if gold == "entailment" else ["никогда", "вряд ли"])
        items.append(
            Item(f"t{seed}-{place}", {"premise": f"Текст {place}.", "hypothesis": f"Так {word} бывает."}, gold)
        )
    return items


TASKS: dict[str, tuple[Task, list[Item]]] = {"parus": (PARUS, parus(40)), "terra": (TERRA, terra(40))}


def questions(task: Task, items: Sequence[Item], samples: int = 1) -> list[Question]:
    return [Question(task, item.public(), item.id, sample) for item in items for sample in range(samples)]


def ask(model: Model, asked: Sequence[Question]) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        try:
            return [await model.reply(question) for question in asked]
        finally:
            await model.close()

    return asyncio.run(all_of_them())


def labels(model: Model, task: Task, items: Sequence[Item]) -> list[str | None]:
    replies = ask(model, questions(task, items))
    return [task.answer.parse(reply.text, item.fields) for reply, item in zip(replies, items, strict=True)]


def share_right(model: Model, task: Task, items: Sequence[Item]) -> float:
    given = labels(model, task, items)
    return sum(label == item.gold for label, item in zip(given, items, strict=True)) / len(items)


def ask_once(script: Script | Behaviour, **settings: float) -> tuple[Reply, ModelServer]:
    """Ask one question of a chat model that waits a hundredth of a second before it tries again."""
    script = always(script) if isinstance(script, Behaviour) else script
    with ModelServer(script) as server:
        model = chat_model(
            "test",
            base_url=server.base_url,
            api_key=KEY,
            **{"attempts": 3, "first_pause": 0.01, **settings},  # type: ignore[arg-type]
        )
        (reply,) = ask(model, questions(PARUS, TASKS["parus"][1][:1]))
    return reply, server


# Every provider


@pytest.mark.parametrize("kind_of_task", TASKS)
@pytest.mark.parametrize("name", NAMES)
def test_every_provider_keeps_the_contract(name: str, kind_of_task: str) -> None:
    task, items = TASKS[kind_of_task]
    with ModelServer(knowing(answer_sheet(task, items), accuracy=0.5)) as server:
        model = model_named(name, task=task, train=items, base_url=server.base_url, api_key=KEY, seed=7)
        first, again = (ask(model, questions(task, items[:10], samples=2)) for _ in range(2))
    assert model.name == name
    assert model.kind == ("model" if name.startswith("openai") else "naive")
    assert KEY not in json.dumps(model.settings)
    assert [reply.text for reply in first] == [reply.text for reply in again]
    for reply, question in zip(first, questions(task, items[:10], samples=2), strict=True):
        assert reply.status == "ok"
        label = task.answer.parse(reply.text, question.item.fields)
        assert label is not None
        assert task.answer.show(label, question.item.fields) == reply.text


@pytest.mark.parametrize("name", ["openai", "openai:", "gpt-4", "randon", "", "tfidf:x"])
def test_a_name_that_is_not_known_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(UnknownName, match=r"random|tfidf|openai:NAME"):
        model_named(name, task=PARUS, base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize("name", ["majority", "tfidf"])
def test_what_learns_refuses_without_a_train_split_and_says_which_option_gives_one(name: str) -> None:
    with pytest.raises(BadSetting, match="a train split; give it one"):
        model_named(name, task=PARUS)
    unknown = [Item("x", parus(1)[0].fields)]
    with pytest.raises(BadSetting, match=r"1 items has not one right answer.*train split with answers"):
        model_named(name, task=PARUS, train=unknown)


# Naive models


def test_random_answers_do_not_depend_on_the_order_of_asking() -> None:
    asked = questions(PARUS, parus(50), samples=3)
    shuffled = random.Random(1).sample(asked, len(asked))
    straight = dict(zip([(q.key, q.sample) for q in asked], ask(model_named("random", task=PARUS), asked), strict=True))
    mixed = dict(
        zip([(q.key, q.sample) for q in shuffled], ask(model_named("random", task=PARUS), shuffled), strict=True)
    )
    assert straight == mixed


def test_random_answers_are_spread_evenly_and_differ_by_seed_and_sample() -> None:
    items = parus(1000)
    one, other = (labels(model_named("random", task=PARUS, seed=seed), PARUS, items) for seed in (0, 1))
    assert 430 < Counter(one)["0"] < 570
    assert one != other
    assert len({reply.text for reply in ask(model_named("random", task=PARUS), questions(PARUS, items[:1], 20))}) == 2


def test_the_majority_class_is_the_most_frequent_gold_and_the_first_of_equals() -> None:
    train = terra(40)
    counts = Counter(item.gold for item in train)
    model = model_named("majority", task=TERRA, train=train)
    assert set(labels(model, TERRA, train)) == {counts.most_common(1)[0][0]}
    equal = [Item("a", train[0].fields, "not_entailment"), Item("b", train[0].fields, "entailment")]
    assert labels(model_named("majority", task=TERRA, train=equal), TERRA, train[:1]) == ["entailment"]


@pytest.mark.parametrize(("task", "items"), [(PARUS, parus), (TERRA, terra)], ids=["options", "labels"])
def test_tfidf_learns_what_can_be_learnt_and_always_the_same(task: Task, items: Callable[..., list[Item]]) -> None:
    train, held_out = items(100, seed=1), items(100, seed=2)
    model = model_named("tfidf", task=task, train=train, seed=3)
    assert share_right(model, task, held_out) > 0.9
    twin = model_named("tfidf", task=task, train=train, seed=3)
    assert labels(model, task, held_out) == labels(twin, task, held_out)


def test_tfidf_sees_which_option_shares_words_with_the_text() -> None:
    def shared(seed: int) -> list[Item]:
        words = [f"слово{n}" for n in range(120)]
        draw, items = random.Random(seed), []
        for place in range(150):
            right, other, gold = *draw.sample(words, 2), draw.randrange(2)
            options = (right, other) if gold == 0 else (other, right)
            fields = {"premise": f"тут {right}", "question": "cause", "choice1": options[0], "choice2": options[1]}
            items.append(Item(str(place), fields, str(gold)))
        return items

    assert share_right(model_named("tfidf", task=PARUS, train=shared(1)), PARUS, shared(2)) > 0.9


def test_tfidf_as_published_joins_the_options_and_so_learns_nothing_of_them() -> None:
    train, held_out = parus(60, seed=1), parus(100, seed=2)
    model = model_named("tfidf-published", task=PARUS, train=train)
    assert model.name == "tfidf-published"
    assert 0.3 < share_right(model, PARUS, held_out) < 0.7
    swapped = [
        Item(item.id, {**item.fields, "choice1": item.fields["choice2"], "choice2": item.fields["choice1"]})
        for item in held_out
    ]
    assert labels(model, PARUS, swapped) == labels(model, PARUS, held_out)
    fixed = model_named("tfidf-published", task=TERRA, train=terra(60, seed=1))
    assert share_right(fixed, TERRA, terra(50, seed=2)) > 0.9


def test_tfidf_knows_the_words_of_its_corpus_alone(tmp_path: Path) -> None:
    train, corpus = terra(60, seed=1), tmp_path / "corpus.txt"
    corpus.write_text("совсем другие слова\nи ещё другие\n", "utf8")
    blind = model_named("tfidf", task=TERRA, train=train, corpus=corpus)
    assert len(set(labels(blind, TERRA, terra(30, seed=2)))) == 1
    assert "corpus" in blind.settings
    corpus.write_text("всегда точно\nникогда вряд ли\n", "utf8")
    seeing = model_named("tfidf", task=TERRA, train=train, corpus=corpus)
    assert share_right(seeing, TERRA, terra(50, seed=2)) > 0.9
    assert blind.settings != seeing.settings


def test_tfidf_refuses_a_train_split_with_one_answer_only() -> None:
    train = [Item(str(place), {"premise": "а", "hypothesis": "б"}, "entailment") for place in range(3)]
    with pytest.raises(BadSetting, match="two different answers"):
        model_named("tfidf", task=TERRA, train=train)


def test_tfidf_refuses_a_train_split_without_words() -> None:
    train = [Item(gold, {"premise": "!", "hypothesis": "?"}, gold) for gold in TERRA.answer.labels()]
    with pytest.raises(BadSetting, match="needs words"):
        model_named("tfidf", task=TERRA, train=train)


# A chat server


def test_the_request_is_what_the_task_says_and_nothing_more() -> None:
    item = TASKS["parus"][1][0]
    with ModelServer() as server:
        model = model_named("openai:test", task=PARUS, base_url=server.base_url, api_key=KEY, seed=5, max_tokens=77)
        ask(model, questions(PARUS, [item], samples=2))
    first, second = server.requests
    assert first.body["messages"] == second.body["messages"]
    assert {name: value for name, value in first.body.items() if name != "messages"} == {
        "model": "test",
        "temperature": 0,
        "seed": 5,
        "max_tokens": 77,
    }
    assert second.body["seed"] == 6
    assert first.headers["Authorization"] == f"Bearer {KEY}"
    assert item.id not in json.dumps(first.body)
    assert {**model.settings, "messages": first.body["messages"]} == {**first.body, "base_url": server.base_url}


def test_a_reply_carries_its_time_and_its_tokens() -> None:
    reply, _ = ask_once(Say("2", after=0.2))
    assert (reply.text, reply.status, reply.completion_tokens) == ("2", "ok", 1)
    assert reply.seconds is not None
    assert 0.2 <= reply.seconds < 60
    assert reply.prompt_tokens is not None
    assert reply.prompt_tokens > 10


@pytest.mark.parametrize(
    ("behaviour", "status", "text"),
    [
        (Say(""), "ok", ""),
        (Say(None), "ok", ""),
        (Say("Рассуждая, я", finish_reason="length"), "truncated", "Рассуждая, я"),
        (Say(None, refusal="Не могу помочь."), "refused", "Не могу помочь."),
        (Say("", finish_reason="content_filter"), "refused", ""),
        (wrong(400, "filtered", code="content_filter"), "refused", "HTTP 400: filtered"),
        (Say("нуль \0 и половина \ud83d"), "ok", "нуль \0 и половина \ud83d"),
    ],
)
def test_every_kind_of_reply_has_its_status(behaviour: Behaviour, status: str, text: str) -> None:
    reply, server = ask_once(behaviour)
    assert (reply.status, reply.text) == (status, text)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "2", "reasoning_content": "1? 1!"}, "2"),
        ({"content": None, "reasoning_content": "Ответ: 1"}, ""),
        ({"content": "<think>1</think>2", "reasoning": "1"}, "<think>1</think>2"),
    ],
)
def test_thinking_beside_the_reply_is_no_part_of_it(message: dict[str, str], text: str) -> None:
    reply, _ = ask_once(Send(json.dumps({"choices": [{"message": message}]}).encode()))
    assert (reply.status, reply.text) == ("ok", text)
    assert PARUS.answer.parse(reply.text, TASKS["parus"][1][0].fields) == ("1" if text else None)


@pytest.mark.parametrize(
    "usage",
    [b"null", b'"many"', b'{"prompt_tokens": -1}', b'{"prompt_tokens": 1e99}', b'{"prompt_tokens": 99999999999}'],
)
def test_tokens_that_make_no_sense_are_not_counted(usage: bytes) -> None:
    reply, _ = ask_once(Send(b'{"choices": [{"message": {"content": "1"}}], "usage": ' + usage + b"}"))
    assert (reply.status, reply.prompt_tokens, reply.completion_tokens) == ("ok", None, None)


FAULTS = [
    (BROKEN, "HTTP 500: The server had an error"),
    (Send(b"<html>bad gateway</html>", 502, "text/html"), "HTTP 502"),
    (NOT_JSON, "not a chat completion"),
    (NO_CHOICES, "not a chat completion"),
    (HTML, "<html>"),
    (Send(b""), "not a chat completion"),
    (Send(b"\xff\xfe"), "not a chat completion"),
    (Send(b'{"error": {"message": "overloaded"}}'), "overloaded"),
    (Send(b"[" * 100_000), "not a chat completion"),
    (Send(b'{"choices": [{"message": null}]}'), "not a chat completion"),
    (Send(b'{"choices": [{"message": {"content": [1]}}]}'), "not a text but a list"),
    (CUT, "payload"),
    (HangUp(), "isconnected"),
]


@pytest.mark.parametrize(("fault", "reason"), FAULTS)
def test_what_goes_on_failing_is_an_error_with_its_reason(fault: Behaviour, reason: str) -> None:
    reply, server = ask_once(fault)
    assert reply.status == "error"
    assert reason in reply.text
    assert "attempt 3 of 3" in reply.text
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", [too_many(), *(fault for fault, _ in FAULTS)])
def test_what_fails_for_a_while_is_asked_again(fault: Behaviour) -> None:
    reply, server = ask_once(failing_first(fault, times=2, then=always(Say("2"))))
    assert (reply.status, reply.text) == ("ok", "2")
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", [wrong(400, "bad"), wrong(403, "not this one"), wrong(503, "", retry_after="3600")])
def test_what_would_fail_again_is_asked_once(fault: Behaviour) -> None:
    reply, server = ask_once(fault)
    assert reply.status == "error"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (wrong(401, "no such key"), "check the API key"),
        (wrong(404, "no such model"), "check the model and the base URL"),
        (wrong(402, "pay first"), "go on with this run"),
        (OUT_OF_QUOTA, "quota or the money of this key is used up"),
        (wrong(429, "no", code="billing_hard_limit_reached"), "quota or the money of this key is used up"),
        (too_many("3600"), "wait 3600 s"),
    ],
)
def test_what_no_other_question_would_get_past_stops_at_once_with_a_sentence(fault: Behaviour, sentence: str) -> None:
    with ModelServer(always(fault)) as server:
        model = chat_model("test", base_url=server.base_url, api_key=KEY, first_pause=0.01)
        with pytest.raises(Stopped, match=sentence):
            ask(model, questions(PARUS, TASKS["parus"][1][:1]))
    assert len(server.requests) == 1


def test_too_many_requests_count_for_no_attempt_until_patience_ends() -> None:
    reply, server = ask_once(failing_first(too_many(), times=8), attempts=2, patience=60)
    assert (reply.status, len(server.requests)) == ("ok", 9)
    reply, server = ask_once(too_many("0.01"), attempts=2, patience=0.3)
    assert reply.status == "error"
    assert "HTTP 429: Rate limit reached (for " in reply.text
    assert len(server.requests) >= 2


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_waited_for(form: str) -> None:
    asked = []

    def script(messages: Messages) -> Behaviour:
        asked.append(messages)
        date = formatdate(time.time() + 2.9, usegmt=True)  # whole seconds: two or three from now
        return Say() if len(asked) > 1 else too_many("1" if form == "seconds" else date)

    reply, server = ask_once(script)
    assert reply.status == "ok"
    first, second = server.requests
    assert second.arrived - first.arrived > 0.9


@pytest.mark.parametrize("header", ["soon", "", "nan", "Wed, 99 Foo 99999", "-5"])
def test_a_retry_after_that_says_nothing_does_no_harm(header: str) -> None:
    reply, _ = ask_once(failing_first(too_many(header)))
    assert reply.status == "ok"


def test_no_reply_in_time_is_an_error() -> None:
    reply, _ = ask_once(Say(after=30), timeout=0.2, attempts=2)
    assert (reply.status, reply.text) == ("error", "no reply within 0.2 s (attempt 2 of 2)")


def test_a_slow_reply_that_comes_at_the_second_attempt_is_taken() -> None:
    reply, _ = ask_once(failing_first(Say(after=30)), timeout=1.5)
    assert reply.status == "ok"


def test_a_closed_port_is_a_sentence_that_names_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        model = chat_model("test", base_url=url, attempts=2, first_pause=0.01)
        with pytest.raises(Stopped, match=r"no answer from 127\.0\.0\.1:\d+ \(Connection refused\)"):
            ask(model, questions(PARUS, parus(1)))


def test_a_model_can_be_asked_again_after_it_was_closed() -> None:
    with ModelServer() as server:
        model = chat_model("test", base_url=server.base_url)
        assert [ask(model, questions(PARUS, parus(1)))[0].status for _ in range(2)] == ["ok", "ok"]


def test_the_key_is_in_no_error_in_no_reply_and_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(Stopped) as stopped:
        ask_once(wrong(401, f"Incorrect API key provided: {KEY}"))
    assert "***" in str(stopped.value)
    assert KEY not in str(stopped.value)
    told = [wrong(403, f"Incorrect API key provided: {KEY}"), Send(f"<b>{KEY}</b>".encode(), 500)]
    cut = [Send(b"x" * before + KEY.encode()) for before in (0, 180, 190, 340, 360, 380)]
    for fault in told + cut:
        reply, _ = ask_once(fault, attempts=1)
        assert reply.status == "error"
        assert KEY[:10] not in reply.text
    assert ask_once(Say(f"Ваш ключ {KEY}"))[0].text == "Ваш ключ ***"
    assert KEY not in caplog.text
    assert KEY not in repr(chat_model("test", base_url="http://127.0.0.1:1/v1", api_key=KEY))


def test_without_a_key_and_without_a_server_of_ones_own_the_model_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"OPENAI_API_KEY.*base URL of another"):
        model_named("openai:gpt", task=PARUS)


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://host:port/v1", "http://[::1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="http://"):
        model_named("openai:gpt", task=PARUS, base_url=url)


def test_secrets_in_an_address_are_not_kept_in_the_settings() -> None:
    model = chat_model("x", base_url="https://me:password@[::1]:8443/v1?key=secret")
    assert model.settings["base_url"] == "https://[::1]:8443/v1"


def test_the_server_lists_its_models() -> None:
    import aiohttp

    async def listed(url: str) -> list[str]:
        async with aiohttp.ClientSession() as session, session.get(f"{url}/models") as response:
            return [model["id"] for model in (await response.json())["data"]]

    with ModelServer(models=("one", "two")) as server:
        assert asyncio.run(listed(server.base_url)) == ["one", "two"]
