"""The workers' plain routes: an invitation becomes a cookie, a request becomes an act, a mistake becomes a sentence."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from pydantic import BaseModel, Field, StringConstraints, ValidationError
from starlette.requests import ClientDisconnect

from annotate import screens
from annotate.access import WORKER_COOKIE_DAYS, Signer, worker_cookie_name
from annotate.invitations import NotInvited
from annotate.service import Service
from annotate.stages import Act
from annotate.texts import sentence, texts
from annotate.view import View
from data.errors import BadAnswer, EtalonError
from data.wording import LANGUAGES, Language

WORKERS = "/api/annotate/"  # what the routes begin with that the page asks for every answer
LONGEST_BODY = 64 * 1024
THREADS = 20  # acts at once: as many as there are connections to the database that stay open
NO_STORE = {"Cache-Control": "no-store"}
PAGE = "/annotate"
WITHIN = ("answer", "next", "skip", "report", "undo")  # acts after which the page has the instruction already
Body = TypeVar("Body", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]
Token = Annotated[str, StringConstraints(max_length=100, pattern=r"^[\x21-\x7e]*$")]


class Sent(BaseModel):
    """What the page sends for an act; what a value may be is for the task's answer type to say."""

    kind: Act
    token: Token = ""
    value: Any = None
    seconds: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    pasted: bool = False
    away: bool = False


class Looked(BaseModel):
    """What the page sends when it only asks where things stand: the item it shows, if any."""

    token: Token = ""


class Refusal(Exception):
    """A request that is not taken up; `code` names the sentence in `annotate/texts`."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


def spoken(handle: Handler) -> Handler:
    """Return a handler whose refusals are sentences in the language the browser asks for, here and nowhere else."""

    async def handled(request: Request) -> Response:
        try:
            return await handle(request)
        except NotInvited:
            language = preferred(request)
            return refused(401, texts(language)["refusals"]["not_invited"], html=screens.uninvited(language))
        except Refusal as refusal:
            return refused(refusal.status, texts(preferred(request))["refusals"][refusal.code])
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it

    return handled


def worker_routes(service: Service, *, framed: bool = False) -> APIRouter:
    """Return the routes of the worker page. `framed`: the page stands in another site's frame, as on a Space.

    They are plain routes: what FastAPI would read out of a request by itself is read here, for half its time; so is
    what its threads would do.
    """
    threads = ThreadPoolExecutor(THREADS, "worker")

    async def state(request: Request) -> Response:
        study, looked = request.path_params["study"], parsed(Looked, await body_of(request) or b"{}")

        def shown() -> Response:
            view = service.state(study, cookie_of(request, study), token=looked.token)
            return drawn(view, request, guide=True, framed=framed)

        return await asyncio.get_running_loop().run_in_executor(threads, shown)

    async def act(request: Request) -> Response:
        study, sent = request.path_params["study"], parsed(Sent, await body_of(request))

        def acted() -> Response:
            cookie = cookie_of(request, study)
            try:
                view = service.act(study, cookie, **dict(sent))
            except BadAnswer as mistake:
                return refused(422, sentence(mistake, service.state(study, cookie).language))
            return drawn(view, request, guide=sent.kind not in WITHIN, framed=framed)

        return await asyncio.get_running_loop().run_in_executor(threads, acted)

    def join(request: Request) -> Response:
        study, key, asked = request.path_params["study"], request.path_params["key"], request.query_params.get("lang")
        language, kept = next((known for known in LANGUAGES if known == asked), None), cookie_of(request, study)
        try:
            cookie = service.invite(study, key, given=request.query_params, cookie=kept, language=language)
        except EtalonError:
            return page(screens.wrong_link_page(preferred(request)), 403)
        response = RedirectResponse(f"{PAGE}/?study={quote(study)}", 303, headers=NO_STORE)
        set_cookie(response, request, study, cookie, framed=framed)
        return response

    router = APIRouter()
    router.add_route(WORKERS + "{study}/state", spoken(state), ["POST"])
    router.add_route(WORKERS + "{study}/act", spoken(act), ["POST"])
    router.add_route("/join/{study}/{key}", join, ["GET"])
    router.add_route("/join", invitation_needed, ["GET"])
    router.add_route("/join/{anything:path}", wrong_link, ["GET"])
    return router


def invitation_needed(request: Request) -> Response:
    """Return the page for somebody who comes without an invitation."""
    return page(screens.invitation_needed_page(preferred(request)), 401)


def wrong_link(request: Request) -> Response:
    """Return the page for a link that is no invitation."""
    return page(screens.wrong_link_page(preferred(request)), 404)


def worker_of(signer: Signer) -> Callable[[Request], str | None]:
    """Return the `auth_dependency` of the worker page: who holds a place in any study may load it.

    It shows nothing of a study by itself. Somebody without a place is sent to where invitations are explained.
    """

    def dependency(request: Request) -> str | None:
        cookies = [value for name, value in request.cookies.items() if name.startswith("etalon_")]
        place = next((place for place in map(signer.enrolment, cookies) if place is not None), None)
        if place is not None:
            return f"enrolment {place}"
        if any(signer.invitation_of(cookie) for cookie in cookies):
            return "somebody invited"
        if request.method == "GET" and request.url.path.rstrip("/") == PAGE:
            raise HTTPException(303, headers={"Location": "/join", **NO_STORE})
        return None

    return dependency


async def body_of(request: Request) -> bytes:
    """Return the body of a request that our own page sent as JSON; raises Refusal."""
    origin = request.headers.get("origin")
    if origin is not None and origin.lower().partition("://")[2] != request.headers.get("host", "").lower():
        raise Refusal(403, "foreign_page")
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "not_json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise Refusal(413, "too_long")
    return body


def parsed(kind: type[Body], body: bytes) -> Body:
    """Return what a body says; raises Refusal for what is no JSON or not of this kind."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise Refusal(400, "bad_request") from error


def cookie_of(request: Request, study: str) -> str | None:
    """Return the cookie that holds the browser's place in a study."""
    return request.cookies.get(worker_cookie_name(study))


def set_cookie(response: Response, request: Request, study: str, value: str, *, framed: bool) -> None:
    """Keep a worker's place in the browser. A frame of another site gets only cookies that are made for it."""
    https = request.url.scheme == "https"
    response.set_cookie(
        worker_cookie_name(study),
        value,
        max_age=WORKER_COOKIE_DAYS * 24 * 3600,
        path="/",
        httponly=True,
        secure=https or framed,
        samesite="none" if framed else "lax",
    )
    if framed:
        response.headers["set-cookie"] += "; Partitioned"


def preferred(request: Request) -> Language:
    """Return the first of our languages that the browser asks for, English for none of them."""
    asked = [tag.strip()[:2].lower() for tag in request.headers.get("accept-language", "").split(",")]
    return next((known for tag in asked for known in LANGUAGES if tag == known), "en")


def drawn(view: View, request: Request, *, guide: bool, framed: bool) -> Response:
    """Return a view as the page's script takes it, with the cookie that the browser is to keep from now on, if any.

    `guide`: the instruction comes along; not with every item.
    """
    reply = {"stage": view.stage, "html": screens.html(view)}
    if view.left:
        reply["left"] = view.left
    if guide and view.item:
        reply["guide"] = screens.guide(view)
    response = JSONResponse(reply, headers=NO_STORE)
    if view.cookie:
        set_cookie(response, request, view.study, view.cookie, framed=framed)
    return response


def refused(status: int, error: str, **more: str) -> Response:
    """Return a sentence about what was wrong."""
    return JSONResponse({"error": error, **more}, status, headers=NO_STORE)


def page(text: str, status: int) -> Response:
    """Return a whole page of ours."""
    return HTMLResponse(text, status, headers=NO_STORE)
