"""What the requesters' pages show and send, as plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from data.errors import FileProblem
from data.task import Item, Task
from db.statuses import StudyStatus
from db.studies import Origin
from db.study_progress import Turnout
from db.study_settings import StudySettings

ARCHIVED = "archived"


@dataclass(frozen=True)
class StudyCard:
    """How far one study is. `counted`, `wanted` and `held` are judgments, `complete` items with all of theirs,
    `wanted_of_each` how many an item is to have, in words.

    `appeals` wait for an answer; `unchecked` is how many workers have met every control and get main items only.
    `note` says which stored settings this version does not know, "" where it knows all.
    """

    name: str
    task: str
    title: str
    status: StudyStatus
    origin: Origin
    created_at: datetime
    settings: StudySettings
    items: int
    training: int
    control: int
    counted: int
    wanted: int
    held: int
    complete: int
    turnout: Turnout
    wanted_of_each: str
    appeals: int = 0
    unchecked: int = 0
    note: str = ""
    archived: bool = False

    def found_by(self, words: str) -> bool:
        """Return whether name, task and state have all these words; an archived study is to be asked for."""
        state = f"{ARCHIVED} {self.status}" if self.archived else self.status
        text, asked = f"{self.name} {self.task} {self.title} {state}".casefold(), words.casefold().split()
        return all(word in text for word in asked) and (not self.archived or ARCHIVED in asked)

    @property
    def share(self) -> float:
        """How much of what is wanted is there, 0 to 1."""
        return min(1.0, self.counted / self.wanted) if self.wanted else 0.0

    @property
    def simulated(self) -> bool:
        """Whether any of the judgments came from a program."""
        return self.turnout.simulated > 0


@dataclass(frozen=True)
class Draft:
    """A study as its form describes it. `settings` by name.

    `task` is an id of the catalogue; `described` takes its place where the task is one's own. `samples`: with the items
    that come with the task, not with files. `draw_training` and `draw_control` are how many main items with a right
    answer become such items where there is no file of them, `sample` how many main items remain; `seed` decides which.
    """

    name: str
    task: str
    settings: Mapping[str, Any]
    samples: bool = False
    main: Path | None = None
    training: Path | None = None
    control: Path | None = None
    described: Task | None = None
    draw_training: int = 0
    draw_control: int = 0
    sample: int | None = None
    seed: int = 0
    leave_out: bool = False


@dataclass(frozen=True)
class FileCheck:
    """What a file holds: how many items can be used, how many with a right answer; the first problem and how many.

    `first_problems` lists the problems up to a limit, `leaks` says which fields show people the right answer,
    `unused` which answers no item has. `unusable` is how many rows can be left out, so that the others are in order.

    `clusters` is how many sittings the items make; `has_right` whether there can be a right answer at all. A file that
    is not `whole` is so large that only `looked_at` items were looked at, and the numbers are estimates. `chance` is
    how often a guesser is right, `seconds` how long an answer may take, judged by the length of the texts. `first` are
    the first item and the first two with a right answer, so far as there are any.
    """

    items: int
    with_gold: int
    problem: str = ""
    problems: int = 0
    clusters: int = 1
    has_right: bool = True
    complete: bool = True
    looked_at: int = 0
    chance: float = 0.0
    seconds: float = 0.0
    first: tuple[Item, ...] = ()
    first_problems: tuple[FileProblem, ...] = ()
    leaks: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    unusable: int = 0
