"""A MuSeRC passage with its form: by keyboard, mouse and touch, wide and narrow; what is stored is what was meant."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from data.answers.answer_type import packed, unpacked
from data.answers.form import Form
from data.catalogue.catalog import get_task
from data.task import Item
from data.wording import texts
from db import frames
from db.engine import reading
from db.studies import Study
from tests.e2e.conftest import Site, Worker, samples_of

ONE_TAB = True
MUSERC = get_task("rsg/muserc")
EXTENDED = get_task("rsg/muserc_extended")


def begun(site: Site, worker: Worker, *, task: str = "rsg/muserc") -> tuple[Study, Item]:
    """Bring a worker to the only item of a new study."""
    item = samples_of(get_task(task), "main")[0]
    study = site.study_of(get_task(task), [item], overlap=1)
    worker.sit(site, study)
    return study, item


def answers_of(site: Site, study: Study) -> list[str]:
    with reading(site.service.database) as session:
        return list(frames.judgments(session, study=study)["label"])


def picks(item: Item) -> list[list[int]]:
    """Return the places of the right options of every question."""
    return [[int(label) for label in unpacked(part["answers"])] for part in unpacked(item.gold or "")]


def boxes(page: Page, place: int) -> list[str]:
    return [f'input[name="answer-{place}-answers"][value="{n}"]' for n in range(4)]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, locale="ru-RU", has_touch=True, is_mobile=True, device_scale_factor=2
    )
    yield context.new_page()
    context.close()


def test_a_passage_is_answered_by_keys_alone(site: Site, worker: Worker) -> None:
    study, item = begun(site, worker)
    *earlier, last = picks(item)
    for right in earlier:
        for place in right:
            worker.page.keyboard.press(str(place + 1))
        expect(worker.page.locator(".send-line")).to_have_text("Enter дальше", use_inner_text=True)
        worker.page.keyboard.press("Enter")
    for place in last:
        worker.page.keyboard.press(str(place + 1))
    expect(worker.page.locator(".send-line")).to_have_text("Enter отправить", use_inner_text=True)
    worker.page.keyboard.press("Enter")
    worker.at("done")
    assert answers_of(site, study) == [item.gold]


def test_a_passage_is_answered_with_the_mouse(site: Site, worker: Worker) -> None:
    study, item = begun(site, worker)
    page = worker.page
    for question, right in reversed(list(enumerate(picks(item)))):
        for place in right:
            page.locator("label.option").filter(has=page.locator(boxes(page, question)[place])).click()
    page.locator("button.main").click()
    worker.at("done")
    assert answers_of(site, study) == [item.gold]


def test_a_passage_is_answered_on_a_phone_and_the_text_is_one_touch_away(site: Site, phone: Page) -> None:
    worker = Worker(phone)
    study, item = begun(site, worker)
    way, text = phone.locator("[data-way]"), phone.locator(".texts")
    for question, right in enumerate(picks(item)):
        for place in right:
            phone.locator("label.option").filter(has=phone.locator(boxes(phone, question)[place])).tap()
    expect(text).not_to_be_in_viewport(ratio=0.5)
    way.tap()
    expect(text).to_be_in_viewport(ratio=0.5)
    way.tap()
    expect(phone.locator("[data-question][aria-current]")).to_be_in_viewport(ratio=0.5)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    phone.locator("button.main").tap()
    worker.at("done")
    assert answers_of(site, study) == [item.gold]


def test_a_question_left_open_is_named_and_nothing_is_lost(site: Site, worker: Worker) -> None:
    study, _ = begun(site, worker)
    worker.page.keyboard.press("1")
    worker.page.locator("button.main").click()
    mistake = texts("ru")["mistakes"]["question_unanswered"].format(number=2)
    expect(worker.page.locator("[data-note]")).to_contain_text(mistake)
    left_open = worker.page.locator("[data-question] >> nth=1")
    expect(left_open).to_have_attribute("aria-current", "true")
    expect(left_open.locator("input >> nth=0")).to_be_focused()
    expect(worker.page.locator(boxes(worker.page, 0)[0])).to_be_checked()
    assert answers_of(site, study) == []


def test_none_of_the_options_is_an_answer_too(site: Site, worker: Worker) -> None:
    study, item = begun(site, worker)
    for _ in picks(item):
        worker.page.keyboard.press("0")
        worker.page.keyboard.press("Enter")
    worker.at("done")
    assert answers_of(site, study) == [packed([{"answers": "[]"}] * len(picks(item)))]


def test_a_part_wakes_when_its_condition_holds_and_nothing_else_moves(site: Site, worker: Worker) -> None:
    study, item = begun(site, worker, task="rsg/muserc_extended")
    page = worker.page
    last = page.locator("[data-question]").last
    before = last.bounding_box()
    assert before is not None
    one = page.locator('input[name="answer-0-sentences"][value="one"]')
    expect(one).to_be_disabled()
    page.locator("label.option").filter(has=page.locator('input[name="answer-0-answerable"][value="yes"]')).click()
    expect(one).to_be_enabled()
    after = last.bounding_box()
    assert after is not None
    assert (after["height"], after["x"]) == (before["height"], before["x"])
    page.keyboard.press("Escape")
    for right in picks(item):
        for keys in ([str(place + 1) for place in right], ["1"], ["2"]):
            for key in keys:
                page.keyboard.press(key)
            page.keyboard.press("Enter")
    worker.at("done")
    (answer,) = answers_of(site, study)
    assert isinstance(EXTENDED.answer, Form)
    assert all(given.keys() == {"answers", "answerable", "sentences"} for given in EXTENDED.answer.sets(answer))
    assert EXTENDED.answer.right(answer, item.gold or "", item.fields)


def test_a_reload_keeps_what_was_chosen_in_every_question(site: Site, worker: Worker) -> None:
    begun(site, worker)
    worker.page.keyboard.press("1")
    worker.page.keyboard.press("Enter")
    worker.page.keyboard.press("2")
    worker.page.reload()
    worker.at("work")
    expect(worker.page.locator(boxes(worker.page, 0)[0])).to_be_checked()
    expect(worker.page.locator(boxes(worker.page, 1)[1])).to_be_checked()


def test_a_number_marks_its_sentence_and_the_text_stays_exactly_as_it_is(site: Site, worker: Worker) -> None:
    _, item = begun(site, worker)
    page = worker.page
    numbers = page.locator(".numbered button")
    numbers.nth(2).click()
    expect(numbers.nth(2)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(numbers.nth(3)).to_have_attribute("aria-pressed", "true")
    assert page.locator(".numbered").evaluate("(text) => text.textContent") == item.fields["passage"]


def test_on_a_wide_screen_the_text_stays_beside_the_questions(site: Site, worker: Worker) -> None:
    begun(site, worker)
    page = worker.page
    page.locator("[data-question]").last.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".texts")).to_be_in_viewport(ratio=0.9)
    text, question = page.locator(".texts").bounding_box(), page.locator("[data-question]").last.bounding_box()
    assert text is not None
    assert question is not None
    assert text["x"] + text["width"] <= question["x"]


def test_a_gap_is_filled_with_an_entity_by_one_key(site: Site, worker: Worker) -> None:
    study, item = begun(site, worker, task="rsg/rucos")
    label = unpacked(item.gold or "")[0]
    worker.page.keyboard.press(str(int(label) + 1))
    worker.page.keyboard.press("Enter")
    worker.at("done")
    assert answers_of(site, study) == [packed([label])]
