"""Workers and their enrolments: who takes part in which study, and how far along the way."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, Update, bindparam, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from data.wording import Language
from db.engine import Contended, Session, execute, read, write
from db.statuses import EnrolmentStatus
from db.studies import BESIDE, Study, study_beside
from db.tables import ENROLMENT, JUDGMENT, STUDY, WORKER, EnrolmentRow, PlaceKey, WorkerRow, columns_of

PSEUDONYM = "w-"  # what a worker's name begins with that was made here
STRANGER = "a."  # what `external` begins with where nothing is known of the person


@dataclass(frozen=True)
class Enrolment:
    """One worker in one study. `served` counts the leases so far and gives the next one its place.

    `worked` counts those of main and control items, `ahead` is how many items were to come when the page began,
    `checks` how many controls it holds where that is not the study's number;
    `answers` to main and control items, active `seconds` and pay (`earned`) are of the judgments that were given as
    promised, whatever became of them since: only an answer that its worker takes back is no longer among them.
    `clocked` is what counts against `max_hours`, `answered_at` when the last answer came. An item whose time ran out
    comes back to the worker so many times (`comebacks`) before presence is to be confirmed.
    `instruction` is the version of the instruction that was read last.
    `undoable` is the place of the answer that may be taken back, `skips` the number of items skipped or reported;
    `stranger`: no invitation would bring the person back to this place.
    """

    id: int
    study_id: int
    worker_id: int
    worker: str
    status: EnrolmentStatus
    language: Language
    consented: bool
    instructed: bool
    qualified_at: datetime | None
    served: int
    worked: int
    to_come: int
    answers: int
    seconds: float
    earned: float
    clocked: float = 0.0
    answered_at: datetime | None = None
    comebacks: int = 0
    checks: int | None = None
    skips: int = 0
    undoable: int | None = None
    stranger: bool = False
    nonce: str = ""
    instruction: int = 1

    @property
    def qualified(self) -> bool:
        """Whether the training is passed, and the work has begun."""
        return self.qualified_at is not None

    @property
    def key(self) -> PlaceKey:
        """What its cookies and return links name."""
        return PlaceKey(self.id, self.nonce)


_COLUMNS = columns_of(
    Enrolment,
    ENROLMENT,
    worker=WORKER.c.name,
    consented=ENROLMENT.c.consented_at.is_not(None),
    instructed=ENROLMENT.c.instructed_at.is_not(None),
    to_come=ENROLMENT.c.ahead,
    stranger=func.coalesce(func.substr(WORKER.c.external, 1, len(STRANGER)) == STRANGER, true()),
)
_FOUND = select(*_COLUMNS).join_from(ENROLMENT, WORKER).where(ENROLMENT.c.id == bindparam("enrolment"))
_ADD, _ENROL = insert(WORKER).returning(WORKER.c.id), insert(ENROLMENT).returning(ENROLMENT.c.id, ENROLMENT.c.nonce)
_LOCKED = _FOUND.with_for_update(of=ENROLMENT)
_PLACED = _LOCKED.add_columns(*BESIDE).join(STUDY, STUDY.c.id == ENROLMENT.c.study_id)
_THIS = update(ENROLMENT).where(ENROLMENT.c.id == bindparam("enrolment"))
_LEASED = _THIS.values(served=ENROLMENT.c.served + 1, worked=bindparam("given"))
_WORKED = _THIS.values(
    answers=ENROLMENT.c.answers + bindparam("more"),
    seconds=ENROLMENT.c.seconds + bindparam("longer"),
    earned=ENROLMENT.c.earned + bindparam("paid"),
    undoable=bindparam("may_undo"),
)
_BACK, _UNWORKED = _THIS.values(comebacks=ENROLMENT.c.comebacks - 1), _THIS.values(worked=ENROLMENT.c.worked - 1)
_SKIPPED = _THIS.values(skips=ENROLMENT.c.skips + 1, undoable=None)
_EVERY = select(WORKER.c.id, WORKER.c.name)
_PERSON = select(WORKER.c.id).where(WORKER.c.external == bindparam("known_as"))
_OF_STUDY = (
    select(ENROLMENT.c.id, ENROLMENT.c.nonce)
    .join_from(ENROLMENT, WORKER)
    .where(ENROLMENT.c.study_id == bindparam("study"))
)
_OF_PERSON = _OF_STUDY.where(WORKER.c.external == bindparam("known_as"))
_KNOWN = _OF_STUDY.with_only_columns(WORKER.c.external, WORKER.c.name).where(WORKER.c.external.is_not(None))
_AGREED = _OF_STUDY.where(ENROLMENT.c.consented_at.is_not(None)).limit(1)


def add_worker(session: Session, *, simulated: bool = False, external: str | None = None) -> int:
    """Store a new worker under a pseudonym made here and return its key."""
    row = WorkerRow(name=f"{PSEUDONYM}{secrets.token_hex(4)}", simulated=simulated, external=external)
    return int(execute(session, _ADD, **row.model_dump(exclude={"id"})).scalar_one())


def enrolment_of(session: Session, *, study: Study, external: str) -> PlaceKey | None:
    """Return the key of a person's enrolment, None for somebody who has not joined the study."""
    row = execute(session, _OF_PERSON, study=study.id, known_as=external).first()
    return None if row is None else PlaceKey(*row)


def known_as(session: Session, *, study: Study) -> dict[str, str]:
    """Return the names of a study's workers by the digest of what their invitations said of them."""
    return {row.external: row.name for row in execute(session, _KNOWN, study=study.id)}


def enrol_person(session: Session, *, study: Study, external: str, language: Language) -> PlaceKey:
    """Let a person into a study, once however often it is asked; return the enrolment's key.

    Raises Contended where another request of the same person is just doing it.
    """
    enrolment = enrolment_of(session, study=study, external=external)
    if enrolment is not None:
        return enrolment
    try:
        worker = execute(session, _PERSON, known_as=external).scalar() or add_worker(session, external=external)
        return enrol(session, study=study, worker_id=worker, language=language)
    except IntegrityError as error:
        raise Contended from error


def named_workers(session: Session, *, names: Iterable[str]) -> dict[str, int]:
    """Return the keys of workers known by these names (an imported log's ids); new ones are stored."""
    wanted = sorted(set(names))
    every = {row.name: row.id for row in read(session, _EVERY)}
    fresh = [WorkerRow(name=name).model_dump(exclude={"id"}) for name in wanted if name not in every]
    if fresh:
        write(session, insert(WORKER), fresh)
        every = {row.name: row.id for row in read(session, _EVERY)}
    return {name: every[name] for name in wanted}


def enrol(session: Session, *, study: Study, worker_id: int, language: Language) -> PlaceKey:
    """Let a worker into a study and return the enrolment's key."""
    row = EnrolmentRow(study_id=study.id, worker_id=worker_id, language=language)
    return PlaceKey(*execute(session, _ENROL, **row.model_dump(exclude={"id"})).one())


def people_of(study: Study) -> Select[tuple[int, str, bool]]:
    """Select the workers who take part in a study or have a judgment in it, in the order in which they came."""
    joined = select(ENROLMENT.c.worker_id).where(ENROLMENT.c.study_id == study.id)
    judged = select(JUDGMENT.c.worker_id).where(JUDGMENT.c.study_id == study.id)
    everybody = select(WORKER.c.id, WORKER.c.name, WORKER.c.simulated).order_by(WORKER.c.id)
    return everybody.where(WORKER.c.id.in_(joined.union(judged)))


def get_enrolment(session: Session, *, enrolment_id: int, lock: bool = False) -> Enrolment | None:
    """Return an enrolment, or None; with `lock` nobody else changes it before this transaction ends."""
    row = execute(session, _LOCKED if lock else _FOUND, enrolment=enrolment_id).first()
    return None if row is None else Enrolment(*row)


def placed(session: Session, *, enrolment_id: int) -> tuple[Study, Enrolment] | None:
    """Return an enrolment, locked until the transaction ends, with its study; None for an unknown one."""
    row = execute(session, _PLACED, enrolment=enrolment_id).first()
    return None if row is None else (study_beside(session, row), Enrolment(*row[: len(_COLUMNS)]))


def add_lease(session: Session, *, enrolment_id: int, worked: int) -> None:
    """Count one more lease; `worked` is how many main and control items were given with it."""
    execute(session, _LEASED, enrolment=enrolment_id, given=worked)


def come_back(session: Session, *, enrolment_id: int) -> None:
    """Count that a worker whose time ran out is given the item again, or another one in its place."""
    execute(session, _BACK, enrolment=enrolment_id)


@cache
def _setting(*columns: str) -> Update:
    return _THIS.values({name: bindparam(f"new_{name}") for name in columns})


def set_columns(session: Session, *, enrolment_id: int, **values: object) -> None:
    """Give an enrolment other values of these columns."""
    new = {f"new_{name}": value for name, value in values.items()}
    execute(session, _setting(*values), enrolment=enrolment_id, **new)


def add_work(session: Session, *, enrolment_id: int, earned: float, answers: int = 0, seconds: float = 0.0) -> None:
    """Add to what a worker has done; a judgment that is voided takes its part away again."""
    work_done = {"more": answers, "longer": seconds, "paid": earned}
    execute(session, _WORKED, enrolment=enrolment_id, **work_done, may_undo=None)


def sum_up(session: Session, *, enrolment_id: int, judgments: Sequence[Any], times: int) -> None:
    """Add judgments to what their worker has done (`times` 1), or take them away again (-1)."""
    seconds, earned = (
        times * sum(getattr(judgment, name) or 0.0 for judgment in judgments) for name in ("seconds", "price")
    )
    add_work(session, enrolment_id=enrolment_id, answers=times * len(judgments), seconds=seconds, earned=earned)


def add_skip(session: Session, *, enrolment_id: int) -> None:
    """Count one more item that was given back on purpose."""
    execute(session, _SKIPPED, enrolment=enrolment_id)


def anybody_agreed(session: Session, *, study: Study) -> bool:
    """Return whether anybody has agreed to take part in a study."""
    return execute(session, _AGREED, study=study.id).first() is not None


def unworked(session: Session, *, enrolment_id: int) -> None:
    """Take the last lease out of those that fill a page: its place there is still to be filled."""
    execute(session, _UNWORKED, enrolment=enrolment_id)
