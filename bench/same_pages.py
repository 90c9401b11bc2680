"""What the pages of a running server draw for the owner, tab by tab and press by press, and the files they link to."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2

from bench.same_browser import Page, path_of
from bench.same_studies import THOROUGH

PASSWORD = "the password of two checkouts"
ONE_BY_ONE = httpx2.Limits(max_keepalive_connections=0)  # a connection that waits is closed by the server some day
FILES = ("/results-files/", "/manage-files/", "/models-files/")
EVENTS = {"open": "item", "pick": "worker", "look": "show", "scope": "show"}
"""The events of drawings that change nothing, and what is pressed must tell for each."""
BUTTONS = ("New study", "Ask a model", "Import a run")  # which open a form
PRESSES = 12  # of one event on one page
ITEMS = 4  # pages of single items and of lists of them, of one study


def write_pages(address: str, folder: Path, studies: Sequence[str]) -> None:
    """Write what every page draws, and every file that it links to."""
    folder.mkdir()
    with httpx2.Client(
        base_url=address, headers={"origin": address}, timeout=120, trust_env=False, limits=ONE_BY_ONE
    ) as client:
        keep(folder, "login", client.get("/login").content)
        client.post("/login", data={"name": "owner", "password": PASSWORD})
        for name in ("account", "favicon.ico"):
            keep(folder, name, client.get(f"/{name}").content)
        links: dict[str, None] = {}
        for page in ("results", "manage", "models", "accounts"):
            keep(folder, f"{page}-form", Page(client, f"/{page}/").form().encode())
            links |= dict.fromkeys(write_page(client, f"/{page}/", folder))
        for study in studies:
            for page in ("results", "manage", "models"):
                links |= dict.fromkeys(write_page(client, f"/{page}/?study={study}", folder, study in THOROUGH))
        for link in links:
            if link.startswith(FILES):
                keep(folder, path_of(link), client.get(link).content)


def write_page(client: httpx2.Client, address: str, folder: Path, thorough: bool = False) -> list[str]:
    """Write what a page draws when it is opened and when its tabs are; return where it links to."""
    page, name = Page(client, address), path_of(address)
    keep(folder, name, page.load().encode())
    links = page.links()
    for label, number in page.tabs() if "study=" in address else ():
        keep(folder, f"{name}-{label}", page.fire(number, "select").encode())
    for button in BUTTONS if thorough else ():
        for number in page.buttons(button):
            keep(folder, f"{name}-{button}", page.fire(number, "click").encode())
    if thorough:
        keep(folder, f"{name}-pressed", "\n".join(pressed(page)).encode())
        shown = sorted(
            (link for link in links if link.startswith("?") and "tab=" in link), key=lambda link: "item=" not in link
        )
        for link in shown[:ITEMS] if name.startswith("results") else ():
            keep(folder, path_of(link), Page(client, f"/results/{link}").load().encode())
    return [*links, *page.links()]


def pressed(page: Page) -> Iterator[str]:
    """Yield what is drawn when what can be pressed in the drawings is pressed, each once."""
    for event, needed in EVENTS.items():
        for number in page.events(event):
            presses = [press for press in page.presses(number) if needed in press]
            for press in presses[:PRESSES]:
                yield f"##### {event} {press}\n{page.fire(number, event, press)}"


def keep(folder: Path, name: str, content: bytes) -> None:
    """Write what was drawn into a file."""
    (folder / name[:150]).write_bytes(content)
