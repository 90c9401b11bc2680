"""The downloads of the pages of results and of models: plain routes for signed-in people."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import FileResponse, HTMLResponse, Response

from baseline.output.computed_exports import FOR_VIEWERS
from baseline.output.html import drawn_with
from baseline.runs.batch_files import folder_of, waiting_in
from data.errors import EtalonError, UnknownName
from db.engine import Database, reading
from db.events import add_download
from db.exports import ComputedFiles, FileRequest, NotInTime
from db.runs import run_numbered
from db.studies import get_study

Known = Callable[[HTTPConnection], str | None]
REFUSED = {
    UnknownName: ("There is no such file", HTTPStatus.NOT_FOUND),
    NotInTime: ("This file is not ready yet", HTTPStatus.SERVICE_UNAVAILABLE),
    EtalonError: ("This file cannot be made", HTTPStatus.CONFLICT),
}
"""What is said of a file that is not sent: of the first of these that its mistake is."""


class FileChoices(BaseModel):
    """What an address may choose of a file."""

    respondent: str | None = None
    table: str = "csv"
    hidden: bool = False
    split: bool = False
    licence: str = Field("", max_length=200)


def _no_file(status: HTTPStatus, heading: str, reason: str, *, study: str = "") -> HTMLResponse:
    """Return a whole page that says why there is no such file, with the way back to the study or to sign in."""
    address, words = f"/results/?study={quote(study, safe='')}", f"← Results of {study}"
    if not study:
        address, words = "/login", "Sign in"
    page = drawn_with("no_file.html", heading=heading, reason=reason, address=address, words=words)
    return HTMLResponse(page, status)


def results_files(files: ComputedFiles, known: Known) -> APIRouter:
    """Return the route of the downloads; `known` tells who is signed in, None for nobody."""
    routes = APIRouter()

    @routes.get("/results-files/{study}/{what}.{form}")
    async def file(
        request: Request, study: str, what: str, form: str, choices: Annotated[FileChoices, Query()]
    ) -> Response:
        account = await run_in_threadpool(known, request)
        if not account:
            reason = "The files of a study are for people who are signed in."
            return _no_file(HTTPStatus.UNAUTHORIZED, "Sign in first", reason)
        try:
            made = await files.get(
                FileRequest(FOR_VIEWERS, study, what, form, choices.model_dump(exclude_defaults=True)), account
            )
        except EtalonError as error:
            heading, status = next(refused for kind, refused in REFUSED.items() if isinstance(error, kind))
            return _no_file(status, heading, str(error), study=study)
        return Response(made.content, media_type=made.media_type, headers=made.headers)

    return routes


def batch_files(database: Database, known: Known) -> APIRouter:
    """Return the route of the files of requests that wait for a batch; `known` tells who may ask models."""
    routes = APIRouter()

    @routes.get("/models-files/batches/{study}/{run}/{name}")
    def file(request: Request, study: str, run: int, name: str) -> Response:
        account = known(request)
        if not account:
            return _no_file(HTTPStatus.UNAUTHORIZED, "Sign in first", "Requests are for people who may ask models.")
        try:
            with reading(database) as session:
                asked = run_numbered(session, study=get_study(session, name=study), number=run)
            folder = folder_of(asked)
            names = waiting_in(folder) if folder else []
            if not folder or name not in names:
                raise UnknownName("file of requests", name, names)
        except UnknownName as error:
            return _no_file(HTTPStatus.NOT_FOUND, "There is no such file", str(error), study=study)
        called = f"{study}-run-{run}-{name}"
        add_download(database, study=study, file=called, who=account)
        return FileResponse(folder / name, filename=called, headers={"Cache-Control": "no-store"})

    return routes
