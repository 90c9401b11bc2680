"""The database: engines of SQLite and PostgreSQL, whose turn it is to write, reading and writing."""

import glob
import itertools
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

import orjson
from sqlalchemy import URL, Connection, CursorResult, Engine, Executable, create_engine, event, insert, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlmodel import SQLModel

from data.errors import BadSetting
from data.metrics import WRITE_WAITS
from db.faults import Watch, meaning
from db.prepared_statements import FetchedRows, failed, prepared
from db.schema import is_newest
from db.tables import table_of

WAIT_FOR_LOCK = 120  # seconds a writer waits for its turn: an imported log is stored in one transaction
IMMEDIATE = {"immediate": True}  # of a connection whose transactions take the writer's lock at their beginning
MIGRATE = "db.migrating:migrate"  # imported when it is needed
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


Database = Engine
Session = Connection
"""A connection in the one transaction for which it is given."""
Rows = CursorResult[*tuple[Any, ...]]
T = TypeVar("T")
PATIENCE = 10.0  # seconds within which a transaction that was in the way of others is tried again
LONGEST_PAUSE = 0.25
DRIVERS = ("sqlite", "postgresql+psycopg")
# The number is ours; all it has to do is to differ from that of db/migrating.py.
_TAKE_TURN, _END_TURN = text("SELECT pg_advisory_lock(7860002)"), text("SELECT pg_advisory_unlock(7860002)")


def open_database(url: str) -> Database:
    """Return an engine on the database at `url`, created and brought up to date first; raises BadSetting."""
    with _told_of(url), ExitStack() as unless_usable:
        engine = _connect(url)
        Watch(engine)
        unless_usable.callback(engine.dispose)
        upgrade(engine)
        unless_usable.pop_all()
    return engine


@contextmanager
def _told_of(url: str) -> Iterator[None]:
    """Say in one sentence what is wrong where a database cannot be opened."""
    try:
        yield
    except (ArgumentError, DBAPIError, OSError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        advice = "check DATABASE_URL, or ETALON_HOME where that is not set"
        raise BadSetting(f"the database {_safe(url)} cannot be opened ({reason}); {advice}") from error


@contextmanager
def as_it_is(url: str) -> Iterator[Connection]:
    """Give a connection to the database at `url`, whatever form its tables have, whose transactions see one picture."""
    with _told_of(url), ExitStack() as ending:
        engine = _connect(url)
        ending.callback(engine.dispose)
        level = "REPEATABLE READ" if engine.dialect.name == "postgresql" else "SERIALIZABLE"
        yield ending.enter_context(engine.connect().execution_options(isolation_level=level))


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """Give the database at `url` for as long as a command runs, and close its connections after it."""
    database = open_database(url)
    try:
        yield database
    finally:
        database.dispose()


@contextmanager
def reading(engine: Database) -> Iterator[Session]:
    """Give a session for reading: one consistent picture, nothing is written."""
    if engine.dialect.name == "postgresql":  # SQLite's transactions see one picture as they are
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as session:
        yield session


@contextmanager
def writing(engine: Database) -> Iterator[Session]:
    """Give a session that writes: all of it is kept on leaving, or none of it if anything fails.

    On SQLite the transaction takes the writer's lock at its beginning: a transaction that read first and then wanted to
    write would be refused ("database is locked") whenever somebody else wrote in between. The threads of this program
    wait for each other before that: SQLite's own waiting looks again after longer and longer pauses, by chance.
    """
    began = time.perf_counter()
    with to_write(engine) as session, session.begin():
        WRITE_WAITS.observe(time.perf_counter() - began)
        yield session


def read(session: Session, statement: Executable, /, **values: object) -> Rows:
    """Return the rows that a statement finds with these values: all that is read is read so."""
    return session.execute(statement, values)


def write(session: Session, statement: Executable, rows: Sequence[Mapping[str, Any]] = (), /, **values: object) -> Rows:
    """Run a statement that changes rows, with these values or for each of `rows`: all that is written is written so.

    What it returns knows how many rows were changed (`rowcount`).
    """
    return session.execute(statement, list(rows) or values)


def add(session: Session, row: SQLModel) -> int:
    """Store a new row and return its key."""
    table = table_of(type(row))
    return int(write(session, insert(table).returning(table.c.id), **row.model_dump(exclude={"id"})).scalar_one())


def execute(session: Session, statement: Executable, **values: object) -> FetchedRows:
    """Read or write on the path of a worker's answer: there a dozen statements are made once and handed to the driver.

    Composing and wrapping them each time would cost several times what the database needs
    (`db/prepared_statements.py`, `make bench`). One that is composed anew for a call would be compiled each time: it is
    for `read` and `write`.
    """
    return prepared(statement, session.dialect, values).run(session, values)


Opens = Callable[[Database], AbstractContextManager[Session]]


class Contended(Exception):
    """What this transaction needs is held by another that will soon be over; it is to be tried again."""


def transact(engine: Database, work: Callable[[Session], T], *, opens: Opens = writing) -> T:
    """Return `work(session)` of one transaction, of one that only reads with `opens=reading`, tried again if need be.

    PostgreSQL ends one of two transactions that wait for each other (40P01, 40001), and all of them when it is
    restarted; nothing was kept, so it is simply done again, with longer and longer pauses and for `PATIENCE` seconds at
    most. What was kept after all, its confirmation lost, must bear to be done twice: so the work is to be made.
    """
    until = time.monotonic() + PATIENCE
    for attempt in itertools.count():
        try:
            with opens(engine) as session:
                return work(session)
        except (Contended, DBAPIError) as error:
            fault = "busy" if isinstance(error, Contended) else meaning(error)
            if time.monotonic() > until or fault not in ("busy", "away"):
                raise
            time.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.005 * 2 ** min(attempt, 10))))
    raise AssertionError("the last attempt either returns or raises")


def upgrade(engine: Database, to: str = "head") -> None:
    """Bring the database to the newest form of the tables, or to the earlier one of a revision; raises BadSetting."""
    with engine.connect() as connection:
        if to == "head" and is_newest(connection):
            return
    if (turn := engine.get_execution_options().get(TURN)) and turn.shut:
        advice = "copy it to where it can be written to; the copy is brought up to date when it is opened"
        raise BadSetting(f"{turn.shut}, and its tables are those of an earlier version; {advice}")
    with engine.connect().execution_options(**IMMEDIATE) as connection, connection.begin():
        resolve_name(MIGRATE)(connection, to)


@contextmanager
def alone(engine: Database) -> Iterator[None]:
    """Let what is inside be done by one program at a time, of all that share a PostgreSQL; others wait.

    SQLite is for one server: there nobody waits.
    """
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect() as connection:
        connection.execute(_TAKE_TURN)
        try:
            yield
        finally:
            connection.rollback()
            connection.execute(_END_TURN)


def _connect(url: str) -> Database:
    parsed, turn = make_url(url), Turn()
    if parsed.drivername not in DRIVERS:
        raise ArgumentError(f"{parsed.drivername} is not {' or '.join(DRIVERS)}")
    if parsed.drivername != "sqlite":
        return create_engine(url, json_deserializer=_from_json, pool_size=20, max_overflow=30, pool_pre_ping=True)
    if parsed.database and parsed.database != ":memory:" and not parsed.database.startswith("file:"):
        path = Path(parsed.database)
        if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            parsed, turn = _unchanging(path), Turn(f"{path} is read-only: only commands that read can do with that")
        else:
            _private(path)
    # The connection used last comes first: whatever another one writes, SQLite forgets all that it had read before.
    ways: dict[str, Any] = {"json_deserializer": _from_json, "pool_size": 20, "max_overflow": 30, "pool_use_lifo": True}
    patient = {"timeout": WAIT_FOR_LOCK}
    engine = create_engine(parsed, connect_args=patient, execution_options={TURN: turn}, **ways)
    event.listen(engine, "connect", _prepare_reader if turn.shut else _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "engine_disposed", turn.disposed)
    return engine


def _from_json(text: str | bytes) -> Any:
    """Return the value of a JSON column in a tenth of Python's time; Python reads what is not quite JSON."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


def _unchanging(path: Path) -> URL:
    """Return the address by which SQLite reads a file beside which it can write nothing.

    It need not look for a log of changes (`-wal`) where there is none; where there is, it is read too.
    """
    log = path.with_name(f"{path.name}-wal")
    alone = {} if log.exists() and log.stat().st_size else {"immutable": "1"}
    return URL.create("sqlite", database=path.resolve().as_uri(), query={"mode": "ro", "uri": "true", **alone})


def _private(path: Path) -> None:
    """Make an SQLite file that its owner alone can read, and let it be so where it was made before.

    The files that SQLite puts beside it (`-wal`, `-shm`) get the same permissions.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    for file in (path, *path.parent.glob(f"{glob.escape(path.name)}-*")):
        # Somebody else's file is theirs to close; what SQLite puts beside goes when the last program leaves.
        with suppress(PermissionError, FileNotFoundError):
            file.chmod(0o600)


def _prepare_reader(connection: Any, _record: object) -> None:
    # The driver must not begin transactions of its own: `_begin_sqlite` does, with the lock it needs.
    connection.isolation_level = None


def _prepare_sqlite(connection: Any, record: object) -> None:
    _prepare_reader(connection, record)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate", False)
    # By the driver itself: what SQLAlchemy puts around a statement costs ten times what this one does.
    begin, driver = "BEGIN IMMEDIATE" if immediate else "BEGIN", connection.connection.dbapi_connection
    try:
        driver.execute(begin)  # type: ignore[union-attr]
    except connection.dialect.loaded_dbapi.Error as error:
        raise failed(error, begin, connection) from error


def _safe(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "of that address"  # it may hold a password, at a place that cannot be told
