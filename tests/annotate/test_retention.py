"""People of a study with a retention period are erased on time, once everybody is paid, and their answers stay."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from annotate.accounts.installation_secret import signer_of
from annotate.consent import asked_in
from annotate.requesters.oversight import Oversight, erase_people
from annotate.worker.service import Service
from app import cli
from data.errors import BadSetting
from db.engine import Database, open_database, reading, writing
from db.erasure import LIST
from db.events import Cause
from db.payments import mark_paid, owed, unpaid
from db.retention import expiring
from db.settings import Settings
from db.statuses import StudyStatus
from db.studies import get_study
from tests.annotate.test_forgetting import at_work, whole
from tests.helpers.collection import Watch, arrive, make_study
from tests.helpers.waiting import until

PEOPLE = ("anna of the platform", "boris of the platform")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str) -> Path:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def service(home: Path, engine: Engine, watch: Watch) -> Service:
    return Service(engine, signer_of(engine, Settings()), watch)


def become(service: Service, status: StudyStatus) -> None:
    with writing(service.database) as session:
        study = get_study(session, name="colours")
        Oversight(service.database, service.clock).set_status(session, study, status, who="anna")


def closed(service: Service, **settings: object) -> None:
    """A study in which two people have answered two items each, closed now."""
    make_study(service.database, **settings)  # type: ignore[arg-type]
    for person in PEOPLE:
        at_work(service, person=person)
    become(service, "closed")


def pay(service: Service, share: int = 2) -> None:
    with writing(service.database) as session:
        study = get_study(session, name="colours")
        lines = owed(session, study=study).frame.to_dict("records")[:share]
        cause = Cause("anna", service.clock())
        mark_paid(session, study=study, totals={line["worker"]: line["total"] for line in lines}, cause=cause)


def names(database: Database) -> set[str]:
    return {line.work.name for line in Oversight(database).workers("colours")}


@pytest.mark.each_database
def test_people_are_erased_so_many_days_after_the_closing_and_their_answers_stay(
    service: Service, watch: Watch, home: Path
) -> None:
    closed(service, retention_days=30)
    before = names(service.database)
    watch.passes(days=30, seconds=-1)
    assert erase_people(home, service.database, watch()) == 0
    watch.passes(seconds=1)
    assert erase_people(home, service.database, watch()) == 2
    after = Oversight(service.database).workers("colours")
    assert [(line.work.status, line.work.counted) for line in after] == [("forgotten", 2)] * 2
    assert not before & names(service.database)
    kept = whole(service.database)
    digests = [service.signer.digest_of("PROLIFIC_PID", person) for person in PEOPLE]
    assert [trace for trace in (*before, *digests) if trace in kept] == []
    last, *others = Oversight(service.database).events("colours")
    assert (last.kind, last.who, last.at) == ("retention", "retention", watch())
    assert last.details == {"people": 2, "days": 30}
    assert [event.kind for event in others] == ["forgotten", "forgotten", "closed"]
    assert len((home / LIST).read_text().splitlines()) == 2, "a restored backup forgets them again"
    assert (home / LIST).stat().st_mode & 0o077 == 0

    watch.passes(days=1)
    assert erase_people(home, service.database, watch()) == 0, "once"
    assert Oversight(service.database).events("colours")[0] == last


@pytest.mark.each_database
def test_nobody_is_erased_before_everybody_is_paid(service: Service, watch: Watch, home: Path) -> None:
    closed(service, retention_days=1, price=2.0)
    watch.passes(days=400)
    assert erase_people(home, service.database, watch()) == 0
    pay(service, share=1)
    assert erase_people(home, service.database, watch()) == 0, "one of two is not paid"
    owing = home.parent / "owed.csv"
    told = CliRunner().invoke(cli, ["payments", "colours", "--to", str(owing), "--mark-paid"])
    assert "1 worker marked as paid" in told.stderr
    with reading(service.database) as session:
        assert unpaid(session, study=get_study(session, name="colours")) == []
    assert erase_people(home, service.database, watch()) == 2


def test_who_earns_more_after_being_paid_is_to_be_paid_again(service: Service) -> None:
    make_study(service.database, price=2.0)
    person = arrive(service)
    view = person.answer(person.look())
    pay(service)
    with reading(service.database) as session:
        assert unpaid(session, study=get_study(session, name="colours")) == []
    person.answer(view)
    with reading(service.database) as session:
        assert len(unpaid(session, study=get_study(session, name="colours"))) == 1
    pay(service)
    with reading(service.database) as session:
        assert unpaid(session, study=get_study(session, name="colours")) == []


@pytest.mark.each_database
def test_an_open_study_keeps_its_people_and_one_closed_anew_counts_from_then(
    service: Service, watch: Watch, home: Path
) -> None:
    closed(service, retention_days=10)
    become(service, "open")
    watch.passes(days=20)
    assert erase_people(home, service.database, watch()) == 0
    become(service, "closed")
    watch.passes(days=9)
    assert erase_people(home, service.database, watch()) == 0
    watch.passes(days=1)
    assert erase_people(home, service.database, watch()) == 2


def test_without_a_period_people_stay(service: Service, watch: Watch, home: Path) -> None:
    closed(service)
    watch.passes(days=36_500)
    assert erase_people(home, service.database, watch()) == 0


@pytest.mark.each_database
def test_two_servers_erase_everybody_once(service: Service, watch: Watch, home: Path, database_url: str) -> None:
    closed(service, retention_days=1)
    watch.passes(days=2)
    with ThreadPoolExecutor(2) as pool:
        servers = [service.database, open_database(database_url)]
        done = list(pool.map(lambda server: erase_people(home, server, watch()), servers))
    servers[1].dispose()
    assert sum(done) == 2
    kinds = [event.kind for event in Oversight(service.database).events("colours")]
    assert kinds.count("forgotten") == 2
    assert len((home / LIST).read_text().splitlines()) == 2


def test_a_server_does_it_by_itself(service: Service, watch: Watch, home: Path) -> None:
    closed(service, retention_days=1)
    watch.passes(days=2)
    before = names(service.database)
    with expiring(service.database, watch, every=0.05, others=[partial(erase_people, home)]):
        until(lambda: not before & names(service.database))


def test_nobody_is_erased_where_the_list_of_erasures_cannot_be_written(
    service: Service, watch: Watch, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    closed(service, retention_days=1)
    watch.passes(days=2)
    (home / LIST).mkdir(parents=True)
    before = names(service.database)
    with expiring(service.database, watch, every=0.05, others=[partial(erase_people, home)]):
        until(lambda: "is not forgotten" in caplog.text)
        assert names(service.database) == before
        (home / LIST).rmdir()
        until(lambda: not before & names(service.database))


def test_consent_says_it_and_the_period_may_only_become_shorter(service: Service, watch: Watch) -> None:
    make_study(service.database, retention_days=30, price=2.0)
    change = Oversight(service.database, watch).change
    with reading(service.database) as session:
        study = get_study(session, name="colours")
        said = {language: str(asked_in(session, study, language).groups) for language in ("ru", "en")}
    assert "Через 30 дней после закрытия исследования, но не раньше, чем всем заплатят" in said["ru"]
    assert "30 days after the study is closed, but never before everyone is paid" in said["en"]
    change("colours", {"retention_days": 60}, who="anna")
    arrive(service)
    for longer in (61, None):
        with pytest.raises(BadSetting, match="were told that they are erased after 60 days"):
            change("colours", {"retention_days": longer}, who="anna")
    change("colours", {"retention_days": 31}, who="anna")
    make_study(service.database, name="shades")
    arrive(service, "shades")
    change("shades", {"retention_days": 90}, who="anna")
