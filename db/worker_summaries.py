"""What each worker of a study has done, and how the answers to each item stand, counted by the database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import bindparam, case, func, select

from db.engine import Session, read
from db.judgments import BROKEN_OFF, CONTROLS, DUPLICATE, EXCLUDED, UNDONE, ControlAnswer
from db.prepared_statements import Row
from db.statuses import EnrolmentStatus
from db.studies import Study
from db.study_settings import StudySettings
from db.tables import ENROLMENT, ITEM, JUDGMENT, REPORT, WORKER, columns_of
from db.workers import people_of

WorkerStatus = EnrolmentStatus | Literal["imported"]

_KEPT, _VOID = JUDGMENT.c.status != "void", JUDGMENT.c.status == "void"
_REASON = func.coalesce(JUDGMENT.c.reason, "")
_OWED = _KEPT | _REASON.in_([bindparam("left"), bindparam("again"), bindparam("stopped")])
"""What is paid: what counts, and what was taken out after it had been given as promised."""
_SINGLE = JUDGMENT.c.page.is_(None)
_MAIN, _WORK = ITEM.c.role == "main", ~ITEM.c.role.endswith("training")
_MINE = (JUDGMENT.c.study_id == bindparam("study")) & (_REASON != UNDONE)


def _sum(condition: Any, value: Any = 1) -> Any:
    return func.coalesce(func.sum(case((condition, value), else_=0)), 0)


_DONE = (
    select(
        JUDGMENT.c.worker_id,
        _sum(_KEPT & _WORK).label("answers"),
        _sum(_VOID & _WORK).label("void"),
        _sum(_MAIN).label("main"),
        _sum(_MAIN & (JUDGMENT.c.status == "counted")).label("counted"),
        _sum(_MAIN, func.coalesce(JUDGMENT.c.seconds, 0)).label("main_seconds"),
        _sum(_OWED, func.coalesce(JUDGMENT.c.seconds, 0)).label("seconds"),
        _sum(_OWED & _SINGLE, func.coalesce(JUDGMENT.c.price, 0)).label("pay"),
        _sum(~_OWED & _SINGLE, func.coalesce(JUDGMENT.c.price, 0)).label("void_pay"),
        (func.count(JUDGMENT.c.price) > 0).label("priced"),
    )
    .join_from(JUDGMENT, ITEM)
    .where(_MINE)
    .group_by(JUDGMENT.c.worker_id)
)


@dataclass(frozen=True)
class WorkerAnswer:
    """One answer of a worker, to an item with these fields."""

    item: str
    role: str
    fields: dict[str, str]
    label: str
    gold: str | None
    status: str
    reason: str
    seconds: float | None
    submitted_at: datetime


_ANSWERS = (
    select(
        *columns_of(
            WorkerAnswer,
            JUDGMENT,
            reason=_REASON,
            item=ITEM.c.key,
            **{name: ITEM.c[name] for name in ("role", "fields", "gold")},
        )
    )
    .join_from(JUDGMENT, ITEM)
    .join(WORKER, WORKER.c.id == JUDGMENT.c.worker_id)
    .where(JUDGMENT.c.study_id == bindparam("study"), WORKER.c.name == bindparam("worker"))
    .order_by(JUDGMENT.c.id.desc())
)
_PAGE = (
    select(
        JUDGMENT.c.worker_id.label("worker_id"),
        func.max(func.coalesce(JUDGMENT.c.price, 0)).label("price"),
        _sum(_OWED).label("owed"),
    )
    .where(_MINE, ~_SINGLE)
    .group_by(JUDGMENT.c.worker_id, JUDGMENT.c.page)
    .subquery()
)
_PAGES = select(
    _PAGE.c.worker_id,
    _sum(_PAGE.c.owed > 0, _PAGE.c.price).label("pay"),
    _sum(_PAGE.c.owed == 0, _PAGE.c.price).label("void_pay"),
).group_by(_PAGE.c.worker_id)
_ENROLLED = select(
    *ENROLMENT.c["worker_id", "status", "language", "consent_version", "consented_at", "noticed_at"]
).where(ENROLMENT.c.study_id == bindparam("study"))
_REPORTS = (
    select(ENROLMENT.c.worker_id, func.sum(REPORT.c.price).label("pay"))
    .join_from(REPORT, ENROLMENT, ENROLMENT.c.id == REPORT.c.enrolment_id)
    .where(REPORT.c.study_id == bindparam("study"))
    .group_by(ENROLMENT.c.worker_id)
)
_CONTROLS = CONTROLS.where(_REASON != UNDONE, _KEPT)


@dataclass(frozen=True)
class Consent:
    """What a worker agreed to, and when; `noticed_at` is None where no notice was acknowledged."""

    version: str
    at: datetime
    language: str
    noticed_at: datetime | None = None


@dataclass(frozen=True)
class WorkerSummary:
    """One worker of a study. `status` is "imported" for whom another platform's log brought.

    `answers` to main and control items are those that are not void, `void` those that are; `main` are all to main
    items, answered in `main_seconds`, and `counted` those of them that count. An answer that its worker took back is in
    none of these. `pay` is what is owed: for all that is not void, and for what became so after it was given as
    promised (its worker was stopped, left a sitting halfway, or answered an item of a log again); a page's price is
    counted once (DECISIONS 7). `seconds` are the active time behind it, training with it. `void_pay` was offered for
    the rest. Of a log without the prices of this worker's answers both are 0 and `priced` is false: what was paid is
    not known.
    """

    key: int
    name: str
    simulated: bool
    status: WorkerStatus
    answers: int = 0
    void: int = 0
    main: int = 0
    counted: int = 0
    main_seconds: float = 0.0
    seconds: float = 0.0
    pay: float = 0.0
    void_pay: float = 0.0
    priced: bool = True
    consent: Consent | None = None


def owed_though_void(settings: StudySettings) -> dict[str, str]:
    """Return for which reasons a void answer is paid.

    Its worker left a sitting halfway, gave one answer more than counts, or was stopped after it.
    """
    stopped = EXCLUDED if settings.pay_after_exclusion == "owed" else "nothing else"
    return {"left": BROKEN_OFF, "again": DUPLICATE, "stopped": stopped}


def worker_summaries(session: Session, *, study: Study) -> list[WorkerSummary]:
    """Return every worker who takes part in a study or has a judgment in it, in the order in which they came."""
    paid = {"study": study.id, **owed_though_void(study.settings)}
    done = {row.worker_id: row for row in read(session, _DONE, **paid)}
    pages = {row.worker_id: row for row in read(session, _PAGES, **paid)}
    enrolled = {row.worker_id: row for row in read(session, _ENROLLED, study=study.id)}
    reports = {row.worker_id: row.pay for row in read(session, _REPORTS, study=study.id)}
    summaries = []
    for key, name, simulated in read(session, people_of(study)):
        work_done = done[key]._asdict() if key in done else {}
        work_done.pop("worker_id", None)
        for column in ("pay", "void_pay") if key in pages else ():
            work_done[column] += getattr(pages[key], column)
        if key in reports:
            work_done["pay"] = work_done.get("pay", 0.0) + reports[key]
        if study.origin != "imported":
            work_done["priced"] = True  # what is not stored is not paid
        status = enrolled[key].status if key in enrolled else "imported"
        summaries.append(
            WorkerSummary(
                key, name, simulated, cast(WorkerStatus, status), **work_done, consent=_consent(enrolled.get(key))
            )
        )
    return summaries


def worker_answers(session: Session, *, study: Study, worker: str, most: int) -> list[WorkerAnswer]:
    """Return the last answers of a worker of a study, the newest first."""
    rows = read(session, _ANSWERS.limit(most), study=study.id, worker=worker)
    return [WorkerAnswer(*row) for row in rows]


def _consent(row: Row | None) -> Consent | None:
    if row is None or row.consented_at is None:
        return None
    return Consent(row.consent_version or "", row.consented_at, row.language, row.noticed_at)


def control_answers(session: Session, *, study: Study) -> list[ControlAnswer]:
    """Return every answer to a control item with gold, by whomever."""
    return [ControlAnswer(*row) for row in read(session, _CONTROLS, study=study.id)]
