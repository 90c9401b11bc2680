"""Judgments: one worker's answer to one item, never deleted; it may be voided with a reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, update
from sqlmodel import Session, case, col, func, select

from db.studies import Study
from db.tables import ItemRow, JudgmentRow, JudgmentStatus


@dataclass(frozen=True)
class Judgment:
    """An answer as it is stored. `page` and `price`: what is paid for together and how much, on each of its rows."""

    item_key: int
    worker_key: int
    label: str
    repeat: int = 0
    status: JudgmentStatus = "counted"
    reason: str | None = None
    page: str | None = None
    price: float | None = None
    seconds: float | None = None
    submitted_at: datetime | None = None


@dataclass(frozen=True)
class Record:
    """A worker's work in a study: answers to main and control items, active seconds and pay, practice included."""

    answers: int
    seconds: float
    earned: float


def add_judgments(session: Session, *, study: Study, judgments: Iterable[Judgment]) -> None:
    """Store many judgments at once, as an import does, and set the counts of their items."""
    rows = [
        {
            "study_id": study.id,
            "item_id": j.item_key,
            "worker_id": j.worker_key,
            "label": j.label,
            "repeat": j.repeat,
            "status": j.status,
            "reason": j.reason,
            "page": j.page,
            "price": j.price,
            "seconds": j.seconds,
            "submitted_at": j.submitted_at,
        }
        for j in judgments
    ]
    if rows:
        session.exec(insert(JudgmentRow), params=rows)
    recount(session, study=study)


def recount(session: Session, *, study: Study) -> None:
    """Set `filled` of every main item from its counted judgments, and `free` with it (never below zero)."""
    counted = (
        select(func.count())
        .where(col(JudgmentRow.item_id) == col(ItemRow.id), JudgmentRow.status == "counted")
        .scalar_subquery()
    )
    main = (col(ItemRow.study_id) == study.id) & (col(ItemRow.role) == "main")
    session.exec(update(ItemRow).where(main).values(filled=counted))
    wanted = col(ItemRow.target) - col(ItemRow.filled) - col(ItemRow.held)
    session.exec(update(ItemRow).where(main).values(free=case((wanted > 0, wanted), else_=0)))


def has_judged(session: Session, *, item_key: int, worker_key: int) -> bool:
    """Return whether the worker has answered the item already."""
    return next_repeat(session, item_key=item_key, worker_key=worker_key) > 0


def next_repeat(session: Session, *, item_key: int, worker_key: int) -> int:
    """Return how often the worker has answered the item: the number of its next answer, from 0."""
    statement = select(func.count()).where(JudgmentRow.item_id == item_key, JudgmentRow.worker_id == worker_key)
    return session.exec(statement).one()


def training_record(session: Session, *, study: Study, worker_key: int) -> tuple[int, int]:
    """Return how many training items the worker has answered and how many of them right at the first try."""
    statement = (
        select(JudgmentRow.label, ItemRow.gold, ItemRow.fields)
        .join(ItemRow, col(ItemRow.id) == col(JudgmentRow.item_id))
        .where(
            JudgmentRow.study_id == study.id,
            JudgmentRow.worker_id == worker_key,
            ItemRow.role == "training",
            JudgmentRow.repeat == 0,
        )
    )
    given = session.exec(statement).all()
    right = sum(study.task.answer_for(fields).right(label, gold or "", fields) for label, gold, fields in given)
    return len(given), right


def work_record(session: Session, *, study: Study, worker_key: int) -> Record:
    """Return what a worker has done in a study: nothing is left out but what was voided."""
    work, seconds, price = ItemRow.role != "training", col(JudgmentRow.seconds), col(JudgmentRow.price)
    statement = (
        select(func.sum(case((work, 1), else_=0)), func.sum(seconds), func.sum(price))
        .join(ItemRow, col(ItemRow.id) == col(JudgmentRow.item_id))
        .where(JudgmentRow.study_id == study.id, JudgmentRow.worker_id == worker_key, JudgmentRow.status != "void")
    )
    answers, active, earned = session.exec(statement).one()
    return Record(answers=answers or 0, seconds=active or 0.0, earned=earned or 0.0)


def last_label(session: Session, *, item_key: int, worker_key: int) -> str | None:
    """Return the worker's latest answer to an item."""
    statement = (
        select(JudgmentRow.label)
        .where(JudgmentRow.item_id == item_key, JudgmentRow.worker_id == worker_key)
        .order_by(col(JudgmentRow.repeat).desc())
    )
    return session.exec(statement).first()
