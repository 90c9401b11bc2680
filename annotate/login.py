"""Signing in to the requesters' pages: a form, a signed cookie, and patience with nobody who guesses passwords."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response

from annotate.access import STAFF_COOKIE_HOURS, Signer
from annotate.throttle import Throttle
from data.drawing.environment import environment
from data.wording import Language, Wording
from db.accounts import OWNER, check_password
from db.clock import Clock, now
from db.engine import Database, reading

COOKIE = "etalon_staff"
HOME = "/manage/"
TEMPLATES = Path(__file__).parent / "templates"
Entered = Annotated[str, Form()]

WRONG = Wording(
    "Имя или пароль не подошли. Проверьте раскладку и Caps Lock и попробуйте ещё раз.",
    "That name and password do not fit. Check the keyboard layout and Caps Lock and try again.",
)
FOREIGN = Wording(
    "Форма пришла с другого адреса, и войти по ней нельзя. Откройте эту страницу заново и войдите здесь.",
    "The form came from another address and cannot sign you in. Open this page again and sign in here.",
)
TOO_OFTEN = Wording(
    "Слишком много неудачных попыток. Подождите 15 минут и попробуйте ещё раз.",
    "Too many failed attempts. Wait 15 minutes and try again.",
)
WORDS = {
    "heading": Wording("Вход для исследователей", "Sign in"),
    "lead": Wording("Исследования, разметка и результаты.", "Studies, collection and results."),
    "name": Wording("Имя", "Name"),
    "password": Wording("Пароль", "Password"),
    "enter": Wording("Войти", "Sign in"),
    "lost": Wording(
        "Забыли пароль? Задайте новый в переменной ETALON_OWNER_PASSWORD и перезапустите сервер.",
        "Lost the password? Set a new one in ETALON_OWNER_PASSWORD and restart the server.",
    ),
}


def login_routes(database: Database, signer: Signer, *, framed: bool = False, clock: Clock = now) -> APIRouter:
    """Return the routes GET /login, POST /login and POST /logout. `framed`: in another site's frame, as on a Space."""
    routes, throttle = APIRouter(), Throttle(clock)
    known = staff(signer)

    @routes.get("/login")
    def ask(request: Request, next: str = HOME) -> Response:
        if known(request):
            return RedirectResponse(local(next), HTTPStatus.SEE_OTHER)
        return _form(request, next)

    @routes.post("/login")
    def enter(request: Request, name: Entered = "", password: Entered = "", next: Entered = HOME) -> Response:
        if not from_here(request):
            return _form(request, next, name, FOREIGN, HTTPStatus.FORBIDDEN)
        name = name.replace("\0", "").strip()[:200]
        sources = f"name:{name}", f"address:{request.client.host if request.client else ''}"
        allowed = throttle.attempt(sources, lambda: _checked(database, name, password))
        if allowed is None:
            return _form(request, next, name, TOO_OFTEN, HTTPStatus.TOO_MANY_REQUESTS)
        if not allowed:
            return _form(request, next, name, WRONG, HTTPStatus.UNAUTHORIZED)
        reply = RedirectResponse(local(next), HTTPStatus.SEE_OTHER)
        _keep(reply, signer.staff_cookie(name), https=request.url.scheme == "https", framed=framed)
        return reply

    @routes.post("/logout")
    def leave(request: Request) -> Response:
        if not from_here(request):
            return Response(FOREIGN.within(spoken(request)), HTTPStatus.FORBIDDEN, media_type="text/plain")
        reply = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
        reply.delete_cookie(COOKIE)
        return reply

    return routes


def staff(signer: Signer) -> Callable[[HTTPConnection], str | None]:
    """Return the dependency that tells which account a request is signed in as, None for nobody."""

    def known(request: HTTPConnection) -> str | None:
        return signer.account(request.cookies.get(COOKIE))

    return known


def local(address: str) -> str:
    """Return `address` if it is a path of this server, else the requesters' first page.

    Browsers read a backslash as a slash and drop control characters, and two slashes name another server.
    """
    plain = address.isprintable() and "\\" not in address
    inside = address.startswith("/") and not address.startswith("//")
    return address if plain and inside else HOME


def from_here(request: HTTPConnection) -> bool:
    """Return whether a form was sent from a page of this very server; every browser says where from."""
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""


def spoken(request: HTTPConnection) -> Language:
    """Return the language a browser asks for: Russian where it is named before English, or is the only one named."""
    wanted = request.headers.get("accept-language", "").lower()
    places = {tongue: wanted.find(tongue) for tongue in ("ru", "en")}
    return "ru" if places["ru"] >= 0 and (places["en"] < 0 or places["ru"] < places["en"]) else "en"


def _keep(reply: Response, cookie: str, *, https: bool, framed: bool) -> None:
    """Let the browser keep a sign-in. A frame of another site gets only cookies that are made for it."""
    reply.set_cookie(
        COOKIE,
        cookie,
        max_age=STAFF_COOKIE_HOURS * 3600,
        httponly=True,
        secure=https or framed,
        samesite="none" if framed else "lax",
    )
    if framed:
        reply.headers["set-cookie"] += "; Partitioned"


def _checked(database: Database, name: str, password: str) -> bool:
    with reading(database) as session:
        return check_password(session, name, password)


def _form(
    request: Request,
    next_page: str,
    name: str = OWNER,
    mistake: Wording | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    language = spoken(request)
    page = (
        environment(TEMPLATES)
        .get_template("login.html")
        .render(
            language=language,
            words={key: wording.within(language) for key, wording in WORDS.items()},
            mistake=mistake.within(language) if mistake else "",
            name=name,
            next=local(next_page),
        )
    )
    return HTMLResponse(page, status, {"Cache-Control": "no-store"})
