"""A worker whose tabs, clicks, network and cookies go wrong: nothing is lost and nothing is counted twice."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect
from sqlalchemy import update
from sqlmodel import col

from annotate.requesters.oversight import Oversight
from data.wording import texts
from db.engine import write, writing
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, AssignmentRow, ItemRow
from tests.e2e.conftest import Site, Worker, appears, keys, once_each, stored


def test_a_reload_and_the_back_button_lose_nothing(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=0)
    worker.sit(site, study)
    worker.answer()
    before, text = worker.token(), worker.page.inner_text(".text")
    worker.page.keyboard.press("2")
    worker.page.reload()
    worker.at("work")
    assert (worker.token(), worker.page.inner_text(".text")) == (before, text)
    worker.page.goto(site.link(study))
    worker.at("work")
    assert worker.token() == before, "the link again is the same worker at the same place"
    worker.answer()
    later = worker.token()
    worker.page.go_back()
    worker.at("work")
    assert worker.token() == later, "the page that was left shows what is due, not what was due"
    worker.work()
    worker.at("done")
    assert once_each(stored(site, study))


def test_a_double_click_sends_once_and_skips_nothing(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=1, control=0, page_controls=0)
    worker.sit(site, study, "training")
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
    worker.sit(site, site.study(training=0))
    before = worker.token()
    worker.page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["mistakes"]["nothing_chosen"]
    assert worker.token() == before
    worker.page.keyboard.press("2")
    expect(worker.page.locator("[data-note]")).to_have_text("")
    worker.page.keyboard.press("Escape")
    expect(worker.page.locator("input:checked")).to_have_count(0)


def test_two_tabs_make_one_judgment_of_each_item(worker: Worker, context: BrowserContext, site: Site) -> None:
    study = site.study(main=4, training=0, control=1)
    one, other = worker, Worker(context.new_page())
    one.sit(site, study)
    other.page.goto(site.link(study))
    other.at("work")
    stale = other.token()
    assert stale == one.token()
    one.answer("1")
    current = one.token()
    other.page.keyboard.press("2")
    other.page.keyboard.press("Enter")
    appears(other.page, f'.screen[data-token="{current}"][data-settled]')
    one.answer("1")
    with other.page.expect_response("**/state"):
        other.page.evaluate("dispatchEvent(new Event('focus'))")
    appears(other.page, f'.screen[data-token="{one.token()}"][data-settled]')
    assert other.note() == texts("ru")["says"]["elsewhere"]
    other.work("1")
    other.at("done")
    other.page.close()
    judgments = stored(site, study)
    assert once_each(judgments)
    assert len([role for _, _, role, _ in judgments if role == "main"]) == 4


def test_a_stale_tabs_answer_is_not_called_saved(worker: Worker, context: BrowserContext, site: Site) -> None:
    study = site.study(main=4, training=0, control=1)
    one, other = worker, Worker(context.new_page())
    one.sit(site, study)
    other.page.goto(site.link(study))
    other.at("work")
    one.answer("1")
    other.page.keyboard.press("2")
    other.page.keyboard.press("Enter")
    appears(other.page, f'.screen[data-token="{one.token()}"][data-settled]')
    assert other.note() == texts("ru")["says"]["elsewhere"]
    assert other.page.inner_text("[data-status]") != texts("ru")["says"]["saved"]
    assert other.page.locator("[data-saved]").count() == 0
    assert len(stored(site, study)) == 1
    other.page.close()


@pytest.mark.parametrize("stopped", [True, False])
def test_the_answer_on_the_screen_when_the_work_is_stopped_can_still_be_sent(
    worker: Worker, site: Site, stopped: bool
) -> None:
    study = site.study(main=4, training=0, control=0, page_controls=0, price=2)
    worker.sit(site, study)
    page, before = worker.page, worker.token()
    page.keyboard.press("1")
    oversight = Oversight(site.service.database)
    if stopped:
        (line,) = oversight.workers(study.name)
        oversight.exclude(study.name, line.work.name, who="anna", reason="clicked through")
    else:
        with writing(site.service.database) as session:
            oversight.set_status(session, study, "paused", who="anna")
    with page.expect_response("**/state"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-note]")).to_have_text(texts("ru")["says"]["interrupted"])
    assert worker.token() == before
    page.keyboard.press("Enter")
    worker.at("stopped" if stopped else "paused")
    expect(page.locator("[data-status]")).to_have_text(texts("ru")["says"]["saved"])
    assert float(oversight.payments(study.name).frame["total"].sum()) == 2


def test_who_comes_back_after_ten_times_says_so_and_finds_the_item(worker: Worker, site: Site) -> None:
    study = site.study(main=4, training=0, control=1)
    worker.sit(site, study)
    page, before = worker.page, worker.token()
    with writing(site.service.database) as session:
        write(session, update(ENROLMENT).where(ENROLMENT.c.study_id == study.id).values(comebacks=0))
        past = datetime(2020, 1, 1, tzinfo=UTC)
        write(session, update(ASSIGNMENT).where(ASSIGNMENT.c.study_id == study.id).values(expires_at=past))
    page.evaluate("dispatchEvent(new Event('focus'))")
    worker.at("presence")
    assert page.inner_text("h1") == texts("ru")["presence"]["heading"]
    page.keyboard.press("Enter")
    worker.at("work")
    assert worker.token() == before


def test_an_answer_given_while_the_network_fails_is_kept_and_sent(worker: Worker, site: Site) -> None:
    study = site.study(main=2, training=0, control=0, page_controls=0)
    worker.interceptable()
    worker.sit(site, study)
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
    worker.interceptable()
    worker.sit(site, study)
    page, before = worker.page, worker.token()

    def lose_the_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/act", lose_the_reply)
    page.keyboard.press("1")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/act")):
        page.keyboard.press("Enter")
    page.unroute("**/act")
    page.reload()
    worker.gone_on(before)
    assert len(stored(site, study)) == 1


@pytest.mark.parametrize("broken", [502, 429])
def test_a_server_that_stumbles_is_asked_again(worker: Worker, site: Site, broken: int) -> None:
    study = site.study(main=1, training=0, control=0, page_controls=0)
    worker.interceptable()
    worker.sit(site, study)
    worker.page.route("**/act", lambda route: route.fulfill(status=broken, body="<h1>sorry</h1>"), times=1)
    worker.page.route("**/act", lambda route: route.fulfill(status=200, body='{"stage": "wo'), times=1)
    worker.answer()
    worker.at("done")
    assert len(stored(site, study)) == 1


def test_a_server_that_can_store_nothing_is_told_calmly_and_gets_the_answer_when_it_asked_for_it(
    worker: Worker, site: Site
) -> None:
    study = site.study(main=1, training=0, control=0, page_controls=0)
    worker.interceptable()
    worker.sit(site, study)
    full = {"status": 503, "headers": {"Retry-After": "2"}, "body": '{"error": "..."}'}
    worker.page.route("**/act", lambda route: route.fulfill(**full), times=2)
    worker.page.keyboard.press("2")
    worker.page.keyboard.press("Enter")
    assert worker.note() == texts("ru")["says"]["unsaved"]
    expect(worker.page.locator("input:enabled")).to_have_count(0)
    worker.at("done")
    assert len(stored(site, study)) == 1


def test_a_cookie_that_is_gone_leads_back_to_the_invitation(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="ru-RU")
    page = context.new_page()
    worker = Worker(page)
    worker.sit(site, site.study(training=0))
    context.clear_cookies()
    worker.page.keyboard.press("1")
    worker.page.keyboard.press("Enter")
    worker.at("uninvited")
    expect(page.get_by_role("heading", level=1)).to_contain_text("приглашение")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("приглашение")
    assert page.url.endswith("/join")
    context.close()


def expire(site: Site, study: Study, *, taken: bool) -> None:
    """Let the time of every item in hand be over, as if its worker had gone for lunch; others may have `taken` it."""
    with writing(site.service.database) as session:
        if taken:
            session.execute(
                update(ItemRow).where(col(ItemRow.study_id) == study.id, col(ItemRow.held) > 0).values(free=-1)
            )
        long_ago = datetime(2020, 1, 1, tzinfo=UTC)
        session.execute(
            update(AssignmentRow).where(col(AssignmentRow.study_id) == study.id).values(expires_at=long_ago)
        )


@pytest.mark.parametrize("taken", [False, True])
def test_an_item_whose_time_is_over_is_not_taken_out_of_the_hands_of_somebody_who_has_begun(
    worker: Worker, site: Site, taken: bool
) -> None:
    study = site.study(main=3, training=0, control=0, page_controls=0)
    worker.sit(site, study)
    before = worker.token()
    worker.page.keyboard.press("1")
    expire(site, study, taken=taken)
    with worker.page.expect_response("**/state"):
        worker.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(worker.page.locator("[data-note]")).to_have_text(texts("ru")["says"]["overdue"] if taken else "")
    assert worker.token() == before
    expect(worker.page.locator('input[value="0"]')).to_be_checked()
    worker.page.keyboard.press("Enter")
    worker.gone_on(before)
    assert [status for *_, status in stored(site, study)] == ["surplus" if taken else "counted"]


def test_an_item_that_nobody_has_begun_and_others_took_gives_way_to_the_next(worker: Worker, site: Site) -> None:
    study = site.study(main=3, training=0, control=0, page_controls=0)
    worker.sit(site, study)
    before = worker.token()
    expire(site, study, taken=True)
    worker.page.evaluate("dispatchEvent(new Event('focus'))")
    worker.gone_on(before)
    assert worker.note() == texts("ru")["says"]["expired"]


def test_what_was_typed_is_there_again_after_a_reload_and_after_a_slip_of_the_finger(
    worker: Worker, site: Site
) -> None:
    study = site.study(task="ruscontext/ellipsis", main=1, training=0, control=0, page_controls=0)
    worker.sit(site, study)
    page, field = worker.page, worker.page.locator(".typed")
    page.keyboard.press("a")
    expect(field).to_be_focused()
    expect(field).to_have_value("a")
    field.fill("купил")
    page.reload()
    worker.at("work")
    expect(field).to_have_value("купил")
    field.focus()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("купил")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    assert worker.note() == texts("ru")["says"]["cleared"]
    page.keyboard.press("Escape")
    expect(field).to_have_value("купил")
    page.keyboard.press("Enter")
    worker.at("done")
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
