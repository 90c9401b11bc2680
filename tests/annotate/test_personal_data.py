"""Everything that is kept about a person can be handed out, and the list it comes from is the one erasure goes by."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import SQLModel
from typer.testing import CliRunner, Result

from annotate.accounts.installation_secret import signer_of
from annotate.requesters.oversight import Oversight
from annotate.worker.service import Service
from app import cli
from db.engine import reading, writing
from db.erasure import RECORDS
from db.events import Cause, add_event
from db.settings import Settings
from db.studies import get_study
from db.tables import ENROLMENT, WORKER
from db.worker_summaries import worker_summaries
from tests.annotate.test_forgetting import PERSON, SAID, at_work, name_of, whole
from tests.helpers.collection import arrive, make_study

Run = Callable[..., Result]


@pytest.fixture
def run(database_url: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path / "home"))
    return lambda *words: CliRunner().invoke(cli, words, catch_exceptions=False)


@pytest.fixture
def service(run: Run, engine: Engine) -> Service:
    return Service(engine, signer_of(engine, Settings()))


def test_no_table_that_leads_to_a_person_is_missing_from_the_list() -> None:
    listed = {(record.table.name, record.link) for record in RECORDS}
    leading = {
        (table.name, column.name)
        for table in SQLModel.metadata.tables.values()
        for column in table.c
        if column.name in ("worker_id", "enrolment_id")
        or any(key.column.table in (WORKER, ENROLMENT) for key in column.foreign_keys)
    }
    assert leading == listed | {("enrolment", "worker_id")}


@pytest.mark.each_database
def test_the_export_of_a_person_has_all_that_the_database_knows(run: Run, service: Service, tmp_path: Path) -> None:
    make_study(service.database, price=2.0, consent="We are a lab.")
    _, browser = at_work(service)
    name = name_of(service)
    run("exclude", "colours", name, "--reason", f"{PERSON} wrote to us")
    browser.act("appeal", value={"text": f"I read every word: {SAID}"})
    run("answer-appeal", "colours", name, "--text", f"We looked again, {PERSON}.", "--restore")
    run("exclude", "colours", name, "--reason", "once more")
    assert run("payments", "colours", "--to", str(tmp_path / "owed.csv"), "--mark-paid").exit_code == 0
    before = whole(service.database)

    done = run("person", "colours", name)

    kept = json.loads(done.stdout)
    digest = service.signer.digest_of("PROLIFIC_PID", PERSON)
    assert all(trace in before and trace in done.stdout for trace in (name, digest, SAID, PERSON))
    assert (kept["study"], kept["worker"][0]["name"], kept["worker"][0]["external"]) == ("colours", name, f"x.{digest}")
    assert [(row["label"], row["status"], row["price"]) for row in kept["judgments"]] == [("red", "void", 2.0)] * 2
    assert {row["item"] for row in kept["judgments"]} < {f"main-{number}" for number in range(6)}
    assert [row["status"] for row in kept["assignments"]].count("skipped") == 1
    assert [(row["reason"], row["text"]) for row in kept["reports"]] == [("other", SAID)]
    assert [(row["text"], row["reply"]) for row in kept["appeals"]] == [
        (f"I read every word: {SAID}", f"We looked again, {PERSON}.")
    ]
    assert len(kept["arrivals"]) == 1
    happened = ["excluded", "appealed", "replied", "restored", "excluded", "paid"]
    assert sorted(event["kind"] for event in kept["events"]) == sorted(happened)
    assert kept["events"][-1]["details"] == {
        "total": 6.0,
        "currency": "RUB",
    }  # two answers and a report in place of one
    assert (kept["payment"]["worker"], kept["payment"]["total"]) == (name, 6.0)
    assert kept["enrolment"][0]["consented_at"] is not None
    assert kept["agreed_to"]["version"] == kept["enrolment"][0]["consent_version"]
    assert kept["agreed_to"]["text"] == "We are a lab."

    assert run("person", "colours", PERSON, "--id").stdout == done.stdout
    to = tmp_path / "person.json"
    run("person", "colours", name, "--to", str(to))
    assert json.loads(to.read_text("utf8")) == kept


def test_consent_that_was_changed_later_is_no_text_that_the_person_agreed_to(run: Run, service: Service) -> None:
    make_study(service.database, consent="First.")
    at_work(service)
    name = name_of(service)
    with reading(service.database) as session:
        (work,) = worker_summaries(session, study=get_study(session, name="colours"))
    Oversight(service.database).change("colours", {"consent": "Second."}, who="anna")
    kept = json.loads(run("person", "colours", name).stdout)
    assert kept["agreed_to"] is None
    (change,) = kept["consent_changes"]
    assert work.consent is not None
    assert change["versions"][0] == kept["enrolment"][0]["consent_version"] == work.consent.version


def test_other_workers_stay_out_of_the_export(run: Run, service: Service) -> None:
    study = make_study(service.database)
    at_work(service)
    name = name_of(service)
    arrive(service)
    other = next(line.work.name for line in Oversight(service.database).workers("colours") if line.work.name != name)
    with writing(service.database) as session:
        (key,) = [work.key for work in worker_summaries(session, study=study) if work.name == name]
        cause = Cause("rule", service.clock(), f"{name} answers as {other} does", "copying")
        add_event(session, study_id=study.id, worker_id=key, kind="rule", cause=cause, details={"with": other})
    done = run("person", "colours", name)
    assert other not in done.stdout
    (event,) = json.loads(done.stdout)["events"]
    assert event["reason"] == f"{name} answers as (another worker) does"
    assert event["details"] == {"with": "(another worker)"}


def test_nothing_is_exported_of_somebody_forgotten_or_unknown(run: Run, service: Service) -> None:
    make_study(service.database)
    at_work(service)
    name = name_of(service)
    run("forget", "colours", name)
    for words in ((name,), (PERSON, "--id")):
        refused = run("person", "colours", *words)
        assert (refused.exit_code, refused.stdout) == (2, "")
    left = run("person", "colours", name_of(service)).stdout
    assert [trace for trace in (name, SAID, PERSON) if trace in left] == []


@pytest.mark.each_database
def test_somebody_of_an_imported_log_is_exported_too(run: Run, service: Service, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("task,worker,label\na,1,yes\nb,1,no\na,2,yes\n")
    assert run("import-log", "votes", str(log)).exit_code == 0
    kept = json.loads(run("person", "votes", "1").stdout)
    assert [(row["item"], row["label"]) for row in kept["judgments"]] == [("a", "yes"), ("b", "no")]
    assert kept["enrolment"] == []
