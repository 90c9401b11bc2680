"""Appeals: what workers who were stopped write to the researchers, and what they are answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from db.engine import Session, execute, read, write
from db.studies import Study
from db.tables import APPEAL, ENROLMENT, WORKER
from db.workers import Enrolment

_ADD = insert(APPEAL)
_UNSAID = {"reply": "", "who": "", "replied_at": None, "restored": False, "read": False}
_LISTED = (
    select(
        WORKER.c.name,
        APPEAL.c.text,
        APPEAL.c.sent_at,
        APPEAL.c.reply,
        APPEAL.c.who,
        APPEAL.c.replied_at,
        APPEAL.c.restored,
        APPEAL.c.id,
    )
    .join_from(APPEAL, ENROLMENT, ENROLMENT.c.id == APPEAL.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .order_by(APPEAL.c.id.desc())
)
_OF_STUDY = _LISTED.where(APPEAL.c.study_id == bindparam("study"))
_OF_WORKER = _LISTED.where(APPEAL.c.enrolment_id == bindparam("enrolment"))
_OPEN = APPEAL.c.replied_at.is_(None)
_NUMBER_OPEN = select(func.count()).select_from(APPEAL).where(APPEAL.c.study_id == bindparam("study"), _OPEN)
_ANSWER = (
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


def add_appeal(session: Session, *, enrolment: Enrolment, text: str, moment: datetime) -> None:
    """Store what a worker writes."""
    execute(session, _ADD, study_id=enrolment.study_id, enrolment_id=enrolment.id, text=text, sent_at=moment, **_UNSAID)


def list_appeals(session: Session, *, study: Study) -> list[Appeal]:
    """Return every appeal of a study, the newest first."""
    return [Appeal(*row) for row in read(session, _OF_STUDY, study=study.id)]


def appeals_of(session: Session, *, enrolment: Enrolment) -> Sequence[Appeal]:
    """Return what a worker has written, the newest first."""
    return [Appeal(*row) for row in execute(session, _OF_WORKER, enrolment=enrolment.id)]


def count_open(session: Session, *, study: Study) -> int:
    """Return how many appeals of a study wait for an answer."""
    return int(read(session, _NUMBER_OPEN, study=study.id).scalar_one())


def answer(session: Session, *, enrolment: Enrolment, text: str, who: str, restored: bool, moment: datetime) -> bool:
    """Answer the open appeal of a worker, read locked; return False, and change nothing, where there is none."""
    if not any(appeal.open for appeal in appeals_of(session, enrolment=enrolment)):
        return False
    write(session, _ANSWER, of=enrolment.id, said=text, by=who, moment=moment, taken_back=restored)
    return True


def unread(session: Session, *, enrolment: Enrolment) -> str:
    """Return the answer with which a worker was taken back, once; "" where there is none, or it was read."""
    reply = execute(session, _UNREAD, enrolment=enrolment.id).first()
    if reply is None:
        return ""
    execute(session, _READ, of=enrolment.id)
    return str(reply.reply)
