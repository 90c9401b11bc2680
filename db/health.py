"""Whether this server can do its work, and what it has stored as figures for its monitoring."""

import asyncio
import shutil
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import bindparam, func, select

from data.log import LOG
from data.metrics import COST, DATABASE_UP, DISK_FREE, LEASES, REPLIES
from db.clock import now
from db.engine import Database, read, reading
from db.faults import FAULTS
from db.schema import REVISION, REVISIONS
from db.tables import ASSIGNMENT, PREDICTION, word

PATIENCE = 2.0  # seconds a look may take
GOOD_FOR = 1.0  # seconds for which what was found is told again
LEAST_FREE = 64 * 1024**2


class Health:
    """Looks at the database and the disks, at one time only once, however many ask."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database, self._home = database, home
        self._thread = ThreadPoolExecutor(1, "health")
        self._look: Future[str] | None = None
        self._began = 0.0

    async def why_not_ready(self) -> str:
        """Return the sentence that says what is wrong, "" where nothing is."""
        if self._look is None or (self._look.done() and time.monotonic() - self._began > GOOD_FOR):
            self._look, self._began = self._thread.submit(self._checked), time.monotonic()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self._look), PATIENCE)
        except TimeoutError:
            return f"the database has not replied for {PATIENCE:g} seconds"

    def _checked(self) -> str:
        try:
            with reading(self._database) as session:
                revision = read(session, REVISION).scalar()
            free = free_space(self._database, self._home)
        except FAULTS as error:
            LOG.warning("not ready", exc_info=error)
            return "the database or its disk cannot be read; the log says why"
        reason = ""
        if revision != REVISIONS[-1]:
            reason = f"the database is at {revision}, this program needs {REVISIONS[-1]}; run one version everywhere"
        for name in (name for name, size in free.items() if size < LEAST_FREE):
            reason = f"the disk of the {name} has less than {LEAST_FREE // 1024**2:,} MB left; make room"
        if reason:
            LOG.warning("not ready", extra={"reason": reason})
        return reason


def free_space(database: Database, home: Path) -> dict[str, int]:
    """Return the bytes that are free for the home and for the file of the database, if it is one; raises OSError."""
    file = database.url.database if database.dialect.name == "sqlite" else None
    return {name: shutil.disk_usage(path).free for name, path in (("home", home), ("database", file)) if path}


_EXPIRED = (ASSIGNMENT.c.expires_at < bindparam("moment")).label("expired")
_LEASES = select(_EXPIRED, func.count()).where(ASSIGNMENT.c.status == word("held")).group_by(_EXPIRED)
# Replies are many and their texts long: those that were seen the last time are not gone through again.
_REPLIES = (
    select(PREDICTION.c.status, func.count(), func.sum(PREDICTION.c.cost), func.max(PREDICTION.c.id))
    .where(PREDICTION.c.id > bindparam("seen"), PREDICTION.c.request.is_not(None), PREDICTION.c.cached.is_(False))
    .group_by(PREDICTION.c.status)
)


class StoredFigures:
    """The figures of a database, and of the disks that this server writes to."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database, self._home = database, home
        self._lock, self._seen = threading.Lock(), 0

    def look(self) -> None:
        """Set the figures to what they are now; those of a database that cannot be reached stay as they were."""
        try:
            for name, free in free_space(self._database, self._home).items():
                DISK_FREE.labels(name).set(free)
            with self._lock, reading(self._database) as session:
                held = {bool(expired): number for expired, number in read(session, _LEASES, moment=now())}
                replies = read(session, _REPLIES, seen=self._seen).all()
                for status, number, cost, last in replies:
                    REPLIES.labels(status).inc(number)
                    COST.inc(cost or 0)
                    self._seen = max(self._seen, last)
        except FAULTS:
            DATABASE_UP.set(0)
            return
        DATABASE_UP.set(1)
        LEASES.labels("held").set(held.get(False, 0))
        LEASES.labels("expired").set(held.get(True, 0))
