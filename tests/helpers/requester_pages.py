"""The requesters' pages in a browser that the owner has signed in with."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from db.accounts import ensure_owner
from db.engine import writing
from tests.e2e.conftest import Site

PASSWORD = "a password for tests"


@contextmanager
def signed_in(browser: Browser, site: Site, width: int = 1280) -> Iterator[Page]:
    """Give a tab of such a browser; at the end no script has broken in it."""
    with writing(site.service.database) as session:
        ensure_owner(session, PASSWORD)
    broken: list[str] = []
    with browser.new_context(
        viewport={"width": width, "height": 900}, locale="en-US", accept_downloads=True
    ) as context:
        told: dict[str, str | float | bool] = {"name": "owner", "password": PASSWORD}
        assert context.request.post(f"{site.address}/login", form=told, headers={"origin": site.address}).ok
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        yield page
    assert broken == []
