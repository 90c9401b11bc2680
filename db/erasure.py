"""Erasure of what identifies a person in a study, by request; the answers stay under a new pseudonym, or go."""

import hashlib
import json
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import OperationalError

from db.engine import Database, Session, read, write
from db.events import Cause, add_event
from db.exclusions import release
from db.judgments import recount
from db.personal_data import ERASED, RECORDS, find_person
from db.place_keys import new_nonce
from db.studies import Study
from db.tables import ENROLMENT, EVENT, JUDGMENT, WORKER
from db.workers import PSEUDONYM, add_worker, get_enrolment

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

    `digest` is by what the list of erasures knows the person (`db.erasure_list`); `to_do` is what remains to be done
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
    key = person.worker
    joined = person.enrolment
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
