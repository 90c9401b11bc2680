"""Every task by its id, found in `data/benchmarks`."""

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

import data.benchmarks
from data.errors import UnknownName
from data.task import Task


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
