"""A copy of a database that nothing can be written to or beside: what only reads works on it, the rest says why not."""

import ctypes
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotate.accounts.signer import Signer
from annotate.demo_studies import create_demos
from annotate.worker.service import Service
from db.engine import opened
from tests.helpers.processes import Ended, command, ended

VERSION_3 = 0x20080522


def held_by_permissions(*words: str) -> None:
    """Run a command for which permissions hold: root gives up what opens every file to it."""
    ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)())
    command(*words)


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the demo studies."""
    path = tmp_path_factory.mktemp("demos") / "etalon.db"
    with opened(f"sqlite:///{path}") as database:
        create_demos(Service(database, Signer("a secret for tests")))
    return path


@pytest.fixture
def copy(demos: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it in a folder in which everybody may read and nobody may write."""
    path = tmp_path / "mounted" / "kept copy.db"
    path.parent.mkdir()
    shutil.copy(demos, path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


def asked(copy: Path, tmp_path: Path, *words: str) -> Ended:
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{copy}"}
    return ended(held_by_permissions, *words, printed=tmp_path / "printed.txt", environment=environment)


@pytest.mark.parametrize(
    "words",
    [("human", "demo-parus"), ("results", "demo-parus"), ("events", "demo-parus"), ("runs", "demo-parus")],
    ids=lambda words: words[0],
)
def test_commands_that_only_read_work_on_a_read_only_copy(words: tuple[str, ...], copy: Path, tmp_path: Path) -> None:
    result = asked(copy, tmp_path, *words, "--json")
    assert (result.code, result.printed[0]) == (0, "{"), result.printed
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_an_export_of_a_read_only_copy_goes_where_it_is_told(copy: Path, tmp_path: Path) -> None:
    to = tmp_path / "judgments.csv"
    result = asked(copy, tmp_path, "export", "demo-parus", "--what", "judgments", "--to", str(to))
    assert (result.code, to.exists()) == (0, True), result.printed


@pytest.mark.parametrize(
    "words", [("delete-study", "demo-parus"), ("run", "demo-parus", "--model", "random")], ids=lambda words: words[0]
)
def test_what_writes_says_that_a_copy_is_read_only(words: tuple[str, ...], copy: Path, tmp_path: Path) -> None:
    result = asked(copy, tmp_path, *words)
    assert result.code == 2
    assert result.printed.splitlines()[-1].startswith(f"{copy} is read-only"), result.printed
    assert "Traceback" not in result.printed


def test_a_read_only_copy_of_an_earlier_version_says_so(copy: Path, tmp_path: Path) -> None:
    copy.chmod(0o644)
    with sqlite3.connect(copy) as earlier:
        earlier.execute("UPDATE alembic_version SET version_num = '0001'")
    earlier.close()
    copy.chmod(0o444)
    result = asked(copy, tmp_path, "human", "demo-parus")
    assert result.code == 2
    assert len(result.printed.splitlines()) == 1, result.printed
    assert "read-only" in result.printed
    assert "its tables are those of an earlier version; copy it" in result.printed
