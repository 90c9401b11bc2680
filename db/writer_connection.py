"""The connection for writing: on SQLite, where only one writes at a time, writers take turns over it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from data.errors import BadSetting

WAIT_FOR_LOCK = 120  # seconds a writer waits for its turn: an imported log is stored in one transaction
IMMEDIATE = {"immediate": True}  # of a connection whose transactions take the writer's lock at their beginning
TURN = "turn"  # where the engine of an SQLite database keeps the turn of its writers


class Turn:
    """The turn of the writers on an SQLite database: who has it writes, over a connection that all of them share.

    Only one of them can write at a time. Another connection would forget all that it had read whenever this one has
    written, and to fetch one costs as much as several statements.
    """

    def __init__(self, shut: str = "") -> None:
        self.shut = shut  # why nobody can write
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    @contextmanager
    def taken(self, engine: Engine) -> Iterator[Connection]:
        """Wait for the turn and give the connection; raises BadSetting where it does not come."""
        if self.shut:
            raise BadSetting(f"{self.shut}; copy it to where it can be written to")
        if not self._lock.acquire(timeout=WAIT_FOR_LOCK):
            raise BadSetting(f"somebody else has written to the database for {WAIT_FOR_LOCK} seconds; try again later")
        connection = self._connection
        try:
            if connection is None:
                connection = self._connection = engine.connect().execution_options(**IMMEDIATE)
            yield connection
        finally:
            if connection is None or connection.in_transaction():
                self._end()  # what was begun could not be ended
            self._lock.release()

    def disposed(self, _engine: Engine) -> None:
        """Close the connection when whoever is writing is done."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            if not connection.invalidated:
                connection.detach()  # else it would stay open in a pool
            connection.close()


@contextmanager
def to_write(engine: Engine) -> Iterator[Connection]:
    """Give a connection to write over, as soon as it is this writer's turn where the database knows such turns."""
    turn: Turn | None = engine.get_execution_options().get(TURN)
    if turn is not None:
        with turn.taken(engine) as connection:
            yield connection
        return
    with engine.connect() as connection:
        connection.execution_options(**IMMEDIATE)
        yield connection
