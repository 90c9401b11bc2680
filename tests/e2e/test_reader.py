"""A long text in the browser: opened at once, searched, scrolled, found again where it was left, answered."""

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from data.catalogue.catalog import get_task
from data.drawing.environment import LONG
from data.files.item_files import read_items
from data.generators import generator_of
from data.generators.generator import as_line, lengths_of, records
from data.task import Item
from data.wording import texts
from db import frames
from db.engine import reading
from db.studies import Study
from tests.e2e.conftest import Site, Worker, appears, samples_of

ONE_TAB = True
TASK = get_task("libra/passkey")
KEY = re.compile(r"ключ доступа — (\d+)")
# Seconds from a click on the main button to the frame in which the text is painted and its reader works.
OPEN = """() => new Promise((resolve) => {
  const start = performance.now();
  const seen = () => {
    if (!document.querySelector('.screen[data-stage="work"] .reader[data-ready]')) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve((performance.now() - start) / 1000)));
  };
  const watch = new MutationObserver(seen);
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-ready"] });
  document.querySelector("button.main").click();
})"""
# Seconds that a letter in the search field keeps the page busy, and until its hits are painted.
SEARCH = """(query) => new Promise((resolve) => {
  const field = document.querySelector(".sought");
  field.value = query;
  const start = performance.now();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const busy = performance.now() - start;
  requestAnimationFrame(() => setTimeout(() => resolve([busy / 1000, (performance.now() - start) / 1000])));
})"""
# Scrolls for sixty frames: the seconds of each, and how many of them showed a stretch that was not laid out.
SCROLL = """(step) => new Promise((resolve) => {
  const pages = document.querySelector(".reader-window");
  const seconds = [];
  let [last, empty] = [performance.now(), 0];
  const blank = () => {
    const { left, top, bottom } = pages.getBoundingClientRect();
    return [top + 20, (top + bottom) / 2, bottom - 20].some((y) => {
      const box = document.elementFromPoint(left + 60, y)?.closest(".stretch");
      return box && getComputedStyle(box).contentVisibility !== "visible";
    });
  };
  const frame = (now) => {
    seconds.push((now - last) / 1000);
    last = now;
    empty += blank();
    pages.scrollTop += step;
    if (seconds.length < 60) requestAnimationFrame(frame);
    else resolve([seconds.slice(1), empty]);
  };
  requestAnimationFrame(frame);
})"""
# What is marked as the hit in hand, and how many others are.
MARKED = """() => {
  const [here] = CSS.highlights.get("reader-here") ?? [];
  const range = here && new Range();
  range?.setStart(here.startContainer, here.startOffset);
  range?.setEnd(here.endContainer, here.endOffset);
  return [range?.toString() ?? null, CSS.highlights.get("reader-found")?.size ?? 0];
}"""
# The words at the top of the window.
TOP = """() => {
  const { left, top } = document.querySelector(".reader-window").getBoundingClientRect();
  const { offsetNode, offset } = document.caretPositionFromPoint(left + 60, top + 25);
  return offsetNode.data.slice(offset, offset + 30);
}"""
IN_SIGHT = """(selector) => {
  const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= innerHeight;
}"""
SMALL = """() => [...document.querySelectorAll(".finding button, .sought, [data-answer] input, button.main")]
  .filter((one) => one.getBoundingClientRect().height > 0 && one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML)"""


def long_items(folder: Path, *, number: int = 1) -> list[Item]:
    """Items of 128 thousand tokens, written by the generator and read back."""
    draw = generator_of(TASK.id).draw
    made = records(TASK.id, draw, lengths=lengths_of("128k"), per_length=number, seed=3)
    file = folder / "items.jsonl"
    file.write_text("".join(map(as_line, made)), "utf8")
    return read_items(file, TASK)


def item_of(context: str) -> Item:
    fields = dict(samples_of(TASK, "main")[0].fields) | {"context": context}
    return Item("own", fields, '["1"]')


def study_of(site: Site, items: list[Item]) -> Study:
    return site.study_of(TASK, items, overlap=1, page_main=len(items), page_controls=0)


def opened(worker: Worker, site: Site, items: list[Item]) -> Page:
    """Go through consent and instruction to the first item, whose reader works."""
    worker.sit(site, study_of(site, items))
    appears(worker.page, ".reader[data-ready]")
    return worker.page


def tell(line: str) -> None:
    """Print a measurement; pytest shows it with -s."""
    sys.stdout.write(f"\n{line}")


def found(page: Page) -> str:
    return page.inner_text(".count-of")


def test_an_item_of_128_thousand_tokens_is_opened_searched_and_answered(
    worker: Worker, site: Site, tmp_path: Path
) -> None:
    items = long_items(tmp_path, number=2)
    study = study_of(site, items)
    page = worker.page
    worker.arrive(site.link(study))
    page.get_by_role("button", name=texts("ru")["consent"]["agree"]).click()
    worker.at("instructions")
    painted = [page.evaluate(OPEN)]
    for _ in items:
        worker.at("work")
        page.keyboard.press("/")
        page.keyboard.type("КЛЮЧ доступа")
        assert found(page) == "1 из 1"
        assert page.evaluate(MARKED) == ["ключ доступа", 0]
        said = KEY.search(page.inner_text(".heard"))
        assert said
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.className") == "reader-window"
        page.keyboard.press("Tab")
        page.keyboard.type(said[1])
        if worker.token() and len(painted) < len(items):
            painted.append(page.evaluate(OPEN))
        else:
            page.keyboard.press("Enter")
    worker.at("done")
    with reading(site.service.database) as session:
        answers = frames.judgments(session, study=study).set_index("item")["label"]
    assert {item.id: [answers[item.id]] for item in items} == {
        item.id: [re.findall(r"\d+", item.gold or "")[0]] for item in items
    }
    tell(f"128k tokens: painted after {', '.join(f'{one:.2f} s' for one in painted)}")


def test_a_search_in_half_a_megabyte_keeps_up_with_typing(worker: Worker, site: Site, tmp_path: Path) -> None:
    page = opened(worker, site, long_items(tmp_path))
    page.focus(".sought")
    times = {query: page.evaluate(SEARCH, query) for query in ("о", "ов", "грузовик", "ключ", "нет такого", "")}
    for query, (busy, shown) in times.items():
        tell(f"search for {query!r}: {1000 * busy:.0f} ms busy, painted after {1000 * shown:.0f} ms")
    assert found(page) == ""


def test_scrolling_through_half_a_megabyte_shows_no_empty_stretch(worker: Worker, site: Site, tmp_path: Path) -> None:
    page = opened(worker, site, long_items(tmp_path))
    seconds, empty = page.evaluate(SCROLL, 400)
    tell(f"scrolling: median frame {1000 * sorted(seconds)[30]:.0f} ms, worst {1000 * max(seconds):.0f} ms")
    assert empty == 0


def test_hits_are_walked_through_both_ways_and_round(worker: Worker, site: Site, tmp_path: Path) -> None:
    page = opened(worker, site, [item_of("Ёлка. елка! " + "Дом. \n" * 900 + "ЕЛКА")])
    page.keyboard.press("/")
    page.keyboard.type("ёлка")
    seen = [found(page)]
    for key in ("Enter", "Enter", "Enter", "Shift+Enter"):
        page.keyboard.press(key)
        seen.append(found(page))
    assert seen == ["1 из 3", "2 из 3", "3 из 3", "1 из 3", "3 из 3"]
    assert page.evaluate(MARKED)[0] == "ЕЛКА"
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"^100\s%$"))
    page.get_by_role("button", name="Следующее совпадение").click()
    assert (found(page), page.evaluate(MARKED)) == ("1 из 3", ["Ёлка", 2])
    page.fill(".sought", "ежи")
    assert (found(page), page.evaluate(MARKED)) == ("Не найдено", [None, 0])
    assert page.get_by_role("button", name="Следующее совпадение").is_disabled()


def test_the_keys_of_the_search_leave_the_answer_alone(worker: Worker, site: Site) -> None:
    page = opened(worker, site, [item_of("Слово и дело.\n" * 400)])
    page.fill("[data-answer] input", "12")
    page.focus(".reader-window")
    page.keyboard.press("Control+f")
    assert page.evaluate("document.activeElement.className") == "sought"
    page.keyboard.type("дело")
    page.keyboard.press("Enter")
    assert (worker.stage(), found(page)) == ("work", "2 из 400")
    page.keyboard.press("Escape")
    assert page.input_value(".sought") == ""
    assert page.evaluate("getSelection().toString()") == "дело"
    assert page.input_value("[data-answer] input") == "12"
    page.evaluate("""document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: ".", code: "Slash", bubbles: true, cancelable: true }))""")
    assert page.evaluate("document.activeElement.className") == "sought", "the key of / on a Russian keyboard"
    page.focus("[data-answer] input")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.className") != "sought", "in a text field / is a letter"


def test_the_text_arrives_exactly_and_a_hit_may_stand_where_it_was_cut(worker: Worker, site: Site) -> None:
    line = "".join(f"Е\u0301ж 👩‍👩‍👧\u200b номер {number}. " for number in range(900))
    text = f"\r\nпервая\u00a0строка\rвторая\t\n{line}"
    page = opened(worker, site, [item_of(text)])
    assert page.evaluate("document.querySelector('.reader .text').textContent") == text
    stretches = page.evaluate("[...document.querySelectorAll('.stretch')].map((one) => one.textContent)")
    assert "".join(stretches) == text
    assert len(stretches) > len(line) / LONG
    before, after = (re.findall(r"номер (\d+)", part) for part in stretches[1:3])
    assert int(before[-1]) + 1 == int(after[0]), "the line was cut behind a sentence"
    page.fill(".sought", f"номер {before[-1]}. еж")
    assert found(page) == "1 из 1"
    assert page.evaluate(MARKED)[0] == f"номер {before[-1]}. Е\u0301ж"


def test_the_place_is_found_again_after_a_reload_and_in_the_other_language(
    worker: Worker, site: Site, tmp_path: Path
) -> None:
    page = opened(worker, site, long_items(tmp_path))
    box = page.locator(".map").bounding_box()
    assert box
    page.mouse.click(box["x"] + 10, box["y"] + box["height"] * 0.7)
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"^70\s%$"))
    before = page.evaluate(TOP)
    for _ in range(3):
        page.reload()
        expect(page.locator(".map")).to_have_attribute("title", re.compile(r"^70\s%$"))
        assert page.evaluate(TOP) == before
    page.get_by_role("button", name="English").click()
    appears(page, '.screen[lang="en"] .reader[data-ready]')
    expect(page.locator(".map")).to_have_attribute("title", "70%")
    assert page.evaluate(TOP) == before
    page.set_viewport_size({"width": 760, "height": 900})
    expect(page.locator(".map")).to_have_attribute("title", "70%")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_map_shows_where_hits_are_and_takes_there(worker: Worker, site: Site) -> None:
    page = opened(worker, site, [item_of("Дом и сад.\n" * 1500 + "Ёж.\n" + "Дом и сад.\n" * 500)])
    page.fill(".sought", "еж")
    page.evaluate("document.querySelector('.reader-window').scrollTop = 0")
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"^1\s%$"))
    box = page.locator(".map").bounding_box()
    assert box
    (mark,) = page.locator(".map-marks i").all()
    where = mark.bounding_box()
    assert where
    assert (where["y"] - box["y"]) / box["height"] == pytest.approx(0.75, abs=0.01)
    page.mouse.click(where["x"] + 3, where["y"] + 3)
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"7[4-7]\s%"))
    assert page.evaluate(MARKED)[0] == "Ёж"


def test_a_browser_without_highlights_selects_the_hit(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="ru-RU")
    context.add_init_script("delete CSS.highlights")
    worker = Worker(context.new_page())
    page = opened(worker, site, [item_of("Слово и дело.\n" * 400)])
    assert page.evaluate("'highlights' in CSS") is False
    page.keyboard.press("/")
    page.keyboard.type("дело")
    page.keyboard.press("Enter")
    assert page.evaluate("getSelection().toString()") == "дело"
    page.keyboard.press("Enter")
    assert found(page) == "3 из 400"
    context.close()


def test_a_text_that_fits_needs_no_map(worker: Worker, site: Site) -> None:
    page = opened(worker, site, [item_of("Короткий текст.")])
    expect(page.locator(".map")).to_be_hidden()
    expect(page.locator(".share")).to_be_hidden()


def test_on_a_phone_text_and_question_are_on_the_screen_together(browser: Browser, site: Site, tmp_path: Path) -> None:
    context = browser.new_context(
        locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    worker = Worker(context.new_page())
    page = opened(worker, site, long_items(tmp_path))
    assert all(page.evaluate(IN_SIGHT, name) for name in (".sought", ".reader-window", ".legend", ".unfold"))
    ways_out = ("[data-open=skip]", "[data-act=finish]")
    assert all(page.evaluate(IN_SIGHT, name) for name in ways_out), "in one tap, folded or not"
    lines = page.evaluate("document.querySelector('.reader-window').clientHeight")
    page.tap(".unfold")
    assert all(page.evaluate(IN_SIGHT, name) for name in (".reader-window", "[data-answer] input", "[data-act=answer]"))
    assert page.evaluate("document.querySelector('.reader-window').clientHeight") < lines
    page.tap(".refold")
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (width, height) in ((390, 844), (390, 845))  # a pixel may be lost to rounding
    assert page.evaluate("document.querySelector('.reader-window').clientHeight") > 844 / 2
    page.tap(".sought")
    page.keyboard.type("ключ")
    assert found(page) == "1 из 1"
    assert page.evaluate(SMALL) == []
    box = page.locator(".map").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 10, box["y"] + box["height"] * 0.25)
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"2[45]\s%"))
    context.close()


def test_what_was_read_counts_only_after_a_while_in_sight_and_survives_a_reload(worker: Worker, site: Site) -> None:
    page = opened(worker, site, [item_of("Дом и сад.\n" * 300)])
    expect(page.locator(".share")).to_have_text("0 %")
    expect(page.locator(".share")).not_to_have_text("0 %")
    read = page.inner_text(".share")
    page.evaluate("document.querySelector('.reader-window').scrollTop = 1e6")
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"^100\s%$"))
    assert page.inner_text(".share") == read, "what only went by is not read"
    page.reload()
    expect(page.locator(".share")).to_have_text(read)


def test_a_passage_that_was_found_is_pinned_leads_back_and_survives_a_reload(worker: Worker, site: Site) -> None:
    page = opened(worker, site, [item_of("Дом и сад.\n" * 900 + "Ёж под ёлкой.\n" + "Дом и сад.\n" * 900)])
    page.fill(".sought", "под ёлкой")
    page.get_by_role("button", name="Закрепить найденное").click()
    page.evaluate("document.querySelector('.reader-window').scrollTop = 0")
    page.reload()
    page.get_by_role("button", name=re.compile("Ёж под ёлкой")).first.click()
    expect(page.locator(".map")).to_have_attribute("title", re.compile(r"5\d\s%"))
    page.get_by_role("button", name=re.compile("^Убрать")).click()
    expect(page.locator("[data-pins]")).to_be_hidden()


def test_at_400_percent_eight_lines_of_a_long_text_are_in_the_window(browser: Browser, site: Site) -> None:
    with browser.new_context(viewport={"width": 320, "height": 225}, locale="ru-RU") as context:
        page = opened(Worker(context.new_page()), site, [item_of("Слово и дело.\n" * 400)])
        box = page.locator(".reader-window")
        box.scroll_into_view_if_needed()
        line = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.reader .text')).lineHeight)")
        assert page.evaluate("document.querySelector('.reader-window').clientHeight") >= 8 * line
        assert page.evaluate("document.documentElement.scrollWidth") == 320
