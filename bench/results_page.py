"""Processor seconds of the results page over a large study, step by step, and of the overview over many studies.

    python bench/results_page.py [--items 20000] [--overlap 5] [--runs 20] [--studies 43] [--database URL]

Each step is divided by the first one, which only reads the judgments' labels as plain rows: compare the ratios.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import insert, select

sys.path.insert(0, str(Path(__file__).parent.parent))

from baseline.comparison.item_index import item_index
from baseline.comparison.results import Results, results
from baseline.human.baseline import stored_rules
from baseline.output.study_address import StudyAddress
from baseline.pages.results_page import OverviewCache, StudyCache
from data.catalogue.catalog import get_task
from data.task import Item
from db.engine import Database, open_database, reading, writing
from db.items import add_items, list_items
from db.runs import create_run, finish_run
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.tables import JUDGMENT, JudgmentRow, PredictionRow
from db.workers import add_worker

LABELS = ("entailment", "not_entailment")


def make_study(database: Database, name: str, *, items: int, overlap: int, runs: int, seed: int = 1) -> Study:
    """Store a study of rsg/terra with so many items, judgments and models, all drawn from a seed."""
    chance = np.random.default_rng(seed)
    gold = chance.integers(0, 2, items)
    with writing(database) as session:
        task = get_task("rsg/terra")
        study = create_study(session, name=name, task=task, settings=StudySettings(overlap=overlap))
        texts = ({"premise": f"premise {n}", "hypothesis": f"hypothesis {n}"} for n in range(items))
        given = zip(texts, gold, strict=True)
        add_items(session, study=study, items=[Item(f"i{n}", text, LABELS[g]) for n, (text, g) in enumerate(given)])
        keys = [entry.key for entry in list_items(session, study=study, role="main")]
        workers = [add_worker(session) for _ in range(max(overlap, items * overlap // 500))]
        rows = [
            {"study_id": study.id, "item_id": key, "worker_id": workers[(n + k) % len(workers)], "status": "counted"}
            | {"label": _label(gold[n], chance.random() < 0.85), "seconds": float(chance.gamma(4, 3)), "repeat": 0}
            for n, key in enumerate(keys)
            for k in range(overlap)
        ]
        session.execute(insert(JudgmentRow), rows)
        for number in range(runs):
            _add_run(session, study, f"model-{number:02}", keys, gold, 0.6 + 0.018 * number, chance)
    return study


def _label(gold: int, right: bool) -> str:
    return LABELS[gold if right else 1 - gold]


def _add_run(
    session: Any, study: Study, name: str, keys: list[int], gold: Any, skill: float, chance: np.random.Generator
) -> None:
    run = create_run(session, study=study, model=name, kind="model", settings={})
    right = chance.random(len(keys)) < skill
    rows = [
        {"run_id": run.id, "item_id": key, "sample": 0, "raw": f"The answer is {n % 7}: I think so.", "status": "ok"}
        | {"label": _label(gold[n], bool(right[n])), "seconds": 0.8, "cached": False, "cut": False, "cost": 0.0002}
        | {"prompt_tokens": 120, "completion_tokens": 9}
        for n, key in enumerate(keys)
    ]
    session.execute(insert(PredictionRow), rows)
    finish_run(session, run=run)


def seconds(work: Callable[[], Any], times: int = 3) -> float:
    """Return the least processor seconds of several turns: what others do meanwhile only adds."""
    taken = []
    for _ in range(times):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def measured(database: Database, study: Study) -> dict[str, float]:
    """Return the seconds of each step from a click to the page's HTML."""
    studies = StudyCache(database)

    def read() -> None:
        with reading(database) as session:
            session.execute(select(JUDGMENT.c.label).where(JUDGMENT.c.study_id == study.id)).all()

    def computed() -> Results:
        with reading(database) as session:
            return results(session, study=study, rules=stored_rules(study))

    found = computed()

    def index() -> None:
        with reading(database) as session:
            item_index(session, found)

    studies.open(study.name)
    return {
        "floor: labels of the judgments as rows": seconds(read),
        "results: read, consensus, scores, differences": seconds(computed),
        "scores drawn": seconds(lambda: studies.draw(StudyAddress(study.name))),
        "index of the items": seconds(index),
        "page of items": seconds(lambda: studies.draw(StudyAddress(study.name, "items"))),
        "open: all that a click waits for": seconds(lambda: StudyCache(database).open(study.name)),
        "open again: nothing has changed": seconds(lambda: studies.open(study.name)),
    }


def many(database: Database, number: int) -> dict[str, float]:
    """Return the seconds of the overview over `number` studies more: computed, and taken from what is kept."""
    for n in range(number):
        make_study(database, f"study-{n}", items=200, overlap=3, runs=3, seed=n)
    overview = OverviewCache(database)
    return {
        f"overview of {number + 1} studies, first opened": seconds(overview.html, 1),
        "overview, opened again": seconds(overview.html),
    }


def main() -> None:
    """Build the studies and print a line for each step."""
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("items", 20_000), ("overlap", 5), ("runs", 20), ("studies", 43)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--database", default=None)
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(chosen.database or f"sqlite:///{folder}/bench.db")
        study = make_study(database, "large", items=chosen.items, overlap=chosen.overlap, runs=chosen.runs)
        print(f"{chosen.items * chosen.overlap} judgments, {chosen.runs} runs of {chosen.items} predictions")
        steps = measured(database, study) | (many(database, chosen.studies) if chosen.studies else {})
        floor = next(iter(steps.values()))
        for name, taken in steps.items():
            print(f"{name:<48} {taken:8.3f} s {taken / floor:8.1f}x")


if __name__ == "__main__":
    main()
