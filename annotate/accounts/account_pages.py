"""The plain pages around an account: signing in, choosing a password, what is not open, not there, not possible now."""

from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from annotate.accounts.cookies import NO_STORE, WORKERS, preferred
from annotate.page_templates import template
from data.wording import Language, texts
from db.accounts import OWNER, SHORTEST_PASSWORD, Account, Role

HOME, RESULTS = "/manage/", "/results/"
AGAIN = "10"  # seconds


def login_page(
    language: Language,
    next_page: str,
    name: str = OWNER,
    mistake: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Return the form for signing in; `mistake` names what was wrong among the language's `account_mistakes`."""
    return _page("login.html", language, status, mistake, name=name, next=local(next_page))


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
    home = HOME if account.may("manager") else RESULTS
    return _page("account.html", language, status, mistake, name=account.name, role=role, changed=changed, home=home)


def password_page(
    language: Language, key: str, name: str, mistake: str = "", status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Return the page of a one-time link, on which somebody chooses a password."""
    return _page("new_password.html", language, status, mistake, key=key, name=name)


def missing_page(language: Language) -> Response:
    """Return the page of an address at which there is nothing."""
    lines = [texts(language)["account"]["missing_why"]]
    return _page("refused.html", language, HTTPStatus.NOT_FOUND, heading="missing", lines=lines, home="")


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


def gone_page(language: Language) -> Response:
    """Return the page of a link that does not work any more."""
    lines = [texts(language)["account"]["ask_anew"]]
    return _page("refused.html", language, HTTPStatus.GONE, heading="gone", lines=lines, home="")


def refused_page(language: Language, account: Account, least: Role, owners: list[str]) -> Response:
    """Return the page of somebody whose role does not open what was asked for: what it takes, and who can help."""
    words, roles = texts(language)["account"], texts(language)["roles"]
    blanks = {"name": account.name, "role": roles[account.role]["name"], "needed": roles[least]["name"]}
    lines = [words["role"].format(**blanks), words["ask"].format(owners=", ".join(owners))]
    home = RESULTS if not account.may("manager") else HOME
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
    mistake_text = mistake_sentence(language, mistake) if mistake else ""
    page = template(file)
    seen |= {
        "language": language,
        "words": texts(language)["account"],
        "least": SHORTEST_PASSWORD,
        "mistake": mistake_text,
    }
    return HTMLResponse(page.render(**seen), status, NO_STORE)
