"""A study is one collection, with the snapshot of its task and its settings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import String, bindparam, select, update
from sqlalchemy import cast as as_type

from data.declared import STORED
from data.errors import BadSetting, UnknownName
from data.task import Task, as_dict, from_dict
from data.wording import AS_PEOPLE_READ, MODEL_LANGUAGE, MODELS_READ
from db.access import keep_in_reach, reached, within_reach
from db.cache import unchanging
from db.engine import Session, add, execute, read, write
from db.prepared_statements import Row
from db.statuses import ABANDONED, MAKING, StudyStatus
from db.study_settings import StudySettings
from db.tables import STUDY, StudyRow, word

# The snapshot and the settings come as text: by it what was made of them before is found again.
_COLUMNS = tuple(
    as_type(column, String).label(column.name) if column.name in ("task", "settings") else column for column in STUDY.c
)
BESIDE = tuple(column.label(f"of_{column.name}") for column in _COLUMNS if column.name != "task")
"""What a statement that finds a study beside something else reads of it; `study_beside` knows the task."""
_STUDY = select(*_COLUMNS)
_BY_KEY = _STUDY.where(STUDY.c.id == bindparam("key"))
THERE = STUDY.c.status.not_in((word(MAKING), word(ABANDONED)))
"""Of a study that is whole; the others are being made, or were given up while they were."""
_BY_NAME = _STUDY.where(STUDY.c.name == bindparam("called"), THERE)
_NAMES = select(STUDY.c.name).where(THERE)
_SNAPSHOT = select(as_type(STUDY.c.task, String)).where(STUDY.c.id == bindparam("key"))
_NEWEST_FIRST = _STUDY.where(THERE).order_by(STUDY.c.id.desc())
Origin = Literal["collected", "imported", "demo"]
_AS_STORED = ("id", "name", "status", "origin", "seed", "created_at", "archived", "instruction", "pilot_of", "public")


@dataclass(frozen=True)
class Study:
    """A study as the rest of the program sees it.

    `instruction` counts the versions of its instruction, `pilot_of` is the key of the study that it tries. Results of a
    `public` one are on the board. `unknown` are settings that another version stored and this one does not know: they
    are left aside, and kept.
    """

    id: int
    name: str
    task: Task
    settings: StudySettings
    status: StudyStatus
    origin: Origin
    seed: int
    created_at: datetime
    archived: bool = False
    instruction: int = 1
    pilot_of: int | None = None
    public: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def demo(self) -> bool:
        """Whether it is one of the demo studies of a first start."""
        return self.origin == "demo" or self.name.startswith("demo-")

    @property
    def paused(self) -> bool:
        """Whether people are to come later: it is paused, or not open yet."""
        return self.status in ("paused", "draft")


def create_study(
    session: Session, *, name: str, task: Task, settings: StudySettings, origin: Origin = "collected", seed: int = 0
) -> Study:
    """Store a new study, open; a name that is taken or unfit for an address is refused with BadSetting."""
    check_name(session, name)
    row = StudyRow(
        name=name,
        task_id=task.id,
        task=as_dict(task),
        settings=settings.model_dump(mode="json"),
        origin=origin,
        seed=seed,
    )
    key = add(session, row)
    keep_in_reach(session, key)
    return study_of(session, study_id=key)


def check_name(session: Session, name: str) -> None:
    """Refuse a name that is taken or unfit for an address; raises BadSetting."""
    # A name of dots alone would leave its own address: browsers fold /join/../ away. One with "-" first is an option.
    if not name[:1].isalnum() or not all(c.isalnum() or c in "-_." for c in name) or len(name) > 80:
        allowed = "use letters, digits, '-', '_' and '.', at most 80 of them"
        raise BadSetting(f"study name {name!r}: {allowed}, and begin with a letter or a digit")
    status = read(session, select(STUDY.c.status).where(STUDY.c.name == name)).scalar()
    if status in (MAKING, ABANDONED):
        raise BadSetting(f"study {name!r} is being made right now; wait a few minutes, or choose another name")
    if status is not None:
        raise BadSetting(f"study {name!r} exists already; choose another name")


def get_study(session: Session, *, name: str) -> Study:
    """Return the study of that name; one that is unknown, or out of reach, is refused with the nearest ones."""
    row = execute(session, _BY_NAME, called=name).first()
    if row is None or not reached(session, row.id):
        raise UnknownName("study", name, read(session, within_reach(_NAMES)).scalars())
    return _study(row)


def list_studies(session: Session) -> list[Study]:
    """Return every study within reach, the newest first; those that are being made are not there yet."""
    return [_study(row) for row in read(session, within_reach(_NEWEST_FIRST))]


def set_status(session: Session, *, study: Study, status: StudyStatus) -> None:
    """Open, pause or close a study."""
    set_columns(session, study=study, status=status)


def set_columns(session: Session, *, study: Study, **values: object) -> None:
    """Give a study other values of these columns: whether it is archived or public, whose pilot it is."""
    write(session, update(STUDY).where(STUDY.c.id == study.id).values(values))


def rename(session: Session, *, study: Study, name: str) -> None:
    """Give a study another name; raises BadSetting for one that is taken or unfit."""
    check_name(session, name)
    set_columns(session, study=study, name=name)


def set_task(session: Session, *, study: Study, task: Task) -> None:
    """Let a study ask in other words from now on, as the next version of its instruction."""
    set_columns(session, study=study, task=as_dict(task), instruction=study.instruction + 1)


def pilots_of(session: Session, *, study: Study) -> list[Study]:
    """Return the pilots of a study within reach, the newest first."""
    return [_study(row) for row in read(session, within_reach(_NEWEST_FIRST.where(STUDY.c.pilot_of == study.id)))]


def change_settings(session: Session, *, study: Study, values: Mapping[str, Any]) -> None:
    """Give a study other values of some settings from now on."""
    now = read(session, select(STUDY.c.settings).where(STUDY.c.id == study.id)).scalar_one()
    set_columns(session, study=study, settings={**now, **values})


def study_of(session: Session, *, study_id: int) -> Study:
    """Return the study with that key."""
    return _study(execute(session, _BY_KEY, key=study_id).one())


def name_of(session: Session, *, study_id: int) -> str:
    """Return the name of the study with that key, "" for one that is gone or out of reach."""
    return read(session, within_reach(_NAMES.where(STUDY.c.id == study_id))).scalar() or ""


def study_beside(session: Session, row: Row) -> Study:
    """Return the study of a row with the columns BESIDE."""

    def task() -> Task:
        return _task_in(execute(session, _SNAPSHOT, key=row.of_id).scalar_one())

    # Read once for each version of the task: it is longer than all that an answer stores.
    mark = ("task", row.of_id, row.of_created_at, row.of_instruction)
    return _study(row, "of_", unchanging(session, mark, task))


@lru_cache(maxsize=64)
def _task_in(snapshot: str) -> Task:
    """Return the task of a snapshot; the same text is the same frozen task."""
    return from_dict(json.loads(snapshot))


def _study(row: Row, prefix: str = "", task: Task | None = None) -> Study:
    asked = task or _task_in(row.task)
    chosen, unknown = _settings(getattr(row, f"{prefix}settings"), one_prompt=isinstance(asked.prompt, str))
    columns = {name: getattr(row, f"{prefix}{name}") for name in _AS_STORED}
    return Study(task=asked, settings=chosen, unknown=unknown, **columns)


@lru_cache(maxsize=256)
def _settings(stored: str, *, one_prompt: bool) -> tuple[StudySettings, tuple[str, ...]]:
    """Return the settings of their text, the same frozen ones for the same text, and what else stands there.

    Studies that were made before they said in which language models are asked asked `one_prompt` for all in Russian.
    """
    values = json.loads(stored)
    values.setdefault(MODEL_LANGUAGE, MODELS_READ if one_prompt else AS_PEOPLE_READ)
    known = {name: value for name, value in values.items() if name in StudySettings.model_fields}
    settings = StudySettings.model_validate_json(json.dumps(known), context=STORED)
    return settings, tuple(name for name in values if name not in known)
