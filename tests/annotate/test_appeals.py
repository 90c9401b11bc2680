"""Who is stopped reads why, what is owed and whom to ask; what they write reaches a person, and the answer them."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from annotate.accounts.signer import Signer
from annotate.pages.manage.study_drawing import draw_studies
from annotate.pages.manage.workers_tab import AppealsTab
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.worker.completion import A_DAY
from annotate.worker.service import Service
from app import cli
from data.errors import BadSetting, UnknownName
from data.limits import LONGEST_MESSAGE
from data.wording import FALLBACK, Counted, languages, texts
from db.engine import Database
from db.exports import FileRequest
from db.studies import Study
from eval.workers.fast import FastRule
from eval.workers.table import RULES
from tests.helpers.browsing import Browser, Reply, application, invited
from tests.helpers.collection import Watch, make_service, make_study, status_of
from tests.helpers.components import built

WHY = "clicked through"
STUDY: dict[str, Any] = {"price": 4.0, "page_main": 3, "page_controls": 1, "control": 4, "main": 12}
CONTROL = {"control": {"minimum": 1, "doubt": 0.5, "window": 5}}
FAST = {"fast": {"action": "exclude", "seconds": 3, "at_least": 3, "window": 5}}
TELLTALE = ("провероч", "контрол", "control", "check question", "известен", "known")


@pytest.fixture
def service(sqlite: Database, watch: Watch) -> Service:
    return make_service(sqlite, watch)


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as opened:
        yield opened


@pytest.fixture
def requesters(sqlite: Database, watch: Watch) -> RequesterService:
    return RequesterService(sqlite, Signer("a secret for tests"), "https://etalon.example", watch)


def words(reply: Reply) -> str:
    """Return what a screen says, without its marks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", reply.json()["html"])).replace("\xa0", " ").split())


def stopped(
    service: Service, client: TestClient, study: Study, requesters: RequesterService, *, query: str = "?lang=en"
) -> tuple[Browser, str]:
    """Return the browser of somebody whom a person has stopped after three answers, and the worker's name."""
    watch = service.clock
    assert isinstance(watch, Watch)
    browser = invited(service, client, study, query)
    reply = browser.enter()
    for _ in range(3):
        watch.passes(seconds=60)
        reply = browser.answer(reply)
    worker = requesters.oversight.workers(study.name)[0].work.name
    requesters.oversight.exclude(study.name, worker, who="anna", reason=WHY)
    return browser, worker


def appeal(browser: Browser, text: object = "I was careful.") -> Reply:
    return browser.act("appeal", value={"text": text})


@pytest.mark.parametrize("language", FALLBACK)
@pytest.mark.parametrize(("rules", "label", "why"), [(CONTROL, "green", "instruction"), (FAST, "red", "speed")])
def test_who_is_stopped_reads_the_rule_what_is_owed_a_code_and_whom_to_ask(
    sqlite: Database,
    service: Service,
    client: TestClient,
    watch: Watch,
    rules: Any,
    label: str,
    why: str,
    language: Any,
) -> None:
    told = {"contact": "lab@example.org", "completion_code": "WHOLE", "partial_code": "PART-7"}
    study = make_study(sqlite, **STUDY | told, quality=rules)
    browser = invited(service, client, study, f"?lang={language}")
    reply = browser.enter()
    for _ in range(8):
        watch.passes(seconds=60)
        if reply.json()["stage"] != "work":
            break
        reply = browser.answer(reply, label)
    assert reply.json()["stage"] == "stopped"
    said, known = words(reply), texts(language)["stopped"]
    assert known[why] in said
    assert known["by_rule"] in said
    assert "PART-7" in said
    assert "WHOLE" not in said
    assert "lab@example.org" in said
    (line,) = Oversight(sqlite, watch).workers("colours")
    assert line.work.name in said
    assert {"ru": f"{line.work.pay:.2f} ₽".replace(".", ","), "en": f"₽{line.work.pay:.2f}"}[language] in said
    assert [one for one in TELLTALE if one in said.lower()] == []


def test_controls_disagreement_and_traps_are_told_in_the_same_words() -> None:
    stopped = {rule.key: rule.stopped_text for rule in RULES.values()}
    assert stopped["control"] == stopped["disagreement"] == stopped["trap"]
    for language in languages():
        lacking = [code for code in stopped.values() if code not in texts(language)["stopped"]]
        assert lacking == [], f"write it under [stopped] in screens.toml, {language} or what it falls back to"


def test_who_is_stopped_by_a_rule_without_a_text_reads_that_of_people(
    sqlite: Database, service: Service, client: TestClient, monkeypatch: pytest.MonkeyPatch, watch: Watch
) -> None:
    monkeypatch.setattr(FastRule, "stopped_text", "nobody wrote this")
    browser = invited(service, client, make_study(sqlite, **STUDY, quality=FAST), "?lang=en")
    reply = browser.enter()
    for _ in range(8):
        watch.passes(seconds=60)
        if reply.json()["stage"] != "work":
            break
        reply = browser.answer(reply, "red")
    assert reply.json()["stage"] == "stopped"
    assert texts("en")["stopped"]["people"] in words(reply)


def test_a_code_for_a_part_goes_where_the_platform_wants_it(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    urls = {
        "https://work.example/done?cc={code}&w={worker}": "https://work.example/done?cc=PART&amp;w={worker}",
        "https://work.example/done?cc=WHOLE": "https://work.example/done?cc=PART",
        "https://work.example/done": None,  # it would say that all was done
    }
    for number, (given, expected) in enumerate(urls.items()):
        code = {"completion_code": "WHOLE", "partial_code": "PART", "completion_url": given}
        study = make_study(sqlite, name=f"colours-{number}", **STUDY | code)
        browser, worker = stopped(service, client, study, requesters)
        page = browser.state().json()["html"]
        found = re.findall(r'href="([^"]*)"', page)
        assert found == ([] if expected is None else [expected.replace("{worker}", worker)])
        assert ">PART<" in page
    bare = make_study(sqlite, name="bare", **STUDY, completion_code="WHOLE")
    browser, _ = stopped(service, client, bare, requesters)
    page = browser.state().json()["html"]
    assert "WHOLE" not in page, "nobody who was stopped has done all of it"
    assert re.search(r"<output class=\"code\"[^>]*>w-\w{8}<", page), "what is owed has a code all the same"


def test_an_appeal_reaches_a_person_and_the_answer_its_worker(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters)
    said = words(appeal(browser, "I was <b>careful</b>."))
    assert "I was <b>careful</b>." in said
    assert texts("en")["appeal"]["waits"] in said
    assert "<b>careful" not in browser.state().json()["html"]
    assert "<form data-appeal" not in browser.state().json()["html"], "one at a time"
    appeal(browser, "And another one.")
    (one,) = requesters.oversight.appeals("colours")
    assert (one.worker, one.text, one.reply, one.replied_at) == (worker, "I was <b>careful</b>.", "", None)
    assert next(one.what for one in requesters.study("colours").waits) == "1 appeal to answer"
    assert "1 appeal" in draw_studies(requesters.studies())
    (line,) = requesters.oversight.workers("colours")
    assert line.appealed
    assert requesters.oversight.answer_appeal("colours", worker, "We looked again: it stays.", who="anna")
    assert "We looked again: it stays." in words(browser.state())
    assert "appeal" not in str(requesters.study("colours").waits)
    assert not requesters.oversight.answer_appeal("colours", worker, "Twice.", who="boris"), "it is answered"
    kinds = [(event.kind, event.worker) for event in requesters.oversight.events("colours")]
    assert kinds == [("replied", worker), ("appealed", worker), ("excluded", worker)]
    rows = FileRequest(requesters.exports, "colours", "appeals", "csv").made(requesters.database).content.decode()
    assert rows.startswith("worker,text,sent_at,reply,who,replied_at")
    assert "We looked again" in rows


def test_who_is_taken_back_by_an_answer_goes_on_and_reads_it_once(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters)
    appeal(browser)
    assert requesters.oversight.answer_appeal("colours", worker, "You are right.", who="anna", restore=True)
    assert status_of(requesters.oversight, "colours", worker) == "active"
    first = browser.state().json()
    assert (first["stage"], first["note"]) == ("work", texts("en")["appeal"]["answered"].format(text="You are right."))
    assert "note" not in browser.state().json()
    kinds = [event.kind for event in requesters.oversight.events("colours")]
    assert kinds[:2] == ["replied", "restored"]


def test_who_is_taken_back_without_an_answer_reads_that_until_the_next_answer(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters)
    assert "note" not in browser.state().json()
    requesters.oversight.restore("colours", worker, who="anna", reason="a mistake of ours")
    back = browser.state()
    assert (back.json()["stage"], back.json()["note"]) == ("work", texts("en")["appeal"]["lifted"])
    browser.answer(back)
    assert "note" not in browser.state().json()


def test_appeals_have_a_length_a_number_a_day_and_any_worker_may_write(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService, watch: Watch
) -> None:
    working = invited(service, client, make_study(sqlite, name="other", **STUDY), "?lang=en&worker=2")
    working.enter()
    assert appeal(working).json()["stage"] == "work"
    assert [one.text for one in requesters.oversight.appeals("other")] == ["I was careful."]
    client.cookies.clear()
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters, query="?lang=en&worker=1")
    for text in ("", "  \n", None, 7, ["x"], "x" * (LONGEST_MESSAGE + 1), "nul\0", "\ud800"):
        reply = browser.raw(f'{{"kind": "appeal", "value": {{"text": {_json(text)}}}}}'.encode())
        assert reply.status_code in (400, 422), text
    assert browser.act("appeal", value="not an object").status_code == 422
    for number in range(A_DAY):
        assert appeal(browser, f"number {number}").status_code == 200
        requesters.oversight.answer_appeal("colours", worker, "No.", who="anna")
    often = words(browser.state())
    assert "<form data-appeal" not in browser.state().json()["html"]
    assert texts("en")["appeal"]["often"].format(limit=Counted(A_DAY)) in often
    assert appeal(browser, "once more").status_code == 422
    watch.passes(hours=25)
    assert appeal(browser, "the next day").status_code == 200
    assert len(requesters.oversight.appeals("colours")) == A_DAY + 1


def test_who_waits_for_a_look_may_write_too(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    rule = {"fast": {"action": "pause", "seconds": 3, "at_least": 3, "window": 5}}
    study = make_study(sqlite, **STUDY, quality=rule, contact="lab@example.org")
    browser = invited(service, client, study, "?lang=en")
    reply = browser.enter()
    while reply.json()["stage"] == "work":
        reply = browser.answer(reply)
    assert reply.json()["stage"] == "on_hold"
    assert "lab@example.org" in words(reply)
    appeal(browser, "I read fast.")
    (one,) = requesters.oversight.appeals("colours")
    assert requesters.oversight.answer_appeal("colours", one.worker, "Fine.", who="anna", restore=True)
    assert browser.state().json()["stage"] == "work"


def test_the_tab_lists_the_record_beside_the_appeal_and_answers_it(
    sqlite: Database, service: Service, client: TestClient, requesters: RequesterService
) -> None:
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters)
    appeal(browser)
    page = built(lambda: AppealsTab(requesters, gr.State(None)))
    asked, updates = type("Request", (), {"username": "anna"})(), page.show("colours")
    drawn = updates[page.table]
    assert "I was careful." in drawn
    assert "12.00" in drawn, "three answers at 4"
    assert WHY in drawn
    assert updates[page.worker]["choices"] == [worker]
    with pytest.raises(Exception, match="1 to 1000 characters"):
        page.answer("colours", worker, " ", False, asked)
    assert "It stays." in page.answer("colours", worker, "It stays.", False, asked)[page.table]
    with pytest.raises(UnknownName):
        requesters.oversight.answer_appeal("colours", "w-nobody", "It stays.", who="anna")
    with pytest.raises(BadSetting, match="1 to 1000 characters"):
        requesters.oversight.answer_appeal("colours", worker, "x" * 1001, who="anna")


def test_the_commands_list_appeals_and_answer_them(
    sqlite: Database,
    service: Service,
    client: TestClient,
    requesters: RequesterService,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study(sqlite, **STUDY)
    browser, worker = stopped(service, client, study, requesters)
    appeal(browser)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")

    def run(*given: str) -> str:
        done = CliRunner().invoke(cli, given, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return done.stdout + done.stderr

    assert "I was careful." in run("appeals", "colours")
    assert '"reply": ""' in run("appeals", "colours", "--json")
    told = run("answer-appeal", "colours", worker, "--text", "Sorry.", "--restore")
    assert "is answered and back" in told
    assert "has no appeal open" in run("answer-appeal", "colours", worker, "--text", "Sorry.")
    assert browser.state().json()["stage"] == "work"


def _json(text: object) -> str:
    if isinstance(text, str):
        return '"' + "".join(f"\\u{ord(sign):04x}" for sign in text) + '"'
    return json.dumps(text)
