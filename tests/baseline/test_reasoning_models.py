"""Models that think: parameters that a server refuses are settled once, thinking is counted and paid."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update
from typer.testing import Result

from baseline.comparison.results import results
from baseline.models.model import Stopped
from baseline.models.reply import Price
from baseline.pages.model_jobs import Running
from baseline.pages.models_drawing import draw_preview, draw_runs
from baseline.pages.models_service import ModelsService
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from db.engine import Database, opened, read, reading, write, writing
from db.runs import list_runs
from db.studies import Study
from db.tables import PREDICTION, RUN
from eval.panel import PanelRules
from tests.helpers.asking_models import ITEMS, KEY, chat, chat_model, estimate, new_study, predictions, run
from tests.helpers.details import results_text
from tests.helpers.model_server import Behaviour, Messages, ModelServer, Say, always
from tests.helpers.reasoning_server import (
    COPILOT,
    MAX_TOKENS,
    MOONSHOT,
    TEMPERATURE,
    mistral,
    reasoning,
    refused,
    thought,
    vllm,
)
from tests.helpers.study_pages import notes, study_page

N = len(ITEMS)
PARUS = get_task("rsg/parus")
PRICE = Price(input=1000.0, output=1000.0)
Command = Callable[..., Result]


@pytest.fixture
def study(sqlite: Database) -> Study:
    return new_study(sqlite)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def without_messages(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "messages"}


# What is sent


def test_nothing_is_sent_that_was_not_asked_for_but_temperature_0_and_a_limit(command: Command) -> None:
    with ModelServer() as server:
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--json")
        said(command(*words, "--limit", 1))
        assert without_messages(server.requests[-1].body) == {"model": "m", "temperature": 0, "max_tokens": 2048}
        said(command(*words, "--limit", 1, "--seed", 3))
        assert server.requests[-1].body["seed"] == 3
        said(command(*words, "--limit", 1, "--samples", 2, "--fresh"))
        assert sorted(request.body["seed"] for request in server.requests[-2:]) == [0, 1]


def test_what_is_asked_for_is_sent_stored_and_part_of_what_a_request_is_known_by(command: Command) -> None:
    with ModelServer() as server:
        words = ["run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--limit", 1, "--json"]
        more = ["--temperature", "0.7", "--max-tokens", 99, "--reasoning-effort", "low"]
        more += ["--param", "top_p=0.9", "--param", 'stop=["\\n"]', "--param", 'service_tier="flex"']
        first = said(command(*words, *more))
        sent = {
            "model": "m",
            "temperature": 0.7,
            "max_tokens": 99,
            "reasoning_effort": "low",
            "top_p": 0.9,
            "stop": ["\n"],
            "service_tier": "flex",
        }
        assert without_messages(server.requests[-1].body) == sent
        again = said(command(*words, *more))
        assert (again["cached"], len(server.requests)) == (1, 1)
        for other in (["--temperature", "none"], ["--param", "top_p=0.8"], ["--reasoning-effort", "high"]):
            assert said(command(*words, *other))["cached"] == 0
    assert first["sent"] == {name: value for name, value in sent.items() if name != "model"}
    assert "temperature" not in server.requests[-3].body


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--param", "messages=[]"], "the program sets 'messages' itself"),
        (["--param", "stream=true"], "the program sets 'stream' itself"),
        (["--param", 'model="x"'], "the program sets 'model' itself"),
        (["--param", "n=2"], "--samples"),
        (["--param", "max_completion_tokens=2"], "--max-tokens"),
        (["--param", "temperature=1"], "--temperature"),
        (["--param", "top_p"], "key=value"),
        (["--param", "service_tier=flex"], "'service_tier=\"flex\"'"),
        (["--param", "top_p=NaN"], "JSON"),
        (["--param", "x=" + "[" * 5000], "JSON"),
        (["--param", "x=" + '"' + "y" * 20_000 + '"'], "at most"),
        (["--param", "top_p=1", "--param", "top_p=2"], "twice"),
        (["--param", "a b=1"], "key=value"),
        (["--temperature", "warm"], "none"),
        (["--temperature", "-1"], "0 to"),
        (["--temperature", "nan"], "0 to"),
        (["--reasoning-effort", "a lot"], "one word"),
    ],
)
def test_a_parameter_that_cannot_be_is_one_sentence(words: list[str], sentence: str, command: Command) -> None:
    result = command("run", "parus", "--model", "openai:m", "--base-url", "http://127.0.0.1:1/v1", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert sentence in result.stderr


def test_a_naive_model_is_sent_nothing_so_it_takes_no_parameters(command: Command) -> None:
    result = command("run", "parus", "--model", "random", "--reasoning-effort", "low")
    assert result.exit_code == 2
    assert "is sent no request" in result.stderr


def test_the_dry_run_and_the_page_show_the_body(command: Command, sqlite: Database) -> None:
    words = ("run", "parus", "--model", "openai:m", "--dry-run", "--param", "top_p=0.5")
    body = said(command(*words, "--json"))["body"]
    assert without_messages(body) == {"model": "m", "temperature": 0, "max_tokens": 2048, "top_p": 0.5}
    assert body["messages"][0]["role"] == "user"
    assert '"top_p": 0.5' in command(*words).stdout
    new_study(sqlite)
    desk = ModelsService(sqlite, Running(sqlite))
    values = {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
    found = desk.preview("colours", {**values, "reasoning_effort": "low", "params": "top_p=0.5\n\nk=1"}, KEY)
    drawn = str(draw_preview(found)).replace("&#34;", '"')
    for words_sent in ('"temperature": 0', '"max_tokens": 2048', '"reasoning_effort": "low"', '"top_p": 0.5', '"k": 1'):
        assert words_sent in drawn
    with pytest.raises(BadSetting, match="the program sets 'model' itself"):
        desk.preview("colours", {**values, "params": "model=1"}, KEY)


def test_the_page_goes_on_with_a_run_with_the_parameters_it_had(sqlite: Database, study: Study) -> None:
    desk = ModelsService(sqlite, Running(sqlite))
    with ModelServer() as server:
        model = chat(server, temperature=None, max_tokens=77, reasoning_effort="high", params={"top_p": 0.5, "k": "x"})
        made = run(sqlite, study=study, model=model, limit=3)
        again = desk.again("colours", made.run.id)
        form = again.values()
        assert (form["temperature"], form["max_tokens"], form["reasoning_effort"]) == ("none", 77, "high")
        assert form["params"] == 'k="x"\ntop_p=0.5'
        values = {name: form[name] for name in ("base_url", "limit", "params")}
        values |= {
            "provider": "openai",
            "model": "test",
            "temperature": "none",
            "max_tokens": 77,
            "reasoning_effort": "high",
        }
        found = desk.preview("colours", values, KEY)
    assert found.estimates[0].cached == 3


# What a server refuses


@pytest.mark.parametrize("temperature", [TEMPERATURE, MOONSHOT, mistral("temperature")])
def test_a_run_settles_once_what_the_server_refuses_by_name_and_goes_on(
    temperature: Any, sqlite: Database, study: Study
) -> None:
    with ModelServer() as server:
        server.script = reasoning(server, temperature=temperature)
        summary = run(sqlite, study=study, model=chat(server), concurrency=16, price=PRICE)
        refusals = [request for request in server.requests if "max_tokens" in request.body]
        taken = [request for request in server.requests if "max_completion_tokens" in request.body]
        assert (summary.run.status, summary.statuses) == ("complete", {"ok": N})
        assert len(refusals) == 1
        assert len([request for request in taken if "temperature" in request.body]) == 1
        answered = [request.body for request in taken if "temperature" not in request.body]
        assert len(answered) == N
        assert without_messages(answered[0]) == {"model": "test", "max_completion_tokens": 2048}
        before = len(server.requests)
        again = run(sqlite, study=study, model=chat(server))
        part = run(sqlite, study=study, model=chat(server), limit=5)
        assert (again.cached, part.cached, len(server.requests)) == (N, 5, before)
        found = estimate(sqlite, study=study, model=chat(server), limit=7)
        assert (found.cached, found.requests) == (7, 0)
        fresh = run(sqlite, study=study, model=chat(server), fresh=True, concurrency=4)
        assert (fresh.cached, fresh.statuses) == (0, {"ok": N})
    settings = summary.run.settings
    assert settings["sent"] == {"max_completion_tokens": 2048}
    assert settings["refused"] == {"max_tokens": "max_completion_tokens", "temperature": None}
    assert summary.cost == pytest.approx(N * 350 / 1000)


def test_what_was_settled_is_said_by_the_command_on_the_pages_and_in_the_results(
    command: Command, sqlite_url: str
) -> None:
    note = (
        "the server refused max_tokens and temperature: max_completion_tokens was sent in its place, and no temperature"
    )
    with ModelServer() as server:
        server.script = reasoning(server)
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url)
        assert note in command(*words).stdout
        assert said(command(*words, "--json"))["refused"] == {
            "max_tokens": "max_completion_tokens",
            "temperature": None,
        }
    for form in ((), ("--markdown",)):
        told = re.sub(r"\s+", " ", command("results", "parus", "--details", *form).stdout)
        assert note in told
    with opened(sqlite_url) as database:
        assert note in " ".join(notes(study_page(database, "parus", tab="models")))
        assert note in str(draw_runs(ModelsService(database, Running(database)).look("parus")))


def test_equal_items_are_paid_for_once_although_the_first_was_refused(sqlite: Database) -> None:
    from data.task import Item

    twins = [Item(f"twin-{n}", {"thing": f"предмет {n % 3}"}, "red") for n in range(30)]
    study = new_study(sqlite, items=twins)
    with ModelServer() as server:
        server.script = reasoning(server)
        summary = run(sqlite, study=study, model=chat(server), concurrency=1)
        answered = [one for one in server.requests if "temperature" not in one.body and "max_tokens" not in one.body]
    assert (summary.statuses, len(answered), summary.cached) == ({"ok": 30}, 3, 27)


@pytest.mark.parametrize("refusal", [MAX_TOKENS, COPILOT])
def test_a_limit_that_was_asked_for_keeps_its_number_under_the_other_name(
    refusal: Any, sqlite: Database, study: Study
) -> None:
    with ModelServer() as server:
        server.script = lambda _: refusal if "max_tokens" in server.requests[-1].body else thought()
        run(sqlite, study=study, model=chat(server, max_tokens=777), limit=2, concurrency=1)
    assert server.requests[-1].body["max_completion_tokens"] == 777
    assert server.requests[-1].body["temperature"] == 0


@pytest.mark.parametrize(
    ("asked", "refusal", "sentence"),
    [
        ({"temperature": 0.7}, TEMPERATURE, "leave the temperature out"),
        ({"seed": 5}, mistral("seed"), "leave the seed out"),
        (
            {"reasoning_effort": "minimal"},
            refused(
                "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.",
                param="reasoning_effort",
                code="unsupported_value",
            ),
            "leave 'reasoning_effort' out",
        ),
        (
            {"params": {"top_k": 5}},
            refused("Unrecognized request argument supplied: top_k", param=None, code=None),
            "leave 'top_k' out",
        ),
    ],
)
def test_what_was_asked_for_is_never_left_out_silently(
    asked: dict[str, Any], refusal: Any, sentence: str, sqlite: Database, study: Study
) -> None:
    with ModelServer(always(refusal)) as server:
        with pytest.raises(Stopped, match=sentence):
            run(sqlite, study=study, model=chat(server, **asked), concurrency=1)
        assert len(server.requests) == 1


def test_a_seed_that_only_several_samples_brought_is_left_out_where_it_is_refused(
    sqlite: Database, study: Study
) -> None:
    with ModelServer() as server:
        server.script = lambda _: mistral("seed") if "seed" in server.requests[-1].body else thought()
        summary = run(sqlite, study=study, model=chat(server), samples=2, limit=3, concurrency=1)
    assert (summary.statuses, summary.run.settings["refused"]) == ({"ok": 6}, {"seed": None})


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, "
        "6048 in the completion). Please reduce the length of the messages or completion.",
        "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 2048 "
        "tokens and your request has 120 input tokens",
        "max_tokens must be at least 1, got -186.",
    ],
)
def test_a_text_that_is_too_long_is_an_error_of_that_item_alone(message: str, sqlite: Database, study: Study) -> None:
    long = ITEMS[2].fields["thing"] + "\n"

    def script(messages: Messages) -> Behaviour:
        return vllm(message) if long in messages[-1]["content"] + "\n" else Say("1")

    with ModelServer(script) as server:
        summary = run(sqlite, study=study, model=chat(server), limit=5, concurrency=1)
        assert {"max_tokens" in request.body for request in server.requests} == {True}
    assert summary.statuses == {"ok": 4, "error": 1}
    assert "refused" not in summary.run.settings


# Replies of before


def as_older_versions_stored(database: Database, url: str) -> None:
    """Turn every stored run into what versions before this one made of the same: a seed of 0 sent and stored."""
    with writing(database) as session:
        for row in read(session, select(RUN)).all():
            kept = {name: value for name, value in row.settings.items() if name not in ("sent", "refused")}
            write(session, update(RUN).where(RUN.c.id == row.id).values(settings=kept | {"seed": 0}))
        stored = read(session, select(PREDICTION.c.id).order_by(PREDICTION.c.id)).scalars().all()
        for key, body in zip(stored, BODIES, strict=True):
            sent = json.dumps([url, {**body, "seed": 0}, 0], ensure_ascii=False, sort_keys=True)
            digest = hashlib.sha256(sent.encode()).hexdigest()
            write(session, update(PREDICTION).where(PREDICTION.c.id == key).values(request=digest))


BODIES: list[dict[str, Any]] = []


def test_replies_that_an_older_version_paid_for_are_not_paid_again(sqlite: Database, study: Study) -> None:
    with ModelServer() as server:
        run(sqlite, study=study, model=chat(server), concurrency=1)
        BODIES[:] = [request.body for request in server.requests]
        as_older_versions_stored(sqlite, server.base_url)
        again = run(sqlite, study=study, model=chat(server))
        assert (again.cached, len(server.requests)) == (N, N)
        assert estimate(sqlite, study=study, model=chat(server), limit=9).cached == 9
        other = run(sqlite, study=study, model=chat(server, temperature=0.5), limit=3)
        assert other.cached == 0
        other = run(sqlite, study=study, model=chat(server, seed=0))
        assert other.cached == N
        server.script = reasoning(server)
        mixed = run(sqlite, study=study, model=chat(server), samples=2, limit=4)
        assert mixed.cached == 4
        assert run(sqlite, study=study, model=chat(server)).cached == N


# Thinking


def test_thinking_is_counted_shown_and_paid(sqlite: Database, study: Study) -> None:
    with ModelServer(always(thought())) as server:
        summary = run(sqlite, study=study, model=chat(server), price=PRICE)
        assert (summary.completion_tokens, summary.reasoning_tokens) == (300 * N, 290 * N)
        assert summary.cost == pytest.approx(N * 350 / 1000)
        poor = run(sqlite, study=study, model=chat(server, max_tokens=400), price=PRICE, max_cost=2.0, fresh=True)
        assert "the limit is 2 " in poor.stopped
        assert poor.cost is not None
        assert poor.cost <= 2.0
    assert set(predictions(sqlite, summary.run)["reasoning_tokens"]) == {290}
    desk = ModelsService(sqlite, Running(sqlite))
    assert "of them thinking" in str(draw_runs(desk.look("colours")))


def test_thinking_that_is_counted_beside_the_reply_is_paid_too(sqlite: Database, study: Study) -> None:
    # xAI counts so: 10120 + 1499 + 2809 = 14428, as a public report of a bill has it.
    reply = thought(prompt=10120, completion=1499, reasoning=2809, total=14428)
    with ModelServer(always(reply)) as server:
        summary = run(sqlite, study=study, model=chat(server), limit=1)
    assert (summary.completion_tokens, summary.reasoning_tokens) == (1499 + 2809, 2809)


def test_a_limit_that_thinking_used_up_is_said_with_the_way_out(command: Command, sqlite_url: str) -> None:
    def then(body: dict[str, Any]) -> Behaviour:
        return thought(None, completion=64, reasoning=64, ended="length") if len(server.requests) % 2 else thought("1")

    with ModelServer() as server:
        server.script = lambda _: then({})
        words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--max-tokens", 64, "--limit", 4)
        told = command(*words, "--concurrency", 1)
        assert (
            "2 replies ended at the limit of 64 tokens before a word of the answer; raise --max-tokens" in told.stdout
        )
        assert said(command(*words, "--json"))["statuses"] == {"ok": 2, "truncated": 2}
    told_of = re.sub(r"\s+", " ", command("results", "parus", "--details").stdout)
    wordless = "2 replies ended at the limit of 64 tokens before a word of the answer"
    assert wordless in told_of
    with opened(sqlite_url) as database:
        assert wordless in " ".join(notes(study_page(database, "parus", tab="models")))
        assert "before a word of the answer" in str(draw_runs(ModelsService(database, Running(database)).look("parus")))


def test_parameters_of_all_kinds_make_different_keys() -> None:
    from baseline.models.model import Question
    from tests.helpers.collection import TASK

    asked = Question(TASK, ITEMS[0].public(), "id")
    variants: list[dict[str, Any]] = [
        {},
        {"temperature": None},
        {"temperature": 1},
        {"max_tokens": 5},
        {"seed": 0},
        {"reasoning_effort": "low"},
        {"params": {"a": 1}},
        {"params": {"a": 2}},
    ]
    keys = {chat_model("m", base_url="http://a/v1", **one).request(asked).key for one in variants}
    assert len(keys) == len(variants)
    same = [chat_model("m", base_url="http://a/v1", temperature=t).request(asked).key for t in (0, 0.0)]
    assert same[0] == same[1]


def test_results_tell_what_was_settled(sqlite: Database, study: Study) -> None:
    with ModelServer() as server:
        server.script = reasoning(server)
        run(sqlite, study=study, model=chat(server), limit=3)
    with reading(sqlite) as session:
        told = results_text(results(session, study=study, rules=PanelRules()))
        assert list_runs(session, study=study)[0].settings["refused"]
    assert "openai:test: the server refused max_tokens and temperature" in told
