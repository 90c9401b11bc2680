"""What requesters can do: progress, new studies, invitations, downloads, and the numbers that follow from a form."""

import asyncio
import csv
import io
import json
from dataclasses import replace
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import gradio as gr
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pyarrow import parquet
from sqlalchemy import Engine

from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.pages.manage.studies_page import END, OPEN, PAUSE, StudiesHandlers
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.requesters.study_creation import Draft, Sources, checked_settings
from annotate.requesters.study_plan import check, checks_of, plan
from data.catalogue.catalog import get_task, sample_file
from data.drawing.environment import environment
from data.errors import BadFile, BadSetting, EtalonError, UnknownName
from data.wording import same
from db.accounts import ensure_owner
from db.engine import reading, writing
from db.exports import ComputedFiles, FileRequest
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.studies import list_studies
from db.study_settings import StudySettings
from db.tables import PlaceKey
from db.workers import add_worker
from tests.helpers.collection import Watch, arrive, make_service, make_study, planned

SIGNER = Signer("a secret for tests")
SETTINGS = StudySettings().model_dump()
PARUS = Draft(name="parus-1", task="rsg/parus", settings=SETTINGS, samples=True)


def make_desk(database: Engine, clock: Watch | None = None) -> RequesterService:
    return RequesterService(database, SIGNER, "https://etalon.example", clock or Watch())


@pytest.fixture
def requesters(sqlite: Engine) -> RequesterService:
    return make_desk(sqlite)


def test_a_card_says_how_far_a_study_is(engine: Engine) -> None:
    clock = Watch()
    make_study(engine, main=4, training=1, control=2, overlap=2)
    service = make_service(engine, clock)
    first, second = arrive(service), arrive(service)
    for _ in range(3):
        first.answer(first.look())
    second.look()
    (card,) = make_desk(engine, clock).studies()
    assert (
        card.study.name,
        card.study.task.id,
        card.study.task.title.for_requesters,
        card.study.status,
        card.study.origin,
    ) == (
        "colours",
        "test/colour",
        "Colour",
        "open",
        "collected",
    )
    assert (card.coverage.items, card.training, card.control, card.coverage.target) == (4, 1, 2, 8)
    assert 1 <= card.coverage.filled <= 3
    assert 0 < card.share < 1
    assert card.turnout.workers == 2
    assert card.turnout.active == 2
    assert not card.simulated


def test_who_has_not_asked_for_anything_in_15_minutes_is_not_at_work(engine: Engine) -> None:
    clock = Watch()
    make_study(engine, main=4, lease_minutes=60)
    person = arrive(make_service(engine, clock))
    person.look()
    requesters = make_desk(engine, clock)
    clock.passes(minutes=15)
    assert requesters.study("colours").turnout.active == 1
    clock.passes(seconds=1)
    assert requesters.study("colours").turnout.active == 0
    person.look()
    assert requesters.study("colours").turnout.active == 1


def test_items_count_as_complete_when_all_their_judgments_are_in(engine: Engine) -> None:
    make_study(engine, main=2, overlap=1)
    person = arrive(make_service(engine))
    list(person.work())
    card = make_desk(engine).study("colours")
    assert (card.coverage.filled, card.coverage.target, card.coverage.complete, card.coverage.held, card.share) == (
        2,
        2,
        2,
        0,
        1.0,
    )


def test_simulated_workers_are_counted_and_named_so(sqlite: Engine) -> None:
    study = make_study(sqlite, main=3, overlap=2)
    clock = Watch()
    simulate(make_service(sqlite, clock), study, [Simulated(ability=3)], start=clock())
    person = arrive(make_service(sqlite, clock))
    person.answer(person.look())
    card = make_desk(sqlite).study("colours")
    assert card.simulated
    assert (card.turnout.simulated, card.turnout.workers) == (1, 2)


def test_a_study_of_sample_items_is_created_open(requesters: RequesterService) -> None:
    card = requesters.create(PARUS)
    assert (card.study.name, card.study.task.id, card.study.status, card.coverage.target) == (
        "parus-1",
        "rsg/parus",
        "open",
        5 * card.coverage.items,
    )
    assert min(card.coverage.items, card.training, card.control) > 0
    assert [card.study.name for card in requesters.studies()] == ["parus-1"]


def test_a_study_of_files_takes_their_items(requesters: RequesterService) -> None:
    task = get_task("rsg/parus")
    main, control = sample_file(task, "main"), sample_file(task, "control")
    card = requesters.create(replace(PARUS, samples=False, sources=Sources(main=main, control=control)))
    assert (card.training, card.control > 0, card.study.settings.page_controls) == (0, True, 2)


def test_who_closes_a_study_that_another_manager_has_closed_does_not_open_it(requesters: RequesterService) -> None:
    async def built() -> StudiesHandlers:
        page: gr.Blocks
        with gr.Blocks() as page:
            return StudiesHandlers(requesters, page)

    page: Any = asyncio.run(built())
    anna, bob = SimpleNamespace(username="anna"), SimpleNamespace(username="bob")
    requesters.create(PARUS)
    page.change(PARUS.name, END, anna)
    page.change(PARUS.name, END, bob)
    assert requesters.study(PARUS.name).study.status == "closed"
    page.change(PARUS.name, OPEN, bob)
    page.change(PARUS.name, PAUSE, anna)
    page.change(PARUS.name, PAUSE, bob)
    assert requesters.study(PARUS.name).study.status == "paused"


def test_a_study_without_controls_has_pages_without_controls(requesters: RequesterService) -> None:
    main = sample_file(get_task("rsg/parus"), "main")
    assert (
        requesters.create(replace(PARUS, samples=False, sources=Sources(main=main))).study.settings.page_controls == 0
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "a/b"}, "study name 'a/b'"),
        ({"name": "  "}, "study name ''"),
        ({"name": ".."}, "begin with a letter or a digit"),
        ({"name": "-x"}, "begin with a letter or a digit"),
        ({"task": "rsg/paru"}, "rsg/parus"),
        ({"samples": False}, "no items yet"),
        ({"settings": SETTINGS | {"overlap": 0}}, "Judgments per item 0: input should be greater"),
        ({"settings": SETTINGS | {"overlap": 2.5}}, "Judgments per item 2.5: input should be a valid integer"),
        ({"settings": SETTINGS | {"price": None}}, "Price per answer is empty"),
        ({"settings": SETTINGS | {"training_pass": 8}}, "Training pass mark 8: input should be less"),
        ({"settings": SETTINGS | {"language": "fr"}}, "Language 'fr'"),
    ],
)
def test_what_is_wrong_with_a_form_is_one_sentence_and_nothing_is_kept(
    requesters: RequesterService, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(EtalonError, match=words):
        requesters.create(replace(PARUS, **changes))
    assert requesters.studies() == []


def test_a_bad_file_creates_nothing(requesters: RequesterService, tmp_path: Path) -> None:
    bad = tmp_path / "control.jsonl"
    bad.write_text('{"premise": "a", "question": "why", "choice1": "b", "choice2": "c"}\n', "utf8")
    main = sample_file(get_task("rsg/parus"), "main")
    with pytest.raises(BadFile, match=r"control.jsonl, line 1, field 'question': 'why' is not known"):
        requesters.create(replace(PARUS, samples=False, sources=Sources(main=main, control=bad)))
    with reading(requesters.database) as session:
        assert list_studies(session) == []


def test_a_name_that_is_taken_is_refused(requesters: RequesterService) -> None:
    requesters.create(PARUS)
    with pytest.raises(BadSetting, match="exists already"):
        requesters.create(PARUS)


def test_a_file_is_checked_as_soon_as_it_is_chosen(requesters: RequesterService, tmp_path: Path) -> None:
    found = check(get_task("rsg/parus"), "main", sample_file(get_task("rsg/parus"), "main"))
    assert (found.problem, found.items, found.with_gold) == ("", found.with_gold, found.items)
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert "0 bytes" in check(get_task("rsg/parus"), "main", empty).problem
    two = tmp_path / "two.jsonl"
    two.write_text('{"premise": 1}\n{"premise": 2}\n', "utf8")
    assert check(get_task("rsg/parus"), "main", two).problems == 3


def test_a_control_file_without_right_answers_is_refused_where_it_is_chosen(
    requesters: RequesterService, tmp_path: Path
) -> None:
    path = tmp_path / "control.jsonl"
    path.write_text('{"premise": "a", "question": "cause", "choice1": "b", "choice2": "c"}\n', "utf8")
    assert "right answer" in check(get_task("rsg/parus"), "control", path).problem
    assert check(get_task("rsg/parus"), "main", path).with_gold == 0


def test_a_study_is_closed_and_opened_again(requesters: RequesterService) -> None:
    requesters.create(PARUS)
    assert requesters.set_status("parus-1", "closed").study.status == "closed"
    assert requesters.study("parus-1").study.status == "closed"
    assert requesters.set_status("parus-1", "open").study.status == "open"
    with pytest.raises(UnknownName, match="parus-1"):
        requesters.set_status("parus-2", "closed")


def test_the_invitation_lets_a_worker_in(requesters: RequesterService) -> None:
    link = requesters.invitation(requesters.create(replace(PARUS, name="пилот")))
    assert link.isascii()
    address, _, rest = link.partition("/join/")
    name, key = rest.split("/")
    assert address == "https://etalon.example"
    assert SIGNER.invited(unquote(name), key)


def test_judgments_leave_in_every_format_and_formulas_do_not(requesters: RequesterService, sqlite: Engine) -> None:
    study = make_study(sqlite, main=2)
    with writing(sqlite) as session:
        (first, second), worker = list_items(session, study=study), add_worker(session, simulated=True)
        given = [Judgment(first.key, worker, "=1+1"), Judgment(second.key, worker, "red", seconds=2.5)]
        add_judgments(session, study=study, judgments=given)
    rows = list(
        csv.DictReader(
            io.StringIO(
                FileRequest(requesters.exports, "colours", "judgments", "csv")
                .made(requesters.database)
                .content.decode()
            )
        )
    )
    assert [row["label"] for row in rows] == ["'=1+1", "red"]
    assert {row["simulated"] for row in rows} == {"true"}
    lines = (
        FileRequest(requesters.exports, "colours", "judgments", "jsonl")
        .made(requesters.database)
        .content.decode()
        .splitlines()
    )
    assert [json.loads(line)["label"] for line in lines] == ["=1+1", "red"]
    table = parquet.read_table(
        io.BytesIO(FileRequest(requesters.exports, "colours", "judgments", "parquet").made(requesters.database).content)
    )
    assert table.column("seconds").to_pylist() == [None, 2.5]


@pytest.fixture
def client(requesters: RequesterService) -> TestClient:
    requesters.create(replace(PARUS, name="пилот"))
    app = FastAPI()
    app.include_router(file_routes(requesters, ComputedFiles(requesters.database)))
    return TestClient(app)


def test_a_download_is_a_plain_file_for_who_is_signed_in(client: TestClient, requesters: RequesterService) -> None:
    with writing(requesters.database) as session:
        ensure_owner(session, "a password for tests")
    client.cookies.set(COOKIE, SIGNER.sign_in_cookie("owner"))
    reply = client.get("/manage-files/пилот/judgments.csv")
    assert reply.status_code == 200
    assert reply.headers["content-disposition"].startswith("attachment; filename*=UTF-8''%D0%BF")
    assert reply.headers["cache-control"] == "no-store"
    assert reply.text.startswith("item,worker,label,")
    assert client.get("/manage-files/nobody/judgments.csv").status_code == 404
    assert client.get("/manage-files/пилот/judgments.exe").status_code == 404


@pytest.mark.parametrize("cookie", [None, "owner", SIGNER.worker_cookie(PlaceKey(1, "nonce"))])
def test_a_download_is_for_nobody_else(client: TestClient, cookie: str | None) -> None:
    if cookie:
        client.cookies.set(COOKIE, cookie)
    assert client.get("/manage-files/пилот/judgments.csv").status_code == 401


NUMBERS: dict[str, Any] = {
    "training_price": 0,
    "items": 100,
    "training": 5,
    "control": 10,
    "overlap": 5,
    "page_main": 8,
    "page_controls": 2,
    "training_pass": 0.8,
    "price": 2.0,
}


def test_the_numbers_that_follow_from_a_form() -> None:
    found = planned(**NUMBERS)
    # 13 pages of 8 items have places for 26 controls; 10 are there, then pages hold main items only.
    assert (found.judgments, found.workers, found.pages) == (500, 5, 11)
    assert (found.controls, found.controls_wanted, found.repeats) == (10, 26, 1)
    assert (found.training_right, found.training) == (4, 5)
    assert found.cost == pytest.approx(500 * 2 * 1.1)


@pytest.mark.parametrize("changes", [{"repeat_controls": True}, {"control": 30}])
def test_with_controls_enough_for_the_length_of_work_they_come_to_the_end(changes: dict[str, Any]) -> None:
    found = planned(**NUMBERS | changes)
    assert (found.pages, found.controls, found.controls_wanted) == (13, 26, 26)
    assert found.repeats == (3 if "repeat_controls" in changes else 1)
    assert found.cost == pytest.approx(500 * 2 * 1.25)


def test_the_form_says_how_many_controls_the_length_of_work_needs() -> None:
    from annotate.pages.manage.form_drawing import draw_plan

    words = "26 needed for this length of work"
    assert words in draw_plan(planned(**NUMBERS))
    assert words not in draw_plan(planned(**NUMBERS | {"control": 26}))
    few = draw_plan(planned(**NUMBERS | {"max_items": 40}))
    assert "8 needed" not in few, "40 answers are 32 items and 8 controls, and there are 10"


def test_a_worker_who_may_do_little_needs_few_controls() -> None:
    found = planned(**NUMBERS | {"max_items": 40})
    assert (found.pages, found.controls, found.controls_wanted, found.workers) == (4, 8, 8, 16)
    found = planned(**NUMBERS | {"max_items": 40, "control": 4})
    assert (found.pages, found.controls, found.controls_wanted) == (4, 4, 10)


@pytest.mark.parametrize(("training", "mark", "right"), [(5, 0.6, 3), (3, 0.8, 3), (10, 0.7, 7), (4, 0, 0), (4, 1, 4)])
def test_so_many_right_answers_pass_the_training(training: int, mark: float, right: int) -> None:
    assert planned(**NUMBERS | {"training": training, "training_pass": mark}).training_right == right


def test_without_control_items_nobody_meets_or_is_paid_for_controls() -> None:
    found = planned(**NUMBERS | {"control": 0})
    assert (found.controls, found.repeats, found.cost) == (0, 0, 1000)


def test_the_desk_plans_with_the_settings_of_the_form(requesters: RequesterService) -> None:
    assert plan({"main": 16}, checked_settings(SETTINGS)).judgments == 80
    with pytest.raises(BadSetting, match="Items per page"):
        plan({"main": 16}, checked_settings(SETTINGS | {"page_main": 0}))


def test_every_setting_of_the_form_has_a_name_for_its_sentences() -> None:
    for name in ("overlap", "page_main", "page_controls", "training_pass", "price", "currency", "language"):
        with pytest.raises(BadSetting, match=" is empty; fill"):
            checked_settings({name: None})


def test_names_and_sentences_reach_the_page_as_text(requesters: RequesterService) -> None:
    from annotate.pages.manage.form_drawing import draw_file
    from annotate.pages.manage.study_drawing import draw_studies
    from annotate.requesters.study_card import FileCheck
    from data.drawing.gradio_events import escaped

    card = requesters.create(PARUS)
    task = replace(card.study.task, title=same("<b>"))
    card = replace(card, study=replace(card.study, name="<img src=x onerror=alert(1)>", task=task))
    drawn = draw_studies([card]) + draw_file(FileCheck(0, 0, "<script>alert(1)</script>", 1), "main")
    assert "<img" not in drawn
    assert "<b>" not in drawn.replace("<b>✕", "").replace(f"<b>{card.coverage.filled}</b>", "").replace(
        f"<b>{escape(card.study.name)}</b>", ""
    )
    assert "<script" not in drawn
    assert escaped("<i>") == "&lt;i&gt;"
    assert environment().autoescape


def test_the_page_says_what_to_do_while_there_is_no_study(requesters: RequesterService) -> None:
    from annotate.pages.manage.study_drawing import draw_studies

    assert "No study yet" in draw_studies(requesters.studies())
    assert "New study" in draw_studies(requesters.studies())


NEW_TASKS = [
    "rsg/muserc",
    "rsg/rucos",
    "ruscontext/ellipsis",
    "use",
    "agrr/validate",
    "agrr/resolution",
    "agrr/full",
    "libra/passkey",
    "own/rating",
    "own/pairwise",
    "writing/history",
    "writing/abstract",
    "writing/validate",
]


@pytest.mark.parametrize("task", NEW_TASKS)
def test_a_study_of_the_samples_of_every_task_is_planned_and_created_as_planned(
    requesters: RequesterService, task: str
) -> None:
    checks = checks_of(replace(PARUS, task=task))
    found = plan({role: check.items for role, check in checks.items()}, checked_settings(SETTINGS))
    card = requesters.create(replace(PARUS, name="new", task=task))
    assert (found.items, found.judgments, found.training) == (card.coverage.items, card.coverage.target, card.training)
    assert (found.controls > 0) == (card.control > 0) == (card.study.settings.page_controls > 0)


def test_what_is_written_is_neither_trained_nor_controlled_nor_scored_and_the_form_says_so(
    requesters: RequesterService,
) -> None:
    from annotate.pages.manage.form_drawing import draw_file, draw_plan
    from annotate.pages.manage.study_drawing import draw_study

    checks = checks_of(replace(PARUS, task="writing/history"))
    assert list(checks) == ["main"]
    assert "other people judge the texts" in draw_file(checks["main"], "main")
    plan_drawn = draw_plan(plan({"main": checks["main"].items}, checked_settings(SETTINGS)), currency="RUB")
    assert "no control items" in plan_drawn
    assert "no training items" in plan_drawn
    assert "no training · " in draw_study(requesters.create(replace(PARUS, task="writing/history")))


def test_an_exam_is_sat_as_a_whole_without_controls(requesters: RequesterService) -> None:
    from annotate.pages.manage.form_drawing import draw_plan
    from annotate.pages.manage.study_drawing import draw_invitation, draw_study

    settings = SETTINGS | {"sitting": True, "lease_minutes": 180}
    checks = checks_of(replace(PARUS, task="use"))
    counts = {role: check.items for role, check in checks.items()}
    found = plan(counts, checked_settings(settings), sittings=checks["main"].clusters)
    assert (checks["main"].clusters, found.sittings, found.workers, found.controls) == (1, 1, 5, 0)
    assert "none in a sitting" in draw_plan(found)
    card = requesters.create(replace(PARUS, task="use", settings=settings))
    assert (card.control, card.study.settings.sitting, card.study.settings.page_controls) == (0, True, 0)
    assert "one sitting each, kept 180 minutes after the last sign of life" in draw_study(card)
    assert "Invitation link" in draw_invitation(card, "http://x/join")
    imported = replace(card, study=replace(card.study, origin="imported"))
    assert not draw_invitation(imported, "http://x/join")


def test_two_variants_need_twice_the_sittings() -> None:
    found = planned(**NUMBERS | {"sittings": 2})
    assert (found.workers, found.judgments, found.controls, found.cost) == (10, 500, 0, 1000)


def test_only_items_that_belong_together_are_sat_in_one_go(requesters: RequesterService) -> None:
    assert get_task("use").cluster
    assert not get_task("rsg/parus").cluster
    with pytest.raises(BadSetting, match="One sitting: the items of rsg/parus are not parts of a whole"):
        requesters.create(replace(PARUS, settings=SETTINGS | {"sitting": True}))
    with pytest.raises(BadSetting, match="Minutes for a sitting: rsg/parus is no exam with points"):
        requesters.create(replace(PARUS, settings=SETTINGS | {"sitting_minutes": 30}))
    assert requesters.studies() == []
