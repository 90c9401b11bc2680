"""The guard in front of everything: who may open which page, what Gradio opens and nobody needs, and safe headers."""

from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotate.access import Signer
from annotate.login import from_here, staff

# What a page made with Gradio asks for. Everything else it would answer (its API and its description, files, the
# monitor, deep links, run history, component functions) is closed. A name ends in "/" where all below it is meant.
# The worker page has no Gradio events: it speaks to our own routes.
PAGE = frozenset({"", "/", "/theme.css", "/assets/", "/static/"})
EVENTS = frozenset(
    f"/gradio_api/{name}" for name in ("run/predict", "queue/join", "queue/data", "heartbeat/", "reset", "cancel")
)
UPLOADS = frozenset({"/gradio_api/upload", "/gradio_api/upload_progress"})
OPEN = {"/annotate": PAGE, "/manage": PAGE | EVENTS | UPLOADS, "/results": PAGE | EVENTS}
STAFF = ("/manage", "/results", "/manage-files")

# Gradio compiles its templates in the browser, so its pages need what our own do without.
GRADIO_SCRIPTS = "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; worker-src 'self' blob:; connect-src 'self'"
OUR_SCRIPTS = "script-src 'self'; connect-src 'self'"
COMMON = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "manifest-src 'self'; base-uri 'self'; form-action 'self'; object-src 'none'"
)


@dataclass(frozen=True)
class Guard:
    """ASGI middleware for the outermost place. `frame_ancestors` says which pages may frame ours."""

    app: ASGIApp
    signer: Signer
    frame_ancestors: str = "'self'"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is not to go further, or hand it on; every response leaves with safe headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = self._headers(scope["path"])

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        await (self._refusal(HTTPConnection(scope)) or self.app)(scope, receive, sending)

    def _refusal(self, request: HTTPConnection) -> Response | None:
        """Return the response to a request that is not to go further, None for one that is."""
        path, method = request.scope["path"], request.scope["method"]
        if any(_within(path, place) for place in STAFF) and not staff(self.signer)(request):
            if method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", ""):
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(f"/login?next={quote(path + query, safe='/')}", HTTPStatus.SEE_OTHER)
            return PlainTextResponse("sign in at /login first", HTTPStatus.UNAUTHORIZED)
        mount = _mount(path)
        if mount and not _needed(path[len(mount) :], OPEN[mount]):
            return PlainTextResponse("there is nothing here", HTTPStatus.NOT_FOUND)
        if mount and method == "POST" and "origin" in request.headers and not from_here(request):
            return PlainTextResponse("this was sent by a page of another site", HTTPStatus.FORBIDDEN)
        return None

    def _headers(self, path: str) -> dict[str, str]:
        scripts = GRADIO_SCRIPTS if _mount(path) else OUR_SCRIPTS
        return {
            "Content-Security-Policy": f"{COMMON}; {scripts}; frame-ancestors {self.frame_ancestors}",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }


def _within(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _mount(path: str) -> str | None:
    """Return the Gradio page that a path belongs to, None for a path of our own."""
    return next((mount for mount in OPEN if _within(path, mount)), None)


def _needed(inner: str, names: frozenset[str]) -> bool:
    """Return whether a page asks for this path below its own."""
    return inner in names or any(inner.startswith(name) for name in names if len(name) > 1 and name.endswith("/"))
