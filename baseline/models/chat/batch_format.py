"""The lines of OpenAI's Batch files: a request under the key it is known by, and what came of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

MOST_LINES, MOST_BYTES = 50_000, 200_000_000
"""What a file of requests may hold, as OpenAI's documentation of the Batch API has it."""
KEY_START, KEY_LENGTH = b'{"custom_id":"', 64
NEVER_RUN = 0
"""In the place of a status: the request was not run at all, since its batch expired or was cancelled before."""


@dataclass(frozen=True)
class BatchResult:
    """What a line of results says of one request: the status of HTTP and the body that the server would have sent."""

    key: str
    status: int
    body: Any

    @property
    def went_well(self) -> bool:
        """Whether the server replied."""
        return 200 <= self.status < 300


def request_line(key: str, url: str, body: Mapping[str, Any]) -> bytes:
    """Return the line of a request, with its end."""
    line = {"custom_id": key, "method": "POST", "url": url, "body": body}
    try:
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a lone surrogate, a number of more than 64 bits
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def key_of_request(line: bytes) -> str:
    """Return the key at the start of a line that `request_line` wrote."""
    return line[len(KEY_START) : len(KEY_START) + KEY_LENGTH].decode("ascii", "replace")


def read_result(line: bytes) -> BatchResult:
    """Return what a line of results says; raises ValueError for a line that is none.

    OpenAI's output and error files and LiteLLM's have a response, or an error with `code` and `message` alone where
    the request was never run; `vllm run-batch` has a response without a body beside an error.
    """
    try:
        values = json.loads(line)
        key, response, error = values["custom_id"], values.get("response") or {}, values.get("error")
        status, body = response.get("status_code"), response.get("body")
        if body is None:
            body = error if isinstance(error, dict) and "error" in error else {"error": error or {}}
            status = status if isinstance(status, int) and status >= 300 else NEVER_RUN
        if not isinstance(key, str) or type(status) is not int:
            raise ValueError("no custom_id or status")
    except (LookupError, TypeError, AttributeError, RecursionError) as wrong:
        raise ValueError("no line of results") from wrong
    return BatchResult(key, status, body)
