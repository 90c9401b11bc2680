"""Every task by its id: a TOML file in `data/tasks`, read when it is asked for."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.catalogue.families import FAMILY, TASKS
from data.catalogue.task_files import ENDING, family_problems, in_full, read_task
from data.errors import BadFile, Fault, UnknownName
from data.files.item_files import read_items
from data.task import ROLES, Item, Task
from data.wording import enumerated


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
        return tasks, faults + self._family_faults()

    def _family_faults(self) -> list[str]:
        """Return what is wrong with what folders say of their benchmarks."""
        first = {path.parent: path for path in reversed([self._folder / f"{task_id}{ENDING}" for task_id in self])}
        families = ((folder.relative_to(self._folder.parents[1]).as_posix(), path) for folder, path in first.items())
        return [f"{place}/{problem}" for place, path in families for problem in family_problems(path)]

    def _task(self, task_id: str) -> Task:
        """Return a task; raises BadFile with the folder, the file and the line of what is wrong."""
        path = self._folder / f"{task_id}{ENDING}"
        place = path.parent.relative_to(self._folder.parents[1]).as_posix()
        try:
            task = read_task(path)
        except BadFile as error:
            raise BadFile(f"{place}/{error}") from error
        if task.id != task_id:
            raise BadFile(f"{place}/{path.name}: {_wrong_id_words(task.id, task_id)}")
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


def file_named(name: str) -> Path:
    """Return the file of the task of the catalogue with that id, or the one of that name; refuses an unknown id."""
    if name.lower().endswith(ENDING) or Path(name).is_file():
        return Path(name)
    if name not in tasks():
        raise UnknownName("task", name, tasks())
    return TASKS / f"{name}{ENDING}"


def place_faults(path: Path, values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the id of a task file that lies in the catalogue."""
    file, task_id = path.resolve(), values.get("id")
    if file.is_relative_to(TASKS) and task_id != (own := file.relative_to(TASKS).with_suffix("").as_posix()):
        yield Fault(("id",), _wrong_id_words(task_id, own))


def left_behind(path: Path, values: Mapping[str, Any]) -> str:
    """Return what a copy of a task of the catalogue lacks that files beside that one say, "" for nothing."""
    task_id = values.get("id")
    if task_id not in tasks() or path.resolve().is_relative_to(TASKS):
        return ""
    lacking = [key for key in in_full(TASKS / f"{task_id}{ENDING}") if key not in values]
    if not lacking:
        return ""
    return (
        f"{path.name} lacks {enumerated(lacking)}, which files beside the task {task_id!r} of the catalogue give it; "
        f"python app.py tasks {task_id} --toml prints the task with nothing left out"
    )


def _wrong_id_words(given: object, task_id: str) -> str:
    return f'its id is {given!r}; write id = "{task_id}", as its place says'


SAMPLES = Path(__file__).parents[1] / "samples"


def sample_file(task: Task, part: str) -> Path:
    """Return where the sample items of one part (main, training, control, train) of a task are."""
    return SAMPLES / task.id / f"{part}.jsonl"


def samples(task: Task) -> list[Item]:
    """Return the task's sample items in the roles it has any for; the train split for models is a file of its own."""
    files = {role: sample_file(task, role) for role in ROLES}
    return [item for role, file in files.items() if file.exists() for item in read_items(file, task, role=role)]
