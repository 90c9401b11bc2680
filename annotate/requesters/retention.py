"""The people of a study with a retention period are erased when it is over and everybody is paid."""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from db.engine import Database, Session, alone, reading, transact
from db.erasure import clear_files, forget, not_forgotten
from db.erasure_list import list_erasure
from db.events import Cause, add_event, list_events
from db.payments import unpaid
from db.studies import Study, list_studies, study_of

WHO = "retention"


def erase_people(home: Path, database: Database, moment: datetime) -> int:
    """Erase the people of studies whose retention period is over; their answers stay. Return how many these were.

    Each is erased in a transaction of its own, and by one server of several.
    """
    gone: dict[int, int] = {}
    try:
        with alone(database):
            with reading(database) as session:
                due = [
                    (study.id, worker)
                    for study in list_studies(session)
                    if _is_over(session, study, moment)
                    for worker in not_forgotten(session, study=study)
                ]
            for study_id, worker in due:
                if transact(database, partial(_erase, home=home, study_id=study_id, worker=worker, moment=moment)):
                    gone[study_id] = gone.get(study_id, 0) + 1
    finally:
        cause = Cause(WHO, moment, clear_files(database) if gone else "")
        for study_id, people in gone.items():
            transact(database, partial(_tell, study_id=study_id, people=people, cause=cause))
    return sum(gone.values())


def _is_over(session: Session, study: Study, moment: datetime) -> bool:
    """Return whether the retention period of a study is over, and everybody is paid."""
    days = study.settings.retention_days
    closed = list_events(session, study=study, most=1, kinds=("closed",)) if days and study.status == "closed" else []
    if not days or not closed or moment < closed[0].at + timedelta(days=days):
        return False
    return not unpaid(session, study=study)


def _erase(session: Session, *, home: Path, study_id: int, worker: str, moment: datetime) -> bool:
    """Erase one person, unless the study was opened meanwhile or somebody else has erased the person."""
    study = study_of(session, study_id=study_id)
    if study.status != "closed" or worker not in not_forgotten(session, study=study):
        return False
    done = forget(session, study=study, worker=worker, keep_answers=True, who=WHO, moment=moment)
    list_erasure(home, done, moment)
    return True


def _tell(session: Session, *, study_id: int, people: int, cause: Cause) -> None:
    details = {"people": people, "days": study_of(session, study_id=study_id).settings.retention_days}
    add_event(session, study_id=study_id, kind="retention", cause=cause, details=details)
