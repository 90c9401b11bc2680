"""The downloads of the pages of results and of models: plain routes for signed-in people."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import quote

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import FileResponse, HTMLResponse, Response

from baseline.output.computed_exports import FOR_VIEWERS
from baseline.output.html import drawn_with
from baseline.runs.batch_state import folder_of, waiting_in
from data.errors import EtalonError, UnknownName
from data.table_files import download
from db.engine import Database, reading
from db.exports import ExportRequest
from db.run_choices import run_numbered
from db.studies import get_study

Known = Callable[[HTTPConnection], str | None]


def draw_no_file(heading: str, reason: str, *, study: str = "") -> Markup:
    """Return a whole page that says why there is no such file, with the way back to the study or to sign in."""
    address, words = f"/results/?study={quote(study, safe='')}", f"← Results of {study}"
    if not study:
        address, words = "/login", "Sign in"
    return drawn_with("no_file.html", heading=heading, reason=reason, address=address, words=words)


def results_files(database: Database, known: Known) -> APIRouter:
    """Return the route of the downloads; `known` tells who is signed in, None for nobody."""
    routes = APIRouter()

    @routes.get("/results-files/{study}/{what}.{form}")
    def file(request: Request, study: str, what: str, form: str, respondent: str | None = None) -> Response:
        if not known(request):
            refusal = draw_no_file("Sign in first", "The files of a study are for people who are signed in.")
            return HTMLResponse(refusal, HTTPStatus.UNAUTHORIZED)
        try:
            with reading(database) as session:
                chosen = get_study(session, name=study)
                whose = f"-{respondent.removeprefix('model:')}" if respondent else ""
                asked = ExportRequest(session, chosen, respondent)
                made = download(FOR_VIEWERS, what, form, asked, of=f"{study}-{what}{whose}")
        except UnknownName as error:
            return HTMLResponse(draw_no_file("There is no such file", str(error), study=study), HTTPStatus.NOT_FOUND)
        except EtalonError as error:
            refusal = draw_no_file("This file cannot be made", str(error), study=study)
            return HTMLResponse(refusal, HTTPStatus.CONFLICT)
        headers = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name, safe='')}",
            "Cache-Control": "no-store",
        }
        return Response(made.content, media_type=made.media_type, headers=headers)

    return routes


def batch_files(database: Database, known: Known) -> APIRouter:
    """Return the route of the files of requests that wait for a batch; `known` tells who may ask models."""
    routes = APIRouter()

    @routes.get("/models-files/batches/{study}/{run}/{name}")
    def file(request: Request, study: str, run: int, name: str) -> Response:
        if not known(request):
            refusal = draw_no_file("Sign in first", "Requests are for people who may ask models.")
            return HTMLResponse(refusal, HTTPStatus.UNAUTHORIZED)
        try:
            with reading(database) as session:
                asked = run_numbered(session, study=get_study(session, name=study), number=run)
            folder = folder_of(asked)
            names = waiting_in(folder) if folder else []
            if not folder or name not in names:
                raise UnknownName("file of requests", name, names)
        except UnknownName as error:
            return HTMLResponse(draw_no_file("There is no such file", str(error), study=study), HTTPStatus.NOT_FOUND)
        return FileResponse(folder / name, filename=f"{study}-run-{run}-{name}", headers={"Cache-Control": "no-store"})

    return routes
