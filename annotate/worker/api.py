"""The workers' routes: invitation links; where things stand, an act with the next screen, a sign of life."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse
from pydantic import TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from annotate.accounts.cookies import NO_STORE, OURS, WORKERS, cookie_of, preferred, set_cookie
from annotate.accounts.login import from_here
from annotate.accounts.proxies import network_of
from annotate.accounts.signer import Signer
from annotate.answer_errors import sentence
from annotate.invitations import NotInvited, Occupied
from annotate.worker import screens
from annotate.worker.page_files import FILES, document, files
from annotate.worker.service import Service
from annotate.worker.stages import Act, ActKind, Token
from annotate.worker.view import View
from data.errors import BadAnswer, EtalonError
from data.limits import LONGEST_ACT
from data.metrics import ANSWERS, REFUSALS
from data.wording import languages, texts

ASKED = ("state", "act", "alive", "sheet")
# Rules look after a check and not after another item, which takes a fraction of a millisecond: replies leave at whole
# steps, so that nobody can time it. Waiting costs nothing; a step is longer than nearly every reply takes to make.
STEP = 0.008  # seconds
THREADS = 20  # acts at once: as many as there are connections to the database that stay open
Body = TypeVar("Body")
Reply = Callable[[Request, str, bytes], Response]


@dataclass(frozen=True)
class Looked:
    """What the page sends when it asks where things stand, or that somebody is there: the item it shows, if any."""

    token: Token = ""


ACT, LOOKED = TypeAdapter(Act), TypeAdapter(Looked)


class Refusal(Exception):
    """A request that is not taken up; `code` names the sentence among a language's `refusals`."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class Acts:
    """The ASGI application of these routes. `framed`: the page stands in another site's frame, as on a Space.

    They are asked for more than all others together, so nothing stands around them that they do not need: what FastAPI
    would read out of a request, and what it would do to hand it to a thread, costs as much as the database does.
    """

    def __init__(self, service: Service, *, framed: bool = False) -> None:
        self.service, self.framed = service, framed
        self._threads = ThreadPoolExecutor(THREADS, "worker")
        replies: tuple[Reply, ...] = (self._state, self._act, self._alive, self._sheet)
        self._replies = dict(zip(ASKED, replies, strict=True))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what was wrong with it becomes a sentence in the language the browser asks for."""
        request = Request(scope, receive)
        study, _, asked = scope["path"].removeprefix(WORKERS).partition("/")
        try:
            response = await self._response(request, study, asked)
        except Refusal as refusal:
            REFUSALS.labels(refusal.code).inc()
            response = refused(refusal.status, texts(preferred(request))["refusals"][refusal.code])
        except ClientDisconnect:
            response = Response(status_code=400)  # nobody is there to read it
        await response(scope, receive, send)

    async def _response(self, request: Request, study: str, asked: str) -> Response:
        reply = self._replies.get(asked)
        if reply is None or request.method != "POST":
            return PlainTextResponse("there is nothing here", 405 if reply else 404)
        body, loop = await body_of(request), asyncio.get_running_loop()
        began = loop.time()
        try:
            response = await loop.run_in_executor(self._threads, reply, request, study, body)
        except NotInvited as reason:
            REFUSALS.labels("not_invited").inc()
            language = preferred(request)
            html = screens.no_place(language, reason.words)
            response = refused(401, texts(language)["refusals"]["not_invited"], html=html)
        await asyncio.sleep(STEP - (loop.time() - began) % STEP)
        return response

    def _state(self, request: Request, study: str, body: bytes) -> Response:
        looked = parsed(LOOKED, body or b"{}")
        view = self.service.state(study, cookie_of(request, study), token=looked.token)
        return self._reply(view, request)

    def _act(self, request: Request, study: str, body: bytes) -> Response:
        act = parsed(ACT, body)
        source, cookie = self._source(request, study, act.kind), cookie_of(request, study)
        try:
            view = self.service.act(study, cookie, act, source=source)
        except BadAnswer as mistake:
            REFUSALS.labels(mistake.code).inc()
            return refused(422, sentence(mistake, self.service.state(study, cookie).language))
        if view.no_room and act.kind == "consent":
            return refused(422, screens.no_room_sentence(view), html=screens.html(view))
        if act.kind == "answer":
            ANSWERS.labels(study).inc()
        return self._reply(view, request)

    def _source(self, request: Request, study: str, kind: ActKind) -> str:
        """Return a digest of where a consent comes from; of no other act it is of any use."""
        if kind != "consent" or request.client is None:
            return ""
        return self.service.signer.digest_once("arrival", f"{study}:{network_of(request.client.host)}")

    def _alive(self, request: Request, study: str, body: bytes) -> Response:
        looked = parsed(LOOKED, body)
        kept = self.service.alive(study, cookie_of(request, study), token=looked.token)
        return Response(orjson.dumps({"kept": kept}), headers=NO_STORE, media_type="application/json")

    def _sheet(self, request: Request, study: str, body: bytes) -> Response:
        parsed(LOOKED, body)
        html = screens.sheet(self.service.sheet(study, cookie_of(request, study)))
        return Response(orjson.dumps({"html": html}), headers=NO_STORE, media_type="application/json")

    def _reply(self, view: View, request: Request) -> Response:
        """Return a view as the page's script takes it, with the cookie that the browser is to keep, if any."""
        reply: dict[str, Any] = {"stage": view.stage, "html": screens.html(view)}
        if view.lease_time:
            reply["kept"] = view.lease_time
        if view.item_outcome:
            reply["left"] = view.item_outcome
        if view.note:
            reply["note"] = view.note
        response = Response(orjson.dumps(reply), headers=NO_STORE, media_type="application/json")
        if view.cookie:
            set_cookie(response, request, view.study, view.cookie, framed=self.framed)
        return response


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
        if len(body) > LONGEST_ACT:
            raise Refusal(413, "too_long")
    return body


def parsed(kind: TypeAdapter[Body], body: bytes) -> Body:
    """Return what a body says; raises Refusal for what is no JSON or not of this kind."""
    try:
        return kind.validate_json(body)
    except ValidationError as error:
        raise Refusal(400, "bad_request") from error


def refused(status: int, error: str, **more: str) -> Response:
    """Return a sentence about what was wrong."""
    return JSONResponse({"error": error, **more}, status, headers=NO_STORE)


PAGE = "/annotate"


def worker_routes(acts: Acts) -> APIRouter:
    """Return the routes of the worker page: an invitation link becomes a cookie, the others are `acts`."""
    service = acts.service

    def join(request: Request) -> Response:
        if request.method == "POST" and not from_here(request):
            return page(screens.uninvited_page(preferred(request), "wrong_link"), 403)
        study, key, asked = request.path_params["study"], request.path_params["key"], request.query_params.get("lang")
        language, kept = asked if asked in languages() else None, cookie_of(request, study)
        read = language or preferred(request)
        offered = {"given": request.query_params, "cookie": kept, "language": language}
        try:
            cookie = service.invite(study, key, replacing=request.method == "POST", **offered)  # type: ignore[arg-type]
        except Occupied as occupied:
            held = occupied.held
            path = f"/join/{quote(study)}/{service.signer.return_key(study, held.key)}"
            back = str(request.base_url).rstrip("/") + path if held.stranger else ""
            return page(screens.occupied_page(held.language, study, back), 409)
        except NotInvited as reason:
            return page(screens.uninvited_page(read, reason.words), 403)
        except EtalonError:
            return page(screens.uninvited_page(read, "wrong_link"), 403)
        response = RedirectResponse(f"{PAGE}/?study={quote(study)}", 303, headers=NO_STORE)
        set_cookie(response, request, study, cookie, framed=acts.framed)
        return response

    def worker_page(request: Request) -> Response:
        if not holds_a_place(request, service.signer):
            return RedirectResponse("/join", 303, headers=NO_STORE)
        return page(document(preferred(request)), 200)

    router = APIRouter()
    for path in (PAGE, f"{PAGE}/"):
        router.add_route(path, worker_page, ["GET"])
    router.add_route(f"{FILES}{{name}}", page_file, ["GET"])
    for asked in ASKED:
        router.routes.append(Route(f"{WORKERS}{{study}}/{asked}", acts, methods=["POST"]))
    router.add_route("/join/{study}/{key}", join, ["GET", "POST"])
    router.add_route("/join", explaining("uninvited", 401), ["GET"])
    router.add_route("/join/{anything:path}", explaining("wrong_link", 404), ["GET"])
    return router


def explaining(reason: str, status: int) -> Callable[[Request], Response]:
    """Return what answers with the page that says why somebody has no place."""
    return lambda request: page(screens.uninvited_page(preferred(request), reason), status)


def holds_a_place(request: Request, signer: Signer) -> bool:
    """Return whether a browser has a place in any study, or an invitation to one."""
    cookies = [value for name, value in request.cookies.items() if name.startswith(OURS)]
    return any(signer.enrolment(cookie) or signer.invitation_of(cookie) for cookie in cookies)


def page_file(request: Request) -> Response:
    """Return the script or the style sheet of the worker page."""
    found = next((served for served in files() if served.name == request.path_params["name"]), None)
    return found.response(request) if found else PlainTextResponse("there is nothing here", 404)


def page(text: str, status: int) -> Response:
    """Return a whole page of ours."""
    return HTMLResponse(text, status, headers=NO_STORE)
