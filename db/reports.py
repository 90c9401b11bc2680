"""Reports: what workers have found wrong with an item."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, insert, select

from db.engine import Session, read, write
from db.studies import Study
from db.tables import ENROLMENT, ITEM, REPORT, WORKER
from db.workers import Enrolment

REASONS = ("mistake", "no_answer", "unclear", "broken", "other")
"""Why a worker reports an item; "other" goes with a text."""
_ADD = insert(REPORT)
_OF_STUDY = (
    select(ITEM.c.key, WORKER.c.name, REPORT.c.reason, REPORT.c.text, REPORT.c.reported_at, ITEM.c.id, ITEM.c.role)
    .join_from(REPORT, ITEM, ITEM.c.id == REPORT.c.item_id)
    .join(ENROLMENT, ENROLMENT.c.id == REPORT.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .where(REPORT.c.study_id == bindparam("study"))
    .order_by(REPORT.c.id)
)


@dataclass(frozen=True)
class Report:
    """One report: the id of the item, the worker's pseudonym, a reason by its code, and what was written about it.

    `key` and `role` are those of the item.
    """

    item: str
    worker: str
    reason: str
    text: str
    reported_at: datetime
    key: int
    role: str


def add_report(
    session: Session, *, enrolment: Enrolment, item_key: int, reason: str, text: str, moment: datetime
) -> None:
    """Store what a worker has found wrong with an item."""
    values = {"reason": reason, "text": text, "reported_at": moment}
    write(session, _ADD, study_id=enrolment.study_id, enrolment_id=enrolment.id, item_id=item_key, **values)


def list_reports(session: Session, *, study: Study, item_key: int | None = None) -> list[Report]:
    """Return every report on a study's items, or on one of them, in the order they came."""
    asked = _OF_STUDY if item_key is None else _OF_STUDY.where(REPORT.c.item_id == item_key)
    return [Report(*row) for row in read(session, asked, study=study.id)]
