"""What workers wrote who were stopped, and the requesters' answers to it; every answer is an event."""

from dataclasses import dataclass, field

from annotate import overlap
from data.errors import BadSetting
from db import exclusions
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact
from db.events import Cause, add_event
from db.records import ON_APPEAL, Appeal, answer, list_appeals
from db.studies import get_study

LONGEST_REPLY = 1000


@dataclass(frozen=True)
class AppealReplies:
    """The appeals of studies. `who` is the account that answers."""

    database: Database
    clock: Clock = field(default=now)

    def appeals(self, name: str) -> list[Appeal]:
        """Return what workers of a study wrote who were stopped: what waits for an answer, then the newest first."""
        with reading(self.database) as session:
            return sorted(
                list_appeals(session, study=get_study(session, name=name)), key=lambda appeal: not appeal.open
            )

    def answer(self, name: str, worker: str, text: str, *, who: str, restore: bool = False) -> bool:
        """Answer what a worker wrote, and let the worker go on with `restore`; False where nothing waits for an answer.

        Raises UnknownName, and BadSetting for an answer that says nothing or is too long.
        """
        said = checked_reply(text)

        def work(session: Session) -> bool:
            study = get_study(session, name=name)
            enrolment = exclusions.enrolled(session, study=study, worker=worker)
            key, moment = enrolment.worker_id, self.clock()
            if not answer(session, enrolment=enrolment, text=said, restored=restore, who=who, moment=moment):
                return False
            if restore:
                back = Cause(who, moment, ON_APPEAL)
                exclusions.restore(session, enrolment=enrolment, cause=back, all_or_none=study.settings.sitting)
                overlap.settle_all(session, study=study, worker_key=key)
            add_event(session, study_id=study.id, worker_id=key, kind="replied", cause=Cause(who, self.clock()))
            return True

        return transact(self.database, work)


def checked_reply(text: str) -> str:
    """Return an answer as it is kept; raises BadSetting for one that says nothing or is too long."""
    said = "\n".join(text.replace("\0", "").splitlines()).strip()
    if not 0 < len(said) <= LONGEST_REPLY:
        raise BadSetting(f"Write the answer in 1 to {LONGEST_REPLY} characters: the worker reads it.")
    return said
