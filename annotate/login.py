"""Signing in to the requesters' pages: a form, a signed cookie, and patience with nobody who guesses passwords."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from annotate.access import STAFF_COOKIE_HOURS, Signer
from annotate.accounts.entry import FOREIGN, HOME, RESULTS, TOO_OFTEN, WRONG, local, login_page, spoken
from annotate.accounts.throttle import Throttle
from db.accounts import Account, Role, find_account, signed_in
from db.clock import Clock, now
from db.engine import Database, reading

COOKIE = "etalon_staff"
FOUND = "etalon.account"  # where a request keeps whose it is, once that was looked up
Entered = Annotated[str, Form()]


def login_routes(database: Database, signer: Signer, *, framed: bool = False, clock: Clock = now) -> APIRouter:
    """Return the routes GET /login, POST /login and POST /logout. `framed`: in another site's frame, as on a Space."""
    routes, throttle = APIRouter(), Throttle(database, "login", clock)

    @routes.get("/login")
    def ask(request: Request, next: str = HOME) -> Response:
        account = account_of(database, signer, request)
        if account:
            return RedirectResponse(onward(next, account), HTTPStatus.SEE_OTHER)
        return login_page(spoken(request), next)

    @routes.get("/")
    def first(request: Request) -> Response:
        account = account_of(database, signer, request)
        return RedirectResponse(onward(HOME, account) if account else HOME, HTTPStatus.SEE_OTHER)

    @routes.post("/login")
    def enter(request: Request, name: Entered = "", password: Entered = "", next: Entered = HOME) -> Response:
        language = spoken(request)
        if not from_here(request):
            return login_page(language, next, name, FOREIGN, HTTPStatus.FORBIDDEN)
        name = name.replace("\0", "").strip()[:200].lower()
        found: list[Account] = []

        def fits() -> bool:
            with reading(database) as session:
                account = signed_in(session, name=name, password=password)
            found.extend([account] if account else [])
            return account is not None

        allowed = throttle.attempt(sources_of(request, name), fits)
        if allowed is None:
            return login_page(language, next, name, TOO_OFTEN, HTTPStatus.TOO_MANY_REQUESTS)
        if not allowed:
            return login_page(language, next, name, WRONG, HTTPStatus.UNAUTHORIZED)
        reply = RedirectResponse(onward(next, found[0]), HTTPStatus.SEE_OTHER)
        keep(reply, request, signer, found[0], framed=framed)
        return reply

    @routes.post("/logout")
    def leave(request: Request) -> Response:
        if not from_here(request):
            return Response(FOREIGN.within(spoken(request)), HTTPStatus.FORBIDDEN, media_type="text/plain")
        reply = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
        _set(reply, request, "", seconds=0, framed=framed)
        return reply

    return routes


def account_of(database: Database, signer: Signer, request: HTTPConnection) -> Account | None:
    """Return the open account that a request is signed in as, None for nobody.

    It is read from the database for every request, once: who is shut, or gets another role or password, is so at once
    and on every server.
    """
    if FOUND not in request.scope:
        signed = signer.account(request.cookies.get(COOKIE))
        request.scope[FOUND] = _present(database, *signed) if signed else None
    return cast(Account | None, request.scope[FOUND])


def staff(database: Database, signer: Signer, least: Role = "viewer") -> Callable[[HTTPConnection], str | None]:
    """Return the dependency that tells which account asks, None for nobody and for one that may do less than `least`.

    It is right for `auth_dependency` of a Gradio page, and for a plain route, which answers 401 to None.
    """

    def known(request: HTTPConnection) -> str | None:
        account = account_of(database, signer, request)
        return account.name if account and account.may(least) else None

    return known


def onward(address: str, account: Account) -> str:
    """Return where somebody goes after signing in: to a path of this server, or to the first page the role opens."""
    asked = local(address)
    return RESULTS if asked == HOME and not account.may("manager") else asked


def sources_of(request: Request, name: str) -> tuple[str, str]:
    """Return by what failures are counted: the account, and the address they come from."""
    return f"name:{name}", f"address:{request.client.host if request.client else ''}"


def from_here(request: HTTPConnection) -> bool:
    """Return whether a form was sent from a page of this very server; every browser says where from."""
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""


def keep(reply: Response, request: HTTPConnection, signer: Signer, account: Account, *, framed: bool) -> None:
    """Let the browser keep a sign-in."""
    cookie = signer.staff_cookie(account.name, account.version)
    _set(reply, request, cookie, seconds=STAFF_COOKIE_HOURS * 3600, framed=framed)


def _set(reply: Response, request: HTTPConnection, value: str, *, seconds: int, framed: bool) -> None:
    """Set the cookie, or take it away after 0 seconds. A frame of another site gets only cookies made for it."""
    https = request.url.scheme == "https"
    reply.set_cookie(
        COOKIE, value, max_age=seconds, httponly=True, secure=https or framed, samesite="none" if framed else "lax"
    )
    if framed:
        reply.headers["set-cookie"] += "; Partitioned"


def _present(database: Database, name: str, version: int) -> Account | None:
    with reading(database) as session:
        account = find_account(session, name=name)
    return account if account and account.state == "active" and account.version == version else None
