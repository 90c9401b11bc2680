"""Taking the last answer back and giving an item back with a reason, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from data.wording import texts
from db.engine import reading
from db.records import list_reports
from tests.e2e.conftest import Site, Worker, appears, stored


def test_an_answer_is_taken_back_and_an_item_reported_by_keyboard_alone(worker: Worker, site: Site) -> None:
    study = site.study(main=4, training=0, control=0, page_main=4, page_controls=0, completion_code="C7-41")
    worker.sit(site, study)
    page, says = worker.page, texts("ru")["says"]
    first = page.inner_text(".text >> nth=0")
    worker.answer("2")
    before = worker.token()
    page.keyboard.press("Control+z")
    worker.gone_on(before)
    assert page.inner_text(".text >> nth=0") == first
    expect(page.locator(".answer input >> nth=1")).to_be_checked()
    assert worker.note() == says["undone"]
    worker.answer("1")
    before = worker.token()
    page.keyboard.press("-")
    appears(page, "#skip[open]")
    page.keyboard.press("Enter")
    assert worker.token() == before, "a reason is asked for"
    for press in ("ArrowDown", "Tab"):
        page.keyboard.press(press)
    page.keyboard.type("лишняя запятая")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    worker.gone_on(before)
    assert worker.note() == says["reported"]
    assert worker.work("1") == 2
    worker.at("done")
    expect(page.locator(".code")).to_have_text("C7-41")
    with reading(site.service.database) as session:
        reports = [(report.reason, report.text) for report in list_reports(session, study=study)]
    assert reports == [("mistake", "лишняя запятая")]
    assert [status for *_, status in stored(site, study)] == ["void", "counted", "counted", "counted"]


@pytest.mark.parametrize("width", [390, 1280])
def test_an_answer_of_the_page_is_looked_at_and_changed_on_the_sheet(worker: Worker, site: Site, width: int) -> None:
    study = site.study(main=4, training=0, control=0, page_main=4, page_controls=0, price=2, contact="lab@example.org")
    page, words = worker.page, texts("ru")["sheet"]
    page.set_viewport_size({"width": width, "height": 844})
    worker.sit(site, study)
    first = page.inner_text(".text >> nth=0")
    for key in ("2", "1"):
        worker.answer(key)
    expect(page.locator(".place")).to_contain_text("Сделано 2, осталось 2")
    page.click(".place")
    appears(page, "#sheet[open] .mine")
    page.click(".mine summary >> nth=0")
    expect(page.locator(".mine[open] .text")).to_have_text(first)
    before = worker.token()
    page.get_by_role("button", name=words["change"]).first.click()
    worker.gone_on(before)
    assert page.inner_text(".text >> nth=0") == first
    expect(page.locator(".answer input >> nth=1")).to_be_checked()
    worker.answer("1")
    page.click(".head .guide")
    appears(page, "#sheet[open]")
    page.click(f'#sheet button:text-is("{words["terms"]}")')
    expect(page.get_by_role("dialog", name=words["terms"])).to_contain_text("lab@example.org")
    page.keyboard.press("Escape")
    assert worker.work() == 2
    page.click(".head .guide")
    expect(page.get_by_role("dialog", name=words["terms"])).to_contain_text("lab@example.org")
    assert [status for *_, status in stored(site, study)].count("counted") == 4
