"""One's own account: changing the password, choosing one by a one-time link, and what the pages' head shows of them."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from annotate.accounts.account_pages import HOME, account_page, gone_page, password_page
from annotate.accounts.cookies import NO_STORE, preferred
from annotate.accounts.login import (
    REFUSED,
    Entered,
    account_of,
    address_of,
    from_here,
    keep,
    page_after_login,
    remove_login,
)
from annotate.accounts.rate_limit import Attempt, RateLimit
from annotate.accounts.signer import Signer
from db.accounts import Account, StaleKey, end_sign_ins, find_account, set_password, signed_in
from db.clock import Clock, now
from db.engine import Database, reading, writing
from db.passwords import WeakPassword

PAGE = "/account"
TO_LOGIN = f"/login?next={PAGE}"
OF_MANAGERS, OF_OWNERS = ("/manage/", "/models/"), ("/accounts/",)
SEE_OTHER = HTTPStatus.SEE_OTHER


@dataclass(frozen=True)
class Accounts:
    """What the routes below /account stand on.

    `framed`: in another site's frame; `passing`: what is stored here is lost with a restart, and that is said.
    """

    database: Database
    signer: Signer
    framed: bool = False
    passing: bool = False
    clock: Clock = now

    def of(self, request: Request) -> Account | None:
        """Return the account that a request is signed in as, None for nobody."""
        return account_of(self.database, self.signer, request)

    def stay(self, reply: Response, request: Request, account: Account) -> Response:
        """Return the reply with the sign-in of an account whose password has just been chosen."""
        keep(reply, request, self.signer, account, framed=self.framed)
        return reply


def account_routes(accounts: Accounts) -> APIRouter:
    """Return the routes below /account."""
    routes = APIRouter()
    add_own(routes, accounts)
    add_links(routes, accounts)

    @routes.get(f"{PAGE}/places.css")
    def places(request: Request) -> Response:
        style = style_of(accounts.of(request), passing=accounts.passing)
        return Response(style, media_type="text/css", headers=NO_STORE)

    return routes


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
        fits = partial(_is_password_of, accounts.database, account.name, present)
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
        return accounts.stay(account_page(language, changed, changed=True), request, changed)

    @routes.post(f"{PAGE}/leave")
    def leave_everywhere(request: Request) -> Response:
        account = accounts.of(request)
        if account is None:
            return RedirectResponse(TO_LOGIN, SEE_OTHER)
        if not from_here(request):
            return account_page(preferred(request), account, "foreign", status=HTTPStatus.FORBIDDEN)
        with writing(accounts.database) as session:
            end_sign_ins(session, name=account.name)
        return remove_login(RedirectResponse("/login", SEE_OTHER), request, framed=accounts.framed)


def add_links(routes: APIRouter, accounts: Accounts) -> None:
    """Add the page of a one-time link, on which somebody chooses a password."""

    @routes.get(f"{PAGE}/new/{{key}}")
    def ask(request: Request, key: str) -> Response:
        account = invited(accounts, key)
        return password_page(preferred(request), key, account.name) if account else gone_page(preferred(request))

    @routes.post(f"{PAGE}/new/{{key}}")
    def choose(request: Request, key: str, new: Entered = "", again: Entered = "") -> Response:
        language, account = preferred(request), invited(accounts, key)
        if account is None:
            return gone_page(language)
        if not from_here(request):
            return password_page(language, key, account.name, "foreign", HTTPStatus.FORBIDDEN)
        try:
            changed = _chosen(accounts.database, account, new, again)
        except StaleKey:
            return gone_page(language)
        if isinstance(changed, str):
            return password_page(language, key, account.name, changed, HTTPStatus.UNPROCESSABLE_ENTITY)
        return accounts.stay(RedirectResponse(page_after_login(HOME, changed), SEE_OTHER), request, changed)


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


def _is_password_of(database: Database, name: str, password: str) -> bool:
    with reading(database) as session:
        return signed_in(session, name=name, password=password) is not None


def _chosen(database: Database, account: Account, new: str, again: str) -> Account | str:
    """Return the account with its new password, or the name of what is wrong with that; raises StaleKey."""
    if new != again:
        return "unlike"
    try:
        with writing(database) as session:
            return set_password(session, name=account.name, version=account.version, password=new)
    except WeakPassword:
        return "weak"
