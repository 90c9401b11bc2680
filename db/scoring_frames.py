"""Items, judgments and predictions of a large study as scoring reads them: few columns, answers as numbers.

The database joins each column into one text, which is read several times as fast as as many rows, and while other
threads work.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
from sqlalchemy import BigInteger, ColumnElement, case, cast, func, select, true

from data.task import Role
from db import frames
from db.engine import Session, read
from db.statuses import JudgmentStatus
from db.studies import Study
from db.tables import ITEM, JUDGMENT, PREDICTION, WORKER, joined, numbers_of, objects

CODED = ("unparsable", "refused", "truncated", "error")
"""The statuses of predictions without an answer; the n-th has the code -1 - n."""
UNKNOWN = -9
"""The code of an answer that is none of the labels."""
JUDGED = ("id", "item_id", "worker_id", "label", "status", "reason", "page", "price", "seconds", "skill")
ROLES, STATUSES = get_args(Role), get_args(JudgmentStatus)
Integers = npt.NDArray[np.int64]
NUMBERS: dict[str, ColumnElement[Any]] = {
    "stored": ITEM.c.id,
    "place": ITEM.c.place,
    "role": case({role: place for place, role in enumerate(ROLES)}, value=ITEM.c.role),
    "key": func.length(ITEM.c.key),
    "gold": func.coalesce(func.length(ITEM.c.gold), -1),
}
"""What is told of each item in numbers: of its texts how long they are, -1 for none."""
JOINED = select(
    *(joined(each) for each in NUMBERS.values()),
    *(func.coalesce(func.aggregate_strings(text, ""), "") for text in (ITEM.c.key, ITEM.c.gold)),
)


def items(session: Session, *, study: Study) -> pd.DataFrame:
    """Return what `db.frames.items` gives with `stored` and without `fields`, a few times as fast."""
    *numbers, keys, gold = read(session, JOINED.where(ITEM.c.study_id == study.id)).one()
    of = {name: numbers_of(text, np.int64) for name, text in zip(NUMBERS, numbers, strict=True)}
    if of["key"].sum() != len(keys) or np.maximum(of["gold"], 0).sum() != len(gold):
        # SQLite measures a text only up to a NUL in it.
        return frames.items(session, study=study, stored=True)
    in_order = np.argsort(of["place"], kind="stable")
    columns = {
        "item": _cut(keys, of["key"]),
        "role": objects(ROLES)[of["role"]],
        "gold": _cut(gold, of["gold"]),
        "stored": of["stored"].astype(object),
    }
    frame = pd.DataFrame({name: pd.Series(each[in_order], dtype=object) for name, each in columns.items()})
    return frames.with_decisions(session, study, frames.named_apart(frame))


def _cut(text: str, lengths: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return the texts of these lengths that were joined, (N,), None for a length below zero."""
    ends = np.cumsum(np.maximum(lengths, 0)).tolist()
    texts = objects([text[begin:end] for begin, end in pairwise([0, *ends])])
    texts[lengths < 0] = None
    return texts


def judgments(session: Session, *, study: Study, items: pd.DataFrame) -> pd.DataFrame:
    """Return every judgment of a study as scoring reads it, one row each in the order they were stored.

    Columns: item, worker, label, role, status, reason, page, price, seconds, simulated, and of an imported study skill;
    ids of training and control items have their role before them. `items` are those of the study by `db.frames`, with
    their keys. Seconds and prices have fifteen digits. Several times as fast as `db.frames.judgments`, which also knows
    when and how often an answer was given.
    """
    labels = study.task.answer.labels()
    parts = []
    if labels:
        numbers = _numbers(session, study, labels)
        plain = numbers["code"] != UNKNOWN
        parts.append(_plain({name: values[plain] for name, values in numbers.items()}, labels))
    if not labels or not plain.all():
        parts.append(_in_full(session, study, labels))
    of = {name: np.concatenate([part[name] for part in parts]) for name in JUDGED}
    in_order = np.argsort(of["id"].astype(np.int64))
    of = {name: values[in_order] for name, values in of.items()}
    workers, names, simulated = _workers(session, study)
    item, worker = places(items["stored"], of["item_id"]), places(workers, of["worker_id"])
    columns: dict[str, Any] = {
        "item": items["item"].to_numpy()[item],
        "worker": names[worker],
        "label": of["label"],
        "role": pd.Categorical(items["role"], categories=ROLES)[item],
        "status": pd.Categorical.from_codes(of["status"].astype(np.int64), dtype=pd.CategoricalDtype(list(STATUSES))),
        **{name: of[name] for name in ("reason", "page", "price", "seconds")},
        "simulated": simulated[worker],
        **({"skill": of["skill"]} if study.origin == "imported" else {}),
    }
    # Words of a short list are compared many times as fast by their places in it. Each other column is told to be of
    # objects: guessing that it is text would turn every value of it into another form.
    few = ("role", "status")
    return pd.DataFrame({n: each if n in few else pd.Series(each, dtype=object) for n, each in columns.items()})


def _plain_code(labels: Sequence[str]) -> ColumnElement[int]:
    """Return the place of a judgment's label, times the number of statuses, plus that of its status.

    UNKNOWN where numbers cannot tell all of it: its label is none of these, it has a reason or a skill, or a page.
    """
    label = case({label: place * len(STATUSES) for place, label in enumerate(labels)}, value=JUDGMENT.c.label)
    status = case({status: place for place, status in enumerate(STATUSES)}, value=JUDGMENT.c.status)
    alone = JUDGMENT.c.reason.is_(None) & JUDGMENT.c.page.is_(None) & JUDGMENT.c.skill.is_(None)
    return case((alone, func.coalesce(label + status, UNKNOWN)), else_=UNKNOWN)


def _numbers(session: Session, study: Study, labels: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Return what numbers tell of each judgment, each (J,): its keys, its code, its price and seconds or NaN."""
    keys = {name: JUDGMENT.c[name] for name in ("id", "item_id", "worker_id")} | {"code": _plain_code(labels)}
    amounts = {name: JUDGMENT.c[name] for name in ("price", "seconds")}
    joined_texts = (joined(each, missing="nan") for each in (keys | amounts).values())
    statement = select(*joined_texts).where(JUDGMENT.c.study_id == study.id)
    texts = read(session, statement).one()
    return {
        name: numbers_of(text, np.int64) if name in keys else numbers_of(text, np.float64)
        for name, text in zip(keys | amounts, texts, strict=True)
    }


def _plain(arrays: dict[str, npt.NDArray[Any]], labels: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Return the columns JUDGED of judgments that numbers tell all of; `status` is a place in STATUSES."""
    label, status = np.divmod(arrays["code"], len(STATUSES))
    nothing = np.full(len(label), None, dtype=object)
    return {
        **{name: arrays[name] for name in ("id", "item_id", "worker_id")},
        "label": objects(labels)[label],
        "status": status,
        "reason": nothing,
        "page": nothing,
        "skill": nothing,
        **{name: np.where(np.isnan(arrays[name]), nothing, arrays[name]) for name in ("price", "seconds")},
    }


def _in_full(session: Session, study: Study, labels: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Return the columns JUDGED of the other judgments, `status` as `_plain`; of all where there are no labels."""
    others = (_plain_code(labels) == UNKNOWN) if labels else true()
    columns = [JUDGMENT.c[name] for name in JUDGED]
    rows = read(session, select(*columns).where(JUDGMENT.c.study_id == study.id, others)).all()
    values = zip(*rows, strict=True) if rows else [()] * len(JUDGED)
    arrays = {name: objects(each) for name, each in zip(JUDGED, values, strict=True)}
    return arrays | {"status": np.array([STATUSES.index(each) for each in arrays["status"]], dtype=np.int64)}


def answers_of_runs(
    session: Session, *, run_ids: Sequence[int], labels: Sequence[str]
) -> dict[int, tuple[Integers, Integers]]:
    """Return the predictions of each run as two arrays: the keys of the items, and a code of what was answered.

    The code is the place in `labels`, below zero by CODED, UNKNOWN for any other answer. The database makes one number
    of each item and its answer.
    """
    known = case({label: place for place, label in enumerate(labels)}, value=PREDICTION.c.label, else_=UNKNOWN)
    silent = [(PREDICTION.c.status == status, -1 - place) for place, status in enumerate(CODED)]
    # Most predictions are answers, so that they are tried first.
    code = case((PREDICTION.c.status == "ok", known), *silent, else_=UNKNOWN)
    base = len(labels) - UNKNOWN
    answer = cast(PREDICTION.c.item_id, BigInteger) * base + code - UNKNOWN
    rows = read(
        session,
        select(PREDICTION.c.run_id, joined(answer))
        .where(PREDICTION.c.run_id.in_(list(run_ids)))
        .group_by(PREDICTION.c.run_id),
    )
    by_run = {run: np.divmod(numbers_of(text, np.int64), base) for run, text in rows}
    return {run: (items, codes + UNKNOWN) for run, (items, codes) in by_run.items()}


def _workers(session: Session, study: Study) -> list[npt.NDArray[Any]]:
    """Return the keys of those who have answered, their names and whether they are programs, each (W,)."""
    answered = select(JUDGMENT.c.worker_id).where(JUDGMENT.c.study_id == study.id)
    statement = select(WORKER.c.id, WORKER.c.name, WORKER.c.simulated).where(WORKER.c.id.in_(answered))
    keys, *columns = list(zip(*read(session, statement).all(), strict=True)) or [(), (), ()]
    return [np.array(keys, dtype=np.int64), *map(objects, columns)]


def places(keys: npt.ArrayLike, wanted: npt.ArrayLike) -> Integers:
    """Return the place of each wanted key in `keys`, which are in any order and hold all of them."""
    known = np.asarray(keys, dtype=np.int64)
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, np.asarray(wanted, dtype=np.int64), sorter=order)])
