"""Somebody is stopped, reads why and what is owed, objects by keyboard alone, and reads the answer on the same page."""

from typing import Any

from playwright.sync_api import Browser, expect

from annotate.requesters.requester_service import RequesterService
from data.wording import texts
from db.studies import Study
from tests.e2e.conftest import Site, Worker, appears

WORDS = texts("ru")
PAID: dict[str, Any] = {"price": 4.0, "partial_code": "PART-7", "contact": "lab@example.org", "page_controls": 0}


def requester_service(site: Site) -> RequesterService:
    return RequesterService(site.service.database, site.service.signer, site.address)


def stop(site: Site, study: Study) -> str:
    """Exclude the only worker at work, and return the name."""
    desk = requester_service(site)
    (worker,) = [line.work.name for line in desk.oversight.workers(study.name) if line.work.status == "active"]
    desk.oversight.exclude(study.name, worker, who="anna", reason="clicked through")
    return worker


def test_who_is_stopped_objects_by_keyboard_and_is_answered_where_they_wrote(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=0, control=0, **PAID)
    worker.sit(site, study)
    worker.answer()
    name, page = stop(site, study), worker.page
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    worker.at("stopped")
    # The answer was on the screen when the stop came: it is taken and paid as the one before it.
    expect(page.get_by_text(WORDS["says"]["saved"])).to_be_visible()
    expect(page.locator(".owed")).to_contain_text("8,00\u00a0₽")
    expect(page.get_by_text("PART-7")).to_be_visible()
    expect(page.get_by_role("link", name="lab@example.org")).to_have_attribute("href", "mailto:lab@example.org")
    box = page.get_by_label(WORDS["appeal"]["text"].replace(" и ", " и\u00a0"))
    for _ in range(12):
        if box.evaluate("box => box === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(box).to_be_focused()
    page.keyboard.type("Я читал <b>каждый</b> текст.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    appears(page, "[data-appeals] .wrote")
    expect(page.locator("[data-appeals]")).to_be_focused()
    expect(page.locator(".wrote")).to_contain_text("Я читал <b>каждый</b> текст.")
    expect(page.locator("form[data-appeal]")).to_have_count(0)
    assert requester_service(site).oversight.answer_appeal(study.name, name, "Решение остаётся.", who="anna")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator(".answered")).to_contain_text("Решение остаётся.")
    expect(page.locator("form[data-appeal]")).to_have_count(1)


def test_who_is_taken_back_goes_on_where_the_page_is_open_and_reads_the_answer(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=0, control=0, **PAID)
    worker.sit(site, study)
    worker.answer()
    name, page = stop(site, study), worker.page
    page.reload()
    worker.at("stopped")
    page.locator("#appeal-text").fill("Я читал каждый текст.")
    page.locator("form[data-appeal] button").click()
    appears(page, "[data-appeals] .wrote")
    assert requester_service(site).oversight.answer_appeal(study.name, name, "Вы правы.", who="anna", restore=True)
    page.evaluate("dispatchEvent(new Event('focus'))")
    worker.at("work")
    expect(page.get_by_text(WORDS["appeal"]["answered"].format(text="Вы правы."))).to_be_visible()


def test_the_box_and_the_consent_fit_a_phone(browser: Browser, site: Site) -> None:
    told = {"training_price": 1.0, "bonus": 0.5, "minutes_per_item": 0.5, "max_hours": 2.0, "max_pay": 90.0}
    study = site.study(main=8, training=2, control=2, **PAID | told | {"page_controls": 1})
    with browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, color_scheme="dark", locale="ru-RU"
    ) as context:
        worker = Worker(context.new_page())
        worker.arrive(site.link(study, language="ru"))
        assert worker.page.evaluate("document.documentElement.scrollWidth") == 390
        assert worker.page.locator(".terms dt").count() == 6
        # Three screens of a phone and no more: it is read before anybody agrees.
        assert worker.page.evaluate("document.querySelector('.card').offsetHeight") < 3 * 844
        worker.begin()
        worker.at("training")
        stop(site, study)
        worker.page.reload()
        worker.at("stopped")
        assert worker.page.evaluate("document.documentElement.scrollWidth") == 390
