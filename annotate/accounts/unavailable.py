"""What people get while nothing can be stored: a calm sentence, and when to try again."""

from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response

from annotate.accounts.account_pages import unavailable_page
from annotate.accounts.cookies import NO_STORE, WORKERS, preferred
from data.wording import texts
from db.faults import meaning

AGAIN = "10"  # seconds


def wants_page(request: HTTPConnection) -> bool:
    """Return whether a person at a browser asks, and not a script."""
    return request.scope["method"] in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def unavailable(request: HTTPConnection, error: Exception) -> Response | None:
    """Return the response to what a full disk or an absent database keeps from being done, None for another fault."""
    if meaning(error) is None:
        return None
    language = preferred(request)
    sentence, headers = texts(language)["refusals"]["unavailable"], NO_STORE | {"Retry-After": AGAIN}
    if request.scope["path"].startswith(WORKERS):
        return JSONResponse({"error": sentence}, HTTPStatus.SERVICE_UNAVAILABLE, headers)
    if wants_page(request):
        return unavailable_page(language, sentence, headers | {"Refresh": AGAIN})
    return PlainTextResponse(sentence, HTTPStatus.SERVICE_UNAVAILABLE, headers)
