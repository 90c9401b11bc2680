"""A variant of the exam sat in a browser by keyboard alone, from consent to the grade."""

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task
from data.task import Item
from data.wording import texts
from db import frames
from db.engine import reading
from tests.e2e.conftest import Site, Worker, samples_of, stored
from tests.e2e.test_accessibility import sound
from tests.e2e.test_ends import PHONE, WIDE

USE = get_task("use")
WRONG = {"5", "16", "26"}
"""Exam tasks that are answered with a mistake: a wrong word, one number missing, one place wrong."""


def mistaken(item: Item) -> str:
    """Return an answer with one mistake."""
    return {"text": "неверное слово", "matching": '["6","3","1","9"]'}.get(item.fields["type"], '["1"]')


def type_in(worker: Worker, item: Item, answer: str) -> None:
    """Give an answer by keys: letters go to the field, digits set positions and tick numbers below ten."""
    keyboard = worker.page.keyboard
    if item.fields["type"] == "text":
        keyboard.press("a")
        keyboard.press("Backspace")
        keyboard.type(answer)
        return
    for number in unpacked(answer):
        if len(number) == 1:
            keyboard.press(number)
            continue
        while worker.page.evaluate("document.activeElement.value") != number:
            keyboard.press("Tab")
        keyboard.press("Space")


def test_a_variant_is_sat_from_consent_to_the_grade(worker: Worker, site: Site) -> None:
    items = samples_of(USE, "main")
    study = site.study(
        task="use", main=30, training=1, control=4, sitting=True, overlap=1, page_controls=1, exam_points="tasks"
    )
    worker.arrive(site.link(study))
    worker.begin()
    worker.at("training")
    type_in(worker, samples_of(USE, "training")[0], "звонит")
    worker.page.keyboard.press("Enter")
    worker.at("feedback")
    worker.page.keyboard.press("Enter")
    for place, item in enumerate(items, 1):
        worker.at("work")
        expect(worker.page.locator(".place .figures").first).to_have_text(f"{place} / 30")
        assert worker.page.inner_text("legend") == item.fields["task"]
        right = USE.answer.best(item.gold or "", item.fields)
        type_in(worker, item, mistaken(item) if item.fields["id_task"] in WRONG else right)
        before = worker.token()
        worker.page.keyboard.press("Enter")
        worker.gone_on(before)
    worker.at("done")
    grade = worker.page.get_by_role("region", name="Ваш результат")
    expect(grade.get_by_role("heading")).to_have_text("Ваш результат: 31 из 34")
    expect(grade.get_by_role("listitem")).to_have_count(26)
    told = [grade.get_by_role("listitem").nth(number - 1).inner_text() for number in (5, 8, 16, 26)]
    assert [text.split("\n")[0] for text in told] == [
        "Задание 5: 0 из 1", "Задание 8: 5 из 5", "Задание 16: 1 из 2", "Задание 26: 3 из 4",
    ]  # fmt: skip
    assert Counter(role for _, _, role, _ in stored(site, study)) == {"main": 30, "training": 1}
    worker.page.reload()
    worker.at("done")
    expect(grade.get_by_role("heading")).to_have_text("Ваш результат: 31 из 34")


@pytest.mark.parametrize(
    ("look", "language", "dark"), [(PHONE, "ru", True), (WIDE, "en", False)], ids=["phone", "wide"]
)
def test_an_exam_has_a_map_marks_and_a_clock_and_ends_with_what_is_there(
    browser: Browser, site: Site, look: dict[str, Any], language: str, dark: bool
) -> None:
    words = texts(language)
    study = site.study(task="use", main=4, training=0, control=0, sitting=True, sitting_minutes=30, overlap=9)
    with browser.new_context(**look, locale=language, reduced_motion="reduce") as context:
        worker = Worker(context.new_page())
        page = worker.page
        page.set_default_timeout(8_000)
        tasks = page.locator("#tasks [data-task]")

        def press(name: str) -> None:
            before = worker.token()
            page.get_by_role("button", name=name).first.click()
            worker.gone_on(before)

        def map_of() -> None:
            page.locator("[data-section=tasks]").first.click()
            expect(page.locator("#tasks")).to_be_visible()

        worker.arrive(site.link(study, language=language))
        expect(page.locator(".terms")).to_contain_text(words["consent"]["sitting_ends"].split(".")[1].strip())
        page.get_by_role("button", name=words["consent"]["agree"]).click()
        worker.at("instructions")
        page.get_by_role("button", name=words["instructions"]["begin"]).click()
        worker.at("work")
        expect(page.locator("[data-clock] output")).to_have_text(re.compile(r"^(2\d|30):\d\d$"))
        page.locator("[data-mark]").click()
        expect(page.locator("[data-mark]")).to_have_attribute("aria-pressed", "true")
        press(words["exam"]["later"])
        expect(page.locator(".place .figures").first).to_have_text("2 / 4")
        sound(page, "a task of an exam", dark=dark)
        map_of()
        expect(tasks).to_have_count(4)
        for number, stands in enumerate(("is-open", "is-now", "is-open", "is-open")):
            expect(tasks.nth(number)).to_have_class(stands)
        expect(tasks.nth(0).locator(".flag")).to_be_visible()
        expect(tasks.nth(1).locator(".flag")).to_be_hidden()
        expect(page.locator("#tasks")).to_contain_text(words["exam"]["note"].split()[-1])
        sound(page, "the map of an exam", dark=dark)
        first = worker.token()
        tasks.nth(3).click()
        worker.gone_on(first)
        expect(page.locator(".place .figures").first).to_have_text("4 / 4")
        page.locator("[data-clock]").click()
        expect(page.locator("[data-clock] output")).to_be_empty()
        page.locator(".typed, .option").first.click()
        if page.locator(".typed").count():
            page.keyboard.type("ответ")
        begun = worker.token()
        map_of()
        tasks.nth(0).click()  # what was chosen goes along
        worker.gone_on(begun)
        map_of()
        for number, stands in enumerate(("is-now", "is-open", "is-open", "is-answered")):
            expect(tasks.nth(number)).to_have_class(stands)
        page.locator("#sheet [data-close]").click()
        map_of()
        page.locator("#tasks [data-act=hand_in]").click()
        worker.at("done")
        expect(page.get_by_text(words["done"]["heading"])).to_be_visible()
    with reading(site.service.database) as session:
        assert list(frames.judgments(session, study=study)["label"]).count("") == 3
