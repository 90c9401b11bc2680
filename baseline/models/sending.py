"""One POST after another to a server that speaks the OpenAI chat API, over connections that stay open."""

import asyncio
import json
from collections.abc import Mapping
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any
from urllib.request import getproxies

from httpx2 import URL, AsyncClient, Headers, Request, RequestError
from openai import AsyncOpenAI, DefaultAioHttpClient


class HttpError(Exception):
    """A reply with a status from 300 on; `wait` is its Retry-After, the rest what the API says of the error."""

    def __init__(self, status: int, body: bytes, wait: str) -> None:
        told = _told(body)
        self.status, self.wait = status, wait
        self.message = str(told.get("message") or body.decode("utf8", "replace"))
        self.code, self.kind = str(told.get("code")), str(told.get("type"))
        super().__init__(self.message)


class Line:
    """Sends requests to one address with one key, in the event loop of the first of them until it is closed.

    The package says where requests go, in whose name and over what; each one goes straight to its transport. Its own
    way there costs twice the CPU of a request, its objects of a reply as much again, and they take HTML for a reply.
    """

    def __init__(self, base_url: str, key: str, *, timeout: float) -> None:
        self._url, self._key, self._timeout = base_url, key, timeout
        self._address, self._headers = URL(), Headers()
        # Now, not at the first request: what is loaded for it would keep fifty others waiting.
        self._client: AsyncClient | None = self._opened()

    async def post(self, sent: Mapping[str, Any]) -> bytes:
        """Return the body of the reply; raises HttpError, OSError, or TimeoutError however slowly bytes come."""
        client = self._client or self._opened()
        request = Request("POST", self._address, headers=self._headers, content=_written(sent))
        try:
            async with asyncio.timeout(self._timeout):
                reply = await client.send(request)
        except RequestError as error:
            raise ConnectionError(str(error)) from error
        if not reply.is_success:
            raise HttpError(reply.status_code, reply.content, reply.headers.get("Retry-After", ""))
        return reply.content

    async def close(self) -> None:
        """Close the connections; another `post` opens them anew."""
        client, self._client = self._client, None
        if client:
            await client.aclose()

    def _opened(self) -> AsyncClient:
        # Reading the list of authorities takes as long as fifty requests, and without TLS on the way none is needed.
        secure = self._url.casefold().startswith("https:") or bool(getproxies())
        trusted = secure or SSLContext(PROTOCOL_TLS_CLIENT)
        # Another address than the one that was named is never asked.
        self._client = DefaultAioHttpClient(follow_redirects=False, verify=trusted)
        package = AsyncOpenAI(api_key=self._key, base_url=self._url, http_client=self._client)
        named = {name: value for name, value in package.default_headers.items() if isinstance(value, str)}
        self._headers = Headers({**named, **package.auth_headers})
        self._address = package.base_url.copy_with(path=f"{package.base_url.path}chat/completions")
        return self._client


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
