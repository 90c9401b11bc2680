"""What is kept about a person in a study, table by table: one list for its export and its erasure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Table, select

from data.errors import UnknownName
from db.engine import Session, read
from db.studies import Study
from db.tables import APPEAL, ARRIVAL, ASSIGNMENT, ENROLMENT, EVENT, ITEM, JUDGMENT, REPORT, WORKER

ERASED = "(erased)"


@dataclass(frozen=True)
class Person:
    """A worker in a study; `enrolment` is None for somebody of an imported log."""

    study: Study
    worker: int
    name: str
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
    joined = select(ENROLMENT.c.worker_id).where(ENROLMENT.c.study_id == study.id)
    judged = select(JUDGMENT.c.worker_id).where(JUDGMENT.c.study_id == study.id)
    here = select(WORKER.c.name, WORKER.c.id).where(WORKER.c.id.in_(joined.union(judged)))
    row = read(session, here.where(WORKER.c.name == worker)).first()
    if row is None:
        names = read(session, here).scalars().all()
        raise UnknownName(f"worker of the study {study.name!r}:", worker, names)
    mine = (ENROLMENT.c.study_id == study.id) & (ENROLMENT.c.worker_id == row.id)
    return Person(study, row.id, row.name, read(session, select(ENROLMENT.c.id).where(mine)).scalar())


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
