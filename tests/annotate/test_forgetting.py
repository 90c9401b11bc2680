"""Forgetting a person: nothing in the database leads to them any more, and the answers stay or go as was chosen."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, MetaData, text
from typer.testing import CliRunner, Result

from annotate.accounts.installation_secret import signer_of
from annotate.requesters.oversight import Oversight
from annotate.worker.service import Service
from app import cli
from db.engine import Database, reading
from db.events import list_events
from db.settings import Settings
from db.studies import get_study
from tests.helpers.browsing import Browser, application, invited, token
from tests.helpers.collection import back_to, make_study
from tests.helpers.processes import command, ended

PERSON, OTHER = "60d5ec49f2a1b3c4d5e6f708", "an id of somebody else"
SAID = "call me on +7 999 123-45-67"
Run = Callable[..., Result]


@pytest.fixture
def run(database_url: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path / "home"))
    return lambda *words: CliRunner().invoke(cli, words, catch_exceptions=False)


@pytest.fixture
def service(run: Run, engine: Engine) -> Service:
    return Service(engine, signer_of(engine, Settings()))


def whole(database: Database) -> str:
    """Everything the database holds, as text."""
    known = MetaData()
    known.reflect(database)
    with database.connect() as connection:
        return "\n".join(
            repr(tuple(row)) for table in known.sorted_tables for row in connection.execute(table.select())
        )


def page(service: Service) -> TestClient:
    return TestClient(application(service), base_url="https://testserver", follow_redirects=False)


def at_work(
    service: Service, *, study: str = "colours", person: str = PERSON, said: str = SAID
) -> tuple[TestClient, Browser]:
    """A person whom a platform sent, who has answered two items and reported a third."""
    client = page(service)
    with reading(service.database) as session:
        browser = invited(service, client, get_study(session, name=study), f"?PROLIFIC_PID={person}")
    reply = browser.enter()
    for _ in range(2):
        reply = browser.answer(reply)
    browser.act("report", token=token(reply), value={"reason": "other", "text": said})
    return client, browser


def name_of(service: Service, study: str = "colours") -> str:
    lines = Oversight(service.database).workers(study)
    assert len(lines) == 1
    return lines[0].work.name


@pytest.mark.each_database
def test_nothing_leads_to_a_forgotten_person_and_the_answers_stay_under_a_new_pseudonym(
    run: Run, service: Service
) -> None:
    make_study(service.database)
    _, browser = at_work(service)
    name = name_of(service)
    assert run("exclude", "colours", name, "--reason", f"{PERSON} wrote to us").exit_code == 0
    browser.act("appeal", value={"text": f"I read every word: {SAID}"})
    assert run("answer-appeal", "colours", name, "--text", f"We looked again, {PERSON}.", "--restore").exit_code == 0
    digests = [service.signer.digest_of("PROLIFIC_PID", PERSON), service.signer.digest_of("worker", PERSON)]
    before = whole(service.database)
    assert all(trace in before for trace in (name, digests[0], SAID, PERSON))

    done = run("forget", "colours", PERSON, "--id")

    assert done.exit_code == 0, done.stderr
    assert "2 answers stay as w-" in done.stderr
    after = whole(service.database)
    assert [trace for trace in (name, *digests, SAID, PERSON) if trace in after] == []
    lines = Oversight(service.database).workers("colours")
    assert [(line.work.status, line.work.answers, line.work.counted) for line in lines] == [("forgotten", 2, 2)]
    assert browser.state().status_code in (401, 403)
    with reading(service.database) as session:
        event = list_events(session, study=get_study(session, name="colours"))[0]
    assert (event.kind, event.who, event.worker) == ("forgotten", "command line", lines[0].work.name)
    assert event.details == {"answers": 2, "kept": True, "earned": 0.0}


def bytes_of(database: Database) -> bytes:
    """Every byte of the files in which a database keeps its rows.

    Those of SQLite are read by another process: whoever closes one of them gives up all locks of its process on it.
    """
    if database.dialect.name == "sqlite":
        kept = Path(str(database.url.database))
        files = sorted(kept.parent.glob(f"{kept.name}*"))
        return subprocess.run(["cat", *files], capture_output=True, check=True).stdout
    with database.connect() as connection:
        connection.execute(text("CHECKPOINT"))
        folder, key = connection.execute(
            text("SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()")
        ).one()
    return b"".join(file.read_bytes() for file in Path(folder, "base", str(key)).iterdir() if file.is_file())


def crowd(service: Service, number: int) -> None:
    """People come and report, so that rows of many stand beside each other and pages are split."""
    for person in range(number):
        at_work(service, person=f"somebody else {person:04}", said="nothing " * (40 * person))


def traces(service: Service, browser: Browser, name: str, run: Run) -> list[bytes]:
    """Leave everything of a person that a database can hold, and return the words that lead to them."""
    run("exclude", "colours", name, "--reason", f"{PERSON} wrote to us")
    browser.act("appeal", value={"text": f"I read every word: {SAID}"})
    run("answer-appeal", "colours", name, "--text", f"We looked again, {PERSON}.", "--restore")
    digests = [service.signer.digest_of(parameter, PERSON) for parameter in ("PROLIFIC_PID", "worker")]
    return [word.encode() for word in (name, digests[0], SAID, PERSON)]


@pytest.mark.each_database
@pytest.mark.parametrize("kept", [True, False])
def test_no_byte_of_the_databases_files_leads_to_a_forgotten_person(
    run: Run, service: Service, tmp_path: Path, kept: bool
) -> None:
    make_study(service.database, main=40)
    crowd(service, 6)
    _, browser = at_work(service)
    names = {line.work.name for line in Oversight(service.database).workers("colours")}
    words = traces(service, browser, max(names, key=order_of(service)), run)
    crowd(service, 3)
    assert [word for word in words if word not in bytes_of(service.database)] == []

    choice = () if kept else ("--erase-answers",)
    done = ended(command, "forget", "colours", PERSON, "--id", *choice, printed=tmp_path / "printed.txt")

    assert (done.code, "still hold" in done.printed) == (0, False), done.printed
    assert [word for word in words if word in bytes_of(service.database)] == [], "while a server has it open"
    at_work(service, person="who comes after it", said="all is well")
    assert [word for word in words if word in bytes_of(service.database)] == []
    service.database.dispose()
    assert [word for word in words if word in bytes_of(service.database)] == [], "after it"


def order_of(service: Service) -> Callable[[str], int]:
    """Return a function that says when somebody of a name came."""
    came = [line.work.name for line in Oversight(service.database).workers("colours")]
    return came.index


@pytest.mark.each_database
def test_where_somebody_reads_on_and_on_it_is_said_what_remains_to_be_done(
    run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.erasure.ATTEMPTS", 1)
    make_study(service.database)
    _, browser = at_work(service)
    words = traces(service, browser, name_of(service), run)
    with reading(service.database) as session:
        session.execute(text("SELECT count(*) FROM report")).all()
        done = run("forget", "colours", PERSON, "--id")
    assert done.exit_code == 0
    assert "files still hold what was erased" in done.stderr
    assert any(word in bytes_of(service.database) for word in words)
    asked = {"sqlite": "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", "postgresql": "VACUUM FULL"}
    statement = asked[service.database.dialect.name]
    assert f"Run {statement} when" in done.stderr
    with service.database.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for part in statement.split("; "):
            connection.connection.driver_connection.execute(part)  # type: ignore[union-attr]
    assert [word for word in words if word in bytes_of(service.database)] == []


@pytest.mark.each_database
def test_the_answers_go_too_where_that_was_chosen_and_their_items_are_open_again(run: Run, service: Service) -> None:
    make_study(service.database, main=4)
    at_work(service)
    done = run("forget", "colours", name_of(service), "--erase-answers")
    assert "2 answers are erased" in done.stderr
    with service.database.connect() as connection:
        counts = [
            connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar()
            for table in ("judgment", "assignment", "report")
        ]
        places = connection.exec_driver_sql("SELECT filled, held, free FROM item WHERE role = 'main'").all()
    assert counts == [0, 0, 0]
    assert [tuple(place) for place in places] == [(0, 0, 3)] * 4


def test_the_return_link_of_a_forgotten_person_opens_nothing_and_nobody_gets_their_place(
    run: Run, service: Service
) -> None:
    study = make_study(service.database)
    client = page(service)
    browser = invited(service, client, study)
    browser.answer(browser.enter())
    link = f"/join/colours/{back_to(service, 1)}"
    run("forget", "colours", name_of(service), "--erase-answers")
    _, newcomer = at_work(service, person=OTHER)
    device = page(service)
    device.get(link)
    assert Browser(device, "colours").state().status_code in (401, 403)
    assert browser.state().status_code in (401, 403)
    assert newcomer.state().status_code == 200


def test_what_a_person_does_in_another_study_is_left_alone(run: Run, service: Service) -> None:
    make_study(service.database)
    make_study(service.database, name="shades")
    at_work(service)
    _, elsewhere = at_work(service, study="shades")
    name = name_of(service)
    assert run("forget", "colours", name).exit_code == 0
    assert name_of(service, "shades") == name
    assert elsewhere.state().json()["stage"] == "work"
    assert name_of(service) != name


def test_an_unknown_worker_or_id_gets_one_sentence(run: Run, service: Service) -> None:
    make_study(service.database)
    at_work(service)
    for words, sentence in ((("w-00000000",), "w-00000000"), (("nobody", "--id"), "nobody came to the study")):
        refused = run("forget", "colours", *words)
        assert refused.exit_code == 2
        assert sentence in refused.stderr


def test_somebody_of_an_imported_log_is_forgotten_and_numbers_in_events_stay_as_they_are(
    run: Run, service: Service, tmp_path: Any
) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        "task,worker,label\n"
        + "".join(f"{item},{worker},{label}\n" for item, label in (("a", "yes"), ("b", "no")) for worker in (1, 2))
    )
    assert run("import-log", "votes", str(log)).exit_code == 0
    assert run("forget", "votes", "1").exit_code == 0
    names = {line.work.name for line in Oversight(service.database).workers("votes")}
    assert "1" not in names
    assert "2" in names
    assert len(names) == 2
