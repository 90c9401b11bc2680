"""Spans in a real browser: by keyboard, mouse and finger, exact to the code point; real sentences give gold back."""

import csv
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from data.answers.answer_type import packed, unpacked
from data.answers.spans import Element, Spans
from data.catalogue.catalog import get_task
from data.drawing.answer_form import draw_form
from data.task import Field, Item, PublicItem, Task
from data.wording import Wording, same, texts
from db import frames
from db.engine import reading
from db.studies import Study
from eval.metrics.symbol_f import symbol_f
from tests.e2e.conftest import Site, Worker, appears

ONE_TAB = True
NAMES = ("cV", "cR1", "cR2", "V", "R1", "R2")
KEYS = {name: str(place) for place, name in enumerate(NAMES, 1)}
SENTENCE = "Я превращу твое сердце в траву, а все, что ты любишь, в овец."
GOLD = '{"cV":[[2,10]],"cR1":[[11,22]],"cR2":[[23,30]],"V":[[54,54]],"R1":[[34,52]],"R2":[[54,60]]}'
ODD = ["е\u0301", "\u0306", "👩‍👩‍👧", "🇷🇺", "\u00a0", "\u200b", "\u00ad", "\r\n", "𝔄", "\ufe0f"]
SAYS = texts("ru")["spans"]["says"]
# Offsets of the tests are Python's; what a browser's selection takes is units of a node.
HELPERS = """() => {
  const text = () => document.querySelector("[data-text]");
  const position = (point) => {
    let left = [...text().textContent].slice(0, point).join("").length;
    const walker = document.createTreeWalker(text(), NodeFilter.SHOW_TEXT);
    let last = null;
    while (walker.nextNode()) {
      last = walker.currentNode;
      if (left <= last.length) return [last, left];
      left -= last.length;
    }
    return [last, last.length];
  };
  window.spansTest = {
    select(begin, end) {
      text().focus();
      getSelection().setBaseAndExtent(...position(begin), ...position(end));
    },
    // All spans of a sentence, each selected and then given its label by the button for it.
    markAll(marks) {
      for (const [name, spans] of Object.entries(marks)) {
        for (const [begin, end] of spans) {
          this.select(begin, end);
          document.querySelector(`[data-element="${name}"]`).click();
        }
      }
    },
    corner(point, after) {
      const range = document.createRange();
      range.setStart(...position(point - after));
      range.setEnd(...position(point - after + 1));
      const box = range.getBoundingClientRect();
      return [after ? box.right - 1 : box.left + 1, (box.top + box.bottom) / 2];
    },
  };
}"""


def task(answer: Spans | None = None) -> Task:
    elements = tuple(Element(name, same(name), KEYS[name], point=name == "V") for name in NAMES)
    asked = answer or Spans("text", elements, Wording(ru="Здесь нет гэппинга", en="No gapping here"), "given")
    declared = (Field("text", same("Текст")), Field("given", same("given"), kind="offsets", optional=True))
    return Task(
        id="test/spans",
        title=same("Гэппинг"),
        description=same("."),
        fields=declared,
        question=same("Отметьте"),
        instruction=same("Отметьте."),
        answer=asked,
        metrics=("accuracy",),
    )


def item(text: str, name: str = "a", given: str = "") -> Item:
    return Item(name, {"text": text, "given": given})


def at_work(worker: Worker, site: Site, items: list[Item], asked: Task | None = None) -> Study:
    chosen = asked or task()
    study = site.study_of(chosen, items, overlap=5, page_main=min(100, len(items)), page_controls=0)
    worker.sit(site, study)
    ready(worker.page)
    return study


def ready(page: Page) -> None:
    appears(page, "[data-answer=spans][data-ready]")
    page.evaluate(HELPERS)


def labels(site: Site, study: Study) -> dict[str, str]:
    with reading(site.service.database) as session:
        frame = frames.judgments(session, study=study)
    return dict(zip(frame["item"], frame["label"], strict=True))


def sent(worker: Worker, site: Site, study: Study, *, by_key: bool = True) -> str:
    before = worker.token()
    if by_key:
        worker.page.keyboard.press("Enter")
    else:
        worker.page.click("button.main")
    worker.gone_on(before)
    return labels(site, study)["a"]


def select(page: Page, begin: int, end: int) -> None:
    page.evaluate("([begin, end]) => spansTest.select(begin, end)", [begin, end])


def mark(page: Page, marks: dict[str, list[list[int]]]) -> None:
    for name, spans in marks.items():
        for begin, end in spans:
            select(page, begin, end)
            page.keyboard.press(KEYS[name])


def rows(page: Page) -> list[str]:
    return page.locator(".span-row").all_inner_texts()


def listed(page: Page) -> list[str]:
    return [" ".join(row.split()) for row in rows(page)]


def test_all_by_keyboard_alone(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [item(SENTENCE)])
    keyboard = worker.page.keyboard
    keyboard.press("Tab")
    expect(worker.page.get_by_role("textbox")).to_be_focused()
    press(worker, "ArrowRight*2", "Control+Shift+ArrowRight", "1")
    press(worker, "ArrowRight", "Control+Shift+ArrowRight*2", "2")
    press(worker, "ArrowRight", "Shift+ArrowRight*7", "3")
    press(worker, "Control+End", "ArrowLeft*7", "4")
    press(worker, "Shift+End", "Shift+ArrowLeft", "6")
    press(worker, "Home", "Control+ArrowRight*8", "Control+ArrowLeft", "Control+Shift+ArrowRight*4", "5")
    assert listed(worker.page)[0] == "cV «превращу»"
    assert sent(worker, site, study) == GOLD


def press(worker: Worker, *combinations: str) -> None:
    for combination in combinations:
        key, _, times = combination.partition("*")
        for _ in range(int(times or 1)):
            worker.page.keyboard.press(key)


def test_ends_move_spans_go_and_come_back(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [item(SENTENCE, given='[[2,10,"cV"],[54,54,"V"]]')])
    page, row = worker.page, worker.page.locator(".span-row")
    assert listed(page) == ["cV «превращу»", "V «… ты любишь, |в овец.»"], "an item may bring spans to correct"
    row.first.press("Enter")
    expect(row.first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("status").first).to_have_text("cV «превращу»: выбрано")
    press(worker, "Shift+ArrowLeft*2", "Alt+ArrowRight")
    assert listed(page)[0] == "cV «ревра»"
    press(worker, "Control+Shift+ArrowRight*2")
    assert listed(page)[0] == "cV «ревращу твое»"
    press(worker, "Control+Alt+ArrowLeft")
    assert listed(page)[0] == "cV «превращу твое»"
    press(worker, "Control+z*5")
    assert listed(page)[0] == "cV «превращ»"
    press(worker, "Control+y*5")
    assert listed(page)[0] == "cV «превращу твое»"
    row.nth(1).press("Enter")
    press(worker, "Shift+ArrowLeft")
    row.first.press("Enter")
    press(worker, "2")
    assert listed(page)[0] == "cR1 «превращу твое»", "a key gives what is chosen another label"
    press(worker, "Delete")
    assert listed(page) == ["V «…о ты любишь,| в овец.»"]
    expect(page.locator(".span-row")).to_be_focused()
    press(worker, "Control+z")
    assert sent(worker, site, study, by_key=False) == '{"cR1":[[2,15]],"V":[[53,53]]}'


def test_nothing_here_takes_all_away_and_can_be_undone(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [item(SENTENCE)])
    page, box = worker.page, worker.page.get_by_role("checkbox")
    mark(page, {"cV": [[2, 10]]})
    page.keyboard.press("0")
    expect(box).to_be_checked()
    assert listed(page) == []
    page.keyboard.press("Control+z")
    expect(box).not_to_be_checked()
    assert listed(page) == ["cV «превращу»"]
    page.keyboard.press("Control+Shift+Z")
    expect(box).to_be_checked()
    select(page, 0, 1)
    page.keyboard.press("5")
    expect(box).not_to_be_checked()
    page.get_by_text("Здесь нет гэппинга").click()
    assert sent(worker, site, study) == "{}"


def test_nothing_is_sent_and_nothing_marked_without_a_selection(worker: Worker, site: Site) -> None:
    at_work(worker, site, [item(SENTENCE)])
    worker.page.keyboard.press("1")
    expect(worker.page.locator("[data-how]")).to_have_text("cV: нажмите слово")
    assert rows(worker.page) == []
    worker.page.keyboard.press("Enter")
    assert worker.note() == "Сначала отметьте что-нибудь в тексте."
    expect(worker.page.locator("[data-text]")).to_be_focused()  # not the box that says that nothing is there


FIRST = get_task("agrr/full").examples[0]
FIRST_ITEM = Item("a", {"sentence": FIRST.fields["sentence"], "genre": ""})
FIRST_WORDS = ("читал", "Утром", "газету", "толстый", "вечером", "толстый", "роман")


def test_the_first_example_of_gapping_takes_eight_taps_and_nothing_else_moves(phone: Worker, site: Site) -> None:
    study = at_work(phone, site, [FIRST_ITEM], get_task("agrr/full"))
    page = phone.page
    before = page.locator("[data-element]").first.bounding_box()
    page.tap('[data-element="cV"]')
    for word in FIRST_WORDS:
        page.touchscreen.tap(*corner(page, FIRST.fields["sentence"].index(word) + 2, after=False))
    assert page.locator("[data-element]").first.bounding_box() == before
    assert sent(phone, site, study, by_key=False) == FIRST.answer


def test_the_same_by_keyboard_with_the_key_of_a_label_and_space(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [FIRST_ITEM], get_task("agrr/full"))
    press(worker, "1", "Control+ArrowRight*3", "Space", "Home", "Space", "Control+ArrowRight*4", "Space")
    press(worker, "Control+ArrowRight*3", "Control+ArrowLeft", "Space", "Control+ArrowLeft", "Space")
    press(worker, "Control+ArrowRight*2", "Space", "Control+ArrowRight", "Space")
    assert listed(worker.page)[0] == "cR1 «Утром»"
    assert sent(worker, site, study) == FIRST.answer


def test_an_earlier_span_is_chosen_and_reaches_to_another_word_and_a_gap_is_never_inside_a_word(
    phone: Worker, site: Site
) -> None:
    study = at_work(phone, site, [item(SENTENCE)])
    page = phone.page
    for name, word in (("cV", 3), ("R1", 34)):
        page.tap(f'[data-element="{name}"]')
        page.touchscreen.tap(*corner(page, word, after=False))
    page.tap('.span-row:has-text("превращу")')
    page.touchscreen.tap(*corner(page, 12, after=False))
    page.tap('[data-element="V"]')
    page.touchscreen.tap(*corner(page, 57, after=False))
    assert sent(phone, site, study, by_key=False) == '{"cV":[[2,15]],"V":[[56,56]],"R1":[[34,37]]}'


def test_escape_drops_the_selection_and_keeps_what_is_marked(worker: Worker, site: Site) -> None:
    at_work(worker, site, [item(SENTENCE)])
    mark(worker.page, {"cV": [[2, 10]]})
    select(worker.page, 11, 22)
    worker.page.keyboard.press("Escape")
    assert worker.page.evaluate("getSelection().isCollapsed")
    assert listed(worker.page) == ["cV «превращу»"]


def test_all_by_mouse(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [item(SENTENCE)])
    page, marks = worker.page, unpacked(GOLD)
    for name, ((begin, end),) in marks.items():
        page.mouse.move(*corner(page, begin, after=False))
        page.mouse.down()
        page.mouse.move(*corner(page, end, after=True) if end > begin else corner(page, begin, after=False))
        page.mouse.up()
        page.click(f'[data-element="{name}"]')
    page.mouse.click(*corner(page, 5, after=False))
    expect(page.locator(".span-row[aria-pressed=true]")).to_contain_text("превращу")
    page.get_by_role("button", name="Убрать cR2 «в траву»").click()
    page.get_by_role("button", name="Отменить", exact=True).click()
    assert sent(worker, site, study, by_key=False) == GOLD


def corner(page: Page, point: int, *, after: bool) -> tuple[float, float]:
    x, y = page.evaluate("([point, after]) => spansTest.corner(point, after)", [point, int(after)])
    return x, y


def test_all_by_finger_on_a_phone(phone: Worker, site: Site) -> None:
    study = at_work(phone, site, [item(SENTENCE)])
    page = phone.page
    for name, ((begin, end),) in unpacked(GOLD).items():
        if begin == end:
            page.locator("[data-text]").scroll_into_view_if_needed()
            page.touchscreen.tap(*corner(page, begin, after=False))
        else:
            select(page, begin, end)  # what the handles of a selection do
        page.tap(f'[data-element="{name}"]')
    page.tap(".span-row >> nth=0")
    page.tap(".nudge[data-end=end][data-step='1']")
    page.tap(".nudge[data-end=end][data-step='-1']")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        "[...document.querySelectorAll('[data-answer] :is(button, summary, label)')].filter((one) => {"
        "const box = one.getBoundingClientRect(); return box.width && Math.min(box.width, box.height) < 44;})"
        ".map((one) => one.outerHTML)"
    )
    assert small == []
    assert sent(phone, site, study, by_key=False) == GOLD


def test_script_and_server_draw_the_same(worker: Worker, site: Site) -> None:
    marks = {
        "cV": [[2, 10], [30, 40]],
        "cR1": [[0, 22]],
        "V": [[54, 54], [61, 61], [0, 0]],
        "R1": [[34, 52], [0, 1]],
        "R2": [[5, 61]],
    }
    given = packed([[*pair, name] for name, pairs in marks.items() for pair in pairs])
    at_work(worker, site, [item(SENTENCE, given=given)])
    html = str(draw_form(task(), PublicItem({"text": SENTENCE, "given": given}), "ru"))
    parsed = "(html) => new DOMParser().parseFromString(html, 'text/html').querySelector('[data-text]').innerHTML"
    assert worker.page.inner_html("[data-text]") == worker.page.evaluate(parsed, html)


def test_an_answer_stays_when_the_language_changes(worker: Worker, site: Site) -> None:
    at_work(worker, site, [item(SENTENCE)])
    mark(worker.page, {"cV": [[2, 10]], "V": [[54, 54]]})
    worker.page.get_by_role("button", name="English").click()
    appears(worker.page, '.screen[lang="en"][data-settled]')
    assert listed(worker.page) == ["cV “превращу”", "V “… ты любишь, |в овец.”"]


def sentences(shared: Path) -> list[tuple[str, str]]:
    """Every sentence of AGRR's dev set with its gold as the canonical answer."""
    with (shared / "agrr" / "dev.csv").open(encoding="utf8", newline="") as file:
        records = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    asked = task().answer
    return [
        (one["text"], asked.validate({name: one[name] for name in NAMES}, {"text": one["text"]})) for one in records
    ]


def mixed(text: str, gold: str, random: Random) -> tuple[str, str]:
    """Return a sentence with odd signs put in, and its gold moved along; a sign at an end of a span stays outside."""
    marks: dict[str, list[list[int]]] = unpacked(gold)
    for _ in range(6):
        at, sign = random.randrange(len(text) + 1), random.choice(ODD)
        text, size = text[:at] + sign + text[at:], len(sign)
        marks = {
            name: [[b + size * (b >= at), e + size * (e > at or b == e >= at)] for b, e in spans]
            for name, spans in marks.items()
        }
    return text, packed(marks)


def marked_through_the_page(worker: Worker, site: Site, golds: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Mark the gold of every item as it comes, send it, and return what was stored."""
    items = [Item(name, {"sentence": text, "genre": ""}) for name, (text, _) in golds.items()]
    study = at_work(worker, site, items, get_task("agrr/full"))
    page, by_text = worker.page, dict(golds.values())
    for place in range(len(golds)):
        text: str = page.evaluate("document.querySelector('[data-text]').textContent")
        marks: Any = unpacked(by_text[text])
        page.evaluate("(marks) => spansTest.markAll(marks)", marks)
        if not marks:
            page.keyboard.press("0")
        before = worker.token()
        page.keyboard.press("Enter")
        if place + 1 < len(golds):
            appears(page, f'.screen:not([data-token="{before}"]) [data-ready]')
    worker.at("done")
    return labels(site, study)


def test_fifty_real_sentences_give_their_gold_back(worker: Worker, site: Site, shared: Path) -> None:
    chosen = list(dict(sentences(shared)).items())[:200:4]
    golds = {f"item-{place}": one for place, one in enumerate(chosen)}
    stored = marked_through_the_page(worker, site, golds)
    assert len(stored) == 50
    assert stored == {name: gold for name, (_, gold) in golds.items()}
    asked = get_task("agrr/full").answer
    cells = [symbol_f(asked, {"sentence": text}, gold, stored[name]) for name, (text, gold) in golds.items()]
    total, number = (sum(column) for column in zip(*cells, strict=True))
    assert number >= 6 * 15, "many of them have gapping"
    assert total / number == pytest.approx(1, abs=1e-6)


def test_offsets_are_pythons_with_emoji_and_combining_marks_mixed_in(worker: Worker, site: Site, shared: Path) -> None:
    random = Random(7)
    positives = [one for one in sentences(shared) if one[1] != "{}"][:15]
    golds = {f"item-{place}": mixed(*one, random) for place, one in enumerate(positives)}
    stored = marked_through_the_page(worker, site, golds)
    for name, (text, gold) in golds.items():
        assert stored[name] == gold
        assert any(sign in text for sign in ODD)
        plain, sentence = dict(positives), positives[int(name.removeprefix("item-"))][0]
        before = [sentence[b:e] for spans in unpacked(plain[sentence]).values() for b, e in spans]
        after = [text[b:e] for spans in unpacked(stored[name]).values() for b, e in spans]
        assert [without_odd(words) for words in after] == [without_odd(words) for words in before]


def without_odd(words: str) -> str:
    return "".join(letter for letter in words if letter not in "".join(ODD))


def test_people_move_by_what_they_see_and_offsets_stay_code_points(worker: Worker, site: Site) -> None:
    text = "е\u0301 👩‍👩‍👧 🇷🇺\r\nи\u0306\u200b д"
    study = at_work(worker, site, [item(text)])
    assert worker.page.evaluate("document.querySelector('[data-text]').textContent") == text
    worker.page.keyboard.press("Tab")
    press(worker, "Shift+ArrowRight", "1")
    press(worker, "ArrowRight*1", "Shift+ArrowRight*1", "2")
    press(worker, "ArrowRight*1", "Shift+ArrowRight*1", "3")
    press(worker, "ArrowRight*1", "Shift+ArrowRight*1", "5")
    select(worker.page, 14, 15)
    press(worker, "6")
    marks = {name: [text[b:e] for b, e in spans] for name, spans in unpacked(sent(worker, site, study)).items()}
    assert marks == {"cV": ["е\u0301"], "cR1": ["👩‍👩‍👧"], "cR2": ["🇷🇺"], "R1": ["и\u0306"], "R2": ["\u0306"]}


def test_white_space_at_the_ends_of_a_selection_is_left_out(worker: Worker, site: Site) -> None:
    study = at_work(worker, site, [item("Он\u00a0 пришёл ,\r\n она\u200b ушла.")])
    mark(worker.page, {"cV": [[2, 11]], "V": [[13, 13]], "R1": [[14, 20]]})
    assert sent(worker, site, study) == '{"cV":[[4,10]],"V":[[15,15]],"R1":[[15,18]]}'


def test_the_cost_of_an_act_on_a_long_text_is_told(
    worker: Worker, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (SENTENCE + " ") * 81
    places = [[begin, begin + 20 + begin % 23, NAMES[begin % 3]] for begin in range(0, 4_800, 80)]
    at_work(worker, site, [item(text[:5_000], given=packed(places))])
    assert len(rows(worker.page)) == 60
    select(worker.page, 2_002, 2_010)
    taken = worker.page.evaluate(
        """async () => {
          const taken = [];
          const keys = [..."56565656"].map((key) => ({ key })).concat([{ key: "z", code: "KeyZ", ctrlKey: true }]);
          keys.push(...Array(8).fill({ key: "ArrowRight", shiftKey: true }));
          for (const one of keys) {
            const event = new KeyboardEvent("keydown", { ...one, bubbles: true, cancelable: true });
            const before = performance.now();
            document.querySelector("[data-text]").dispatchEvent(event);
            taken.push(performance.now() - before);
            await new Promise(requestAnimationFrame);
          }
          return taken;
        }"""
    )
    with capsys.disabled():
        sys.stdout.write(f"\nan act on 5,000 characters with 60 spans: worst {max(taken):.1f} ms of scripting\n")
    assert len(taken) == 17
