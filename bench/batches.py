"""What writing Batch files costs beside dumping the very same JSON: python bench/batches.py --requests 1000000.

So many items (1,000) are asked as many samples as that takes, by the path of the command: prompts, keys, looking for
earlier replies, files; with as many items as requests each has one sample, and its prompt is made for that alone.
Dumping is `json.dumps` of the lines that were written, into a file, with nothing to find out before.
"""

import json
import multiprocessing
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).parent.parent))

from baseline.runs.batches import batch_folder, write_batches
from baseline.runs.planned_runs import Access, plan_runs
from baseline.runs.run_settings import run_settings
from data.catalogue.catalog import get_task, sample_file
from data.files.item_files import read_items
from db.engine import open_database, writing
from db.items import add_items
from db.studies import create_study
from db.study_settings import StudySettings

GOALS = "goals: 3 times the CPU of dumping, 300 MB at most"


def main(
    requests: Annotated[int, typer.Option(help="How many are written.")] = 1_000_000,
    items: Annotated[int, typer.Option(help="Of how many items.")] = 1_000,
) -> None:
    """Print one row: CPU of writing and of dumping, how many times that is, and the most memory of writing."""
    seconds, dumping, memory, each = measured(requests, items)
    print(f"{requests} requests of {each:.0f} bytes: written in {seconds:.1f} s of CPU, dumped in {dumping:.1f} s")
    print(f"{seconds / dumping:.2f} times the cost, {memory:.0f} MB at most")
    print(GOALS)


def measured(requests: int, items: int = 1_000) -> tuple[float, float, float, float]:
    """Return the seconds of CPU of writing and of dumping, the MB of writing at most and the bytes of a request."""
    # Each step has a process of its own: making the study takes memory that writing does not.
    processes = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as home, processes.Pool(1, maxtasksperchild=1) as pool:
        folder, url = Path(home) / "batches", f"sqlite:///{home}/bench.db"
        pool.apply(made_study, (url, items))
        seconds, memory = pool.apply(written, (url, folder, requests // items))
        dumping = dumped(folder, Path(home) / "dumped.jsonl")
        size = sum(path.stat().st_size for path in folder.glob("requests-*.jsonl"))
    return seconds, dumping, memory, size / requests


def made_study(url: str, many: int) -> None:
    """Make a study of so many items."""
    task, database = get_task("rsg/terra"), open_database(url)
    few = read_items(sample_file(task, "main"), task)
    items = [replace(few[n % len(few)], id=f"{n}", fields={**few[n % len(few)].fields}) for n in range(many)]
    for n, item in enumerate(items):
        item.fields["premise"] = f"{item.fields['premise']} ({n})"  # type: ignore[index]
    with writing(database) as session:
        add_items(session, study=create_study(session, name="b", task=task, settings=StudySettings()), items=items)


def written(url: str, folder: Path, samples: int) -> tuple[float, float]:
    """Return the seconds of CPU that files of all its requests take, and the MB of this process at most."""
    database = open_database(url)
    values = {"base_url": "http://127.0.0.1:1/v1", "samples": samples, "batch": folder}
    planned = plan_runs(database, "b", run_settings("openai:m", values), Access("none"))[0]
    began = time.process_time()
    write_batches(database, planned, batch_folder(planned))
    seconds = time.process_time() - began
    # What the system counts for a process begins with that of the process which started this one.
    peak = Path("/proc/self/status").read_text("utf8").split("VmHWM:")[1].split()[0]
    return seconds, int(peak) / 1024


def dumped(folder: Path, path: Path) -> float:
    """Return the seconds of CPU that dumping takes, without those of reading the lines."""
    seconds = 0.0
    with path.open("w", encoding="utf8") as file:
        for requests in sorted(folder.glob("requests-*.jsonl")):
            lines = [json.loads(line) for line in requests.read_bytes().splitlines()]
            began = time.process_time()
            for line in lines:
                file.write(json.dumps(line) + "\n")
            seconds += time.process_time() - began
    return seconds


if __name__ == "__main__":
    typer.run(main)
