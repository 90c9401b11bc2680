"""The workload of a study, so far as consent tells of it: how many items, how long one takes, what comes before."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from statistics import fmean

from data.task import Item, Role, Task
from db import sittings
from db.cache import unchanging
from db.engine import Session
from db.items import count_items, first_items
from db.studies import Study
from db.study_settings import StudySettings

CHARACTERS = 15.0  # that people read in a second, slowly enough to answer about them
TO_ANSWER = 4.0  # seconds to decide and to press
READ = 20  # items from which the time is told
MANY = 1000  # items beyond which nobody answers all of them


@dataclass(frozen=True)
class Workload:
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

    def there(self, settings: StudySettings) -> int:
        """Return how many items wait for one worker after practice, controls among them, before any cap."""
        return self.variant if settings.sitting else self.main + self._controls_met(settings)

    def allowed(self, settings: StudySettings) -> int:
        """Return how many of them the caps on answers and on pay let one worker answer; practice counts as pay."""
        most = [self.there(settings)]
        if settings.max_items:
            most.append(settings.max_items)
        if settings.max_pay and settings.price:
            # As in `annotate/worker/assignment.py`: sums of fractions are rounded before they are divided.
            left = round(settings.max_pay - self.training * settings.training_price, 6)
            most.append(max(0, floor(round(left / settings.price, 6))))
        return min(most)

    def timed(self, settings: StudySettings) -> bool:
        """Return whether the hours, as far as one can tell, end the work before the other caps do."""
        return self.answers(settings) < self.allowed(settings)

    def answers(self, settings: StudySettings) -> int:
        """Return how many answers, practice apart, one worker may come to give: no more than the cap that binds."""
        allowed = self.allowed(settings)
        if not settings.max_hours or not self.known(settings):
            return allowed
        left = 3600 * settings.max_hours - self.training * self.each(settings)
        return min(allowed, max(1, floor(round(left / self.each(settings), 6))))

    def seconds_in_all(self, settings: StudySettings) -> float:
        """Return the seconds that all these answers take, with the practice before them."""
        return (self.answers(settings) + self.training) * self.each(settings)

    def pay_in_all(self, settings: StudySettings) -> float:
        """Return what all these answers are paid, with the practice before them; a bonus comes besides."""
        return self.answers(settings) * settings.price + self.training * settings.training_price

    def rewarded(self, settings: StudySettings) -> bool:
        """Return whether a worker can meet as many controls as a bonus takes, under the caps."""
        full, rest = divmod(self.allowed(settings), settings.page_main + settings.page_controls)
        places = full * settings.page_controls + min(rest, settings.page_controls)
        return self.checked(settings) and min(places, self._controls_met(settings)) >= settings.bonus_after

    def known(self, settings: StudySettings) -> bool:
        """Return whether it can be said how long an item takes: of a sitting no length of a text tells it."""
        return not settings.sitting or settings.minutes_per_item is not None

    def _controls_met(self, settings: StudySettings) -> int:
        asked = ceil(self.main / settings.page_main) * settings.page_controls if self.control else 0
        return asked if settings.repeat_controls else min(self.control, asked)

    def each(self, settings: StudySettings) -> float:
        """Return the seconds that an item takes: what the requester says, else what the texts let expect."""
        return 60 * settings.minutes_per_item if settings.minutes_per_item else self.seconds


def reading_seconds(task: Task, items: Sequence[Item]) -> float:
    """Return how many seconds an answer to one of these items may take, judged by the length of what is shown."""
    shown = [task_field.name for task_field in task.fields if task_field.kind != "hidden"]
    lengths = [sum(len(item.fields[name]) for name in shown) for item in items]
    return TO_ANSWER + fmean(lengths) / CHARACTERS if lengths else TO_ANSWER


def workload_of(session: Session, study: Study) -> Workload:
    """Return what a study holds, counted once: its items never change."""
    return unchanging(session, ("workload", study.id, study.created_at), lambda: _counted(session, study))


def _counted(session: Session, study: Study) -> Workload:
    return Workload(
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


def passed(*, right: int, answered: int, mark: float) -> bool:
    """Return whether a training is passed: the share of right first answers is at least `mark` (0..1)."""
    return right >= needed(answered, mark)


def needed(items: int, mark: float) -> int:
    """Return how many right answers out of so many are a share of `mark` (0..1) or more."""
    # 0.55 * 20 is a little more than 11 in binary fractions.
    return ceil(round(mark * items, 9))
