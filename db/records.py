"""What experts decided, workers reported and stopped workers wrote, and the columns of these and of events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from data.tables import Column
from data.task import BROKEN
from db.engine import Session, execute, read, write
from db.events import Event
from db.judgments import recount
from db.statuses import LIVE
from db.studies import Study
from db.tables import APPEAL, ASSIGNMENT, DECISION, ENROLMENT, ITEM, JUDGMENT, REPORT, WORKER, columns_of
from db.workers import Enrolment, add_work


@dataclass(frozen=True)
class Decision:
    """One decision: the id of the item, who decided when, and a note. `blind`: before this expert saw the votes.

    `key` is that of the item.
    """

    item: str
    label: str
    who: str
    note: str
    blind: bool
    decided_at: datetime
    key: int


_DECISIONS = (
    select(*columns_of(Decision, DECISION, item=ITEM.c.key, key=DECISION.c.item_id))
    .join_from(DECISION, ITEM)
    .where(DECISION.c.study_id == bindparam("study"))
    .order_by(DECISION.c.id)
)


def add_decision(session: Session, decision: Decision, *, study: Study) -> None:
    """Store what an expert has decided; earlier decisions stay as they are."""
    columns = {name: getattr(decision, name) for name in ("who", "label", "note", "blind", "decided_at")}
    write(session, insert(DECISION), study_id=study.id, item_id=decision.key, **columns)


def list_decisions(session: Session, *, study: Study, item_key: int | None = None) -> list[Decision]:
    """Return every decision on a study's items, or on one of them, in the order in which they were made."""
    asked = _DECISIONS if item_key is None else _DECISIONS.where(DECISION.c.item_id == item_key)
    return [Decision(*row) for row in read(session, asked, study=study.id)]


def decisions(session: Session, *, study: Study) -> dict[str, str]:
    """Return the newest decision on every item that has one, by the item's id."""
    return {row.item: row.label for row in read(session, _DECISIONS, study=study.id)}


REASONS = ("mistake", "no_answer", "unclear", "broken", "other")
"""Why a worker reports an item; "other" goes with a text."""


@dataclass(frozen=True)
class Report:
    """One report: the id of the item, the worker's pseudonym, a reason by its code, and what was written about it.

    `key`, `role` and `gold` are those of the item. `instead` of an answer it was paid `price`.
    """

    item: str
    worker: str
    reason: str
    text: str
    reported_at: datetime
    key: int
    role: str
    gold: str | None = None
    instead: bool = True
    price: float = 0.0

    @property
    def upheld(self) -> bool:
        """Whether the item was found to be broken."""
        return self.role.startswith(BROKEN)


@dataclass(frozen=True)
class GivenReport:
    """A report as it comes; `instead` of an answer it is paid `price`."""

    reason: str
    text: str
    reported_at: datetime
    instead: bool = True
    price: float = 0.0


_OF_WORKER = select(REPORT.c.item_id, REPORT.c.instead).where(REPORT.c.enrolment_id == bindparam("enrolment"))
_REPORTS_OF_STUDY = (
    select(
        *columns_of(
            Report, REPORT, item=ITEM.c.key, worker=WORKER.c.name, key=ITEM.c.id, role=ITEM.c.role, gold=ITEM.c.gold
        )
    )
    .join_from(REPORT, ITEM)
    .join(ENROLMENT, ENROLMENT.c.id == REPORT.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .where(REPORT.c.study_id == bindparam("study"))
    .order_by(REPORT.c.id)
)


def add_report(session: Session, given: GivenReport, *, enrolment: Enrolment, item_key: int) -> None:
    """Store what a worker has found wrong with an item."""
    where = {"study_id": enrolment.study_id, "enrolment_id": enrolment.id, "item_id": item_key}
    write(session, insert(REPORT), **where, **vars(given))


def reported_by(session: Session, *, enrolment: Enrolment) -> list[tuple[int, bool]]:
    """Return the keys of the items that a worker has reported, each with whether it was in place of an answer."""
    return [(row.item_id, row.instead) for row in read(session, _OF_WORKER, enrolment=enrolment.id)]


def list_reports(session: Session, *, study: Study, item_key: int | None = None) -> list[Report]:
    """Return every report on a study's items, or on one of them, in the order they came."""
    asked = _REPORTS_OF_STUDY if item_key is None else _REPORTS_OF_STUDY.where(REPORT.c.item_id == item_key)
    return [Report(*row) for row in read(session, asked, study=study.id)]


_ROLE = select(ITEM.c.role).where(ITEM.c.study_id == bindparam("study"), ITEM.c.id == bindparam("item"))
_OPEN_LEASES = (
    select(func.count()).where(ASSIGNMENT.c.item_id == ITEM.c.id, ASSIGNMENT.c.status.in_(LIVE)).scalar_subquery()
)
_UNPAID_REPORTS = select(REPORT.c.id, REPORT.c.enrolment_id).where(
    REPORT.c.item_id == bindparam("item"), REPORT.c.instead, REPORT.c.price == 0
)
_PAY_REPORT = update(REPORT).where(REPORT.c.id == bindparam("report")).values(price=bindparam("paid"))
_TRY_ON = (
    update(ENROLMENT)
    .where(
        ENROLMENT.c.study_id == bindparam("study"),
        ENROLMENT.c.status == "failed",
        ENROLMENT.c.worker_id.in_(select(JUDGMENT.c.worker_id).where(JUDGMENT.c.item_id == bindparam("item"))),
    )
    .values(status="active")
)


def uphold(session: Session, *, study: Study, item_key: int, broken: bool = True) -> bool:
    """Take an item out of labels, scores and rules, or (not `broken`) back; return whether that changed anything.

    What was paid for it stays paid, and reports in place of an answer are paid now. Whoever failed the training with it
    is looked at anew when the page is opened next.
    """
    role = read(session, _ROLE, study=study.id, item=item_key).scalar_one()
    if role.startswith(BROKEN) == broken:
        return False
    became = f"{BROKEN}{role}" if broken else role.removeprefix(BROKEN)
    held = 0 if became != "main" else _OPEN_LEASES
    write(session, update(ITEM).where(ITEM.c.id == item_key).values(role=became, held=held, free=0))
    if not broken:
        recount(session, study=study)
        return True
    for report in read(session, _UNPAID_REPORTS, item=item_key).all() if study.settings.price else ():
        write(session, _PAY_REPORT, report=report.id, paid=study.settings.price)
        add_work(session, enrolment_id=report.enrolment_id, earned=study.settings.price)
    if role == "training":
        write(session, _TRY_ON, study=study.id, item=item_key)
    return True


@dataclass(frozen=True)
class Appeal:
    """What a worker wrote, and the answer by `who`: `replied_at` is None while it is open; `restored`: and goes on."""

    worker: str
    text: str
    sent_at: datetime
    reply: str = ""
    who: str = ""
    replied_at: datetime | None = None
    restored: bool = False
    key: int = 0

    @property
    def open(self) -> bool:
        """Whether nobody has answered yet."""
        return self.replied_at is None


_ADD_APPEAL = insert(APPEAL)
_UNSAID = {"reply": "", "who": "", "replied_at": None, "restored": False, "read": False}
_APPEALS = (
    select(*columns_of(Appeal, APPEAL, worker=WORKER.c.name, key=APPEAL.c.id))
    .join_from(APPEAL, ENROLMENT, ENROLMENT.c.id == APPEAL.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .order_by(APPEAL.c.id.desc())
)
_APPEALS_OF_STUDY = _APPEALS.where(APPEAL.c.study_id == bindparam("study"))
_APPEALS_OF_WORKER = _APPEALS.where(APPEAL.c.enrolment_id == bindparam("enrolment"))
_OPEN = APPEAL.c.replied_at.is_(None)
_NUMBER_OPEN = select(func.count()).select_from(APPEAL).where(APPEAL.c.study_id == bindparam("study"), _OPEN)
_REPLY = (
    update(APPEAL)
    .where(APPEAL.c.enrolment_id == bindparam("of"), _OPEN)
    .values(
        reply=bindparam("said"), who=bindparam("by"), replied_at=bindparam("moment"), restored=bindparam("taken_back")
    )
)
_UNREAD = (
    select(APPEAL.c.id, APPEAL.c.reply)
    .where(APPEAL.c.enrolment_id == bindparam("enrolment"), APPEAL.c.restored.is_(True), APPEAL.c.read.is_(False))
    .order_by(APPEAL.c.id.desc())
)
_READ = update(APPEAL).where(APPEAL.c.enrolment_id == bindparam("of")).values(read=True)

ON_APPEAL = "the appeal was right"  # the reason of whoever is taken back with an answer


def add_appeal(session: Session, *, enrolment: Enrolment, text: str, moment: datetime) -> None:
    """Store what a worker writes."""
    mine = {"study_id": enrolment.study_id, "enrolment_id": enrolment.id}
    execute(session, _ADD_APPEAL, **mine, text=text, sent_at=moment, **_UNSAID)


def list_appeals(session: Session, *, study: Study) -> list[Appeal]:
    """Return every appeal of a study, the newest first."""
    return [Appeal(*row) for row in read(session, _APPEALS_OF_STUDY, study=study.id)]


def appeals_of(session: Session, *, enrolment: Enrolment) -> Sequence[Appeal]:
    """Return what a worker has written, the newest first."""
    return [Appeal(*row) for row in execute(session, _APPEALS_OF_WORKER, enrolment=enrolment.id)]


def count_open(session: Session, *, study: Study) -> int:
    """Return how many appeals of a study wait for an answer."""
    return int(read(session, _NUMBER_OPEN, study=study.id).scalar_one())


def answer(session: Session, *, enrolment: Enrolment, text: str, who: str, restored: bool, moment: datetime) -> bool:
    """Answer the open appeal of a worker, read locked; return False, and change nothing, where there is none."""
    if not any(appeal.open for appeal in appeals_of(session, enrolment=enrolment)):
        return False
    write(session, _REPLY, of=enrolment.id, said=text, by=who, moment=moment, taken_back=restored)
    return True


def unread(session: Session, *, enrolment: Enrolment) -> str:
    """Return the answer with which a worker was taken back, once; "" where there is none, or it was read."""
    reply = execute(session, _UNREAD, enrolment=enrolment.id).first()
    if reply is None:
        return ""
    execute(session, _READ, of=enrolment.id)
    return str(reply.reply)


WHEN = "when (UTC)"
MINUTE = "{:%Y-%m-%d %H:%M}".format
EVENTS: tuple[Column[Event], ...] = (
    Column("at", WHEN, "", lambda event: event.at, MINUTE),
    Column("kind", "event", "", lambda event: event.kind),
    Column("worker", "worker", "", lambda event: event.worker),
    Column("rule", "rule", "", lambda event: event.rule),
    Column("who", "by", "", lambda event: event.who),
    Column("reason", "reason", "", lambda event: event.reason),
    Column("details", "details", "", lambda event: event.details),
)
DECISIONS: tuple[Column[Decision], ...] = (
    Column("item", "item", "", lambda decision: decision.item),
    Column("label", "answer", "", lambda decision: decision.label),
    Column("who", "by", "", lambda decision: decision.who),
    Column("blind", "blind", "", lambda decision: decision.blind, lambda blind: "yes" if blind else "no"),
    Column("note", "note", "", lambda decision: decision.note),
    Column("decided_at", WHEN, "", lambda decision: decision.decided_at, "{:%Y-%m-%d %H:%M:%S}".format),
)
REPORTS: tuple[Column[Report], ...] = (
    Column("item", "item", "", lambda report: report.item),
    Column("worker", "worker", "", lambda report: report.worker),
    Column("reason", "what is wrong", "", lambda report: report.reason),
    Column("text", "in the worker's words", "", lambda report: report.text),
    Column("reported_at", WHEN, "", lambda report: report.reported_at),
    Column("instead", "in place of an answer", "", lambda report: report.instead, lambda yes: "yes" if yes else "no"),
    Column("price", "paid", "", lambda report: report.price),
    Column("upheld", "upheld", "", lambda report: report.upheld, lambda yes: "yes" if yes else "no"),
)
APPEALS: tuple[Column[Appeal], ...] = (
    Column("worker", "worker", "", lambda appeal: appeal.worker),
    Column("text", "wrote", "", lambda appeal: appeal.text),
    Column("sent_at", WHEN, "", lambda appeal: appeal.sent_at, MINUTE),
    Column("reply", "answer", "", lambda appeal: appeal.reply),
    Column("who", "answered by", "", lambda appeal: appeal.who),
    Column("replied_at", "answered (UTC)", "", lambda appeal: appeal.replied_at),
    Column("restored", "goes on", "", lambda appeal: appeal.restored),
)
