"""Signing in to the requesters' pages: a form, a signed cookie, and how often a wrong password may be tried."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from annotate.accounts.account_pages import HOME, RESULTS, local, login_page, mistake_sentence
from annotate.accounts.cookies import STAFF, preferred, put
from annotate.accounts.rate_limit import Attempt, RateLimit
from annotate.accounts.signer import KNOWN_DAYS, SIGN_IN_HOURS, Signer, SignIn
from db.accounts import Account, Role, end_sign_in, present, signed_in
from db.clock import Clock, now
from db.engine import Database, reading, writing

COOKIE, KNOWN = STAFF
FOUND = "etalon.account"  # where a request keeps whose it is, once that was looked up
REFUSED = {
    Attempt.WRONG: ("wrong", HTTPStatus.UNAUTHORIZED),
    Attempt.TOO_OFTEN: ("too_often", HTTPStatus.TOO_MANY_REQUESTS),
    Attempt.BUSY: ("busy", HTTPStatus.TOO_MANY_REQUESTS),
}
Entered = Annotated[str, Form()]


def login_routes(database: Database, signer: Signer, *, framed: bool = False, clock: Clock = now) -> APIRouter:
    """Return the routes GET /login, POST /login and POST /logout. `framed`: in another site's frame, as on a Space."""
    routes, limit = APIRouter(), RateLimit(database, signer, "login", clock)

    @routes.get("/login")
    def ask(request: Request, next: str = HOME) -> Response:
        account = account_of(database, signer, request)
        if account:
            return RedirectResponse(page_after_login(next, account), HTTPStatus.SEE_OTHER)
        return login_page(preferred(request), next)

    @routes.get("/")
    def first(request: Request) -> Response:
        account = account_of(database, signer, request)
        return RedirectResponse(page_after_login(HOME, account) if account else HOME, HTTPStatus.SEE_OTHER)

    @routes.post("/login")
    async def enter(request: Request, name: Entered = "", password: Entered = "", next: Entered = HOME) -> Response:
        language = preferred(request)
        if not from_here(request):
            return login_page(language, next, name, "foreign", HTTPStatus.FORBIDDEN)
        name = name.replace("\0", "").strip()[:200].lower()
        opened: list[Account] = []

        def fits() -> bool:
            with reading(database) as session:
                account = signed_in(session, name=name, password=password)
            opened.extend([account] if account else [])
            return account is not None

        browser = signer.known_browser(request.cookies.get(KNOWN), name)
        attempt = await limit.attempt(fits, name=name, address=address_of(request), browser=browser)
        if attempt in REFUSED:
            return login_page(language, next, name, *REFUSED[attempt])
        reply = RedirectResponse(page_after_login(next, opened[0]), HTTPStatus.SEE_OTHER)
        keep(reply, request, signer, opened[0], framed=framed)
        return reply

    @routes.post("/logout")
    def leave(request: Request) -> Response:
        if not from_here(request):
            return Response(
                mistake_sentence(preferred(request), "foreign"), HTTPStatus.FORBIDDEN, media_type="text/plain"
            )
        _end(database, signer, request, clock)
        return remove_login(RedirectResponse("/login", HTTPStatus.SEE_OTHER), request, framed=framed)

    return routes


def account_of(database: Database, signer: Signer, request: HTTPConnection) -> Account | None:
    """Return the open account that a request is signed in as, None for nobody.

    It is read from the database for every request, once: who signs out or is shut, or gets another role or password, is
    so at once and on every server.
    """
    if FOUND not in request.scope:
        signed = signer.sign_in(request.cookies.get(COOKIE))
        request.scope[FOUND] = _present(database, signed) if signed else None
    return cast(Account | None, request.scope[FOUND])


def account_with_role(
    database: Database, signer: Signer, least: Role = "viewer"
) -> Callable[[HTTPConnection], str | None]:
    """Return the dependency that tells which account asks, None for nobody and for one that may do less than `least`.

    It is right for `auth_dependency` of a Gradio page, and for a plain route, which answers 401 to None.
    """

    def known(request: HTTPConnection) -> str | None:
        account = account_of(database, signer, request)
        return account.name if account and account.may(least) else None

    return known


def page_after_login(address: str, account: Account) -> str:
    """Return where somebody goes after signing in: to a path of this server, or to the first page the role opens."""
    asked = local(address)
    return RESULTS if asked == HOME and not account.may("manager") else asked


def address_of(request: HTTPConnection) -> str:
    """Return the address that a request comes from, as far as the proxies before this server are to be believed."""
    return request.client.host if request.client else ""


def from_here(request: HTTPConnection) -> bool:
    """Return whether a form was sent from a page of this very server; every browser says where from."""
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""


def keep(reply: Response, request: HTTPConnection, signer: Signer, account: Account, *, framed: bool) -> None:
    """Let the browser keep a sign-in, and beyond it that it was signed in to this account once."""
    known = request.cookies.get(KNOWN)
    if not signer.known_browser(known, account.name):
        known = signer.known_cookie(account.name)
    put(reply, request, COOKIE, signer.sign_in_cookie(account.name, account.version), SIGN_IN_HOURS, framed=framed)
    put(reply, request, KNOWN, known or "", 24 * KNOWN_DAYS, framed=framed)


def remove_login(reply: Response, request: HTTPConnection, *, framed: bool) -> Response:
    """Take a sign-in away from the browser."""
    put(reply, request, COOKIE, "", 0, framed=framed)
    return reply


def _present(database: Database, signed: SignIn) -> Account | None:
    with reading(database) as session:
        return present(session, name=signed.account, version=signed.version, key=signed.key)


def _end(database: Database, signer: Signer, request: HTTPConnection, clock: Clock) -> None:
    """End the sign-in of a request, if there is one: a copy of its cookie is worth nothing from now on."""
    signed, moment = signer.sign_in(request.cookies.get(COOKIE)), clock()
    if signed:
        with writing(database) as session:
            end_sign_in(session, key=signed.key, moment=moment, until=moment + timedelta(hours=SIGN_IN_HOURS))
