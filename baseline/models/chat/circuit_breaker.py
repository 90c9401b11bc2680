"""The circuit breaker of a run: whether its server answers at all, and whether it takes the key."""

import time
from collections import Counter
from collections.abc import Callable

from baseline.models.chat.request_failures import Failure
from baseline.models.model import Stopped

FIRST_LOOKS = 3
FIRST_WAIT = 2.0
"""Where nobody has ever answered, so many attempts or so many seconds are enough: the address is wrong."""
FORBIDDEN = 3
"""So many first answers 403 say that the key may do nothing here; a single one may be of that question alone.

So many that name the same field of the request say that no question will be answered with it.
"""
MALFORMED = 50
"""So many first requests that are refused as such, none for its length, say that all will be, whatever is named."""


class CircuitBreaker:
    """Decides when a failure is that of the whole run: then no other question would be answered either.

    Until the server has replied, a key or a connection that is refused speaks for the run. Later the same is tried
    again like any failure that passes; it ends the run where a question has used up its attempts and nobody was
    answered between its last two, which are the longest apart: what was under way when the server went may still have
    been answered after the first.
    """

    def __init__(self, host: str, option: Callable[[str], str]) -> None:
        self._host, self._option = host, option
        self.forget()

    def forget(self) -> None:
        """Begin anew, as another run does."""
        self._began = self._last_reply = self._answered = 0.0
        self._denied = self._malformed = 0
        self._named: Counter[str] = Counter()

    @property
    def accepted(self) -> bool:
        """Whether the server has replied to a request with this key."""
        return self._answered > 0

    def sending(self) -> None:
        """Take note that a question is about to be sent."""
        self._began = self._began or time.monotonic()

    def answered(self) -> None:
        """Take note of a reply."""
        self._answered = self._last_reply = time.monotonic()

    def failed(self, met: Failure, reason: str) -> None:
        """Take note of a failure; raises Stopped where the first answers say that all will fail alike."""
        if not met.silent:
            self._last_reply = time.monotonic()
        if self.accepted:
            return
        if met.moved:
            raise Stopped(self._redirected(reason))
        self._denied += met.kind == "denied"
        if met.key or self._denied >= FORBIDDEN:
            raise Stopped(f"the server does not accept the key ({reason}); check the API key and what it may do there")
        self._named.update([met.named] if met.named else ())
        if self._named[met.named] >= FORBIDDEN:
            option = self._option(met.named)
            raise Stopped(f"the server does not take {met.named} as it is sent ({reason}); change {option}")
        self._malformed += met.kind == "final" and met.form and not met.long
        if self._malformed >= MALFORMED:
            raise Stopped(
                f"the first {MALFORMED} requests are all refused ({reason}); change what the server does not take, "
                "as a parameter (--param)"
            )

    def enough(self, met: Failure, failed: int) -> bool:
        """Return whether a connection that nobody ever took has been tried often enough."""
        if not met.gone or self._last_reply:
            return False
        return failed >= FIRST_LOOKS or time.monotonic() - self._began >= FIRST_WAIT

    def _redirected(self, reason: str) -> str:
        return (
            f"{self._host} answers with a redirect ({reason}), and none is followed; give the base URL of the server "
            "itself"
        )

    def given_up(self, met: Failure, reason: str, since: float) -> None:
        """Take note of a question that has failed for the last time, and at `since` before it; may raise Stopped."""
        if met.gone and self._last_reply < since:
            more = " any more" if self._last_reply else ""
            raise Stopped(
                f"nobody answers{more} at {self._host} ({reason}); check that the server runs and the base URL, then "
                "go on with this run"
            )
        if met.moved and self._answered < since:
            raise Stopped(self._redirected(reason))
        if met.key and self._answered < since:
            raise Stopped(f"the server does not accept the key any more ({reason}); check it, then go on with this run")
