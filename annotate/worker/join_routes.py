"""The way in for workers: an invitation link becomes a cookie, and who has one may load the page."""

from collections.abc import Callable
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route

from annotate.accounts.cookies import NO_STORE, OURS, WORKERS, cookie_of, preferred, set_cookie
from annotate.accounts.login import from_here
from annotate.accounts.signer import Signer
from annotate.invitations import NotInvited, Occupied
from annotate.worker import screens
from annotate.worker.api import ASKED, Acts
from data.errors import EtalonError
from data.wording import languages

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

    router = APIRouter()
    for asked in ASKED:
        router.routes.append(Route(f"{WORKERS}{{study}}/{asked}", acts, methods=["POST"]))
    router.add_route("/join/{study}/{key}", join, ["GET", "POST"])
    router.add_route("/join", invitation_needed, ["GET"])
    router.add_route("/join/{anything:path}", wrong_link, ["GET"])
    return router


def invitation_needed(request: Request) -> Response:
    """Return the page for somebody who comes without an invitation."""
    return page(screens.uninvited_page(preferred(request), "uninvited"), 401)


def wrong_link(request: Request) -> Response:
    """Return the page for a link that is no invitation."""
    return page(screens.uninvited_page(preferred(request), "wrong_link"), 404)


def worker_of(signer: Signer) -> Callable[[Request], str | None]:
    """Return the `auth_dependency` of the worker page: who holds a place in any study may load it.

    It shows nothing of a study by itself. Somebody without a place is sent to where invitations are explained.
    """

    def dependency(request: Request) -> str | None:
        cookies = [value for name, value in request.cookies.items() if name.startswith(OURS)]
        place = next((place for place in map(signer.enrolment, cookies) if place is not None), None)
        if place is not None:
            return f"enrolment {place.id} {place.nonce}"
        if any(signer.invitation_of(cookie) for cookie in cookies):
            return "somebody invited"
        if request.method == "GET" and request.url.path.rstrip("/") == PAGE:
            raise HTTPException(303, headers={"Location": "/join", **NO_STORE})
        return None

    return dependency


def page(text: str, status: int) -> Response:
    """Return a whole page of ours."""
    return HTMLResponse(text, status, headers=NO_STORE)
