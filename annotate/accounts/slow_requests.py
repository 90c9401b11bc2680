"""Requests that do not arrive whole in time, or whose headers have no end: their connection is closed."""

from asyncio import BaseTransport, TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from data.limits import LARGEST_HEADERS, MOST_HEADERS

PIECE = 4096  # bytes that are parsed at once, which is how exactly what is not a whole header yet is counted
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
SLOWEST = 64 * 1024  # bytes a second: a body gets the time it takes at this rate beyond that of its headers


class TooLarge(Exception):
    """Headers beyond LARGEST_HEADERS or MOST_HEADERS: raised while they are parsed, which ends there."""


class Deadline(HttpToolsProtocol):
    """The HTTP protocol of uvicorn with a time within which every request has to be whole, and an end of its headers.

    A new connection, or the first byte of the next request on one, starts the clock: the headers have `seconds`, the
    body as long again and one second more for every SLOWEST bytes that it says it has. A request that arrives in one
    piece costs no timer.

    `header_bytes` are those of the address and of whole headers, trailers among them; `unread` are those since the last
    byte of a body: of a header that has not ended, and of what surrounds the chunks of a body.
    """

    seconds = 20.0
    arriving = True
    allowed = seconds
    timer: TimerHandle | None = None
    header_bytes = unread = 0

    @property
    def too_large(self) -> bool:
        """Whether the headers are beyond what a request may have."""
        return max(self.header_bytes, self.unread) > LARGEST_HEADERS or len(self.headers or ()) > MOST_HEADERS

    def connection_made(self, transport: BaseTransport) -> None:
        """Start the clock with the connection."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.allowed = self.seconds
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; stop the clock where the request is whole, start it where another one has begun."""
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self.unread += len(piece)
            super().data_received(piece)
            if self.too_large and not self.transport.is_closing():
                self.send_400_response("")
            if self.transport.is_closing():
                return
        if not self.arriving:
            self._stop()
        elif self.timer is None and self.parser is not None:
            self._watch()

    def on_message_begin(self) -> None:
        """Give the headers their time."""
        self.arriving, self.allowed = True, self.seconds
        self.header_bytes = self.unread = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, or a trailer of a body in chunks."""
        super().on_header(name, value)
        self._count(len(name) + len(value) + len(": \r\n"))

    def on_headers_complete(self) -> None:
        """Give the body its own."""
        self._stop()
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self.allowed = self.seconds + (int(length) / SLOWEST if length.isdigit() and len(length) < 16 else 0)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Note that what was read since the last byte of a body, or since the beginning, was no endless header."""
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self.arriving = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Say what was wrong with a request, unless another is being answered, and close the connection."""
        if not self.too_large:
            super().send_400_response(msg)
        elif self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_LARGE)
        self.transport.close()

    def _count(self, more: int) -> None:
        self.header_bytes += more
        if self.too_large:
            raise TooLarge

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


def arriving_within(seconds: float) -> type[Deadline]:
    """Return that protocol with this many seconds for the headers, and as many more for the body, for uvicorn."""
    return type("Deadline", (Deadline,), {"seconds": seconds})
