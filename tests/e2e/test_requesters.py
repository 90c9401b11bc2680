"""The requesters' pages in a real browser: sign in, create a study, follow it, read its results."""

import csv
import random
import re
import socket
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect
from sqlalchemy import Engine, update

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_creation import Draft
from annotate.worker.service import Service
from annotate.worker.stages import Act
from bench.llmfao import TASK as PAIRWISE_TASK
from data.catalogue.catalog import get_task, sample_file
from data.files.item_files import read_items
from data.task import Item
from db.accounts import ensure_owner
from db.engine import open_database, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.payments import unpaid
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.settings import Settings
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.tables import STUDY
from db.workers import add_worker
from server import build_app
from tests.helpers.collection import status_of
from tests.helpers.described_tasks import task_from

PASSWORD = "a password for tests"
LEFT = ("AbortError", "Unexpected error Connection errored out")
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


@dataclass
class Office:
    """The running server and its database."""

    address: str
    database: Engine
    desk: RequesterService


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """The whole program, as `app.py` composes it, on a free port with an empty database."""
    home = tmp_path_factory.mktemp("office")
    database = open_database(f"sqlite:///{home / 'etalon.db'}")
    with writing(database) as session:
        ensure_owner(session, PASSWORD)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # who comes before the server is up waits
        settings = Settings(home=home, port=listener.getsockname()[1])
        signer = Signer("a secret for tests")
        server = uvicorn.Server(
            uvicorn.Config(build_app(database, signer, settings), log_config=None, log_level="warning")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Office(settings.address, database, RequesterService(database, signer, settings.address))
        server.should_exit = True
        thread.join()
    database.dispose()


@pytest.fixture
def database(office: Office) -> Engine:
    return office.database


@pytest.fixture
def page(browser: Browser, office: Office) -> Iterator[Page]:
    """A tab of a browser that nobody has signed in with; at the end nothing was asked elsewhere, nothing went wrong."""
    with browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US") as context:
        yield from watched(context, office)


@pytest.fixture(scope="module")
def signed(browser: Browser, office: Office) -> Iterator[BrowserContext]:
    """A browser that the owner has signed in with; its cache is warm after the first page."""
    with browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", accept_downloads=True) as context:
        told: dict[str, str | float | bool] = {"name": "owner", "password": PASSWORD}
        here = {"origin": office.address}
        assert context.request.post(f"{office.address}/login", form=told, headers=here).ok
        yield context


@pytest.fixture
def reader(signed: BrowserContext, office: Office) -> Iterator[Page]:
    """A new tab of that browser."""
    yield from watched(signed, office)


@pytest.fixture
def owner(reader: Page, office: Office) -> Page:
    """The same with the list of studies in sight: Gradio complains when a page is left while it still loads."""
    reader.goto(f"{office.address}/manage/")
    expect(reader.locator(".studies section.card")).to_be_visible()
    return reader


def watched(context: BrowserContext, office: Office) -> Iterator[Page]:
    foreign: list[str] = []
    broken: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((f"{office.address}/", "data:", "blob:")):
            foreign.append(request.url)

    def said(message: ConsoleMessage) -> None:
        # A refused sign-in answers 401, which Chromium writes to the console; Gradio writes that its own stream was
        # closed when a page is left while it still loads.
        expected = message.location["url"].endswith("/login") or message.text.startswith(LEFT)
        if message.type == "error" and not expected:
            broken.append(f"{message.text} ({message.location['url']})")

    opened = context.new_page()
    opened.on("request", asked)
    opened.on("console", said)
    opened.on("pageerror", lambda error: broken.append(str(error)))
    yield opened
    opened.close()
    assert foreign == []
    assert broken == []


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")


def free(office: Office, name: str) -> str:
    """The name of a study that is to be made: where a test is tried again, the study of its first try gives it up."""
    with writing(office.database) as session:
        session.execute(update(STUDY).where(STUDY.c.name == name).values(name=f"earlier-{uuid4()}"))
    return name


def make_study(office: Office, name: str, *, people: int = 4, task: str = "rsg/parus", price: float = 0) -> None:
    """A study of a task's samples that simulated people and a model with some unreadable replies have answered."""
    settings = StudySettings(overlap=people, training_pass=0, price=price).model_dump()
    office.desk.create(Draft(name=free(office, name), task=task, settings=settings, samples=True))
    with reading(office.database) as session:
        study = get_study(session, name=name)
        stored = list_items(session, study=study, role="main")
    crowd = [Simulated(ability=ability) for ability in (3.5, 2.5, 1.5, 1.0)[:people]]
    simulate(Service(office.database, office.desk.signer), study, crowd, start=office.desk.clock(), seed=5)
    chance = random.Random(5)
    with writing(office.database) as session:
        run = create_run(session, study=study, model="openai:tester", kind="model", settings={})
        given = [
            Prediction(entry.key, 0, "I cannot decide.", None, "unparsable")
            if place % 5 == 0
            else Prediction(entry.key, 0, f"Answer for {entry.item.id}", chance.choice("01"), "ok")
            for place, entry in enumerate(stored)
        ]
        add_predictions(session, run=run, predictions=given)
        finish_run(session, run=run)


@pytest.fixture(scope="module")
def judged(office: Office) -> str:
    """A study that four people and a model have answered; what is done with its results changes nothing in it."""
    make_study(office, "judged")
    return "judged"


@pytest.fixture(scope="module")
def gaps(office: Office) -> str:
    """The same of open answers."""
    make_study(office, "gaps", task="ruscontext/ellipsis")
    return "gaps"


def test_a_stranger_is_sent_to_the_form_and_after_it_to_the_page(page: Page, office: Office) -> None:
    page.goto(f"{office.address}/results/?study=nothing")
    expect(page).to_have_url(f"{office.address}/login?next=/results/%3Fstudy%3Dnothing")
    expect(page.get_by_label("Password")).to_be_focused()
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("That name and password do not match")
    sign_in(page)
    expect(page).to_have_url(f"{office.address}/results/?study=nothing")
    expect(page.get_by_role("heading", name="There is no such study or item")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{office.address}/login")
    page.goto(f"{office.address}/manage/")
    expect(page.get_by_label("Password")).to_be_visible()


# A browser that is busy hears late that the server has ended the stream of answers to queued events.
END_HELD = """() => {
  const fetched = window.fetch, ending = new Promise((resolve) => { window.letGo = resolve; });
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    if (!String(asked[0].url ?? asked[0]).includes("/queue/data")) return answer;
    const read = new TextDecoder(), write = new TextEncoder();
    const held = new TransformStream({ async transform(chunk, passedOn) {
      const [before, end] = read.decode(chunk).split(/(?=data: [^\\n]*close_stream)/);
      passedOn.enqueue(write.encode(before));
      if (end) { await ending; passedOn.enqueue(write.encode(end)); }
    } });
    return new Response(answer.body.pipeThrough(held), answer);
  };
}"""


def test_a_study_is_created_closed_opened_and_downloaded(owner: Page, office: Office) -> None:
    owner.evaluate(END_HELD)
    owner.get_by_role("button", name="New study").click()
    owner.locator('.steps [data-go="people"]').click()
    expect(owner.get_by_text("Judgments to collect")).to_be_visible()
    items = len(read_items(sample_file(get_task("rsg/parus"), "main"), get_task("rsg/parus")))
    expect(owner.locator(".plan .fact").first).to_contain_text(str(5 * items))
    owner.get_by_label("Judgments per item").fill("3")
    expect(owner.locator(".plan .fact").first).to_contain_text(str(3 * items))
    owner.get_by_role("button", name="Next").click()
    owner.get_by_label("Name").fill("parus-pilot")
    owner.get_by_role("button", name="Create the study").click()

    expect(owner.get_by_role("heading", name="parus-pilot")).to_be_visible()
    owner.evaluate("letGo()")
    expect(owner.get_by_label("Invitation link")).to_have_value(
        office.desk.invitation(office.desk.study("parus-pilot"))
    )
    owner.context.grant_permissions(["clipboard-read", "clipboard-write"])
    owner.get_by_role("button", name="Copy").click()
    expect(owner.get_by_text("Copied.")).to_be_visible()
    assert owner.evaluate("navigator.clipboard.readText()") == office.desk.invitation(office.desk.study("parus-pilot"))
    expect(owner).to_have_url(re.compile("study=parus-pilot"))
    assert office.desk.study("parus-pilot").study.status == "draft"
    owner.get_by_role("button", name="Open the study").click()
    owner.get_by_role("button", name="Close the study").click()
    expect(owner.get_by_role("button", name="Open again")).to_be_visible()
    assert office.desk.study("parus-pilot").study.status == "closed"
    owner.get_by_role("button", name="Open again").click()
    expect(owner.get_by_role("button", name="Close the study")).to_be_visible()

    owner.get_by_role("tab", name="Download").click()
    with owner.expect_download() as started:
        owner.get_by_role("link", name="Judgments, CSV", exact=True).click()
    assert started.value.suggested_filename == "parus-pilot-judgments.csv"
    assert Path(started.value.path()).read_text("utf8").startswith("item,worker,label,")

    owner.get_by_role("button", name="All studies").click()
    row = owner.get_by_role("row").filter(has_text="parus-pilot")
    expect(row).to_contain_text(f"0 of {3 * items}")
    expect(owner).to_have_url(f"{office.address}/manage/")
    row.get_by_role("button").click()
    expect(owner.get_by_role("heading", name="parus-pilot")).to_be_visible()
    owner.reload()
    expect(owner.get_by_role("heading", name="parus-pilot")).to_be_visible()

    owner.get_by_role("button", name="Rename, duplicate, delete").click()
    owner.get_by_role("button", name="Delete for good").click()
    expect(owner.get_by_text("Type the name of the study to delete it.")).to_be_visible()
    owner.get_by_label("The study's name").fill("parus-pilot")
    owner.get_by_role("button", name="Delete for good").click()
    expect(owner.get_by_text("parus-pilot is deleted.")).to_be_visible()
    expect(owner.get_by_role("row").filter(has_text="parus-pilot")).to_have_count(0)


def test_a_bad_file_says_so_beside_it_and_creates_nothing(owner: Page, office: Office, tmp_path: Path) -> None:
    bad = tmp_path / "items.jsonl"
    bad.write_text('{"premise": "a", "question": "<img src=x>", "choice1": "b", "choice2": "c"}\n', "utf8")
    owner.get_by_role("button", name="New study").click()
    expect(owner.get_by_label("A table of my own")).to_be_visible()
    expect(owner.locator(".studies section.card").first).to_be_hidden()  # who is quick is not sent back
    owner.get_by_label("My own files").click()
    owner.locator("input[type=file]").first.set_input_files(bad)
    sentence = "items.jsonl, line 1, field 'question': '<img src=x>' is not known; use one of 'cause', 'effect'"
    expect(owner.locator(".filed").first).to_contain_text(sentence)
    owner.locator('.steps [data-go="check"]').click()
    owner.get_by_label("Name").fill("never")
    owner.get_by_role("button", name="Create the study").click()
    expect(owner.get_by_test_id("toast-body")).to_contain_text(sentence)
    assert "never" not in [card.study.name for card in office.desk.studies()]
    owner.get_by_test_id("toast-close").click()
    owner.locator('.steps [data-go="file"]').click()
    owner.get_by_role("button", name="Clear").first.click()
    owner.locator("input[type=file]").first.set_input_files(sample_file(get_task("rsg/parus"), "main"))
    expect(owner.locator(".filed").first).to_contain_text("✓")


def test_a_manager_watches_a_study_fill_excludes_somebody_and_decides_a_tie(owner: Page, office: Office) -> None:
    make_study(office, "live", people=2)
    row = owner.get_by_role("row").filter(has_text="live")
    expect(row).to_contain_text("simulated")
    counted = office.desk.study("live").coverage.filled
    expect(row).to_contain_text(f"{counted} of")

    row.get_by_role("button").click()
    expect(owner.locator(".live .fact").last).to_contain_text("pairs agree in")
    owner.get_by_role("tab", name="Decide").click()
    case = owner.locator("[data-case][data-settled]")
    expect(case).to_contain_text("blind")
    expect(owner.get_by_text("Votes", exact=True)).to_have_count(0)
    first = case.locator(".case-head h2").inner_text()
    owner.keyboard.press("1")
    owner.get_by_label("Note").fill("=the text says so")
    owner.get_by_role("button", name="Decide", exact=True).click()
    expect(case).to_contain_text("A tie: no answer has the most votes.")
    owner.keyboard.press("2")
    owner.keyboard.press("Enter")
    expect(case.get_by_role("listitem").filter(has_text="with the votes")).to_contain_text("counts")
    owner.keyboard.press("]")
    expect(case.locator(".case-head h2")).not_to_have_text(first)
    expect(case).to_contain_text("blind")

    owner.get_by_role("tab", name="Workers").click()
    worker = owner.locator("[data-worker]").first
    name = worker.inner_text()
    worker.click()
    answers = owner.get_by_role("region", name=f"Answers of {name}")
    expect(answers.get_by_role("row")).to_have_count(1 + len(office.desk.oversight.answers("live", name)))
    owner.get_by_label("Reason").fill("clicked through")
    owner.get_by_role("button", name="Exclude").click()
    expect(owner.locator("[data-record] h2")).to_contain_text("excluded")
    expect(owner.get_by_role("button", name="Restore")).to_be_visible()
    assert office.desk.study("live").coverage.filled < counted
    owner.get_by_role("tab", name="Overview").click()
    owner.get_by_role("button", name="Events").click()
    expect(owner.get_by_role("row").filter(has_text=name).first).to_contain_text("clicked through")
    owner.get_by_role("tab", name="Settings").click()
    owner.get_by_role("button", name="Rules on workers").click()
    expect(owner.get_by_role("row", name="random guessers who still work")).to_be_visible()
    owner.get_by_role("tab", name="Download").click()
    with owner.expect_download() as started:
        owner.get_by_role("link", name="Decisions, CSV").click()
    lines = list(csv.DictReader(Path(started.value.path()).read_text("utf8").splitlines()))
    assert [(one["item"], one["label"], one["blind"]) for one in lines] == [(first, "0", "true"), (first, "1", "false")]
    assert lines[0]["note"] == "'=the text says so"


def test_a_manager_forgets_a_worker_only_after_typing_the_name(owner: Page, office: Office) -> None:
    make_study(office, "private", people=2)
    row = owner.get_by_role("row").filter(has_text="private")
    row.get_by_role("button").click()
    owner.get_by_role("tab", name="Workers").click()
    worker = owner.locator("[data-worker]").first
    name = worker.inner_text()
    worker.click()
    owner.get_by_role("button", name="Forget the worker chosen above").click()
    forget = owner.get_by_role("button", name="Forget for good")
    forget.click()
    expect(owner.get_by_text("Choose a worker above and type the same name here.")).to_be_visible()
    owner.get_by_label("The worker's name").fill(name)
    forget.click()
    expect(owner.get_by_role("row").filter(has_text="forgotten")).to_have_count(1)
    expect(owner.get_by_role("region", name="Workers")).not_to_contain_text(name)
    owner.get_by_role("tab", name="Overview").click()
    owner.get_by_role("button", name="Events").click()
    expect(owner.get_by_role("row").filter(has_text="worker forgotten")).to_contain_text("kept under this pseudonym")


def test_a_manager_marks_what_the_page_shows_as_paid(owner: Page, office: Office) -> None:
    make_study(office, "owing", people=2, price=2.0)
    owner.get_by_role("row").filter(has_text="owing").get_by_role("button").click()
    owner.get_by_role("tab", name="Workers").click()
    expect(owner.locator(".owed")).to_contain_text("2 not marked as paid")
    mark = owner.get_by_role("button", name="Mark as paid")
    mark.click()  # the browser's question is dismissed
    assert len(office.desk.oversight.read("owing", unpaid)) == 2
    owner.once("dialog", lambda asked: asked.accept())
    mark.click()
    expect(owner.locator(".owed")).to_contain_text("all marked as paid")
    assert office.desk.oversight.read("owing", unpaid) == []
    owner.get_by_role("tab", name="Overview").click()
    owner.get_by_role("button", name="Events").click()
    expect(owner.get_by_role("row").filter(has_text="marked as paid")).to_have_count(2)


def test_the_results_of_a_study_are_read_and_its_items_chosen(reader: Page, office: Office, judged: str) -> None:
    reader.goto(f"{office.address}/results/?study={judged}")
    expect(reader.get_by_role("heading", level=1)).to_contain_text("PARus: cause or effect")
    expect(reader.locator(".lead")).to_contain_text("openai:tester")
    expect(reader.get_by_role("table").first).to_contain_text("openai:tester")
    expect(reader.get_by_role("img", name="openai:tester")).to_be_visible()
    expect(reader.get_by_text("The judgments are simulated")).to_be_visible()

    reader.get_by_role("link", name="Items 16").click()
    expect(reader.get_by_role("heading", level=1)).to_be_focused()
    rows = reader.get_by_role("region", name="Items").locator("tbody tr")
    expect(rows).to_have_count(16)
    split = reader.get_by_role("link", name="People split")
    many = int(split.locator("b").inner_text())
    assert 0 < many < 16
    split.click()
    expect(split).to_have_attribute("aria-current", "true")
    expect(rows).to_have_count(many)

    reader.get_by_role("link", name="No readable answer").click()
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("no readable answer")
    rows.first.get_by_role("link").first.click()
    expect(reader.get_by_text("I cannot decide.").first).to_be_visible()

    make_pairs(office, "pairs")
    reader.goto(f"{office.address}/results/?study=pairs")
    ranked = reader.get_by_role("region", name="Ranking")
    expect(ranked.locator(".stated").first).to_contain_text("rank 3 competitors: a is first")
    expect(ranked.locator("svg.intervals")).to_be_visible()
    expect(reader.locator(".lead")).to_contain_text("a comes first by 2 people (rank 1")
    assert reader.evaluate(SIDEWAYS) == 0


def make_pairs(office: Office, name: str) -> None:
    """A study without gold in which two people prefer a to b and b to c, pair by pair."""
    with writing(office.database) as session:
        session.execute(update(STUDY).where(STUDY.c.name == name).values(name=f"earlier-{uuid4()}"))
        task = task_from(tomllib.loads(PAIRWISE_TASK))
        study = create_study(session, name=name, task=task, settings=StudySettings(language="en"))
        texts = {"prompt": "p", "left_reply": "x", "right_reply": "y"}
        twos = [two for two in (("a", "b"), ("b", "c"), ("a", "c")) for _ in range(6)]
        items = [Item(f"{n}", texts | {"left": one, "right": other}, None) for n, (one, other) in enumerate(twos)]
        add_items(session, study=study, items=items)
        stored, people = list_items(session, study=study, role="main"), [add_worker(session) for _ in range(2)]
        given = [
            Judgment(entry.key, who, "1" if n % 4 == 0 else "0") for n, entry in enumerate(stored) for who in people
        ]
        add_judgments(session, study=study, judgments=given)


def test_open_answers_are_read_with_their_counts_and_their_own_rules(reader: Page, office: Office, gaps: str) -> None:
    reader.goto(f"{office.address}/results/?study={gaps}&tab=items")
    reader.get_by_role("link", name="1", exact=True).click()
    seen = reader.get_by_role("region", name="The item as people saw it")
    expect(seen).to_contain_text("Right answer")
    expect(seen.locator(".option .count").first).to_be_visible()
    reader.get_by_role("link", name="gaps").click()
    reader.locator(".rules summary").click()
    consensus = reader.get_by_label("Consensus answer")
    expect(consensus.locator("option[value=median]")).to_have_count(0)
    consensus.select_option("medoid")
    expect(reader.locator(".rules summary")).to_contain_text("medoid")
    expect(reader.locator("table.standing").first).to_contain_text("Medoid of 4 people")
    assert reader.evaluate(SIDEWAYS) == 0


def test_rules_change_the_table_and_a_bad_one_is_a_sentence(reader: Page, office: Office, judged: str) -> None:
    reader.goto(f"{office.address}/results/?study={judged}")
    summary, people = reader.locator(".rules summary"), reader.locator("table.standing tbody tr").first
    expect(people).to_be_visible()
    before = people.inner_text()
    summary.click()
    votes = reader.get_by_label("Votes the winning answer needs")
    votes.fill("4")
    votes.press("Tab")
    expect(summary).to_contain_text("4 votes needed")
    assert people.inner_text() != before
    votes.fill("0")
    votes.press("Tab")
    expect(reader.get_by_role("alert")).to_contain_text("at least 1 vote")
    expect(reader.get_by_role("alert")).to_be_in_viewport()
    expect(votes).to_have_value("1")
    assert people.inner_text() == before


def test_another_study_is_picked_and_stays_in_the_address(reader: Page, office: Office, judged: str, gaps: str) -> None:
    reader.goto(f"{office.address}/results/?study={judged}")
    expect(reader.locator("h1 small")).to_have_text(judged)
    reader.get_by_role("link", name="← Results").click()
    reader.get_by_role("link", name="RusConText: what is left out?").first.click()
    expect(reader.locator("h1 small")).to_have_text(gaps)
    expect(reader).to_have_url(f"{office.address}/results/?study={gaps}")
    reader.goto(f"{office.address}/results/?study=<b>none</b>")
    expect(reader.get_by_role("heading", name="There is no such study")).to_be_visible()


def test_items_can_be_chosen_by_keys_alone(reader: Page, office: Office, judged: str) -> None:
    reader.goto(f"{office.address}/results/?study={judged}&tab=items")
    chip = reader.get_by_role("link", name="People split")
    expect(chip).to_be_visible()
    reader.get_by_role("link", name="All 16").focus()
    reader.keyboard.press("Tab")
    expect(chip).to_be_focused()
    assert chip.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    reader.keyboard.press("Enter")
    expect(chip).to_have_attribute("aria-current", "true")
    expect(chip).to_be_focused()


def test_an_appeal_is_counted_in_the_list_read_beside_the_record_and_answered(owner: Page, office: Office) -> None:
    study = free(office, "appealed")
    office.desk.create(Draft(name=study, task="rsg/parus", settings=StudySettings().model_dump(), samples=True))
    service = Service(office.database, office.desk.signer)
    cookie = service.join(study, office.desk.signer.invitation(study))
    service.act(study, cookie, Act("consent"))
    service.act(study, cookie, Act("begin"))
    (worker,) = [line.work.name for line in office.desk.oversight.workers(study)]
    office.desk.oversight.exclude(study, worker, who="anna", reason="a second account")
    service.act(study, cookie, Act("appeal", value={"text": "I have only this one."}))
    owner.reload()
    waits = owner.locator(".waits li", has_text=study)
    waits.filter(has_text="1 appeal to answer").get_by_role("button", name="Answer").click()
    row = owner.get_by_role("region", name="Appeals").get_by_role("row", name=worker)
    expect(row).to_contain_text("I have only this one.")
    expect(row).to_contain_text("a second account")
    owner.get_by_role("textbox", name="The worker reads it").fill("You are right.")
    owner.get_by_label("Let the worker go on").check()
    owner.get_by_role("button", name="Send the answer").click()
    expect(row).to_contain_text("You are right.")
    expect(row).to_contain_text("taken back")
    assert status_of(office.desk.oversight, study, worker) == "active"
    assert "You are right." in service.state(study, cookie).note


def test_no_page_scrolls_sideways(browser: Browser, office: Office, judged: str) -> None:
    def neither(page: Page) -> None:
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(SIDEWAYS) == 0, width

    with browser.new_context(color_scheme="dark", locale="ru-RU") as context:
        page = context.new_page()
        page.goto(f"{office.address}/manage/?study={judged}")
        neither(page)
        page.get_by_label("Пароль").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=judged)).to_be_visible()
        neither(page)
        page.get_by_role("button", name="All studies").click()
        page.get_by_role("button", name="New study").click()
        expect(page.get_by_label("A table of my own")).to_be_visible()
        neither(page)
        page.goto(f"{office.address}/results/?study={judged}")
        for tab in ("Items", "Agreement", "Models", "Download", "Scores"):
            page.get_by_role("navigation", name=f"Results of {judged}").get_by_role("link", name=tab).click()
            expect(page.locator(".tabs a[aria-current]")).to_contain_text(tab)
            neither(page)
        dark = page.evaluate("getComputedStyle(document.querySelector('.masthead')).backgroundColor")
        assert dark != "rgb(255, 255, 255)"
