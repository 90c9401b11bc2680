"""What requesters should know: consent is incomplete, settings are unknown, a field shows workers the right answer."""

from dataclasses import dataclass

from data.gold_leaks import Leak, leaks, leaks_in
from data.task import ROLES
from db.clock import now
from db.engine import Database, reading
from db.items import first_items
from db.studies import Study, get_study
from db.study_progress import turnout
from db.study_settings import StudySettings
from eval.workers import unknown_rules


def reminders(settings: StudySettings) -> list[str]:
    """Return a sentence for each thing that workers would want to know and nobody has said."""
    wanted = {
        "Contact for workers is empty. The consent text refers workers to whoever invited them.": not settings.contact,
        "Minutes per item is empty. The consent text states an estimate from the length of the texts.": (
            settings.minutes_per_item is None
        ),
        "Partial completion code is empty. Stopped workers get no code for their pay.": bool(
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
