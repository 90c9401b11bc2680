"""What happened as tables for `eval`: judgments, items and predictions as DataFrames of plain values."""

from collections.abc import Callable
from typing import Any

import pandas as pd
from sqlalchemy import Select
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from db.decisions import decisions
from db.evidence import MET
from db.statuses import OUT
from db.studies import Study
from db.tables import AssignmentRow, EnrolmentRow, ItemRow, JudgmentRow, PredictionRow, WorkerRow

JUDGMENTS: dict[str, Any] = {
    "item": ItemRow.key,
    "worker": WorkerRow.name,
    "label": JudgmentRow.label,
    "role": ItemRow.role,
    "status": JudgmentRow.status,
    "reason": JudgmentRow.reason,
    "repeat": JudgmentRow.repeat,
    "page": JudgmentRow.page,
    "price": JudgmentRow.price,
    "seconds": JudgmentRow.seconds,
    "submitted_at": JudgmentRow.submitted_at,
    "simulated": WorkerRow.simulated,
    "pasted": JudgmentRow.pasted,
    "away": JudgmentRow.away,
}
HANDED: dict[str, Any] = {
    "worker": WorkerRow.name,
    "item": ItemRow.key,
    "role": ItemRow.role,
    "skipped": col(AssignmentRow.status) == "skipped",
}
ITEMS: dict[str, Any] = {"item": ItemRow.key, "role": ItemRow.role, "gold": ItemRow.gold}
PREDICTIONS: dict[str, Any] = {
    "item": ItemRow.key,
    "sample": PredictionRow.sample,
    "label": PredictionRow.label,
    "status": PredictionRow.status,
    "raw": PredictionRow.raw,
    "seconds": PredictionRow.seconds,
    "prompt_tokens": PredictionRow.prompt_tokens,
    "completion_tokens": PredictionRow.completion_tokens,
    "reasoning_tokens": PredictionRow.reasoning_tokens,
    "request": PredictionRow.request,
    "cached": PredictionRow.cached,
    "cut": PredictionRow.cut,
    "cost": PredictionRow.cost,
}


def judgments(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment of a study, one row each, in the order they were stored; columns JUDGMENTS."""
    frame = _frame(
        session,
        JUDGMENTS,
        lambda rows: (
            rows.select_from(JudgmentRow)
            .join(ItemRow, col(ItemRow.id) == col(JudgmentRow.item_id))
            .join(WorkerRow, col(WorkerRow.id) == col(JudgmentRow.worker_id))
            .where(col(JudgmentRow.study_id) == study.id)
            .order_by(col(JudgmentRow.id))
        ),
    )
    return told_apart(frame)


def met(session: Session, *, study: Study) -> pd.DataFrame:
    """Return the main and control items that workers answered or skipped, in each one's order; columns HANDED.

    Reported items are left out. No row where none was handed out: an imported log does not tell what was skipped.
    """
    frame = _frame(
        session,
        HANDED,
        lambda rows: (
            rows.select_from(AssignmentRow)
            .join(EnrolmentRow, col(EnrolmentRow.id) == col(AssignmentRow.enrolment_id))
            .join(WorkerRow, col(WorkerRow.id) == col(EnrolmentRow.worker_id))
            .join(ItemRow, col(ItemRow.id) == col(AssignmentRow.item_id))
            .where(col(EnrolmentRow.study_id) == study.id, *MET)
            .order_by(col(EnrolmentRow.id), col(AssignmentRow.place))
        ),
    )
    return told_apart(frame)


def items(session: Session, *, study: Study, fields: bool = False, stored: bool = False) -> pd.DataFrame:
    """Return the items of a study in their order; columns ITEMS, `gold` None where it is not known.

    Where experts have decided main items the column `decision` holds what, None for the others. With `fields` there
    is one more column, the mapping of each item's fields: texts that most numbers do not need. With `stored` there is
    one of the items' keys in the database.
    """
    of_study = col(ItemRow.study_id) == study.id
    columns = ITEMS | ({"fields": ItemRow.fields} if fields else {}) | ({"stored": ItemRow.id} if stored else {})
    frame = told_apart(_frame(session, columns, lambda rows: rows.where(of_study).order_by(col(ItemRow.place))))
    return with_decisions(session, study, frame)


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
    return _frame(
        session,
        PREDICTIONS,
        lambda rows: (
            rows.select_from(PredictionRow)
            .join(ItemRow, col(ItemRow.id) == col(PredictionRow.item_id))
            .where(col(PredictionRow.run_id) == run_id)
            .order_by(col(ItemRow.place), col(PredictionRow.sample))
        ),
    )


def shut_out(session: Session, *, study: Study) -> set[str]:
    """Return the workers whom the study itself has shut out: training failed, or excluded by hand."""
    statement = (
        select(WorkerRow.name)
        .join(EnrolmentRow, col(EnrolmentRow.worker_id) == col(WorkerRow.id))
        .where(EnrolmentRow.study_id == study.id, col(EnrolmentRow.status).in_(OUT))
    )
    return set(session.exec(statement))


def told_apart(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with the role before the id of training and control items: files number each role from 0."""
    others = frame["role"] != "main"
    if not others.any():
        return frame
    named = frame["item"].copy()
    named[others] = frame["role"][others] + ":" + frame["item"][others]
    return frame.assign(item=named)


def _frame(session: Session, columns: dict[str, Any], narrowed: Callable[[Select[Any]], Select[Any]]) -> pd.DataFrame:
    """Return the columns as a frame of objects: no label turns into a number on its way, no None into NaN."""
    rows = session.connection().execute(narrowed(select_columns(*columns.values()))).all()
    values = zip(*rows, strict=True) if rows else [()] * len(columns)
    return pd.DataFrame({name: pd.Series(each, dtype=object) for name, each in zip(columns, values, strict=True)})
