"""What the workers' routes read from a browser and leave in it: the cookie of a place, the language it asks for."""

from fastapi import Request, Response

from annotate.access import WORKER_COOKIE_DAYS, worker_cookie_name
from data.wording import LANGUAGES, Language

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


def preferred(request: Request) -> Language:
    """Return the first of our languages that the browser asks for, English for none of them."""
    asked = [tag.strip()[:2].lower() for tag in request.headers.get("accept-language", "").split(",")]
    return next((known for tag in asked for known in LANGUAGES if tag == known), "en")
