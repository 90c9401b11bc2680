"""The demo studies of a first start: our own sample items, judged by simulated workers, with room for visitors."""

from datetime import timedelta

from annotate.worker.service import Service
from annotate.worker.simulated_workers import Simulated, simulate
from data.catalogue.catalog import get_task, samples
from db.engine import reading, writing
from db.items import add_items
from db.studies import Study, create_study, list_studies
from db.study_settings import StudySettings
from eval.workers import QualityRules
from eval.workers.control import ControlRule

DEMO_TASKS = {
    "rsg/parus": "demo-parus",
    "rsg/terra": "demo-terra",
    "rsg/muserc": "demo-muserc",
    "agrr/full": "demo-gapping",
    "ruscontext/ellipsis": "demo-ellipsis",
}
WELL_ATTENDED = ("rsg/parus", "rsg/terra")
SEED = 2026
PEOPLE = (
    Simulated(ability=4.2, pace=11),
    Simulated(ability=3.4, pace=9),
    Simulated(ability=2.9, pace=14),
    Simulated(ability=2.6, pace=8),
    Simulated(ability=-0.2, pace=3),
    Simulated(ability=3.0, pace=10, patience=14),
)
FEW = PEOPLE[:3]  # every simulated answer takes its time, and a first start should not
# A rule that only flags leaves it to the visitor to exclude the worker whom it found.
RULES = QualityRules(control=ControlRule(action="flag"))
SETTINGS = StudySettings(
    overlap=8,
    page_main=6,
    page_controls=2,
    price=2.5,
    currency="RUB",
    training_pass=0.5,
    control_min=0.5,
    quality=RULES.stored(),
)


def create_demos(service: Service) -> list[Study]:
    """Create the demo studies that are not there yet and let the simulated people work on them."""
    with reading(service.database) as session:
        known = {study.name for study in list_studies(session)}
    created = []
    for task_id, name in DEMO_TASKS.items():
        if name in known:
            continue
        task = get_task(task_id)
        with writing(service.database) as session:
            study = create_study(session, name=name, task=task, settings=SETTINGS, origin="demo", seed=SEED)
            order = service.signer.chance("order", name, SEED)
            add_items(session, study=study, items=samples(task), order=order)
        people = PEOPLE if task_id in WELL_ATTENDED else FEW
        simulate(service, study, people, start=service.clock() - timedelta(hours=2), seed=SEED)
        created.append(study)
    return created
