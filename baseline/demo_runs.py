"""Runs of the naive baselines over the demo studies, really computed."""

from baseline.runs.planned_runs import Access, plan_runs
from baseline.runs.run_settings import run_settings
from baseline.runs.runner import run
from data.catalogue.catalog import sample_file
from data.errors import BadSetting
from db.engine import Database
from db.studies import Study

NAIVE = ("random", "majority", "tfidf")


def run_naive(database: Database, study: Study) -> None:
    """Let every naive baseline answer the study, trained on the task's sample train split where it learns.

    One that has nothing to learn from, or cannot give answers of the task's type, is left out.
    """
    file = sample_file(study.task, "train")
    values = {"train": file if file.exists() else None, "seed": study.seed}
    for name in NAIVE:
        try:
            (planned,) = plan_runs(database, study.name, run_settings(name, values), Access())
        except BadSetting:
            continue
        run(database, planned)
