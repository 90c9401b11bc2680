"""The requesters' pages in the browser that the owner has signed in with."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page


@contextmanager
def signed_in(signed: BrowserContext, width: int = 1280) -> Iterator[Page]:
    """Give a tab of that browser; at the end no script has broken in it."""
    broken: list[str] = []
    page = signed.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    page.close()
    assert broken == []
