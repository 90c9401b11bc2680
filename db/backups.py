"""Copies of the whole database, made while people answer, and put back: by SQLite itself, or pg_dump and pg_restore."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, make_url, text

from data.errors import BadSetting
from db.engine import as_it_is

NAMES = {"sqlite": "etalon.db", "postgresql": "etalon.dump"}
STOP_SERVERS = "other programs use the database; stop the servers, and restore again"
_OTHERS = text(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


def copy_database(url: str, folder: Path) -> dict[str, int]:
    """Write a copy of the database into a folder; return how many rows each table had at that moment."""
    with as_it_is(url) as source:
        path = folder / NAMES[source.dialect.name]
        rows = count_rows(source)  # what the transaction sees from here on is what is copied
        if not rows:
            raise BadSetting("nothing was made in this database yet, so there is nothing to back up; check ETALON_HOME")
        if source.dialect.name == "postgresql":
            snapshot = source.execute(text("SELECT pg_export_snapshot()")).scalar()
            _run("pg_dump", url, "--format=custom", f"--snapshot={snapshot}", f"--file={path}", "--dbname")
        else:
            with closing(sqlite3.connect(path)) as copy:
                _driver(source).backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    return rows


def check_copy(folder: Path, rows: Mapping[str, int]) -> None:
    """Raise BadSetting where a copy cannot be read to its end, or has not so many rows."""
    sqlite, dump = (folder / NAMES[kind] for kind in ("sqlite", "postgresql"))
    if dump.exists():
        _run("pg_restore", "", "--file=/dev/null", str(dump))
        return
    with closing(sqlite3.connect(f"file:{sqlite}?mode=ro", uri=True)) as copy:
        try:
            state = copy.execute("PRAGMA integrity_check").fetchone()[0]
            here = {table: copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in rows}
        except sqlite3.DatabaseError as error:
            state, here = str(error), {}
    if state != "ok" or here != dict(rows):
        raise BadSetting(f"the copy of the database is damaged ({state}); take another backup")


def refuse_to_overwrite(url: str, folder: Path, *, force: bool) -> None:
    """Raise BadSetting where the database is of the other kind, is in use, or has studies and nobody said `force`."""
    with as_it_is(url) as target:
        name, tables = NAMES[target.dialect.name], inspect(target).get_table_names()
        if not (folder / name).exists():
            raise BadSetting(f"the backup has no {name}, which this database needs; check DATABASE_URL")
        studies = target.execute(text("SELECT count(*) FROM study")).scalar() if "study" in tables else 0
        if studies and not force:
            raise BadSetting(f"the database has studies ({studies}) that would be lost; add --force to overwrite it")
        if target.dialect.name == "postgresql" and target.execute(_OTHERS).first():
            raise BadSetting(STOP_SERVERS)


def put_back(url: str, folder: Path, rows: Mapping[str, int]) -> None:
    """Overwrite the database with a copy; raises BadSetting, also where not every row came back."""
    with as_it_is(url) as target:
        if target.dialect.name == "sqlite":
            driver = _driver(target)
            try:
                driver.execute("PRAGMA busy_timeout = 1000")
                driver.execute("PRAGMA journal_mode=DELETE")  # which SQLite does only for who is alone
            except sqlite3.OperationalError as error:
                raise BadSetting(STOP_SERVERS) from error
            with closing(sqlite3.connect(folder / NAMES["sqlite"])) as copy:
                copy.backup(driver)
    if (dump := folder / NAMES["postgresql"]).exists():
        options = ("--clean", "--if-exists", "--no-owner", "--single-transaction", str(dump), "--dbname")
        _run("pg_restore", url, *options)
    with as_it_is(url) as target:
        if {table: number for table, number in count_rows(target).items() if table in rows} != dict(rows):
            raise BadSetting("not every row of the backup is there; restore again, and tell the maintainers")


def count_rows(connection: Connection) -> dict[str, int]:
    """Return how many rows every table has."""
    tables = sorted(inspect(connection).get_table_names())
    return {table: connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one() for table in tables}


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _run(program: str, url: str, *words: str) -> None:
    """Run a program of PostgreSQL on the database at `url`, if there is one; raises BadSetting with what it says."""
    if shutil.which(program) is None:
        raise BadSetting(f"{program} is not on the PATH; install PostgreSQL's client programs of the server's version")
    parsed, password = (make_url(url), make_url(url).password) if url else (None, None)
    where = parsed.set(drivername="postgresql", password=None).render_as_string(False) if parsed else None
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}  # where `ps` does not show it
    done = subprocess.run(
        [program, *words, *([where] if where else [])], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BadSetting(f"{program} failed: {done.stderr.strip()[-300:]}")
