"""A class from one address, in a browser: who found no place waits, one click lets them in, the page goes on."""

from playwright.sync_api import Browser, BrowserContext, expect

from data.wording import texts
from tests.e2e.conftest import Site, Worker
from tests.helpers.requester_pages import signed_in


def test_who_found_no_place_goes_on_without_a_reload_once_more_are_let_in(
    browser: Browser, signed: BrowserContext, site: Site, worker: Worker
) -> None:
    study = site.study(places_an_hour=1, notice="Тяжёлая тема")
    link = f"{site.address}/join/{study.name}/{site.service.signer.invitation(study.name)}"
    with browser.new_context(locale="ru-RU") as other:
        first = Worker(other.new_page())
        first.arrive(link)
        first.page.locator("[data-acknowledge]").check()
        first.begin()
    worker.page.clock.install()
    worker.arrive(link)
    worker.page.locator("[data-acknowledge]").check()
    worker.page.get_by_role("button", name=texts("ru")["consent"]["agree"]).click()
    worker.at("no_room")
    expect(worker.page.locator(".card")).to_contain_text("Скажите тому, кто проводит исследование")
    with signed_in(signed) as manager:
        manager.goto(f"{site.address}/manage/?study={study.name}")
        expect(manager.get_by_text("1 person was refused")).to_be_visible()
        manager.get_by_role("button", name="Let 100 more in").click()
        expect(manager.get_by_text("100 more can join until")).to_be_visible()
        worker.page.clock.fast_forward(21_000)
        worker.at("instructions")
        expect(manager.get_by_text("1 person was refused")).to_have_count(0)
