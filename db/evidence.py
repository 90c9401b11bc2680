"""What rules on workers look at beside a worker's own answers: those of others, their times, items skipped."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, exists, func, or_, select

from db.columns import word
from db.engine import Session, execute
from db.quality import USED_UP, asked_by
from db.tables import ASSIGNMENT, EVENT, ITEM, JUDGMENT, REPORT, WORKER
from db.workers import Enrolment

_LATEST = (
    select(JUDGMENT.c.item_id)
    .join_from(JUDGMENT, ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.worker_id == bindparam("worker"),
        ITEM.c.role == "main",
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.id > USED_UP,
    )
    .order_by(JUDGMENT.c.id.desc())
    .limit(bindparam("last"))
    .subquery()
)
_BESIDE = (
    select(JUDGMENT.c.id, WORKER.c.name, ITEM.c.key, JUDGMENT.c.label)
    .join_from(_LATEST, JUDGMENT, JUDGMENT.c.item_id == _LATEST.c.item_id)
    .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .join(WORKER, WORKER.c.id == JUDGMENT.c.worker_id)
    .where(JUDGMENT.c.status == "counted")
    .order_by(JUDGMENT.c.id)
)
_FIELDS = select(ITEM.c.key, ITEM.c.fields).join_from(_LATEST, ITEM, ITEM.c.id == _LATEST.c.item_id)
_SINCE = (
    select(func.max(EVENT.c.at))
    .where(
        EVENT.c.study_id == bindparam("study"),
        EVENT.c.worker_id == bindparam("worker"),
        or_(EVENT.c.kind == "restored", (EVENT.c.kind == "rule") & (EVENT.c.rule == bindparam("rule"))),
    )
    .scalar_subquery()
)
_REPORTED = exists().where(
    REPORT.c.study_id == ASSIGNMENT.c.study_id,
    REPORT.c.enrolment_id == ASSIGNMENT.c.enrolment_id,
    REPORT.c.item_id == ASSIGNMENT.c.item_id,
)
MET = (ASSIGNMENT.c.status.in_((word("done"), word("skipped"))), ITEM.c.role != "training", ~_REPORTED)
"""What holds for the lease of a main or control item that was answered or skipped; reports are no skips: they help."""
_MET = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.status, ITEM.c.key)
    .join_from(ASSIGNMENT, ITEM, ITEM.c.id == ASSIGNMENT.c.item_id)
    .where(
        ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
        ASSIGNMENT.c.leased_at >= func.coalesce(_SINCE, ASSIGNMENT.c.leased_at),
        *MET,
    )
    .order_by(ASSIGNMENT.c.place.desc())
    .limit(bindparam("last"))
)
_RECENT = 10_000
_NEWEST = (
    select(JUDGMENT.c.id, JUDGMENT.c.item_id, JUDGMENT.c.seconds)
    .where(
        # A sum, so that no database takes the index of the study instead and reads and sorts all its answers.
        JUDGMENT.c.study_id + 0 == bindparam("study"),
        JUDGMENT.c.id > select(func.max(JUDGMENT.c.id)).scalar_subquery() - _RECENT,
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.seconds.is_not(None),
    )
    .order_by(JUDGMENT.c.id.desc())
    .limit(bindparam("last"))
    .subquery()
)
_TIMES = (
    select(_NEWEST.c.seconds)
    .join_from(_NEWEST, ITEM, ITEM.c.id == _NEWEST.c.item_id)
    .where(ITEM.c.role == "main")
    .order_by(_NEWEST.c.id)
)


@dataclass(frozen=True)
class Beside:
    """Somebody's counted answer to a main item that the worker in question has answered; `key` is the judgment's."""

    key: int
    worker: str
    item: str
    label: str


@dataclass(frozen=True)
class Met:
    """An item that a worker was shown and answered or skipped."""

    item: str
    skipped: bool


def beside(session: Session, *, enrolment: Enrolment, rule: str, last: int) -> list[Beside]:
    """Return everybody's counted answers to the worker's `last` main items, in the order in which they were given.

    Items whose answers `rule` has acted upon already are left out.
    """
    return [Beside(*row) for row in execute(session, _BESIDE, **asked_by(enrolment, rule), last=last)]


def fields_beside(session: Session, *, enrolment: Enrolment, rule: str, last: int) -> dict[str, Mapping[str, str]]:
    """Return the fields of these items by their ids: open answers are compared with them in mind."""
    return {item: dict(fields) for item, fields in execute(session, _FIELDS, **asked_by(enrolment, rule), last=last)}


def met(session: Session, *, enrolment: Enrolment, rule: str, last: int) -> list[Met]:
    """Return the `last` main and control items that the worker answered or skipped, in their order.

    Reported ones are left out, and those from before `rule` acted upon the worker.
    """
    rows = execute(session, _MET, enrolment=enrolment.id, **asked_by(enrolment, rule), last=last).all()
    return [Met(row.key, row.status == "skipped") for row in reversed(rows)]


def times(session: Session, *, study_id: int, last: int = 1000) -> list[float]:
    """Return the seconds of the main answers among the study's `last` counted ones, in their order.

    Answers of excluded workers are void, so that they are no part of it. Only the newest 10,000 answers of the whole
    database are looked through, by their key, which takes as long in a study of any size. One that is quiet while
    others fill up, or a long log is imported, has fewer times until its own answers come in again.
    """
    return [float(seconds) for (seconds,) in execute(session, _TIMES, study=study_id, last=last)]
