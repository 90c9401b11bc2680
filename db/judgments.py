"""Judgments: what workers answered, imported answers, controls, and how many answers an item is to have."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from sqlalchemy import Select, bindparam, case, func, insert, select, update

from db.engine import Session, execute, read, write
from db.prepared_statements import Row
from db.statuses import JudgmentStatus
from db.studies import Study
from db.tables import ENROLMENT, ITEM, JUDGMENT, columns_of

_OF_WORKER_AND_ITEM = (JUDGMENT.c.item_id == bindparam("item"), JUDGMENT.c.worker_id == bindparam("worker"))
_LAST = select(JUDGMENT).where(*_OF_WORKER_AND_ITEM).order_by(JUDGMENT.c.repeat.desc()).limit(1)
_VOID = update(JUDGMENT).where(JUDGMENT.c.id == bindparam("key")).values(status="void", reason=bindparam("why"))
UNDONE = "undone"
_STANDING = _LAST.where(func.coalesce(JUDGMENT.c.reason, "") != UNDONE)
EXCLUDED, AFTERWARDS = "worker excluded", "sent after exclusion"
BLANK = ""
"""The label of an item of a sitting that was handed in without an answer: it is worth nothing, and counts."""
BROKEN_OFF, DUPLICATE = "sitting broken off", "duplicate"
"""Why a judgment is void: its worker took it back, was stopped after it or before it, left a sitting halfway, or had
answered the item before, as a log has it."""


@dataclass(frozen=True)
class ControlAnswer:
    """A worker's answer to a control item with known gold."""

    worker: int
    label: str
    gold: str
    fields: Mapping[str, str]


CONTROLS: Select[Any] = (
    select(*columns_of(ControlAnswer, JUDGMENT, worker=JUDGMENT.c.worker_id, gold=ITEM.c.gold, fields=ITEM.c.fields))
    .join_from(JUDGMENT, ITEM)
    .where(JUDGMENT.c.study_id == bindparam("study"), ITEM.c.role == "control", ITEM.c.gold.is_not(None))
)
"""The answers to the controls of a study whose right answer is known."""
_COUNTED_CONTROLS = CONTROLS.where(JUDGMENT.c.status == "counted")
_CONTROLS_OF_WORKER = _COUNTED_CONTROLS.where(JUDGMENT.c.worker_id == bindparam("worker"))
_MAIN = (ITEM.c.study_id == bindparam("study")) & (ITEM.c.role == "main")
_COUNTED = select(func.count()).where(JUDGMENT.c.item_id == ITEM.c.id, JUDGMENT.c.status == "counted").scalar_subquery()
_WANTED = ITEM.c.target - ITEM.c.filled - ITEM.c.held
_FILL = update(ITEM).where(_MAIN).values(filled=_COUNTED)
_FREE = update(ITEM).where(_MAIN).values(free=case((_WANTED > 0, _WANTED), else_=0))


@dataclass(frozen=True)
class Judgment:
    """An answer as it is stored. `page` and `price`: what is paid for together and how much, on each of its rows.

    `skill` is how able another platform holds the worker to be who gave it, from 0 to 1.
    """

    item_id: int
    worker_id: int
    label: str
    repeat: int = 0
    status: JudgmentStatus = "counted"
    reason: str | None = None
    page: str | None = None
    price: float | None = None
    seconds: float | None = None
    submitted_at: datetime | None = None
    instruction: int = 1
    skill: float | None = None


def add_judgments(session: Session, *, study: Study, judgments: Iterable[Judgment]) -> None:
    """Store many judgments at once, as an import does, and set the counts of their items."""
    rows = [{"study_id": study.id, **vars(judgment)} for judgment in judgments]
    if rows:
        write(session, insert(JUDGMENT), rows)
    recount(session, study=study)


def recount(session: Session, *, study: Study) -> None:
    """Set `filled` of every main item from its counted judgments, and `free` with it (never below zero)."""
    write(session, _FILL, study=study.id)
    write(session, _FREE, study=study.id)


def mark(session: Session, rows: Sequence[Row], status: JudgmentStatus, reason: str | None = None) -> None:
    """Give judgments another status, and the reason for it."""
    keys = [row.id for row in rows]
    write(session, update(JUDGMENT).where(JUDGMENT.c.id.in_(keys)).values(status=status, reason=reason))


def take_back(session: Session, *, item_key: int, worker_key: int) -> tuple[float, float] | None:
    """Void the worker's last answer to an item and return its active seconds and its price.

    Returns None, and changes nothing, where that answer does not count.
    """
    row = execute(session, _LAST, item=item_key, worker=worker_key).first()
    if row is None or row.status != "counted":
        return None
    execute(session, _VOID, key=row.id, why=UNDONE)
    return row.seconds or 0.0, row.price or 0.0


def control_record(session: Session, *, study: Study, worker_key: int) -> tuple[int, int]:
    """Return how many control items with gold the worker has answered right, and how many in all."""
    given = execute(session, _CONTROLS_OF_WORKER, study=study.id, worker=worker_key).all()
    right = [study.task.answer_for(fields).right(label, gold, fields) for _, label, gold, fields in given]
    return sum(right), len(right)


def last_label(session: Session, *, item_key: int, worker_key: int) -> str | None:
    """Return the worker's latest answer to an item that was not taken back."""
    row = execute(session, _STANDING, item=item_key, worker=worker_key).first()
    return None if row is None else str(row.label)


_SO_FAR = select(func.coalesce(func.sum(ENROLMENT.c.answers), 0)).where(ENROLMENT.c.study_id == bindparam("study"))
_FIRST_TIMES = (
    select(JUDGMENT.c.seconds)
    .join_from(JUDGMENT, ITEM)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.seconds.is_not(None), ITEM.c.role != "training")
    .order_by(JUDGMENT.c.id)
    .limit(bindparam("first"))
)


def answers_so_far(session: Session, *, study: Study) -> int:
    """Return how many answers to main and control items people have given in a study."""
    return int(read(session, _SO_FAR, study=study.id).scalar_one())


def median_of_first(session: Session, *, study: Study, first: int) -> float:
    """Return the median of the active seconds of a study's `first` answers, whatever became of them since; 0: none."""
    return float(median(read(session, _FIRST_TIMES, study=study.id, first=first).scalars().all() or [0.0]))


def label_taken_back(session: Session, *, item_key: int, worker_key: int) -> str:
    """Return the worker's latest answer to an item where it was taken back, "" where it was not."""
    row = execute(session, _LAST, item=item_key, worker=worker_key).first()
    return str(row.label) if row is not None and row.reason == UNDONE else ""


_COUNTS = select(*ITEM.c["fields", "target", "filled", "held"]).where(ITEM.c.id == bindparam("item")).with_for_update()
_VOTES = select(JUDGMENT.c.worker_id, JUDGMENT.c.label).where(
    JUDGMENT.c.item_id == bindparam("item"), JUDGMENT.c.status == "counted"
)
_VOTER = JUDGMENT.alias("vote")
_CONTROLS_OF_VOTERS = _COUNTED_CONTROLS.where(
    JUDGMENT.c.worker_id.in_(
        select(_VOTER.c.worker_id).where(_VOTER.c.item_id == bindparam("item"), _VOTER.c.status == "counted")
    )
)
_MAIN_OF_WORKER = (
    select(JUDGMENT.c.item_id, JUDGMENT.c.label, JUDGMENT.c.seconds)
    .join_from(JUDGMENT, ITEM)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.worker_id == bindparam("worker"))
    .where(ITEM.c.role == "main")
)
_JUDGED = _MAIN_OF_WORKER.with_only_columns(ITEM.c.id).distinct().order_by(ITEM.c.id)
_MAIN_ANSWERS = _MAIN_OF_WORKER.where(JUDGMENT.c.status == "counted").order_by(JUDGMENT.c.id)
_SET_TARGET = (
    update(ITEM)
    .where(ITEM.c.id == bindparam("item"))
    .values(target=bindparam("wanted"), free=bindparam("wanted") - ITEM.c.filled - ITEM.c.held)
)


def counts(session: Session, *, item_key: int) -> Row:
    """Return `fields`, `target`, `filled` and `held` of an item, which is locked."""
    return execute(session, _COUNTS, item=item_key).one()


def votes(session: Session, *, item_key: int) -> list[tuple[int, str]]:
    """Return the counted answers to an item, each as (key of the worker, label)."""
    return [(row.worker_id, row.label) for row in execute(session, _VOTES, item=item_key)]


def controls_of_voters(session: Session, *, study_id: int, item_key: int) -> dict[int, list[ControlAnswer]]:
    """Return the counted answers to controls of everybody whose answer to an item counts, by the worker's key."""
    by_worker: defaultdict[int, list[ControlAnswer]] = defaultdict(list)
    for row in execute(session, _CONTROLS_OF_VOTERS, study=study_id, item=item_key):
        by_worker[row.worker].append(ControlAnswer(*row))
    return dict(by_worker)


def judged_by(session: Session, *, study_id: int, worker_key: int) -> list[int]:
    """Return the keys of the main items that a worker has answered, in the order in which they are locked."""
    return list(execute(session, _JUDGED, study=study_id, worker=worker_key).scalars())


def main_answers(session: Session, *, study: Study, worker_key: int) -> list[Row]:
    """Return `item_id`, `label` and `seconds` of the counted answers of a worker to main items, in their order."""
    return execute(session, _MAIN_ANSWERS, study=study.id, worker=worker_key).all()


def set_target(session: Session, *, item_key: int, target: int) -> None:
    """Let an item want so many answers, no fewer than it has and waits for; its free places follow."""
    execute(session, _SET_TARGET, item=item_key, wanted=target)
