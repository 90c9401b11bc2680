"""Signing in and out, one's own account, and how often a password may be tried."""

import asyncio
from asyncio import wrap_future
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Annotated, Any, TypeVar, cast
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from annotate.accounts.cookies import NO_STORE, STAFF, WORKERS, preferred, put
from annotate.accounts.proxies import network_of
from annotate.accounts.signer import KNOWN_DAYS, SIGN_IN_HOURS, Signer
from annotate.page_templates import template
from data.metrics import REFUSALS
from data.wording import Language, texts
from db.accounts import (
    OWNER,
    SHORTEST_PASSWORD,
    Account,
    Role,
    StaleKey,
    TooOften,
    WeakPassword,
    count_attempt,
    end_sign_in,
    end_sign_ins,
    find_account,
    forgive,
    has_failed,
    present,
    set_password,
    signed_in,
)
from db.clock import Clock, now
from db.engine import Database, reading, transact, writing

MOST_WAITING = 100  # of more, who has failed most gives up
T = TypeVar("T")


class Crowded(Exception):
    """Too many wait, and most of them have failed less often."""


@dataclass
class Lane:
    """Whoever comes goes before those who failed more often or came earlier: a crowd holds up nobody who comes after.

    One thread hashes, one says who is next, one counts failures: nobody who waits holds a thread that pages need.
    """

    waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    counting: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "counting"))
    calling: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "calling"))
    hashing: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "hashing"))

    async def aside(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, which looks at no password and waits for none."""
        return await wrap_future(self.counting.submit(work))

    async def turn(self, failures: int, work: Callable[[], T]) -> T:
        """Return what `work` returns when the turn of somebody with so many failures has come; raises Crowded."""
        job: Future[T] = Future()
        insort(self.waiting, (failures, -next(self.numbers), job, work))
        if len(self.waiting) > MOST_WAITING:
            self.waiting.pop()[2].set_exception(Crowded())
        else:
            self.calling.submit(self._next)
        return await wrap_future(job)

    def _next(self) -> None:
        """Do the work of who is first, and let them know what came of it."""
        _, _, job, work = self.waiting.pop(0)
        if not job.set_running_or_notify_cancel():
            return
        done = self.hashing.submit(work)
        if error := done.exception():
            job.set_exception(error)
        else:
            job.set_result(done.result())


WITHIN = timedelta(minutes=15)
FAILURES = 5  # of one name from one address, and of one browser that was signed in to it before
FROM_ADDRESS = 20  # of one address, whatever the name
STEP, LONGEST_DELAY = 0.25, 2.0  # seconds by which each failure of a name beyond FAILURES slows the next, and the most
AT_ONCE = 3  # attempts of one address, or of one browser that was signed in before, that wait for their turn


class Attempt(Enum):
    """What became of an attempt to sign in; the password of the last two was not looked at."""

    RIGHT = "right"
    WRONG = "wrong"
    TOO_OFTEN = "too often"
    BUSY = "busy"


@dataclass
class RateLimit:
    """How often somebody may fail, counted in the database for all servers; each `place` counts for itself.

    A name may fail FAILURES times from one address, an address FROM_ADDRESS times in all. Nobody is refused for what
    was tried elsewhere: a name that fails from many addresses is slowed, for all of them, by LONGEST_DELAY at most. A
    browser that was signed in to the name before is counted by itself alone, and waits for nobody else's guesses.

    AT_ONCE attempts of an address may wait. Passwords wait for each other in a lane, that of browsers which were signed
    in before in one of their own; who has failed too often is told so before it.
    """

    database: Database
    signer: Signer
    place: str
    clock: Clock = now
    strangers: Lane = field(default_factory=Lane)
    known: Lane = field(default_factory=Lane)
    waiting: Counter[str] = field(default_factory=Counter)

    async def attempt(self, check: Callable[[], object], *, name: str, address: str, browser: str = "") -> Attempt:
        """Return what became of an attempt to be `name`; `check` says whether it is right.

        `browser` is the key of one that was signed in to that very name before, "" for a stranger's.
        """
        attempt = await self._judged(check, name, address, browser)
        if attempt is not Attempt.RIGHT:
            REFUSALS.labels(f"{self.place}_{attempt.name.lower()}").inc()
        return attempt

    async def _judged(self, check: Callable[[], object], name: str, address: str, browser: str) -> Attempt:
        who = f"browser:{browser}" if browser else network_of(address)
        limits: dict[str, int | None] = {f"address:{who}": FROM_ADDRESS, f"pair:{who} {name}": FAILURES}
        limits = {who: FAILURES} if browser else limits | {f"name:{name}": None}
        if self.waiting[who] >= AT_ONCE:
            return Attempt.BUSY
        self.waiting[who] += 1
        try:
            return await self._attempted(self.known if browser else self.strangers, check, limits)
        except Crowded:
            return Attempt.BUSY
        finally:
            self.waiting -= Counter([who])

    async def _attempted(self, lane: Lane, check: Callable[[], object], limits: dict[str, int | None]) -> Attempt:
        """Count the attempt as failed before anything is tried: many at once are no way around the limits."""
        counted = {self.signer.digest_once("failure", f"{self.place} {what}"): most for what, most in limits.items()}
        failed = await lane.aside(lambda: self._count(counted))
        if failed is None:
            return Attempt.TOO_OFTEN
        free = next((number for source, number in failed.items() if counted[source] is None), 0)
        await asyncio.sleep(min(LONGEST_DELAY, STEP * max(0, free - 1 - FAILURES)))
        if not await lane.turn(next(iter(failed.values())), check):
            return Attempt.WRONG
        await lane.aside(lambda: transact(self.database, lambda session: forgive(session, sources=list(counted))))
        return Attempt.RIGHT

    def _count(self, limits: dict[str, int | None]) -> dict[str, int] | None:
        moment = self.clock()
        until = moment + WITHIN
        with reading(self.database) as session:
            if has_failed(session, limits=limits, moment=moment):
                return None
        try:
            return transact(
                self.database, lambda session: count_attempt(session, limits=limits, moment=moment, until=until)
            )
        except TooOften:
            return None


HOME, RESULTS = "/manage/", "/results/"
INSTITUTION = "/institution"
AGAIN = "10"  # seconds


def login_page(
    language: Language,
    next_page: str,
    name: str = OWNER,
    mistake: str = "",
    status: HTTPStatus = HTTPStatus.OK,
    *,
    institution: bool = False,
) -> Response:
    """Return the form for signing in; `mistake` names what was wrong among the language's `account_mistakes`."""
    way = f"{INSTITUTION}/?next={quote(local(next_page), safe='')}" if institution else ""
    return _page("login.html", language, status, mistake, name=name, next=local(next_page), institution=way)


def account_page(
    language: Language,
    account: Account,
    mistake: str = "",
    *,
    changed: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Return the page on which somebody who is signed in changes the password."""
    role = texts(language)["roles"][account.role]
    home = page_after_login(HOME, account)
    return _page("account.html", language, status, mistake, name=account.name, role=role, changed=changed, home=home)


def password_page(
    language: Language, key: str, name: str, mistake: str = "", status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Return the page of a one-time link, on which somebody chooses a password."""
    return _page("new_password.html", language, status, mistake, key=key, name=name)


NOTICES = {
    "missing": ("missing_why", HTTPStatus.NOT_FOUND),
    "welcome": ("welcome_why", HTTPStatus.OK),
    "gone": ("ask_anew", HTTPStatus.GONE),
}
"""Of an address at which there is nothing, for who comes without a sign-in, of a link that does not work any more."""


def notice_page(language: Language, notice: str) -> Response:
    """Return a page that says one of NOTICES, and leads to the sign-in."""
    why, status = NOTICES[notice]
    return _page("refused.html", language, status, heading=notice, lines=[texts(language)["account"][why]], home="")


def unavailable(request: HTTPConnection) -> Response:
    """Return the response to what a full disk or an absent database keeps from being done."""
    language, status = preferred(request), HTTPStatus.SERVICE_UNAVAILABLE
    sentence = texts(language)["refusals"]["unavailable"]
    response: Response = PlainTextResponse(sentence, status)
    if request.scope["path"].startswith(WORKERS):
        response = JSONResponse({"error": sentence}, status)
    elif wants_page(request):
        response = _page("refused.html", language, status, heading="unavailable", lines=[sentence], home="")
        response.headers["Refresh"] = AGAIN
    response.headers.update(NO_STORE | {"Retry-After": AGAIN})
    return response


def wants_page(request: HTTPConnection) -> bool:
    """Return whether a person at a browser asks, and not a script."""
    return request.scope["method"] in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def refused_page(language: Language, account: Account, least: Role, owners: list[str]) -> Response:
    """Return the page of somebody whose role does not open what was asked for: what it takes, and who can help."""
    words, roles = texts(language)["account"], texts(language)["roles"]
    blanks = {"name": account.name, "role": roles[account.role]["name"], "needed": roles[least]["name"]}
    lines = [words["role"].format(**blanks), words["ask"].format(owners=", ".join(owners))]
    home = page_after_login(HOME, account)
    return _page("refused.html", language, HTTPStatus.FORBIDDEN, heading="refused", lines=lines, home=home)


def local(address: str) -> str:
    """Return `address` if it is a path of this server, else the requesters' first page.

    Browsers read a backslash as a slash and drop control characters, and two slashes name another server.
    """
    plain = address.isprintable() and "\\" not in address
    inside = address.startswith("/") and not address.startswith("//")
    return address if plain and inside else HOME


def mistake_sentence(language: Language, mistake: str) -> str:
    """Return the sentence about a mistake, which is named as the language's `account_mistakes` name it."""
    return str(texts(language)["account_mistakes"][mistake].format(least=SHORTEST_PASSWORD))


def _page(file: str, language: Language, status: HTTPStatus, mistake: str = "", **seen: object) -> Response:
    said, words = mistake_sentence(language, mistake) if mistake else "", texts(language)["account"]
    page = template(file).render(language=language, words=words, least=SHORTEST_PASSWORD, mistake=said, **seen)
    return HTMLResponse(page, status, NO_STORE)


COOKIE, KNOWN = STAFF
FOUND = "etalon.account"  # where a request keeps whose it is, once that was looked up
REFUSED = {
    Attempt.WRONG: ("wrong", HTTPStatus.UNAUTHORIZED),
    Attempt.TOO_OFTEN: ("too_often", HTTPStatus.TOO_MANY_REQUESTS),
    Attempt.BUSY: ("busy", HTTPStatus.TOO_MANY_REQUESTS),
}
Entered = Annotated[str, Form()]
PAGE = "/account"
TO_LOGIN = f"/login?next={PAGE}"
OF_MANAGERS, OF_OWNERS = ("/manage/", "/models/", "/board-submissions"), ("/accounts/",)
SEE_OTHER = HTTPStatus.SEE_OTHER


@dataclass(frozen=True)
class Accounts:
    """What the routes of accounts stand on.

    `framed`: in another site's frame, as on a Space; `passing`: what is stored here is lost with a restart, and that is
    said. `institution`: the page of the sign-in leads to the institution's too.
    """

    database: Database
    signer: Signer
    framed: bool = False
    passing: bool = False
    institution: bool = False
    clock: Clock = now

    def of(self, request: HTTPConnection) -> Account | None:
        """Return the account that a request is signed in as, None for nobody."""
        return account_of(self.database, self.signer, request)

    def named(self, name: str, password: str) -> Account | None:
        """Return the open account of that name and password, None where there is none."""
        with reading(self.database) as session:
            return signed_in(session, name=name, password=password)

    def keep(self, reply: Response, request: Request, account: Account) -> Response:
        """Let the browser keep a sign-in, and beyond it that it was signed in to this account once."""
        known = request.cookies.get(KNOWN)
        if not self.signer.known_browser(known, account.name):
            known = self.signer.known_cookie(account.name)
        signed = self.signer.sign_in_cookie(account.name, account.version)
        put(reply, request, COOKIE, signed, SIGN_IN_HOURS, framed=self.framed)
        put(reply, request, KNOWN, known or "", 24 * KNOWN_DAYS, framed=self.framed)
        return reply

    def leave(self, request: Request) -> Response:
        """Take a sign-in away from the browser, and lead to the page of the sign-in."""
        reply = RedirectResponse("/login", SEE_OTHER)
        put(reply, request, COOKIE, "", 0, framed=self.framed)
        return reply


def account_routes(accounts: Accounts) -> APIRouter:
    """Return the routes of the sign-in, and those below /account."""
    routes = APIRouter()
    add_login(routes, accounts)
    add_own(routes, accounts)
    add_links(routes, accounts)

    @routes.get(f"{PAGE}/places.css")
    def places(request: Request) -> Response:
        style = style_of(accounts.of(request), passing=accounts.passing)
        return Response(style, media_type="text/css", headers=NO_STORE)

    return routes


def add_login(routes: APIRouter, accounts: Accounts) -> None:
    """Add the first page, GET /login, POST /login and POST /logout."""
    limit = RateLimit(accounts.database, accounts.signer, "login", accounts.clock)
    page = partial(login_page, institution=accounts.institution)

    @routes.get("/login")
    def ask(request: Request, next: str = HOME) -> Response:
        account = accounts.of(request)
        if account:
            return RedirectResponse(page_after_login(next, account), SEE_OTHER)
        return page(preferred(request), next)

    @routes.get("/")
    def first(request: Request) -> Response:
        account = accounts.of(request)
        if account:
            return RedirectResponse(page_after_login(HOME, account), SEE_OTHER)
        return notice_page(preferred(request), "welcome")

    @routes.post("/login")
    async def enter(request: Request, name: Entered = "", password: Entered = "", next: Entered = HOME) -> Response:
        language = preferred(request)
        if not from_here(request):
            return page(language, next, name, "foreign", HTTPStatus.FORBIDDEN)
        name = name.replace("\0", "").strip()[:200].lower()
        opened: Account | None = None

        def fits() -> Account | None:
            nonlocal opened
            opened = accounts.named(name, password)
            return opened

        browser = accounts.signer.known_browser(request.cookies.get(KNOWN), name)
        attempt = await limit.attempt(fits, name=name, address=address_of(request), browser=browser)
        if opened is None or attempt in REFUSED:
            return page(language, next, name, *REFUSED[attempt])
        reply = RedirectResponse(page_after_login(next, opened), SEE_OTHER)
        return accounts.keep(reply, request, opened)

    @routes.post("/logout")
    def leave(request: Request) -> Response:
        if not from_here(request):
            return PlainTextResponse(mistake_sentence(preferred(request), "foreign"), HTTPStatus.FORBIDDEN)
        signed, moment = accounts.signer.sign_in(request.cookies.get(COOKIE)), accounts.clock()
        if signed:  # a copy of its cookie is worth nothing from now on
            with writing(accounts.database) as session:
                end_sign_in(session, key=signed.key, moment=moment, until=moment + timedelta(hours=SIGN_IN_HOURS))
        return accounts.leave(request)


def account_of(database: Database, signer: Signer, request: HTTPConnection) -> Account | None:
    """Return the open account that a request is signed in as, None for nobody.

    It is read from the database for every request, once: who signs out or is shut, or gets another role or password, is
    so at once and on every server.
    """
    if FOUND not in request.scope:
        signed = signer.sign_in(request.cookies.get(COOKIE))
        request.scope[FOUND] = None
        if signed:
            with reading(database) as session:
                found = present(session, name=signed.account, version=signed.version, key=signed.key)
            request.scope[FOUND] = found
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


def add_own(routes: APIRouter, accounts: Accounts) -> None:
    """Add the page on which somebody who is signed in changes the password, or ends every sign-in."""
    limit = RateLimit(accounts.database, accounts.signer, "password", accounts.clock)
    refused = REFUSED | {Attempt.WRONG: ("not_yours", HTTPStatus.FORBIDDEN)}

    @routes.get(PAGE)
    def own(request: Request) -> Response:
        account = accounts.of(request)
        return account_page(preferred(request), account) if account else RedirectResponse(TO_LOGIN, SEE_OTHER)

    @routes.post(f"{PAGE}/password")
    async def change(request: Request, present: Entered = "", new: Entered = "", again: Entered = "") -> Response:
        language, account = preferred(request), await run_in_threadpool(accounts.of, request)
        if account is None:
            return RedirectResponse(TO_LOGIN, SEE_OTHER)
        if not from_here(request):
            return account_page(language, account, "foreign", status=HTTPStatus.FORBIDDEN)
        fits = partial(accounts.named, account.name, present)
        attempt = await limit.attempt(fits, name=account.name, address=address_of(request))
        if attempt in refused:
            mistake, status = refused[attempt]
            return account_page(language, account, mistake, status=status)
        try:
            changed = await run_in_threadpool(_chosen, accounts.database, account, new, again)
        except StaleKey:
            return RedirectResponse(TO_LOGIN, SEE_OTHER)
        if isinstance(changed, str):
            return account_page(language, account, changed, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return accounts.keep(account_page(language, changed, changed=True), request, changed)

    @routes.post(f"{PAGE}/leave")
    def leave_everywhere(request: Request) -> Response:
        account = accounts.of(request)
        if account is None:
            return RedirectResponse(TO_LOGIN, SEE_OTHER)
        if not from_here(request):
            return account_page(preferred(request), account, "foreign", status=HTTPStatus.FORBIDDEN)
        with writing(accounts.database) as session:
            end_sign_ins(session, name=account.name)
        return accounts.leave(request)


def add_links(routes: APIRouter, accounts: Accounts) -> None:
    """Add the page of a one-time link, on which somebody chooses a password."""

    @routes.get(f"{PAGE}/new/{{key}}")
    def ask(request: Request, key: str) -> Response:
        account = invited(accounts, key)
        language = preferred(request)
        return password_page(language, key, account.name) if account else notice_page(language, "gone")

    @routes.post(f"{PAGE}/new/{{key}}")
    def choose(request: Request, key: str, new: Entered = "", again: Entered = "") -> Response:
        language, account = preferred(request), invited(accounts, key)
        if account is None:
            return notice_page(language, "gone")
        if not from_here(request):
            return password_page(language, key, account.name, "foreign", HTTPStatus.FORBIDDEN)
        try:
            changed = _chosen(accounts.database, account, new, again)
        except StaleKey:
            return notice_page(language, "gone")
        if isinstance(changed, str):
            return password_page(language, key, account.name, changed, HTTPStatus.UNPROCESSABLE_ENTITY)
        return accounts.keep(RedirectResponse(page_after_login(HOME, changed), SEE_OTHER), request, changed)


def invited(accounts: Accounts, key: str) -> Account | None:
    """Return the account whose one-time link has that key, None where it was used, has been replaced or is too old."""
    named = accounts.signer.account_of(key)
    if named is None:
        return None
    with reading(accounts.database) as session:
        account = find_account(session, name=named[0])
    return account if account and account.version == named[1] and account.state != "shut" else None


def style_of(account: Account | None, *, passing: bool) -> str:
    """Return the style sheet that hides the ways to pages an account may not open, and shows what has to be said."""
    shut = [*(() if account and account.may("manager") else OF_MANAGERS)]
    shut += [] if account and account.may("owner") else OF_OWNERS
    rules = [f'.masthead nav a[href="{address}"] {{ display: none !important; }}' for address in shut]
    return "\n".join([*rules, *([".masthead .passing { display: block !important; }"] if passing else [])])


def _chosen(database: Database, account: Account, new: str, again: str) -> Account | str:
    """Return the account with its new password, or the name of what is wrong with that; raises StaleKey."""
    if new != again:
        return "unlike"
    try:
        with writing(database) as session:
            return set_password(session, name=account.name, version=account.version, password=new)
    except WeakPassword:
        return "weak"
