"""Events: what was done to a study and to the workers in it, never changed and never deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select

from db.clock import now
from db.engine import Database, Session, execute, read, writing
from db.statuses import EventKind
from db.studies import Study, get_study
from db.tables import EVENT, JUDGMENT, WORKER, columns_of, word


@dataclass(frozen=True)
class Cause:
    """Who did something (an account, a worker or a rule), when and why. `rule` is "" where none fired."""

    who: str
    at: datetime
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Event:
    """One event as it is read. `worker` is "" where the study as a whole is meant, `rule` "" where none fired."""

    kind: EventKind
    worker: str
    rule: str
    who: str
    reason: str
    details: Mapping[str, Any]
    at: datetime

    @property
    def why(self) -> str:
        """The reason that was given, behind the run or the file that is meant."""
        run = f"run {self.details['run']} of {self.details['model']}" if "run" in self.details else ""
        return ": ".join(filter(None, (run, self.details.get("file"), self.reason)))


_ADD = insert(EVENT)
_LAST = select(func.max(JUDGMENT.c.id)).where(
    JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.worker_id == bindparam("worker")
)
_OF_STUDY = (
    select(*columns_of(Event, EVENT, worker=func.coalesce(WORKER.c.name, "")))
    .join_from(EVENT, WORKER, WORKER.c.id == EVENT.c.worker_id, isouter=True)
    .where(EVENT.c.study_id == bindparam("study"))
    .order_by(EVENT.c.id.desc())
)
_NEWEST = (
    select(EVENT.c.rule, EVENT.c.kind, EVENT.c.reason, EVENT.c.upto)
    .where(EVENT.c.study_id == bindparam("study"), EVENT.c.worker_id == bindparam("worker"))
    .order_by(EVENT.c.id.desc())
    .limit(1)
)
_STOP = _NEWEST.where(EVENT.c.kind.in_((word("excluded"), word("on_hold"))))
_LIFTED = _NEWEST.where(EVENT.c.kind.in_((word("excluded"), word("on_hold"), word("restored"))))
_FIRED = (
    select(EVENT.c.worker_id, EVENT.c.rule, func.count())
    .where(EVENT.c.study_id == bindparam("study"), EVENT.c.kind == "rule")
    .group_by(EVENT.c.worker_id, EVENT.c.rule)
    .order_by(EVENT.c.rule)
)


def add_event(
    session: Session,
    *,
    study_id: int,
    kind: EventKind,
    cause: Cause,
    worker_id: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Write down what was done to a study or to a worker in it; `details` name the judgments it rests on."""
    upto = None if worker_id is None else execute(session, _LAST, study=study_id, worker=worker_id).scalar()
    whose = {"study_id": study_id, "worker_id": worker_id, "upto": upto}
    execute(session, _ADD, **whose, kind=kind, details=dict(details or {}), **vars(cause))


def add_download(database: Database, *, study: str, file: str, who: str) -> None:
    """Write down that an account gets a file of a study; raises UnknownName."""
    with writing(database) as session:
        of = get_study(session, name=study)
        add_event(session, study_id=of.id, kind="downloaded", cause=Cause(who, now()), details={"file": file})


def list_events(
    session: Session, *, study: Study, most: int | None = 500, kinds: Sequence[str] = (), worker: str = ""
) -> list[Event]:
    """Return the last events of a study, the newest first, at most `most` (None: all).

    `kinds` and `worker`: only these kinds, only of the worker of that name; nothing named leaves nothing out.
    """
    asked = _OF_STUDY.limit(most)
    asked = asked.where(EVENT.c.kind.in_(kinds)) if kinds else asked
    asked = asked.where(WORKER.c.name == worker) if worker else asked
    return [Event(*row) for row in read(session, asked, study=study.id)]


def last_stop(session: Session, *, study_id: int, worker_id: int) -> str:
    """Return the rule that excluded or paused a worker the last time, "" where a person did."""
    return execute(session, _STOP, study=study_id, worker=worker_id).scalar() or ""


def lifted(session: Session, *, study_id: int, worker_id: int) -> str | None:
    """Return the reason for which a worker was taken back, who has not answered since; None for anybody else."""
    last = execute(session, _LIFTED, study=study_id, worker=worker_id).first()
    if last is None or last.kind != "restored":
        return None
    newest = execute(session, _LAST, study=study_id, worker=worker_id).scalar()
    return str(last.reason) if last.upto == newest else None


def rules_fired(session: Session, *, study: Study) -> dict[int, dict[str, int]]:
    """Return how often each rule has found each worker, by the worker's key."""
    fired: dict[int, dict[str, int]] = {}
    for worker, rule, times in read(session, _FIRED, study=study.id):
        fired.setdefault(worker, {})[rule] = times
    return fired
