"""On a phone and a wide screen: time and pay in consent, a broken item reported, the work ended and taken up again."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from data.wording import texts
from db.engine import reading
from db.records import list_appeals, list_reports
from tests.e2e.conftest import Site, Worker, appears

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.mark.parametrize(("look", "language"), [(PHONE, "ru"), (WIDE, "en")], ids=["phone", "wide"])
def test_work_begins_with_true_terms_and_can_end_at_any_moment(
    browser: Browser, site: Site, look: dict[str, Any], language: str
) -> None:
    words = texts(language)
    pay: dict[str, Any] = {"price": 3.0, "contact": "lab@example.org", "max_skips": 1, "training_pass": 0.0}
    study = site.study(main=4, training=1, control=0, page_main=4, page_controls=0, **pay)
    with browser.new_context(**look, locale=language) as context:
        worker = Worker(context.new_page())
        page = worker.page
        page.set_default_timeout(8_000)

        def press(name: str) -> None:
            page.get_by_role("button", name=name).first.click()

        def fits() -> None:
            assert page.evaluate("document.documentElement.scrollWidth") == look["viewport"]["width"]

        worker.arrive(site.link(study, language=language))
        said = page.inner_text(".terms").replace("\u00a0", " ")
        for promise in ("minutes_judged", "pay_hourly", "practice_if", "pay_reports"):
            assert words["consent"][promise].split("{")[0].strip() in said
        press(words["consent"]["agree"])
        worker.at("instructions")
        press(words["instructions"]["begin"])
        worker.at("training")
        press(words["skip"]["report"])
        page.locator("#skip [value=mistake]").check()
        expect(page.locator("#skip [data-instead]")).to_have_count(0)
        press(words["skip"]["along"])
        expect(page.get_by_text(words["says"]["noted"])).to_be_visible()
        worker.at("training")
        press(words["finished"]["leave"])
        worker.at("finished")
        expect(page.locator(".owed")).to_have_count(0)
        fits()
        press(words["finished"]["go_on"])
        worker.at("training")
        finish_practice(worker)
        worker.at("work")
        expect(page.locator(".besides")).to_contain_text(words["skip"]["count"].format(left=1))
        page.locator("[data-open=skip]").click()
        page.locator("#skip [value=skip]").check()
        expect(page.locator("#skip [data-along]")).to_be_hidden()
        page.locator("#skip [value=unclear]").check()
        fits()
        before = worker.token()
        page.locator("#skip [data-instead]").click()
        worker.gone_on(before)
        press(words["finished"]["leave"])
        worker.at("finished")
        # Practice that was passed and a report in place of an answer.
        expect(page.locator(".owed")).to_contain_text({"ru": "6,00", "en": "6.00"}[language])
        expect(page.locator("output.code")).to_contain_text("w-")
        expect(page.get_by_role("link", name="lab@example.org")).to_be_visible()
        fits()
        page.locator("#appeal-text").fill("Two texts are the same.")
        press(words["appeal"]["send"])
        appears(page, "[data-appeals] .wrote")
        worker.at("finished")
        press(words["finished"]["go_on"])
        worker.at("work")
    with reading(site.service.database) as session:
        assert [report.instead for report in list_reports(session, study=study)] == [False, True]
        assert [appeal.text for appeal in list_appeals(session, study=study)] == ["Two texts are the same."]


def finish_practice(worker: Worker) -> None:
    """Answer the practice item right, and go on."""
    page = worker.page
    page.locator(".answer input").first.check()
    page.locator("[data-act=answer]").click()
    worker.at("feedback")
    page.locator("[data-act=next]").click()
