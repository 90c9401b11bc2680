"""The list of studies in a browser: searched, with the search in its address, and without what is archived."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Site
from tests.helpers.collection import make_study
from tests.helpers.requester_pages import signed_in


@pytest.mark.parametrize("width", [1280, 390])
def test_a_search_stands_in_the_address_and_an_archived_study_is_found_by_asking(
    browser: Browser, site: Site, width: int
) -> None:
    for name in (f"spring-{width}", f"autumn-{width}"):
        make_study(site.service.database, name=name, main=2)
    with signed_in(browser, site, width) as page:
        page.goto(f"{site.address}/manage/?find=autumn-{width}")
        names = page.locator(".studies tr [data-study]")
        expect(names).to_have_text([f"autumn-{width}"])
        search = page.get_by_label("Search")
        expect(search).to_have_value(f"autumn-{width}")
        search.fill(f"spring-{width}")
        expect(names).to_have_text([f"spring-{width}"])
        expect(page).to_have_url(re.compile(rf"find=spring-{width}"))
        names.click()
        page.get_by_role("button", name="Archive", exact=True).click()
        expect(page.get_by_role("button", name="Take out of the archive")).to_be_visible()
        page.get_by_role("button", name="← All studies").click()
        expect(page.get_by_text("No study has")).to_be_visible()
        search.fill(f"{width} archived")
        expect(names).to_have_text([f"spring-{width}"])
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
