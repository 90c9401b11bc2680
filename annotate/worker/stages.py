"""A worker's way as a pure state machine: the facts of an enrolment say which stage it is in."""

from dataclasses import dataclass
from typing import Literal

from db.statuses import EnrolmentStatus

Stage = Literal[
    "consent",
    "no_room",
    "instructions",
    "training",
    "feedback",
    "again",
    "presence",
    "work",
    "done",
    "failed",
    "stopped",
    "on_hold",
    "paused",
    "closed",
]
ActKind = Literal[
    "consent", "begin", "answer", "next", "again", "present", "skip", "report", "undo", "appeal", "language"
]

ACTS: dict[Stage, tuple[ActKind, ...]] = {
    "consent": ("consent",),
    "instructions": ("begin",),
    "training": ("answer",),
    "feedback": ("next",),
    "again": ("again",),
    "presence": ("present",),
    "work": ("answer", "skip", "report", "undo"),
}
"""What moves a worker on in each stage; the language of the page may be changed in all of them, and who was
stopped may write about it."""

ENDINGS: tuple[Stage, ...] = ("done", "closed", "failed", "stopped", "on_hold")  # a worker has nothing to do there


@dataclass(frozen=True)
class EnrolmentFacts:
    """What is known of one worker in one study.

    `explaining`: a training answer is on the screen with its reason; `away`: so often the time of an item ran out that
    the worker is asked to confirm to be there.
    """

    status: EnrolmentStatus = "active"
    study_open: bool = True
    paused: bool = False
    consented: bool = False
    instructed: bool = False
    explaining: bool = False
    training_left: bool = False
    training_passed: bool = True
    attempts_left: bool = False
    away: bool = False
    nothing_left: bool = False


def stage_of(facts: EnrolmentFacts) -> Stage:
    """Return the stage that the facts put a worker in: the first that is not behind them."""
    ends: tuple[tuple[bool, Stage], ...] = (
        (facts.status in ("excluded", "forgotten"), "stopped"),
        (facts.status == "failed", "failed"),
        (facts.paused, "paused"),
        (not facts.study_open, "closed"),
        (facts.status == "paused", "on_hold"),
        (not facts.consented, "consent"),
        (not facts.instructed, "instructions"),
        (facts.explaining, "feedback"),
        (facts.training_left, "training"),
        (not facts.training_passed and facts.attempts_left, "again"),
        (not facts.training_passed, "failed"),
        (facts.away, "presence"),
        (facts.nothing_left, "done"),
    )
    return next((stage for reached, stage in ends if reached), "work")
