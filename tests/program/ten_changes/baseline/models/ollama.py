"""Ollama's own API."""

from collections.abc import Mapping
from typing import Any, ClassVar

from baseline.models.chat.request_settings import SamplingSettings, ServerSettings, StopSettings, base_url
from baseline.models.chat.wire_format import Body, WireFormat
from baseline.models.reply import Reply, Status, Tokens, count


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

    def headers(self, key: str) -> Mapping[str, str]:
        """Return nothing: it has no keys."""
        return {}

    def written(self, asked: Body) -> Body:
        """Return the request, to be answered in one piece."""
        return {"stream": False, **self.placed(asked)}

    def read(self, values: Any, seconds: float) -> Reply:
        """Return the text of its message."""
        prompt, completion, _ = self.tokens(values)
        status: Status = "truncated" if values.get("done_reason") == "length" else "ok"
        return Reply(values["message"]["content"], status, seconds, prompt, completion)

    def tokens(self, values: Any) -> Tokens:
        """Return the tokens it counts."""
        return Tokens(count(values, "prompt_eval_count"), count(values, "eval_count"))


class OllamaSettings(StopSettings, ServerSettings, SamplingSettings):
    """What is asked of it."""

    wire = OllamaChat
    base_url: str | None = base_url("http://127.0.0.1:11434")
