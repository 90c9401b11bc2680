"""Whether this server can do its work: the database is there and in our form, and there is room on the disk."""

import asyncio
import shutil
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from alembic.script import ScriptDirectory
from sqlalchemy import text

from data.log import LOG
from db.engine import Database, read, reading
from db.faults import FAULTS
from db.schema import MIGRATIONS

PATIENCE = 2.0  # seconds a look may take
GOOD_FOR = 1.0  # seconds for which what was found is told again
LEAST_FREE = 64 * 1024**2
_REVISION = text("SELECT version_num FROM alembic_version")


class Health:
    """Looks at the database and the disks, at one time only once, however many ask."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database, self._home = database, home
        self._head = ScriptDirectory(str(MIGRATIONS)).get_current_head()
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
                revision = read(session, _REVISION).scalar()
            free = free_space(self._database, self._home)
        except FAULTS as error:
            LOG.warning("not ready", exc_info=error)
            return "the database or its disk cannot be read; the log says why"
        reason = ""
        if revision != self._head:
            reason = f"the database is at {revision}, this program needs {self._head}; run one version everywhere"
        for name in (name for name, size in free.items() if size < LEAST_FREE):
            reason = f"the disk of the {name} has less than {LEAST_FREE // 1024**2:,} MB left; make room"
        if reason:
            LOG.warning("not ready", extra={"reason": reason})
        return reason


def free_space(database: Database, home: Path) -> dict[str, int]:
    """Return the bytes that are free for the home and for the file of the database, if it is one; raises OSError."""
    file = database.url.database if database.dialect.name == "sqlite" else None
    return {name: shutil.disk_usage(path).free for name, path in (("home", home), ("database", file)) if path}
