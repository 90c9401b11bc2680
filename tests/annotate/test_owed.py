"""What was earned stays earned: whatever is done about a worker, no screen and no list of payments shows less."""

import csv
import io
import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from annotate.accounts.login import COOKIE
from annotate.accounts.signer import Signer
from annotate.invitations import owed_by_id
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.worker.service import Service
from annotate.worker.stages import Act
from app import cli
from data.errors import BadSetting
from db.accounts import ensure_owner
from db.engine import Database, reading, upgrade, writing
from db.exports import ComputedFiles
from db.frames import judgments
from db.payments import pay
from db.worker_summaries import worker_summaries
from tests.helpers.browsing import application, invited
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

WHY = "clicked through"
PAID = {"price": 4.0, "page_main": 3, "page_controls": 1, "control": 4, "main": 9, "overlap": 2}


def sent(service: Service, person: Person, number: int) -> None:
    """Answer so many items, a minute each."""
    watch = service.clock
    assert isinstance(watch, Watch)
    for _ in range(number):
        view = person.look()
        watch.passes(seconds=60)
        person.answer(view, seconds=60)


def shown(reply: dict[str, str]) -> tuple[str, str]:
    """Return the sum and the number of answers that a screen shows."""
    figures = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", reply["html"]))
    bar = re.search(r'figures earned">([^<]*)<', reply["html"])
    return str(figures.get("Earned", bar[1] if bar else "")), str(figures.get("Answers sent", ""))


def owed(database: Database, watch: Watch) -> dict[str, str]:
    """Return the one line of the payments as the browser of a manager gets them."""
    with writing(database) as session:
        ensure_owner(session, "a password for tests")
    signer = Signer("a secret for tests")
    app = FastAPI()
    app.include_router(
        file_routes(RequesterService(database, signer, "https://etalon.example", watch), ComputedFiles(database))
    )
    client = TestClient(app, cookies={COOKIE: signer.sign_in_cookie("owner")})
    (row,) = csv.DictReader(io.StringIO(client.get("/manage-files/colours/payments.csv").text))
    return row


def test_no_sum_falls_when_a_worker_is_stopped_taken_back_and_stopped_again(
    engine: Database, service: Service, watch: Watch
) -> None:
    study = make_study(engine, **PAID)  # type: ignore[arg-type]
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as client:
        browser = invited(service, client, study, "?lang=en&worker=5f1a")
        reply = browser.enter()
        for _ in range(7):
            watch.passes(seconds=60)
            reply = browser.answer(reply)
        assert shown(reply.json())[0] == "₽28.00"
        held, oversight = reply, Oversight(engine, watch)
        worker = owed(engine, watch)["worker"]
        for act in (oversight.exclude, oversight.restore, oversight.exclude):
            act("colours", worker, who="anna", reason=WHY)
            assert shown(browser.state().json())[0] == "₽28.00", act.__name__
            line = owed(engine, watch)
            assert (line["pay"], line["total"], line["void_pay"]) == ("28.0", "28.0", "0.0"), act.__name__
        # What comes after the stop and after its time is kept, and was never acknowledged as counted.
        watch.passes(minutes=16)
        late = browser.answer(held).json()
        assert (late["stage"], late["left"]) == ("stopped", "stopped")
        assert shown(late) == ("₽28.00", "7")
        oversight.restore("colours", worker, who="anna", reason=WHY)
        assert shown(browser.state().json())[0] == "₽32.00", "taken back: it counts after all"
    with reading(engine) as session:
        found = owed_by_id(session, service.signer, study=study, owed=oversight.payments("colours"), ids=["5f1a"])
    assert list(found["total"]) == [32.0]


def test_a_rule_that_stops_somebody_takes_nothing_back(engine: Database, service: Service, watch: Watch) -> None:
    rule = {"control": {"minimum": 1, "doubt": 0.5, "window": 5}}
    make_study(engine, **PAID, quality=rule)  # type: ignore[arg-type]
    person = arrive(service)
    seen = [0.0]
    view = person.look()
    while view.stage == "work":
        watch.passes(seconds=60)
        view = person.answer(view, "green", seconds=60)
        assert view.earnings is not None
        seen.append(view.earnings.earned)
    assert view.stage == "stopped"
    assert seen == [4.0 * number for number in range(len(seen))]
    line = owed(engine, watch)
    # Seven answers at most to the first control, a minute each at 4: 240 an hour, void or not.
    assert (float(line["pay"]), line["hourly_pay"], line["status"]) == (seen[-1], "240.0", "excluded")


def test_the_command_and_the_table_say_the_same(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch()
    make_study(sqlite, **PAID)  # type: ignore[arg-type]
    service = make_service(sqlite, watch)
    sent(service, arrive(service), 5)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    (line,) = Oversight(sqlite, watch).workers("colours")
    CliRunner().invoke(cli, ["exclude", "colours", line.work.name, "--reason", WHY], catch_exceptions=False)
    file = tmp_path / "p.csv"
    done = CliRunner().invoke(cli, ["payments", "colours", "--to", str(file)], catch_exceptions=False)
    assert "1 worker, 20.00 RUB in all, 240.00 per hour in the median" in done.stdout + done.stderr
    (row,) = csv.DictReader(io.StringIO(file.read_text("utf8")))
    assert (row["pay"], row["total"]) == ("20.0", "20.0")
    (after,) = Oversight(sqlite, watch).workers("colours")
    assert (after.work.pay, after.hourly, after.work.status) == (20.0, 240.0, "excluded")


def test_an_exam_that_ran_out_is_paid_and_paid_once_when_it_goes_on(engine: Database, watch: Watch) -> None:
    make_study(engine, main=6, overlap=2, sitting=True, price=4.0, lease_minutes=10, page_controls=0)
    service = make_service(engine, watch)
    gone = arrive(service)
    sent(service, gone, 2)
    watch.passes(minutes=11)
    arrive(service).look()  # somebody's request gives back what ran out
    assert owed(engine, watch)["pay"] == "8.0"
    view = gone.look()
    assert view.earnings is not None
    assert (view.stage, view.earnings.earned, view.earnings.answers) == ("work", 8.0, 2)
    sent(service, gone, 4)
    assert owed(engine, watch)["pay"] == "24.0"


def test_where_consent_said_so_the_researchers_decide_and_the_sum_still_stands(
    engine: Database, service: Service, watch: Watch
) -> None:
    make_study(engine, **PAID, pay_after_exclusion="decide")  # type: ignore[arg-type]
    person = arrive(service)
    sent(service, person, 4)
    line = owed(engine, watch)
    Oversight(engine, watch).exclude("colours", line["worker"], who="anna", reason=WHY)
    view = person.look()
    assert view.earnings is not None
    assert view.earnings.earned == 16.0
    after = owed(engine, watch)
    # One of four is a control, which stays; the three others are for the requester to decide.
    assert (after["pay"], after["void_pay"], after["total"]) == ("4.0", "12.0", "4.0")


def test_an_answer_taken_back_is_paid_when_it_is_given_anew_and_costs_the_study_no_more(sqlite: Database) -> None:
    watch = Watch()
    study = make_study(sqlite, **PAID)  # type: ignore[arg-type]
    service = make_service(sqlite, watch)
    person = arrive(service)
    sent(service, person, 2)
    back = service.act("colours", person.cookie, Act("undo", token=person.look().token))
    assert back.earnings is not None
    assert (back.earnings.earned, back.earnings.answers) == (4.0, 1)
    sent(service, person, 1)
    assert owed(sqlite, watch)["pay"] == "8.0"
    with reading(sqlite) as session:
        spent = pay(judgments(session, study=study), study.settings)
        (work,) = worker_summaries(session, study=study)
    assert spent["total"] == 8.0
    assert (work.answers, work.void, work.void_pay) == (2, 0, 0)


def test_a_promise_may_not_become_less_once_somebody_has_agreed(sqlite: Database) -> None:
    make_study(sqlite, price=4.0, training_price=1.0, training=1)
    changing, less = (
        Oversight(sqlite, Watch()),
        {"price": 3.0, "training_price": 0.5, "pay_after_exclusion": "decide"},
    )
    for name, value in less.items():
        changing.change("colours", {name: value}, who="anna")
    changing.change("colours", {"price": 4.0, "training_price": 1.0, "pay_after_exclusion": "owed"}, who="anna")
    arrive(make_service(sqlite), ready=False).enter()
    for name, value in less.items():
        with pytest.raises(BadSetting, match=r"workers who have already agreed|agreed to be paid for every answer"):
            changing.change("colours", {name: value}, who="anna")
    changing.change("colours", {"price": 5.0}, who="anna")
    assert changing.settings("colours")["price"] == 5.0


def test_a_database_of_before_gives_back_what_exclusions_took(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, **PAID)  # type: ignore[arg-type]
    person = arrive(service)
    sent(service, person, 4)
    (line,) = Oversight(engine, watch).workers("colours")
    Oversight(engine, watch).exclude("colours", line.work.name, who="anna", reason=WHY)
    with engine.begin() as connection:  # as it stood before: three answers to main items were taken away
        connection.exec_driver_sql("UPDATE enrolment SET answers = 1, seconds = 60, earned = 4")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0009'")
    upgrade(engine, "0010")
    view = person.look()
    assert view.earnings is not None
    assert (view.earnings.answers, view.earnings.seconds, view.earnings.earned) == (4, 240.0, 16.0)
    assert owed(engine, watch)["pay"] == "16.0"
