"""The pay of answers and the time they took, in numbers and in the words of every output."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from db.payments import NO_PRICE
from db.study_settings import StudySettings
from db.worker_summaries import owed_though_void

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
        "median_hourly": _median_hourly(single, owed[owed["page"].notna()]),
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
    total, hourly = (None if pay[each] is None else _money(pay[each], pay) for each in ("total", "median_hourly"))
    return f"{total} in all, bonuses apart" + (
        f"; median {hourly} an hour over workers, {pay['hourly_by']}" if hourly else ""
    )


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


def _money(amount: float, pay: Mapping[str, Any]) -> str:
    return f"{amount:,.2f} {pay['currency']}"


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
