"""A study is stored in short transactions, so that others write in between; until it is whole nobody finds it.

One that nobody has answered can be taken away again.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from random import Random

from sqlalchemy import bindparam, delete, select, update

from data.errors import BadSetting, FileProblem
from data.task import Item, Task
from db.access import ACCOUNT_STUDY
from db.clock import Clock, now
from db.engine import Database, Session, read, reading, write, writing
from db.items import add_rows, row_batches
from db.statuses import ABANDONED, MAKING, StudyStatus
from db.studies import THERE, Study, create_study, get_study, study_of
from db.study_settings import StudySettings
from db.tables import EVENT, ITEM, REFUSAL, SOURCE_ROW, STUDY

BATCH = 1000  # items of one transaction: others wait for a fraction of a second
SILENT = timedelta(minutes=5)  # after so long without a sign of life whoever made a study is taken for dead

# While a study is being made, `created_at` is when its maker was last heard of.
_BEGIN = update(STUDY).where(STUDY.c.id == bindparam("study")).values(status=MAKING, created_at=bindparam("moment"))
_MADE_BY_ME = update(STUDY).where(STUDY.c.id == bindparam("study"), STUDY.c.status == MAKING)
_GO_ON = _MADE_BY_ME.values(created_at=bindparam("moment"), status=bindparam("stands"))
_GIVE_UP = update(STUDY).where(STUDY.c.status == MAKING, STUDY.c.created_at < bindparam("silent_since"))
_LOCKED = select(STUDY.c.id).where(STUDY.c.id == bindparam("study")).with_for_update()
_OF_ITSELF = (ITEM, SOURCE_ROW, EVENT, REFUSAL, ACCOUNT_STUDY)
_REMOVE = delete(STUDY).where(STUDY.c.id == bindparam("study"))


def begin_study(
    database: Database, *, name: str, task: Task, settings: StudySettings, seed: int, moment: datetime
) -> Study:
    """Store a study that nobody finds before `fill_study` has made it whole; raises BadSetting for its name."""
    with writing(database) as session:
        study = create_study(session, name=name, task=task, settings=settings, seed=seed)
        write(session, _BEGIN, study=study.id, moment=moment)
        return study


def fill_study(
    database: Database,
    study: Study,
    records: Iterable[Item | FileProblem],
    *,
    order: Random,
    status: StudyStatus = "open",
    clock: Clock = now,
) -> Study:
    """Store the items of a study that was begun, and what is left out of its files, and return it, open or a draft.

    Raises BadSetting where it was given up.

    `order` draws in which order the items are served: nobody who answers may be able to foretell it.
    What breaks off, even with the machine, leaves nothing that can be seen, and `clear_abandoned` takes it away.
    """
    try:
        for batch in row_batches(study, records, BATCH, order):
            with writing(database) as session:
                _go_on(session, study, clock(), MAKING)
                add_rows(session, batch)
        with writing(database) as session:
            _go_on(session, study, clock(), status)
            return study_of(session, study_id=study.id)
    finally:
        with writing(database) as session:
            write(session, _MADE_BY_ME.values(status=ABANDONED), study=study.id)


def clear_abandoned(database: Database, moment: datetime) -> None:
    """Take away what is left of studies whose making broke off, in short transactions as well."""
    with reading(database) as session:
        hidden = read(session, select(STUDY.c.id).where(~THERE)).first()
    if hidden is None:
        return
    with writing(database) as session:
        # Whoever makes it still, after all, finds it given up, and stops.
        write(session, _GIVE_UP.values(status=ABANDONED), silent_since=moment - SILENT)
        unfinished = read(session, select(STUDY.c.id).where(STUDY.c.status == ABANDONED)).scalars().all()
    for key in unfinished:
        for table in _OF_ITSELF:
            some = select(table.c.id).where(table.c.study_id == key).limit(BATCH)
            removed = BATCH
            while removed:
                with writing(database) as session:
                    removed = write(session, delete(table).where(table.c.id.in_(some))).rowcount
        with writing(database) as session:
            write(session, _REMOVE, study=key)


def delete_unanswered(session: Session, *, name: str) -> None:
    """Take a study away with its items and events; raises BadSetting where people or models have been in it.

    Nothing that a person sent is ever deleted: such a study is closed.
    """
    study = get_study(session, name=name)
    read(session, _LOCKED, study=study.id).first()
    for table in STUDY.metadata.sorted_tables:
        if "study_id" not in table.c or table in _OF_ITSELF:
            continue
        if read(session, select(table.c.study_id).where(table.c.study_id == study.id).limit(1)).first():
            who = "a model has" if table.name == "run" else "people have"
            raise BadSetting(f"{who} been in study {name!r}, and what they gave is never deleted; close it instead")
    for table in _OF_ITSELF:
        write(session, delete(table).where(table.c.study_id == study.id))
    write(session, update(STUDY).where(STUDY.c.pilot_of == study.id).values(pilot_of=None))
    write(session, _REMOVE, study=study.id)


def _go_on(session: Session, study: Study, moment: datetime, stands: str) -> None:
    """Give a sign of life; raises BadSetting where the study was given up meanwhile."""
    if not write(session, _GO_ON, study=study.id, moment=moment, stands=stands).rowcount:
        raise BadSetting(f"making the study {study.name!r} was given up after a long pause; make it again")
