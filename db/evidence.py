"""Evidence for the rules on workers while people work: own answers, those of others, times, items skipped.

Answers from before a rule acted upon the worker, or the worker was taken back, are used up and are not read again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Executable, Select, bindparam, exists, func, or_, select

from db.engine import Session, execute
from db.prepared_statements import Row
from db.tables import ASSIGNMENT, EVENT, ITEM, JUDGMENT, REPORT, WORKER, word
from db.workers import Enrolment

_ACTED_UPON = (
    EVENT.c.study_id == bindparam("study"),
    EVENT.c.worker_id == bindparam("worker"),
    or_(EVENT.c.kind == "restored", (EVENT.c.kind == "rule") & (EVENT.c.rule == bindparam("rule"))),
)
_USED_UP = select(func.coalesce(func.max(EVENT.c.upto), 0)).where(*_ACTED_UPON).scalar_subquery()
_SINCE = select(func.max(EVENT.c.at)).where(*_ACTED_UPON).scalar_subquery()
_OWN = (
    JUDGMENT.c.study_id == bindparam("study"),
    JUDGMENT.c.worker_id == bindparam("worker"),
    JUDGMENT.c.status == "counted",
    JUDGMENT.c.id > _USED_UP,
)
_ANSWERS: Select[Any] = (
    select(
        *JUDGMENT.c["id", "label", "seconds"],
        *ITEM.c["gold", "fields", "key"],
        *JUDGMENT.c["pasted", "away", "submitted_at", "options_shown"],
    )
    .join_from(JUDGMENT, ITEM)
    .where(*_OWN, ITEM.c.role == bindparam("role"))
    .order_by(JUDGMENT.c.id)
)
_LAST_ANSWERS = _ANSWERS.order_by(None).order_by(JUDGMENT.c.id.desc()).limit(bindparam("last"))
_LABELS = _ANSWERS.with_only_columns(*JUDGMENT.c["id", "label", "options_shown"])
_ELSEWHERE = (
    select(JUDGMENT.c.label, JUDGMENT.c.options_shown, func.count())
    .join_from(JUDGMENT, ITEM)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.worker_id != bindparam("worker"),
        JUDGMENT.c.status == "counted",
        ITEM.c.role == "main",
    )
    .group_by(JUDGMENT.c.label, JUDGMENT.c.options_shown)
)
_LATEST = (
    select(JUDGMENT.c.item_id)
    .join_from(JUDGMENT, ITEM)
    .where(*_OWN, ITEM.c.role == "main")
    .order_by(JUDGMENT.c.id.desc())
    .limit(bindparam("last"))
    .subquery()
)
_BESIDE = (
    select(JUDGMENT.c.id, WORKER.c.name, ITEM.c.key, JUDGMENT.c.label)
    .join_from(_LATEST, JUDGMENT, JUDGMENT.c.item_id == _LATEST.c.item_id)
    .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .join(WORKER, WORKER.c.id == JUDGMENT.c.worker_id)
    .where(JUDGMENT.c.status == "counted")
    .order_by(JUDGMENT.c.id)
)
_FIELDS = select(ITEM.c.key, ITEM.c.fields).join_from(_LATEST, ITEM, ITEM.c.id == _LATEST.c.item_id)
_REPORTED = exists().where(
    REPORT.c.study_id == ASSIGNMENT.c.study_id,
    REPORT.c.enrolment_id == ASSIGNMENT.c.enrolment_id,
    REPORT.c.item_id == ASSIGNMENT.c.item_id,
)
MET = (
    ASSIGNMENT.c.status.in_((word("done"), word("skipped"))),
    ITEM.c.role.in_((word("main"), word("control"))),
    ~_REPORTED,
)
"""What holds for the lease of a main or control item that was answered or skipped; reports are no skips: they help."""
_MET = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.status, ITEM.c.key)
    .join_from(ASSIGNMENT, ITEM)
    .where(
        ASSIGNMENT.c.enrolment_id == bindparam("enrolment"),
        ASSIGNMENT.c.leased_at >= func.coalesce(_SINCE, ASSIGNMENT.c.leased_at),
        *MET,
    )
    .order_by(ASSIGNMENT.c.place.desc())
    .limit(bindparam("last"))
)
_RECENT = 10_000
_NEWEST = (
    select(JUDGMENT.c.id, JUDGMENT.c.item_id, JUDGMENT.c.seconds)
    .where(
        # A sum, so that no database takes the index of the study instead and reads and sorts all its answers.
        JUDGMENT.c.study_id + 0 == bindparam("study"),
        JUDGMENT.c.id > select(func.max(JUDGMENT.c.id)).scalar_subquery() - _RECENT,
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.seconds.is_not(None),
    )
    .order_by(JUDGMENT.c.id.desc())
    .limit(bindparam("last"))
    .subquery()
)
_TIMES = (
    select(_NEWEST.c.seconds)
    .join_from(_NEWEST, ITEM, ITEM.c.id == _NEWEST.c.item_id)
    .where(ITEM.c.role == "main")
    .order_by(_NEWEST.c.id)
)


@dataclass(frozen=True)
class WorkerEvidence:
    """What a worker's answers, and those of others, show to a rule, by its key; each method is one statement."""

    session: Session
    enrolment: Enrolment
    rule: str

    def answers(self, role: str, *, last: int | None = None) -> list[Row]:
        """Return the worker's answers to items of a role, in their order; `last`: only so many of the latest.

        The rows have the judgment's `id`, `label`, active `seconds`, the item's `gold`, `fields` and `key`, and whether
        text was `pasted` or the page was `away`, when it was sent (`submitted_at`), and the `options_shown`.
        """
        if last is None:
            return self._rows(_ANSWERS, role=role)
        return self._rows(_LAST_ANSWERS, role=role, last=last)[::-1]

    def labels(self, role: str) -> list[Row]:
        """Return the `id`, `label` and `options_shown` of these judgments, for a first look at all of them."""
        return self._rows(_LABELS, role=role)

    def elsewhere(self) -> list[Row]:
        """Return the answers of everybody else to main items, each with the `options_shown` and how often it came."""
        return self._rows(_ELSEWHERE)

    def beside(self, *, last: int) -> list[Row]:
        """Return everybody's answers to the worker's `last` main items, in the order in which they were given.

        The rows have the judgment's `id`, the worker's `name`, the item's `key` and the `label`.
        """
        return self._rows(_BESIDE, last=last)

    def fields_beside(self, *, last: int) -> dict[str, Mapping[str, str]]:
        """Return the fields of these items by their ids: open answers are compared with them in mind."""
        return {item: dict(fields) for item, fields in self._rows(_FIELDS, last=last)}

    def items_met(self, *, last: int) -> list[tuple[str, bool]]:
        """Return the ids of the `last` main and control items answered or skipped, in their order; which were skipped.

        Reported ones are left out.
        """
        rows = self._rows(_MET, enrolment=self.enrolment.id, last=last)
        return [(row.key, row.status == "skipped") for row in reversed(rows)]

    def _rows(self, statement: Executable, **values: object) -> list[Row]:
        known = {"study": self.enrolment.study_id, "worker": self.enrolment.worker_id, "rule": self.rule}
        return list(execute(self.session, statement, **known, **values).all())


def times(session: Session, *, study_id: int, last: int = 1000) -> list[float]:
    """Return the seconds of the main answers among the study's `last` counted ones, in their order.

    Answers of excluded workers are void, so that they are no part of it. Only the newest 10,000 answers of the whole
    database are looked through, by their key, which takes as long in a study of any size. One that is quiet while
    others fill up, or a long log is imported, has fewer times until its own answers come in again.
    """
    return [float(seconds) for (seconds,) in execute(session, _TIMES, study=study_id, last=last)]
