"""Patience with nobody who guesses: failures of late, by what they came from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock

from db.clock import Clock, now
from db.engine import Database, reading, writing
from db.failures import add_failure, most_failures

FAILURES, WITHIN = 5, timedelta(minutes=15)


@dataclass
class Throttle:
    """Failures of late by what they came from, kept in the database: a name or an address may fail so often, no more.

    `place`: where they fail; each place counts for itself, but on all servers together.
    """

    database: Database
    place: str
    clock: Clock = now
    turn: Lock = field(default_factory=Lock)

    def attempt(self, sources: tuple[str, ...], check: Callable[[], bool]) -> bool | None:
        """Return what `check` says, None where one of the sources has failed too often to be heard.

        Attempts are heard one at a time on a server, so that many at once are no way around the limit, and no way to
        fill the memory that hashing takes.
        """
        counted = [f"{self.place} {source}" for source in sources]
        with self.turn:
            since = self.clock() - WITHIN
            with reading(self.database) as session:
                failed = most_failures(session, sources=counted, since=since)
            if failed >= FAILURES:
                return None
            if check():
                return True
            with writing(self.database) as session:
                add_failure(session, sources=counted, moment=self.clock(), since=since)
            return False
