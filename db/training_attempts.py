"""Attempts at the training: each begins it anew, and in each the first answer to an item counts."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import bindparam, exists, func, select, update

from db.engine import Session, execute, read, write
from db.events import Cause, add_event
from db.studies import Study
from db.tables import ENROLMENT, EVENT, ITEM, JUDGMENT, word
from db.workers import Enrolment, add_work, get_enrolment

_BEGUN = select(func.count(), func.coalesce(func.max(EVENT.c.upto), 0)).where(
    EVENT.c.study_id == bindparam("study"), EVENT.c.worker_id == bindparam("worker"), EVENT.c.kind == word("retried")
)
_OF_WORKER = (
    select(JUDGMENT.c.item_id, JUDGMENT.c.label, JUDGMENT.c.submitted_at, ITEM.c.gold, ITEM.c.fields)
    .join_from(JUDGMENT, ITEM)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.worker_id == bindparam("worker"))
)
_GIVEN = _OF_WORKER.where(JUDGMENT.c.id > bindparam("after"), ITEM.c.role == word("training")).order_by(JUDGMENT.c.id)
_ANSWERED = exists().where(
    JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.worker_id == bindparam("worker"), JUDGMENT.c.id > bindparam("after")
)
_NEXT = (
    select(ITEM.c.id)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == word("training"), ~_ANSWERED)
    .order_by(ITEM.c.place)
    .limit(1)
)


_UNPAID = _OF_WORKER.with_only_columns(JUDGMENT.c.id).where(
    JUDGMENT.c.repeat == 0, JUDGMENT.c.price == 0, ITEM.c.role.endswith("training")
)  # a broken item was answered as well
_IN_TRAINING = select(ENROLMENT.c.id).where(
    ENROLMENT.c.study_id == bindparam("study"), ENROLMENT.c.qualified_at.is_(None), ENROLMENT.c.status == "active"
)


@dataclass(frozen=True)
class TrainingAttempt:
    """A worker's latest attempt, `number` from 1: how many items are answered and how many of them right at first.

    `after` is the worker's last judgment before it began (0: none), `answered_at` when the last first answer came, None
    before any. `next_item` is the key of the item that comes next, None when all are answered.
    """

    number: int
    after: int
    answered: int
    right: int
    answered_at: datetime | None
    next_item: int | None


def latest_attempt(session: Session, *, study: Study, enrolment: Enrolment) -> TrainingAttempt:
    """Return a worker's latest attempt at the training of a study; without training it is empty."""
    who = {"study": study.id, "worker": enrolment.worker_id}
    again, after = execute(session, _BEGUN, **who).one()
    right: list[bool] = []
    met, answered_at = set(), None
    for item, label, submitted_at, gold, fields in execute(session, _GIVEN, **who, after=after):
        if item not in met:
            met.add(item)
            right.append(study.task.answer_for(fields).right(label, gold or "", fields))
            answered_at = submitted_at
    following: int | None = execute(session, _NEXT, **who, after=after).scalar()
    return TrainingAttempt(again + 1, after, len(right), sum(right), answered_at, following)


def pay(session: Session, *, study: Study, enrolment: Enrolment) -> Enrolment:
    """Pay the first answer to each practice item that is not paid yet, and return the enrolment with it."""
    price = study.settings.training_price
    unpaid = read(session, _UNPAID, study=study.id, worker=enrolment.worker_id).scalars().all() if price else []
    if not unpaid:
        return enrolment
    write(session, update(JUDGMENT).where(JUDGMENT.c.id.in_(unpaid)).values(price=price))
    earned = price * len(unpaid)
    add_work(session, enrolment_id=enrolment.id, earned=earned)
    return replace(enrolment, earned=enrolment.earned + earned)


def pay_all(session: Session, *, study: Study) -> None:
    """Pay the practice of everybody whose training ends because no item is left: the study is closed."""
    for key in read(session, _IN_TRAINING, study=study.id).scalars().all():
        enrolment = get_enrolment(session, enrolment_id=key, lock=True)
        if enrolment is not None:
            pay(session, study=study, enrolment=enrolment)


def begin_again(session: Session, *, enrolment: Enrolment, number: int, moment: datetime) -> None:
    """Begin attempt `number` at the training: what was answered until now is left to the one before."""
    study, worker, cause = enrolment.study_id, enrolment.worker_id, Cause(enrolment.worker, moment)
    add_event(session, study_id=study, worker_id=worker, kind="retried", cause=cause, details={"attempt": number})
