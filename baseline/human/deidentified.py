"""Judgments as they may be published: workers by numbers that lead back to nobody, days in the place of moments."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pandas as pd

from db import frames
from db.engine import Session
from db.judgments import DUPLICATE
from db.studies import Study
from eval.panel import Panel

COLUMNS = (
    "item", "worker", "label", "role", "status", "reason", "repeat", "price", "seconds", "day", "simulated",
)  # fmt: skip
NAMING = ("worker", "excluded")
"""Where `human --json` and `results --json` name workers: a name, or a list of them."""


def pseudonyms(names: Iterable[str], *, seed: int = 0) -> dict[str, str]:
    """Return a number of its own for each name, `w001` and so on, in an order that the seed shuffles."""
    order = sorted(set(names))
    Random(seed).shuffle(order)
    digits = max(3, len(str(len(order))))
    return {name: f"w{number:0{digits}}" for number, name in enumerate(order, 1)}


def names_of(study: Study, panel: Panel) -> Mapping[str, str]:
    """Return what the workers of a study are called where people read: our own pseudonyms, of a log's ids numbers."""
    workers = panel.workers
    return pseudonyms(workers, seed=study.seed) if study.origin == "imported" else {name: name for name in workers}


def pseudonymised(table: Any, numbers: Mapping[str, str]) -> Any:
    """Return plain data with the workers that stand in it, under the keys NAMING, by their numbers of `pseudonyms`."""
    if isinstance(table, Mapping):
        return {
            name: _numbers_of(value, numbers) if name in NAMING else pseudonymised(value, numbers)
            for name, value in table.items()
        }
    return [pseudonymised(value, numbers) for value in table] if isinstance(table, list) else table


def _numbers_of(named: Any, numbers: Mapping[str, str]) -> Any:
    if isinstance(named, list):
        return sorted(numbers.get(name, name) for name in named)
    return numbers.get(named, named) if isinstance(named, str) else named


def deidentified_judgments(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment of a study under COLUMNS.

    Of the reasons only that of a duplicate stays: others are what staff wrote. What workers wrote themselves, as an
    open answer, stays as it is and is to be read before it is published.
    """
    judged = frames.judgments(session, study=study)
    numbers = pseudonyms(judged["worker"], seed=study.seed)
    days = [moment and moment.date().isoformat() for moment in judged["submitted_at"]]
    plain = judged.assign(
        worker=judged["worker"].map(numbers),
        reason=judged["reason"].where(judged["reason"] == DUPLICATE, None),
        day=pd.Series(days, index=judged.index, dtype=object),
    )
    return plain[list(COLUMNS)]
