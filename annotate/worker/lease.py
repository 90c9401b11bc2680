"""The lease: how long an item stays with the worker who holds it, and what became of the item or of its answer."""

from datetime import datetime, timedelta

from annotate.worker.view import ItemOutcome, LeaseTime
from db import assignments, sittings
from db.assignments import Assignment, Late
from db.engine import Session
from db.statuses import JudgmentStatus
from db.studies import Study
from db.workers import Enrolment

MOST = 4  # lengths of a lease for which signs of life can make it last, counted from when the item was leased


def lease_end(study: Study, *, leased_at: datetime, moment: datetime) -> datetime:
    """Return until when a sign of life at `moment` makes a lease last."""
    lease = _lease(study)
    return min(moment + lease, leased_at + MOST * lease)


def lease_time(study: Study, *, leased_at: datetime, moment: datetime, until: datetime | None = None) -> LeaseTime:
    """Return what a worker is told of a lease that lasts `until`, by default as long as a sign of life makes it."""
    lease = _lease(study)
    ends = until or lease_end(study, leased_at=leased_at, moment=moment)
    return LeaseTime(
        seconds=_seconds(ends - moment),
        most=_seconds(leased_at + MOST * lease - moment),
        lease=_seconds(lease),
        whole=study.settings.sitting,
    )


def extend_lease(
    session: Session, *, study: Study, enrolment: Enrolment, place: int | None, moment: datetime
) -> LeaseTime:
    """Make the lease with that place last, if the worker holds it still, and return how long it is kept: 0 if not."""
    held = assignments.held_at(session, enrolment=enrolment, place=place) if place is not None else None
    if held is None or held.expires_at < moment:
        return lease_time(study, leased_at=moment, moment=moment, until=moment)
    until = max(held.expires_at, lease_end(study, leased_at=held.leased_at, moment=moment))
    if until > held.expires_at:
        assignments.extend(session, lease=held.id, until=until)
        if study.settings.sitting:
            sittings.extend(session, enrolment=enrolment, until=until)
    return lease_time(study, leased_at=held.leased_at, moment=moment, until=until)


def _lease(study: Study) -> timedelta:
    return timedelta(minutes=study.settings.lease_minutes)


def _seconds(time: timedelta) -> int:
    return max(0, int(time.total_seconds()))


def outcome_of_item(lease: Assignment | None, *, on_screen: bool, moment: datetime) -> ItemOutcome:
    """Return what became of the item that a page asks about; `on_screen`: it is the one that the worker is to see."""
    if lease is None:
        return ""
    if lease.taken_away(moment) or (lease.status == "held" and not on_screen):
        return "interrupted"
    became: dict[str, ItemOutcome] = {"done": "elsewhere", "expired": "expired"}
    return became.get(lease.status, "")


def outcome_of_answer(
    status: JudgmentStatus, *, study: Study, enrolment: Enrolment, late: Late, taken_away: bool
) -> ItemOutcome:
    """Return what became of an answer; `enrolment` is as it was before it.

    `taken_away`: a stop had taken its item away before its time was over.
    """
    if enrolment.status == "excluded":
        return "" if taken_away else "stopped"
    if status != "surplus":
        return ""
    unpaid = study.settings.price > 0 and not late.paid
    if not late.allowed:
        return "over_limit_unpaid" if unpaid else "over_limit"
    return "surplus_unpaid" if unpaid else "surplus"
