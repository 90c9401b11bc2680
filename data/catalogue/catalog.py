"""Every task by its id: a TOML file in `data/tasks`, read when it is asked for."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from data.catalogue.families import FAMILY, TASKS
from data.catalogue.task_files import ENDING, read_task
from data.errors import BadFile, UnknownName
from data.task import Task


class Catalogue(Mapping[str, Task]):
    """Tasks by their ids, in the order of these; naming them reads none of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = (path for path in folder.rglob(f"*{ENDING}") if path.name != FAMILY and "." not in path.stem)
        self._ids = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in files)
        self._read: dict[str, Task] = {}

    def __getitem__(self, task_id: str) -> Task:
        if task_id not in self._ids:
            raise KeyError(task_id)
        if task_id not in self._read:
            self._read[task_id] = self._task(task_id)
        return self._read[task_id]

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def readable(self) -> tuple[list[Task], list[str]]:
        """Return the tasks that can be read, and why each other one cannot: one bad file hides no other."""
        tasks: list[Task] = []
        faults: list[str] = []
        for task_id in self:
            try:
                tasks.append(self[task_id])
            except BadFile as error:
                faults.append(str(error))
        return tasks, faults

    def _task(self, task_id: str) -> Task:
        """Return a task; raises BadFile with the folder, the file and the line of what is wrong."""
        path = self._folder / f"{task_id}{ENDING}"
        place = path.parent.relative_to(self._folder.parents[1]).as_posix()
        try:
            task = read_task(path)
        except BadFile as error:
            raise BadFile(f"{place}/{error}") from error
        if task.id != task_id:
            raise BadFile(f'{place}/{path.name}: its id is {task.id!r}; write id = "{task_id}", as its place says')
        return task


@cache
def tasks() -> Catalogue:
    """Return every task by id, in the order of their ids."""
    return Catalogue(TASKS)


def get_task(task_id: str) -> Task:
    """Return the task of that id; an unknown id is refused with the nearest names."""
    if task_id not in tasks():
        raise UnknownName("task", task_id, tasks())
    return tasks()[task_id]


def task_named(name: str) -> Task:
    """Return the task of the catalogue with that id, or of the file where the name ends in .toml."""
    return read_task(Path(name)) if name.lower().endswith(ENDING) else get_task(name)
