"""Everything that is kept about a person in a study, for the person: what data protection law lets them ask for."""

import json
import re
from dataclasses import asdict
from typing import Any

from annotate.consent import asked_in
from db.engine import Session
from db.erasure import kept_rows
from db.events import list_events
from db.payments import owed
from db.studies import Study

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
