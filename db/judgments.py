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
