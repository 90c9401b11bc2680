"""The results of a study in a real browser: its tabs, its rules, what is computed on request, and what may be taken."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from db.engine import writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study
from db.workers import add_worker
from tests.e2e.conftest import Site
from tests.e2e.test_accessibility import violations
from tests.helpers.requester_pages import signed_in

MODELS = ("openai:good", "openai:poor", "openai:half")
TABS = ("Scores", "Items", "Agreement", "Models", "Download")
COLOURS: tuple[Literal["light", "dark"], ...] = ("dark", "light")
FADED = """() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => Promise.allSettled(
  document.querySelector(".results").getAnimations({ subtree: true })
    .filter((one) => one.timeline === document.timeline)  // what goes with scrolling never ends
    .map((one) => one.finished))).then(() => true)"""
WORDS_IN_SIGHT = """() => {
  const words = [], walker = document.createTreeWalker(document.querySelector(".results"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNode(walker.currentNode);
    const { top, width } = range.getBoundingClientRect();
    if (width && top < innerHeight) words.push(...(walker.currentNode.data.match(/\\S*\\p{L}\\S*/gu) ?? []));
  }
  return words.length;
}"""


@pytest.fixture(scope="module")
def study(site: Site) -> Study:
    """Twelve items with three answers each, one of them wrong on every third item, and three models."""
    made = site.study(main=12, overlap=3)
    with writing(site.service.database) as session:
        stored = list_items(session, study=made, role="main")
        workers = [add_worker(session) for _ in range(3)]
        golds = [int(str(entry.item.gold)) for entry in stored]
        given = [
            Judgment(entry.key, worker, str(1 - gold if place % 3 == 0 and who == 0 else gold))
            for place, (entry, gold) in enumerate(zip(stored, golds, strict=True))
            for who, worker in enumerate(workers)
        ]
        add_judgments(session, study=made, judgments=given)
        for model, wrong in zip(MODELS, (12, 1, 2), strict=True):
            run = create_run(session, study=made, model=model, kind="model", settings={})
            said = [
                Prediction(entry.key, 0, "Ответ", str(1 - gold if place % wrong == 0 else gold), "ok")
                for place, (entry, gold) in enumerate(zip(stored, golds, strict=True))
            ]
            add_predictions(session, run=run, predictions=said)
            finish_run(session, run=run)
    return made


@pytest.fixture(scope="module")
def desk(signed: BrowserContext) -> Iterator[Page]:
    """A signed-in tab of 1280 x 800 in which no script breaks."""
    with signed_in(signed) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        yield page


@pytest.fixture
def staff(desk: Page, site: Site, study: Study) -> Page:
    """The results of the study."""
    desk.goto(f"{site.address}/results/?study={study.name}")
    expect(desk.locator(".lead")).to_be_visible()
    return desk


def tab(page: Page, name: str) -> Locator:
    return page.locator("nav.tabs").get_by_role("link", name=name)


def opened(page: Page, name: str) -> None:
    tab(page, name).click()
    expect(tab(page, name)).to_have_attribute("aria-current", "page")


def test_tabs_are_links_and_the_way_back_works(staff: Page, site: Site, study: Study) -> None:
    opened(staff, "Agreement")
    expect(staff.get_by_role("heading", name="How far do people agree?")).to_be_visible()
    expect(staff.get_by_role("heading", level=1)).to_be_focused()
    link = staff.url
    assert "tab=agreement" in link
    opened(staff, "Items")
    staff.go_back()
    expect(tab(staff, "Agreement")).to_have_attribute("aria-current", "page")
    staff.go_back()
    expect(tab(staff, "Scores")).to_have_attribute("aria-current", "page")
    staff.goto(link)
    expect(tab(staff, "Agreement")).to_have_attribute("aria-current", "page")
    staff.goto(f"{site.address}/items/?study={study.name}")
    expect(tab(staff, "Items")).to_have_attribute("aria-current", "page")


def test_the_model_and_the_rules_change_the_address_and_the_page(staff: Page) -> None:
    opened(staff, "Items")
    wrong = staff.get_by_role("link", name="People right, model wrong").locator("b")
    for name, items in (("openai:poor", "12"), ("openai:half", "6")):
        staff.get_by_label("compared with").select_option(label=name)
        expect(wrong).to_have_text(items)
        expect(staff).to_have_url(re.compile("model="))
        expect(staff.get_by_label("compared with")).to_be_focused()
    opened(staff, "Scores")
    people = staff.locator("table.standing tbody tr").first
    expect(people).to_contain_text("100.0")
    staff.locator(".rules summary").click()
    staff.get_by_label("Votes the winning answer needs").fill("3")
    staff.keyboard.press("Tab")
    expect(staff).to_have_url(re.compile("min_votes=3"))
    expect(staff.locator(".rules summary")).to_contain_text("3 votes needed")
    expect(people).to_contain_text("short 4")  # four of twelve items have two votes only
    opened(staff, "Agreement")
    assert "min_votes=3" in staff.url
    staff.go_back()
    expect(people).to_contain_text("short 4")
    staff.go_back()
    expect(people).not_to_contain_text("short")


def test_a_slow_part_opens_and_closes_where_it_is(staff: Page) -> None:
    part = staff.get_by_role("region", name="Scores under other rules")
    part.scroll_into_view_if_needed()
    place = staff.evaluate("scrollY")
    assert place > 0
    for press, then in (("Show", "Hide"), ("Hide", "Show")):
        part.get_by_role("link", name=press).press("Enter")
        expect(part.get_by_role("link", name=then)).to_be_focused()
        expect(part.locator(".section-body")).to_have_count(int(press == "Show"))
        assert abs(staff.evaluate("scrollY") - place) < 2


def test_the_first_screen_is_read_in_half_a_minute_and_its_figure_is_saved(staff: Page, study: Study) -> None:
    expect(staff.get_by_role("img", name=MODELS[0])).to_be_visible()
    assert 30 < staff.evaluate(WORDS_IN_SIGHT) <= 100
    with staff.expect_download() as started:
        staff.get_by_role("link", name="Save PNG").click()
    assert started.value.suggested_filename == f"{study.name}.png"
    assert started.value.path().read_bytes().startswith(b"\x89PNG")


def test_every_tab_passes_axe_in_light_and_in_dark(staff: Page) -> None:
    for name in TABS:
        opened(staff, name)
        expect(staff.locator(".results[aria-busy]")).to_have_count(0)  # the first tab is open already
        for colours in COLOURS:
            staff.emulate_media(color_scheme=colours)
            staff.evaluate(FADED)
            assert violations(staff) == [], (name, colours)
        staff.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        words = re.findall(r"\S*[^\W\d_]\S*", staff.inner_text("body"))
        assert name == "Items" or len(words) <= 400, name
