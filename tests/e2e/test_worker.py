"""A worker in a real browser: by keyboard alone, with two tabs, double clicks and a network that fails."""

import re
import sys
from collections import Counter
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from annotate.texts import texts
from data.catalog import get_task
from data.task import Item
from db import frames
from db.engine import reading
from db.studies import Study
from tests.e2e.conftest import Site, samples_of

Judgment = tuple[str, str, str, str]
SMALL = """() => [...document.querySelectorAll("button, input, a, summary, .option")].filter((one) => {
  const box = one.getBoundingClientRect();
  const target = (one.closest(".option") ?? one).getBoundingClientRect();
  return box.width > 0 && Math.min(target.width, target.height) < 44;
}).map((one) => one.outerHTML)"""


@dataclass
class Worker:
    """Somebody at the page. Every step waits for what it brings, never for time."""

    page: Page

    def arrive(self, link: str) -> None:
        self.page.goto(link)
        self.at("consent")

    def at(self, stage: str) -> None:
        """Wait until a screen of that stage is there and listens."""
        self.page.wait_for_selector(f'.screen[data-stage="{stage}"][data-settled]')

    def begin(self) -> None:
        self.page.get_by_role("button", name=texts("ru")["consent"]["agree"]).click()
        self.at("instructions")
        self.page.keyboard.press("Enter")

    def token(self) -> str:
        return self.page.get_attribute(".screen", "data-token") or ""

    def gone_on(self, before: str) -> None:
        """Wait until the screen is not the one with that token any more, and listens."""
        self.page.wait_for_selector(f'.screen[data-settled]:not([data-token="{before}"])')

    def answer(self, key: str = "1") -> None:
        before = self.token()
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.gone_on(before)

    def train(self, key_of: dict[str, str]) -> None:
        """Answer the practice items by the keys given for their first text, and read the feedback."""
        while self.stage() == "training":
            text = self.page.inner_text(".text >> nth=0")
            self.page.keyboard.press(key_of[text])
            self.page.keyboard.press("Enter")
            self.at("feedback")
            before = self.token()
            self.page.keyboard.press("Enter")
            self.gone_on(before)

    def stage(self) -> str:
        return self.page.get_attribute(".screen[data-settled]", "data-stage") or ""

    def note(self) -> str:
        return self.page.inner_text("[data-note]:not(:empty)")

    def work(self, key: str = "1") -> int:
        done = 0
        while self.stage() == "work":
            self.answer(key)
            done += 1
        return done


def keys(right: bool) -> dict[str, str]:
    """The key of the right (or a wrong) answer of every practice item of PARus, by its first text."""
    task = get_task("rsg/parus")
    place = {item.fields["premise"]: int(item.gold or 0) for item in samples_of(task, "training")}
    return {text: str((gold if right else 1 - gold) + 1) for text, gold in place.items()}


def stored(site: Site, study: Study) -> list[Judgment]:
    with reading(site.service.database) as session:
        frame = frames.judgments(session, study=study)
    return list(frame[["worker", "item", "role", "status"]].itertuples(index=False, name=None))


def once_each(judgments: list[Judgment]) -> bool:
    return set(Counter((worker, item) for worker, item, role, _ in judgments if role == "main").values()) <= {1}


@pytest.fixture
def worker(page: Page) -> Worker:
    return Worker(page)


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


def test_feedback_says_in_words_what_is_right_and_why(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=1)))
    worker.begin()
    worker.at("training")
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
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("training")
    worker.train(keys(right=False))
    worker.at("failed")
    expect(worker.page.get_by_role("heading", level=1)).to_have_text(texts("ru")["failed"]["heading"])
    assert {role for _, _, role, _ in stored(site, study)} == {"training"}


def test_a_reload_in_the_middle_loses_nothing(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    worker.answer()
    before, text = worker.token(), worker.page.inner_text(".text")
    worker.page.keyboard.press("2")
    worker.page.reload()
    worker.at("work")
    assert (worker.token(), worker.page.inner_text(".text")) == (before, text)
    worker.page.goto(site.link(study))
    worker.at("work")
    assert worker.token() == before, "the link again is the same worker at the same place"
    worker.work()
    worker.at("done")
    assert once_each(stored(site, study))


def test_a_double_click_sends_once_and_skips_nothing(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=1, control=0, page_controls=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("training")
    page = worker.page
    page.keyboard.press(keys(right=True)[page.inner_text(".text")])
    page.locator("button.main").dblclick()
    worker.at("feedback")
    page.keyboard.press("Enter")
    worker.at("work")
    first = worker.token()
    page.keyboard.press("1")
    page.locator("button.main").dblclick()
    worker.gone_on(first)
    assert worker.stage() == "work"
    assert page.locator("[data-note]:not(:empty)").count() == 0
    assert len([role for _, _, role, _ in stored(site, study) if role == "main"]) == 1


def test_sending_without_a_choice_says_so_and_keeps_the_item(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=0)))
    worker.begin()
    worker.at("work")
    before = worker.token()
    worker.page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["mistakes"]["nothing_chosen"]
    assert worker.token() == before
    worker.page.keyboard.press("2")
    expect(worker.page.locator("[data-note]")).to_have_text("")
    worker.page.keyboard.press("Escape")
    expect(worker.page.locator("input:checked")).to_have_count(0)


def test_keys_with_modifiers_and_other_keys_do_nothing(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=0)))
    worker.begin()
    worker.at("work")
    for combination in ("Control+1", "Alt+1", "Meta+1", "3", "0", "q", "]", '"', "\\"):
        worker.page.keyboard.press(combination)
    expect(worker.page.locator("input:checked")).to_have_count(0)
    worker.page.keyboard.press("1")
    expect(worker.page.locator('input[value="0"]')).to_be_checked()
    expect(worker.page.locator('input[value="0"]')).to_be_focused()
    worker.page.keyboard.press("ArrowDown")
    expect(worker.page.locator('input[value="1"]')).to_be_checked()


def test_the_instruction_opens_and_closes_by_key(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=0)))
    worker.begin()
    worker.at("work")
    panel = worker.page.get_by_role("dialog", name=texts("ru")["frame"]["guide"])
    for opening, closing in (("?", "?"), ("F1", "Escape")):
        worker.page.keyboard.press("1")
        worker.page.keyboard.press(opening)
        expect(panel).to_be_visible()
        worker.page.keyboard.press("2")
        worker.page.keyboard.press(closing)
        expect(panel).to_be_hidden()
        expect(worker.page.locator('input[value="0"]')).to_be_checked()
    worker.page.get_by_role("button", name=texts("ru")["frame"]["guide"]).click()
    worker.page.get_by_role("button", name=texts("ru")["frame"]["close"]).click()
    expect(panel).to_be_hidden()


def test_two_tabs_make_one_judgment_of_each_item(worker: Worker, context: BrowserContext, site: Site) -> None:
    study = site.study(main=4, training=0, control=1)
    one, other = worker, Worker(context.new_page())
    one.arrive(site.link(study))
    one.begin()
    one.at("work")
    other.page.goto(site.link(study))
    other.at("work")
    stale = other.token()
    assert stale == one.token()
    one.answer("1")
    current = one.token()
    other.page.keyboard.press("2")
    other.page.keyboard.press("Enter")
    other.page.wait_for_selector(f'.screen[data-token="{current}"][data-settled]')
    one.answer("1")
    with other.page.expect_response("**/state"):
        other.page.evaluate("dispatchEvent(new Event('focus'))")
    other.page.wait_for_selector(f'.screen[data-token="{one.token()}"][data-settled]')
    assert other.note() == texts("ru")["says"]["elsewhere"]
    other.work("1")
    other.at("done")
    other.page.close()
    judgments = stored(site, study)
    assert once_each(judgments)
    assert len([role for _, _, role, _ in judgments if role == "main"]) == 4


def test_an_answer_given_while_the_network_fails_is_kept_and_sent(worker: Worker, site: Site) -> None:
    study = site.study(main=2, training=0, control=0, page_controls=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    page, before = worker.page, worker.token()
    page.route("**/api/**", lambda route: route.abort())
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["says"]["offline"]
    expect(page.locator('input[value="1"]')).to_be_checked()
    expect(page.locator("input:enabled")).to_have_count(0)
    assert stored(site, study) == []
    page.unroute("**/api/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    worker.gone_on(before)
    expect(page.locator("[data-note]")).to_have_text("")
    assert len(stored(site, study)) == 1


def test_an_answer_whose_reply_was_lost_is_one_judgment_even_after_a_reload(worker: Worker, site: Site) -> None:
    study = site.study(main=2, training=0, control=0, page_controls=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    page, before = worker.page, worker.token()

    def lose_the_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/act", lose_the_reply)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["says"]["offline"]
    page.unroute("**/act")
    page.reload()
    worker.gone_on(before)
    assert len(stored(site, study)) == 1


@pytest.mark.parametrize("broken", [500, 502, 429])
def test_a_server_that_stumbles_is_asked_again(worker: Worker, site: Site, broken: int) -> None:
    study = site.study(main=1, training=0, control=0, page_controls=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    worker.page.route("**/act", lambda route: route.fulfill(status=broken, body="<h1>sorry</h1>"), times=1)
    worker.page.route("**/act", lambda route: route.fulfill(status=200, body='{"stage": "wo'), times=1)
    worker.answer()
    worker.at("done")
    assert len(stored(site, study)) == 1


def test_a_cookie_that_is_gone_leads_back_to_the_invitation(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="ru-RU")
    page = context.new_page()
    worker = Worker(page)
    worker.arrive(site.link(site.study(training=0)))
    worker.begin()
    worker.at("work")
    context.clear_cookies()
    worker.page.keyboard.press("1")
    worker.page.keyboard.press("Enter")
    worker.at("uninvited")
    expect(page.get_by_role("heading", level=1)).to_contain_text("приглашение")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("приглашение")
    assert page.url.endswith("/join")
    context.close()


def test_the_language_changes_and_the_choice_stays(worker: Worker, site: Site) -> None:
    worker.arrive(site.link(site.study(training=0), language="en"))
    page = worker.page
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.get_by_role("heading", level=1)).to_contain_text("compare people")
    page.get_by_role("button", name="Русский").click()
    page.wait_for_selector('.screen[lang="ru"][data-settled]')
    worker.begin()
    worker.at("work")
    before = worker.token()
    page.keyboard.press("2")
    page.get_by_role("button", name="English").click()
    page.wait_for_selector('.screen[lang="en"][data-settled]')
    assert worker.token() == before
    expect(page.locator('input[value="1"]')).to_be_checked()
    expect(page.get_by_role("button", name="Русский")).to_be_focused()
    assert page.title().startswith("1 / 3")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    worker.gone_on(before)
    assert page.evaluate("document.documentElement.lang") == "en"


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
HOSTILE = "<img src=x onerror=alert(1)>\r\nвторая строка\r«третья» \u202eабв\u202c 👩‍👩‍👧 е\u0301"


def test_a_hostile_text_stands_there_as_it_is(worker: Worker, site: Site) -> None:
    fields = {"premise": HOSTILE, "question": "cause", "choice1": HOSTILE, "choice2": "</label></form>"}
    study = site.study_of(get_task("rsg/parus"), [Item("a", fields)], page_controls=0)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    assert worker.page.evaluate("document.querySelector('.text').textContent") == HOSTILE
    words = worker.page.evaluate("[...document.querySelectorAll('.words')].map((one) => one.textContent)")
    assert words == [HOSTILE, "</label></form>"]
    worker.answer()
    worker.at("done")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_never_scrolls_sideways_and_every_target_is_large(browser: Browser, site: Site, scheme: str) -> None:
    study = site.study(main=1, training=1, control=0, page_controls=0)
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme=scheme, locale="ru-RU"
    )
    worker = Worker(context.new_page())
    worker.arrive(site.link(study))
    met = []
    while True:
        met.append(worker.stage())
        assert worker.page.evaluate("document.documentElement.scrollWidth") == 390, met
        assert worker.page.evaluate(SMALL) == [], met
        assert worker.page.evaluate("document.body.classList.contains('dark')") == (scheme == "dark")
        if met[-1] == "done":
            break
        if worker.page.locator("input:enabled").count():
            worker.page.tap(".option >> nth=1")
        before = worker.stage()
        worker.page.tap("button.main")
        worker.page.wait_for_selector(f'.screen[data-settled]:not([data-stage="{before}"])')
    context.close()
    assert met == ["consent", "instructions", "training", "feedback", "work", "done"]


def test_the_time_from_key_to_next_item_is_told(worker: Worker, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    study = site.study(main=8, training=0, control=2, page_main=8, page_controls=2)
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("work")
    worker.page.evaluate(STOPWATCH)
    done = worker.work()
    taken = sorted(worker.page.evaluate("window.taken"))
    with capsys.disabled():
        sys.stdout.write(f"\nkey to next item: median {taken[len(taken) // 2]:.0f} ms, worst {taken[-1]:.0f} ms\n")
    assert len(taken) == done == len([1 for judgment in stored(site, study) if judgment[2] in ("main", "control")])
