"""axe-core on every screen a worker can meet, in both languages, light and wide, dark and narrow.

Every kind of field and answer is met: at work in both looks, in its instruction and its feedback in one each. Screens
of work are looked at without Gradio around them, those of the way in and out with it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import update
from sqlmodel import col

from annotate.accounts.signer import worker_cookie_name
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.answers.form import Form
from data.catalogue.catalog import get_task, samples, tasks
from data.task import Item, Task
from data.wording import texts
from db.engine import writing
from db.studies import Study, set_status
from db.tables import EnrolmentRow
from tests.e2e.conftest import Site, Worker, appears

ONE_TAB = True
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# No rule that is run by default reads style sheets or media, which axe would fetch for each run. The only frames hold
# previews: screens of workers, which are looked at here.
VIOLATIONS = """async (part) => (await axe.run(part, { resultTypes: ["violations"], preload: false, iframes: false }))
  .violations
  .flatMap(({ id, nodes }) => nodes.map((one) => `${id}: ${one.html.slice(0, 300)} ${one.failureSummary}`))"""
# What can be pressed. A control inside its label is as large as the label; what stands inside a text is as large as its
# line lets it be.
SMALL = """() => [
  ...document.querySelectorAll("button, input, textarea, summary, [role=button], [tabindex='0']"),
].filter((one) => {
  const box = one.getBoundingClientRect();
  const target = (one.closest("label") ?? one).getBoundingClientRect();
  const seen = box.width > 0 && getComputedStyle(one).visibility === "visible";
  return seen && !one.closest(":disabled, .unseen, .text") && Math.min(target.width, target.height) < 43.9;
}).map((one) => `${one.outerHTML.slice(0, 200)} ${JSON.stringify(one.getBoundingClientRect())}`)"""
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


@dataclass
class Visit:
    """Somebody at the page of a study, and the same person by the service: what is answered there, the page shows."""

    site: Site
    study: Study
    worker: Worker

    @property
    def page(self) -> Page:
        return self.worker.page

    @property
    def cookie(self) -> str:
        name = worker_cookie_name(self.study.name)
        return next(c["value"] for c in self.page.context.cookies() if c["name"] == name)

    def view(self) -> View:
        return self.site.service.state(self.study.name, self.cookie)

    def answer(self, value: object) -> None:
        view = self.view()
        self.site.service.act(self.study.name, self.cookie, Act("answer", token=view.token, value=value, seconds=1))
        self.look()

    def look(self) -> None:
        """Let the page ask where things stand, and wait until it shows it."""
        view = self.view()
        token = f'[data-token="{view.token}"]' if view.item else ""
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        appears(self.page, f'.screen[data-stage="{view.stage}"]{token}[data-settled]')

    def right(self) -> object:
        """Return a right answer to the item on the screen."""
        view = self.view()
        assert view.item is not None
        item = next(item for item in samples(self.study.task) if item.fields == view.item.fields)
        asked = self.study.task.answer_for(item.fields)
        best = asked.best(item.gold or "", item.fields)
        if isinstance(asked, Form) and not asked.over:  # people answer what there is no gold for, too
            return json.dumps({part.name: "_" for part in asked.parts if part.without_gold} | json.loads(best))
        return best


def violations(page: Page, part: str = ":root") -> list[str]:
    """Return what axe finds in a part of the page; it comes when it is first asked for, and into no other frame."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(f"{AXE.read_text('utf8')}; null")
    found: list[str] = page.evaluate(VIOLATIONS, part)
    return found


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without motion: a colour halfway through a change is nobody's."""
    assert AXE.is_file(), "run `make node_modules/.done` or `npm ci` first"
    opened = browser.new_context(
        viewport={"width": 1280, "height": 900}, locale="ru-RU", color_scheme="light", reduced_motion="reduce"
    )
    yield opened
    opened.close()


def sound(page: Page, where: str, *, dark: bool) -> None:
    """Check what is on the screen: wide and light, or narrow and dark."""
    page.set_viewport_size({"width": 390 if dark else 1280, "height": 844})
    page.emulate_media(color_scheme="dark" if dark else "light")
    if page.locator("gradio-app").count():
        page.evaluate("dark => document.body.classList.toggle('dark', dark)", dark)
    assert violations(page) == [], where
    assert page.evaluate(SMALL) == [], where
    assert page.evaluate(SIDEWAYS) <= 0, where


def in_both(visit: Visit, where: str) -> None:
    """Check the screen wide and light in its language, then narrow and dark in the other, which it is in afterwards."""
    sound(visit.page, where, dark=False)
    in_other_language(visit)
    sound(visit.page, f"{where} in the other language", dark=True)


def in_other_language(visit: Visit) -> None:
    other = visit.page.get_attribute(".tongue", "data-value")
    visit.page.click(".tongue")
    appears(visit.page, f'.screen[lang="{other}"][data-settled]')


def opened_and_closed(visit: Visit, name: str, where: str) -> None:
    visit.page.click(f"[data-open=sheet][data-section={name}]")
    appears(visit.page, "#sheet[open]")
    sound(visit.page, where, dark=True)
    if name == "record":
        for other in ("terms", "keys"):
            visit.page.evaluate("name => document.querySelector(`#sheet [data-section=${name}]`).click()", other)
            sound(visit.page, other, dark=True)
    visit.page.keyboard.press("Escape")
    visit.page.wait_for_selector("#sheet[open]", state="detached")


def parts_of(task: Task) -> set[str]:
    """Return what the screens of a task are made of: the kinds of its fields, of its answers and of their parts."""
    fields = {f"field {field.kind}" for field in task.fields if field.above_question}
    asked = [task.answer_for(item.fields) for item in samples(task)]
    inner = {part.answer.kind for one in asked if isinstance(one, Form) for part in one.parts}
    listed = {f"{one.kind} of a list" for one in asked if getattr(one, "option_list", "")}
    return fields | {f"answer {one.kind}" for one in asked} | {f"part {kind}" for kind in inner} | listed


def telling() -> list[str]:
    """Return tasks that together have every part there is: each brings one that those before it did not."""
    seen: set[str] = set()
    kept = []
    for name, task in tasks().items():
        if parts_of(task) - seen:
            seen |= parts_of(task)
            kept.append(name)
    return kept


def one_of_each(task: Task) -> list[Item]:
    """Return sample items to work on: one for every way in which the task asks."""
    found: dict[str, Item] = {}
    for item in samples(task):
        if item.role == "main":
            found.setdefault(task.answer_for(item.fields).kind, item)
    return list(found.values())


KINDS = telling()


@pytest.mark.parametrize("name", KINDS)
def test_nothing_stands_in_the_way_on_any_screen_of_any_kind(worker: Worker, site: Site, name: str) -> None:
    task = get_task(name)
    training = [item for item in samples(task) if item.role == "training" and item.gold is not None][:1]
    main = one_of_each(task)
    study = site.study_of(task, [*training, *main], page_controls=0, price=0.5, overlap=50, training_pass=0)
    visit, dark = Visit(site, study, worker), KINDS.index(name) % 2 == 1
    worker.sit(site, study, "instructions")
    if dark:
        in_other_language(visit)
    sound(visit.page, "instructions", dark=dark)
    visit.site.service.act(study.name, visit.cookie, Act("begin"))
    visit.look()
    if training:
        if name == KINDS[0]:
            in_both(visit, "training")  # but for the word above it what "work" is
        visit.answer(visit.right())
        in_other_language(visit)
        sound(visit.page, "feedback", dark=not dark)
        visit.site.service.act(study.name, visit.cookie, Act("next"))
        visit.look()
    in_both(visit, "work")
    opened_and_closed(visit, "guide", "guide")
    if name == KINDS[0]:
        opened_and_closed(visit, "record", "record")
    for place in range(1, len(main)):
        visit.answer(visit.right())
        in_both(visit, f"work {place + 1}")


def test_nothing_stands_in_the_way_where_it_begins_and_ends(worker: Worker, site: Site) -> None:
    said = {"consent": "Мы изучаем союзы.", "notice": "В текстах бывают болезни.", "contact": "lab@example.org"}
    study = site.study(main=1, training=0, control=0, page_controls=0, price=12.5, **said)
    visit = Visit(site, study, worker)
    worker.interceptable()
    worker.arrive(site.link(study))
    for _ in range(2):
        in_both(visit, "consent")
    worker.page.get_by_role("button", name=texts("ru")["consent"]["agree"]).click()
    assert worker.note() == texts("ru")["mistakes"]["notice_open"]
    expect(worker.page.get_by_role("checkbox")).to_be_focused()
    worker.page.keyboard.press("Space")
    worker.begin()
    worker.at("work")
    worker.page.route("**/act", lambda route: route.abort())
    worker.page.keyboard.press("1")
    worker.page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["says"]["offline"]
    for dark in (False, True):
        sound(worker.page, "offline", dark=dark)
    worker.page.unroute_all()
    worker.page.keyboard.press("Enter")
    worker.at("done")
    expect(worker.page.locator(".record")).to_contain_text("12,50\u00a0₽")
    in_both(visit, "done")
    for status in ("failed", "excluded"):
        with writing(site.service.database) as session:
            session.execute(update(EnrolmentRow).where(col(EnrolmentRow.study_id) == study.id).values(status=status))
        visit.look()
        in_both(visit, status)
    with writing(site.service.database) as session:
        session.execute(update(EnrolmentRow).where(col(EnrolmentRow.study_id) == study.id).values(status="active"))
        set_status(session, study=study, status="closed")
    visit.look()
    in_both(visit, "closed")
    retried = site.study(main=1, training=1, control=0, page_controls=0, training_pass=1, training_attempts=2)
    visit = Visit(site, retried, worker)
    worker.sit(site, retried, "training")
    visit.answer(next(label for label in ("0", "1") if label != visit.right()))
    site.service.act(retried.name, visit.cookie, Act("next"))
    visit.look()
    in_both(visit, "again")
    worker.page.context.clear_cookies()
    worker.page.evaluate("dispatchEvent(new Event('focus'))")
    worker.at("uninvited")
    sound(worker.page, "uninvited", dark=True)
    for path in ("/join", "/join/nothing/wrong", "/nothing"):
        worker.page.goto(f"{site.address}{path}")
        sound(worker.page, path, dark=False)
