"""Faults of a database: what they mean to those who wait for it, and lines in the log when it goes and comes back."""

import errno
import sqlite3
import threading
import time
from typing import Literal

from sqlalchemy import Engine, ExceptionContext, event, exc
from sqlalchemy.exc import DBAPIError, OperationalError

from data.log import LOG, fault_name

Meaning = Literal["full", "away", "busy"]
FAULTS = (DBAPIError, exc.TimeoutError, OSError)
"""What may mean that nothing can be stored or read just now; `meaning` says of one whether it does."""
SENTENCES: dict[Meaning, str] = {
    "full": "the disk is full: nothing is stored until there is room",
    "away": "the database cannot be reached",
    "busy": "the database is busy: a transaction waited too long for others",
}
_SQLITE: dict[int, Meaning] = {sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_BUSY: "busy"}
_SQLITE |= dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR), "away")
_POSTGRES: dict[str, Meaning] = {"53100": "full", "40P01": "busy", "40001": "busy"}
_POSTGRES |= dict.fromkeys(("53300", "57P01", "57P02", "57P03"), "away")


def meaning(error: Exception) -> Meaning | None:
    """Return what a fault means for all who wait, None where it is a fault of something else."""
    if isinstance(error, exc.TimeoutError):
        return "busy"
    if isinstance(error, OSError):
        return "full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else None
    if not isinstance(error, DBAPIError):
        return None
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    state = getattr(error.orig, "sqlstate", "")  # None where PostgreSQL cannot be reached
    unreachable = isinstance(error, OperationalError) and state is None
    return "away" if error.connection_invalidated or unreachable else _POSTGRES.get(state or "")


class Watch:
    """Writes a line when the database of an engine goes away, and another when a connection to it is made again."""

    def __init__(self, engine: Engine) -> None:
        self._lock, self._gone = threading.Lock(), 0.0
        event.listen(engine, "handle_error", self._failed)
        event.listen(engine, "connect", self._connected)

    def _failed(self, met: ExceptionContext) -> None:
        error = met.sqlalchemy_exception or met.original_exception
        if not (met.is_disconnect or (isinstance(error, Exception) and meaning(error) == "away")):
            return
        with self._lock:
            known, self._gone = self._gone, self._gone or time.monotonic()
        if not known:
            LOG.error(SENTENCES["away"], extra={"fault": fault_name(error)})

    def _connected(self, _connection: object, _record: object) -> None:
        with self._lock:
            gone, self._gone = self._gone, 0.0
        if gone:
            LOG.info("the database is reached again", extra={"seconds": round(time.monotonic() - gone, 1)})
