"""Every task by its id: a TOML file in `data/tasks`, or in that of another package, read when it is asked for."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from data.catalogue.families import FAMILY, FOLDERS, TASKS
from data.catalogue.task_files import ENDING, family_problems, in_full, read_task
from data.errors import BadFile, Fault, look_up
from data.files.item_files import read_items
from data.task import ROLES, Item, Task
from data.wording import enumerated


class Catalogue(Mapping[str, Task]):
    """The tasks of several folders by their ids, in the order of these; naming them reads none of them.

    `files` is where each lies. An id that is in two folders is refused with BadFile.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        found = [path for folder in folders for path in folder.rglob(f"*{ENDING}")]
        tasks = sorted((self.id_of(path), path) for path in found if path.name != FAMILY and "." not in path.stem)
        self.files = dict(tasks)
        for (task_id, path), (next_id, other) in pairwise(tasks):
            if task_id == next_id:
                raise BadFile(f"the task {task_id!r} is in {path} and in {other}; rename or remove one of them")
        self._read: dict[str, Task] = {}

    def id_of(self, path: Path) -> str:
        """Return the id that a task has by its place, "" outside the folders."""
        inside = next((folder for folder in self._folders if path.is_relative_to(folder)), None)
        return path.relative_to(inside).with_suffix("").as_posix() if inside else ""

    def __getitem__(self, task_id: str) -> Task:
        if task_id not in self._read:
            self._read[task_id] = self._task(task_id)
        return self._read[task_id]

    def __contains__(self, task_id: object) -> bool:
        return task_id in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

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
        first = {path.parent: path for path in reversed(self.files.values())}
        return [f"{self._place(path)}/{problem}" for path in first.values() for problem in family_problems(path)]

    def _place(self, path: Path) -> str:
        """Return the folder of a file as it is called in a sentence: the package it lies in comes first."""
        depth = self.id_of(path).count("/") + 2
        return "/".join(path.parent.parts[-depth:])

    def _task(self, task_id: str) -> Task:
        """Return a task; raises BadFile with the folder, the file and the line of what is wrong."""
        path = self.files[task_id]
        place = self._place(path)
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
    return Catalogue(*FOLDERS)


def get_task(task_id: str) -> Task:
    """Return the task of that id; an unknown id is refused with the nearest names."""
    return look_up("task", task_id, tasks())


def task_named(name: str) -> Task:
    """Return the task of the catalogue with that id, or of the file where the name ends in .toml."""
    return read_task(Path(name)) if name.lower().endswith(ENDING) else get_task(name)


def file_named(name: str) -> Path:
    """Return the file of the task of the catalogue with that id, or the one of that name; refuses an unknown id."""
    if name.lower().endswith(ENDING) or Path(name).is_file():
        return Path(name)
    return look_up("task", name, tasks().files)


def place_faults(path: Path, values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the id of a task file that lies in the catalogue."""
    own, task_id = tasks().id_of(path.resolve()), values.get("id")
    if own and task_id != own:
        yield Fault(("id",), _wrong_id_words(task_id, own))


def left_behind(path: Path, values: Mapping[str, Any]) -> str:
    """Return what a copy of a task of the catalogue lacks that files beside that one say, "" for nothing."""
    task_id = values.get("id")
    if task_id not in tasks() or tasks().id_of(path.resolve()):
        return ""
    lacking = [key for key in in_full(tasks().files[str(task_id)]) if key not in values]
    if not lacking:
        return ""
    return (
        f"{path.name} lacks {enumerated(lacking)}, which files beside the task {task_id!r} of the catalogue give it; "
        f"python app.py tasks {task_id} --toml prints the task with nothing left out"
    )


def _wrong_id_words(given: object, task_id: str) -> str:
    return f'its id is {given!r}; write id = "{task_id}", as its place says'


SAMPLES = TASKS.with_name("samples")


def sample_file(task: Task, part: str) -> Path:
    """Return where the sample items of one part (main, training, control, train) of a task are."""
    files = [folder.with_name(SAMPLES.name) / task.id / f"{part}.jsonl" for folder in FOLDERS]
    return next(filter(Path.exists, files), files[0])


def samples(task: Task) -> list[Item]:
    """Return the task's sample items in the roles it has any for; the train split for models is a file of its own."""
    files = {role: sample_file(task, role) for role in ROLES}
    return [item for role, file in files.items() if file.exists() for item in read_items(file, task, role=role)]
