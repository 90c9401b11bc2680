"""The database itself: migrations make the tables, names are guarded, transactions are whole or not at all."""

import json
import os
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import typer
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import JSON, literal, text
from sqlmodel import SQLModel, select

from annotate.accounts.signer import Signer
from annotate.worker.stages import Act
from data.catalogue.catalog import get_task, sample_file
from data.errors import BadSetting, UnknownName
from db.engine import Contended, Database, Opens, add, open_database, opened, reading, transact, upgrade, writing
from db.runs import create_run, list_runs
from db.schema import MIGRATIONS, REVISIONS
from db.settings import Settings
from db.studies import create_study, get_study, list_studies
from db.study_settings import StudySettings
from db.tables import WorkerRow
from server import first_start
from tests.conftest import fresh_postgres
from tests.helpers.collection import TASK, Watch, arrive, make_service, make_study
from tests.helpers.processes import command, ended


def test_migrations_make_exactly_the_tables(engine: Database) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_each_migration_is_named_after_its_revision() -> None:
    scripts = [*ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
    assert [script.revision for script in reversed(scripts)] == REVISIONS


def test_a_database_of_before_gets_the_sums_of_its_workers(engine: Database) -> None:
    make_study(engine, main=3, training=1, control=1, overlap=1, page_main=2, page_controls=1, price=0.25)
    person = arrive(make_service(engine, watch := Watch()))
    for _ in range(2):
        view = person.look()
        watch.passes(seconds=30)
        person.answer(view, seconds=20)
    sums = text("SELECT worked, answers, seconds, earned FROM enrolment")
    with engine.begin() as connection:
        before = connection.execute(sums).all()
        for name in ("worked", "answers", "seconds", "earned", "ahead"):
            connection.execute(text(f"ALTER TABLE enrolment DROP COLUMN {name}"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    upgrade(engine, "0002")
    with engine.connect() as connection:
        assert connection.execute(sums).all() == before
    assert before[0].answers == 2


def test_studies_from_before_the_board_keep_their_rows_and_stay_private(engine: Database) -> None:
    make_study(engine, main=3, overlap=1, training_price=0.5)
    person = arrive(make_service(engine))
    seen = Act("report", token=person.look().token, value={"reason": "mistake"})
    person.service.act("colours", person.cookie, seen)
    with writing(engine) as session:
        create_run(session, study=get_study(session, name="colours"), model="openai:m", kind="model", settings={})
    with engine.begin() as connection:
        before = [connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in ("run", "report")]
        for table, column in (("study", "public"), ("run", "contact"), ("report", "instead"), ("report", "price")):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        stored = json.loads(connection.execute(text("SELECT CAST(settings AS text) FROM study")).scalar_one())
        older = {name: value for name, value in stored.items() if name not in ("purpose", "pay_failed_training")}
        connection.execute(text("UPDATE study SET settings = :older"), {"older": json.dumps(older)})
        connection.execute(text("UPDATE alembic_version SET version_num = '0028'"))
    upgrade(engine, "0032")
    with reading(engine) as session:
        study = get_study(session, name="colours")
        assert (study.public, study.settings.purpose, study.settings.training_price) == (False, "comparison", 0.5)
        assert study.settings.pay_failed_training
        assert [run.contact for run in list_runs(session, study=study)] == [""]
    with engine.connect() as connection:
        after = [connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in ("run", "report")]
        assert after == before == [1, 1]
        assert connection.execute(text("SELECT instead, price FROM report")).all() == [(1, 0.0)]


def test_what_python_alone_writes_as_json_is_read_back(tmp_path: Path) -> None:
    stored = {"plain": ["да", 1.5, None], "not a number": float("inf"), "half a character": "\ud800"}
    with opened(f"sqlite:///{tmp_path / 'etalon.db'}") as engine, reading(engine) as session:
        for value in (stored, {"plain": stored["plain"]}):
            assert session.execute(select(literal(value, JSON))).scalar_one() == value


def test_opening_a_database_twice_changes_nothing(new_database_url: str) -> None:
    first = open_database(new_database_url)
    make_study(first)
    second = open_database(new_database_url)
    with reading(second) as session:
        assert [study.name for study in list_studies(session)] == ["colours"]
    first.dispose()
    second.dispose()


def test_a_study_comes_back_with_its_task_as_it_was(engine: Database) -> None:
    study = make_study(engine)
    with reading(engine) as session:
        assert get_study(session, name="colours") == study
        assert get_study(session, name="colours").task == TASK


@pytest.mark.parametrize("name", ["", "a/b", "a b", "x" * 81, "<script>"])
def test_a_study_name_unfit_for_an_address_is_refused(engine: Database, name: str) -> None:
    with pytest.raises(BadSetting, match="study name"), writing(engine) as session:
        create_study(session, name=name, task=TASK, settings=StudySettings())


def test_a_taken_or_unknown_study_name_gets_a_sentence(engine: Database) -> None:
    make_study(engine)
    with pytest.raises(BadSetting, match="exists already"):
        make_study(engine)
    with pytest.raises(UnknownName, match="did you mean 'colours'"), reading(engine) as session:
        get_study(session, name="colour")


def test_what_fails_in_the_middle_leaves_nothing(engine: Database) -> None:
    def work() -> None:
        with writing(engine) as session:
            create_study(session, name="half", task=TASK, settings=StudySettings())
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        work()
    with reading(engine) as session:
        assert list_studies(session) == []


def test_who_reads_sees_one_picture_whatever_others_write(engine: Database) -> None:
    with reading(engine) as session:
        assert list_studies(session) == []
        make_study(engine)
        assert list_studies(session) == []
    with reading(engine) as session:
        assert len(list_studies(session)) == 1


@pytest.mark.parametrize("opens", [writing, reading])
def test_a_transaction_in_anothers_way_is_tried_again(engine: Database, opens: Opens) -> None:
    attempts = []

    def work(_session: object) -> str:
        attempts.append(1)
        if len(attempts) < 3:
            raise Contended
        return "done"

    assert transact(engine, work, opens=opens) == "done"
    assert len(attempts) == 3


def test_writers_wait_for_each_other_instead_of_failing(engine: Database) -> None:
    errors: list[Exception] = []

    def create(number: int) -> None:
        try:
            make_study(engine, name=f"study-{number}", main=3)
        except Exception as error:  # noqa: BLE001  (whatever it is, the test must show it)
            errors.append(error)

    threads = [threading.Thread(target=create, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading(engine) as session:
        assert (errors, len(list_studies(session))) == ([], 10)


@pytest.mark.parametrize(
    "url",
    ["no url", "mysterydb://x", "postgresql+psycopg://u:secretword@127.0.0.1:9/x", "sqlite:////proc/no/such/place.db"],
)
def test_a_database_that_cannot_be_opened_gets_one_sentence_without_the_password(url: str) -> None:
    with pytest.raises(BadSetting, match="cannot be opened") as caught:
        open_database(url)
    assert "secretword" not in str(caught.value)
    assert "\n" not in str(caught.value)


def create_a_study(items: str) -> None:
    """Create a study by the command, where files are open to all unless something is done about it."""
    os.umask(0o022)
    command("create", "s", "--task", "rsg/parus", "--items", items)


def test_nobody_but_its_owner_can_read_an_sqlite_database_though_it_was_open_to_all_before(tmp_path: Path) -> None:
    path, usual = tmp_path / "home" / "etalon.db", os.umask(0o022)
    items, home = sample_file(get_task("rsg/parus"), "main"), {"DATABASE_URL": f"sqlite:///{path}"}
    try:
        for _ in ("made", "left open to all by an earlier version"):
            ended(create_a_study, str(items), printed=tmp_path / "printed.txt", environment=os.environ | home)
            with opened(home["DATABASE_URL"]) as engine, writing(engine) as session:
                session.execute(text("UPDATE study SET seed = 1"))
                made = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
            assert made == {"etalon.db": 0o600, "etalon.db-wal": 0o600, "etalon.db-shm": 0o600}
            path.chmod(0o644)
    finally:
        os.umask(usual)


def test_a_file_that_goes_while_a_database_is_opened_does_not_keep_it_shut(tmp_path: Path) -> None:
    (tmp_path / "etalon.db-kept").symlink_to(tmp_path / "gone")  # listed, and not there when it is to be closed
    with opened(f"sqlite:///{tmp_path / 'etalon.db'}") as engine, reading(engine) as session:
        assert list_studies(session) == []


def test_a_new_folder_is_made_for_sqlite(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'new' / 'etalon.db'}").dispose()
    assert (tmp_path / "new" / "etalon.db").exists()


def start_first() -> None:
    """Do what a server does when it starts first, and print the password that it made."""
    settings = Settings()
    typer.echo(str(first_start(open_database(settings.database), Signer("a secret for tests"), settings)))


def test_two_servers_that_start_first_on_one_empty_database_both_come_up(postgres_uri: str, tmp_path: Path) -> None:
    chosen = {"DATABASE_URL": fresh_postgres(postgres_uri), "ETALON_HOME": str(tmp_path), "ETALON_DEMO": "false"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ETALON_")} | chosen
    files = [tmp_path / f"{number}.txt" for number in range(2)]
    with ThreadPoolExecutor() as pool:
        servers = list(pool.map(lambda file: ended(start_first, printed=file, environment=environment), files))
    assert [server.code for server in servers] == [0, 0], servers
    assert sorted(server.printed.strip() == "None" for server in servers) == [False, True]


def test_writers_on_sqlite_share_a_connection_that_outlives_a_mistake_and_not_its_engine(sqlite: Database) -> None:
    def used() -> object:
        with writing(sqlite) as session:
            return session.connection.dbapi_connection

    def mistaken() -> None:
        with writing(sqlite) as session:
            add(session, WorkerRow(name="never"))
            raise ValueError("a mistake of ours")

    first = used()
    with pytest.raises(ValueError, match="of ours"):
        mistaken()
    assert used() is first
    with reading(sqlite) as session:
        assert session.execute(select(WorkerRow)).all() == []
    sqlite.dispose()
    assert used() is not first
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        first.execute("SELECT 1")  # type: ignore[attr-defined]
