"""Payments: the pay that the workers of a study are owed, and the pay of answers of a collection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Any

import pandas as pd

from data.errors import BadSetting
from data.numbers import counted
from db.engine import Session
from db.events import Cause, add_event, list_events
from db.studies import Study
from db.study_settings import StudySettings
from db.worker_summaries import WorkerSummary, control_answers, owed_though_void, worker_summaries

COLUMNS = (
    "worker", "status", "simulated", "answers", "active_seconds", "pay", "currency", "hourly_pay",
    "below_minimum", "void_answers", "void_pay", "bonus", "total",
)  # fmt: skip


NO_PRICE = "no price is stored"
"""Why nothing is known of what somebody was paid."""


@dataclass(frozen=True)
class Payments:
    """The payments of a study. `minimum` is the pay per hour below which `below_minimum` says "yes", None for none.

    In `frame` (columns COLUMNS) `pay` is for all that was given as promised, whether or not its worker was stopped
    afterwards, `active_seconds` the time behind it, training with it. `bonus` is what the study's rule gives on top,
    `total` both, and `hourly_pay` the total over the time, None without one. `void_answers` do not count. `void_pay`
    was offered for those that nothing is owed for: what a platform refused, and, where the study was made so
    (`pay_after_exclusion` "decide"), what its worker gave before being stopped, which is for the requester to decide.
    Of a log that tells no price of a worker's answers nothing is known: these amounts are None.
    """

    frame: pd.DataFrame
    currency: str
    minimum: float | None

    @property
    def total(self) -> float:
        """What is owed in all, bonuses with it, so far as prices are known."""
        return float(self.frame["total"].sum())

    @property
    def totals(self) -> dict[str, float]:
        """What each worker is owed in all."""
        return dict(zip(self.frame["worker"], self.frame["total"], strict=True))

    @property
    def unpriced(self) -> int:
        """Of how many workers a log tells no price, so that nobody can say what they are owed."""
        return int(self.frame["total"].isna().sum())

    @property
    def bonuses(self) -> float:
        """What is owed in bonuses."""
        return float(self.frame["bonus"].sum())

    @property
    def below(self) -> int:
        """How many workers earned less per hour than the minimum."""
        return int((self.frame["below_minimum"] == "yes").sum())

    @property
    def median_hourly(self) -> float | None:
        """The median over workers of the pay per hour, None where no time is known."""
        known = [rate for rate in self.frame["hourly_pay"] if rate is not None]
        return median(known) if known else None

    @property
    def warned(self) -> bool:
        """Whether the median pay per hour is below the minimum."""
        return self.minimum is not None and self.median_hourly is not None and self.median_hourly < self.minimum

    def __str__(self) -> str:
        """Return all of it in a sentence or two."""
        rate = "" if self.median_hourly is None else f", {self.median_hourly:,.2f} per hour in the median"
        bonus = f" ({self.bonuses:,.2f} of it bonuses)" if self.bonuses else ""
        number = len(self.frame)
        if number and self.unpriced == number:
            return f"{counted(number, 'worker')}; {NO_PRICE}, so what they were paid is not known"
        said = f"{counted(number, 'worker')}, {self.total:,.2f} {self.currency} in all{bonus}{rate}"
        said += f"; of {self.unpriced} {NO_PRICE}" if self.unpriced else ""
        if self.minimum is None:
            return f"{said}; set a minimum pay per hour to see who is below it"
        return f"{said}; {self.below} below the minimum of {self.minimum:,.2f} per hour"


def owed(session: Session, *, study: Study) -> Payments:
    """Return what a study owes its workers."""
    settings, done = study.settings, worker_summaries(session, study=study)
    controls = controls_right(session, study=study) if settings.bonus else {}
    bonuses = bonuses_of(done, settings, controls)
    return payments(done, currency=settings.currency, minimum=settings.hourly_minimum, bonuses=bonuses)


def unpaid(session: Session, *, study: Study) -> list[str]:
    """Return the workers who are owed more in all than was marked as paid."""
    marked = _marked(session, study)
    totals = owed(session, study=study).totals
    return [worker for worker, total in totals.items() if (total or 0.0) > marked.get(worker, 0.0)]


def mark_paid(session: Session, *, study: Study, totals: Mapping[str, float], cause: Cause) -> int:
    """Write down that these workers were paid so much in all; return of how many that is more than before."""
    marked = _marked(session, study)
    keys = {work.name: work.key for work in worker_summaries(session, study=study)}
    new = {worker: total for worker, total in totals.items() if total and total > marked.get(worker, 0.0)}
    for worker, total in new.items():
        details = {"total": total, "currency": study.settings.currency}
        add_event(session, study_id=study.id, worker_id=keys[worker], kind="paid", cause=cause, details=details)
    return len(new)


def _marked(session: Session, study: Study) -> dict[str, float]:
    marked = list_events(session, study=study, most=None, kinds=("paid",))
    return {event.worker: event.details["total"] for event in reversed(marked)}


def controls_right(session: Session, *, study: Study) -> dict[int, tuple[int, int]]:
    """Return how many controls each worker has answered and how many of them right, by the worker's key."""
    given = sorted(control_answers(session, study=study), key=lambda row: row.worker)
    by_worker = {}
    for worker, mine in groupby(given, key=lambda row: row.worker):
        right = [
            study.task.answer_for(answer.fields).right(answer.label, answer.gold, answer.fields) for answer in mine
        ]
        by_worker[worker] = len(right), sum(right)
    return by_worker


def payments(
    works: Sequence[WorkerSummary], *, currency: str, minimum: float | None, bonuses: Mapping[int, float] | None = None
) -> Payments:
    """Return the payments of workers; who has neither answered nor practised is owed nothing and left out.

    `bonuses` are those of workers by their key (`bonuses_of`).
    """
    if minimum is not None and not minimum >= 0:
        raise BadSetting(f"The minimum pay per hour must be 0 or more, got {minimum!r}.")
    given = bonuses or {}
    lines = [
        _line(work, currency, minimum, given.get(work.key, 0.0))
        for work in works
        if work.answers or work.void or work.seconds or work.pay
    ]
    return Payments(pd.DataFrame(lines, columns=list(COLUMNS), dtype=object), currency, minimum)


def bonuses_of(
    works: Sequence[WorkerSummary], settings: StudySettings, controls: Mapping[int, tuple[int, int]]
) -> dict[int, float]:
    """Return the bonus of every worker who has earned one, by the worker's key.

    `controls` are the numbers of controls answered and of those right, by worker. Who is excluded has no counted
    answers and so no bonus.
    """
    bonuses = {}
    for work in works:
        answered, right = controls.get(work.key, (0, 0))
        reached = answered >= settings.bonus_after and right / answered >= settings.bonus_accuracy
        if reached and work.counted and settings.bonus:
            bonuses[work.key] = round(settings.bonus * work.counted, 6)
    return bonuses


def hourly(work: WorkerSummary, bonus: float = 0.0) -> float | None:
    """Return what a worker earned per hour of active time, None where no time is known or nothing is paid."""
    pay = work.pay + bonus
    return round(pay / work.seconds * 3600, 2) if work.seconds > 0 and pay > 0 else None


def _line(work: WorkerSummary, currency: str, minimum: float | None, bonus: float) -> tuple[object, ...]:
    rate = hourly(work, bonus)
    below = "" if minimum is None or rate is None else "yes" if rate < minimum else "no"
    seconds, pay, void_pay = round(work.seconds, 1), round(float(work.pay), 6), round(float(work.void_pay), 6)
    made = (work.name, work.status, work.simulated, work.answers)
    if not work.priced:
        return (*made, seconds, None, "", None, "", work.void, None, None, None)
    return (*made, seconds, pay, currency, rate, below, work.void, void_pay, bonus, round(pay + bonus, 6))


NEITHER = "neither prices nor times are stored"
"""What stands where nothing is known of pay and time."""
ACTIVE, PAGES_OPEN = "of the time between answers without breaks", "of the time pages were open"


def pay(judgments: pd.DataFrame, settings: StudySettings) -> dict[str, Any]:
    """Return what a study paid for answers, bonuses apart, and how long an answer to a main item took.

    The price of a worker's page stands on each of its rows and is counted once; rows without a page are paid one by
    one. What is not owed (`db.payments`) costs nothing. `total` and `currency` are None where no price is known.
    `median_seconds` is of the counted answers to main items. `median_hourly` is, over workers, total paid / total time,
    in `currency` per hour: of active time, or of the time that pages of an imported log were open (`hourly_by`).
    """
    owed = judgments[(judgments["status"] != "void") | judgments["reason"].isin(owed_though_void(settings).values())]
    paid = owed[owed["price"].notna()]
    pages = paid[paid["page"].notna()].drop_duplicates(["worker", "page"])
    single = paid[paid["page"].isna()]
    asked = judgments[(judgments["role"] == "main") & (judgments["status"] == "counted")]
    seconds = pd.to_numeric(asked["seconds"]).dropna()
    total = float(pages["price"].sum() + single["price"].sum()) if len(paid) else None
    return {
        "total": None if total is None else round(total, 6),
        "currency": None if total is None else settings.currency,
        "median_hourly": None if total is None else _median_hourly(single, owed[owed["page"].notna()]),
        "hourly_by": PAGES_OPEN if len(pages) else ACTIVE,
        "median_seconds": round(float(seconds.median()), 2) if len(seconds) else None,
    }


def pay_words(pay: Mapping[str, Any]) -> str:
    """Return what was paid in all and an hour; empty where no price is stored.

    >>> pay_words({"total": 5.086, "currency": "USD", "median_hourly": 2.03, "hourly_by": PAGES_OPEN})
    '5.09 USD in all, bonuses apart; median 2.03 USD an hour over workers, of the time pages were open'
    """
    if pay["total"] is None:
        return ""
    said = f"{pay['total']:,.2f} {pay['currency']} in all, bonuses apart"
    if pay["median_hourly"] is None:
        return said
    return f"{said}; median {pay['median_hourly']:,.2f} {pay['currency']} an hour over workers, {pay['hourly_by']}"


def time_words(pay: Mapping[str, Any]) -> str:
    """Return how long an answer took; empty where no time is stored.

    >>> time_words({"median_seconds": 8.72})
    'median 8.72 s an answer to a main item'
    """
    return "" if pay["median_seconds"] is None else f"median {pay['median_seconds']:.2f} s an answer to a main item"


def pay_and_time(pay: Mapping[str, Any]) -> str:
    """Return both, or that neither is stored.

    >>> pay_and_time({"total": None, "currency": None, "median_hourly": None, "median_seconds": 8.72})
    'no price is stored; median 8.72 s an answer to a main item'
    """
    paid, took = pay_words(pay), time_words(pay)
    return f"{paid or NO_PRICE}; {took or 'no time is stored'}" if paid or took else NEITHER


def _median_hourly(single: pd.DataFrame, paged: pd.DataFrame) -> float | None:
    """Return it over answers that are paid one by one and over pages, each row of which has its share of the time."""
    pages = paged.astype({"price": float, "seconds": float}).groupby(["worker", "page"], sort=False)
    of_pages = pd.DataFrame({"price": pages["price"].max(), "seconds": pages["seconds"].sum(min_count=1)}).reset_index()
    columns = ["worker", "price", "seconds"]
    rows = pd.concat([single.astype({"price": float, "seconds": float})[columns], of_pages[columns]])
    timed = rows[rows["seconds"].notna() & rows["price"].notna()]
    workers = timed.groupby("worker")[["price", "seconds"]].sum()
    workers = workers[workers["seconds"] > 0]
    if not len(workers) or not workers["price"].any():
        return None
    return round(float((workers["price"] / workers["seconds"]).median() * 3600), 2)
