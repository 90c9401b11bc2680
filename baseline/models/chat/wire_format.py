"""How an API writes a request, its reply and its errors: all in which providers of models behind servers differ."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from baseline.models.reply import Reply, Status, Tokens, count


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


Body = dict[str, Any]
SCHEMA = "response_format"
"""The field of a request that holds the JSON schema of the answer."""
Messages = Sequence[Mapping[str, str]]


class WireFormat:
    """The form of one API; a request is asked for in the fields of OpenAI's chat API, and `written` in its own.

    `path` follows the base URL, `reply_is` says in a sentence what a body should hold. `places` are where this API has
    a field, with dots between objects one within the other; a parameter that somebody names is placed alike. `renames`
    are the names that a server may want in the place of others, `seeded` says whether there is a seed, `batched`
    whether its requests may stand in OpenAI's Batch files. `usage` is where a body states the tokens of a prompt, of
    all that was written, and of the thinking in that.
    """

    path: ClassVar[str]
    reply_is: ClassVar[str]
    places: ClassVar[Mapping[str, str]] = {}
    renames: ClassVar[Mapping[str, str]] = {}
    seeded: ClassVar[bool] = True
    batched: ClassVar[bool] = False
    usage: ClassVar[tuple[str, str, str]]

    def __init__(self, settings: Any) -> None:
        """Make the form of requests with a provider's own settings; most have nothing to say of it."""

    def address(self, base_url: str, called: str) -> str:
        """Return where requests to a model go."""
        return f"{base_url.rstrip('/')}/{self.path.format(model=called)}"

    def known_as(self, base_url: str, called: str) -> str:
        """Return what of the address, and of what is no part of a body, tells requests to a model from others."""
        return self.address(base_url, called)

    def headers(self, key: str) -> Mapping[str, str]:
        """Return what a request says of who asks."""
        return {"Authorization": f"Bearer {key}"}

    def written(self, asked: Body) -> Body:
        """Return a request as this API takes it: messages and schema in its words, other fields in their places."""
        system = [message["content"] for message in asked["messages"] if message["role"] == "system"]
        rest = [message for message in asked["messages"] if message["role"] != "system"]
        fields = {name: value for name, value in asked.items() if name not in ("messages", SCHEMA)}
        if SCHEMA in asked:
            fields |= self.held_to(asked[SCHEMA]["json_schema"])
        return self.placed(fields) | self.told("\n\n".join(system), rest)

    def told(self, system: str, messages: Messages) -> Body:
        """Return the fields of a system prompt, "" for none, and of the other messages."""
        raise NotImplementedError

    def held_to(self, schema: Mapping[str, Any]) -> Body:
        """Return the fields that hold a reply to the `schema` of its answer, which has a name."""
        raise NotImplementedError

    def read(self, values: Any) -> tuple[str, Status]:
        """Return the text of a reply and what became of it.

        Raises NoCompletion, HttpError, or any fault of a body that is none.
        """
        raise NotImplementedError

    def reply(self, values: Any, seconds: float) -> Reply:
        """Return the reply of a body; raises as `read` does."""
        text, status = self.read(values)
        prompt, completion, thinking = self.tokens(values)
        return Reply(text, status, seconds, prompt, completion, reasoning_tokens=thinking)

    def tokens(self, values: Any) -> Tokens:
        """Return the tokens that a body states, whatever else it holds."""
        return Tokens(*(count(values, place) for place in self.usage))

    def stated(self, body: bytes) -> Tokens:
        """Return the tokens that a body states which is no reply, beside its error or within it."""
        values = object_of(body)
        beside = self.tokens(values)
        return beside if any(beside) else self.tokens(values.get("error"))

    def explained(self, error: HttpError) -> HttpError:
        """Return an error in the words of OpenAI's API, where this one has others for the same."""
        return error

    def placed(self, fields: Mapping[str, Any]) -> Body:
        """Return fields at their places in a request."""
        body: Body = {}
        for name, value in fields.items():
            *outer, last = self.places.get(name, name).split(".")
            inner = body
            for part in outer:
                inner[part] = dict(there) if isinstance(there := inner.get(part), Mapping) else {}
                inner = inner[part]
            inner[last] = value
        return body

    def named_in_errors(self, fields: Sequence[str]) -> dict[str, str]:
        """Return fields by what an error may call them: where they stand, or the last word of that."""
        places = {name: self.places.get(name, name) for name in fields}
        short = {place.rpartition(".")[2]: name for name, place in places.items()}
        return short | {place: name for name, place in places.items()}


def as_json(sent: Mapping[str, Any]) -> bytes:
    """Return a request as JSON in UTF-8, half as long as escaped; what UTF-8 cannot hold makes it escaped."""
    try:
        return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(sent, separators=(",", ":")).encode()
