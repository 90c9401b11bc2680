"""What is kept about a person in a study, table by table: one list for handing it out and for erasing it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import ColumnElement, Table, select

from data.errors import UnknownName
from db.engine import Session, read
from db.studies import Study
from db.tables import APPEAL, ARRIVAL, ASSIGNMENT, ENROLMENT, EVENT, JUDGMENT, REPORT, WORKER

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
