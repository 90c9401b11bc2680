"""One POST after another to the server of a model, over connections that never reach an address where none is asked."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from ssl import PROTOCOL_TLS_CLIENT, SSLContext, SSLError, create_default_context
from typing import Any
from urllib.parse import urljoin
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from baseline.models.chat.wire_format import Forbidden, HttpError, NoCompletion, Unreachable, as_json
from baseline.models.hosts import NEVER, forbidden, host_of, is_internal
from data.errors import BadSetting
from data.limits import LARGEST_RESPONSE, MB

CONNECT = 5.0
"""Seconds for a name to be found and a connection to be made."""


class Connections:
    """A session of connections in the event loop that asks for it; what it learns of the address outlasts it.

    Every socket is made for an address that was looked at, however the name was resolved: `denied` is the address that
    was refused, `internal` tells that one of them is not of the public internet.
    """

    def __init__(self, base_url: str, timeout: float) -> None:
        self.denied = ""
        self.internal = False
        self.proxy = _proxy(base_url)
        self._timeout = aiohttp.ClientTimeout(total=timeout, connect=min(CONNECT, timeout))
        # Reading the list of authorities takes as long as fifty requests, and without TLS on the way none is needed.
        secure = base_url.casefold().startswith("https:") or self.proxy is not None
        self._trusted = create_default_context() if secure else SSLContext(PROTOCOL_TLS_CLIENT)

    def session(self) -> aiohttp.ClientSession:
        """Return a new session, which whoever asked closes."""
        connector = aiohttp.TCPConnector(limit=0, ssl=self._trusted, resolver=Resolver(), socket_factory=self._socket)
        # What a server would like to be told again tells runs apart: nothing of one request is part of another.
        return aiohttp.ClientSession(connector=connector, timeout=self._timeout, cookie_jar=aiohttp.DummyCookieJar())

    def _socket(self, address_info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, place = address_info
        # The zone of a link-local address (fe80::1%eth0) stands behind a sign of its own.
        address = ip_address(str(place[0]).partition("%")[0])
        if forbidden(address):
            self.denied = str(address)
            raise PermissionError(f"{address} is never asked")
        self.internal = self.internal or is_internal(address)
        return socket.socket(family, kind, protocol)


class Resolver(AbstractResolver):
    """Finds addresses by the system, in a thread that nobody waits for: a resolver may take half a minute to fail."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name; raises OSError where it has none."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[Any]] = loop.create_future()

        def look() -> None:
            try:
                addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
                _tell(loop, future, lambda: future.set_result(addresses))
            except OSError as error:
                _tell(loop, future, lambda error=error: future.set_exception(error))  # type: ignore[misc]

        threading.Thread(target=look, name=f"looking for {host}", daemon=True).start()
        return [_resolved(host, address) for address in await future]

    async def close(self) -> None:
        """Hold nothing."""


def _tell(loop: asyncio.AbstractEventLoop, future: "asyncio.Future[list[Any]]", say: Callable[[], None]) -> None:
    """Say in the loop what a thread has found, unless nobody waits for it any more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: None if future.done() else say())


def _resolved(host: str, address_info: tuple[Any, ...]) -> ResolveResult:
    family, _, protocol, _, place = address_info
    return ResolveResult(
        hostname=host, host=place[0], port=place[1], family=family, proto=protocol, flags=socket.AI_NUMERICHOST
    )


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for an address."""
    if proxy_bypass(host_of(url)):
        return None
    proxies = getproxies()
    return proxies.get(url.partition(":")[0].casefold()) or proxies.get("all")


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
        self._session: aiohttp.ClientSession | None = None

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
                self._address, data=as_json(sent), headers=self._headers, allow_redirects=False, proxy=proxy
            ) as reply:
                body = await _body(reply)
                status, wait = reply.status, reply.headers.get("Retry-After", "")
                moved = self._leads_to(reply.headers.get("Location", "")) if status in REDIRECTS else ""
        except aiohttp.ConnectionTimeoutError as error:
            raise Unreachable(f"no connection within {CONNECT:g} s") from error
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL) as error:
            if denied := self._connections.denied:
                raise Forbidden(f"the name of the base URL leads to {denied}, {NEVER}") from error
            raise Unreachable(_why(error)) from error
        except aiohttp.ClientError as error:
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


def _why(error: aiohttp.ClientConnectorError | aiohttp.InvalidURL) -> str:
    """Return what the system says of a connection that it could not make."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else None
    if cause is None or isinstance(cause, SSLError):
        return str(cause or error)
    return os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror or str(cause)


async def _body(reply: aiohttp.ClientResponse) -> bytes:
    """Return the body of a response; raises NoCompletion for one of more than LARGEST_RESPONSE bytes."""
    body = bytearray()
    async for piece in reply.content.iter_any():
        body += piece
        if len(body) > LARGEST_RESPONSE:
            raise NoCompletion(f"the body has more than {LARGEST_RESPONSE // MB} MB", repr(bytes(body[:60])))
    return bytes(body)
