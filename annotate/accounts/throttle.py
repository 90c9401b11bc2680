"""Patience with nobody who guesses: failures of late, by what they came from."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from db.clock import Clock, now

FAILURES, WITHIN = 5, timedelta(minutes=15)


@dataclass
class Throttle:
    """Failures of late by what they came from, kept in memory: a name or an address may fail so often and no more."""

    clock: Clock = now
    failures: dict[str, deque[datetime]] = field(default_factory=dict)
    turn: Lock = field(default_factory=Lock)

    def attempt(self, sources: tuple[str, ...], check: Callable[[], bool]) -> bool | None:
        """Return what `check` says, None where one of the sources has failed too often to be heard.

        Attempts are heard one at a time, so that many at once are no way around the limit, and no way to fill the
        memory that hashing takes.
        """
        with self.turn:
            self._forget()
            if any(len(self.failures.get(source, ())) >= FAILURES for source in sources):
                return None
            if check():
                return True
            for source in sources:
                self.failures.setdefault(source, deque()).append(self.clock())
            return False

    def _forget(self) -> None:
        """Drop the failures that are long enough ago."""
        for source, moments in list(self.failures.items()):
            while moments and moments[0] <= self.clock() - WITHIN:
                moments.popleft()
            if not moments:
                del self.failures[source]
