"""Workers and their enrolments: who takes part in which study, and how far along the way."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlmodel import Session, col, select

from data.wording import Language
from db.studies import Study
from db.tables import EnrolmentRow, EnrolmentStatus, WorkerRow


@dataclass(frozen=True)
class Enrolment:
    """One worker in one study. `served` counts the leases so far and gives the next one its place."""

    id: int
    study_id: int
    worker_id: int
    worker: str
    status: EnrolmentStatus
    language: Language
    consented: bool
    instructed: bool
    qualified: bool
    served: int


def add_worker(session: Session, *, simulated: bool = False) -> int:
    """Store a new worker under a pseudonym made here and return its key."""
    row = WorkerRow(name=f"w-{secrets.token_hex(4)}", simulated=simulated)
    session.add(row)
    session.flush()
    return cast(int, row.id)


def named_workers(session: Session, *, names: Iterable[str]) -> dict[str, int]:
    """Return the keys of workers known by these names (an imported log's ids); new ones are stored."""
    wanted = sorted(set(names))
    rows = {row.name: row for row in session.exec(select(WorkerRow)) if row.name in set(wanted)}
    fresh = [WorkerRow(name=name) for name in wanted if name not in rows]
    session.add_all(fresh)
    session.flush()
    return {row.name: cast(int, row.id) for row in [*rows.values(), *fresh]}


def enrol(session: Session, *, study: Study, worker_id: int, language: Language) -> int:
    """Let a worker into a study and return the enrolment's key."""
    row = EnrolmentRow(study_id=study.id, worker_id=worker_id, language=language)
    session.add(row)
    session.flush()
    return cast(int, row.id)


def get_enrolment(session: Session, *, enrolment_id: int, lock: bool = False) -> Enrolment | None:
    """Return an enrolment, or None; with `lock` nobody else changes it before this transaction ends."""
    statement = (
        select(EnrolmentRow, WorkerRow.name)
        .join(WorkerRow, col(WorkerRow.id) == col(EnrolmentRow.worker_id))
        .where(EnrolmentRow.id == enrolment_id)
    )
    found = session.exec(statement.with_for_update(of=EnrolmentRow) if lock else statement).first()
    if found is None:
        return None
    row, name = found
    return Enrolment(
        id=enrolment_id,
        study_id=row.study_id,
        worker_id=row.worker_id,
        worker=name,
        status=cast(EnrolmentStatus, row.status),
        language=cast(Language, row.language),
        consented=row.consented_at is not None,
        instructed=row.instructed_at is not None,
        qualified=row.qualified_at is not None,
        served=row.served,
    )


def consent(session: Session, *, enrolment_id: int, version: str, moment: datetime) -> None:
    """Record which consent text was agreed to, and when."""
    row = session.get_one(EnrolmentRow, enrolment_id)
    row.consent_version, row.consented_at = version, moment


def instruct(session: Session, *, enrolment_id: int, moment: datetime) -> None:
    """Record that the instruction was read."""
    session.get_one(EnrolmentRow, enrolment_id).instructed_at = moment


def qualify(session: Session, *, enrolment_id: int, passed: bool, moment: datetime) -> None:
    """Record how the training ended."""
    row = session.get_one(EnrolmentRow, enrolment_id)
    if passed:
        row.qualified_at = moment
    else:
        row.status = "failed"


def set_language(session: Session, *, enrolment_id: int, language: Language) -> None:
    """Show the pages of this study to this worker in another language."""
    session.get_one(EnrolmentRow, enrolment_id).language = language
