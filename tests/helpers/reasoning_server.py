"""Servers that refuse parameters and count thinking, in the types of the openai client library (`openai.types`).

`ErrorObject` stands under "error" as OpenAI sends it; the texts are those that its users report. vLLM sends
the same fields without "error", Mistral the list of pydantic, Moonshot a message alone (each as in public issues).
"""

import json
from collections.abc import Callable
from typing import Any

from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion import Choice
from openai.types.completion_usage import CompletionTokensDetails
from openai.types.shared import ErrorObject

from tests.helpers.model_server import Behaviour, Messages, ModelServer, Send

Body = dict[str, Any]


def refused(message: str, *, param: str | None, code: str | None, status: int = 400) -> Send:
    """An error of OpenAI's chat API."""
    error = ErrorObject(message=message, type="invalid_request_error", param=param, code=code)
    return Send(json.dumps({"error": error.model_dump(exclude_none=False)}).encode(), status)


MAX_TOKENS = refused(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    param="max_tokens",
    code="unsupported_parameter",
)
TEMPERATURE = refused(
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    param="temperature",
    code="unsupported_value",
)
MOONSHOT = Send(
    json.dumps(
        {"error": {"message": "invalid temperature: only 1 is allowed for this model", "type": "invalid_request_error"}}
    ).encode(),
    400,
)
COPILOT = refused(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    param=None,
    code="invalid_request_body",
)


def mistral(field: str) -> Send:
    """What Mistral's API sends for a field that it does not know."""
    detail = [{"type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted", "input": 0}]
    told = {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "param": None}
    return Send(json.dumps({**told, "code": None}).encode(), 422)


def vllm(message: str) -> Send:
    """An error of vLLM, which has a number for its code."""
    told = {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400}
    return Send(json.dumps(told).encode(), 400)


def thought(
    text: str | None = "1",
    *,
    prompt: int = 50,
    completion: int = 300,
    reasoning: int = 290,
    total: int | None = None,
    ended: str = "stop",
) -> Send:
    """A reply after thinking, with the tokens that it took."""
    usage = CompletionUsage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        total_tokens=prompt + completion if total is None else total,
        completion_tokens_details=CompletionTokensDetails(reasoning_tokens=reasoning),
    )
    message = ChatCompletionMessage(role="assistant", content=text)
    choice = Choice(index=0, message=message, finish_reason=ended)
    made = ChatCompletion(
        id="chatcmpl-1", object="chat.completion", created=0, model="test", choices=[choice], usage=usage
    )
    return Send(made.model_dump_json().encode())


def reasoning(
    server: ModelServer, then: Callable[[Body], Behaviour] | None = None, *, temperature: Send = TEMPERATURE
) -> Callable[[Messages], Behaviour]:
    """A script of `server` that takes neither max_tokens nor a temperature, as OpenAI's reasoning models."""

    def script(_: Messages) -> Behaviour:
        body = server.requests[-1].body
        if "max_tokens" in body:
            return MAX_TOKENS
        if body.get("temperature", 1) != 1:
            return temperature
        return then(body) if then else thought()

    return script
