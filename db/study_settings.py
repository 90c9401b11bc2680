"""The settings of a study: how it collects, and how its human baseline is computed."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from data.wording import Language
from db.rules import QualityRules

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
