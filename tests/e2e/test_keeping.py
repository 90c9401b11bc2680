"""Who reads keeps the item, in a browser: with a lease of seconds, so that nobody has to wait a quarter of an hour."""

import re
import time

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from sqlmodel import select

from annotate.worker.stages import Act
from data.wording import texts
from db.engine import reading
from db.studies import Study
from db.tables import COMEBACKS, AssignmentRow, EnrolmentRow
from tests.e2e.conftest import Site, Worker

SAYS = texts("ru")["says"]
CLOCK = r"\d\d:\d\d(:\d\d)?"
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def one_item(site: Site, seconds: float, **settings: object) -> Study:
    values = {"overlap": 1, "page_controls": 0, "lease_minutes": seconds / 60} | settings
    return site.study(task="ruscontext/ellipsis", main=2, training=0, control=0, **values)


def reads(page: Page, seconds: float) -> None:
    """Move about on the page for so long, as who reads a text does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        page.mouse.move(300 + time.monotonic() % 50, 300)
        page.mouse.wheel(0, 40)
        page.wait_for_timeout(500)


def reads_on_its_clock(page: Page, seconds: int) -> None:
    """The same by the clock of the page, which is put forward a second at a time."""
    for moved in range(seconds):
        page.mouse.move(300 + moved, 300)
        page.mouse.wheel(0, 40)
        page.clock.run_for(1000)


def leases(site: Site, study: Study) -> list[str]:
    with reading(site.service.database) as session:
        rows = session.execute(select(AssignmentRow).where(AssignmentRow.study_id == study.id))
        return sorted(row.status for row in rows)


def matching(words: str, *more: str) -> re.Pattern[str]:
    said = " ".join((words, *more)).replace("{time}", "TIME")
    return re.compile("^" + re.escape(said).replace("TIME", CLOCK) + "$")


def test_who_reads_longer_than_the_time_of_an_item_still_has_it_and_can_answer(worker: Worker, site: Site) -> None:
    study = one_item(site, 8)
    worker.sit(site, study)
    before = worker.token()
    reads(worker.page, 14)
    service = site.service
    other = service.join(study.name, service.signer.invitation(study.name), language="ru")
    for kind in ("consent", "begin"):
        service.act(study.name, other, Act(kind))
    assert worker.token() == before
    assert worker.page.locator("[data-note]:not(:empty)").count() == 0
    assert leases(site, study) == ["held", "held"], "the other one got the other item"
    worker.page.locator("input.typed").fill("купил")
    worker.page.keyboard.press("Enter")
    worker.gone_on(before)
    assert "done" in leases(site, study)
    assert "expired" not in leases(site, study)


def test_the_end_is_told_calmly_and_what_was_typed_outlives_it(worker: Worker, site: Site) -> None:
    worker.sit(site, one_item(site, 6))
    page, before = worker.page, worker.token()
    page.locator("input.typed").fill("купил")
    kept = page.locator("[data-kept]")
    expect(kept).to_have_text(matching(SAYS["kept"], SAYS["kept_longer"]))
    expect(page.locator("[data-note]")).to_have_text("")
    assert kept.evaluate("one => one.closest('[role=alert], [aria-live]')") is None, "it is not read out by itself"
    expect(page.locator("[data-status]")).to_have_text(kept.inner_text())
    expect(page.locator("[data-note]")).to_have_text(SAYS["overdue"])
    expect(kept).to_have_text("")
    assert worker.token() == before
    expect(page.locator("input.typed")).to_have_value("купил")
    page.keyboard.press("Enter")
    worker.gone_on(before)


def test_who_went_away_gets_no_item_after_item_but_finds_theirs_on_coming_back(worker: Worker, site: Site) -> None:
    study = one_item(site, 3)
    worker.sit(site, study)
    page, before = worker.page, worker.token()
    page.evaluate(HIDE, "hidden")
    page.wait_for_timeout(6000)
    assert leases(site, study) == ["held"], "nobody asked for another one"
    assert worker.token() == before
    expect(page.locator("[data-note]")).to_have_text(SAYS["over"])
    with page.expect_response("**/state"):
        page.evaluate(HIDE, "visible")
    expect(page.locator("[data-note]")).to_have_text("")
    assert worker.token() == before
    assert leases(site, study) == ["held"]


def test_four_times_the_length_is_the_end_for_who_reads_on_too_unless_nobody_else_wants_it(
    worker: Worker, site: Site
) -> None:
    study = one_item(site, 5)
    worker.sit(site, study)
    page, before, begun = worker.page, worker.token(), time.monotonic()
    last = matching(SAYS["kept"], SAYS["kept_last"])
    while not last.match(page.inner_text("[data-kept]")) and time.monotonic() < begun + 60:
        reads(page, 0.5)
    assert worker.token() == before
    assert 15 <= time.monotonic() - begun <= 22
    reads(page, 6)
    assert worker.token() == before
    expect(page.locator("[data-note]")).to_have_text("")
    with reading(site.service.database) as session:
        here = select(EnrolmentRow).where(EnrolmentRow.study_id == study.id)
        assert session.execute(here).one().comebacks == COMEBACKS - 2, "it ran out once, and is kept anew"


def test_without_a_connection_signs_of_life_fail_in_silence(worker: Worker, site: Site) -> None:
    worker.page.clock.install()
    worker.interceptable()
    worker.sit(site, one_item(site, 60))
    page, cut = worker.page, []

    def abort(route: Route) -> None:
        cut.append(route.request.url)
        route.abort()

    page.route("**/alive", abort)
    with page.expect_event("requestfailed"):
        reads_on_its_clock(page, 14)
    assert len(cut) == 1, "one for every fifth of the time"
    assert page.locator("[data-note]:not(:empty)").count() == 0
    page.unroute("**/alive")
    with page.expect_response("**/alive") as heard:
        reads_on_its_clock(page, 13)
    assert heard.value.json()["kept"]["seconds"] == 60


@pytest.mark.parametrize("language", ["ru", "en"])
def test_on_a_phone_the_end_stands_above_the_button_and_hides_nothing(
    browser: Browser, site: Site, language: str
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    worker = Worker(context.new_page())
    worker.page.clock.install()
    worker.sit(site, one_item(site, 20))
    if language == "en":
        worker.page.locator("[data-act=language]").tap()
        worker.page.wait_for_selector('.screen[lang="en"][data-settled]')
    kept, button = worker.page.locator("[data-kept]"), worker.page.locator("button.main")
    told = texts(language)["says"]
    worker.page.clock.fast_forward(14_000)
    expect(kept).to_be_visible()
    expect(kept).to_contain_text(told["kept"].split("{")[0])
    line, below = kept.bounding_box(), button.bounding_box()
    assert line is not None
    assert below is not None
    assert line["y"] + line["height"] <= below["y"]
    assert worker.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
