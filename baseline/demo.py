"""Runs of the naive baselines over the demo studies, really computed."""

from baseline.models.factory import make_model
from baseline.runner import run
from data.catalog import sample_file
from data.reading import read_items
from db.engine import Database
from db.studies import Study

NAIVE = ("random", "majority", "tfidf")


def run_naive(database: Database, study: Study) -> None:
    """Let every naive baseline answer the study, trained on the task's sample train split where it learns."""
    train = read_items(sample_file(study.task, "train"), study.task)
    for name in NAIVE:
        model = make_model(name, task=study.task, train=train, base_url=None, api_key=None, seed=study.seed)
        run(database, study=study, model=model)
