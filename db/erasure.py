"""Erasure: what is kept about one person, how it is erased, and the list by which a restored backup erases it again."""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import ColumnElement, Table, delete, insert, select, text, update
from sqlalchemy.exc import OperationalError

from data.errors import BadSetting, look_up
from db.engine import Database, Session, read, reading, write, writing
from db.events import Cause, add_event
from db.exclusions import release
from db.judgments import recount
from db.studies import Study, get_study
from db.tables import APPEAL, ARRIVAL, ASSIGNMENT, ENROLMENT, EVENT, ITEM, JUDGMENT, REPORT, STUDY, WORKER, new_nonce
from db.workers import PSEUDONYM, add_worker, get_enrolment, people_of

ERASED = "(erased)"


@dataclass(frozen=True)
class Person:
    """A worker in a study; `enrolment` is None for somebody of an imported log."""

    study: Study
    worker: int
    enrolment: int | None


@dataclass(frozen=True)
class PersonalRecord:
    """A table with rows about people, to whom its column `link` leads.

    When its person is erased a row goes or stays as the answers do, or whatever becomes of them ("goes", "stays");
    `texts` is what stands then in the place of what somebody wrote.
    """

    title: str
    table: Table
    link: Literal["enrolment_id", "worker_id"]
    erased: Literal["as answers", "goes", "stays"] = "as answers"
    texts: Mapping[str, str] = field(default_factory=dict)

    def of(self, person: Person) -> ColumnElement[bool]:
        """Return the condition for the rows about a person."""
        if self.link == "enrolment_id":
            return self.table.c.enrolment_id == person.enrolment
        return (self.table.c.study_id == person.study.id) & (self.table.c.worker_id == person.worker)


RECORDS = (
    PersonalRecord("arrivals", ARRIVAL, "enrolment_id", "goes"),
    PersonalRecord("assignments", ASSIGNMENT, "enrolment_id"),
    PersonalRecord("judgments", JUDGMENT, "worker_id"),
    PersonalRecord("reports", REPORT, "enrolment_id", texts={"text": ""}),
    PersonalRecord("appeals", APPEAL, "enrolment_id", texts={"text": ERASED, "reply": ERASED}),
    PersonalRecord("events", EVENT, "worker_id", "stays"),
)
"""Everything that is kept beside the worker and the enrolment; skips are assignments, payments events."""


def find_person(session: Session, *, study: Study, worker: str) -> Person:
    """Return a worker who takes part in a study, or of whom it has judgments; raises UnknownName."""
    people = {row.name: row for row in read(session, people_of(study))}
    row = look_up(f"worker of the study {study.name!r}:", worker, people)
    mine = (ENROLMENT.c.study_id == study.id) & (ENROLMENT.c.worker_id == row.id)
    return Person(study, row.id, read(session, select(ENROLMENT.c.id).where(mine)).scalar())


def kept_rows(session: Session, *, study: Study, worker: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows about a worker of a study by their title, as JSON has them; items are named by their keys."""
    person = find_person(session, study=study, worker=worker)
    items = select(ITEM.c.id, ITEM.c.key).where(ITEM.c.study_id == study.id)
    keys = {row.id: row.key for row in read(session, items)}
    places = {
        "worker": (WORKER, WORKER.c.id == person.worker),
        "enrolment": (ENROLMENT, ENROLMENT.c.id == person.enrolment),
        **{record.title: (record.table, record.of(person)) for record in RECORDS},
    }
    return {
        title: [_as_json(row, keys) for row in read(session, select(table).where(mine).order_by(table.c.id)).mappings()]
        for title, (table, mine) in places.items()
    }


def _as_json(row: Mapping[Any, Any], keys: Mapping[int, str]) -> dict[str, Any]:
    values = {str(name): value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
    if "item_id" in values:
        values["item"] = keys[int(values.pop("item_id"))]
    return values


REWRITTEN = (WORKER, ENROLMENT, *(record.table for record in RECORDS))
ATTEMPTS = 5  # of a second or so each, to be alone with the database's files
_OLDER = text(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < :at"
)
LEFT = (
    "The database's files still hold what was erased, as they were in use all the time or the disk is full. Run {} "
    "when nothing else uses the database."
)


@dataclass(frozen=True)
class Forgotten:
    """What was done: the new pseudonym, how many judgments were kept or erased, and what the person had earned.

    `digest` is by what the list of erasures knows the person (`db.erasure`); `to_do` is what remains to be done
    about the database's files, "" where nothing does.
    """

    pseudonym: str
    judgments: int
    earned: float
    answers_kept: bool
    digest: str
    to_do: str = ""


def forget(session: Session, *, study: Study, worker: str, keep_answers: bool, who: str, moment: datetime) -> Forgotten:
    """Erase what leads from a study's rows to a person; raises UnknownName where no worker has that name.

    The person gets a new pseudonym that nobody was told; the digest of what an invitation said of them, the texts of
    their reports and appeals and what people wrote about them in events are erased, and their cookie and return link
    open nothing any more. Without `keep_answers` their judgments, leases and reports are deleted, and their items open
    to others. What the same person does in other studies stays as it is.
    """
    person = find_person(session, study=study, worker=worker)
    key, joined = person.worker, person.enrolment
    enrolment = None if joined is None else get_enrolment(session, enrolment_id=joined, lock=True)
    judged = (JUDGMENT.c.study_id == study.id) & (JUDGMENT.c.worker_id == key)
    judgments = len(read(session, select(JUDGMENT.c.id).where(judged)).all())
    simulated = read(session, select(WORKER.c.simulated).where(WORKER.c.id == key)).scalar()
    fresh = add_worker(session, simulated=bool(simulated))
    pseudonym = str(read(session, select(WORKER.c.name).where(WORKER.c.id == fresh)).scalar_one())
    moved = {"worker_id": fresh}
    if enrolment:
        release(session, enrolment)
        moved["enrolment_id"] = _renew_enrolment(session, enrolment.id, fresh, keep_answers)
    _rename_in_events(session, study, (key, worker), (fresh, pseudonym))
    for record in RECORDS:
        mine = record.of(person)
        if record.erased == "goes" or (record.erased == "as answers" and not keep_answers):
            write(session, delete(record.table).where(mine))
        elif record.link in moved:
            write(session, update(record.table).where(mine).values({record.link: moved[record.link], **record.texts}))
    if enrolment:
        write(session, delete(ENROLMENT).where(ENROLMENT.c.id == enrolment.id))
    if not keep_answers:
        recount(session, study=study)
    earned, known_as = (enrolment.earned, enrolment.nonce) if enrolment else (0.0, f"{study.name}\n{worker}")
    done = Forgotten(pseudonym, judgments, earned, keep_answers, listed_as(known_as))
    _drop_if_unused(session, key)
    details = {"answers": judgments, "kept": keep_answers, "earned": done.earned}
    cause = Cause(who, moment)
    add_event(session, study_id=study.id, worker_id=fresh, kind="forgotten", cause=cause, details=details)
    return done


def not_forgotten(session: Session, *, study: Study) -> list[str]:
    """Return the names of the people of a study who have not been forgotten yet; simulated ones are none."""
    forgotten = select(EVENT.c.worker_id).where(EVENT.c.study_id == study.id, EVENT.c.kind == "forgotten")
    people = (
        select(WORKER.c.name)
        .join_from(WORKER, ENROLMENT, ENROLMENT.c.worker_id == WORKER.c.id)
        .where(ENROLMENT.c.study_id == study.id, WORKER.c.id.not_in(forgotten), ~WORKER.c.simulated)
        .order_by(WORKER.c.id)
    )
    return list(read(session, people).scalars())


def listed_as(known_as: str) -> str:
    """Return by what the list of erasures knows somebody: a slow digest of the nonce, of a log's worker of the name."""
    return hashlib.scrypt(known_as.encode(), salt=b"etalon erasures", n=2**12, r=8, p=1, dklen=18).hex()


def clear_files(database: Database) -> str:
    """Rewrite what the database's files keep of rows that are gone; return what is to be done where that fails, or "".

    It comes after the transaction of `forget`. SQLite's `secure_delete` is not enough: copies of a row stay where its
    page was split (5 of 150 databases made at random).
    """
    if database.dialect.name == "postgresql":
        return "" if _rewrite_tables(database) else LEFT.format("VACUUM FULL")
    return "" if _rewrite_file(database) else LEFT.format("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")


def _rewrite_file(database: Database) -> bool:
    """Write the SQLite file anew and empty the log beside it, in which whoever reads may hold on to what was."""
    with closing(database.raw_connection()) as lent:
        lent.detach()  # what is set here is for this work alone
        driver: Any = lent.dbapi_connection
        try:
            driver.execute("VACUUM")
        except database.dialect.loaded_dbapi.OperationalError:
            return False
        driver.execute("PRAGMA busy_timeout = 1000")
        return any(not driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] for _ in range(ATTEMPTS))


def _rewrite_tables(database: Database) -> bool:
    """Write the tables of PostgreSQL anew, when transactions that could see what was are over."""
    with database.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        now = connection.execute(text("SELECT now()")).scalar()
        connection.execute(text("SET lock_timeout = '1s'"))
        try:
            for _ in range(ATTEMPTS):
                try:
                    if connection.execute(_OLDER, {"at": now}).first() is None:
                        connection.execute(text("VACUUM FULL " + ", ".join(table.name for table in REWRITTEN)))
                        return True
                    time.sleep(1)
                except OperationalError:
                    continue
            return False
        finally:
            connection.execute(text("RESET lock_timeout"))


def _renew_enrolment(session: Session, old: int, worker_id: int, keep_answers: bool) -> int:
    """Give an enrolment another worker and another key: cookies and return links name the key it had."""
    known: dict[str, Any] = dict(read(session, select(ENROLMENT).where(ENROLMENT.c.id == old)).one()._mapping)
    out = known["status"] in ("failed", "excluded")
    changed = {"worker_id": worker_id, "status": known["status"] if out else "forgotten", "undoable": None}
    changed["nonce"] = new_nonce()
    nothing = {} if keep_answers else {"answers": 0, "seconds": 0.0, "earned": 0.0, "skips": 0}
    values = {name: value for name, value in known.items() if name != "id"} | changed | nothing
    return int(write(session, insert(ENROLMENT).values(values).returning(ENROLMENT.c.id)).scalar_one())


def _rename_in_events(session: Session, study: Study, old: tuple[int, str], new: tuple[int, str]) -> None:
    """Let events name the new pseudonym, and say no more of the person what somebody wrote by hand."""
    for event in read(session, select(EVENT).where(EVENT.c.study_id == study.id)).all():
        mine = event.worker_id == old[0]
        reason, details = event.reason, json.dumps(event.details or {})
        if old[1].startswith(PSEUDONYM):  # an id of another platform may be any word; events name only those at work
            reason, details = reason.replace(old[1], new[1]), details.replace(old[1], new[1])
        if mine and event.who != "rule" and reason:
            reason = ERASED
        who = new[1] if event.who == old[1] else event.who
        changed = {"worker_id": new[0] if mine else event.worker_id, "who": who, "reason": reason}
        changed["details"] = json.loads(details)
        if any(getattr(event, name) != value for name, value in changed.items()):
            write(session, update(EVENT).where(EVENT.c.id == event.id).values(changed))


def _drop_if_unused(session: Session, key: int) -> None:
    """Delete a worker of whom no study knows anything any more."""
    of_worker = (select(table.c.id).where(table.c.worker_id == key).limit(1) for table in (ENROLMENT, JUDGMENT, EVENT))
    if not any(read(session, rows).first() for rows in of_worker):
        write(session, delete(WORKER).where(WORKER.c.id == key))


LIST = "erasures"  # the file's name in ETALON_HOME
WHO = "restored backup"


def list_erasure(home: Path, done: Forgotten, moment: datetime) -> None:
    """Add somebody who is just being forgotten to the list; raises BadSetting where it cannot be written."""
    line = f"{moment:%Y-%m-%dT%H:%M:%SZ} {done.digest} {'kept' if done.answers_kept else 'erased'}\n"
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = os.open(home / LIST, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(file, "w") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadSetting(
            f"{home / LIST} cannot be written ({error.strerror}), by which a restored backup would forget this person "
            "again; nobody is forgotten"
        ) from error


def forget_again(database: Database, home: Path, moment: datetime) -> int:
    """Forget everybody on the list whom the database still knows, as was chosen then; return how many these were."""
    path = home / LIST
    lines = [line.split() for line in path.read_text("ascii").splitlines()] if path.exists() else []
    wanted = {line[1]: line[2] == "kept" for line in lines if len(line) == 3}
    with reading(database) as session:
        again = [person for person in _people(session) if person[2] in wanted] if wanted else []
    for study, worker, known_as in again:
        with writing(database) as session:
            of = get_study(session, name=study)
            forget(session, study=of, worker=worker, keep_answers=wanted[known_as], who=WHO, moment=moment)
    return len(again)


def _people(session: Session) -> Iterator[tuple[str, str, str]]:
    """Yield everybody with study and name as the list would know them."""
    names = select(STUDY.c.name, WORKER.c.name.label("worker"))
    joined = names.add_columns(ENROLMENT.c.nonce).join_from(STUDY, ENROLMENT, ENROLMENT.c.study_id == STUDY.c.id)
    enrolled = read(session, joined.join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)).all()
    judged = names.join_from(STUDY, JUDGMENT, JUDGMENT.c.study_id == STUDY.c.id)
    others = read(session, judged.join(WORKER, WORKER.c.id == JUDGMENT.c.worker_id).distinct()).all()
    known = {(study, worker) for study, worker, _ in enrolled}
    for study, worker, nonce in enrolled:
        yield study, worker, listed_as(nonce)
    for study, worker in others:
        if (study, worker) not in known:
            yield study, worker, listed_as(f"{study}\n{worker}")
