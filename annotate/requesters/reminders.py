"""Reminders on the pages of studies: what consent cannot tell workers, and settings that another version stored."""

from db.studies import Study
from db.study_settings import StudySettings
from eval.workers import unknown_rules


def reminders(settings: StudySettings) -> list[str]:
    """Return a sentence for each thing that workers would want to know and nobody has said."""
    wanted = {
        "No contact for workers is set: the consent text sends them to whoever invited them.": not settings.contact,
        "Minutes per item are not set: the consent text estimates them from the length of the texts.": (
            settings.minutes_per_item is None
        ),
        "There is no partial completion code: workers who are stopped get no code for what they are owed.": bool(
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
        f"know: {', '.join(map(repr, names))}. They are left aside; the others hold."
    )
