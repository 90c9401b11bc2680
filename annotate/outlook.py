"""What a study holds, so far as consent tells of it: how many items, how long one takes, what comes before them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import fmean
from weakref import WeakKeyDictionary

from data.task import Item, Role, Task
from db import sittings
from db.engine import Database, Session, connected
from db.items import count_items, first_items
from db.studies import Study, StudySettings

CHARACTERS = 15.0  # that people read in a second, slowly enough to answer about them
TO_ANSWER = 4.0  # seconds to decide and to press
READ = 20  # items from which the time is told
MANY = 1000  # items beyond which nobody answers all of them


@dataclass(frozen=True)
class Outlook:
    """The numbers of a study's items by role, and the `seconds` that one takes, judged by the length of its texts.

    `variant` is how many main items a sitting has, 0 where there are none.
    """

    main: int = 0
    training: int = 0
    control: int = 0
    seconds: float = TO_ANSWER
    variant: int = 0

    def checked(self, settings: StudySettings) -> bool:
        """Return whether any of the items that a worker meets are controls."""
        return self.control > 0 and settings.page_controls > 0 and not settings.sitting

    def most(self, settings: StudySettings) -> int | None:
        """Return how many items one worker may answer, None for so many that nobody does."""
        if settings.sitting:
            return self.variant
        asked = ceil(self.main / settings.page_main) * settings.page_controls if self.control else 0
        met = asked if settings.repeat_controls else min(self.control, asked)
        found = min(self.main + met, settings.max_items or self.main + met)
        return found if found <= MANY else None

    def each(self, settings: StudySettings) -> float:
        """Return the seconds that an item takes: what the requester says, else what the texts let expect."""
        return 60 * settings.minutes_per_item if settings.minutes_per_item else self.seconds


def reading_seconds(task: Task, items: Sequence[Item]) -> float:
    """Return how many seconds an answer to one of these items may take, judged by the length of what is shown."""
    shown = [one.name for one in task.fields if one.kind != "hidden"]
    lengths = [sum(len(item.fields[name]) for name in shown) for item in items]
    return TO_ANSWER + fmean(lengths) / CHARACTERS if lengths else TO_ANSWER


_KNOWN: WeakKeyDictionary[Database, dict[tuple[int, datetime], Outlook]] = WeakKeyDictionary()


def outlook_of(session: Session, study: Study) -> Outlook:
    """Return what a study holds, counted once: its items never change."""
    known = _KNOWN.setdefault(connected(session).engine, {})
    found = known.get((study.id, study.created_at))
    if found is None:
        found = known[study.id, study.created_at] = _counted(session, study)
    return found


def _counted(session: Session, study: Study) -> Outlook:
    return Outlook(
        main=count_items(session, study=study, role="main"),
        training=count_items(session, study=study, role="training"),
        control=count_items(session, study=study, role="control"),
        seconds=reading_seconds(study.task, _read(session, study)),
        variant=sittings.longest_variant(session, study=study) if study.settings.sitting else 0,
    )


def _read(session: Session, study: Study) -> list[Item]:
    """Return the items from which the time is told, controls among them: it may not tell which are which."""
    roles: tuple[Role, ...] = ("main", "control")
    return [item for role in roles for item in first_items(session, study=study, role=role, most=READ)]
