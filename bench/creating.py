"""How long a large study takes to be made, and how long people who answer in another study wait meanwhile.

    python bench/creating.py [--items 1000000] [--database URL]

An answer of one person is measured without a creation, then while this process creates the study: by a thread of it, as
on a server, and by a process of its own, as beside a command.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from threading import Thread

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from annotate.accounts.signer import Signer
from annotate.requesters.study_creation import Sources, StudySpecification, create
from annotate.worker.service import Service
from annotate.worker.stages import Act
from data.catalogue.catalog import get_task
from db.engine import Database, open_database
from db.study_settings import StudySettings

LABELS = ("entailment", "not_entailment")
OTHER, THINKING = "answered-meanwhile", 0.05  # seconds from one answer to the next
ALONE = 5.0  # seconds that are measured without a creation


def write_items(path: Path, number: int) -> None:
    """Write a file of so many items of rsg/terra."""
    with path.open("w", encoding="utf-8") as file:
        for n in range(number):
            item = {"id": f"i{n}", "premise": f"premise {n} of a file that is large", "hypothesis": f"hypothesis {n}"}
            file.write(json.dumps(item | {"label": "entailment"}) + "\n")


def make(database: Database, name: str, folder: Path, number: int) -> None:
    """Make a study of so many items out of a file."""
    write_items(folder / f"{name}.jsonl", number)
    task, sources = get_task("rsg/terra"), Sources(main=folder / f"{name}.jsonl")
    create(database, Signer("bench"), StudySpecification(name, task, StudySettings(), sources), tell=print)


def answers(database: Database, until: Callable[[], bool]) -> list[float]:
    """Answer in the other study until it is time, and return the seconds that each took, the page's loading with it."""
    service, taken, chance = Service(database, Signer("bench")), [], Random(1)
    cookie = service.join(OTHER, service.signer.invitation(OTHER))
    service.act(OTHER, cookie, Act("consent"))
    service.act(OTHER, cookie, Act("begin"))
    while not until():
        begun = time.perf_counter()
        token, value = service.state(OTHER, cookie).token, chance.choice(LABELS)
        service.act(OTHER, cookie, Act("answer", token=token, value=value, seconds=5))
        taken.append(time.perf_counter() - begun)
        time.sleep(THINKING)
    return taken


def beside(url: str, stop: Event, to: Path) -> None:
    """Answer in a process of its own and write what that took."""
    database = open_database(url)
    np.save(to, answers(database, stop.is_set))
    database.dispose()


def report(called: str, taken: list[float]) -> None:
    """Print how long answers took."""
    seconds = np.array(taken) * 1000
    told = (
        f"{len(seconds):6} answers, p50 {np.quantile(seconds, 0.5):6.0f} ms, p95 {np.quantile(seconds, 0.95):6.0f} ms"
    )
    print(f"{called:<44}{told}, longest {seconds.max():6.0f} ms")


def measure(url: str, folder: Path, items: int) -> None:
    """Make the study, answer meanwhile, and print how both went."""
    database = open_database(url)
    make(database, OTHER, folder, 20_000)
    end = time.monotonic() + ALONE
    report("without a creation", answers(database, lambda: time.monotonic() > end))
    stop, threaded = multiprocessing.get_context("spawn").Event(), list[float]()
    other = multiprocessing.get_context("spawn").Process(target=beside, args=(url, stop, folder / "beside.npy"))
    here = Thread(target=lambda: threaded.extend(answers(database, stop.is_set)))
    other.start()
    here.start()
    begun, used = time.perf_counter(), time.process_time()
    make(database, "large", folder, items)
    wall, used = time.perf_counter() - begun, time.process_time() - used
    stop.set()
    here.join()
    other.join()
    report("meanwhile, a thread of the same process", threaded)
    report("meanwhile, another process", np.load(folder / "beside.npy").tolist())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{items:,} items made in {wall:.0f} s, {used:.0f} s of CPU, at most {memory:.0f} MB of memory")
    database.dispose()


def main() -> None:
    """Measure in a folder of its own."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--items", type=int, default=1_000_000)
    asked.add_argument("--database", default=None)
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(chosen.database or f"sqlite:///{folder}/bench.db", Path(folder), chosen.items)


if __name__ == "__main__":
    main()
