"""What a worker is told of an item or an answer: that it was given elsewhere, came too late, or is taken still."""

from datetime import datetime

from annotate.worker.view import ItemOutcome
from db.assignments import Assignment, Late
from db.statuses import JudgmentStatus
from db.studies import Study
from db.workers import Enrolment


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
