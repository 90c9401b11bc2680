"""Requests that never arrive whole: their connection is closed, so that half-sent ones do not pile up (slowloris)."""

from asyncio import BaseTransport, TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

SLOWEST = 64 * 1024  # bytes a second: a body gets the time it takes at this rate beyond that of its headers


def arriving_within(seconds: float) -> type[HttpToolsProtocol]:
    """Return the HTTP protocol for uvicorn that closes connections whose request is not whole in time.

    A new connection, or the first byte of the next request on one, starts the clock: the headers have `seconds`, the
    body as long again and one second more for every SLOWEST bytes that it says it has. A request that arrives in one
    piece costs no timer.
    """

    class Deadline(HttpToolsProtocol):
        arriving = True
        allowed = seconds
        timer: TimerHandle | None = None

        def connection_made(self, transport: BaseTransport) -> None:
            super().connection_made(transport)  # type: ignore[arg-type]
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if not self.arriving:
                self._stop()
            elif self.timer is None and self.parser is not None:
                self._watch()

        def on_message_begin(self) -> None:
            self.arriving, self.allowed = True, seconds
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._stop()
            length = next((value for name, value in self.headers if name == b"content-length"), b"0")
            self.allowed = seconds + (int(length) / SLOWEST if length.isdigit() and len(length) < 16 else 0)
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self.arriving = False
            super().on_message_complete()

        def _watch(self) -> None:
            self.timer = self.loop.call_later(self.allowed, self._late)

        def _stop(self) -> None:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None

        def _late(self) -> None:
            """Close the connection, unless it is we who keep it waiting: an earlier request is still being answered."""
            answering = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
            if answering or self.flow.read_paused:
                self._watch()
            else:
                self.timer = None
                self.transport.close()

    return Deadline
