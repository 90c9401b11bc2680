"""Studies: one collection each, with the snapshot of its task and its settings."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Row, String, bindparam
from sqlalchemy import cast as as_type
from sqlalchemy import select as select_columns
from sqlmodel import Session, select

from data.custom import as_dict, from_dict
from data.errors import BadSetting, UnknownName
from data.task import Task
from data.wording import Language
from db.engine import execute
from db.rules import QualityRules
from db.tables import STUDY, StudyRow, StudyStatus

# The snapshot comes as text: by it the task that was made of it before is found again.
_STUDY = select_columns(
    *(column for column in STUDY.c if column.name != "task"), as_type(STUDY.c.task, String).label("snapshot")
)
_BY_KEY = _STUDY.where(STUDY.c.id == bindparam("key"))
_BY_NAME = _STUDY.where(STUDY.c.name == bindparam("called"))
_NEWEST_FIRST = _STUDY.order_by(STUDY.c.id.desc())
Origin = Literal["collected", "imported", "demo"]


class StudySettings(BaseModel):
    """How a study collects and how its human baseline is computed unless a command says otherwise.

    `hourly_minimum` is the pay per hour, in the study's currency, below which payments carry a warning; `quality` are
    the rules on workers.

    A worker may give `max_items` answers (None: as many as there are), and skip or report `max_skips` items. At the end
    it gets the `completion_code` or the link `completion_url` (in it {code} and {worker} are filled in), one who failed
    the training the `failure_code`.

    In a `sitting` every worker answers all the items of one cluster (an exam variant) in their order, without controls;
    the overlap counts whole sittings.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    overlap: int = Field(default=5, ge=1, le=50)
    page_main: int = Field(default=8, ge=1, le=100)
    page_controls: int = Field(default=2, ge=0, le=100)
    training_pass: float = Field(default=0.8, ge=0, le=1)
    lease_minutes: float = Field(default=15, gt=0, le=24 * 60)
    sitting: bool = False
    language: Language = "ru"
    price: float = Field(default=0, ge=0)
    currency: str = "RUB"
    max_items: int | None = Field(default=None, ge=1)
    max_skips: int = Field(default=10, ge=0)
    completion_code: str = Field(default="", max_length=100)
    completion_url: str = Field(default="", max_length=1000, pattern=r"^(https?://[^\s<>\"]+)?$")
    failure_code: str = Field(default="", max_length=100)
    hourly_minimum: float | None = Field(default=None, ge=0)
    quality: QualityRules = QualityRules()
    control_min: float | None = Field(default=None, ge=0, le=1)
    min_votes: int = Field(default=1, ge=1)
    ties: str = "fractional"


@dataclass(frozen=True)
class Study:
    """A study as the rest of the program sees it."""

    id: int
    name: str
    task: Task
    settings: StudySettings
    status: StudyStatus
    origin: Origin
    seed: int
    created_at: datetime


def create_study(
    session: Session, *, name: str, task: Task, settings: StudySettings, origin: Origin = "collected", seed: int = 0
) -> Study:
    """Store a new study, open; a name that is taken or unfit for an address is refused with BadSetting."""
    if not name or not all(c.isalnum() or c in "-_." for c in name) or len(name) > 80:
        raise BadSetting(f"study name {name!r}: use letters, digits, '-', '_' and '.', at most 80 of them")
    if session.exec(select(StudyRow.id).where(StudyRow.name == name)).first() is not None:
        raise BadSetting(f"study {name!r} exists already; choose another name")
    row = StudyRow(
        name=name,
        task_id=task.id,
        task=as_dict(task),
        settings=settings.model_dump(mode="json"),
        origin=origin,
        seed=seed,
    )
    session.add(row)
    session.flush()
    return study_of(session, study_id=cast(int, row.id))


def get_study(session: Session, *, name: str) -> Study:
    """Return the study of that name; an unknown name is refused with the nearest ones."""
    row = execute(session, _BY_NAME, called=name).first()
    if row is None:
        raise UnknownName("study", name, session.exec(select(StudyRow.name)).all())
    return _study(row)


def list_studies(session: Session) -> list[Study]:
    """Return every study, the newest first."""
    return [_study(row) for row in execute(session, _NEWEST_FIRST)]


def set_status(session: Session, *, study: Study, status: StudyStatus) -> None:
    """Open, pause or close a study."""
    row = session.get_one(StudyRow, study.id)
    row.status = status
    session.add(row)


def set_rules(session: Session, *, study: Study, quality: QualityRules, hourly_minimum: float | None) -> None:
    """Give a study other rules on workers from now on; what was done under the earlier ones stays."""
    row = session.get_one(StudyRow, study.id)
    row.settings = {**row.settings, "quality": quality.model_dump(mode="json"), "hourly_minimum": hourly_minimum}
    session.add(row)


def study_of(session: Session, *, study_id: int) -> Study:
    """Return the study with that key."""
    return _study(execute(session, _BY_KEY, key=study_id).one())


def _study(row: Row[*tuple[Any, ...]]) -> Study:
    return Study(
        id=row.id,
        name=row.name,
        task=_task(row.snapshot),
        settings=StudySettings(**row.settings),
        status=cast(StudyStatus, row.status),
        origin=cast(Origin, row.origin),
        seed=row.seed,
        created_at=row.created_at,
    )


@lru_cache(maxsize=64)
def _task(snapshot: str) -> Task:
    """Return the task of a snapshot; the same text is the same frozen task."""
    return from_dict(json.loads(snapshot))
