"""Ollama's own API."""

from collections.abc import Mapping
from typing import Any, ClassVar

from baseline.models.chat.request_settings import SamplingSettings, ServerSettings, StopSettings, base_url
from baseline.models.chat.wire_format import Body, Messages, WireFormat
from baseline.models.reply import Status


class OllamaChat(WireFormat):
    """`POST /api/chat`: what steers the reply is an object of its own."""

    path = "api/chat"
    reply_is = "a chat reply"
    places: ClassVar[Mapping[str, str]] = {
        "temperature": "options.temperature",
        "top_p": "options.top_p",
        "max_tokens": "options.num_predict",
        "stop": "options.stop",
        "seed": "options.seed",
        "reasoning_effort": "think",
    }

    usage = "prompt_eval_count", "eval_count", ""

    def headers(self, key: str) -> Mapping[str, str]:
        """Return nothing: it has no keys."""
        return {}

    def told(self, system: str, messages: Messages) -> Body:
        """Return the messages, the system prompt among them, to be answered in one piece."""
        return {"stream": False, "messages": [{"role": "system", "content": system}] * bool(system) + [*messages]}

    def held_to(self, schema: Mapping[str, Any]) -> Body:
        """Return the schema."""
        return {"format": schema["schema"]}

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the text of its message."""
        return values["message"]["content"], "truncated" if values.get("done_reason") == "length" else "ok"


class OllamaSettings(StopSettings, ServerSettings, SamplingSettings):
    """What is asked of it."""

    wire = OllamaChat
    base_url: str | None = base_url("http://127.0.0.1:11434")
