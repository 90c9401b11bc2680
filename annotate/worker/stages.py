"""A worker's way as a pure state machine: stages, acts that move a worker on, the facts that say which is reached."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from db.statuses import EnrolmentStatus

Stage = Literal[
    "consent", "no_room", "instructions", "training", "feedback", "again", "presence", "work", "done", "failed",
    "stopped", "on_hold", "paused", "closed", "finished",
]  # fmt: skip
ActKind = Literal[
    "consent", "begin", "answer", "next", "again", "present", "skip", "report", "undo", "go", "hand_in",
    "finish", "resume", "appeal", "language",
]  # fmt: skip

ACTS: dict[Stage, tuple[ActKind, ...]] = {
    "consent": ("consent",),
    "instructions": ("begin", "finish"),
    "training": ("answer", "report", "finish"),
    "feedback": ("next", "report", "finish"),
    "again": ("again", "finish"),
    "presence": ("present", "finish"),
    "work": ("answer", "skip", "report", "undo", "go", "hand_in", "finish"),
    "finished": ("resume",),
}
"""What moves a worker on in each stage; in all of them the language of the page may be changed, and one may write to
the researchers."""

ENDINGS: tuple[Stage, ...] = ("done", "closed", "failed", "stopped", "on_hold", "paused", "finished")
"""Where a worker has nothing to do."""


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
        (facts.status == "finished", "finished"),
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


Token = Annotated[str, StringConstraints(max_length=100, pattern=r"^[\x21-\x7e]*$")]


@dataclass(frozen=True)
class Act:
    """One act. `token` is that of the item on the page; what a `value` may be is for the task's answer type to say.

    `seconds` is the active time that the page measured; the server's own count bounds it. `pasted`: text was pasted
    into the answer; `away`: the page was out of sight meanwhile.
    """

    kind: ActKind
    token: Token = ""
    value: Any = None
    seconds: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    pasted: bool = False
    away: bool = False
