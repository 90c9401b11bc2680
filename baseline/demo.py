"""Runs of the naive baselines over the demo studies, really computed."""

from baseline.models.base import Model
from baseline.models.providers import make_model
from baseline.runs.runner import run
from data.errors import BadSetting
from data.reading import read_items
from data.sample_items import sample_file
from db.engine import Database
from db.studies import Study

NAIVE = ("random", "majority", "tfidf")


def run_naive(database: Database, study: Study) -> None:
    """Let every naive baseline answer the study, trained on the task's sample train split where it learns."""
    for name in NAIVE:
        if model := _made(name, study):
            run(database, study=study, model=model)


def _made(name: str, study: Study) -> Model | None:
    """Return the model, None where it has nothing to learn from or cannot give answers of the task's type."""
    file = sample_file(study.task, "train")
    train = read_items(file, study.task) if file.exists() else None
    try:
        return make_model(name, task=study.task, train=train, base_url=None, api_key=None, seed=study.seed)
    except BadSetting:
        return None
