"""The list of studies in a browser: searched, with the search in its address, and without what is archived."""

import re

from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import Site
from tests.helpers.collection import make_study
from tests.helpers.requester_pages import signed_in


def test_a_search_stands_in_the_address_and_an_archived_study_is_found_by_asking(
    signed: BrowserContext, site: Site
) -> None:
    for name in ("spring", "autumn"):
        make_study(site.service.database, name=name, main=2)
    with signed_in(signed, 390) as page:
        page.goto(f"{site.address}/manage/?find=autumn")
        names = page.locator(".studies tr [data-study]")
        expect(names).to_have_text(["autumn"])
        search = page.get_by_label("Search")
        expect(search).to_have_value("autumn")
        search.fill("spring")
        expect(names).to_have_text(["spring"])
        expect(page).to_have_url(re.compile("find=spring"))
        names.click()
        page.get_by_role("button", name="Archive", exact=True).click()
        expect(page.get_by_role("button", name="Take out of the archive")).to_be_visible()
        page.get_by_role("button", name="← All studies").click()
        expect(page.get_by_text("No study has")).to_be_visible()
        search.fill("spring archived")
        expect(names).to_have_text(["spring"])
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
