"""What servers share, read from their database when Prometheus asks: leases, replies of models and their cost."""

import threading
from pathlib import Path

from sqlalchemy import bindparam, func, select

from data.metrics import COST, DATABASE_UP, DISK_FREE, LEASES, REPLIES
from db.clock import now
from db.column_types import word
from db.engine import Database, read, reading
from db.faults import FAULTS
from db.health import free_space
from db.run_tables import PREDICTION
from db.tables import ASSIGNMENT

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
