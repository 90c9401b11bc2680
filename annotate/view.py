"""What a worker is to see now, as plain frozen values; `screens.py` draws it, tests and simulated workers read it."""

from dataclasses import dataclass

from annotate.stages import Stage
from data.task import PublicItem, Task
from data.wording import Language


@dataclass(frozen=True)
class Progress:
    """Where a worker is: item `place` (from 1) of `size` on page number `page`; `answered` counts the work so far."""

    place: int
    size: int
    page: int
    answered: int


@dataclass(frozen=True)
class Feedback:
    """What a training answer was worth and why."""

    answer: str
    gold: str
    right: bool
    explanation: str


@dataclass(frozen=True)
class View:
    """One screen of a worker: the stage and what belongs to it."""

    stage: Stage
    study: str
    task: Task
    language: Language
    simulated_peers: bool = False
    item: PublicItem | None = None
    token: str = ""
    progress: Progress | None = None
    feedback: Feedback | None = None
