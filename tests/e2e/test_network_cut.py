"""The network is gone for thirty seconds in the middle of work: no answer is lost and none is counted twice."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from data.catalogue.catalog import get_task, samples
from data.wording import texts
from db.studies import Study
from tests.e2e.conftest import Site, Worker, once_each, stored

CUT = 30_000  # milliseconds
TEXT = ".typed >> nth=0"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own: its network is going to be cut, and its clock put forward."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, locale="ru-RU")
    opened.clock.install()
    yield opened
    opened.close()


@pytest.fixture
def at_work(context: BrowserContext, site: Site) -> Callable[[str], tuple[Worker, Study]]:
    """Opens a tab on a new study of two main items of a task, with one of them on the screen."""

    def opened(task: str) -> tuple[Worker, Study]:
        main = [item for item in samples(get_task(task)) if item.role == "main"][:2]
        study = site.study_of(get_task(task), main, page_controls=0)
        worker = Worker(context.new_page())
        worker.sit(site, study)
        return worker, study

    return opened


def send(worker: Worker, text: str = "") -> None:
    """Give an answer by the keyboard: a text where one is asked for, else the first option."""
    if text:
        worker.page.locator(TEXT).fill(text)
    else:
        worker.page.keyboard.press("1")
    worker.page.keyboard.press("Enter")


def test_a_cut_of_thirty_seconds_loses_no_answer_and_doubles_none(
    context: BrowserContext, site: Site, at_work: Callable[[str], tuple[Worker, Study]]
) -> None:
    picked, picked_study = at_work("rsg/parus")
    written, written_study = at_work("ruscontext/ellipsis")
    begun, begun_study = at_work("ruscontext/ellipsis")
    left, left_study = at_work("rsg/terra")
    waiting = [(worker, worker.token()) for worker in (picked, written)]

    context.set_offline(True)
    for worker, text in ((picked, ""), (written, "первый ответ"), (left, "")):
        send(worker, text)
        assert worker.note() == texts("ru")["says"]["offline"]
    begun.page.locator(TEXT).fill("начатый ответ")
    left.page.close()
    context.clock.run_for(CUT)
    expect(picked.page.locator("[data-since]")).to_contain_text("30")
    expect(written.page.locator(TEXT)).to_have_value("первый ответ")
    studies = (picked_study, written_study, begun_study, left_study)
    # The cut is the browser's, and ends for a tab when the tab is closed: its answer may get through at that moment.
    assert [stored(site, study) for study in studies[:3]] == [[], [], []]

    context.set_offline(False)
    for worker, token in waiting:
        worker.gone_on(token)
        expect(worker.page.locator("[data-note]")).to_have_text("")
    begun.page.reload()
    begun.at("work")
    expect(begun.page.locator(TEXT)).to_have_value("начатый ответ")
    again = Worker(context.new_page())
    again.page.goto(site.link(left_study))
    again.at("work")
    assert len(stored(site, left_study)) == 1, "the tab was closed, the answer was not lost"

    for worker, texts_left in ((picked, [""]), (written, ["второй"]), (begun, ["", "второй"]), (again, [""])):
        for text in texts_left:
            before = worker.token()
            if worker is begun and not text:
                worker.page.keyboard.press("Enter")
            else:
                send(worker, text)
            worker.gone_on(before)
        worker.at("done")
    for study in studies:
        assert len(stored(site, study)) == 2
        assert once_each(stored(site, study))
