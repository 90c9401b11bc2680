"""Files of items become a new, open study: what is read is checked whole before anything is stored."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from data.catalog import get_task
from data.errors import BadSetting
from data.reading import read_items
from data.task import ROLES, Item, Task
from db.engine import Session
from db.items import add_items
from db.studies import Study, StudySettings, create_study


@dataclass(frozen=True)
class ItemFiles:
    """The files of a study's items by role."""

    main: Path
    training: Path | None = None
    control: Path | None = None

    def read(self, task: Task, sample: int | None, seed: int) -> list[Item]:
        """Return the items of all files, main ones drawn and first."""
        items = drawn(read_items(self.main, task), sample, seed)
        items += read_items(self.training, task, role="training") if self.training else []
        return items + (read_items(self.control, task, role="control") if self.control else [])


@dataclass(frozen=True)
class Created:
    """A new study and how many items it has by role."""

    study: Study
    items: dict[str, int]

    @property
    def wanted(self) -> int:
        """How many judgments the main items are to have."""
        return self.items["main"] * self.study.settings.overlap

    def as_dict(self) -> dict[str, Any]:
        """Return what the study needs as data that JSON can hold."""
        return {
            "study": self.study.name,
            "task": self.study.task.id,
            "items": self.items,
            "judgments": {"wanted": self.wanted},
            "settings": self.study.settings.model_dump(mode="json"),
        }

    def __str__(self) -> str:
        """Return what the study needs as text."""
        settings, items = self.study.settings, self.items
        page = f", {settings.page_controls} to {settings.page_main} main ones on a page" if items["control"] else ""
        passed = f", passed with {settings.training_pass:.0%} right" if items["training"] else ""
        return "\n".join(
            [
                f"study {self.study.name!r} ({self.study.task.id}) is open",
                f"  main        {items['main']} items, {settings.overlap} judgments each: {self.wanted} wanted",
                f"  control     {items['control']} items{page}",
                f"  training    {items['training']} items{passed}",
            ]
        )


def create_from_files(
    session: Session,
    *,
    name: str,
    task_id: str,
    files: ItemFiles,
    sample: int | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Created:
    """Store a new study with the items of the files and return it; `sample` draws that many main items by `seed`.

    `settings` are those of StudySettings; None leaves the default. Raises an EtalonError with one sentence where a
    file or a setting is wrong; the caller's transaction then keeps nothing.
    """
    task = get_task(task_id)
    items = files.read(task, sample, seed)
    roles = Counter(item.role for item in items)
    if not roles["control"]:
        settings = _without_controls(settings)
    study = create_study(session, name=name, task=task, settings=study_settings(settings), seed=seed)
    add_items(session, study=study, items=items)
    return Created(study, {role: roles[role] for role in ROLES})


def study_settings(given: Mapping[str, Any]) -> StudySettings:
    """Return settings with what is given and not None; raises BadSetting with the option as it is typed."""
    try:
        return StudySettings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0]).replace("_", "-")
        raise BadSetting(f"--{option} {first['input']}: {first['msg'][0].lower()}{first['msg'][1:]}") from error


def _without_controls(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings whose pages hold no controls; asking for some is refused."""
    if asked := settings.get("page_controls"):
        raise BadSetting(f"--page-controls {asked}: the study has no control items; give them with --control FILE")
    return {**settings, "page_controls": 0}


def drawn(items: Sequence[Item], sample: int | None, seed: int) -> list[Item]:
    """Return `sample` items drawn by `seed`, in the order of the file; all of them where no number is given."""
    if sample is None:
        return list(items)
    if not 1 <= sample <= len(items):
        raise BadSetting(f"--sample {sample}: the file has {len(items)} items; draw from 1 to {len(items)} of them")
    places = sorted(Random(seed).sample(range(len(items)), sample))
    return [items[place] for place in places]
