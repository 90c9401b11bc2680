"""Studies: one collection each, with the snapshot of its task and its settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from sqlalchemy import String, bindparam
from sqlalchemy import cast as as_type
from sqlalchemy import select as select_columns
from sqlmodel import Session, select

from data.custom import as_dict
from data.errors import BadSetting, UnknownName
from data.task import Task
from data.wording import Language
from db.columns import word
from db.engine import execute
from db.prepared import Row
from db.rules import QualityRules
from db.snapshots import task_in, task_of
from db.statuses import ABANDONED, MAKING, StudyStatus
from db.tables import STUDY, StudyRow

# The snapshot and the settings come as text: by it what was made of them before is found again.
_COLUMNS = tuple(
    as_type(column, String).label(column.name) if column.name in ("task", "settings") else column for column in STUDY.c
)
BESIDE = tuple(column.label(f"of_{column.name}") for column in _COLUMNS if column.name != "task")
"""What a statement that finds a study beside something else reads of it; `study_beside` knows the task."""
_STUDY = select_columns(*_COLUMNS)
_BY_KEY = _STUDY.where(STUDY.c.id == bindparam("key"))
THERE = STUDY.c.status.not_in((word(MAKING), word(ABANDONED)))
"""Of a study that is whole; the others are being made, or were given up while they were."""
_BY_NAME = _STUDY.where(STUDY.c.name == bindparam("called"), THERE)
_NAMES = select_columns(STUDY.c.name).where(THERE)
_NEWEST_FIRST = _STUDY.where(THERE).order_by(STUDY.c.id.desc())
Origin = Literal["collected", "imported", "demo"]
Order = Literal["random", "finish", "spread"]
GoldOf = Literal["file", "decisions"]
OneAnswer = Literal["majority", "expert"]
AfterExclusion = Literal["owed", "decide"]
ExamPoints = Literal["total", "tasks"]


LONGEST = {"consent": 10_000, "notice": 2_000}
"""Characters that the texts of a study's own may have."""


class StudySettings(BaseModel):
    """How a study collects and how its human baseline is computed unless a command says otherwise.

    `hourly_minimum` is the pay per hour, in the study's currency, below which payments carry a warning; `quality` are
    the rules on workers.

    With `overlap_max` the overlap is dynamic: an item whose `overlap` answers leave its leading answer less likely than
    `confidence` gets one more, and again, up to `overlap_max` (`eval.skills.confidence`). `order` says which item comes
    next: any, in an order drawn for each worker ("random"), the one with the fewest places left ("finish") or with the
    most ("spread").

    `entry` says who may come: whoever has the link that all share ("open"), only with a platform's id in it
    ("platform"), or only people with a personal link ("personal"), who always may. With `signed_ids` an id counts only
    with this program's signature. From one address `places_an_hour` new places are taken (0: as many as come).

    A worker may give `max_items` answers, work `max_hours` active hours and earn `max_pay` (None: without limit), and
    skip or report `max_skips` items. An answer that comes after its lease ran out is kept; it counts, and is paid,
    while its item and these limits still want one; beyond them it is paid only with `pay_late`. At the end a worker
    gets the `completion_code` or the link `completion_url` (in it {code} and {worker} are filled in), one who failed
    the training the `failure_code`, and who was stopped or could not go on the `partial_code`: by itself, and in the
    link where this has {code} or the completion code in it. `contact` is whom workers may write to, by mail or
    otherwise; `minutes_per_item` is how long an item takes, as consent says (None: judged by the length of the texts).

    The training is passed with a share of `training_pass` of the first answers right. Who fails may begin it again, all
    of its items anew, `training_pause_minutes` after the last answer, and has `training_attempts` in all.

    Every answer to a main or control item is paid `price`, the first one to a practice item `training_price`; both
    count towards `max_pay`, and practice is never cut short. Beyond it every counted answer to a main item brings a
    `bonus` to a worker who got a share of `bonus_accuracy` of the controls right, of `bonus_after` or more.

    What was earned stays earned: answers given before their worker is stopped are paid. With `pay_after_exclusion`
    "decide" the requester decides about those that do not count any more, which consent says. An answer that its own
    worker takes back is paid once it is given anew.

    Before consent a worker reads the study's own text (`consent`, above the built-in points) and a `notice` of
    sensitive topics, which is acknowledged apart. Both are plain text in the study's language.

    An item is kept for who holds it `lease_minutes` after the last sign of life (a request, something done on the
    page), four times that at most from when it was leased.

    Pages hold `page_main` + `page_controls` items. With `page_controls_proven` so many of them are controls, and the
    others main items, for a worker who has proven reliable: after `proven_after` controls its accuracy is above
    `proven_accuracy` with a probability of 95% (`eval.skills.proven`). No worker answers the same control twice unless
    `repeat_controls`: who has met them all gets main items in their places.

    In a `sitting` every worker answers all the items of one cluster (an exam variant) in their order, without controls;
    the overlap counts whole sittings and is fixed. At its end an exam shows points in all, with `exam_points` "tasks"
    also those of each exam task, by which the right answers can be found out where many sit the same variant.

    What experts decide counts where it is said so: `gold` "decisions" takes it for the right answers, the file's
    elsewhere; `consensus` "expert" takes it for the people's one answer, their majority elsewhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    overlap: int = Field(default=5, ge=1, le=50)
    overlap_max: int | None = Field(default=None, ge=1, le=50)
    confidence: float = Field(default=0.85, gt=0, lt=1)
    order: Order = "random"
    page_main: int = Field(default=8, ge=1, le=100)
    page_controls: int = Field(default=2, ge=0, le=100)
    page_controls_proven: int | None = Field(default=None, ge=0, le=100)
    repeat_controls: bool = False
    proven_after: int = Field(default=20, ge=1)
    proven_accuracy: float = Field(default=0.8, gt=0, lt=1)
    training_pass: float = Field(default=0.8, ge=0, le=1)
    training_attempts: int = Field(default=1, ge=1, le=5)
    training_pause_minutes: float = Field(default=0, ge=0, le=24 * 60)
    lease_minutes: float = Field(default=15, gt=0, le=24 * 60)
    sitting: bool = False
    language: Language = "ru"
    price: float = Field(default=0, ge=0)
    training_price: float = Field(default=0, ge=0, allow_inf_nan=False)
    bonus: float = Field(default=0, ge=0, allow_inf_nan=False)
    bonus_accuracy: float = Field(default=0.9, gt=0, le=1)
    bonus_after: int = Field(default=10, ge=1)
    currency: str = "RUB"
    pay_after_exclusion: AfterExclusion = "owed"
    entry: Literal["open", "platform", "personal"] = "open"
    signed_ids: bool = False
    places_an_hour: int = Field(default=30, ge=0, le=100_000)
    max_items: int | None = Field(default=None, ge=1)
    max_hours: float | None = Field(default=None, gt=0)
    max_pay: float | None = Field(default=None, gt=0)
    max_skips: int = Field(default=10, ge=0)
    pay_late: bool = False
    exam_points: ExamPoints = "total"
    completion_code: str = Field(default="", max_length=100)
    completion_url: str = Field(default="", max_length=1000, pattern=r"^(https?://[^\s<>\"]+)?$")
    failure_code: str = Field(default="", max_length=100)
    partial_code: str = Field(default="", max_length=100)
    contact: str = Field(default="", max_length=200)
    minutes_per_item: float | None = Field(default=None, gt=0, le=600)
    notice: str = Field(default="", max_length=LONGEST["notice"])
    consent: str = Field(default="", max_length=LONGEST["consent"])
    hourly_minimum: float | None = Field(default=None, ge=0)
    quality: QualityRules = QualityRules()
    control_min: float | None = Field(default=None, ge=0, le=1)
    min_votes: int = Field(default=1, ge=1)
    ties: str = "fractional"
    gold: GoldOf = "file"
    consensus: OneAnswer = "majority"

    @field_validator("overlap_max")
    @classmethod
    def _at_least_the_overlap(cls, most: int | None, info: ValidationInfo) -> int | None:
        least = info.data.get("overlap")
        if most is not None and least is not None and most < least:
            told = {"least": least}
            raise PydanticCustomError("below", "it must be {least} or more, as every item gets that many", told)
        return most

    @field_validator("page_controls_proven")
    @classmethod
    def _no_more_than_before(cls, proven: int | None, info: ValidationInfo) -> int | None:
        usual = info.data.get("page_controls")
        if proven is not None and usual is not None and proven > usual:
            told = {"usual": usual}
            raise PydanticCustomError("above", "it must be {usual} or less, as others meet that many", told)
        return proven

    @field_validator("notice", "consent")
    @classmethod
    def _plain(cls, text: str) -> str:
        return "\n".join(text.replace("\0", "").splitlines()).strip()

    @field_validator("contact")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return " ".join(text.replace("\0", " ").split())

    @field_validator("sitting")
    @classmethod
    def _of_a_fixed_overlap(cls, sitting: bool, info: ValidationInfo) -> bool:
        if sitting and info.data.get("overlap_max"):
            raise PydanticCustomError("dynamic", "a sitting counts whole variants; leave the largest overlap empty")
        return sitting


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
    check_name(session, name)
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


def check_name(session: Session, name: str) -> None:
    """Refuse a name that is taken or unfit for an address; raises BadSetting."""
    # A name of dots alone would leave its own address: browsers fold /join/../ away. One with "-" first is an option.
    if not name[:1].isalnum() or not all(c.isalnum() or c in "-_." for c in name) or len(name) > 80:
        allowed = "use letters, digits, '-', '_' and '.', at most 80 of them"
        raise BadSetting(f"study name {name!r}: {allowed}, and begin with a letter or a digit")
    status = session.exec(select(StudyRow.status).where(StudyRow.name == name)).first()
    if status in (MAKING, ABANDONED):
        raise BadSetting(f"study {name!r} is being made right now; wait a few minutes, or choose another name")
    if status is not None:
        raise BadSetting(f"study {name!r} exists already; choose another name")


def get_study(session: Session, *, name: str) -> Study:
    """Return the study of that name; an unknown name is refused with the nearest ones."""
    row = execute(session, _BY_NAME, called=name).first()
    if row is None:
        raise UnknownName("study", name, execute(session, _NAMES).scalars())
    return _study(row)


def list_studies(session: Session) -> list[Study]:
    """Return every study, the newest first; those that are being made are not there yet."""
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


def change_settings(session: Session, *, study: Study, values: Mapping[str, Any]) -> None:
    """Give a study other values of some settings from now on."""
    row = session.get_one(StudyRow, study.id)
    row.settings = {**row.settings, **values}
    session.add(row)


def study_of(session: Session, *, study_id: int) -> Study:
    """Return the study with that key."""
    return _study(execute(session, _BY_KEY, key=study_id).one())


def study_beside(session: Session, row: Row) -> Study:
    """Return the study of a row with the columns BESIDE."""
    return _study(row, "of_", task_of(session, row.of_id, row.of_created_at))


def _study(row: Row, prefix: str = "", task: Task | None = None) -> Study:
    key, name, settings, status, origin, seed, created_at = (
        getattr(row, f"{prefix}{name}") for name in ("id", "name", "settings", "status", "origin", "seed", "created_at")
    )
    return Study(
        id=key,
        name=name,
        task=task or task_in(row.task),
        settings=_settings(settings),
        status=cast(StudyStatus, status),
        origin=cast(Origin, origin),
        seed=seed,
        created_at=created_at,
    )


@lru_cache(maxsize=256)
def _settings(stored: str) -> StudySettings:
    """Return the settings of their text; the same text gives the same frozen settings."""
    return StudySettings.model_validate_json(stored)
