"""What the requesters' pages show and send, as plain frozen values, and what requesters should know of a study."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from annotate.requesters.adjudication import attention, is_tied
from data.errors import FileProblem
from data.gold_leaks import Leak, leaks, leaks_in
from data.numbers import counted
from data.task import ROLES, Item
from db.arrivals import LET_IN, refused_arrivals
from db.clock import now
from db.engine import Database, Session, reading
from db.items import Coverage, first_items
from db.records import count_open
from db.studies import Study, get_study
from db.study_progress import Turnout, turnout
from db.study_settings import StudySettings
from eval.workers.table import unknown_rules

NO_CONTACT = "Contact for workers is empty. The consent text refers workers to whoever invited them."
LET = "let"
"""What is done at once; anything else is the tab where it is done."""


@dataclass(frozen=True)
class Waiting:
    """One thing that waits, the words of what to do about it, and where that is done: a tab's name, or LET."""

    what: str
    act: str
    place: str


def waiting(session: Session, *, study: Study, moment: datetime) -> tuple[Waiting, ...]:
    """Return what waits in a study in which people answer, the most urgent first."""
    if study.origin != "collected" or study.archived:
        return ()
    refused, appeals = refused_arrivals(session, study=study, moment=moment), count_open(session, study=study)
    reviews = attention(session, study=study).reviews.values() if study.status != "draft" else ()
    undecided = [review for review in reviews if review.decision is None]
    enough = study.settings.overlap
    tied = sum(is_tied(review.votes) and sum(review.votes.values()) >= enough for review in undecided)
    reported = sum(review.reports > 0 for review in undecided)
    people = "1 person was" if refused.number == 1 else f"{refused.number} people were"
    found = {
        Waiting(f"{people} refused: their address reached its hourly limit", f"Let {LET_IN} more in", LET): (
            refused.number if study.status == "open" and not refused.until else 0
        ),
        Waiting(f"{counted(appeals, 'appeal')} to answer", "Answer", "workers"): appeals,
        Waiting(f"{counted(tied, 'item')} without a majority", "Decide", "decide"): tied,
        Waiting(f"{counted(reported, 'item')} reported by workers", "Decide", "decide"): reported,
        Waiting("Workers have nobody to write to: no contact is set", "Add one", "settings"): not study.settings.contact
        and study.status != "closed",
    }
    return tuple(one for one, there in found.items() if there)


ARCHIVED = "archived"


@dataclass(frozen=True)
class StudyCard:
    """How far one study is, with the numbers of its training and control items.

    `waits` is what there is to do, `pilot_of` the study that it tries, `pilots` are those that try it; `unchecked` is
    how many workers have met every control and get main items only.
    """

    study: Study
    coverage: Coverage
    training: int
    control: int
    turnout: Turnout
    waits: tuple[Waiting, ...] = ()
    pilot_of: str = ""
    pilots: tuple[str, ...] = ()
    unchecked: int = 0

    def found_by(self, words: str) -> bool:
        """Return whether name, task and state have all these words; an archived study is to be asked for."""
        study, task = self.study, self.study.task
        state = f"{ARCHIVED} {study.status}" if study.archived else study.status
        text = f"{study.name} {task.id} {task.title.for_requesters} {state}".casefold()
        asked = words.casefold().split()
        return all(word in text for word in asked) and (not study.archived or ARCHIVED in asked)

    @property
    def share(self) -> float:
        """How much of what is wanted is there, 0 to 1."""
        return min(1.0, self.coverage.filled / self.coverage.target) if self.coverage.target else 0.0

    @property
    def simulated(self) -> bool:
        """Whether any of the judgments came from a program."""
        return self.turnout.simulated > 0


@dataclass(frozen=True)
class FileCheck:
    """What a file holds: how many items can be used, how many with a right answer; the first problem and how many.

    `first_problems` lists the problems up to a limit, `leaks` says which fields show people the right answer,
    `unused` which answers no item has. `unusable` is how many rows can be left out, so that the others are in order.

    `clusters` is how many sittings the items make; `has_right` whether there can be a right answer at all. A file that
    is not `whole` is so large that only `looked_at` items were looked at, and the numbers are estimates. `chance` is
    how often a guesser is right, `seconds` how long an answer may take. `first` are the first item and the first two
    with a right answer, so far as there are any. `tags` has a tag of HTML by the name of the field whose texts have
    some.
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
    tags: Mapping[str, str] = field(default_factory=dict)


def reminders(settings: StudySettings) -> list[str]:
    """Return a sentence for each thing that workers would want to know and nobody has said."""
    wanted = {
        NO_CONTACT: not settings.contact,
        "Minutes per item is empty. The consent text states an estimate, then the median of the answers.": (
            settings.minutes_per_item is None
        ),
        "Partial completion code is empty. Whoever ends early gets the worker’s name as a code.": bool(
            (settings.completion_code or settings.completion_url) and not settings.partial_code
        ),
    }
    return [sentence for sentence, said in wanted.items() if said]


def unknown_settings(study: Study) -> str:
    """Return the sentence on what a study stores that this version does not know, "" where there is nothing."""
    names = (*study.unknown, *unknown_rules(study.settings.quality))
    if not names:
        return ""
    return (
        f"The study {study.name!r} was stored by another version of the program, with settings that this one does not "
        f"know: {', '.join(map(repr, names))}. It ignores them."
    )


LOOKED_AT = 500  # items of each role


@dataclass(frozen=True)
class LeakReport:
    """What a study tells its workers, and how many of them have answered there."""

    leaks: tuple[Leak, ...]
    workers: int


def leaks_of(database: Database, name: str) -> LeakReport:
    """Return which fields of a study show people the right answer, judged by its first items; raises UnknownName.

    Suspicions count only where people are asked in a task of one's own: people looked at those of the catalogue.
    """
    with reading(database) as session:
        study = get_study(session, name=name)
        items = [item for role in ROLES for item in first_items(session, study=study, role=role, most=LOOKED_AT)]
        telling = (leaks if study.origin == "imported" else leaks_in)(study.task, items)
        return LeakReport(tuple(telling), turnout(session, study=study, moment=now()).workers if telling else 0)
