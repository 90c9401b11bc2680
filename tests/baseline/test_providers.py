"""Each provider of models behind a server writes requests as its API takes them, and reads replies and errors of it."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from openai.types.responses import Response
from sqlalchemy import Engine
from typer.testing import CliRunner

from app import cli
from baseline.models.model import Model, ModelContext, Question, Stopped
from baseline.models.prompts import PromptOptions
from baseline.models.providers import PROVIDERS, make_model
from baseline.models.reply import Reply
from baseline.runs.run_settings import run_settings, setting_key, settings_again, settings_for, told_settings
from data.errors import BadSetting
from tests.helpers.asking_models import ITEMS, KEY, new_study, run
from tests.helpers.collection import TASK
from tests.helpers.model_server import Behaviour, ModelServer, Say, Script, Send, always, failing_first, too_many, wrong
from tests.helpers.provider_servers import (
    BLOCKED,
    GEMINI_KEY,
    AnthropicServer,
    GeminiServer,
    ResponsesServer,
    anthropic_error,
    gemini_quota,
    google_error,
    response_failed,
)

SERVERS: dict[str, type[ModelServer]] = {
    "openai": ModelServer,
    "responses": ResponsesServer,
    "anthropic": AnthropicServer,
    "gemini": GeminiServer,
}
OTHERS = [name for name in SERVERS if name != "openai"]
OVERLOADED = anthropic_error(529, "overloaded_error", "Overloaded")
UNKNOWN = {
    "openai": wrong(404, "The model `x` does not exist", code="model_not_found"),
    "responses": wrong(404, "The model `x` does not exist", code="model_not_found"),
    "anthropic": anthropic_error(404, "not_found_error", "model: x"),
    "gemini": google_error(404, "NOT_FOUND", "models/x is not found for API version v1"),
}
KEYS = {
    "openai": wrong(401, "Incorrect API key provided", code="invalid_api_key"),
    "responses": wrong(401, "Incorrect API key provided", code="invalid_api_key"),
    "anthropic": anthropic_error(401, "authentication_error", "invalid x-api-key"),
    "gemini": GEMINI_KEY,
}
FORBIDDEN = {
    "openai": wrong(403, "You may not"),
    "responses": wrong(403, "You may not"),
    "anthropic": anthropic_error(403, "permission_error", "You may not"),
    "gemini": google_error(403, "PERMISSION_DENIED", "You may not"),
}
TOO_FAST = {
    "openai": too_many(),
    "responses": too_many(),
    "anthropic": anthropic_error(429, "rate_limit_error", "Too fast", retry_after="0"),
    "gemini": gemini_quota("GenerateRequestsPerMinutePerProjectPerModel", "0.01s"),
}
SPENT = [
    ("responses", wrong(429, "No credit", code="credit_balance_exhausted")),
    ("openai", wrong(429, "The project's limit", code="project_spend_limit_exceeded")),
    ("anthropic", anthropic_error(429, "rate_limit_error", "Spent", code="enforced_spend_limit_reached")),
    ("anthropic", anthropic_error(402, "billing_error", "Pay")),
    ("anthropic", anthropic_error(400, "invalid_request_error", "You have reached your specified API usage limits.")),
    ("gemini", google_error(402, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted.")),
    ("gemini", gemini_quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "20s")),
]


def address(server: ModelServer) -> str:
    """The base URL that a provider's own variable would hold."""
    return server.base_url if server.path.startswith(("/v1/chat", "/v1/resp")) else server.base_url.removesuffix("/v1")


def model_at(name: str, server: ModelServer, *, seed: int | None = None, **own: Any) -> Model:
    settings = run_settings(f"{name}:test", {"base_url": address(server), **own}).own
    return make_model(f"{name}:test", settings, ModelContext(TASK, seed=seed, key=KEY))


def asked(model: Model, questions: Sequence[Question]) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        try:
            return [await model.reply(question) for question in questions]
        finally:
            await model.close()

    return asyncio.run(all_of_them())


def question(options: PromptOptions | None = None, sample: int = 0, samples: int = 1) -> Question:
    return Question(TASK, ITEMS[0].public(), "id", sample, options or PromptOptions(), samples)


def ask(name: str, script: Script | Behaviour, **own: Any) -> tuple[Reply, ModelServer]:
    with SERVERS[name](always(script) if isinstance(script, Behaviour) else script) as server:
        (reply,) = asked(model_at(name, server, **own), [question()])
    return reply, server


@pytest.mark.parametrize("name", SERVERS)
def test_a_request_is_written_as_the_api_takes_it(name: str) -> None:
    options = PromptOptions(shots=(ITEMS[1],), system="Be brief.")
    own: dict[str, Any] = {"stop": "END\n\\n", "max_tokens": 9, "reasoning_effort": "low", "params": "a.b=1"}
    own |= {"top_p": 0.5} if name != "anthropic" else {}
    if name == "responses":
        del own["stop"]
    with SERVERS[name](always(Say("1"))) as server:
        model = model_at(name, server, seed=7 if name in ("openai", "gemini") else None, **own)
        one = question(options)
        (reply,) = asked(model, [one])
    shot, answer, last = (message["content"] for message in one.prompt.messages[1:])
    turns = [("user", shot), ("assistant", answer), ("user", last)]
    plain = [{"role": role, "content": text} for role, text in turns]
    expected: dict[str, dict[str, Any]] = {
        "openai": {
            "model": "test", "temperature": 0, "top_p": 0.5, "max_tokens": 9, "stop": ["END", "\n"], "seed": 7,
            "reasoning_effort": "low", "a.b": 1, "messages": [{"role": "system", "content": "Be brief."}, *plain],
        },
        "responses": {
            "model": "test", "temperature": 0, "top_p": 0.5, "max_output_tokens": 9, "reasoning": {"effort": "low"},
            "a": {"b": 1}, "instructions": "Be brief.", "input": plain, "store": False, "stream": False,
        },
        "anthropic": {
            "model": "test", "max_tokens": 9, "stop_sequences": ["END", "\n"], "output_config": {"effort": "low"},
            "a": {"b": 1}, "system": "Be brief.", "messages": plain,
        },
        "gemini": {
            "generationConfig": {
                "temperature": 0, "topP": 0.5, "maxOutputTokens": 9, "stopSequences": ["END", "\n"], "seed": 7,
                "thinkingConfig": {"thinkingLevel": "LOW"},
            },
            "a": {"b": 1}, "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": role, "parts": [{"text": text}]}
                for role, text in (("user", shot), ("model", answer), ("user", last))
            ],
        },
    }  # fmt: skip
    assert [request.body for request in server.requests] == [expected[name]]
    assert model.body(one) == {**expected[name], **({"stop": ("END", "\n")} if name == "openai" else {})} or (
        json.loads(json.dumps(model.body(one))) == expected[name]
    )
    headers = {key.casefold(): value for key, value in server.requests[0].headers.items()}
    if name == "gemini":
        assert (server.requests[0].path, headers["x-goog-api-key"]) == ("/v1/models/test:generateContent", KEY)
        assert reply.status == "error", "it refuses what it does not know"
    else:
        assert (headers["authorization"], reply.status) == (f"Bearer {KEY}", "ok")
    assert headers.get("anthropic-version") == ("2026-10-21" if name == "anthropic" else None)


@pytest.mark.parametrize("name", SERVERS)
def test_nothing_is_sent_that_nobody_asked_for(name: str) -> None:
    reply, server = ask(name, Say("1"))
    (request,) = server.requests
    fields = set(request.body) - {"messages", "input", "contents", "model"}
    expected = {
        "openai": {"temperature", "max_tokens"},
        "responses": {"temperature", "max_output_tokens", "store", "stream"},
        "anthropic": {"max_tokens"},
        "gemini": {"generationConfig"},
    }
    assert (fields, reply.status, reply.text) == (expected[name], "ok", "1")
    if name == "gemini":
        assert request.body["generationConfig"] == {"temperature": 0, "maxOutputTokens": 2048}


@pytest.mark.parametrize("name", OTHERS)
def test_thinking_is_counted_paid_and_none_of_the_answer(name: str) -> None:
    reply, _ = ask(name, Say("42", thinking=5))
    assert (reply.text, reply.status) == ("42", "ok")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens) == (11, 7, 5)


@pytest.mark.parametrize("name", OTHERS)
def test_replies_that_were_cut_or_declined_are_so(name: str) -> None:
    cut, _ = ask(name, Say("4", finish_reason="length"))
    wordless, _ = ask(name, Say("", finish_reason="length", thinking=5))
    filtered, _ = ask(name, Say("", finish_reason="content_filter"))
    assert [cut.status, cut.text] == ["truncated", "4"]
    assert [wordless.status, wordless.text, wordless.reasoning_tokens] == ["truncated", "", 5]
    assert filtered.status == "refused"


def test_a_refusal_is_told_in_the_words_of_the_api() -> None:
    said, _ = ask("responses", Say("", refusal="I cannot"))
    explained, _ = ask("anthropic", Say("", refusal="It could harm"))
    blocked, _ = ask("gemini", BLOCKED)
    turned_down, _ = ask("responses", response_failed("bio_policy", "No"))
    filtered, _ = ask("openai", wrong(400, "The prompt was filtered", code="content_filter"))
    told = [(reply.status, reply.text) for reply in (said, explained, blocked, turned_down, filtered)]
    assert told == [
        ("refused", "I cannot"),
        ("refused", "It could harm"),
        ("refused", "the prompt was blocked: PROHIBITED_CONTENT"),
        ("refused", "HTTP 400: No"),
        ("refused", "HTTP 400: The prompt was filtered"),
    ]


@pytest.mark.parametrize("name", SERVERS)
def test_a_wrong_key_and_an_unknown_model_end_the_run(name: str) -> None:
    with pytest.raises(Stopped, match="does not accept the key"):
        ask(name, KEYS[name])
    with pytest.raises(Stopped, match="no such model or no such address"):
        ask(name, UNKNOWN[name])
    with SERVERS[name](always(FORBIDDEN[name])) as server, pytest.raises(Stopped, match="what it may do there"):
        asked(model_at(name, server), [question()] * 3)


@pytest.mark.parametrize("name", SERVERS)
def test_what_comes_too_fast_is_tried_again_after_the_wait_that_is_asked_for(name: str) -> None:
    reply, server = ask(name, failing_first(TOO_FAST[name], times=2))
    assert (reply.status, len(server.requests)) == ("ok", 3)


def test_an_overloaded_server_is_asked_more_slowly_and_not_given_up_at_once() -> None:
    with AnthropicServer(failing_first(OVERLOADED, times=1)) as server:
        model = model_at("anthropic", server)
        before = model.pace.limit  # type: ignore[attr-defined]
        (reply,) = asked(model, [question()])
        assert (reply.status, len(server.requests)) == ("ok", 2)
        assert model.pace.limit < before  # type: ignore[attr-defined]


def test_a_server_error_of_any_api_passes() -> None:
    broken = {
        "responses": response_failed("server_error", "Oops"),
        "anthropic": anthropic_error(500, "api_error", "Oops"),
        "gemini": google_error(503, "UNAVAILABLE", "The model is overloaded."),
    }
    for name, fault in broken.items():
        reply, server = ask(name, failing_first(fault))
        assert (reply.status, len(server.requests)) == ("ok", 2), name


@pytest.mark.parametrize(("name", "fault"), SPENT)
def test_money_or_quota_that_is_used_up_ends_the_run_at_once(name: str, fault: Send) -> None:
    with SERVERS[name](always(fault)) as server, pytest.raises(Stopped, match="the quota or the money of this key"):
        asked(model_at(name, server), [question()])
    assert len(server.requests) == 1


def test_a_wait_of_hours_ends_the_run_with_the_time() -> None:
    with pytest.raises(Stopped, match="asks to wait 37036 s"):
        ask("gemini", gemini_quota("GenerateRequestsPerMinutePerProjectPerModel", "37035.7s"))


@pytest.mark.parametrize("name", OTHERS)
def test_a_body_that_is_none_of_the_api_passes_and_says_what_it_should_be(name: str) -> None:
    reply, server = ask(name, failing_first(Send(b'{"choices": []}')))
    assert (reply.status, len(server.requests)) == ("ok", 2)


def test_a_temperature_that_is_refused_is_left_out_and_noted() -> None:
    refused = {
        "responses": wrong(400, "Unsupported parameter: 'temperature' is not supported with this model."),
        "gemini": google_error(400, "INVALID_ARGUMENT", "Unknown name \"temperature\" at 'generation_config'"),
    }
    for name, fault in refused.items():
        with SERVERS[name](failing_first(fault)) as server:
            model = model_at(name, server)
            (reply,) = asked(model, [question()])
        assert reply.status == "ok", reply.text
        assert model.sent["refused"] == {"temperature": None}
        assert "temperature" not in json.dumps(server.requests[-1].body)


def test_a_limit_of_tokens_has_one_name_where_the_api_knows_one() -> None:
    with pytest.raises(Stopped, match="does not take 'max_tokens' as asked"):
        ask("responses", wrong(400, "Unsupported parameter: 'max_output_tokens' is not supported.", code="x"))


@pytest.mark.parametrize("name", SERVERS)
def test_a_schema_of_the_answer_stands_where_the_api_wants_it(name: str) -> None:
    _, server = ask(name, Say("1"), structured="on")
    body = server.requests[0].body
    ways = {
        "openai": ("response_format", "json_schema", "schema"),
        "responses": ("text", "format", "schema"),
        "anthropic": ("output_config", "format", "schema"),
        "gemini": ("generationConfig", "responseJsonSchema"),
    }
    found = body
    for step in ways[name]:
        found = found[step]
    assert found["type"] == "object"
    if name == "gemini":
        assert body["generationConfig"]["responseMimeType"] == "application/json"
    elif name != "openai":
        assert body[ways[name][0]]["format"]["type"] == "json_schema"


@pytest.mark.parametrize("name", OTHERS)
def test_a_server_that_takes_no_schema_is_asked_in_plain_text(name: str) -> None:
    fault = google_error(400, "INVALID_ARGUMENT", "no") if name == "gemini" else wrong(400, "no", code="x")
    reply, server = ask(name, failing_first(fault), structured="auto")
    assert (reply.status, len(server.requests)) == ("ok", 2)
    assert "schema" not in json.dumps(server.requests[1].body).casefold()


def test_what_an_api_does_not_have_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(BadSetting, match="models of 'anthropic' have no such setting as temperature"):
        run_settings("anthropic:m", {"temperature": "1"})
    with pytest.raises(BadSetting, match=r"models of 'responses' have no such setting as stop sequences \(stop\)"):
        run_settings("responses:m", {"stop": "END"})
    with AnthropicServer() as server, pytest.raises(BadSetting, match="the API of 'anthropic' takes no seed"):
        model_at("anthropic", server, seed=1)
    with ModelServer() as server, pytest.raises(BadSetting, match="'top_p' is given twice"):
        model_at("openai", server, top_p=0.5, params="top_p=0.9")
    with pytest.raises(BadSetting, match="“Top-p” is '2'; it must be a number above 0 to 1"):
        run_settings("gemini:m", {"top_p": "2"})
    with pytest.raises(BadSetting, match=r"Anthropic takes no top_p since version 2026-10-21 .*--set api_version="):
        run_settings("anthropic:m", {"params": "top_p=0.9"})
    with pytest.raises(BadSetting, match="Azure is asked without one below"):
        run_settings("openai:m", {"base_url": "https://x.openai.azure.com/openai?api-version=2024-10-21"})


@pytest.mark.parametrize(
    ("name", "fault", "own", "sentence"),
    [
        (
            "openai",
            Send(b'{"error": {"message": "Invalid \'stop\': array too long.", "type": "x", "param": "stop"}}', 400),
            {"stop": "a\nb\nc\nd\ne"},
            "change --stop$",
        ),
        (
            "openai",
            wrong(400, "Unsupported parameter: 'top_p' is not supported with this model."),
            {"top_p": 0.5},
            r"leave 'top_p' out \(--top-p\)",
        ),
        (
            "anthropic",
            anthropic_error(400, "invalid_request_error", "max_tokens: 21333 > 4096, which is the maximum allowed"),
            {"max_tokens": 21333},
            "change --max-tokens$",
        ),
        (
            "anthropic",
            anthropic_error(400, "invalid_request_error", "thinking.enabled.budget_tokens: Field required"),
            {"params": 'thinking.type="enabled"'},
            r"change --param thinking\.type$",
        ),
        (
            "anthropic",
            anthropic_error(400, "invalid_request_error", "`temperature` is deprecated for this model."),
            {"api_version": "2023-06-01", "params": "temperature=0"},
            r"leave the temperature out \(--param temperature\)",
        ),
        (
            "anthropic",
            anthropic_error(400, "invalid_request_error", 'anthropic-version: "2026-10-21" is not a valid version'),
            {},
            "change --set api_version$",
        ),
        (
            "gemini",
            google_error(
                400, "INVALID_ARGUMENT", "Unable to submit request because it has a maxOutputTokens value of 9."
            ),
            {},
            "change --max-tokens$",
        ),
        (
            "gemini",
            google_error(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model."),
            {"reasoning_effort": "low"},
            r"leave 'reasoning_effort' out \(--reasoning-effort\)",
        ),
    ],
)
def test_a_refused_value_ends_the_run_with_the_option_to_change(
    name: str, fault: Send, own: dict[str, Any], sentence: str
) -> None:
    """The bodies are those that users of these services have reported."""
    with SERVERS[name](always(fault)) as server, pytest.raises(Stopped, match=sentence):
        asked(model_at(name, server, **own), [question()] * 3)


def test_a_run_whose_first_requests_are_all_refused_stops_whatever_the_server_names() -> None:
    with ModelServer(always(wrong(400, "no"))) as server:
        with pytest.raises(Stopped, match=r"the first 50 requests are all refused \(HTTP 400: no\)"):
            asked(model_at("openai", server), [question()] * 60)
        server.script = always(wrong(400, "This model's maximum context length is 8 tokens"))
        replies = asked(model_at("openai", server), [question()] * 60)
    assert {reply.status for reply in replies} == {"error"}


def test_a_text_that_is_too_long_names_no_option() -> None:
    words = "input length and `max_tokens` exceed context limit: 199000 + 2048 > 200000"
    with AnthropicServer(always(anthropic_error(400, "invalid_request_error", words))) as server:
        replies = asked(model_at("anthropic", server), [question()] * 4)
    assert {reply.status for reply in replies} == {"error"}


def test_an_older_version_of_the_api_knows_keys_by_another_header_and_replies_by_another_key() -> None:
    with AnthropicServer() as server:
        old = model_at("anthropic", server, api_version="2023-06-01", params="temperature=0")
        new = model_at("anthropic", server)
        (reply,) = asked(old, [question()])
    headers = {key.casefold(): value for key, value in server.requests[0].headers.items()}
    assert (headers["x-api-key"], headers["anthropic-version"], reply.status) == (KEY, "2023-06-01", "ok")
    same = model_at("anthropic", server, api_version="2023-06-01")
    assert same.request(question()).key != new.request(question()).key  # type: ignore[union-attr]


def test_requests_to_models_of_one_server_have_keys_of_their_own_in_every_api() -> None:
    with ModelServer() as server:
        keys = []
        for name in SERVERS:
            for called in ("one", "other"):
                settings = run_settings(f"{name}:{called}", {"base_url": server.base_url}).own
                model = make_model(f"{name}:{called}", settings, ModelContext(TASK, key=KEY))
                keys += [model.request(question(sample=sample, samples=2)).key for sample in (0, 1)]  # type: ignore[union-attr]
    assert len(set(keys)) == len(keys) == 16


@pytest.mark.parametrize("name", SERVERS)
def test_the_same_run_again_is_answered_from_earlier_replies(name: str, sqlite: Engine) -> None:
    study = new_study(sqlite)
    options = PromptOptions(system="Be brief.")
    with SERVERS[name](always(Say("1"))) as server:
        first = run(sqlite, study=study, model=model_at(name, server), limit=3, prompt_options=options)
        again = run(sqlite, study=study, model=model_at(name, server), limit=3, prompt_options=options)
        other = run(sqlite, study=study, model=model_at(name, server), limit=3)
    assert (first.statuses, again.cached, other.cached, len(server.requests)) == ({"ok": 3}, 3, 0, 6)
    assert (first.run.settings["system"], "system" in other.run.settings) == ("Be brief.", False)
    assert settings_again(first.run).system == "Be brief."


def test_the_command_sends_stores_and_tells_a_system_prompt_stops_and_top_p(sqlite: Engine, monkeypatch: Any) -> None:
    monkeypatch.setenv("DATABASE_URL", str(sqlite.url))
    new_study(sqlite)
    more = ["--system", "Be brief.", "--stop", "END", "--stop", r"\n\n", "--top-p", "0.5", "--limit", "2", "--json"]
    with GeminiServer(always(Say("1"))) as server:
        words = ["run", "colours", "--model", "gemini:test", "--base-url", address(server), *more]
        made = CliRunner().invoke(cli, words, catch_exceptions=False)
        again = CliRunner().invoke(cli, [*words, "--dry-run"], catch_exceptions=False)
    assert json.loads(made.stdout)["statuses"] == {"ok": 2}, made.stderr
    config = server.requests[0].body["generationConfig"]
    assert (config["stopSequences"], config["topP"]) == (["END", "\n\n"], 0.5)
    assert json.loads(again.stdout)["requests"] == 0
    with sqlite.connect() as connection:
        stored = json.loads(connection.exec_driver_sql("SELECT settings FROM run").scalar_one())
    assert (stored["system"], stored["stop"], stored["top_p"]) == ("Be brief.", ["END", "\n\n"], 0.5)


def test_a_stored_run_is_read_again_and_told_in_one_line(sqlite: Engine) -> None:
    with ModelServer() as server:
        model = model_at("openai", server, stop=("END", "\n"), top_p=0.5)
        made = run(sqlite, study=new_study(sqlite), model=model, limit=1).run
    again = settings_again(made)
    assert (again.own.model_dump()["stop"], again.values()["stop"]) == (("END", "\n"), "END\n\\n")
    assert {"top-p 0.5", r"stops at END, \n"} <= {*told_settings(made)}


def test_the_page_asks_each_provider_what_its_api_has() -> None:
    keys = {name: {setting_key(PROVIDERS[name], one) for one in settings_for(PROVIDERS[name])} for name in SERVERS}
    assert "temperature" in keys["openai"] & keys["responses"] & keys["gemini"] - keys["anthropic"]
    assert "stop" in keys["openai"] & keys["anthropic"] & keys["gemini"] - keys["responses"]
    assert "system" in set.intersection(*keys.values())
    addresses = {name: setting_key(PROVIDERS[name], "base_url") for name in SERVERS}
    assert addresses == {
        "openai": "base_url", "responses": "base_url", "anthropic": "anthropic.base_url", "gemini": "gemini.base_url",
    }  # fmt: skip


def test_the_local_server_of_responses_follows_the_types_of_the_client_library() -> None:
    with ResponsesServer() as server:
        for say in (Say("1", thinking=3), Say("", refusal="no"), Say("4", finish_reason="length")):
            server.script = always(say)
            asked(model_at("responses", server), [question()])
            Response.model_validate_json(server.said(say, server.requests[-1]), strict=False)


def test_a_local_transformers_server_says_which_field_it_does_not_know() -> None:
    # As `transformers` 5.23 (cli/serving/utils.py, `_validate_request`) refuses what its request has no place for.
    told = Send(json.dumps({"detail": "Unexpected fields in the request: {'top_k'}"}).encode(), 422)
    with pytest.raises(Stopped, match="does not take 'top_k' as asked"):
        ask("openai", told, params="top_k=40")
