"""What a request may fail with: a status, a body that is no reply, nobody there, an address that is never asked."""

import json
from collections.abc import Mapping
from typing import Any


class HttpError(Exception):
    """A reply with a status from 300 on; `wait` is its Retry-After, the rest what the API says of the error.

    `moved` is the host to which a redirect leads, "" for what is none. `told` is all that the body says of the error,
    `nested` whether that stands under "error".
    `param` is the field of the request that it names, `fields` those that a strict server did not expect at all.
    `by_a_model` tells that the body is an error as the chat API forms it, so that its message is meant for whoever
    asks a model: `openai.types.shared.ErrorObject` under "error", or the same without that as vLLM has it.
    """

    def __init__(self, status: int, body: bytes, wait: str, moved: str = "") -> None:
        self.body, values = body, object_of(body)
        self.details = details = _details(values)
        self.status, self.wait, self.moved = status, wait, moved
        self.message = str(details.get("message") or body.decode("utf8", "replace"))
        self.code, self.kind, self.param = str(details.get("code")), str(details.get("type")), details.get("param")
        self.fields = _unexpected(details)
        self.nested = isinstance(values.get("error"), dict)
        self.by_a_model = isinstance(details.get("message"), str) and isinstance(details.get("type"), str)
        super().__init__(self.message)


class NoCompletion(ValueError):
    """A body that holds no reply; `kind` is what stands in it instead."""

    def __init__(self, why: str, kind: str) -> None:
        super().__init__(why)
        self.got = kind


class Unreachable(ConnectionError):
    """There was nobody to send the request to: no such name, nobody who listens, no TLS."""


class Forbidden(ConnectionError):
    """The name leads to an address where no model is ever asked."""


def object_of(body: bytes) -> Mapping[str, Any]:
    """Return the object that a body is, or a list of nothing else, as Google's API sends some; empty for none."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if isinstance(values, list) and len(values) == 1:
        values = values[0]
    return values if isinstance(values, dict) else {}


def _details(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an error's body says under "error", or the whole of it."""
    inner = values.get("error", values)
    return inner if isinstance(inner, dict) else {"message": inner}


def _unexpected(details: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields of the request that a server which checks them with pydantic (Mistral's) does not know.

    They stand in a list "detail": alone, in the place of the message, or as JSON in its text.
    """
    inner = details.get("message", details)
    if isinstance(inner, str):
        inner = _details(object_of(inner.encode("utf8", "replace"))) if inner.startswith("{") else {}
    errors = inner if isinstance(inner, list) else details.get("detail")
    if isinstance(inner, dict):
        errors = inner.get("detail", errors)
    places = [
        part.get("loc")
        for part in (errors if isinstance(errors, list) else ())
        if isinstance(part, dict) and part.get("type") == "extra_forbidden"
    ]
    return tuple(str(place[1]) for place in places if isinstance(place, list) and len(place) == 2)
