"""Every task by its id, found in `data/benchmarks`, and the sample items that come with it."""

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import data.benchmarks
from data.errors import UnknownName
from data.reading import read_items
from data.task import ROLES, Item, Task

SAMPLES = Path(__file__).parent / "samples"


@cache
def tasks() -> dict[str, Task]:
    """Return every task by id, in the order of their ids."""
    modules = walk_packages(data.benchmarks.__path__, "data.benchmarks.")
    found = [value for module in modules if (value := getattr(import_module(module.name), "TASK", None))]
    return {task.id: task for task in sorted(found, key=lambda task: task.id)}


def get_task(task_id: str) -> Task:
    """Return the task of that id; an unknown id is refused with the nearest names."""
    if task_id not in tasks():
        raise UnknownName("task", task_id, tasks())
    return tasks()[task_id]


def sample_file(task: Task, part: str) -> Path:
    """Return where the sample items of one part (main, training, control, train) of a task are."""
    return SAMPLES / task.id / f"{part}.jsonl"


def samples(task: Task) -> list[Item]:
    """Return the task's sample items in the roles it has any for; the train split for models is a file of its own."""
    files = {role: sample_file(task, role) for role in ROLES}
    return [item for role, file in files.items() if file.exists() for item in read_items(file, task, role=role)]
