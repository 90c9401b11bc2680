"""The rate limit of passwords: how often one may be tried, and the lanes in which attempts wait for hashing."""

import asyncio
from asyncio import wrap_future
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from itertools import count
from typing import Any, TypeVar

from annotate.accounts.proxies import network_of
from annotate.accounts.signer import Signer
from data.metrics import REFUSALS
from db.accounts import TooOften, count_attempt, forgive, has_failed
from db.clock import Clock, now
from db.engine import Database, reading, transact

MOST_WAITING = 100  # of more, who has failed most gives up
T = TypeVar("T")


class Crowded(Exception):
    """Too many wait, and most of them have failed less often."""


@dataclass
class Lane:
    """Whoever comes goes before those who failed more often or came earlier: a crowd holds up nobody who comes after.

    One thread hashes, one says who is next, one counts failures: nobody who waits holds a thread that pages need.
    """

    waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    counting: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "counting"))
    calling: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "calling"))
    hashing: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "hashing"))

    async def aside(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, which looks at no password and waits for none."""
        return await wrap_future(self.counting.submit(work))

    async def turn(self, failures: int, work: Callable[[], T]) -> T:
        """Return what `work` returns when the turn of somebody with so many failures has come; raises Crowded."""
        job: Future[T] = Future()
        insort(self.waiting, (failures, -next(self.numbers), job, work))
        if len(self.waiting) > MOST_WAITING:
            self.waiting.pop()[2].set_exception(Crowded())
        else:
            self.calling.submit(self._next)
        return await wrap_future(job)

    def _next(self) -> None:
        """Do the work of who is first, and let them know what came of it."""
        _, _, job, work = self.waiting.pop(0)
        if not job.set_running_or_notify_cancel():
            return
        done = self.hashing.submit(work)
        if error := done.exception():
            job.set_exception(error)
        else:
            job.set_result(done.result())


WITHIN = timedelta(minutes=15)
FAILURES = 5  # of one name from one address, and of one browser that was signed in to it before
FROM_ADDRESS = 20  # of one address, whatever the name
STEP, LONGEST_DELAY = 0.25, 2.0  # seconds by which each failure of a name beyond FAILURES slows the next, and the most
AT_ONCE = 3  # attempts of one address, or of one browser that was signed in before, that wait for their turn


class Attempt(Enum):
    """What became of an attempt to sign in; the password of the last two was not looked at."""

    RIGHT = "right"
    WRONG = "wrong"
    TOO_OFTEN = "too often"
    BUSY = "busy"


@dataclass
class RateLimit:
    """How often somebody may fail, counted in the database for all servers; each `place` counts for itself.

    A name may fail FAILURES times from one address, an address FROM_ADDRESS times in all. Nobody is refused for what
    was tried elsewhere: a name that fails from many addresses is slowed, for all of them, by LONGEST_DELAY at most. A
    browser that was signed in to the name before is counted by itself alone, and waits for nobody else's guesses.

    AT_ONCE attempts of an address may wait. Passwords wait for each other in a lane, that of browsers which were signed
    in before in one of their own; who has failed too often is told so before it.
    """

    database: Database
    signer: Signer
    place: str
    clock: Clock = now
    strangers: Lane = field(default_factory=Lane)
    known: Lane = field(default_factory=Lane)
    waiting: Counter[str] = field(default_factory=Counter)

    async def attempt(self, check: Callable[[], bool], *, name: str, address: str, browser: str = "") -> Attempt:
        """Return what became of an attempt to be `name`; `check` says whether it is right.

        `browser` is the key of one that was signed in to that very name before, "" for a stranger's.
        """
        attempt = await self._judged(check, name, address, browser)
        if attempt is not Attempt.RIGHT:
            REFUSALS.labels(f"{self.place}_{attempt.name.lower()}").inc()
        return attempt

    async def _judged(self, check: Callable[[], bool], name: str, address: str, browser: str) -> Attempt:
        who = f"browser:{browser}" if browser else network_of(address)
        limits: dict[str, int | None] = {f"address:{who}": FROM_ADDRESS, f"pair:{who} {name}": FAILURES}
        limits = {who: FAILURES} if browser else limits | {f"name:{name}": None}
        if self.waiting[who] >= AT_ONCE:
            return Attempt.BUSY
        self.waiting[who] += 1
        try:
            return await self._attempted(self.known if browser else self.strangers, check, limits)
        except Crowded:
            return Attempt.BUSY
        finally:
            self.waiting -= Counter([who])

    async def _attempted(self, lane: Lane, check: Callable[[], bool], limits: dict[str, int | None]) -> Attempt:
        """Count the attempt as failed before anything is tried: many at once are no way around the limits."""
        counted = {self.signer.digest_once("failure", f"{self.place} {what}"): most for what, most in limits.items()}
        failed = await lane.aside(lambda: self._count(counted))
        if failed is None:
            return Attempt.TOO_OFTEN
        free = next((number for source, number in failed.items() if counted[source] is None), 0)
        await asyncio.sleep(min(LONGEST_DELAY, STEP * max(0, free - 1 - FAILURES)))
        if not await lane.turn(next(iter(failed.values())), check):
            return Attempt.WRONG
        await lane.aside(lambda: transact(self.database, lambda session: forgive(session, sources=list(counted))))
        return Attempt.RIGHT

    def _count(self, limits: dict[str, int | None]) -> dict[str, int] | None:
        moment = self.clock()
        until = moment + WITHIN
        with reading(self.database) as session:
            if has_failed(session, limits=limits, moment=moment):
                return None
        try:
            return transact(
                self.database, lambda session: count_attempt(session, limits=limits, moment=moment, until=until)
            )
        except TooOften:
            return None
