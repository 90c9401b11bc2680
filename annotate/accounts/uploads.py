"""Uploaded files: each belongs to who sent it; the gate before Gradio's events lets only one's own through."""

import hashlib
import json
import os
import secrets
import shutil
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotate.accounts.login import FOUND
from data.errors import EtalonError
from data.limits import (
    BYTES_IN_ALL,
    BYTES_OF_ONE,
    DEEPEST_EVENT,
    GB,
    KB,
    LARGEST_UPLOAD,
    MB,
    UPLOADS_IN_ALL,
    UPLOADS_LAST,
    UPLOADS_OF_ONE,
)

LEFT_FOR = 600  # seconds after which goes what Gradio leaves beside the uploads
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

    def sweep(self, _: object, moment: datetime) -> None:
        """Remove the uploads that were not used for UPLOADS_LAST, and what Gradio has left beside them."""
        for upload in self.stored():
            if upload.used < moment.timestamp() - UPLOADS_LAST:
                shutil.rmtree(upload.path.parent, ignore_errors=True)
        for path in self.folder.glob("*"):
            with suppress(OSError):
                if not path.is_dir() and path.lstat().st_mtime < moment.timestamp() - LEFT_FOR:
                    path.unlink()


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


API = "/gradio_api/"
EVENTS = ("run/predict", "queue/join")
NOT_YOURS = "This file is not among your uploads any more; choose it again"
NO_EVENT = "This is no event of a page; load the page again"
DONE = 'data: {"msg": "done"}\n\n'  # how far an upload is, we do not tell; the page waits for its end


@dataclass(frozen=True)
class UploadGate:
    """ASGI middleware within the guard, which has found whose a request is.

    Gradio reads, copies and hashes whatever path an event names, devices included, and downloads whatever address. Here
    every file that an event names is an upload of the account that asks, or the event goes no further; which it is not,
    nobody is told. What goes on is what we know of the upload, whatever else the browser wrote beside its path.
    """

    app: ASGIApp
    uploads: Uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take up an upload, check an event, and hand on everything else."""
        account = scope.get(FOUND)
        asked = scope["path"].partition(API)[2] if account and scope["method"] in ("GET", "POST") else ""
        if account is None or not asked:
            await self.app(scope, receive, send)
        elif asked == "upload":
            await (await self._taken(Request(scope, receive), account.name))(scope, receive, send)
        elif asked == "upload_progress":
            await PlainTextResponse(DONE, media_type="text/event-stream")(scope, receive, send)
        elif asked in EVENTS:
            await self._event(scope, receive, send, account.name)
        else:
            await self.app(scope, receive, send)

    async def _taken(self, request: Request, who: str) -> Response:
        """Store the one file of a form, and answer as Gradio does: with the list of the paths."""
        length = request.headers.get("content-length", "")
        if not length.isdecimal():
            return PlainTextResponse("say how long it is", HTTPStatus.LENGTH_REQUIRED)
        try:
            with self.uploads.room(who, int(length)):
                async with request.form(max_files=1, max_fields=4, max_part_size=KB) as form:
                    file = form.get("files")
                    if not isinstance(file, UploadFile):
                        return PlainTextResponse("there is no file in this form", HTTPStatus.BAD_REQUEST)
                    path = await run_in_threadpool(self.uploads.keep, who, file.filename or "", file.file)
        except NoUploadRoom as error:
            return PlainTextResponse(str(error), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except (MultiPartException, HTTPException):
            return PlainTextResponse("this is no form with one file in it", HTTPStatus.BAD_REQUEST)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # nobody is there to read it
        return JSONResponse([str(path)])

    async def _event(self, scope: Scope, receive: Receive, send: Send, who: str) -> None:
        try:
            body = await Request(scope, receive).body()
            sound = await run_in_threadpool(self._sound, body, who) if len(body) > KB else self._sound(body, who)
        except ClientDisconnect:
            return
        except NoEvent as error:
            refusal = {"error": str(error), "detail": str(error)}
            await JSONResponse(refusal, HTTPStatus.UNPROCESSABLE_ENTITY)(scope, receive, send)
            return
        pieces = iter([sound])

        async def replayed() -> Message:
            for piece in pieces:
                return {"type": "http.request", "body": piece, "more_body": False}
            return await receive()

        headers = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
        length = (b"content-length", str(len(sound)).encode())
        await self.app({**scope, "headers": [*headers, length]}, replayed, send)

    def _sound(self, body: bytes, who: str) -> bytes:
        """Return the body of an event with nothing but own uploads in it; raises NoEvent."""
        try:
            event = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise NoEvent(NO_EVENT) from error
        changed = False
        level: list[Any] = [[event]]
        for _ in range(DEEPEST_EVENT):
            level = [inner for part in level for inner in _inside(part)]
            for part in level:
                if isinstance(part, dict) and "path" in part:
                    changed = True
                    self._settle(part, who)
            if not level:
                return json.dumps(event).encode() if changed else body
        raise NoEvent(NO_EVENT)

    def _settle(self, named: dict[str, Any], who: str) -> None:
        """Turn what an event says of a file into what we know of it; raises NoEvent where it is none of theirs."""
        path = named["path"]
        upload = self.uploads.own(who, path) if isinstance(path, str) else None
        if upload is None:
            raise NoEvent(NOT_YOURS)
        named.clear()
        named |= {"path": str(upload), "orig_name": upload.name, "meta": {"_type": "gradio.FileData"}}


class NoEvent(Exception):
    """The body of an event that goes no further; `str(error)` is the sentence about it."""


def _inside(value: Any) -> list[Any]:
    """Return the lists and objects that stand directly in one."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for part in inner if isinstance(part, dict | list)]
