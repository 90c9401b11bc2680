"""What is owed: pages paid once, void work apart, pay per active hour with its warning; file, command, table."""

import csv
import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from annotate.accounts.installation_secret import signer_of
from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer
from annotate.invitations import NotInvited, ids_in, owed_by_id
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.worker.stages import Act
from app import cli
from data.errors import BadSetting
from db.accounts import ensure_owner
from db.engine import Database, reading, writing
from db.events import list_events
from db.exports import ComputedFiles
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.payments import payments
from db.settings import Settings
from db.studies import get_study
from db.worker_summaries import WorkerSummary
from db.workers import named_workers
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

SIGNER = Signer("a secret for tests")


def test_a_page_is_paid_once_however_many_answers_it_has(engine: Database) -> None:
    study = make_study(engine, main=4, hourly_minimum=15.5)
    with writing(engine) as session:
        first, second, third, fourth = list_items(session, study=study, role="main")
        worker = named_workers(session, names=["w1"])["w1"]
        paged = [Judgment(item.key, worker, "red", page="p1", price=0.5, seconds=60) for item in (first, second)]
        single = Judgment(third.key, worker, "red", price=0.25, seconds=60)
        refused = Judgment(fourth.key, worker, "red", status="void", reason="REJECTED", page="p2", price=0.5)
        add_judgments(session, study=study, judgments=[*paged, single, refused])
    (line,) = Oversight(engine, Watch()).payments("colours").frame.to_dict("records")
    assert (line["worker"], line["status"], line["pay"], line["active_seconds"]) == ("w1", "imported", 0.75, 180)
    # 0.75 in three minutes is 15 an hour.
    assert (line["hourly_pay"], line["below_minimum"]) == (15.0, "yes")
    assert (line["answers"], line["void_answers"], line["void_pay"]) == (3, 1, 0.5)


def test_work_that_was_voided_is_paid_as_promised_and_training_is_time_without_pay(engine: Database) -> None:
    make_study(engine, main=4, training=1, overlap=1, page_controls=0, price=2, training_price=0)
    watch = Watch()
    person = arrive(make_service(engine, watch))
    for _ in range(2):
        view = person.look()
        watch.passes(seconds=60)
        person.answer(view, seconds=30)
    oversight = Oversight(engine, watch)
    (before,) = oversight.payments("colours").frame.to_dict("records")
    assert (before["pay"], before["hourly_pay"], before["below_minimum"]) == (4.0, 240.0, "")
    oversight.exclude("colours", before["worker"], who="anna", reason="clicked through")
    oversight.set_rules("colours", {}, 1, who="anna")
    (after,) = oversight.payments("colours").frame.to_dict("records")
    assert (after["status"], after["pay"], after["void_pay"], after["void_answers"]) == ("excluded", 4.0, 0.0, 2)
    assert (after["hourly_pay"], after["below_minimum"]) == (240.0, "no")


def test_the_median_is_over_workers_and_a_minimum_must_be_a_number() -> None:
    works = [
        WorkerSummary(key, f"w{key}", False, "active", answers=1, seconds=3600, pay=pay)
        for key, pay in enumerate((1, 5, 9))
    ]
    idle = WorkerSummary(9, "w9", False, "active")
    owed = payments([*works, idle], currency="RUB", minimum=6)
    assert (owed.total, owed.median_hourly, owed.below, owed.warned, len(owed.frame)) == (15.0, 5.0, 2, True, 3)
    assert str(owed) == "3 workers, 15.00 RUB in all, 5.00 per hour in the median; 2 below the minimum of 6.00 per hour"
    assert str(payments([idle], currency="RUB", minimum=None)).startswith("0 workers, 0.00 RUB in all; set a minimum")
    with pytest.raises(BadSetting, match="0 or more"):
        payments(works, currency="RUB", minimum=-1)


def test_payments_are_downloaded_by_who_is_signed_in(sqlite: Database) -> None:
    make_study(sqlite, main=2, price=1)
    person = arrive(make_service(sqlite, Watch()))
    person.answer(person.look())
    app = FastAPI()
    app.include_router(
        file_routes(RequesterService(sqlite, SIGNER, "https://etalon.example", Watch()), ComputedFiles(sqlite))
    )
    client = TestClient(app)
    assert client.get("/manage-files/colours/payments.csv").status_code == 401
    with writing(sqlite) as session:
        ensure_owner(session, "a password for tests")
    client.cookies.set(COOKIE, SIGNER.sign_in_cookie("owner"))
    (row,) = csv.DictReader(io.StringIO(client.get("/manage-files/colours/payments.csv").text))
    assert (row["pay"], row["currency"], row["answers"]) == ("1.0", "RUB", "1")
    assert client.get("/manage-files/nobody/payments.csv").status_code == 404
    assert client.get("/manage-files/colours/secrets.csv").status_code == 404


def test_payments_are_found_by_the_ids_that_a_platform_and_personal_links_have(engine: Database) -> None:
    study, watch = make_study(engine, main=3, price=2), Watch()
    service = make_service(engine, watch)
    signer, shared = service.signer, service.signer.invitation("colours")
    for key, given, answers in (
        (shared, {"PROLIFIC_PID": "5f1a"}, 2),
        (shared, {"workerId": "5f1a"}, 1),
        (signer.personal_key("colours", "Оля"), {}, 3),
        (shared, {}, 1),
    ):
        person = Person(service, "colours", service.invite("colours", key, given=given))
        cookie = service.act("colours", person.cookie, Act("consent")).cookie
        person = Person(service, "colours", cookie or person.cookie)
        service.act("colours", person.cookie, Act("begin"))
        for _ in range(answers):
            person.answer(person.look())
    owed = Oversight(engine, watch).payments("colours")
    with reading(engine) as session:
        found = owed_by_id(session, signer, study=study, owed=owed, ids=ids_in(" Оля \n5f1a\nnobody\nОля\n"))
    assert list(zip(found["id"], found["total"], strict=True)) == [("Оля", 6.0), ("5f1a", 6.0)]
    assert "5f1a" not in owed.frame.to_string()
    with pytest.raises(BadSetting, match="No id is given"):
        ids_in("\n \n")


def test_participants_of_prolific_come_and_return_by_its_links_and_get_their_bonus_by_its_file(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    rule: dict[str, Any] = {"bonus": 0.25, "bonus_after": 1, "bonus_accuracy": 0.5, "price": 1}
    make_study(sqlite, main=2, control=1, overlap=2, page_main=1, entry="prolific", completion_code="C0DE", **rule)
    service = make_service(sqlite, Watch(), signer_of(sqlite, Settings()))
    key = service.signer.invitation("colours")
    requesters = RequesterService(sqlite, service.signer, "http://x.example", Watch())
    link = requesters.invitation(requesters.study("colours"))
    given = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    assert link == f"http://x.example/join/colours/{key}{given}"

    with pytest.raises(NotInvited, match="platform's id"):
        service.act("colours", service.invite("colours", key, given={}), Act("consent"))
    for participant, label in (("60d9aa", "red"), ("5f1a00", "green")):
        came = service.invite("colours", key, given={"PROLIFIC_PID": participant})
        person = Person(service, "colours", service.act("colours", came, Act("consent")).cookie or came)
        service.act("colours", person.cookie, Act("begin"))
        assert len(list(person.work(label))) == 3
        completion = person.look().completion
        assert completion
        assert completion.url == "https://app.prolific.com/submissions/complete?cc=C0DE"
    (tmp_path / "ids.txt").write_text("5f1a00\n60d9aa\nunknown\n", "utf8")
    words = ["payments", "colours", "--prolific", "--to", str(tmp_path / "bonuses.csv")]
    assert CliRunner().invoke(cli, words).exit_code == 2, "without ids nobody can be paid"
    done = CliRunner().invoke(cli, [*words, "--ids", str(tmp_path / "ids.txt")], catch_exceptions=False)
    assert "bonuses.csv: 1 bonus" in done.stderr
    assert (tmp_path / "bonuses.csv").read_text("utf8") == "60d9aa,0.50\n"


def test_the_commands_pay_exclude_restore_and_list(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study(sqlite, main=2, price=1)
    person = arrive(make_service(sqlite, Watch()))
    person.answer(person.look())
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    worker = Oversight(sqlite).workers("colours")[0].work.name

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return done.stdout + done.stderr

    assert "1 worker, 1.00 RUB" in run("payments", "colours", "--to", str(tmp_path / "p.csv"))
    assert (tmp_path / "p.csv").read_text("utf8").startswith("worker,status,simulated,answers,")
    (tmp_path / "ids.txt").write_text("nobody\n", "utf8")
    told = run("payments", "colours", "--to", str(tmp_path / "p.csv"), "--ids", str(tmp_path / "ids.txt"))
    assert "0 of 1 ids are owed something; the study owes 1" in told
    assert "is excluded" in run("exclude", "colours", worker, "--reason", "clicked through")
    assert "nothing has changed" in run("exclude", "colours", worker, "--reason", "clicked through")
    assert "is back" in run("restore", "colours", worker, "--reason", "a mistake")
    listed = run("events", "colours")
    assert "clicked through" in listed
    assert "command line" in listed
    assert '"kind": "restored"' in run("events", "colours", "--json")
    Oversight(sqlite, Watch()).change("colours", {"max_items": 7, "contact": "lab@example.org"}, who="anna")
    assert "Maximum answers per worker: none → 7; Contact for workers: none → lab@example.org" in run(
        "events", "colours"
    )


def test_a_study_is_paused_closed_and_opened_and_each_is_an_event(engine: Database) -> None:
    make_study(engine, main=2)
    watch = Watch()
    requesters = RequesterService(engine, SIGNER, "https://etalon.example", watch)
    assert requesters.set_status("colours", "paused", who="anna").study.status == "paused"
    requesters.set_status("colours", "paused", who="boris")
    watch.passes(hours=1)
    assert requesters.set_status("colours", "closed", who="anna").study.status == "closed"
    assert requesters.set_status("colours", "open", who="anna").study.status == "open"
    with reading(engine) as session:
        found = list_events(session, study=get_study(session, name="colours"))
    assert [(event.kind, event.who) for event in found] == [("opened", "anna"), ("closed", "anna"), ("paused", "anna")]
    assert found[0].at - found[2].at == timedelta(hours=1)
