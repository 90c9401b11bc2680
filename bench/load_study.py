"""The study that is loaded: PARus sample items, as many as wanted under ids of their own."""

from itertools import cycle, islice

from data.catalogue.catalog import get_task, samples
from data.task import Item
from db.engine import Database, writing
from db.items import add_items
from db.studies import Study, create_study
from db.study_settings import StudySettings

TASK = "rsg/parus"


def make_study(database: Database, name: str, *, items: int, overlap: int, lease: float) -> Study:
    """Store a study of so many main items, with the task's training and controls. `lease` in seconds."""
    task = get_task(TASK)
    given = samples(task)
    main = islice(cycle([item for item in given if item.role == "main"]), items)
    numbered = [Item(f"{name}-{n}", item.fields, item.gold, "main") for n, item in enumerate(main)]
    settings = StudySettings(overlap=overlap, lease_minutes=lease / 60, price=2.5, places_an_hour=0)
    with writing(database) as session:
        study = create_study(session, name=name, task=task, settings=settings, seed=2026)
        add_items(session, study=study, items=[*numbered, *(item for item in given if item.role != "main")])
    return study


def right_answers() -> dict[str, str]:
    """The right label of each item by the text it begins with, for people who know the answer."""
    return {item.fields["premise"]: item.gold or "" for item in samples(get_task(TASK))}
