"""What a worker is to see now, as plain frozen values; `screens.py` draws it, tests and simulated workers read it."""

from dataclasses import dataclass, field
from typing import Literal

from annotate.consent import Terms
from annotate.worker.stages import Stage
from data.limits import LONGEST_MESSAGE
from data.option_order import Orders
from data.task import PublicItem, Task
from data.wording import Language
from db.records import Appeal
from db.study_settings import StudySettings
from db.workers import Enrolment
from eval.metrics.use_points import ExamPoints

ItemOutcome = Literal[
    "", "elsewhere", "expired", "interrupted", "surplus", "surplus_unpaid", "over_limit", "over_limit_unpaid",
    "stopped", "exam_over",
]  # fmt: skip


@dataclass(frozen=True)
class Progress:
    """Where a worker is: item `place` (from 1) of `size` on page number `page`; `answered` counts the work so far.

    `left` is how many items there are for the worker with this one, as it stood when the page began, `or_more` that
    there may be others beyond; `pages`: the work comes in pages.
    """

    place: int
    size: int
    page: int
    answered: int
    left: int = 0
    or_more: bool = False
    pages: bool = False


@dataclass(frozen=True)
class Feedback:
    """What a training answer was worth and why."""

    answer: str
    gold: str
    right: bool
    explanation: str


@dataclass(frozen=True)
class Tried:
    """How an attempt at the training ended that was not passed: `right` of `answered` items, `needed` to pass.

    `attempts_left` attempts remain, the next of them opens in so many `minutes` (0: it is open).
    """

    right: int
    answered: int
    needed: int
    attempts_left: int = 0
    minutes: int = 0


@dataclass(frozen=True)
class NoRoom:
    """Why somebody who agreed to that version of the terms has no place yet: `most` came from the address in an hour.

    In so many `minutes` there is a place again.
    """

    most: int
    minutes: int
    version: str


@dataclass(frozen=True)
class Earnings:
    """What a worker has done in the study so far: answers, active seconds, pay; its settings say what is paid."""

    answers: int
    seconds: float
    earned: float
    settings: StudySettings


@dataclass(frozen=True)
class OpenAnswer:
    """What a worker did with an item of the open page: its answer, "" where it was skipped.

    `token` names it to change it, "" where that is not possible. `orders` are those in which its options were shown.
    """

    item: PublicItem
    answer: str
    token: str
    orders: Orders = field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """What lies beside every screen: the screen's own view, what was agreed to, the answers of the open page.

    Of a sitting there is a map instead: the token of each of its `tasks`, and how it stands: "now", "answered", "open".
    """

    view: "View"
    terms: Terms
    answers: tuple[OpenAnswer, ...] = ()
    tasks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class LeaseTime:
    """How many seconds an item is kept for its worker, and how many at `most` with signs of life; 0: no longer.

    `lease` is what one sign of life is good for; `whole`: it is a sitting, and with the item goes all of it;
    `ends`: it is handed in then, with what is there.
    """

    seconds: int
    most: int
    lease: int
    whole: bool = False
    ends: bool = False


@dataclass(frozen=True)
class Completion:
    """What a worker takes back to where the invitation came from: a code, a link, or both; `part`: not all was done."""

    code: str = ""
    url: str = ""
    part: bool = False


@dataclass(frozen=True)
class Grade:
    """The points of an exam in all and of each of its tasks in order, (number, points), where they are told."""

    total: ExamPoints
    tasks: tuple[tuple[str, ExamPoints], ...]


@dataclass(frozen=True)
class Stop:
    """What somebody reads at an end. `why` says by its code in the texts why it is a stop ("people": no rule did it).

    `worker` is the name by which the researchers find the answers, `contact` whom to write to ("" where it is not
    said). `decide`: whether the answers are paid is for the researchers to say. `messages` are what was written
    about it, the newest first; `often`: no more can be today, as `a_day` are the most, each of `longest` characters.
    """

    why: str = ""
    worker: str = ""
    contact: str = ""
    decide: bool = False
    messages: tuple[Appeal, ...] = ()
    often: bool = False
    a_day: int = 0
    longest: int = LONGEST_MESSAGE

    @property
    def waits(self) -> bool:
        """Whether something that was written waits for an answer."""
        return any(appeal.open for appeal in self.messages)


@dataclass(frozen=True)
class View:
    """One screen of a worker: the stage and what belongs to it.

    `item_outcome` says what became of the item on the page before. "elsewhere": it was answered in another tab;
    "expired": its time ran out; "interrupted": a stop or a pause came before that, and its answer is still taken;
    "surplus": its answer came late, when the item wanted no more; "over_limit": it came late, when its worker had done
    as much as one may; both with "_unpaid" where such an answer is not paid; "stopped": its answer came after the
    worker was stopped; "exam_over": the time of the sitting is over. `skips_left` counts the items that may still be
    skipped or reported, `can_undo`: the last answer may be taken back, `capped`: the worker has done as much as the
    study takes from one, `timed`: the clock of an exam has begun. `orders` are those in which the item's options are
    shown, where they are drawn. `newcomer`: nobody has agreed to anything yet, `corrected`: the instruction is another
    one than was read. `note` says what the researchers have answered, or that they have lifted a stop. `given` is the
    answer that was taken back to be changed. `return_path` leads a stranger back from another device, `cookie` is what
    the browser is to keep from now on.
    """

    stage: Stage
    study: str
    task: Task
    language: Language
    newcomer: bool = False
    item: PublicItem | None = None
    given: str = ""
    token: str = ""
    lease_time: LeaseTime | None = None
    progress: Progress | None = None
    feedback: Feedback | None = None
    tried: Tried | None = None
    orders: Orders = field(default_factory=dict)
    earnings: Earnings | None = None
    terms: Terms | None = None
    no_room: NoRoom | None = None
    grade: Grade | None = None
    item_outcome: ItemOutcome = ""
    skips_left: int = 0
    can_undo: bool = False
    capped: bool = False
    timed: bool = False
    completion: Completion | None = None
    stop: Stop | None = None
    corrected: bool = False
    note: str = ""
    worker: str = ""
    trains: bool = False
    return_path: str = ""
    cookie: str = ""


def earnings(settings: StudySettings, enrolment: Enrolment | None = None) -> Earnings:
    """Return what somebody has done so far, nothing before the enrolment, and what the study pays."""
    done = (enrolment.answers, enrolment.seconds, enrolment.earned) if enrolment else (0, 0.0, 0.0)
    return Earnings(*done, settings)
