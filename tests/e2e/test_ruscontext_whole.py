"""RusConText whole: the authors' files, people, baselines and models by commands, then every page and the report."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from data.catalogue.catalog import get_task
from db.engine import reading
from db.studies import list_studies
from tests.e2e.conftest import Site
from tests.helpers.requester_pages import signed_in
from tests.helpers.whole_ruscontext import FILES, GOOD, POOR, Whole, make_studies

NUMBER = 8
OPENED = "idiom_texts"
"""The task whose page is unfolded and whose items, models and people are looked at."""


@pytest.fixture
def whole(site: Site, shared: Path) -> Whole:
    """A study of each task in the site's database, where a test that is tried again finds those of its first try."""
    url = site.service.database.url
    home = Path(str(url.database)).parent  # the site's own: its secret is the one of the database
    made = Whole(site.service.database, home, shared / "ruscontext")
    with reading(site.service.database) as session:
        there = {study.name for study in list_studies(session)}
    missing = [name for name in FILES if name not in there]
    # A run wants SIGTERM and an event loop of its own; the one of this process is Playwright's.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        process.submit(make_studies, str(url), home, made.folder, missing, NUMBER).result()
    return made


@pytest.fixture
def staff(signed: BrowserContext, site: Site, whole: Whole) -> Iterator[Page]:
    """A signed-in page that asks nobody else for anything; at the end nothing failed."""
    failed: list[str] = []
    with signed_in(signed) as page:
        page.on("response", lambda reply: failed.append(reply.url) if reply.status >= 400 else None)
        page.on("request", lambda asked: None if asked.url.startswith(f"{site.address}/") else failed.append(asked.url))
        yield page
    signed.set_offline(False)
    assert [one for one in failed if not one.startswith(("data:", "blob:", "file:"))] == []


def test_a_benchmark_from_its_files_to_the_report(staff: Page, site: Site, whole: Whole, tmp_path: Path) -> None:
    overview(staff, site)
    for name in FILES:
        task_page(staff, site, name)
    unfolded(staff, site)
    others(staff, site)
    report = tmp_path / "report.html"
    assert whole.command("results", OPENED, "--report", report).exit_code == 0
    exported(staff, site, report)


def overview(staff: Page, site: Site) -> None:
    """Each task is a row with people, models and baselines in it."""
    staff.goto(f"{site.address}/results/")
    table = staff.locator("table").first
    for name in FILES:
        title = get_task(f"ruscontext/{name}").title.within("en")
        expect(table.locator(f'a[href="/results/?study={name}"]')).to_have_text(title)
    for column in ("people", GOOD, POOR, "majority", "random", "tfidf"):
        expect(table.get_by_role("columnheader", name=column).first).to_be_visible()


def task_page(staff: Page, site: Site, name: str) -> None:
    """The page of a task names everybody, people marked as simulated, and keeps the width of its window."""
    staff.locator(f'a[href$="study={name}"]').first.click()
    expect(staff).to_have_url(f"{site.address}/results/?study={name}")
    expect(staff.locator("h1 small")).to_have_text(name)
    expect(staff.locator(".report .title")).to_contain_text(f"on {NUMBER} items")
    for who in (GOOD, POOR, "random", "majority"):
        expect(staff.get_by_role("rowheader", name=who).first).to_be_visible()
    expect(staff.get_by_text("judgments are simulated").first).to_be_visible()
    assert not staff.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    staff.get_by_role("link", name="← Results").click()


def unfolded(staff: Page, site: Site) -> None:
    """Every tab of a task's page and every part of it opens, and no error stands in it."""
    staff.goto(f"{site.address}/results/?study={OPENED}")
    parts = 0
    for tab in ("Scores", "Agreement", "Models", "Download"):
        staff.locator("nav.tabs").get_by_role("link", name=tab).click()
        expect(staff.locator("nav.tabs a[aria-current]")).to_have_text(tab)
        for title in staff.locator("section:has(.part-head a):not(:has(.section-body)) h2").all_inner_texts():
            part = staff.get_by_role("region", name=title, exact=True)
            part.get_by_role("link", name="Show").click()
            expect(part.locator(".section-body table").first).to_be_attached()
            parts += 1
    assert parts == 3
    expect(staff.locator("[role=alert]")).to_have_count(0)  # Gradio's word for what went wrong


def others(staff: Page, site: Site) -> None:
    """The pages of an item, of the models and of the people show what the commands made."""
    staff.goto(f"{site.address}/results/?study={OPENED}&tab=items")
    staff.get_by_role("link", name="1", exact=True).click()
    expect(staff.get_by_role("heading", level=1)).to_have_text(f"Item 1 of {NUMBER}")
    expect(staff.get_by_role("heading", name="What models replied")).to_be_visible()
    staff.goto(f"{site.address}/models/?study={OPENED}")
    expect(staff.locator(".runs tbody tr")).to_have_count(5)
    expect(staff.locator(".runs tbody tr").first).to_contain_text(f"{NUMBER} of {NUMBER}")
    staff.goto(f"{site.address}/manage/?study={OPENED}")
    expect(staff.get_by_role("heading", level=1)).to_have_text(f"{OPENED} open")
    expect(staff.get_by_text("3 of 3 workers simulated")).to_be_visible()


def exported(staff: Page, site: Site, printed: Path) -> None:
    """The command and the page write the very same report, which opens from a file without a network."""
    whole = printed.with_name("whole.html")
    reply = staff.context.request.get(f"{site.address}/results-files/{OPENED}/report.html")
    whole.write_bytes(reply.body())
    assert whole.read_bytes() == printed.read_bytes()
    staff.goto("about:blank")  # the page that was open asks for news of its study
    asked: list[str] = []
    staff.on("request", lambda request: asked.append(request.url))
    staff.context.set_offline(True)
    for file in (printed, whole):
        staff.goto(file.as_uri())
        expect(staff.get_by_role("heading", level=1)).to_contain_text("People and models")
        expect(staff.get_by_role("cell", name=GOOD).first).to_be_visible()
        staff.set_viewport_size({"width": 390, "height": 800})
        assert not staff.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert asked == [file.as_uri() for file in (printed, whole)]
