"""Judgments and predictions of a large study as scoring reads them: few columns, names once, answers as numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sqlalchemy import BigInteger, Select, String, case, cast, func, select
from sqlmodel import Session

from db.columns import table_of
from db.studies import Study
from db.tables import ITEM, JUDGMENT, WORKER, PredictionRow

PREDICTION = table_of(PredictionRow)
CODED = ("unparsable", "refused", "truncated", "error")
"""The statuses of predictions without an answer; the n-th has the code -1 - n."""
UNKNOWN = -9
"""The code of an answer that is none of the labels."""
Integers = npt.NDArray[np.int64]


def judged(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment of a study as scoring reads it, one row each in the order they were stored.

    Columns: item, worker, label, role, status, reason, page, price, seconds, simulated; ids of training and control
    items have their role before them. Pages and prices are read only where there are any: four times as fast as
    `db.frames.judgments`, which also knows when and how often an answer was given.
    """
    of_study = JUDGMENT.c.study_id == study.id
    paid = session.connection().execute(select(func.count(JUDGMENT.c.price)).where(of_study)).scalar_one() > 0
    names = ["item_id", "worker_id", "label", "status", "reason", "seconds", *(["page", "price"] if paid else [])]
    rows = session.connection().execute(
        select(*(JUDGMENT.c[name] for name in names)).where(of_study).order_by(JUDGMENT.c.id)
    )
    columns = dict(zip(names, zip(*rows.all(), strict=True), strict=False)) or dict.fromkeys(names, ())
    keys, of_items = _named(session, select(ITEM.c.id, ITEM.c.key, ITEM.c.role).where(ITEM.c.study_id == study.id))
    workers, of_workers = _named(session, _workers(study))
    roles = of_items[:, 1]
    told = np.array([key if role == "main" else f"{role}:{key}" for key, role in of_items], dtype=object)
    item, worker = _places(keys, columns["item_id"]), _places(workers, columns["worker_id"])
    nothing = np.full(len(item), None, dtype=object)
    found: dict[str, npt.NDArray[Any]] = {
        "item": told[item],
        "worker": of_workers[worker, 0],
        "label": _objects(columns["label"]),
        "role": roles[item],
        "status": _objects(columns["status"]),
        "reason": _objects(columns["reason"]),
        "page": _objects(columns["page"]) if paid else nothing,
        "price": _objects(columns["price"]) if paid else nothing,
        "seconds": _objects(columns["seconds"]),
        "simulated": of_workers[worker, 1],
    }
    # Each column told to be of objects: guessing that it is text would turn every value of it into another form.
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in found.items()})


def main_keys(session: Session, *, study: Study) -> dict[str, int]:
    """Return the key in the database of each main item, by its id."""
    rows = session.connection().execute(
        select(ITEM.c.key, ITEM.c.id).where(ITEM.c.study_id == study.id, ITEM.c.role == "main")
    )
    return dict(tuple(row) for row in rows.all())


def answers_of_runs(
    session: Session, *, run_ids: Sequence[int], labels: Sequence[str]
) -> dict[int, tuple[Integers, Integers]]:
    """Return the predictions of each run as two arrays: the keys of the items, and a code of what was answered.

    The code is the place in `labels`, below zero by CODED, UNKNOWN for any other answer. The database makes one number
    of each item and its answer and joins those of a run into one text: a fifth of the time that as many rows take.
    """
    known = case({label: place for place, label in enumerate(labels)}, value=PREDICTION.c.label, else_=UNKNOWN)
    silent = [(PREDICTION.c.status == status, -1 - place) for place, status in enumerate(CODED)]
    # Most predictions are answers, so that they are tried first.
    code = case((PREDICTION.c.status == "ok", known), *silent, else_=UNKNOWN)
    base = len(labels) - UNKNOWN
    told = cast(cast(PREDICTION.c.item_id, BigInteger) * base + code - UNKNOWN, String)
    rows = session.connection().execute(
        select(PREDICTION.c.run_id, func.aggregate_strings(told, " "))
        .where(PREDICTION.c.run_id.in_(list(run_ids)))
        .group_by(PREDICTION.c.run_id)
    )
    found = {run: np.divmod(np.fromstring(text, dtype=np.int64, sep=" "), base) for run, text in rows}
    return {run: (items, codes + UNKNOWN) for run, (items, codes) in found.items()}


def _workers(study: Study) -> Select[Any]:
    answered = select(JUDGMENT.c.worker_id).where(JUDGMENT.c.study_id == study.id)
    return select(WORKER.c.id, WORKER.c.name, WORKER.c.simulated).where(WORKER.c.id.in_(answered))


def _named(session: Session, statement: Select[Any]) -> tuple[Integers, npt.NDArray[Any]]:
    """Return the sorted keys of the first column, and the others in the same order."""
    rows = sorted(map(tuple, session.connection().execute(statement)), key=lambda row: int(row[0]))
    keys = np.array([row[0] for row in rows], dtype=np.int64)
    return keys, np.array([row[1:] for row in rows], dtype=object).reshape(
        len(rows), len(statement.selected_columns) - 1
    )


def _places(keys: Integers, wanted: Sequence[int]) -> Integers:
    return np.searchsorted(keys, np.array(wanted, dtype=np.int64))


def _objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    """Return values as an array of objects: no label turns into a number on its way, no None into NaN."""
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found
