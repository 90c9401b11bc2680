"""The workers' plain routes: an invitation becomes a cookie, a request becomes an act, a mistake becomes a sentence."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field, StringConstraints, ValidationError
from starlette.concurrency import run_in_threadpool

from annotate import screens
from annotate.access import WORKER_COOKIE_DAYS, Signer, worker_cookie_name
from annotate.service import NotInvited, Service
from annotate.stages import Act
from annotate.texts import sentence, texts
from annotate.view import View
from data.errors import BadAnswer, EtalonError
from data.wording import LANGUAGES, Language

LONGEST_BODY = 64 * 1024
NO_STORE = {"Cache-Control": "no-store"}
PAGE = "/annotate"
Body = TypeVar("Body", bound=BaseModel)
Token = Annotated[str, StringConstraints(max_length=100, pattern=r"^[\x21-\x7e]*$")]


class Sent(BaseModel):
    """What the page sends for an act; what a value may be is for the task's answer type to say."""

    kind: Act
    token: Token = ""
    value: Any = None
    seconds: Annotated[float, Field(allow_inf_nan=False)] = 0.0


class Looked(BaseModel):
    """What the page sends when it only asks where things stand: the item it shows, if any."""

    token: Token = ""


class Refusal(Exception):
    """A request that is not taken up; `code` names the sentence in `annotate/texts`."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class Route(APIRoute):
    """A route whose refusals are sentences in the language the browser asks for."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return the handler with our errors translated, here and nowhere else."""
        handle = super().get_route_handler()

        async def translated(request: Request) -> Response:
            try:
                return await handle(request)
            except NotInvited:
                language = preferred(request)
                return refused(401, texts(language)["refusals"]["not_invited"], html=screens.uninvited(language))
            except Refusal as refusal:
                return refused(refusal.status, texts(preferred(request))["refusals"][refusal.code])

        return translated


def worker_routes(service: Service, *, framed: bool = False) -> APIRouter:
    """Return the routes of the worker page. `framed`: the page stands in another site's frame, as on a Space."""
    router = APIRouter(route_class=Route)

    @router.post("/api/annotate/{study}/state")
    async def state(study: str, request: Request) -> Response:
        looked = parsed(Looked, await body_of(request) or b"{}")
        return await run_in_threadpool(shown, service, study, cookie_of(request, study), looked)

    @router.post("/api/annotate/{study}/act")
    async def act(study: str, request: Request) -> Response:
        sent = parsed(Sent, await body_of(request))
        return await run_in_threadpool(acted, service, study, cookie_of(request, study), sent)

    @router.get("/join/{study}/{key}")
    def join(study: str, key: str, request: Request, lang: str = "") -> Response:
        try:
            cookie = admitted(service, study, key, cookie_of(request, study), lang)
        except EtalonError:
            return page(screens.wrong_link_page(preferred(request)), 403)
        response = RedirectResponse(f"{PAGE}/?study={quote(study)}", 303, headers=NO_STORE)
        set_cookie(response, worker_cookie_name(study), cookie, https=request.url.scheme == "https", framed=framed)
        return response

    @router.get("/join")
    def invitation_needed(request: Request) -> Response:
        return page(screens.invitation_needed_page(preferred(request)), 401)

    @router.get("/join/{anything:path}")
    def wrong_link(anything: str, request: Request) -> Response:  # noqa: ARG001
        return page(screens.wrong_link_page(preferred(request)), 404)

    return router


def worker_of(signer: Signer) -> Callable[[Request], str | None]:
    """Return the `auth_dependency` of the worker page: who holds a place in any study may load it.

    It shows nothing of a study by itself. Somebody without a place is sent to where invitations are explained.
    """

    def dependency(request: Request) -> str | None:
        places = (signer.enrolment(value) for name, value in request.cookies.items() if name.startswith("etalon_"))
        place = next((place for place in places if place is not None), None)
        if place is None and request.method == "GET" and request.url.path.rstrip("/") == PAGE:
            raise HTTPException(303, headers={"Location": "/join", **NO_STORE})
        return None if place is None else f"enrolment {place}"

    return dependency


def shown(service: Service, study: str, cookie: str | None, looked: Looked) -> Response:
    """Return the present screen and what became of the item on the page."""
    return screen(service.state(study, cookie, token=looked.token), guide=True)


def acted(service: Service, study: str, cookie: str | None, sent: Sent) -> Response:
    """Do what was sent and return the next screen, or what is wrong in the worker's own language."""
    try:
        view = service.act(study, cookie, sent.kind, token=sent.token, value=sent.value, seconds=sent.seconds)
    except BadAnswer as mistake:
        return refused(422, sentence(mistake, service.state(study, cookie).language))
    return screen(view, guide=sent.kind not in ("answer", "next"))


def admitted(service: Service, study: str, key: str, cookie: str | None, language: str) -> str:
    """Return the cookie of somebody with an invitation: the one they have where it is good, else a new worker's."""
    if not (key.isascii() and service.signer.invited(study, key)):
        raise NotInvited("this link is not an invitation")
    try:
        service.state(study, cookie)
    except NotInvited:
        spoken = next((known for known in LANGUAGES if known == language), None)
        return service.join(study, key, language=spoken)
    return cookie or ""


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


def set_cookie(response: Response, name: str, value: str, *, https: bool, framed: bool) -> None:
    """Keep a worker's place in the browser. A frame of another site gets only cookies that are made for it."""
    response.set_cookie(
        name,
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


def screen(view: View, *, guide: bool) -> Response:
    """Return a view as the page's script takes it. `guide`: the instruction comes along; not with every item."""
    reply = {"stage": view.stage, "html": screens.html(view)}
    if view.left:
        reply["left"] = view.left
    if guide and view.item:
        reply["guide"] = screens.guide(view)
    return JSONResponse(reply, headers=NO_STORE)


def refused(status: int, error: str, **more: str) -> Response:
    """Return a sentence about what was wrong."""
    return JSONResponse({"error": error, **more}, status, headers=NO_STORE)


def page(text: str, status: int) -> Response:
    """Return a whole page of ours."""
    return HTMLResponse(text, status, headers=NO_STORE)
