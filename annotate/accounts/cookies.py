"""Cookies of ours, how many a browser may bring, and the language that it asks for."""

import re

from fastapi import Request, Response
from starlette.requests import HTTPConnection

from annotate.accounts.signer import WORKER_COOKIE_DAYS, worker_cookie_name
from data.limits import MOST_COOKIES
from data.wording import FALLBACK, Language, languages

OURS = "etalon_"  # what the names of our cookies begin with
STAFF = "etalon_staff", "etalon_known"  # of who signs in; the others hold places of workers
PLACE = re.compile(rf"{OURS}\w+", re.ASCII)
MOST_EXPIRED = 200  # cookies: more than a browser keeps of one server
WORKERS = "/api/annotate/"  # what workers' routes begin with; the study follows, and what is asked
NO_STORE = {"Cache-Control": "no-store"}


def cookie_of(request: Request, study: str) -> str | None:
    """Return the cookie that holds the browser's place in a study."""
    return request.cookies.get(worker_cookie_name(study))


def set_cookie(response: Response, request: HTTPConnection, study: str, value: str, *, framed: bool) -> None:
    """Keep a worker's place in the browser, and give up the oldest ones beyond MOST_COOKIES."""
    name = worker_cookie_name(study)
    expire_places(response, request, but=name, framed=framed)
    put(response, request, name, value, WORKER_COOKIE_DAYS * 24, framed=framed)


def too_many(request: HTTPConnection) -> bool:
    """Return whether a browser brings more cookies of ours than any of ours has."""
    sent = sum(value.count(OURS.encode()) for name, value in request.scope["headers"] if name == b"cookie")
    return sent > MOST_COOKIES and sum(name.startswith(OURS) for name in request.cookies) > MOST_COOKIES


def expire_places(response: Response, request: HTTPConnection, *, but: str = "", framed: bool) -> None:
    """Let the browser forget the oldest places, of which it tells first, so that with one more there are not too many.

    `but` is the name of one that stays.
    """
    places = [name for name in request.cookies if PLACE.fullmatch(name) and name not in (*STAFF, but)]
    for name in places[: max(0, len(places) + 1 + len(STAFF) - MOST_COOKIES)][:MOST_EXPIRED]:
        put(response, request, name, "", 0, framed=framed)


def put(response: Response, request: HTTPConnection, name: str, value: str, hours: int, *, framed: bool) -> None:
    """Set a cookie, or take it away after 0 hours. A frame of another site gets only cookies made for it."""
    https = request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=hours * 3600, httponly=True, secure=https or framed, samesite="none" if framed else "lax"
    )
    if framed:
        response.raw_headers[-1] = (response.raw_headers[-1][0], response.raw_headers[-1][1] + b"; Partitioned")


def preferred(request: HTTPConnection) -> Language:
    """Return the first of our languages that the browser asks for ("pt" for "pt-BR"), else FALLBACK's first."""
    asked = (tag.split(";")[0].strip().lower() for tag in request.headers.get("accept-language", "").split(","))
    tags = (tag for part in asked for tag in (part, part.split("-")[0]))
    return next((tag for tag in tags if tag in languages()), FALLBACK[0])
