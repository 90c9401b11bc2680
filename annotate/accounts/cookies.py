"""Cookies of workers: that of a place in a study; and the language that a browser asks for."""

from fastapi import Request, Response
from starlette.requests import HTTPConnection

from annotate.accounts.signer import WORKER_COOKIE_DAYS, worker_cookie_name
from data.wording import FALLBACK, Language, languages

WORKERS = "/api/annotate/"  # what workers' routes begin with; the study follows, and what is asked
NO_STORE = {"Cache-Control": "no-store"}


def cookie_of(request: Request, study: str) -> str | None:
    """Return the cookie that holds the browser's place in a study."""
    return request.cookies.get(worker_cookie_name(study))


def set_cookie(response: Response, request: Request, study: str, value: str, *, framed: bool) -> None:
    """Keep a worker's place in the browser. A frame of another site gets only cookies that are made for it."""
    https = request.url.scheme == "https"
    response.set_cookie(
        worker_cookie_name(study),
        value,
        max_age=WORKER_COOKIE_DAYS * 24 * 3600,
        path="/",
        httponly=True,
        secure=https or framed,
        samesite="none" if framed else "lax",
    )
    if framed:
        response.headers["set-cookie"] += "; Partitioned"


def preferred(request: HTTPConnection) -> Language:
    """Return the first of our languages that the browser asks for ("pt" for "pt-BR"), else FALLBACK's first."""
    asked = (tag.split(";")[0].strip().lower() for tag in request.headers.get("accept-language", "").split(","))
    tags = (tag for part in asked for tag in (part, part.split("-")[0]))
    return next((tag for tag in tags if tag in languages()), FALLBACK[0])
