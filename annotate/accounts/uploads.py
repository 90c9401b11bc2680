"""Uploaded files: each belongs to who sent it, there is a limit to their size and number, and they go by age."""

import asyncio
import hashlib
import os
import secrets
import shutil
import stat
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from data.errors import EtalonError
from data.limits import (
    BYTES_IN_ALL,
    BYTES_OF_ONE,
    GB,
    LARGEST_UPLOAD,
    MB,
    UPLOADS_IN_ALL,
    UPLOADS_LAST,
    UPLOADS_OF_ONE,
)

SWEPT_EVERY = 600  # seconds; what Gradio leaves beside the uploads goes after as long
LONGEST_NAME = 180  # bytes of a file's name; file systems end at 255


class NoUploadRoom(EtalonError):
    """An upload that is not taken up."""


@dataclass(frozen=True)
class Upload:
    """One stored file: how large it is and when it was last used, in seconds since 1970."""

    path: Path
    size: int
    used: float

    @property
    def owner(self) -> str:
        """The folder of who sent it."""
        return self.path.parent.parent.name


@dataclass(frozen=True)
class Uploads:
    """The uploads below a folder: `<folder>/<who>/<a random name>/<the file's own name>`."""

    folder: Path
    _coming: dict[str, tuple[str, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def stored(self) -> list[Upload]:
        """Return all uploads, the one that was not used for longest first."""
        files = []
        for path in self.folder.glob("*/*/*"):
            with suppress(OSError):  # swept meanwhile, by another server
                status = path.lstat()
                files.append(Upload(path, status.st_size, status.st_mtime))
        return sorted(files, key=lambda upload: upload.used)

    @contextmanager
    def room(self, who: str, size: int) -> Iterator[None]:
        """Hold room for an upload of so many bytes while it comes in; raises NoUploadRoom.

        Where somebody's own uploads are too many or too large, the oldest of them make room.
        """
        token = secrets.token_urlsafe(8)
        with self._lock:
            self._make_room(folder_of(who), size)
            self._coming[token] = folder_of(who), size
        try:
            yield
        finally:
            with self._lock:
                del self._coming[token]

    def _make_room(self, owner: str, size: int) -> None:
        if size > LARGEST_UPLOAD:
            raise NoUploadRoom(f"this file is too large; one of up to {LARGEST_UPLOAD // MB} MB can be uploaded")
        stored = self.stored()
        coming = [bytes_ for whose, bytes_ in self._coming.values() if whose == owner]
        own = [upload for upload in stored if upload.owner == owner]
        while own and (len(own) + len(coming) >= UPLOADS_OF_ONE or _bytes(own) + sum(coming) + size > BYTES_OF_ONE):
            gone = own.pop(0)
            stored.remove(gone)
            shutil.rmtree(gone.path.parent, ignore_errors=True)
        if len(coming) >= UPLOADS_OF_ONE or sum(coming) + size > BYTES_OF_ONE:
            raise NoUploadRoom("several large files of yours are coming in already; wait until they are there")
        everything = _bytes(stored) + sum(bytes_ for _, bytes_ in self._coming.values()) + size
        if len(stored) + len(self._coming) >= UPLOADS_IN_ALL or everything > BYTES_IN_ALL:
            most = f"{UPLOADS_IN_ALL} files, {BYTES_IN_ALL // GB} GB"
            raise NoUploadRoom(f"there is no room for more uploads on this server ({most}); old ones go within a day")

    def keep(self, who: str, name: str, file: IO[Any]) -> Path:
        """Store an upload and return where; its name is kept as far as a file may be called that."""
        place = self.folder / folder_of(who) / secrets.token_urlsafe(12)
        for folder in (self.folder, place.parent, place):
            private(folder)
        path = place / plain_name(name)
        with path.open("xb") as kept:
            shutil.copyfileobj(file, kept, MB)
        return path

    def own(self, who: str, path: str) -> Path | None:
        """Return the upload at `path`, None unless it is there and is `who`'s. It counts as used now.

        Of a path that cannot be an upload of theirs nothing is looked at, so it does not matter what stands there.
        """
        place = self.folder / folder_of(who)
        token, _, name = path.removeprefix(f"{place}/").partition("/")
        if path != f"{place}/{token}/{name}" or name != plain_name(name) or token != plain_name(token):
            return None
        try:
            inside, status = place.joinpath(token).lstat(), Path(path).lstat()
            if not (stat.S_ISDIR(inside.st_mode) and stat.S_ISREG(status.st_mode)):
                return None
            os.utime(path)
        except OSError:
            return None
        return Path(path)

    def sweep(self) -> None:
        """Remove the uploads that were not used for UPLOADS_LAST, and what Gradio has left beside them."""
        moment = time.time()
        for upload in self.stored():
            if upload.used < moment - UPLOADS_LAST:
                shutil.rmtree(upload.path.parent, ignore_errors=True)
        for path in self.folder.glob("*"):
            with suppress(OSError):
                if not path.is_dir() and path.lstat().st_mtime < moment - SWEPT_EVERY:
                    path.unlink()

    @asynccontextmanager
    async def swept(self, _: Any = None) -> AsyncIterator[None]:
        """Sweep when the server starts, and again and again until it ends."""
        private(self.folder)

        async def sweeping() -> None:
            while True:
                await asyncio.to_thread(self.sweep)
                await asyncio.sleep(SWEPT_EVERY)

        task = asyncio.create_task(sweeping())
        try:
            yield
        finally:
            task.cancel()


def private(folder: Path) -> None:
    """Make a folder that nobody else on the machine can look into, also where it was there already."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != 0o700:
        folder.chmod(0o700)


def folder_of(who: str) -> str:
    """Return the name of somebody's folder: an account's name may hold what a folder's may not."""
    return hashlib.sha256(who.encode()).hexdigest()[:24]


def plain_name(name: str) -> str:
    """Return the last part of a file's name with nothing in it that a path or a page could take for something else."""
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join(sign if sign.isalnum() or sign in "-_. ()" else "_" for sign in last).lstrip(". ")
    stem, dot, ending = plain.rpartition(".")
    kept = (stem or ending).encode()[: LONGEST_NAME - 20].decode(errors="ignore")
    return f"{kept}.{ending[:16]}" if dot and stem else kept or "file"


def _bytes(uploads: list[Upload]) -> int:
    return sum(upload.size for upload in uploads)
