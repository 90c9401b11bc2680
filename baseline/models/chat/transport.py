"""One POST after another to the server of a model, over connections that stay open."""

import json
import os
from collections.abc import Mapping
from ssl import SSLError
from typing import Any
from urllib.parse import urljoin

from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ConnectionTimeoutError, InvalidURL

from baseline.models.chat.connecting import CONNECT, Connections
from baseline.models.chat.http_errors import Forbidden, HttpError, NoCompletion, Unreachable
from baseline.models.hosts import NEVER, host_of
from data.errors import BadSetting
from data.limits import LARGEST_RESPONSE, MB

REDIRECTS = (301, 302, 303, 307, 308)
ALWAYS = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "Etalon"}
LONGEST_HOST = 253  # characters of a name, by RFC 1035


class Transport:
    """Sends requests to one address with the same headers, in the event loop of the first of them until it is closed.

    They go straight over aiohttp: the packages of providers cost two to five times the CPU of a request.
    """

    def __init__(self, address: str, headers: Mapping[str, str], *, timeout: float) -> None:
        self._connections = Connections(address, timeout)
        self._address, self._headers = address, {**ALWAYS, **headers}
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
                body = await _body(reply)
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


async def _body(reply: ClientResponse) -> bytes:
    """Return the body of a response; raises NoCompletion for one of more than LARGEST_RESPONSE bytes."""
    body = bytearray()
    async for piece in reply.content.iter_any():
        body += piece
        if len(body) > LARGEST_RESPONSE:
            raise NoCompletion(f"the body has more than {LARGEST_RESPONSE // MB} MB", repr(bytes(body[:60])))
    return bytes(body)
