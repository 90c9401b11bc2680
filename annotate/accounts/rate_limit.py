"""The rate limit of signing in: wrong passwords of the last minutes, counted by name, address and browser."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import TypeVar

from annotate.accounts.proxies import network_of
from annotate.accounts.signer import Signer
from data.metrics import REFUSALS
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact
from db.sign_in_failures import TooOften, count_attempt, forgive, has_failed

WITHIN = timedelta(minutes=15)
FAILURES = 5  # of one name from one address, and of one browser that was signed in to it before
FROM_ADDRESS = 20  # of one address, whatever the name
STEP, LONGEST_DELAY = 0.25, 3.0  # seconds by which each failure of a name beyond FAILURES slows the next, and the most
MOST_WAITING = 50  # attempts of strangers that wait for their turn
T = TypeVar("T")


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

    Passwords are hashed one at a time, which bounds the memory that takes; who waits for it holds no thread that other
    pages need.
    """

    database: Database
    signer: Signer
    place: str
    clock: Clock = now
    strangers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "strangers"))
    known: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "known"))
    waiting: int = 0

    async def attempt(self, check: Callable[[], bool], *, name: str, address: str, browser: str = "") -> Attempt:
        """Return what became of an attempt to be `name`; `check` says whether it is right.

        `browser` is the key of one that was signed in to that very name before, "" for a stranger's.
        """
        attempt = await self._judged(check, name, address, browser)
        if attempt is not Attempt.RIGHT:
            REFUSALS.labels(f"{self.place}_{attempt.name.lower()}").inc()
        return attempt

    async def _judged(self, check: Callable[[], bool], name: str, address: str, browser: str) -> Attempt:
        if browser:
            return await self._attempted(self.known, check, {f"browser:{browser}": FAILURES})
        if self.waiting >= MOST_WAITING:
            return Attempt.BUSY
        house = network_of(address)
        limits = {f"pair:{house} {name}": FAILURES, f"address:{house}": FROM_ADDRESS, f"name:{name}": None}
        return await self._attempted(self.strangers, check, limits)

    async def _attempted(
        self, lane: ThreadPoolExecutor, check: Callable[[], bool], limits: dict[str, int | None]
    ) -> Attempt:
        """Count the attempt as failed before anything is tried: many at once are no way around the limits."""
        counted = {self.signer.digest_once("failure", f"{self.place} {what}"): most for what, most in limits.items()}
        failed = await self._turn(lane, lambda: self._count(counted))
        if failed is None:
            return Attempt.TOO_OFTEN
        free = next((number for source, number in failed.items() if counted[source] is None), 0)
        await asyncio.sleep(min(LONGEST_DELAY, STEP * max(0, free - 1 - FAILURES)))
        if not await self._turn(lane, check):
            return Attempt.WRONG
        await self._turn(lane, lambda: self._write(lambda session: forgive(session, sources=list(counted))))
        return Attempt.RIGHT

    async def _turn(self, lane: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """Return what `work` returns when its turn has come; strangers who wait for theirs are counted."""
        self.waiting += lane is self.strangers
        try:
            return await asyncio.get_running_loop().run_in_executor(lane, work)
        finally:
            self.waiting -= lane is self.strangers

    def _count(self, limits: dict[str, int | None]) -> dict[str, int] | None:
        moment = self.clock()
        until = moment + WITHIN
        with reading(self.database) as session:
            if has_failed(session, limits=limits, moment=moment):
                return None
        try:
            return self._write(lambda session: count_attempt(session, limits=limits, moment=moment, until=until))
        except TooOften:
            return None

    def _write(self, work: Callable[[Session], T]) -> T:
        return transact(self.database, work)
