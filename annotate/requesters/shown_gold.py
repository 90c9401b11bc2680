"""What a stored study may have told its workers: fields that are shown to them and hold the right answer."""

from dataclasses import dataclass

from data.gold_leaks import Leak, leaks, leaks_in
from data.task import ROLES
from db.clock import now
from db.engine import Database, reading
from db.items import first_items
from db.studies import get_study
from db.study_progress import turnout

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
