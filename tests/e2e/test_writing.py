"""People write questions to a text in the browser, and other people validate in the browser what was written."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from annotate.requesters.study_creation import validation_items
from data.catalogue.catalog import get_task, samples
from data.task import Item
from data.wording import texts
from db import frames
from db.engine import reading
from db.studies import Study
from tests.e2e.conftest import Site, Worker

HISTORY, ABSTRACT, VALIDATE = (get_task(f"writing/{name}") for name in ("history", "abstract", "validate"))
QUESTIONS = [
    ("Чем накрыли лампу?", "Банкой от огурцов"),
    ("Сколько было фонарей?", "Семь"),
    ("Что потеряла Лида?", "Синюю косынку"),
    ("Кто держал ящик?", "Внучка Лида"),
]


def labels(site: Site, study: Study) -> list[str]:
    with reading(site.service.database) as session:
        return list(frames.judgments(session, study=study)["label"])


def at_work(worker: Worker, site: Site, study: Study) -> None:
    worker.sit(site, study)


def write_all(page: Page) -> None:
    """Type all questions and answers, going from field to field by Tab alone."""
    page.locator("[data-piece] >> nth=0").focus()
    for text in (text for entry in QUESTIONS for text in entry):
        page.keyboard.insert_text(text)
        page.keyboard.press("Tab")


def test_four_questions_are_written_by_keyboard_kept_over_a_reload_and_sent(worker: Worker, site: Site) -> None:
    study = site.study_of(HISTORY, samples(HISTORY)[:1], overlap=1, page_controls=0)
    at_work(worker, site, study)
    write_all(worker.page)
    worker.page.reload()
    worker.at("work")
    expect(worker.page.locator("[data-piece] >> nth=7")).to_have_value("Внучка Лида")
    before = worker.token()
    worker.page.keyboard.press("Control+Enter")
    worker.gone_on(before)
    assert [json.loads(label) for label in labels(site, study)] == [
        [{"question": question, "answer": answer} for question, answer in QUESTIONS]
    ]


def test_a_rule_says_while_typing_whether_it_is_kept_and_the_server_says_it_too(worker: Worker, site: Site) -> None:
    study = site.study_of(ABSTRACT, samples(ABSTRACT)[:1], overlap=1, page_controls=0)
    at_work(worker, site, study)
    page = worker.page
    page.locator("[data-piece]").fill("Рассказывает о шуме. Описывает лягушек.")
    expect(page.locator('[data-rule="starts"]')).to_have_attribute("data-kept", "no")
    expect(page.locator('[data-rule="sentences"]')).to_have_attribute("data-kept", "no")
    expect(page.locator('[data-rule="words"]')).to_have_attribute("data-kept", "yes")
    page.keyboard.press("Control+Enter")
    told = texts("ru")["mistakes"]["piece_starts"].format(where="«Описание»", start="Описывает")
    expect(page.locator("[data-note]")).to_have_text(told)
    page.locator("[data-piece]").fill("Описывает, как шум дорог меняет крики лягушек.")
    expect(page.locator('[data-rule="starts"]')).to_have_attribute("data-kept", "yes")
    before = worker.token()
    page.keyboard.press("Control+Enter")
    worker.gone_on(before)
    assert len(labels(site, study)) == 1


def test_an_empty_field_is_named_and_entered_and_escape_does_not_pretend_to_empty_it(
    worker: Worker, site: Site
) -> None:
    study = site.study_of(ABSTRACT, samples(ABSTRACT)[:1], overlap=1, page_controls=0)
    at_work(worker, site, study)
    page, note = worker.page, worker.page.locator("[data-note]")
    page.locator("button.main").click()
    expect(note).to_have_text("«Описание»: поле ещё пустое.")
    expect(page.locator("[data-piece]")).to_be_focused()
    page.keyboard.insert_text("Описывает лягушек. И дороги.")
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(page.locator("[data-piece]")).to_have_value("Описывает лягушек. И дороги.")
    expect(note).to_have_text("")
    page.locator("button.main").click()
    expect(note).to_have_text("«Описание»: напишите одно предложение.")
    expect(page.locator("[data-piece]")).to_be_focused()


def test_what_was_written_is_validated_by_somebody_else(worker: Worker, site: Site) -> None:
    writing = site.study_of(HISTORY, samples(HISTORY)[:1], overlap=1, page_controls=0)
    at_work(worker, site, writing)
    write_all(worker.page)
    before = worker.token()
    worker.page.keyboard.press("Control+Enter")
    worker.gone_on(before)
    with reading(site.service.database) as session:
        records = validation_items(session, study=writing, task=VALIDATE)
    items = [Item(record.pop("id"), record) for record in records]
    validating = site.study_of(VALIDATE, items, overlap=1, page_controls=0)
    at_work(worker, site, validating)
    for keys in (("1", "Enter", "1", "Enter", "1"), ("2",), ("1", "Enter", "2", "Enter", "1"), ("2",)):
        before = worker.token()
        for key in keys:
            worker.page.keyboard.press(key)
        worker.page.keyboard.press("Enter")
        worker.gone_on(before)
    assert sorted(labels(site, validating)) == sorted(
        [
            '{"answerable":"yes","right":"yes","single":"yes"}',
            '{"answerable":"yes","right":"no","single":"yes"}',
            '{"answerable":"no"}',
            '{"answerable":"no"}',
        ]
    )


@pytest.mark.parametrize("task", [HISTORY, ABSTRACT], ids=["history", "abstract"])
def test_on_a_phone_nothing_is_wider_than_the_screen_and_every_field_can_be_touched(
    browser: Browser, site: Site, task: object
) -> None:
    chosen = HISTORY if task is HISTORY else ABSTRACT
    study = site.study_of(chosen, samples(chosen)[:1], overlap=1, page_controls=0)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    worker = Worker(context.new_page())
    at_work(worker, site, study)
    assert worker.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bar = worker.page.locator(".unfold:visible")  # where the text takes the screen, its answer is behind one bar
    if bar.count():
        bar.tap()
    heights = worker.page.evaluate(
        "[...document.querySelectorAll('[data-piece]')].map((one) => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44
    context.close()


def test_on_a_phone_the_text_stays_above_the_fields_and_the_ways_out_below_them(phone: Worker, site: Site) -> None:
    at_work(phone, site, site.study_of(HISTORY, samples(HISTORY)[:2], overlap=1, page_controls=0))
    before = phone.token()
    phone.page.tap(".unfold")
    write_all(phone.page)
    phone.page.tap("[data-act=answer]")
    phone.gone_on(before)
    phone.page.tap(".unfold")
    assert phone.page.evaluate("document.querySelector('.reader-window').clientHeight") > 100
    ways = [one.bounding_box() for one in phone.page.locator(".besides button:visible").all()]
    assert len(ways) == 3
    assert max(box["x"] + box["width"] for box in ways if box) <= 390
