"""A worker in a real browser: the whole way by keyboard alone, feedback, keys, languages, a phone."""

import re
import sys
from collections import Counter
from statistics import median
from typing import Literal

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from data.catalogue.catalog import get_task
from data.task import Item
from data.wording import texts
from tests.e2e.conftest import Site, Worker, appears, keys, once_each, samples_of, stored

Scheme = Literal["light", "dark"]
SMALL = """() => [...document.querySelectorAll("button, input, a, summary, .option")].filter((one) => {
  const box = one.getBoundingClientRect();
  const target = (one.closest(".option") ?? one).getBoundingClientRect();
  return box.width > 0 && Math.min(target.width, target.height) < 44;
}).map((one) => one.outerHTML)"""
STOPWATCH = """() => {
  window.taken = [];
  let pressed = 0;
  const painted = () => {
    if (pressed) window.taken.push(performance.now() - pressed);
    pressed = 0;
  };
  addEventListener("keydown", (event) => (pressed = event.key === "Enter" ? performance.now() : 0), true);
  new MutationObserver(() => requestAnimationFrame(painted))
    .observe(document.querySelector("[data-screen]"), { childList: true });
}"""
AT_ONCE = """new MutationObserver((_, watch) => {
  const agree = document.querySelector("[data-act=consent]");
  if (agree) watch.disconnect();
  agree?.click();
}).observe(document, { childList: true, subtree: true })"""
HOSTILE = "<img src=x onerror=alert(1)>\r\nвторая строка\r«третья» \u202eабв\u202c 👩‍👩‍👧 е\u0301"


def test_the_whole_way_by_keyboard_alone(worker: Worker, site: Site) -> None:
    study = site.study(main=4, training=2, control=2, page_main=2, page_controls=1)
    worker.arrive(site.link(study))
    page = worker.page
    assert page.evaluate("document.activeElement.className") == "card"
    page.keyboard.press("Enter")
    assert worker.stage() == "consent", "nobody agrees by a key pressed in passing"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    worker.at("instructions")
    page.keyboard.press("Enter")
    worker.at("training")
    expect(page).to_have_title(re.compile("^1 / 2 · Причина"))
    expect(page.get_by_role("group", name=re.compile("Что"))).to_be_visible()
    worker.train(keys(right=True))
    answered = worker.work("2")
    worker.at("done")
    judgments = stored(site, study)
    roles = Counter(role for _, _, role, _ in judgments)
    assert (roles["training"], roles["main"], roles["control"]) == (2, 4, answered - 4)
    assert roles["control"] >= 1, "a check hides in every page"
    assert once_each(judgments)
    assert {status for *_, status in judgments} == {"counted"}


def test_whoever_agrees_the_moment_the_consent_appears_has_agreed(worker: Worker, site: Site) -> None:
    worker.page.add_init_script(AT_ONCE)
    worker.page.goto(site.link(site.study()))
    worker.at("instructions")


def test_feedback_says_in_words_what_is_right_and_why(worker: Worker, site: Site) -> None:
    worker.sit(site, site.study(training=1), "training")
    item = samples_of(get_task("rsg/parus"), "training")[0]
    worker.page.keyboard.press(keys(right=False)[item.fields["premise"]])
    worker.page.keyboard.press("Enter")
    worker.at("feedback")
    told = worker.page.locator(".told")
    expect(told).to_be_focused()
    expect(told).to_contain_text(texts("ru")["feedback"]["wrong"].replace(" ", "\u00a0", 1))
    expect(told).to_contain_text(item.explanation)
    expect(worker.page.locator(".is-wrong .mark")).to_have_text(f"✕ {texts('ru')['feedback']['your_wrong']}")
    expect(worker.page.locator(".option.is-right .mark")).to_have_text(f"✓ {texts('ru')['feedback']['the_right']}")
    expect(worker.page.locator("input:enabled")).to_have_count(0)


def test_wrong_answers_in_training_end_politely(worker: Worker, site: Site) -> None:
    study = site.study(training=2, training_pass=0.8)
    worker.sit(site, study, "training")
    worker.train(keys(right=False))
    worker.at("failed")
    expect(worker.page.get_by_role("heading", level=1)).to_have_text(texts("ru")["failed"]["heading"])
    assert {role for _, _, role, _ in stored(site, study)} == {"training"}


def test_keys_with_modifiers_and_other_keys_do_nothing(worker: Worker, site: Site) -> None:
    worker.sit(site, site.study(training=0))
    for combination in ("Control+1", "Alt+1", "Meta+1", "3", "0", "q", "]", '"', "\\"):
        worker.page.keyboard.press(combination)
    expect(worker.page.locator("input:checked")).to_have_count(0)
    worker.page.keyboard.press("1")
    expect(worker.page.locator('input[value="0"]')).to_be_checked()
    expect(worker.page.locator('input[value="0"]')).to_be_focused()
    worker.page.keyboard.press("ArrowDown")
    expect(worker.page.locator('input[value="1"]')).to_be_checked()


def test_the_instruction_opens_and_closes_by_key(worker: Worker, site: Site) -> None:
    worker.sit(site, site.study(training=0))
    panel = worker.page.get_by_role("dialog", name=texts("ru")["frame"]["guide"])
    for opening, closing in (("?", "?"), ("F1", "Escape")):
        worker.page.keyboard.press("1")
        worker.page.keyboard.press(opening)
        expect(panel).to_be_visible()
        worker.page.keyboard.press("2")
        worker.page.keyboard.press(closing)
        expect(panel).to_be_hidden()
        expect(worker.page.locator('input[name="answer"][value="0"]')).to_be_checked()
    worker.page.get_by_role("button", name=texts("ru")["frame"]["guide"]).click()
    worker.page.get_by_role("button", name=texts("ru")["sheet"]["close"]).click()
    expect(panel).to_be_hidden()


def test_the_language_changes_and_the_choice_stays(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=0), language="en"))
    page = worker.page
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.get_by_role("heading", level=1)).to_contain_text("label texts")
    page.get_by_role("button", name="Русский").click()
    appears(page, '.screen[lang="ru"][data-settled]')
    worker.begin()
    worker.at("work")
    before = worker.token()
    page.keyboard.press("2")
    page.get_by_role("button", name="English").click()
    appears(page, '.screen[lang="en"][data-settled]')
    assert worker.token() == before
    expect(page.locator('input[value="1"]')).to_be_checked()
    expect(page.get_by_role("button", name="Русский")).to_be_focused()
    assert page.title().startswith("1 / 3")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    worker.gone_on(before)
    assert page.evaluate("document.documentElement.lang") == "en"


def test_a_hostile_text_stands_there_as_it_is(worker: Worker, site: Site) -> None:
    fields = {"premise": HOSTILE, "question": "cause", "choice1": HOSTILE, "choice2": "</label></form>"}
    study = site.study_of(get_task("rsg/parus"), [Item("a", fields)], page_controls=0)
    worker.sit(site, study)
    assert worker.page.evaluate("document.querySelector('.text').textContent") == HOSTILE
    words = worker.page.evaluate("[...document.querySelectorAll('.words')].map((one) => one.textContent)")
    assert words == [HOSTILE, "</label></form>"]
    worker.answer()
    worker.at("done")


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "ru")])
def test_the_whole_way_by_touch_never_scrolls_sideways_and_every_target_is_large(
    browser: Browser, site: Site, scheme: Scheme, language: str
) -> None:
    study = site.study(main=2, training=1, control=0, page_controls=0)
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme=scheme, locale=language
    )
    worker = Worker(context.new_page())
    worker.arrive(site.link(study, language=language))
    assert worker.page.evaluate("document.documentElement.lang") == language
    met = []
    while True:
        met.append(worker.stage())
        assert worker.page.evaluate("document.documentElement.scrollWidth") == 390, met
        assert worker.page.evaluate(SMALL) == [], met
        assert worker.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
        if met[-1] == "done":
            break
        if worker.page.locator("input:enabled").count():
            worker.page.tap(".option >> nth=1")
        stage, token = worker.stage(), worker.token()
        worker.page.tap("button.main")
        appears(worker.page, f'.screen[data-settled]:not([data-stage="{stage}"][data-token="{token}"])')
    context.close()
    assert met == ["consent", "instructions", "training", "feedback", "work", "work", "done"]
    assert len(stored(site, study)) == 3


def test_the_time_from_key_to_next_item_is_told(worker: Worker, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    study = site.study(main=8, training=0, control=2, page_main=8, page_controls=2)
    worker.sit(site, study)
    worker.page.evaluate(STOPWATCH)
    session = worker.page.context.new_cdp_session(worker.page)
    session.send("Performance.enable")
    before = scripting(session)
    done = worker.work()
    script = (scripting(session) - before) / done
    taken = sorted(worker.page.evaluate("window.taken"))
    with capsys.disabled():
        sys.stdout.write(
            f"\nkey to next item: median {median(taken):.0f} ms, 95th percentile {taken[int(0.95 * len(taken))]:.0f} ms"
            f"; scripts, the test's own among them: {script:.1f} ms an item\n"
        )
    assert len(taken) == done == len([1 for judgment in stored(site, study) if judgment[2] in ("main", "control")])


def scripting(session: CDPSession) -> float:
    """Return how many milliseconds the page has spent in scripts since its performance is followed."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


def test_the_instruction_works_examples_through_as_items_and_leaves_nothing_behind(worker: Worker, site: Site) -> None:
    task = get_task("rsg/parus")
    worker.sit(site, site.study(training=0))
    page = worker.page
    page.keyboard.press("?")
    panel = page.get_by_role("dialog", name=texts("ru")["frame"]["guide"])
    expect(panel.locator(".example")).to_have_count(len(task.examples))
    for place, example in enumerate(task.examples):
        drawn = panel.locator(".example").nth(place)
        expect(drawn.locator("input:checked")).to_have_value(example.answer)
        expect(drawn.locator("input:enabled")).to_have_count(0)
        assert drawn.locator(".text").inner_text() == example.fields["premise"]
    page.keyboard.press("Escape")
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.locator("form")).to_have_count(1)


def test_what_was_done_and_earned_is_one_press_away(worker: Worker, site: Site) -> None:
    worker.sit(site, site.study(main=3, training=0, control=0, page_controls=0, price=1.5))
    worker.answer()
    place = worker.page.get_by_role("button", name=texts("ru")["record"]["heading"])
    expect(place).to_contain_text("1,50\u00a0₽")
    expect(place.locator("[data-tick]")).to_have_attribute("data-saved", "")
    place.click()
    shown = worker.page.get_by_role("dialog", name=texts("ru")["record"]["heading"])
    for words in (texts("ru")["record"][name] for name in ("earned", "answers", "time", "left", "price")):
        expect(shown).to_contain_text(words)
