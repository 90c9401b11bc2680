"""Servers on 127.0.0.1 that speak the APIs of other providers as their client libraries read them.

They follow `openai` as requirements.txt pins it (`types.responses`), `anthropic` 2.12.0 (`types.message`,
`_exceptions`, `_client`; version 2026-10-21 of the API) and `google-genai` 3.4.0 (`types.GenerateContentResponse`,
`errors`, `_api_client`). Each was pointed at its server here, and read the replies and the errors as this program
does. What these packages do not say is from the providers' documentation and from public reports of their users:
which codes tell of money (OpenAI's help pages, Claude API errors, Google's note on 402), and what stands in Google's
`details` (`google.rpc`).
"""

import json
from collections.abc import Mapping
from typing import Any

from tests.helpers.model_server import Messages, ModelServer, Request, Say, Send

KNOWN_TO_GEMINI = {"contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "labels"}


class ResponsesServer(ModelServer):
    """OpenAI's Responses API."""

    path = "/v1/responses"

    def messages(self, body: dict[str, Any]) -> Messages:
        found: Messages = body["input"]
        return found

    def said(self, say: Say, request: Request) -> bytes:
        content: list[dict[str, Any]] = [{"type": "output_text", "text": say.text, "annotations": []}]
        if say.refusal:
            content = [{"type": "refusal", "refusal": say.refusal}]
        message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}
        reasoning = {"id": "rs_1", "type": "reasoning", "summary": []}
        reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
        why = reasons.get(say.finish_reason)
        return json.dumps(
            {
                "id": "resp_1",
                "object": "response",
                "created_at": 0,
                "model": request.body["model"],
                "status": "incomplete" if why else "completed",
                "error": None,
                "incomplete_details": {"reason": why} if why else None,
                "output": [reasoning, *([message] if say.text or say.refusal else [])],
                "parallel_tool_calls": True,
                "tool_choice": "auto",
                "tools": [],
                "usage": {
                    "input_tokens": 11,
                    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                    "output_tokens": 2 + say.thinking,
                    "output_tokens_details": {"reasoning_tokens": say.thinking},
                    "total_tokens": 13 + say.thinking,
                },
            }
        ).encode()


def response_failed(code: str, message: str) -> Send:
    """A response of HTTP 200 that says that it failed."""
    told = {"id": "resp_1", "object": "response", "created_at": 0, "model": "test", "status": "failed", "output": []}
    return Send(json.dumps({**told, "error": {"code": code, "message": message}}).encode())


class AnthropicServer(ModelServer):
    """Anthropic's Messages API, version 2026-10-21: keys as bearers, no temperature, no top_p."""

    path = "/v1/messages"

    def refuses(self, request: Request) -> Send | None:
        if "anthropic-version" not in request.headers:
            return anthropic_error(400, "invalid_request_error", "anthropic-version: header is required")
        named = {"temperature", "top_p", "top_k", "seed"} & request.body.keys()
        if named and request.headers["anthropic-version"] >= "2026-10-21":
            return anthropic_error(400, "invalid_request_error", f"{min(named)}: Extra inputs are not permitted")
        return None

    def said(self, say: Say, request: Request) -> bytes:
        reasons = {"length": "max_tokens", "content_filter": "refusal", "stop": "end_turn"}
        thinking = [{"type": "thinking", "thinking": "hm", "signature": "x"}] if say.thinking else []
        refused = {"type": "refusal", "category": None, "explanation": say.refusal} if say.refusal else None
        return json.dumps(
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": request.body["model"],
                "content": [*thinking, *([{"type": "text", "text": say.text}] if say.text else [])],
                "stop_reason": "refusal" if say.refusal else reasons[say.finish_reason],
                "stop_details": refused,
                "stop_sequence": None,
                "usage": {
                    "input_tokens": 8,
                    "cache_creation_input_tokens": 2,
                    "cache_read_input_tokens": 1,
                    "output_tokens": 2 + say.thinking,
                    "output_tokens_details": {"thinking_tokens": say.thinking},
                },
            }
        ).encode()


def anthropic_error(status: int, kind: str, message: str, *, code: str = "", **headers: str) -> Send:
    """An error of Anthropic's API, with the code in its details if there is one."""
    error: dict[str, Any] = {"type": kind, "message": message}
    error |= {"details": {"error_code": code}} if code else {}
    body = {"type": "error", "error": error, "request_id": "req_1"}
    return Send(json.dumps(body).encode(), status, headers={n.replace("_", "-"): v for n, v in headers.items()})


class GeminiServer(ModelServer):
    """Google's Gemini API."""

    path = "/v1/models/{model}:generateContent"

    def messages(self, body: dict[str, Any]) -> Messages:
        return [{"role": one["role"], "content": one["parts"][0]["text"]} for one in body["contents"]]

    def refuses(self, request: Request) -> Send | None:
        if unknown := sorted(request.body.keys() - KNOWN_TO_GEMINI):
            words = f'Invalid JSON payload received. Unknown name "{unknown[0]}": Cannot find field.'
            return google_error(400, "INVALID_ARGUMENT", words)
        return None

    def said(self, say: Say, request: Request) -> bytes:
        reasons = {"length": "MAX_TOKENS", "content_filter": "SAFETY", "stop": "STOP"}
        thoughts = [{"text": "hm", "thought": True}] if say.thinking else []
        content = {"role": "model", "parts": [*thoughts, {"text": say.text}]} if say.text else {"role": "model"}
        candidate = {"content": content, "finishReason": reasons[say.finish_reason], "index": 0}
        counted = {"promptTokenCount": 11, "candidatesTokenCount": 2, "totalTokenCount": 13 + say.thinking}
        return json.dumps(
            {
                "candidates": [candidate],
                "usageMetadata": counted | ({"thoughtsTokenCount": say.thinking} if say.thinking else {}),
                "modelVersion": "test",
                "responseId": "r1",
            }
        ).encode()


BLOCKED = Send(
    json.dumps(
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 11}}
    ).encode()
)


def google_error(code: int, status: str, message: str, *details: Mapping[str, Any]) -> Send:
    """An error of Google's APIs."""
    error: dict[str, Any] = {"code": code, "message": message, "status": status}
    typed = [{"@type": f"type.googleapis.com/google.rpc.{one['kind']}", **one} for one in details]
    listed = [{name: value for name, value in one.items() if name != "kind"} for one in typed]
    return Send(json.dumps({"error": error | ({"details": listed} if listed else {})}).encode(), code)


def gemini_quota(quota: str, retry: str) -> Send:
    """A 429 that names the quota, and how long to wait."""
    failure = {"kind": "QuotaFailure", "violations": [{"quotaId": quota, "quotaMetric": "generate_content"}]}
    return google_error(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota",
        failure,
        {"kind": "RetryInfo", "retryDelay": retry},
    )


GEMINI_KEY = google_error(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    {"kind": "ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"},
)
