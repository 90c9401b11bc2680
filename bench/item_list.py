"""Seconds that the item page takes over a large study: opened, paged, filtered, one item.

    python bench/item_list.py [--items 20000] [--overlap 5] [--runs 20] [--database URL]

Each step is divided by the first one, which only reads the judgments' labels as plain rows: compare the ratios.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from sqlalchemy import select

sys.path.insert(0, str(Path(__file__).parent.parent))

from baseline.comparison.item_index import SHOWS
from baseline.output.study_address import StudyAddress
from baseline.pages.study_cache import StudyCache
from bench.results_page import make_study, seconds
from db.engine import Database, open_database, reading
from db.studies import Study
from db.tables import JUDGMENT


def measured(database: Database, study: Study) -> dict[str, float]:
    """Return the seconds of each step from a click to the page's HTML."""
    studies = StudyCache(database)

    def floor() -> None:
        with reading(database) as session:
            session.connection().execute(select(JUDGMENT.c.label).where(JUDGMENT.c.study_id == study.id)).all()

    name, items = study.name, studies.open(study.name).index.items
    steps = {
        "floor: labels of the judgments as rows": seconds(floor),
        "study opened, first page drawn": seconds(lambda: StudyCache(database).draw(StudyAddress(name, "items"))),
        "a page in the middle": seconds(lambda: studies.draw(StudyAddress(name, "items", page=len(items) // 100))),
        "one item": seconds(lambda: studies.draw(StudyAddress(name, "items", item=items[-1]))),
    }
    filters = {
        f"filter {show}": seconds(lambda show=show: studies.draw(StudyAddress(name, "items", show=show)))  # type: ignore[misc]
        for show in SHOWS
    }
    return steps | filters


def main() -> None:
    """Build the study and print a line for each step."""
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("items", 20_000), ("overlap", 5), ("runs", 20)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--database", default=None)
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(chosen.database or f"sqlite:///{folder}/bench.db")
        study = make_study(database, "large", items=chosen.items, overlap=chosen.overlap, runs=chosen.runs)
        print(f"{chosen.items * chosen.overlap} judgments, {chosen.runs} runs of {chosen.items} predictions")
        steps = measured(database, study)
        first = next(iter(steps.values()))
        for name, taken in steps.items():
            print(f"{name:<44} {taken:8.3f} s {taken / first:8.1f}x")


if __name__ == "__main__":
    main()
