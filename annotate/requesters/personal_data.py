"""Personal data: all that is kept about a person, and erasing people when a study's retention period is over."""

import json
import re
from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from annotate.consent import asked_in
from db.engine import Database, Session, alone, reading, transact
from db.erasure import clear_files, forget, kept_rows, list_erasure, not_forgotten
from db.events import Cause, add_event, list_events
from db.payments import owed, unpaid
from db.studies import Study, list_studies, study_of

_PSEUDONYM = re.compile(r"\bw-[0-9a-f]{8}\b")


def everything_about(session: Session, *, study: Study, worker: str) -> dict[str, Any]:
    """Return all that is kept about a worker of a study, as JSON has it; raises UnknownName.

    An item is named by its key. Other workers whom an event mentions are left out. The text of consent is there while
    it is the one that the worker agreed to.
    """
    records = kept_rows(session, study=study, worker=worker)
    (enrolment,) = records["enrolment"] or [{}]
    terms = asked_in(session, study, enrolment["language"]) if enrolment else None
    changes = list_events(session, study=study, most=None, kinds=("settings",))
    for event in records["events"]:
        event.update(json.loads(_without_others(json.dumps(event), worker)))
    lines = owed(session, study=study).frame.to_dict("records")
    return {
        "study": study.name,
        **records,
        "agreed_to": asdict(terms) if terms and terms.version == enrolment["consent_version"] else None,
        "consent_changes": [
            {"at": event.at.isoformat(), "versions": event.details["consent_version"]}
            for event in reversed(changes)
            if "consent_version" in event.details
        ],
        "payment": next((line for line in lines if line["worker"] == worker), None),
    }


def _without_others(text: str, worker: str) -> str:
    return _PSEUDONYM.sub(lambda name: name[0] if name[0] == worker else "(another worker)", text)


def erase_people(home: Path, database: Database, moment: datetime) -> int:
    """Erase the people of studies whose retention period is over; their answers stay. Return how many these were.

    Each is erased in a transaction of its own, and by one server of several.
    """
    gone: Counter[tuple[int, int | None]] = Counter()
    try:
        with alone(database):
            with reading(database) as session:
                due = [
                    (study, worker)
                    for study in list_studies(session)
                    if _is_over(session, study, moment)
                    for worker in not_forgotten(session, study=study)
                ]
            for study, worker in due:
                if transact(database, partial(_erase, home=home, study_id=study.id, worker=worker, moment=moment)):
                    gone[study.id, study.settings.retention_days] += 1
    finally:
        cause = Cause("retention", moment, clear_files(database) if gone else "")
        for (study_id, days), people in gone.items():
            said = {"people": people, "days": days}
            transact(database, partial(add_event, study_id=study_id, kind="retention", cause=cause, details=said))
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
    done = forget(session, study=study, worker=worker, keep_answers=True, who="retention", moment=moment)
    list_erasure(home, done, moment)
    return True
