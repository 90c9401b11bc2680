"""One POST after another to a server that speaks the OpenAI chat API, over connections that stay open."""

import json
import os
from collections.abc import Mapping
from ssl import PROTOCOL_TLS_CLIENT, SSLContext, SSLError
from typing import Any
from urllib.parse import urljoin

from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ConnectionTimeoutError,
    InvalidURL,
)
from openai import AsyncOpenAI, DefaultAioHttpClient

from baseline.models.chat.connecting import CONNECT, Connections
from baseline.models.chat.hosts import NEVER, host_of
from data.errors import BadSetting
from data.limits import LARGEST_RESPONSE, MB

REDIRECTS = (301, 302, 303, 307, 308)
LONGEST_HOST = 253  # characters of a name, by RFC 1035


class HttpError(Exception):
    """A reply with a status from 300 on; `wait` is its Retry-After, the rest what the API says of the error.

    `moved` is the host to which a redirect leads, "" for what is none.
    `param` is the field of the request that it names, `fields` those that a strict server did not expect at all.
    `by_a_model` tells that the body is an error as the chat API forms it, so that its message is meant for whoever
    asks a model: `openai.types.shared.ErrorObject` under "error", or the same without that as vLLM has it.
    """

    def __init__(self, status: int, body: bytes, wait: str, moved: str = "") -> None:
        told = _told(body)
        self.status, self.wait, self.moved = status, wait, moved
        self.message = str(told.get("message") or body.decode("utf8", "replace"))
        self.code, self.kind, self.param = str(told.get("code")), str(told.get("type")), told.get("param")
        self.fields = _unexpected(told)
        self.by_a_model = isinstance(told.get("message"), str) and isinstance(told.get("type"), str)
        super().__init__(self.message)


class NoCompletion(ValueError):
    """A body that holds no reply; `found` is what stands in it instead."""

    def __init__(self, why: str, found: str) -> None:
        super().__init__(why)
        self.found = found


class Unreachable(ConnectionError):
    """There was nobody to send the request to: no such name, nobody who listens, no TLS."""


class Forbidden(ConnectionError):
    """The name leads to an address where no model is ever asked."""


class ChatLine:
    """Sends requests to one address with one key, in the event loop of the first of them until it is closed.

    The package says where requests go and in whose name; each one goes straight over aiohttp, which the package has
    for its connections. Its own way there costs twice the CPU of a request, its objects of a reply as much again.
    """

    def __init__(self, base_url: str, key: str, *, timeout: float) -> None:
        # Now, not at the first request: what is loaded for it would keep fifty others waiting.
        self._connections = Connections(base_url, timeout)
        nobody = DefaultAioHttpClient(verify=SSLContext(PROTOCOL_TLS_CLIENT))
        package = AsyncOpenAI(api_key=key, base_url=base_url, http_client=nobody)
        named = {name: value for name, value in package.default_headers.items() if isinstance(value, str)}
        self._headers = {**named, **package.auth_headers}
        self._address = str(package.base_url.copy_with(path=f"{package.base_url.path}chat/completions"))
        self._session: ClientSession | None = None

    @property
    def internal(self) -> bool:
        """Whether what was connected to is not of the public internet."""
        return self._connections.internal

    async def post(self, sent: Mapping[str, Any]) -> bytes:
        """Return the body of the reply; raises HttpError, OSError, or TimeoutError however slowly bytes come."""
        session = self._session = self._session or self._connections.session()
        proxy = self._connections.proxy
        try:
            # Another address than the one that was named is never asked.
            async with session.post(
                self._address, data=_written(sent), headers=self._headers, allow_redirects=False, proxy=proxy
            ) as reply:
                body = await _whole(reply)
                status, wait = reply.status, reply.headers.get("Retry-After", "")
                moved = self._leads_to(reply.headers.get("Location", "")) if status in REDIRECTS else ""
        except ConnectionTimeoutError as error:
            raise Unreachable(f"no connection within {CONNECT:g} s") from error
        except (ClientConnectorError, InvalidURL) as error:
            if denied := self._connections.denied:
                raise Forbidden(f"the name of the base URL leads to {denied}, {NEVER}") from error
            raise Unreachable(_why(error)) from error
        except ClientError as error:
            raise ConnectionError(str(error) or type(error).__name__) from error
        if not 200 <= status < 300:
            raise HttpError(status, body, wait, moved)
        return body

    def _leads_to(self, location: str) -> str:
        """Return the host of a redirect and nothing else of its address, which may hold secrets."""
        try:
            return host_of(urljoin(self._address, location))[:LONGEST_HOST]
        except (ValueError, BadSetting):
            return "an address that is none"

    async def close(self) -> None:
        """Close the connections; another `post` opens them anew."""
        session, self._session = self._session, None
        if session:
            await session.close()


def _why(error: ClientConnectorError | InvalidURL) -> str:
    """Return what the system says of a connection that it could not make."""
    cause = error.os_error if isinstance(error, ClientConnectorError) else None
    if cause is None or isinstance(cause, SSLError):
        return str(cause or error)
    return os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror or str(cause)


def _written(sent: Mapping[str, Any]) -> bytes:
    """Return a request as JSON in UTF-8, half as long as escaped; what UTF-8 cannot hold makes it escaped."""
    try:
        return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(sent, separators=(",", ":")).encode()


def _told(body: bytes) -> Mapping[str, Any]:
    """Return what an error's body says under "error", or the whole of it; empty where it is no such thing."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    inner = values.get("error", values) if isinstance(values, dict) else {}
    return inner if isinstance(inner, dict) else {"message": inner}


def _unexpected(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields of the request that a server which checks them with pydantic (Mistral's) does not know.

    They stand in a list "detail": alone, in the place of the message, or as JSON in its text.
    """
    inner = told.get("message", told)
    if isinstance(inner, str):
        inner = _told(inner.encode("utf8", "replace")) if inner.startswith("{") else {}
    listed = inner if isinstance(inner, list) else told.get("detail")
    if isinstance(inner, dict):
        listed = inner.get("detail", listed)
    places = [
        one.get("loc")
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and one.get("type") == "extra_forbidden"
    ]
    return tuple(str(place[1]) for place in places if isinstance(place, list) and len(place) == 2)


async def _whole(reply: ClientResponse) -> bytes:
    """Return the body of a response; raises NoCompletion for one of more than LARGEST_RESPONSE bytes."""
    body = bytearray()
    async for piece in reply.content.iter_any():
        body += piece
        if len(body) > LARGEST_RESPONSE:
            raise NoCompletion(f"the body has more than {LARGEST_RESPONSE // MB} MB", repr(bytes(body[:60])))
    return bytes(body)
