"""A study of every family of benchmarks: answered by keyboard, run through the naive baselines, shown side by side."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotate.accounts.signer import worker_cookie_name
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task
from data.task import Item, Task
from db.engine import reading
from db.frames import judgments
from db.studies import Study
from tests.e2e.conftest import Site, Worker, samples_of
from tests.helpers.asking_models import model_named, run
from tests.helpers.requester_pages import signed_in

NAIVE = ("random", "majority", "tfidf")
FAMILIES = {
    "rsg/rcb": NAIVE,
    "ruscontext/idiom_meaning": NAIVE,
    "use": ("random",),
    "agrr/binary": NAIVE,
    "libra/ru_babilong_qa1": ("random", "majority"),
}
"""A task of each family with the naive baselines that its kind of answer has."""


def typed(worker: Worker, task: Task, item: Item, answer: str) -> None:
    """Give an answer by keys: letters go to the field of a text, digits choose options or set numbers."""
    keyboard = worker.page.keyboard
    asked = task.answer_for(item.fields)
    if asked.kind == "choice":
        keyboard.press(next(option.key for option in asked.options(item.fields) if option.label == answer))
    elif asked.kind == "sequence":
        for number in unpacked(answer):
            keyboard.press(number)
    else:
        while not worker.page.evaluate("document.activeElement.matches('[data-answer] :is(input, textarea)')"):
            keyboard.press("Tab")
        keyboard.type(answer)


def cookie_of(worker: Worker, study: Study) -> str:
    name = worker_cookie_name(study.name)
    return next(cookie["value"] for cookie in worker.page.context.cookies() if cookie["name"] == name)


def some(task: Task) -> list[Item]:
    """Sample items to be answered: of an exam one text and one of numbers below ten, else the first four."""
    main = samples_of(task, "main")
    if task.id != "use":
        return main[:4]
    numbers = [item for item in main if item.fields["type"] == "matching"]
    return [next(item for item in main if item.fields["type"] == "text"), numbers[0]]


@pytest.fixture(scope="module")
def staff(signed: BrowserContext) -> Iterator[Page]:
    """A tab of the browser that the owner has signed in with."""
    with signed_in(signed) as page:
        yield page


@pytest.mark.parametrize("name", FAMILIES)
def test_people_and_naive_baselines_of_a_family_stand_side_by_side(
    worker: Worker, site: Site, staff: Page, name: str
) -> None:
    task = get_task(name)
    items = some(task)
    study = site.study_of(task, items, overlap=1, page_main=len(items), page_controls=0)
    worker.sit(site, study)
    for _ in items:
        worker.at("work")
        shown = site.service.state(study.name, cookie_of(worker, study)).item
        item = next(item for item in items if shown and item.fields == shown.fields)
        typed(worker, task, item, task.answer_for(item.fields).best(item.gold or "", item.fields))
        before = worker.token()
        worker.page.keyboard.press("Enter")
        worker.gone_on(before)
    worker.at("done")
    with reading(site.service.database) as session:
        given = judgments(session, study=study)
    assert len(given) == len(items)
    for model in FAMILIES[name]:
        taker = model_named(model, task=task, train=samples_of(task, "main"))
        # The browser's event loop is this thread's; a run has one of its own.
        with ThreadPoolExecutor(1) as other:
            other.submit(run, site.service.database, study=study, model=taker).result()
    staff.goto(f"{site.address}/results/?study={study.name}")
    table = staff.get_by_role("table").first
    for row in ("majority of", *FAMILIES[name]):
        expect(table).to_contain_text(row, ignore_case=True)
