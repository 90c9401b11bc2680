"""A study is computed while the browser is still loading the page that will ask for it."""

from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from baseline.pages.shelf import Shelf

PAGES = ("/results/", "/items/")


@dataclass(frozen=True)
class Ahead:
    """ASGI middleware, to be put behind the guard: whoever comes here may open these pages."""

    app: ASGIApp
    shelf: Shelf

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin with the study in the address of a page, then hand the request on."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] in PAGES:
            for study in asked_study(scope["query_string"]):
                self.shelf.expect(study)
        await self.app(scope, receive, send)


def asked_study(query: bytes) -> list[str]:
    """Return the study that the query of an address names, nothing where it names none; a browser may send anything."""
    found = parse_qs(query[:2000].decode("latin-1"), errors="replace")
    return [name for name in found.get("study", [])[:1] if "\0" not in name]
