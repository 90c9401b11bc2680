"""Everything that is kept about a person in a study, for the person: what data protection law lets them ask for."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, select

from annotate.consent import asked_in
from db.engine import Session, read
from db.events import list_events
from db.payments import owed
from db.personal_data import RECORDS, find_person
from db.studies import Study
from db.tables import ENROLMENT, ITEM, WORKER

_PSEUDONYM = re.compile(r"\bw-[0-9a-f]{8}\b")


def everything_about(session: Session, *, study: Study, worker: str) -> dict[str, Any]:
    """Return all that is kept about a worker of a study, as JSON has it; raises UnknownName.

    An item is named by its key. Other workers whom an event mentions are left out. The text of consent is there while
    it is the one that the worker agreed to.
    """
    person = find_person(session, study=study, worker=worker)
    items = read(session, select(ITEM.c.id, ITEM.c.key).where(ITEM.c.study_id == study.id))
    keys = {row.id: row.key for row in items}

    def rows(table: Table, mine: ColumnElement[bool]) -> list[dict[str, Any]]:
        kept = read(session, select(table).where(mine).order_by(table.c.id)).mappings()
        return [_as_json(row, keys) for row in kept]

    enrolment = next(iter(rows(ENROLMENT, ENROLMENT.c.id == person.enrolment)), None)
    terms = asked_in(session, study, enrolment["language"]) if enrolment else None
    current = terms is not None and enrolment is not None and terms.version == enrolment["consent_version"]
    changes = list_events(session, study=study, most=None, kinds=("settings",))
    records = {record.title: rows(record.table, record.of(person)) for record in RECORDS}
    for event in records["events"]:
        event.update(json.loads(_without_others(json.dumps(event), worker)))
    lines = owed(session, study=study).frame.to_dict("records")
    return {
        "study": study.name,
        "worker": rows(WORKER, WORKER.c.id == person.worker)[0],
        "enrolment": enrolment,
        "agreed_to": asdict(terms) if terms and current else None,
        "consent_changes": [
            {"at": event.at.isoformat(), "versions": event.details["consent_version"]}
            for event in reversed(changes)
            if "consent_version" in event.details
        ],
        **records,
        "payment": next((line for line in lines if line["worker"] == worker), None),
    }


def _as_json(row: Mapping[Any, Any], keys: Mapping[int, str]) -> dict[str, Any]:
    values = {str(name): value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
    item = values.pop("item_id", None)
    return values if item is None else values | {"item": keys[item]}


def _without_others(text: str, worker: str) -> str:
    return _PSEUDONYM.sub(lambda name: name[0] if name[0] == worker else "(another worker)", text)
