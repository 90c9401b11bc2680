"""Every setting of a study: how it collects, what its report says, and how changes keep promises to workers."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from operator import gt, lt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, LiteralString

from pydantic import BaseModel, ConfigDict, ValidationInfo, create_model, field_validator
from pydantic_core import PydanticCustomError

from data.declared import STORED, Asked, Change, asked_in, setting, settings_of
from data.human_rules import StudyRules
from data.wording import AS_PEOPLE_READ, Language, named_languages, prompt_languages
from db.tables import JsonText

AGREED, BONUS = "once somebody has agreed", "while there is a bonus"
"""Under which conditions a promise holds."""

Order = Literal["random", "finish", "spread"]
Purpose = Literal["labelling", "baseline", "comparison"]
COLLECTION = "Collection"
PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete?cc={code}"
CLUSTERS, WEIGHED = "clusters", "weighed"
"""What a setting may need of a task: items that are parts of wholes (exam variants), answers that can be weighed."""
asked = asked_in(Path(__file__).with_suffix(".toml"))

BESIDE: dict[str, tuple[str, Callable[[float, float], bool], LiteralString]] = {
    "overlap_max": ("overlap", lt, "it must be {limit} or more, as every item gets that many"),
    "max_pay": ("price", lt, "it must be {limit} or more, the price of one answer"),
    "page_controls_proven": ("page_controls", gt, "it must be {limit} or less, as others meet that many"),
}
"""The settings that another one bounds: which, when they are refused, and why."""


class CollectionSettings(BaseModel):
    """How a study collects.

    `quality` holds the rules on workers (`eval.workers.rules_of`). `order_drawn`: each worker sees options in an order
    of their own; only a study that had answers before orders were drawn is without.

    With `overlap_max` the overlap is dynamic: an item whose `overlap` answers leave its leading answer less likely than
    `confidence` gets one more, and again, up to `overlap_max` (`eval.workers.skills`). The next item is any, in an
    order drawn for each worker ("random"), the one with the fewest places left ("finish") or the most ("spread").

    Somebody with a personal link may always come. An answer that comes after its lease ran out is kept; it counts, and
    is paid, while its item and the limits on its worker still want one; beyond them it is paid only with `pay_late`.
    The `partial_code` takes the place of the completion code in the link as well.

    Every answer to a main or control item is paid `price`, the first one to a practice item `training_price` (the price
    of an answer where it is left out): once the training is passed or no item is left, or at once with
    `pay_failed_training`. Both count towards `max_pay`, and practice is never cut short. Beyond that every counted
    answer to a main item brings a
    `bonus` to a worker who got a share of `bonus_accuracy` of the controls right, of `bonus_after` or more. What was
    earned stays earned: answers given before their worker is stopped are paid; with `pay_after_exclusion` "decide" the
    requester decides about those that do not count any more. An answer that its own worker takes back is paid once it
    is given anew.

    A worker has proven reliable whose accuracy, after `proven_after` controls, is above `proven_accuracy` with a
    probability of 95% (`eval.workers.skills`). In a `sitting` every worker answers all the items of one cluster (an
    exam variant); the overlap counts whole sittings and is fixed. After `sitting_minutes` it ends with what is there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    overlap: int = asked("overlap", 5, ge=1, le=50)
    overlap_max: int | None = asked("overlap_max", None, ge=1, le=50)
    confidence: float = asked("confidence", 0.85, gt=0, lt=1)
    page_main: int = asked("page_main", 8, ge=1, le=100)
    page_controls: int = asked("page_controls", 2, ge=0, le=100)
    order: Order = asked("order", "random")
    sitting: bool = asked("sitting", False)
    sitting_minutes: int | None = asked("sitting_minutes", None, ge=1, le=24 * 60)
    exam_points: Literal["total", "tasks"] = asked("exam_points", "total")
    lease_minutes: float = asked("lease_minutes", 15, gt=0, le=24 * 60)

    entry: Literal["open", "platform", "prolific", "personal"] = asked("entry", "open")
    places_an_hour: int = asked("places_an_hour", 30, ge=0, le=100_000)
    max_people: int | None = asked("max_people", None, ge=1)
    signed_ids: bool = asked("signed_ids", False)
    language: Language = asked("language", "ru", choices=named_languages)
    model_language: str = asked("model_language", AS_PEOPLE_READ, choices=prompt_languages)
    max_items: int | None = asked("max_items", None, ge=1)
    max_hours: float | None = asked("max_hours", None, gt=0)
    max_skips: int = asked("max_skips", 10, ge=0)
    completion_code: str = asked("completion_code", "", max_length=100)
    partial_code: str = asked("partial_code", "", max_length=100)
    completion_url: str = asked("completion_url", "", max_length=1000, pattern=r"^(https?://[^\s<>\"]+)?$")
    failure_code: str = asked("failure_code", "", max_length=100)

    price: float = asked("price", 0, ge=0)
    training_price: float = asked("training_price", None, ge=0, allow_inf_nan=False, validate_default=True)
    pay_failed_training: bool = asked("pay_failed_training", False)
    currency: str = asked("currency", "RUB")
    hourly_minimum: float | None = asked("hourly_minimum", None, ge=0)
    max_pay: float | None = asked("max_pay", None, gt=0)
    bonus: float = asked("bonus", 0, ge=0, allow_inf_nan=False)
    bonus_accuracy: float = asked("bonus_accuracy", 0.9, gt=0, le=1)
    bonus_after: int = asked("bonus_after", 10, ge=1)
    pay_after_exclusion: Literal["owed", "decide"] = asked("pay_after_exclusion", "owed")
    pay_late: bool = asked("pay_late", False)

    purpose: Purpose = asked("purpose", "labelling")
    consent: str = asked("consent", "", max_length=10_000)
    contact: str = asked("contact", "", max_length=200)
    minutes_per_item: float | None = asked("minutes_per_item", None, gt=0, le=600)
    retention_days: int | None = asked("retention_days", None, ge=1, le=36_500)
    texts_to_models: bool = asked("texts_to_models", False)
    notice: str = asked("notice", "", max_length=2_000)

    training_pass: float = asked("training_pass", 0.8, ge=0, le=1)
    training_attempts: int = asked("training_attempts", 1, ge=1, le=5)
    training_pause_minutes: float = asked("training_pause_minutes", 0, ge=0, le=24 * 60)
    page_controls_proven: int | None = asked("page_controls_proven", None, ge=0, le=100)
    proven_after: int = asked("proven_after", 20, ge=1)
    proven_accuracy: float = asked("proven_accuracy", 0.8, gt=0, lt=1)
    repeat_controls: bool = asked("repeat_controls", False)
    quality: JsonText = "{}"
    order_drawn: bool = True

    @property
    def return_link(self) -> str:
        """Where workers go in the end: the link that was set, else that of Prolific for people from there."""
        return self.completion_url or (PROLIFIC_RETURN if self.entry == "prolific" and self.completion_code else "")

    @field_validator(*BESIDE)
    @classmethod
    def _fits_the_other(cls, value: float | None, info: ValidationInfo) -> float | None:
        other, wrong, words = BESIDE[str(info.field_name)]
        limit = info.data.get(other)
        if value is not None and limit is not None and wrong(value, limit) and info.context != STORED:
            raise PydanticCustomError("beside", words, {"limit": f"{limit:g}"})
        return value

    @field_validator("training_price", mode="before")
    @classmethod
    def _as_an_answer(cls, value: object, info: ValidationInfo) -> object:
        return info.data.get("price", 0.0) if value is None else value

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


REPORT = "For the report: "
LONGEST = 2_000
SAYS_NOTHING = ("", "na", "tbd", "todo", "нд")
"""What is no answer, without its signs: why something does not apply has to follow."""


@dataclass(frozen=True)
class ChecklistItem:
    """One item of the human baselines checklist, with its number as it is printed: "2.1, 2.1.1".

    What people say of a study has a `group` of settings and a `help`; it has no number where the checklist does not
    ask for it.
    """

    name: str
    title: str
    number: str = ""
    group: str = ""
    help: str = ""

    @property
    def called(self) -> str:
        """Number and title."""
        return f"{self.number} {self.title}"


CHECKLIST = {
    item["name"]: ChecklistItem(**item)
    for item in tomllib.loads((Path(__file__).parent / "checklist.toml").read_text("utf8"))["item"]
}
"""All items of the checklist by name, in its order."""
NUMBERS = {item.name: item.number for item in CHECKLIST.values() if item.group}
"""The numbers of the checklist that each text of people answers, by its name."""


def _described(name: str) -> Any:
    item = CHECKLIST[name]
    written = Asked(f"{REPORT}{item.group}", lines=2, change=Change(), afterwards=True, imported=True)
    return setting(
        written, "", item.title, f"{item.help} ({item.number})" if item.number else item.help, max_length=LONGEST
    )


if TYPE_CHECKING:

    class StudyDescription(BaseModel):
        """What a report says of a study in its authors' words; empty texts are named as missing."""

        items_licence: str = ""
        sampling: str = ""

else:  # with a field for each text of the checklist, which these are read of by name
    StudyDescription = create_model("StudyDescription", **{name: (str, _described(name)) for name in NUMBERS})


def answered(text: str) -> bool:
    """Return whether a text of the description says anything: "n/a: no gold" does, "n/a" and "-" do not.

    >>> answered("n/a: there is no gold"), answered("N/A."), answered(" - "), answered("None")
    (True, False, False, True)
    """
    return "".join(filter(str.isalnum, text)).casefold() not in SAYS_NOTHING


class StudySettings(StudyRules, StudyDescription, CollectionSettings):
    """How a study collects, how its human baseline is computed, and what models are held to beside it."""

    margin: float | None = asked("margin", None, gt=0, le=1)
    epsilon: float = asked("epsilon", 0.1, ge=0, lt=1)
    public_gold: str = asked("public_gold", "", max_length=200)
    counts: bool = asked("counts", False)


SETTINGS = settings_of(StudySettings)
"""What requesters set, by name; the rules on workers have a form and a table of their own."""
