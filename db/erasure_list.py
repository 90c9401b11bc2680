"""The list of erasures, outside the database and its backups: a restored backup forgets again whom it still knows.

A line has the time, a digest that leads to nobody (`db.erasure.listed_as`), and whether the answers stayed.
"""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from data.errors import BadSetting
from db.engine import Database, Session, read, reading, writing
from db.erasure import Forgotten, forget, listed_as
from db.studies import get_study
from db.tables import ENROLMENT, JUDGMENT, STUDY, WORKER

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
