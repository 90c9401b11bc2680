"""Runs over the demo studies: naive baselines, really computed, and models that a script plays, named so."""

from random import Random

from baseline.models.reply import Reply
from baseline.runs.dispatcher import read
from baseline.runs.planned_runs import Access, plan_runs
from baseline.runs.run_settings import run_settings
from baseline.runs.run_state import IMPORTED
from baseline.runs.runner import run
from data.catalogue.catalog import sample_file
from data.errors import BadSetting
from db.engine import Database, reading, writing
from db.items import list_items
from db.runs import add_predictions, create_run, finish_run
from db.studies import Study

NAIVE = ("random", "majority", "tfidf")
WRONG = {"simulated A (5% wrong)": 0.05, "simulated B (25% wrong)": 0.25, "simulated C (50% wrong)": 0.5}
"""Models that a script plays: how often each is wrong, which its name says."""


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


def run_simulated(database: Database, study: Study) -> None:
    """Store what models that a script plays answer to the items with gold; nothing where none has gold."""
    with reading(database) as session:
        items = [stored for stored in list_items(session, study=study, role="main") if stored.item.gold is not None]
    for name, wrong in WRONG.items() if items else ():
        random, predictions = Random(f"{study.seed}:{study.name}:{name}"), []
        mistaken = random.sample([stored.key for stored in items], max(1, round(wrong * len(items))))
        for stored in items:
            fields, gold = stored.item.fields, str(stored.item.gold)
            asked = study.task.answer_for(fields)
            others = [option.label for option in asked.options(fields) if option.label != gold]
            said = random.choice(others) if stored.key in mistaken else gold
            predictions.append(read(study.task, stored, 0, Reply(asked.show(said, fields))))
        with writing(database) as session:
            settings = {IMPORTED: "jsonl", "file": "a script of the demo", "samples": 1}
            made = create_run(session, study=study, model=name, kind="model", settings=settings)
            add_predictions(session, run=made, predictions=predictions)
            finish_run(session, run=made)
