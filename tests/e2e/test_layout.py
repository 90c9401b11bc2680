"""Where things stand on the worker page, measured: nothing is squeezed, nothing lies on anything else."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from data.catalogue.catalog import get_task, samples, tasks
from data.task import Task
from tests.e2e.conftest import Site, Worker

ONE_TAB = True
VIEWS = {"desktop": (1280, 900, False), "narrow": (1000, 700, False), "phone": (390, 844, True)}
VIEWS |= {"small": (320, 600, True)}
VALIDATE, FULL = get_task("writing/validate"), get_task("agrr/full")
# Names above a text that touch the letters or the lines of what stands above them.
TOUCHING = """(root) => [...document.querySelectorAll(`${root} .spanned`)].flatMap((text) => {
  const boxes = [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    boxes.push(...range.getClientRects());
  }
  for (const layer of text.querySelectorAll(".layer")) boxes.push(...layer.getClientRects());
  return [...text.querySelectorAll(".pin")].filter((pin) => {
    const name = pin.getBoundingClientRect();
    return boxes.some((box) => box.width > 0 && box.left < name.right - 1 && box.right > name.left + 1
      && box.top < name.top && box.bottom > name.top + 1.5);
  }).map((pin) => pin.dataset.tag);
})"""


@pytest.fixture(scope="module", params=VIEWS)
def view(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    width, height, touch = VIEWS[request.param]
    size: Any = {"width": width, "height": height}
    context = browser.new_context(viewport=size, has_touch=touch, is_mobile=touch, locale="ru-RU")
    yield context.new_page()
    context.close()


@pytest.fixture
def wide(page: Page) -> Page:
    page.set_viewport_size({"width": 1280, "height": 900})
    return page


def at(page: Page, site: Site, task: Task, stage: str, role: str = "main") -> Worker:
    # Practice needs work behind it: a place is kept for who practises.
    items = [item for kind in dict.fromkeys((role, "main")) for item in samples(task) if item.role == kind][:6]
    worker = Worker(page)
    worker.sit(site, site.study_of(task, items, overlap=5, page_controls=0), stage)
    return worker


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, f"{selector} is not on the page"
    return dict(found)  # type: ignore[arg-type]


def test_what_somebody_else_wrote_has_its_column_below_the_text_and_does_not_look_like_a_question_to_answer(
    view: Page, site: Site
) -> None:
    at(view, site, VALIDATE, "work")
    reader = box(view, ".texts .reader")
    for title in ("Вопрос автора", "Ответ автора"):
        beside = box(view, f'.texts .field:has(.label:text-is("{title}"))')
        assert beside["width"] == pytest.approx(reader["width"], abs=2), title
        assert beside["y"] >= reader["y"] + reader["height"], title
    assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")
    legend = view.locator(".answer > .legend")
    expect(legend).to_have_text("Хорош ли этот вопрос?")
    asked = view.locator('.texts .field:has(.label:text-is("Вопрос автора")) .text')
    size, weight = (asked.evaluate(f"one => getComputedStyle(one).{name}") for name in ("fontSize", "fontWeight"))
    answer = view.locator('.texts .field:has(.label:text-is("Ответ автора")) .text')
    assert (size, weight) == tuple(
        answer.evaluate(f"one => getComputedStyle(one).{name}") for name in ("fontSize", "fontWeight")
    )


def test_what_practice_is_stands_above_the_bar_beside_a_long_text(wide: Page, site: Site) -> None:
    study = site.study(task="writing/validate", main=2, training=2, control=0, page_controls=0)
    Worker(wide).sit(site, study, "training")
    note = box(wide, ".practice-note")
    assert note["y"] + note["height"] <= box(wide, ".foot")["y"]


def test_beside_the_questions_what_is_judged_is_in_sight_without_scrolling(wide: Page, site: Site) -> None:
    for height in (700, 900):
        wide.set_viewport_size({"width": 1280, "height": height})
        at(wide, site, VALIDATE, "work")
        foot = box(wide, ".foot")
        for title in ("Вопрос автора", "Ответ автора"):
            judged = box(wide, f'.texts .field:has(.label:text-is("{title}"))')
            assert judged["y"] + judged["height"] <= foot["y"], title
        assert box(wide, ".texts .reader")["height"] >= 200


def test_the_names_of_spans_in_the_examples_of_the_instruction_stand_clear_of_the_line_above(
    view: Page, site: Site
) -> None:
    at(view, site, FULL, "instructions")
    assert view.locator(".example .pin").count() > 10
    assert view.evaluate(TOUCHING, ".example") == []


def test_so_they_do_in_the_panel_beside_the_items_and_in_the_feedback(view: Page, site: Site) -> None:
    worker = at(view, site, FULL, "training", role="training")
    view.locator("[data-section=guide]").click()
    expect(view.locator("#sheet")).to_be_visible()
    assert view.locator("#sheet .pin").count() > 10
    assert view.evaluate(TOUCHING, "#sheet") == []
    view.keyboard.press("Escape")
    view.locator("[data-none]").check()
    view.locator("button.main").click()
    worker.at("feedback")
    assert view.evaluate(TOUCHING, ".card") == []


OF_EACH_KIND = {get_task(name).answer.kind: name for name in sorted(tasks())}
# How far below the last part of the answer that can be seen the button stands that sends it.
TO_SEND = """() => Math.round(document.querySelector("[data-act=answer]").getBoundingClientRect().top - Math.max(
  ...[...document.querySelectorAll(".answer :is(.option, .typed, select, button, input[type=text], [data-text])")]
    .map((one) => one.getBoundingClientRect()).filter((box) => box.height).map((box) => box.bottom)))"""


def test_on_a_wide_screen_the_button_that_sends_is_near_every_kind_of_answer(wide: Page, site: Site) -> None:
    far = {}
    for kind, name in OF_EACH_KIND.items():
        at(wide, site, get_task(name), "work")
        far[kind] = wide.evaluate(TO_SEND)
    assert {kind: pixels for kind, pixels in far.items() if pixels > 250} == {}


def test_what_is_missing_gets_the_focus_is_called_invalid_and_no_browser_speaks(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    at(page, site, get_task("libra/passkey"), "work")
    page.click(".unfold")
    page.click("[data-act=answer]")
    expect(page.locator(".typed")).to_be_focused()
    expect(page.locator(".typed")).to_have_attribute("aria-invalid", "true")
    page.keyboard.type("1")
    assert page.get_attribute(".typed", "aria-invalid") != "true"
    page.click("[data-open=skip]")
    page.click("#skip button.main")
    expect(page.locator("#skip [data-fault]")).not_to_be_empty()
    assert page.evaluate("document.activeElement.name") == "reason"
