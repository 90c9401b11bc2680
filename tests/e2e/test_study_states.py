"""A study through all its states in a browser: draft, pilot, open with an instruction corrected, closed; its tabs."""

import re
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import BrowserContext, expect

from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_creation import Draft
from annotate.worker.stages import Act
from db import frames
from db.engine import reading
from db.studies import Study, get_study
from db.study_settings import StudySettings
from tests.e2e.conftest import Site, Worker, keys
from tests.helpers.collection import Person, arrive
from tests.helpers.requester_pages import signed_in
from tests.helpers.waiting import until

SETTINGS = StudySettings(overlap=11, training_pass=0, contact="lab@example.org").model_dump()
BETTER = "Выберите причину или следствие."


def test_a_study_goes_through_all_its_states_and_nothing_is_lost(
    signed: BrowserContext, site: Site, worker: Worker
) -> None:
    desk = RequesterService(site.service.database, site.service.signer, site.address)
    with signed_in(signed) as page:
        desk.create(Draft("causes", "rsg/parus", SETTINGS, samples=True, opens=False))
        page.goto(f"{site.address}/manage/?study=causes&tab=settings")
        page.get_by_role("button", name="What people read").click()
        expect(page.get_by_label("Title in Russian")).not_to_have_value("")
        page.get_by_label("Title in Russian").fill("Причины и следствия")
        page.get_by_role("button", name="Save the words").click()
        expect(page.get_by_test_id("toast-body")).to_contain_text("Saved.")
        page.get_by_role("tab", name="Overview").click()
        page.get_by_label("Items of the pilot").fill("3")
        page.get_by_label("People", exact=True).fill("2")
        page.get_by_role("button", name="Start a pilot").click()
        expect(page.get_by_role("heading", name="causes-pilot")).to_contain_text("pilot")
        answered(site, "causes-pilot", 2)
        expect(page.locator(".title p")).to_contain_text("6 of 6 judgments, 2 people.")
        page.get_by_role("button", name="causes", exact=True).click()
        expect(page.get_by_role("heading", name="causes")).to_contain_text("draft")
        page.get_by_role("button", name="Open the study").click()
        expect(page.get_by_role("button", name="Close the study")).to_be_visible()
        study = study_of(site, "causes")
        worker.sit(site, study, "training")
        worker.train(keys(right=True))
        worker.at("work")
        people = [practised(site, "causes") for _ in range(10)]
        with ThreadPoolExecutor(5) as at_once:
            done = at_once.map(lambda person: [view.stage for view in person.work("1")], people)
            page.get_by_role("tab", name="Settings").click()
            expect(page.get_by_label("Title in Russian")).to_be_hidden()
            page.get_by_label("Instruction in Russian").fill(BETTER)
            page.get_by_role("button", name="Save the words").click()
            until(lambda: study_of(site, "causes").instruction > study.instruction)
            assert all(set(stages) <= {"work"} for stages in done)
        worker.answer("1")
        worker.at("instructions")
        expect(worker.page.locator(".card")).to_contain_text("Инструкция изменилась")
        expect(worker.page.locator(".card")).to_contain_text(BETTER)
        worker.page.keyboard.press("Enter")
        worker.at("work")
        worker.work()
        for person in people:
            site.service.act("causes", person.cookie, Act("begin"))
            assert not [view for view in person.work("1") if view.stage != "work"]
        page.get_by_role("tab", name="Overview").click()
        page.get_by_role("button", name="Close the study").click()
        expect(page.get_by_role("button", name="Open again")).to_be_visible()
    with reading(site.service.database) as session:
        judged = frames.judgments(session, study=study_of(site, "causes"))
    main = judged[judged["role"] == "main"]
    assert len(main) == 11 * desk.study("causes").coverage.items == desk.study("causes").coverage.filled
    assert set(main["instruction_version"]) == {2, 3}, "the draft's title made version 2, the correction version 3"


def test_the_tabs_stand_high_and_the_address_leads_to_what_is_open(signed: BrowserContext, site: Site) -> None:
    study = site.study(main=6, overlap=2, contact="")
    for label in "01":
        assert [*practised(site, study.name).work(label)]
    with signed_in(signed) as page:

        def fits(*, high: bool = False) -> None:
            for width in (1280, 390):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
                tabs = page.get_by_role("tab", name="Overview").bounding_box()
                assert tabs is not None
                assert not high or tabs["y"] + tabs["height"] <= 300

        page.goto(f"{site.address}/manage/?study={study.name}")
        waits = page.locator(".waits li")
        expect(waits.filter(has_text="no contact is set")).to_be_visible()
        fits(high=True)
        waits.filter(has_text="6 items without a majority").get_by_role("button", name="Decide").click()
        expect(page.locator("[data-case]")).to_be_visible()
        fits()
        page.goto(f"{site.address}/manage/?study={study.name}&tab=items&show=tied&sort=agreement")
        items = page.locator("[data-item]")
        expect(items).to_have_count(6)
        words = items.first.inner_text().split()[0]
        page.get_by_role("searchbox").fill(words)
        page.get_by_role("searchbox").press("Enter")
        expect(page).to_have_url(re.compile("show=tied.*find="))
        expect(items.first).to_contain_text(words)
        fits()
        page.goto(f"{site.address}/manage/?study={study.name}&tab=workers")
        page.locator("[data-worker]").first.click()
        record = page.locator("[data-record]")
        expect(record).to_contain_text("Agrees with the others’ majority")
        page.reload()
        expect(record).to_contain_text("Agrees with the others’ majority")
        fits()


def study_of(site: Site, name: str) -> Study:
    with reading(site.service.database) as session:
        return get_study(session, name=name)


def practised(site: Site, study: str) -> Person:
    """Somebody new who has passed the practice."""
    person = arrive(site.service, study, ready=False)
    person.enter()
    person.train("1")
    return person


def answered(site: Site, name: str, people: int) -> None:
    for _ in range(people):
        assert [*practised(site, name).work("1")]
