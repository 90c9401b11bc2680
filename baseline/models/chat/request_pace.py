"""How many requests a server is sent at once: more while it answers, fewer when it says that they are too many."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from baseline.models.model import Stopped

START = 50
MOST = 256
LOWERED = 0.7
AT_A_TIME = 0.2  # seconds: the longest that somebody who waits does not hear of being halted


class RequestPace:
    """Additive increase, multiplicative decrease, as TCP finds its rate (Chiu and Jain, 1989).

    `limit` is how many requests may be under way. Each good reply adds one until the server is first heard to refuse,
    from then on a whole round of good replies adds one; it grows only while it is used up. A refusal lowers it to
    `LOWERED` of what was under way, once for all the requests that were sent before it was lowered.
    """

    def __init__(self, start: int = START, most: int = MOST) -> None:
        self.limit = float(start)
        self.under_way = 0
        self.halted = False
        self._most, self._finding = most, True
        self._lowered = self._held = 0.0
        self._queue: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[float]:
        """Wait for a place, and hold it for one request; gives the moment at which it was had."""
        await self._enter()
        try:
            yield time.monotonic()
        finally:
            self.under_way -= 1
            self._wake()

    def went_well(self) -> None:
        """Take note of a good reply; called within its turn."""
        # Replies that come together leave together: then the queue tells that more places would be used.
        if self._queue or self.under_way >= int(self.limit):
            self.limit = min(self._most, self.limit + (1 if self._finding else 1 / self.limit))
            self._wake()

    def refused(self, since: float, *, wait: float) -> None:
        """Take note that a request sent at the moment `since` was one too many; nothing is sent for `wait` seconds."""
        moment = time.monotonic()
        self._held = max(self._held, moment + wait)
        if since >= self._lowered:
            self.limit = max(1.0, min(self.limit, self.under_way) * LOWERED)
            self._lowered, self._finding = moment, False

    def halt(self) -> None:
        """Let nobody in any more: whoever waits for a place, or in `rest`, is Stopped."""
        self.halted = True
        self._call(len(self._queue))

    async def rest(self, seconds: float) -> None:
        """Wait for so long; raises Stopped where that is halted."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check()
            await asyncio.sleep(min(left, AT_A_TIME))
        self._check()

    def _check(self) -> None:
        if self.halted:
            raise Stopped("the run was stopped; what was answered is kept")

    async def _enter(self) -> None:
        while True:
            self._check()
            if (wait := self._held - time.monotonic()) > 0:
                await self.rest(wait)
            elif self.under_way < int(self.limit):
                self.under_way += 1
                return
            else:
                await self._in_line()

    async def _in_line(self) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            # The place it was called to, if it was, is free for somebody else.
            self._wake()
            raise

    def _wake(self) -> None:
        self._call(min(len(self._queue), int(self.limit) - self.under_way))

    def _call(self, number: int) -> None:
        """Call so many of those who wait to their turn."""
        for _ in range(number):
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
