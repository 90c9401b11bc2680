"""The guard in front of everything: who may open which page, what Gradio opens and nobody needs, and safe headers."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotate.accounts.cookies import WORKERS, expire_places, preferred, too_many
from annotate.accounts.login import (
    COOKIE,
    FOUND,
    account_of,
    from_here,
    notice_page,
    refused_page,
    unavailable,
    wants_page,
)
from annotate.accounts.operator_routes import BY_ADDRESS
from annotate.accounts.proxies import Proxies, hostname
from annotate.accounts.signer import Signer
from data.limits import LARGEST_BODY, LARGEST_UPLOAD
from data.log import LOG, begin_request, fault_name
from data.metrics import REFUSALS
from db.access import limit_to
from db.accounts import OWNER, Account, Role, list_accounts
from db.engine import Database, reading
from db.faults import FAULTS, SENTENCES, meaning

SECONDS = 5.0
MOST = 1_000  # sign-ins that are remembered; of more all are forgotten, which costs a look into the database each


@dataclass
class RecentSignIns:
    """The accounts of the last SECONDS by the cookie that they came with."""

    clock: Callable[[], float] = time.monotonic
    by_cookie: dict[str, tuple[float, Account]] = field(default_factory=dict)

    def get(self, cookie: str) -> Account | None:
        """Return whose cookie it was within SECONDS, None for nobody's."""
        seen, account = self.by_cookie.get(cookie, (0.0, None))
        return account if account and self.clock() - seen < SECONDS else None

    def keep(self, cookie: str, account: Account | None) -> None:
        """Remember whose cookie it is, or that it is nobody's."""
        if account is None:
            self.forget(cookie)
            return
        if len(self.by_cookie) >= MOST:
            self.by_cookie.clear()
        self.by_cookie[cookie] = (self.clock(), account)

    def forget(self, cookie: str) -> None:
        """Forget a cookie: what is sent with it may be its end."""
        self.by_cookie.pop(cookie, None)


# What a page made with Gradio asks for. Everything else it would answer (its API and its description, files, the
# monitor, deep links, run history, component functions) is closed. A name ends in "/" where all below it is meant.
PAGE = frozenset({"", "/", "/theme.css", "/assets/", "/static/"})
EVENTS = frozenset(
    f"/gradio_api/{name}" for name in ("run/predict", "queue/join", "queue/data", "heartbeat/", "reset", "cancel")
)
FILES = ("/theme.css", "/assets/", "/static/")
"""What Gradio's own package brings: the same for everybody, and asked for by the dozen whenever a page is opened."""
UPLOADS = frozenset({"/gradio_api/upload", "/gradio_api/upload_progress"})
OPEN = {
    "/manage": PAGE | EVENTS | UPLOADS,
    "/models": PAGE | EVENTS | UPLOADS,
    "/results": PAGE | EVENTS,
    "/accounts": PAGE | EVENTS,
}
LEAST: dict[str, Role] = {
    "/manage": "manager",
    "/manage-files": "manager",
    "/models": "manager",
    "/models-files": "manager",
    "/results": "viewer",
    "/results-files": "viewer",
    "/items": "viewer",
    "/accounts": "owner",
    "/board-submissions": "manager",
    "/board-studies": "owner",
}
"""The least role that opens a place and everything below it; a place that is not named is open to all."""

BOARD = "/board"
SAFE = ("GET", "HEAD", "OPTIONS")

# Gradio compiles its templates in the browser, so its pages need what our own do without.
GRADIO_SCRIPTS = "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src 'self' blob:; connect-src 'self'"
OUR_SCRIPTS = "script-src 'self'; connect-src 'self'"
COMMON = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "manifest-src 'self'; base-uri 'self'; form-action 'self'; object-src 'none'"
)


@dataclass(frozen=True)
class Guard:
    """ASGI middleware for the outermost place. `frame_ancestors` says which pages may frame ours, `hosts` under which
    names the server may be asked for (empty: any; a name that is not ours is an attack on a browser's name service).
    `workers` answers below WORKERS: it is asked for every answer, and needs none of the layers around the others.
    `proxies` are those whose word about where a request comes from is believed. `framed`: the pages stand in another
    site's frame, as on a Space.
    """

    app: ASGIApp
    database: Database
    signer: Signer
    frame_ancestors: str = "'self'"
    hosts: frozenset[str] = frozenset()
    workers: ASGIApp | None = None
    proxies: Proxies = field(default_factory=Proxies)
    framed: bool = False
    recent: RecentSignIns = field(default_factory=RecentSignIns)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is not to go further, or hand it on; every response leaves with safe headers."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = self.proxies.seen(scope)
        path, https = scope["path"], scope["scheme"] == "https"
        headers = _safe(self.frame_ancestors, GRADIO_SCRIPTS if _mount(path) else OUR_SCRIPTS, https)
        headers = headers | {b"x-request-id": begin_request(path).encode()}
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                others = [pair for pair in message.get("headers", ()) if pair[0] not in headers]
                message["headers"] = [*others, *headers.items()]
            await send(message)

        request = HTTPConnection(scope)
        workers = self.workers if path.startswith(WORKERS) else None  # no page of requesters is among them
        try:
            refusal = self._malformed(request) or (None if workers else await self._refusal(request))
            account = scope.get(FOUND)
            limit_to(account.limit if account else None)  # always: a connection may bring requests of several people
            await (refusal or workers or self.app)(scope, _bounded(scope, receive), sending)
        except FAULTS as error:
            reason = meaning(error)
            if reason is None:
                raise
            LOG.error(SENTENCES[reason], extra={"fault": fault_name(error)})
            if not begun:  # the program behind has said so already where it could
                await unavailable(request)(scope, receive, sending)

    def _malformed(self, request: HTTPConnection) -> Response | None:
        """Return the response to a request that is for another host, or too large, None for any other."""
        known = not self.hosts or request.scope["path"] in BY_ADDRESS
        if not known and hostname(request.headers.get("host", "")) not in self.hosts:
            words = "this server has another name; see ETALON_PUBLIC_URL"
            return PlainTextResponse(words, HTTPStatus.MISDIRECTED_REQUEST)
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 15 or int(length) > _largest(request.scope["path"]):
            REFUSALS.labels("too_long").inc()
            return PlainTextResponse("this is too long", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if too_many(request):
            words = "these were too many cookies of this server; the oldest are gone now: load the page again"
            refused = PlainTextResponse(words, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, {"Connection": "close"})
            expire_places(refused, request, framed=self.framed)
            return refused
        return None

    async def _refusal(self, request: HTTPConnection) -> Response | None:
        """Return the response to a request that is not to go further, None for one that is."""
        path, method = request.scope["path"], request.scope["method"]
        if method not in SAFE:
            self.recent.forget(request.cookies.get(COOKIE, ""))
        least = least_role(path)
        if least:
            account = await self._account(request)
            if account is None:
                return _unknown(request)
            if not account.may(least):
                return await run_in_threadpool(self._too_little, request, account, least)
        mount = _mount(path)
        if mount and not _needed(path[len(mount) :], OPEN[mount]):
            return nothing_here(request)
        guarded = mount or least or _within(path, BOARD)
        if guarded and method not in SAFE and "origin" in request.headers and not from_here(request):
            return PlainTextResponse("this was sent by a page of another site", HTTPStatus.FORBIDDEN)
        return None

    async def _account(self, request: HTTPConnection) -> Account | None:
        """Return who asks; for a file of Gradio's it is enough who it was a moment ago."""
        path, cookie = request.scope["path"], request.cookies.get(COOKIE, "")
        inner = path[len(_mount(path) or "") :]
        known = self.recent.get(cookie) if inner.startswith(FILES) else None
        if known:
            request.scope[FOUND] = known
            return known
        account = await run_in_threadpool(account_of, self.database, self.signer, request)
        self.recent.keep(cookie, account)
        return account

    def _too_little(self, request: HTTPConnection, account: Account, least: Role) -> Response:
        if not wants_page(request):
            return PlainTextResponse(f"the role {account.role} does not open this", HTTPStatus.FORBIDDEN)
        with reading(self.database) as session:
            owners = [account.name for account in list_accounts(session) if account.may(OWNER)]
        return refused_page(preferred(request), account, least, owners)


@cache
def _safe(frame_ancestors: str, scripts: str, https: bool) -> dict[bytes, bytes]:
    """Return the headers that every response leaves with."""
    lasting = {b"strict-transport-security": b"max-age=31536000"} if https else {}
    return lasting | {
        b"content-security-policy": f"{COMMON}; {scripts}; frame-ancestors {frame_ancestors}".encode(),
        b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
        b"referrer-policy": b"same-origin",
        b"x-content-type-options": b"nosniff",
    }


def nothing_here(request: HTTPConnection, words: str = "there is nothing here") -> Response:
    """Return the response to a request for an address at which there is nothing: a page for who reads, else words."""
    if wants_page(request):
        return notice_page(preferred(request), "missing")
    return PlainTextResponse(words, HTTPStatus.NOT_FOUND)


def least_role(path: str) -> Role | None:
    """Return the least role that opens a path, None for one that is open to all."""
    return next((role for place, role in LEAST.items() if _within(path, place)), None)


def _bounded(scope: Scope, receive: Receive) -> Receive:
    """Return `receive` with a limit to the body: who sends it in pieces need not say how long it is."""
    seen, most = 0, _largest(scope["path"])

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return message

    return receiving


def _largest(path: str) -> int:
    return LARGEST_UPLOAD if path.endswith("/gradio_api/upload") else LARGEST_BODY


def _unknown(request: HTTPConnection) -> Response:
    """Return where to sign in."""
    if not wants_page(request):
        return PlainTextResponse("sign in at /login first", HTTPStatus.UNAUTHORIZED)
    query = f"?{request.url.query}" if request.url.query else ""
    asked = quote(request.scope["path"] + query, safe="/")
    return RedirectResponse(f"/login?next={asked}", HTTPStatus.SEE_OTHER)


def _within(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _mount(path: str) -> str | None:
    """Return the Gradio page that a path belongs to, None for a path of our own."""
    return next((mount for mount in OPEN if _within(path, mount)), None)


def _needed(inner: str, names: frozenset[str]) -> bool:
    """Return whether a page asks for this path below its own."""
    return inner in names or any(inner.startswith(name) for name in names if len(name) > 1 and name.endswith("/"))
