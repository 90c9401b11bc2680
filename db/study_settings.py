"""Every setting of a study: how it collects, what its report says, and how changes keep promises to workers."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from operator import gt, lt
from pathlib import Path
from typing import Any, Literal, LiteralString

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from data.declared import STORED, Asked, Change, setting, settings_of
from data.human_rules import RESULTS, StudyRules
from data.wording import AS_PEOPLE_READ, Language, named_languages, prompt_languages
from db.column_types import JsonText

AGREED, BONUS = "once somebody has agreed", "while there is a bonus"
"""Under which conditions a promise holds."""
_PRICE = "{%s:g} was promised to workers who have already agreed"
_LESS = "To pay less, close this study and create another."
_REWARD = "{bonus:g} for {bonus_accuracy:g} of {bonus_after} controls or more was promised"

ANYHOW = Change()
FOR_NEWCOMERS = Change("For new workers only; others are not asked again")
UNDER_RULES = Change(under="Rules")
OVERLAP_GROWS = Change(only="up", why="{overlap} were promised", advice="To have fewer, close the study.")
PRICE_GROWS = Change("For answers from now on", only="up", once=(AGREED,), why=_PRICE % "price", advice=_LESS)
PRACTICE_GROWS = Change("From now on", only="up", once=(AGREED,), why=_PRICE % "training_price", advice=_LESS)
BONUS_GROWS = Change(only="up", once=(BONUS,), why=_REWARD)
BONUS_EASIER = Change(only="down", once=(BONUS,), why=_REWARD)
OWED_STAYS = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed to be paid for every answer they send, stopped or not",
    advice="To decide about it, create another study, whose consent says so.",
)
LATE_STAYS_PAID = Change(
    only="up",
    once=(AGREED,),
    why="people have agreed to be paid for answers that come late as well",
    advice="To change that, create another study.",
)
ERASURE_STAYS = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed, and were told that they are erased after {retention_days} days",
)
TEXTS_STAY = Change(
    only="down",
    once=(AGREED,),
    why="people have agreed who were not told that models read what they write",
    advice="Create another study, whose consent says so.",
)
CONTROLS_STAY = Change(
    only="up",
    once=(AGREED, BONUS),
    why="a bonus for answers to controls was promised, which fewer of them would make harder to earn",
)


Order = Literal["random", "finish", "spread"]
ENTRIES = {
    "open": "anyone with the link",
    "platform": "a platform ID or a personal link",
    "prolific": "people from Prolific, or a personal link",
    "personal": "a personal link only",
}
PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete?cc={code}"
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

    @property
    def return_link(self) -> str:
        """Where workers go in the end: the link that was set, else that of Prolific for people from there."""
        return self.completion_url or (PROLIFIC_RETURN if self.entry == "prolific" and self.completion_code else "")

    overlap: int = setting(
        Asked(COLLECTION, option="--overlap", change=OVERLAP_GROWS), 5, "Judgments per item", ge=1, le=50
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
        Asked(COLLECTION, choices=EXAM_POINTS, needs=CLUSTERS, change=ANYHOW),
        "total",
        "Exam result shown to workers",
        "Points by task let workers work out the right answers and share them",
    )
    lease_minutes: float = setting(
        Asked(COLLECTION, option="--lease", change=ANYHOW),
        15,
        "Minutes an item is reserved",
        "Also for a sitting. Up to 4 times as long while the worker is active",
        gt=0,
        le=24 * 60,
    )

    entry: Literal["open", "platform", "prolific", "personal"] = setting(
        Asked(PEOPLE, choices=ENTRIES, change=ANYHOW),
        "open",
        "Who may take part",
        "A platform ID is PROLIFIC_PID, workerId, worker or pid in the link. For Prolific, Etalon fills in both links",
    )
    places_an_hour: int = setting(
        Asked(PEOPLE, change=ANYHOW),
        30,
        "New workers per hour",
        "From one IP address. Raise it for an office or a class. 0: no limit",
        ge=0,
        le=100_000,
    )
    signed_ids: bool = setting(
        Asked(PEOPLE, new_row=True, change=ANYHOW),
        False,
        "Require signed platform IDs",
        "Accept only IDs in links made on the study’s page (with sig=)",
    )
    language: Language = setting(Asked(PEOPLE, new_row=True, choices=named_languages), "ru", "Language")
    model_language: str = setting(
        Asked(PEOPLE, choices=prompt_languages, change=ANYHOW, imported=True),
        AS_PEOPLE_READ,
        "Prompt language",
        "Language of the prompts; a run may choose another",
    )
    max_items: int | None = setting(
        Asked(PEOPLE, change=ANYHOW), None, "Maximum answers per worker", "Empty: no limit", ge=1
    )
    max_hours: float | None = setting(
        Asked(PEOPLE, change=ANYHOW), None, "Maximum hours per worker", "Of active time; empty: no limit", gt=0
    )
    max_skips: int = setting(
        Asked(PEOPLE, change=ANYHOW), 10, "Maximum skips per worker", "Items skipped or reported", ge=0
    )
    completion_code: str = setting(
        Asked(PEOPLE, new_row=True, change=ANYHOW), "", "Completion code", "Shown at the end", max_length=100
    )
    partial_code: str = setting(
        Asked(PEOPLE, change=ANYHOW),
        "",
        "Partial completion code",
        "Shown to workers who are stopped",
        max_length=100,
    )
    completion_url: str = setting(
        Asked(PEOPLE, change=ANYHOW),
        "",
        "Completion link",
        "Etalon fills in {code} and {worker}",
        max_length=1000,
        pattern=r"^(https?://[^\s<>\"]+)?$",
    )
    failure_code: str = setting(
        Asked(PEOPLE, change=ANYHOW),
        "",
        "Failed-training code",
        "Shown to workers who fail the training",
        max_length=100,
    )

    price: float = setting(Asked(PAY, option="--price", change=PRICE_GROWS), 0, "Price per answer", ge=0)
    training_price: float = setting(
        Asked(PAY, change=PRACTICE_GROWS),
        0,
        "Price per practice item",
        "First answer to each; 0: unpaid",
        ge=0,
        allow_inf_nan=False,
    )
    currency: str = setting(Asked(PAY, option="--currency"), "RUB", "Currency")
    hourly_minimum: float | None = setting(
        Asked(PAY, new_row=True, change=UNDER_RULES),
        None,
        "Minimum hourly pay",
        "Payments below it carry a warning",
        ge=0,
    )
    max_pay: float | None = setting(Asked(PAY, change=ANYHOW), None, "Maximum pay per worker", "Empty: no limit", gt=0)
    bonus: float = setting(
        Asked(PAY, new_row=True, change=BONUS_GROWS),
        0,
        "Bonus per answer",
        "For each counted answer to a main item; 0: none",
        ge=0,
        allow_inf_nan=False,
    )
    bonus_accuracy: float = setting(
        Asked(PAY, change=BONUS_EASIER),
        0.9,
        "Accuracy for the bonus",
        "Share of controls answered correctly",
        gt=0,
        le=1,
    )
    bonus_after: int = setting(
        Asked(PAY, change=BONUS_EASIER), 10, "Controls for the bonus", "The fewest answered", ge=1
    )
    pay_after_exclusion: Literal["owed", "decide"] = setting(
        Asked(PAY, new_row=True, choices=STOPPED, change=OWED_STAYS),
        "owed",
        "Pay for stopped workers",
        "For the answers they gave before they were stopped",
    )
    pay_late: bool = setting(
        Asked(PAY, new_row=True, change=LATE_STAYS_PAID),
        False,
        "Pay late answers",
        "Also when others were faster or a limit was reached. Workers see this at once",
    )

    contact: str = setting(
        Asked(CONSENT, change=ANYHOW),
        "",
        "Contact for workers",
        "Email address or another way. Empty: workers ask whoever invited them",
        max_length=200,
    )
    minutes_per_item: float | None = setting(
        Asked(CONSENT, change=ANYHOW),
        None,
        "Minutes per item",
        "The consent text states it. Empty: estimated from the length of the texts",
        gt=0,
        le=600,
    )
    retention_days: int | None = setting(
        Asked(CONSENT, new_row=True, change=ERASURE_STAYS),
        None,
        "Days until workers are erased",
        "Counted from closing, once everybody is marked as paid. Answers stay. Empty: only on request",
        ge=1,
        le=36_500,
    )
    texts_to_models: bool = setting(
        Asked(CONSENT, change=TEXTS_STAY),
        False,
        "Models read what workers write",
        "If off, no model sees the texts that workers write here",
    )
    consent: str = setting(
        Asked(CONSENT, new_row=True, lines=3, change=FOR_NEWCOMERS),
        "",
        "The study’s own consent text",
        "Shown above the built-in points. Empty: built-in points only",
        max_length=10_000,
    )
    notice: str = setting(
        Asked(CONSENT, new_row=True, lines=3, change=FOR_NEWCOMERS),
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
        Asked(QUALITY, new_row=True, change=CONTROLS_STAY),
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
    asked = Asked(f"{REPORT}{item.group}", lines=2, change=ANYHOW, afterwards=True, imported=True)
    return setting(
        asked, "", item.title, f"{item.help} ({item.number})" if item.number else item.help, max_length=LONGEST
    )


class StudyDescription(BaseModel):
    """What a report says of a study in its authors' words; empty texts are named as missing."""

    publication: str = _described("publication")
    kind: str = _described("kind")
    language_read: str = _described("language_read")
    full_size: str = _described("full_size")
    sampling: str = _described("sampling")
    made_for_both: str = _described("made_for_both")
    gold_source: str = _described("gold_source")
    items_licence: str = _described("items_licence")
    planned_overlap: str = _described("planned_overlap")
    option_order: str = _described("option_order")
    pilot: str = _described("pilot")
    effort: str = _described("effort")
    power_analysis: str = _described("power_analysis")
    ethics: str = _described("ethics")
    preregistration: str = _described("preregistration")
    population: str = _described("population")
    recruitment: str = _described("recruitment")
    authors_answered: str = _described("authors_answered")
    met_before: str = _described("met_before")
    how_trained: str = _described("how_trained")
    pay_policy: str = _described("pay_policy")
    pay: str = _described("pay")
    sittings: str = _described("sittings")
    interface: str = _described("interface")
    instructed_alike: str = _described("instructed_alike")
    tools: str = _described("tools")
    explanations: str = _described("explanations")
    robustness: str = _described("robustness")
    demographics: str = _described("demographics")
    instructions: str = _described("instructions")
    time_spent: str = _described("time_spent")
    ai_tools: str = _described("ai_tools")
    drop_outs: str = _described("drop_outs")
    worker_names: str = _described("worker_names")
    availability: str = _described("availability")


def answered(text: str) -> bool:
    """Return whether a text of the description says anything: "n/a: no gold" does, "n/a" and "-" do not.

    >>> answered("n/a: there is no gold"), answered("N/A."), answered(" - "), answered("None")
    (True, False, False, True)
    """
    return "".join(filter(str.isalnum, text)).casefold() not in SAYS_NOTHING


class StudySettings(StudyRules, StudyDescription, CollectionSettings):
    """How a study collects, how its human baseline is computed, and what models are held to beside it."""

    margin: float | None = setting(
        Asked(RESULTS, new_row=True, change=ANYHOW, imported=True),
        None,
        "Equivalence margin",
        "0.05: within 5 points of people counts as equal. Choose it before you see scores. Empty: no verdict",
        gt=0,
        le=1,
    )
    epsilon: float = setting(
        Asked(RESULTS, new_row=True, change=ANYHOW, imported=True),
        0.1,
        "Margin of the alternative-annotator test",
        "The advantage a model gets because it is cheaper than a person. 0.1 for a crowd, 0.15 for skilled annotators, "
        "0.2 for experts",
        ge=0,
        lt=1,
    )
    public_gold: str = setting(
        Asked(RESULTS, change=ANYHOW, afterwards=True, imported=True),
        "",
        "Right answers are public",
        "Say where and since when: models may have learned them. Empty: as the task says. no: not public",
        max_length=200,
    )
    counts: bool = setting(
        Asked(RESULTS, change=ANYHOW, afterwards=True, imported=True),
        False,
        "Counts for its task",
        "Use this study of the task on the overview and in totals. If none is marked, the newest with answers counts",
    )


SETTINGS = settings_of(StudySettings)
"""What requesters set, by name; the rules on workers have a form and a table of their own."""
