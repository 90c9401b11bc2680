"""The settings by which a study collects answers: items, people, pay, consent and quality, declared once."""

from collections.abc import Callable
from operator import gt, lt
from typing import Literal, LiteralString

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from data.declared import STORED, Asked, setting
from data.wording import AS_PEOPLE_READ, Language, named_languages, prompt_languages
from db import promises
from db.column_types import JsonText

Order = Literal["random", "finish", "spread"]
ENTRIES = {
    "open": "anyone with the link",
    "platform": "a platform ID or a personal link",
    "personal": "a personal link only",
}
ORDERS = {"random": "At random", "finish": "Finish items first", "spread": "Spread evenly"}
STOPPED = {"owed": "paid as promised", "decide": "decided by the researchers, as the consent says"}
EXAM_POINTS = {"total": "total points", "tasks": "total points and points by task"}
COLLECTION, PEOPLE, PAY, CONSENT, QUALITY = "Collection", "People", "Pay", "Consent", "Quality"
CLUSTERS, WEIGHED = "clusters", "weighed"
"""What a setting may need of a task: items that are parts of wholes (exam variants), answers that can be weighed."""

BESIDE: dict[str, tuple[str, Callable[[float, float], bool], LiteralString]] = {
    "overlap_max": ("overlap", lt, "it must be {limit} or more, as every item gets that many"),
    "max_pay": ("price", lt, "it must be {limit} or more, the price of one answer"),
    "page_controls_proven": ("page_controls", gt, "it must be {limit} or less, as others meet that many"),
}
"""The settings that another one bounds: which, when they are refused, and why."""


class CollectionSettings(BaseModel):
    """How a study collects.

    `quality` holds the rules on workers (`eval.workers.rules_of`).

    With `overlap_max` the overlap is dynamic: an item whose `overlap` answers leave its leading answer less likely than
    `confidence` gets one more, and again, up to `overlap_max` (`eval.workers.skills`). The next item is any, in an
    order drawn for each worker ("random"), the one with the fewest places left ("finish") or the most ("spread").

    Somebody with a personal link may always come. An answer that comes after its lease ran out is kept; it counts, and
    is paid, while its item and the limits on its worker still want one; beyond them it is paid only with `pay_late`.
    The `partial_code` takes the place of the completion code in the link as well.

    Every answer to a main or control item is paid `price`, the first one to a practice item `training_price`; both
    count towards `max_pay`, and practice is never cut short. Beyond it every counted answer to a main item brings a
    `bonus` to a worker who got a share of `bonus_accuracy` of the controls right, of `bonus_after` or more. What was
    earned stays earned: answers given before their worker is stopped are paid; with `pay_after_exclusion` "decide" the
    requester decides about those that do not count any more. An answer that its own worker takes back is paid once it
    is given anew.

    A worker has proven reliable whose accuracy, after `proven_after` controls, is above `proven_accuracy` with a
    probability of 95% (`eval.workers.skills`). In a `sitting` every worker answers all the items of one cluster (an
    exam variant) in their order; the overlap counts whole sittings and is fixed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    overlap: int = setting(
        Asked(COLLECTION, option="--overlap", change=promises.OVERLAP_GROWS), 5, "Judgments per item", ge=1, le=50
    )
    overlap_max: int | None = setting(
        Asked(COLLECTION, needs=WEIGHED),
        None,
        "Judgment limit per item",
        "Items with disagreement get more answers, up to this number. Empty: overlap is fixed",
        ge=1,
        le=50,
    )
    confidence: float = setting(
        Asked(COLLECTION, needs=WEIGHED), 0.85, "Required confidence", "Probability of the leading answer", gt=0, lt=1
    )
    page_main: int = setting(Asked(COLLECTION, new_row=True, option="--page-main"), 8, "Items per page", ge=1, le=100)
    page_controls: int = setting(Asked(COLLECTION, option="--page-controls"), 2, "Controls per page", ge=0, le=100)
    order: Order = setting(Asked(COLLECTION, choices=ORDERS), "random", "Order of items")
    sitting: bool = setting(
        Asked(COLLECTION, new_row=True, needs=CLUSTERS, option="--sitting"),
        False,
        "One sitting",
        "Each worker answers a whole variant in order, without controls",
    )
    exam_points: Literal["total", "tasks"] = setting(
        Asked(COLLECTION, choices=EXAM_POINTS, needs=CLUSTERS, change=promises.ANYHOW),
        "total",
        "Exam result shown to workers",
        "Points by task let workers work out the right answers and share them",
    )
    lease_minutes: float = setting(
        Asked(COLLECTION, option="--lease", change=promises.ANYHOW),
        15,
        "Minutes an item is reserved",
        "Also for a sitting. Up to 4 times as long while the worker is active",
        gt=0,
        le=24 * 60,
    )

    entry: Literal["open", "platform", "personal"] = setting(
        Asked(PEOPLE, choices=ENTRIES, change=promises.ANYHOW),
        "open",
        "Who may take part",
        "A platform ID is PROLIFIC_PID, workerId, worker or pid in the link",
    )
    places_an_hour: int = setting(
        Asked(PEOPLE, change=promises.ANYHOW),
        30,
        "New workers per hour",
        "From one IP address. Raise it for an office or a class. 0: no limit",
        ge=0,
        le=100_000,
    )
    signed_ids: bool = setting(
        Asked(PEOPLE, new_row=True, change=promises.ANYHOW),
        False,
        "Require signed platform IDs",
        "Accept only IDs in links made on the study’s page (with sig=)",
    )
    language: Language = setting(Asked(PEOPLE, new_row=True, choices=named_languages), "ru", "Language")
    model_language: str = setting(
        Asked(PEOPLE, choices=prompt_languages, change=promises.ANYHOW, imported=True),
        AS_PEOPLE_READ,
        "Prompt language",
        "Language of the prompts; a run may choose another",
    )
    max_items: int | None = setting(
        Asked(PEOPLE, change=promises.ANYHOW), None, "Maximum answers per worker", "Empty: no limit", ge=1
    )
    max_hours: float | None = setting(
        Asked(PEOPLE, change=promises.ANYHOW), None, "Maximum hours per worker", "Of active time; empty: no limit", gt=0
    )
    max_skips: int = setting(
        Asked(PEOPLE, change=promises.ANYHOW), 10, "Maximum skips per worker", "Items skipped or reported", ge=0
    )
    completion_code: str = setting(
        Asked(PEOPLE, new_row=True, change=promises.ANYHOW), "", "Completion code", "Shown at the end", max_length=100
    )
    partial_code: str = setting(
        Asked(PEOPLE, change=promises.ANYHOW),
        "",
        "Partial completion code",
        "Shown to workers who are stopped",
        max_length=100,
    )
    completion_url: str = setting(
        Asked(PEOPLE, change=promises.ANYHOW),
        "",
        "Completion link",
        "Etalon fills in {code} and {worker}",
        max_length=1000,
        pattern=r"^(https?://[^\s<>\"]+)?$",
    )
    failure_code: str = setting(
        Asked(PEOPLE, change=promises.ANYHOW),
        "",
        "Failed-training code",
        "Shown to workers who fail the training",
        max_length=100,
    )

    price: float = setting(Asked(PAY, option="--price", change=promises.PRICE_GROWS), 0, "Price per answer", ge=0)
    training_price: float = setting(
        Asked(PAY, change=promises.PRACTICE_GROWS),
        0,
        "Price per practice item",
        "First answer to each; 0: unpaid",
        ge=0,
        allow_inf_nan=False,
    )
    currency: str = setting(Asked(PAY, option="--currency"), "RUB", "Currency")
    hourly_minimum: float | None = setting(
        Asked(PAY, new_row=True, change=promises.UNDER_RULES),
        None,
        "Minimum hourly pay",
        "Payments below it carry a warning",
        ge=0,
    )
    max_pay: float | None = setting(
        Asked(PAY, change=promises.ANYHOW), None, "Maximum pay per worker", "Empty: no limit", gt=0
    )
    bonus: float = setting(
        Asked(PAY, new_row=True, change=promises.BONUS_GROWS),
        0,
        "Bonus per answer",
        "For each counted answer to a main item; 0: none",
        ge=0,
        allow_inf_nan=False,
    )
    bonus_accuracy: float = setting(
        Asked(PAY, change=promises.BONUS_EASIER),
        0.9,
        "Accuracy for the bonus",
        "Share of controls answered correctly",
        gt=0,
        le=1,
    )
    bonus_after: int = setting(
        Asked(PAY, change=promises.BONUS_EASIER), 10, "Controls for the bonus", "The fewest answered", ge=1
    )
    pay_after_exclusion: Literal["owed", "decide"] = setting(
        Asked(PAY, new_row=True, choices=STOPPED, change=promises.OWED_STAYS),
        "owed",
        "Pay for stopped workers",
        "For the answers they gave before they were stopped",
    )
    pay_late: bool = setting(
        Asked(PAY, new_row=True, change=promises.LATE_STAYS_PAID),
        False,
        "Pay late answers",
        "Also when others were faster or a limit was reached. Workers see this at once",
    )

    contact: str = setting(
        Asked(CONSENT, change=promises.ANYHOW),
        "",
        "Contact for workers",
        "Email address or another way. Empty: workers ask whoever invited them",
        max_length=200,
    )
    minutes_per_item: float | None = setting(
        Asked(CONSENT, change=promises.ANYHOW),
        None,
        "Minutes per item",
        "The consent text states it. Empty: estimated from the length of the texts",
        gt=0,
        le=600,
    )
    retention_days: int | None = setting(
        Asked(CONSENT, new_row=True, change=promises.ERASURE_STAYS),
        None,
        "Days until workers are erased",
        "Counted from closing, once everybody is marked as paid. Answers stay. Empty: only on request",
        ge=1,
        le=36_500,
    )
    texts_to_models: bool = setting(
        Asked(CONSENT, change=promises.TEXTS_STAY),
        False,
        "Models read what workers write",
        "If off, no model sees the texts that workers write here",
    )
    consent: str = setting(
        Asked(CONSENT, new_row=True, lines=3, change=promises.FOR_NEWCOMERS),
        "",
        "The study’s own consent text",
        "Shown above the built-in points. Empty: built-in points only",
        max_length=10_000,
    )
    notice: str = setting(
        Asked(CONSENT, new_row=True, lines=3, change=promises.FOR_NEWCOMERS),
        "",
        "Notice of sensitive topics",
        "Workers acknowledge it separately before consent. Empty: none",
        max_length=2_000,
    )

    training_pass: float = setting(
        Asked(QUALITY, option="--training-pass"),
        0.8,
        "Training pass mark",
        "Share of first answers that must be right",
        ge=0,
        le=1,
    )
    training_attempts: int = setting(Asked(QUALITY), 1, "Training attempts", "Each with all practice items", ge=1, le=5)
    training_pause_minutes: float = setting(
        Asked(QUALITY), 0, "Minutes between attempts", "0: no wait", ge=0, le=24 * 60
    )
    page_controls_proven: int | None = setting(
        Asked(QUALITY, new_row=True),
        None,
        "Controls for proven workers",
        "Per page. Empty: the usual number",
        ge=0,
        le=100,
    )
    proven_after: int = setting(Asked(QUALITY), 20, "Controls to be proven", ge=1)
    proven_accuracy: float = setting(Asked(QUALITY), 0.8, "Accuracy to be proven", gt=0, lt=1)
    repeat_controls: bool = setting(
        Asked(QUALITY, new_row=True, change=promises.CONTROLS_STAY),
        False,
        "Repeat controls",
        "After a worker has seen them all. If off, only main items follow. Workers recognize repeated controls",
    )
    quality: JsonText = "{}"

    @field_validator(*BESIDE)
    @classmethod
    def _fits_the_other(cls, value: float | None, info: ValidationInfo) -> float | None:
        other, wrong, words = BESIDE[str(info.field_name)]
        limit = info.data.get(other)
        if value is not None and limit is not None and wrong(value, limit) and info.context != STORED:
            raise PydanticCustomError("beside", words, {"limit": f"{limit:g}"})
        return value

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
