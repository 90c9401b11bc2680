"""Connections to the server of a model that never reach an address where no model is asked."""

import asyncio
import socket
import threading
from collections.abc import Callable
from ipaddress import ip_address
from ssl import PROTOCOL_TLS_CLIENT, SSLContext, create_default_context
from typing import Any
from urllib.request import getproxies, proxy_bypass

from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from baseline.models.hosts import forbidden, host_of, is_internal

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
        self._timeout = ClientTimeout(total=timeout, connect=min(CONNECT, timeout))
        # Reading the list of authorities takes as long as fifty requests, and without TLS on the way none is needed.
        secure = base_url.casefold().startswith("https:") or self.proxy is not None
        self._trusted = create_default_context() if secure else SSLContext(PROTOCOL_TLS_CLIENT)

    def session(self) -> ClientSession:
        """Return a new session, which whoever asked closes."""
        connector = TCPConnector(limit=0, ssl=self._trusted, resolver=Resolver(), socket_factory=self._socket)
        # What a server would like to be told again tells runs apart: nothing of one request is part of another.
        return ClientSession(connector=connector, timeout=self._timeout, cookie_jar=DummyCookieJar())

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
