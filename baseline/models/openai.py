"""OpenAI's two APIs: the chat API (a service, a gateway, vLLM, transformers, llama.cpp, Ollama), and Responses."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from baseline.models.chat.request_settings import SamplingSettings, ServerSettings, StopSettings, base_url
from baseline.models.chat.wire_format import SCHEMA, Body, HttpError, Messages, NoCompletion, WireFormat
from baseline.models.reply import Status, Tokens, count
from db.settings import variable

PUBLIC = "https://api.openai.com/v1"
WHO_PAYS = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
"""Headers that a key of several organisations or projects needs, by the variables that hold them."""


def openai_headers(key: str) -> dict[str, str]:
    """Return in whose name OpenAI's API is asked."""
    paying = {header: variable(name) for header, name in WHO_PAYS.items() if variable(name)}
    return {"Authorization": f"Bearer {key}", **paying}


class ChatCompletions(WireFormat):
    """`POST /chat/completions`, as in `openai.types.chat`."""

    path = "chat/completions"
    reply_is = "a chat completion"
    batched = True
    renames: ClassVar[Mapping[str, str]] = {"max_tokens": "max_completion_tokens"}
    usage = "usage.prompt_tokens", "usage.completion_tokens", "usage.completion_tokens_details.reasoning_tokens"

    def known_as(self, base_url: str, called: str) -> str:
        """Return the base URL: replies that were stored before there were other APIs are known by it."""
        del called
        return base_url.rstrip("/")

    def headers(self, key: str) -> Mapping[str, str]:
        """Return in whose name it is asked."""
        return openai_headers(key)

    def written(self, asked: Body) -> Body:
        """Return the request, which is in this form."""
        return asked

    def named_in_errors(self, fields: Any) -> dict[str, str]:
        """Return fields by their own names."""
        return {name: name for name in fields}

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the reply of the first choice."""
        choice = values["choices"][0]
        message, ended = choice["message"], choice.get("finish_reason")
        text, refusal = message.get("content"), message.get("refusal")
        if not isinstance(text, str | None):
            raise NoCompletion(f"the content is not a text but a {type(text).__name__}", repr(text))
        status: Status = "ok"
        if refusal or ended == "content_filter":
            status = "refused"
        elif ended == "length":
            status = "truncated"
        return text or str(refusal or ""), status

    def tokens(self, values: Any) -> Tokens:
        """Return the tokens of a prompt, of its reply, and of the thinking in that.

        In `openai.types.CompletionUsage` thinking is part of the completion. Some servers (xAI's) count it beside that;
        the total tells, and it is paid like the rest.
        """
        prompt, completion, thinking = super().tokens(values)
        if thinking and completion is not None:
            beside = count(values, "usage.total_tokens") == (prompt or 0) + completion + thinking
            completion += thinking if beside or completion < thinking else 0
        return Tokens(prompt, completion, thinking)


class ChatSettings(StopSettings, ServerSettings, SamplingSettings):
    """What is asked of a chat API beside model and messages."""

    wire = ChatCompletions
    base_url: str | None = base_url(PUBLIC)


ENDED: Mapping[str, Status] = {"max_output_tokens": "truncated", "content_filter": "refused"}
"""What became of a reply that is incomplete, by its reason."""
FAILED = {"rate_limit_exceeded": 429, "server_error": 500, "vector_store_timeout": 500}
"""The statuses of HTTP that a response which failed would have; others are those of a request that is none."""


class Responses(WireFormat):
    """`POST /responses`, as in `openai.types.responses`; nothing is kept by the server."""

    path = "responses"
    reply_is = "a response"
    places: ClassVar[Mapping[str, str]] = {
        "max_tokens": "max_output_tokens",
        "reasoning_effort": "reasoning.effort",
        SCHEMA: "text.format",
    }
    seeded = False
    batched = True
    usage = "usage.input_tokens", "usage.output_tokens", "usage.output_tokens_details.reasoning_tokens"

    def headers(self, key: str) -> Mapping[str, str]:
        """Return in whose name it is asked."""
        return openai_headers(key)

    def told(self, system: str, messages: Messages) -> Body:
        """Return the system prompt as instructions and the messages as input; nothing is to be stored."""
        asked: Body = {"store": False, "stream": False, "input": messages}
        return asked | ({"instructions": system} if system else {})

    def held_to(self, schema: Mapping[str, Any]) -> Body:
        """Return the schema with its name."""
        return {SCHEMA: {"type": "json_schema", **schema}}

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the texts of its messages, or what it refused with."""
        status: Status = "ok"
        if values["status"] == "failed":
            error = values["error"]
            raise HttpError(FAILED.get(error["code"], 400), json.dumps({"error": error}).encode(), "")
        if values["status"] == "incomplete":
            why = values["incomplete_details"]["reason"]
            status = ENDED.get(why) or _no_reply(f"the response is incomplete for {why!r}", values)
        elif values["status"] != "completed":
            _no_reply(f"the response is {values['status']!r}", values)
        text, refusal = ("".join(_texts(values["output"], kind)) for kind in ("text", "refusal"))
        return text or refusal, "refused" if refusal else status


class ResponsesSettings(ServerSettings, SamplingSettings):
    """What is asked of it; it has no texts to stop at and no seed."""

    wire = Responses
    base_url: str | None = base_url(PUBLIC)


def _no_reply(why: str, values: Any) -> Status:
    raise NoCompletion(why, repr(values)[:400])


def _texts(output: Any, kind: str) -> Iterator[str]:
    """Yield the texts of all final messages: what a model says on its way there is none of the answer."""
    for item in output:
        if item["type"] == "message" and item.get("phase") != "commentary":
            yield from (part[kind] for part in item["content"] if part["type"] in (kind, f"output_{kind}"))
