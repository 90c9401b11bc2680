"""Deciding in a real browser: every item comes empty, whatever was answered or written about the one before."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.form import Form, Part
from data.answers.spans import Element, Spans
from data.answers.text import Text
from data.task import Item
from data.wording import Wording, same
from db.engine import reading, writing
from db.items import list_items
from db.records import GivenReport, add_report, list_decisions
from db.studies import Study
from db.workers import enrol, get_enrolment, named_workers
from tests.e2e.conftest import Site, appears
from tests.e2e.test_simple_answers import CASES, FIELDS, Case, task_of
from tests.helpers.requester_pages import signed_in

NOTE = "only about this one"
READ = """async () => {
  const answers = await import("/static/annotate/answers/index.js");
  return answers.read(document.querySelector("[data-case] fieldset:enabled > [data-answer]"));
}"""
GIVEN = """() => [...document.querySelectorAll("[data-case] :is(input, textarea, select)")]
  .filter((one) => ["radio", "checkbox"].includes(one.type) ? one.checked : one.value !== "")
  .map((one) => one.name || one.id)"""
YES_NO = Choice(choices={"yes": same("да"), "no": same("нет")})
FORM = Form((Part("right", same("Верно?"), YES_NO), Part("why", same("Почему?"), Text(limit=80), optional=True)))
SPANS = Spans("text", (Element("A", same("часть"), "1"),), Wording(ru="нет", en="none"))
KINDS = ("choice of a list", "choice of many", "choices", "text", "number", "matching", "pairwise", "rating")
DECIDED: dict[str, Case] = {name: CASES[name] for name in KINDS} | {
    "spans": Case(SPANS, '{"A":[[0,4]]}', ("1",), ("[data-text]",)),
    "form": Case(
        FORM, '{"right":"yes","why":"так сказано"}', (), ('input[value="yes"]', "[data-part=why] .typed"), "так сказано"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def desk(signed: BrowserContext) -> Iterator[Page]:
    """The desk, where nothing breaks."""
    with signed_in(signed) as page:
        yield page


def reported(site: Site, answer: AnswerType, items: int = 3) -> Study:
    """Store a study whose items wait for a decision: somebody has reported each of them."""
    asked = [Item(f"item-{number}", FIELDS | {"text": f"{FIELDS['text']} {number}"}) for number in range(items)]
    study = site.study_of(task_of(answer), asked, page_controls=0)
    with writing(site.service.database) as session:
        worker = named_workers(session, names=["reader"])["reader"]
        enrolment = get_enrolment(session, enrolment_id=enrol(session, study=study, worker_id=worker, language="ru").id)
        assert enrolment is not None
        for one in list_items(session, study=study, role="main"):
            told = GivenReport("mistake", "", datetime.now(UTC))
            add_report(session, told, enrolment=enrolment, item_key=one.key)
    return study


def opened(page: Page, site: Site, study: Study) -> None:
    """Open the tab of the study from the list of studies, on the page as it is: its scripts are read once."""
    if page.url.startswith(f"{site.address}/manage/"):
        page.evaluate("document.querySelector('[data-case]')?.setAttribute('data-earlier', '')")
        page.get_by_role("button", name="All studies").click()
    else:
        page.goto(f"{site.address}/manage/")
    page.locator(f'.studies tr [data-study="{study.name}"]').click()
    expect(page).to_have_url(re.compile(rf"study={study.name}\b"))
    page.get_by_role("tab", name="Decide").click()
    appears(page, "[data-case][data-settled]:not([data-earlier])")
    at(page, "item-0")


def at(page: Page, item: str) -> None:
    """Wait until an item is in sight and listens."""
    expect(page.locator(".case-head h2")).to_have_text(item)
    appears(page, "[data-case][data-settled]")


def answered(page: Page, name: str) -> None:
    """Answer as an expert would by pointing, and write a note."""
    if name == "spans":
        page.locator("[data-text]").focus()
        for _ in range(4):
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("1")
    else:
        DECIDED[name].by_mouse(page)
    page.get_by_label("Note").fill(NOTE)
    page.get_by_label("Note").blur()
    assert page.evaluate(READ) is not None


def empty(page: Page) -> None:
    """Nothing is answered and nothing written, neither for the script that reads nor for the eye."""
    assert page.evaluate(READ) is None
    assert page.evaluate(GIVEN) == []
    expect(page.locator("[data-case] .span-row")).to_have_count(0)


def kept(site: Site, study: Study) -> list[tuple[str, str, str]]:
    with reading(site.service.database) as session:
        return [(one.item, one.label, one.note) for one in list_decisions(session, study=study)]


@pytest.mark.parametrize("name", DECIDED)
def test_every_item_comes_empty_whichever_kind_of_answer_was_given_to_the_one_before(
    desk: Page, site: Site, name: str
) -> None:
    study = reported(site, DECIDED[name].answer)
    opened(desk, site, study)
    answered(desk, name)
    desk.keyboard.press("]")
    at(desk, "item-1")
    empty(desk)
    answered(desk, name)
    desk.get_by_role("button", name="Before").click()
    at(desk, "item-0")
    empty(desk)
    answered(desk, name)
    desk.get_by_role("button", name="Decide", exact=True).click()
    expect(desk.locator("[data-case] .pill").first).to_have_text("with the votes")
    at(desk, "item-0")
    assert desk.evaluate(READ) is not None
    expect(desk.get_by_label("Note")).to_have_value("")
    desk.keyboard.press("]")
    at(desk, "item-1")
    empty(desk)
    assert kept(site, study) == [("item-0", DECIDED[name].stored, NOTE)]


def test_an_item_comes_empty_by_every_button_and_key_and_enter_stores_nothing(desk: Page, site: Site) -> None:
    study = reported(site, FORM)
    opened(desk, site, study)
    answered(desk, "form")
    desk.get_by_role("button", name="Next").click()
    at(desk, "item-1")
    empty(desk)
    answered(desk, "form")
    desk.keyboard.press("[")
    at(desk, "item-0")
    empty(desk)
    desk.locator(".case-head h2").focus()
    desk.keyboard.press("Control+Enter")
    expect(desk.get_by_test_id("toast-body").filter(has_text="Answer the item first")).to_be_visible()
    desk.get_by_test_id("toast-close").first.click()
    answered(desk, "form")
    desk.get_by_role("tab", name="Items").click()
    desk.get_by_role("row").filter(has_text="item-2").locator("[data-item]").click()
    at(desk, "item-2")
    empty(desk)
    assert kept(site, study) == []


def test_a_decision_that_is_opened_again_shows_itself_and_not_the_one_before(desk: Page, site: Site) -> None:
    study = reported(site, CASES["choice of a list"].answer, items=4)
    opened(desk, site, study)
    chosen = {"item-0": "1", "item-1": "2", "item-2": "3"}
    for item, key in chosen.items():
        at(desk, item)
        desk.keyboard.press(key)
        desk.keyboard.press("Enter")
        expect(desk.locator("[data-case] .pill").first).to_have_text("with the votes")
        at(desk, item)
        desk.keyboard.press("]")
    at(desk, "item-3")
    empty(desk)
    for item, other in pairwise(reversed(["item-0", "item-1", "item-2", "item-3"])):
        at(desk, item)
        desk.keyboard.press("[")
        at(desk, other)
        assert desk.evaluate(READ) == str(int(chosen[other]) - 1)
    assert [(item, label) for item, label, _ in kept(site, study)] == [
        ("item-0", "0"),
        ("item-1", "1"),
        ("item-2", "2"),
    ]


def test_a_key_decides_nothing_a_second_time_and_a_change_or_the_button_does(desk: Page, site: Site) -> None:
    study = reported(site, CASES["choice of a list"].answer)
    opened(desk, site, study)
    desk.keyboard.press("1")
    desk.keyboard.press("Enter")
    expect(desk.locator("[data-case] .pill").first).to_have_text("with the votes")
    at(desk, "item-0")
    for _ in range(3):
        desk.keyboard.press("Enter")
    desk.wait_for_timeout(1500)
    for key in ("Enter", "Control+Enter", "1", "Enter"):
        desk.keyboard.press(key)
    desk.wait_for_timeout(1500)
    assert kept(site, study) == [("item-0", "0", "")]
    decisions = desk.get_by_role("region", name="What others say").locator("ol > li")
    desk.keyboard.press("2")
    desk.keyboard.press("Enter")
    expect(decisions).to_have_count(2)
    at(desk, "item-0")
    desk.get_by_role("button", name="Confirm or change").click()
    expect(decisions).to_have_count(3)
    assert [label for _, label, _ in kept(site, study)] == ["0", "1", "1"]


def test_the_page_that_is_left_and_come_back_to_is_empty(desk: Page, site: Site) -> None:
    study = reported(site, CASES["text"].answer)
    opened(desk, site, study)
    answered(desk, "text")
    desk.goto(f"{site.address}/login")
    desk.go_back()
    desk.get_by_role("tab", name="Decide").click()
    at(desk, "item-0")
    empty(desk)
    answered(desk, "text")
    desk.reload()
    desk.get_by_role("tab", name="Decide").click()
    at(desk, "item-0")
    empty(desk)
    answered(desk, "text")
    desk.get_by_role("button", name="All studies").click()
    desk.get_by_role("row").filter(has_text=study.name).get_by_role("button").click()
    expect(desk.get_by_role("heading", name=study.name)).to_be_visible()
    expect(desk.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
    desk.get_by_role("tab", name="Decide").click()
    at(desk, "item-0")
    empty(desk)


def test_a_report_is_upheld_and_its_item_counted_again_by_a_press(desk: Page, site: Site) -> None:
    study = reported(site, CASES["choice of a list"].answer)
    desk.goto(f"{site.address}/manage/?study={study.name}&tab=items&show=reported")
    row = desk.get_by_role("row").filter(has=desk.locator("[data-uphold]")).last
    name = row.locator(".name").inner_text()
    row.get_by_role("button", name=f"Uphold: {name}").click()
    expect(desk.get_by_role("button", name=f"Count again: {name}")).to_be_visible()
    with reading(site.service.database) as session:
        assert [each.item.id for each in list_items(session, study=study, role="broken main")] == [name]
    desk.get_by_role("button", name=f"Count again: {name}").click()
    expect(desk.get_by_role("button", name=f"Uphold: {name}")).to_be_visible()
    with reading(site.service.database) as session:
        assert len(list_items(session, study=study, role="main")) == 3
