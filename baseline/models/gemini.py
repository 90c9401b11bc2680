"""Google's Gemini API."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from baseline.models.chat.request_settings import SamplingSettings, ServerSettings, StopSettings, base_url
from baseline.models.chat.wire_format import SCHEMA, Body, HttpError, Messages, NoCompletion, WireFormat
from baseline.models.reply import Status, Tokens

ROLES = {"user": "user", "assistant": "model"}
WHOLE, CUT = ("STOP", None), ("MAX_TOKENS", "CONTINUATION")
FAULTY = ("MALFORMED_RESPONSE", "OTHER", "FINISH_REASON_UNSPECIFIED")
"""Reasons to end that say nothing of the question; the same may be answered another time. All others are refusals."""
SPENT_TODAY = "PerDay"
"""What the names of quotas of a day have in them."""


class GenerateContent(WireFormat):
    """`POST /v1/models/NAME:generateContent`, as in `google.genai.types`."""

    path = "v1/models/{model}:generateContent"
    reply_is = "generated content"
    places: ClassVar[Mapping[str, str]] = {
        "temperature": "generationConfig.temperature",
        "top_p": "generationConfig.topP",
        "max_tokens": "generationConfig.maxOutputTokens",
        "stop": "generationConfig.stopSequences",
        "seed": "generationConfig.seed",
        "reasoning_effort": "generationConfig.thinkingConfig.thinkingLevel",
        SCHEMA: "generationConfig.responseJsonSchema",
    }
    usage = "usageMetadata.promptTokenCount", "usageMetadata.candidatesTokenCount", "usageMetadata.thoughtsTokenCount"

    def headers(self, key: str) -> Mapping[str, str]:
        """Return in whose name it is asked."""
        return {"x-goog-api-key": key}

    def written(self, asked: Body) -> Body:
        """Return the request without the model, which is part of the address."""
        fields = {name: value for name, value in asked.items() if name != "model"}
        if effort := fields.get("reasoning_effort"):
            fields["reasoning_effort"] = effort.upper()
        return super().written(fields)

    def told(self, system: str, messages: Messages) -> Body:
        """Return the messages as contents, and the system prompt beside them."""
        contents = [{"role": ROLES[message["role"]], "parts": [{"text": message["content"]}]} for message in messages]
        return {"contents": contents} | ({"systemInstruction": {"parts": [{"text": system}]}} if system else {})

    def held_to(self, schema: Mapping[str, Any]) -> Body:
        """Return the schema, and that the reply is JSON."""
        return {"generationConfig.responseMimeType": "application/json", SCHEMA: schema["schema"]}

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the text of the first candidate; thoughts are none of it."""
        blocked = (values.get("promptFeedback") or {}).get("blockReason")
        if blocked and not values.get("candidates"):
            return f"the prompt was blocked: {blocked}", "refused"
        candidate = values["candidates"][0]
        ended, parts = candidate.get("finishReason"), (candidate.get("content") or {}).get("parts") or ()
        text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
        if ended in FAULTY:
            raise NoCompletion(f"the candidate ended for {ended}", repr(values)[:400])
        status: Status = "ok" if ended in WHOLE else "truncated" if ended in CUT else "refused"
        return text or (f"the reply was blocked: {ended}" if status == "refused" else ""), status

    def tokens(self, values: Any) -> Tokens:
        """Return the tokens of its usage; thoughts are counted beside what was written."""
        prompt, written, thinking = super().tokens(values)
        completion = None if thinking is None and written is None else (thinking or 0) + (written or 0)
        return Tokens(prompt, completion, thinking)

    def explained(self, error: HttpError) -> HttpError:
        """Return the error with what its details say: whose key it is, how long to wait, which quota is used up."""
        details = list(_details(error.details))
        error.by_a_model = error.nested and isinstance(error.details.get("status"), str)
        if any(detail.get("reason") == "API_KEY_INVALID" for detail in details):
            error.status = 401
        waits = [detail["retryDelay"] for detail in details if isinstance(detail.get("retryDelay"), str)]
        error.wait = error.wait or "".join(waits[:1]).removesuffix("s")
        quotas = [quota for detail in details for quota in detail.get("violations") or () if isinstance(quota, Mapping)]
        if any(SPENT_TODAY in str(quota.get("quotaId")) for quota in quotas):
            error.code = "insufficient_quota"
        return error


class GeminiSettings(StopSettings, ServerSettings, SamplingSettings):
    """What is asked of it."""

    wire = GenerateContent
    base_url: str | None = base_url("https://generativelanguage.googleapis.com")


def _details(error: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    details = error.get("details")
    yield from (detail for detail in (details if isinstance(details, list) else ()) if isinstance(detail, Mapping))
