"""Before Gradio's events: files come in as uploads of an account, and only one's own go on to a page's functions."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotate.accounts.login import FOUND
from annotate.accounts.uploads import NoUploadRoom, Uploads
from data.limits import DEEPEST_EVENT, KB

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
