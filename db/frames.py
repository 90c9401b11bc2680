"""What happened as tables for `eval`: judgments, items and predictions as DataFrames of plain values."""

from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Select, bindparam, select

from db.engine import Session, read
from db.evidence import MET
from db.records import decisions
from db.statuses import OUT
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, JUDGMENT, PREDICTION, WORKER

JUDGMENTS: dict[str, Any] = {
    "item": ITEM.c.key,
    "worker": WORKER.c.name,
    "label": JUDGMENT.c.label,
    "role": ITEM.c.role,
    **{name: JUDGMENT.c[name] for name in ("status", "reason", "repeat", "page", "price", "seconds", "submitted_at")},
    "simulated": WORKER.c.simulated,
    "pasted": JUDGMENT.c.pasted,
    "away": JUDGMENT.c.away,
    "instruction_version": JUDGMENT.c.instruction,
    "options_shown": JUDGMENT.c.options_shown,
}
HANDED: dict[str, Any] = {
    "worker": WORKER.c.name,
    "item": ITEM.c.key,
    "role": ITEM.c.role,
    "skipped": ASSIGNMENT.c.status == "skipped",
}
ITEMS: dict[str, Any] = {"item": ITEM.c.key, "role": ITEM.c.role, "gold": ITEM.c.gold}
_PREDICTED = (
    "sample", "label", "status", "raw", "seconds", "prompt_tokens", "completion_tokens", "reasoning_tokens", "request",
    "cached", "cut", "cost",
)  # fmt: skip
PREDICTIONS: dict[str, Any] = {"item": ITEM.c.key, **{name: PREDICTION.c[name] for name in _PREDICTED}}

IMPORTED = JUDGMENTS | {"skill": JUDGMENT.c.skill}
"""What is told of the judgments of an imported log."""


def _columns(columns: dict[str, ColumnElement[Any]]) -> Select[Any]:
    return select(*(column.label(name) for name, column in columns.items()))


def _judgments(columns: dict[str, ColumnElement[Any]]) -> Select[Any]:
    return (
        _columns(columns)
        .select_from(JUDGMENT)
        .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
        .join(WORKER, WORKER.c.id == JUDGMENT.c.worker_id)
        .where(JUDGMENT.c.study_id == bindparam("study"))
        .order_by(JUDGMENT.c.id)
    )


_JUDGMENTS, _IMPORTED = _judgments(JUDGMENTS), _judgments(IMPORTED)
_SHOWN = _judgments({name: JUDGMENTS[name] for name in ("item", "worker", "label", "options_shown")}).where(
    JUDGMENT.c.options_shown.is_not(None), JUDGMENT.c.status == "counted", ITEM.c.role == "main"
)
_HANDED = (
    _columns(HANDED)
    .select_from(ASSIGNMENT)
    .join(ENROLMENT, ENROLMENT.c.id == ASSIGNMENT.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item_id)
    .where(ENROLMENT.c.study_id == bindparam("study"), *MET)
    .order_by(ENROLMENT.c.id, ASSIGNMENT.c.place)
)
_PREDICTIONS = (
    _columns(PREDICTIONS)
    .select_from(PREDICTION)
    .join(ITEM, ITEM.c.id == PREDICTION.c.item_id)
    .where(PREDICTION.c.run_id == bindparam("run"))
    .order_by(ITEM.c.place, PREDICTION.c.sample)
)
_SHUT_OUT = (
    select(WORKER.c.name)
    .join_from(WORKER, ENROLMENT, ENROLMENT.c.worker_id == WORKER.c.id)
    .where(ENROLMENT.c.study_id == bindparam("study"), ENROLMENT.c.status.in_(OUT))
)


def judgments(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment of a study, one row each, in the order they were stored; columns JUDGMENTS or IMPORTED."""
    statement = _IMPORTED if study.origin == "imported" else _JUDGMENTS
    return named_apart(_frame(session, statement, study=study.id))


def shown_orders(session: Session, *, study: Study) -> pd.DataFrame:
    """Return item, worker, label and options_shown of the counted judgments of main items whose order was drawn."""
    return _frame(session, _SHOWN, study=study.id)


def items_met(session: Session, *, study: Study) -> pd.DataFrame:
    """Return the main and control items that workers answered or skipped, in each one's order; columns HANDED.

    Reported items are left out. No row where none was handed out: an imported log does not tell what was skipped.
    """
    return named_apart(_frame(session, _HANDED, study=study.id))


def items(session: Session, *, study: Study, fields: bool = False, stored: bool = False) -> pd.DataFrame:
    """Return the items of a study in their order; columns ITEMS, `gold` None where it is not known.

    Where experts have decided main items the column `decision` holds what, None for the others. With `fields` there
    is one more column, the mapping of each item's fields: texts that most numbers do not need. With `stored` there is
    one of the items' keys in the database.
    """
    columns = ITEMS | ({"fields": ITEM.c.fields} if fields else {}) | ({"stored": ITEM.c.id} if stored else {})
    statement = _columns(columns).where(ITEM.c.study_id == bindparam("study")).order_by(ITEM.c.place)
    return with_decisions(session, study, named_apart(_frame(session, statement, study=study.id)))


def fields_of_items(session: Session, *, study: Study) -> dict[str, dict[str, str]]:
    """Return the fields of every item of a study, by its id."""
    known = items(session, study=study, fields=True)
    return dict(zip(known["item"], known["fields"], strict=True))


def with_decisions(session: Session, study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of items with the column `decision` where experts have decided some of them."""
    decided = decisions(session, study=study)
    if not decided:
        return frame
    said = pd.Series([decided.get(item) for item in frame["item"]], index=frame.index, dtype=object)
    return frame.assign(decision=said)


def predictions(session: Session, *, run_id: int) -> pd.DataFrame:
    """Return every prediction of a run in the order of its items; columns PREDICTIONS, `label` None unless `ok`.

    `cost` is what was paid for the reply, 0 for a `cached` one and None where no price was known; `seconds` are those
    of the request that gave the reply, also where it is `cached`.
    """
    return _frame(session, _PREDICTIONS, run=run_id)


def excluded_workers(session: Session, *, study: Study) -> set[str]:
    """Return the workers whom the study itself has shut out: training failed, or excluded by hand."""
    return set(read(session, _SHUT_OUT, study=study.id).scalars())


def named_apart(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with the role before the id of training and control items: files number each role from 0."""
    others = frame["role"] != "main"
    if not others.any():
        return frame
    named = frame["item"].copy()
    named[others] = frame["role"][others] + ":" + frame["item"][others]
    return frame.assign(item=named)


def _frame(session: Session, statement: Select[Any], **values: object) -> pd.DataFrame:
    """Return what is selected as a frame of objects: no label turns into a number on its way, no None into NaN."""
    records = read(session, statement, **values)
    names, rows = list(records.keys()), records.all()
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return pd.DataFrame({name: pd.Series(each, dtype=object) for name, each in zip(names, columns, strict=True)})
