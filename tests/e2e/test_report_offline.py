"""A report opened from a file without a network, and the item page by keyboard and by its address."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from db.engine import writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import Study
from db.workers import add_worker
from tests.e2e.conftest import Site
from tests.helpers.requester_pages import signed_in


@pytest.fixture(scope="module")
def study(site: Site) -> Study:
    """Four items with three answers each, the gold every time but once, and a model that is always right."""
    made = site.study(main=4, overlap=3)
    with writing(site.service.database) as session:
        stored = list_items(session, study=made, role="main")
        workers = [add_worker(session) for _ in range(3)]
        golds = [str(entry.item.gold) for entry in stored]
        given = [Judgment(e.key, w, gold) for e, gold in zip(stored, golds, strict=True) for w in workers[1:]]
        given += [Judgment(e.key, workers[0], golds[0]) for e in stored]
        add_judgments(session, study=made, judgments=given)
        run = create_run(session, study=made, model="big", kind="model", settings={})
        said = [Prediction(e.key, 0, "Ответ", gold, "ok") for e, gold in zip(stored, golds, strict=True)]
        add_predictions(session, run=run, predictions=said)
        finish_run(session, run=run)
    return made


@pytest.fixture
def staff(signed: BrowserContext) -> Iterator[Page]:
    """A signed-in browser in which no script breaks."""
    with signed_in(signed) as page:
        yield page
    signed.set_offline(False)


def test_a_report_opens_from_a_file_without_a_network(staff: Page, site: Site, study: Study, tmp_path: Path) -> None:
    reply = staff.context.request.get(f"{site.address}/results-files/{study.name}/report.html")
    file = tmp_path / "report.html"
    file.write_bytes(reply.body())
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    staff.context.set_offline(True)
    staff.on("request", note)
    staff.goto(file.as_uri())
    expect(staff.get_by_role("heading", level=1)).to_contain_text("People and models")
    for heading in ("Method", "Agreement and exclusions", "To repeat it"):
        expect(staff.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(staff.get_by_role("table", name="What people and models were given differently")).to_be_visible()
    expect(staff.get_by_role("table", name="Accuracy, people and models")).to_contain_text("Majority of 3 people")
    expect(staff.get_by_role("img", name="One person alone: −25.0")).to_contain_text("big")
    assert asked == [file.as_uri()]
    assert staff.evaluate("getComputedStyle(document.body).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_items_are_walked_by_keys_and_every_step_is_an_address(staff: Page, site: Site, study: Study) -> None:
    staff.goto(f"{site.address}/results/?study={study.name}&tab=items")
    staff.get_by_role("link", name="1", exact=True).click()
    heading = staff.get_by_role("heading", level=1)
    expect(heading).to_have_text("Item 1 of 4")
    expect(heading).to_be_focused()
    staff.keyboard.press("j")
    expect(heading).to_have_text("Item 2 of 4")
    staff.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Item 3 of 4")
    link = staff.url
    staff.keyboard.press("k")
    expect(heading).to_have_text("Item 2 of 4")
    staff.go_back()
    expect(heading).to_have_text("Item 3 of 4")
    staff.goto(link)
    expect(heading).to_have_text("Item 3 of 4")
    expect(staff.get_by_role("heading", name="What models replied")).to_be_visible()
    staff.evaluate("document.querySelector('.items-page').append(document.createElement('input'))")
    staff.locator(".items-page > input").press("j")
    assert staff.url == link
