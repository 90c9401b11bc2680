"""Files computed for requests: in threads of their own, two at once, one for each account, the same one once."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from shlex import quote

from data.errors import EtalonError
from data.table_files import Download
from db.engine import Database
from db.events import add_download
from db.export_request import FileRequest

AT_ONCE = 2
SECONDS = 50.0
"""How long a file is waited for: a proxy gives up after 60 unless it is told otherwise."""
KEPT, LARGEST_KEPT = 16, 8 * 2**20
"""Files that are kept until their study changes, and the bytes that one may have."""


class NotInTime(EtalonError):
    """A file that was not ready in the time that somebody waits for it."""


@dataclass(frozen=True)
class ComputedFiles:
    """The files that are being computed, and those of results last asked for, kept until their study changes.

    They never take the threads in which sign-in, pages and workers are served. Who asks for a file that is being
    computed waits for the same one; a second file of an account waits for the first. What nobody waits for any more is
    not begun.
    """

    database: Database
    seconds: float = SECONDS
    _tasks: dict[Hashable, asyncio.Task[Download]] = field(default_factory=dict)
    _until: dict[Hashable, float] = field(default_factory=dict)
    _one_each: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def get(self, asked: FileRequest, account: str) -> Download:
        """Return the file that an account asks for, with an event; raises NotInTime, EtalonError."""
        key = await asyncio.to_thread(asked.key, self.database)
        task = self._tasks.pop(key, None) or asyncio.create_task(self._compute(key, asked, account))
        self._tasks[key] = task  # the last one asked for stands last
        if not task.done():
            self._until[key] = time.monotonic() + self.seconds
            await asyncio.wait([task], timeout=self.seconds)
        if not task.done():
            raise self._late(asked)
        made = task.result()
        await asyncio.to_thread(add_download, self.database, study=asked.study, file=made.name, who=account)
        return made

    async def _compute(self, key: Hashable, asked: FileRequest, account: str) -> Download:
        try:
            async with self._one_each[account], self._places:
                if time.monotonic() > self._until[key]:
                    raise asyncio.CancelledError  # everybody was told that it is late
                made = await asyncio.to_thread(asked.made, self.database)
        except BaseException:
            self._tasks.pop(key)
            raise
        finally:
            self._until.pop(key)
        if not asked.exports[asked.what].for_viewers or len(made.content) > LARGEST_KEPT:
            self._tasks.pop(key)
        for oldest in [each for each, task in self._tasks.items() if task.done()][:-KEPT]:
            self._tasks.pop(oldest)
        return made

    def _late(self, asked: FileRequest) -> NotInTime:
        name = f"{asked.what}.{asked.form}"
        return NotInTime(
            f"{name} of {asked.study!r} is not ready after {self.seconds:g} seconds: it takes long, or others come "
            "first (two files are made at once, one for each account). Try again in a few minutes, or run on the "
            f"server: python app.py export {quote(asked.study)} --what {asked.what} --to {name}"
        )
