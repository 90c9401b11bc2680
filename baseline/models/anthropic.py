"""Anthropic's Messages API."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import model_validator

from baseline.models.chat.request_settings import API_VERSION, ServerSettings, StopSettings, base_url
from baseline.models.chat.wire_format import SCHEMA, Body, HttpError, Messages, WireFormat
from baseline.models.reply import Status, Tokens, count
from baseline.models.run_fields import SERVER, RunField, Stored
from data.errors import BadSetting

VERSION = "2026-10-21"
ENDED: Mapping[str, Status] = {
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
}
"""What became of a reply that did not end by itself, by its stop reason."""
CACHED = "usage.cache_creation_input_tokens", "usage.cache_read_input_tokens"
SPENT = "You have reached your specified"
"""How the message of a 400 begins where the limit that its owner has set is spent."""


class AnthropicMessages(WireFormat):
    """`POST /v1/messages` in a version of the API, as in `anthropic.types`; it has no seed.

    In the version of October 2026 neither temperature nor top-p is taken.
    """

    path = "v1/messages"
    reply_is = "a message"
    places: ClassVar[Mapping[str, str]] = {
        "stop": "stop_sequences",
        "reasoning_effort": "output_config.effort",
        SCHEMA: "output_config.format",
    }
    seeded = False
    usage = "usage.input_tokens", "usage.output_tokens", "usage.output_tokens_details.thinking_tokens"

    def __init__(self, settings: Any) -> None:
        self._version: str = settings.api_version

    def known_as(self, base_url: str, called: str) -> str:
        """Return the address with the version, which is told by a header."""
        return f"{self.address(base_url, called)} {self._version}"

    def headers(self, key: str) -> Mapping[str, str]:
        """Return in whose name, and in which version, it is asked; versions before the first knew keys by another."""
        named = {"X-Api-Key": key} if self._version < VERSION else {"Authorization": f"Bearer {key}"}
        return {**named, "anthropic-version": self._version}

    def told(self, system: str, messages: Messages) -> Body:
        """Return the messages, and the system prompt beside them."""
        return {"messages": messages} | ({"system": system} if system else {})

    def held_to(self, schema: Mapping[str, Any]) -> Body:
        """Return the schema, which has no name here."""
        return {SCHEMA: {"type": "json_schema", "schema": schema["schema"]}}

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the texts of its blocks; thinking has blocks of its own."""
        text = "".join(block["text"] for block in values["content"] if block["type"] == "text")
        status = ENDED.get(values["stop_reason"], "ok")
        if status == "refused":
            text = text or str((values.get("stop_details") or {}).get("explanation") or "")
        return text, status

    def tokens(self, values: Any) -> Tokens:
        """Return the tokens of its usage; those of a prompt are told apart by whether they were cached."""
        prompt, *others = super().tokens(values)
        parts = [number for number in (prompt, *(count(values, place) for place in CACHED)) if number is not None]
        return Tokens(sum(parts) if parts else None, *others)

    def explained(self, error: HttpError) -> HttpError:
        """Return the error with the code that stands in its details, or that only the message tells."""
        details = error.details.get("details")
        if isinstance(details, Mapping) and isinstance(details.get("error_code"), str):
            error.code = details["error_code"]
        elif error.status == 400 and error.message.startswith(SPENT):
            error.code = "insufficient_quota"
        elif error.message.startswith("anthropic-version"):
            error.param = API_VERSION
        return error


class AnthropicSettings(StopSettings, ServerSettings):
    """What is asked of it."""

    wire = AnthropicMessages
    base_url: str | None = base_url("https://api.anthropic.com")
    api_version: str = RunField(SERVER, Stored.ALWAYS).setting(
        VERSION,
        "Version of the API",
        "Those before 2026-10-21 take temperature and top_p, as other parameters",
        pattern=r"\d{4}-\d\d-\d\d",
    )

    @model_validator(mode="after")
    def _of_its_version(self) -> Self:
        """Refuse what the API took before its version of October 2026."""
        late = sorted(self.params.keys() & {"temperature", "top_p"})
        if late and self.api_version >= VERSION:
            raise BadSetting(
                f"Anthropic takes no {late[0]} since version {VERSION} of its API; leave --param {late[0]} out, or ask "
                f"in an older version (--set {API_VERSION}=2023-06-01)"
            )
        return self
