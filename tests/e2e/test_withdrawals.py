"""Taking the last answer back and giving an item back with a reason, by keyboard alone."""

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
