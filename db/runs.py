"""Runs: a model over a study's main items, and its predictions, one for each item and sample."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import exists, insert
from sqlmodel import Session, col, select

from db.clock import now
from db.studies import Study
from db.tables import PredictionRow, RunRow, RunStatus

RunKind = Literal["naive", "model"]
PredictionStatus = Literal["ok", "unparsable", "refused", "truncated", "error"]


@dataclass(frozen=True)
class Run:
    """A run as the rest of the program sees it; `settings` is what it takes to repeat it, without secrets."""

    id: int
    study_id: int
    model: str
    kind: RunKind
    settings: Mapping[str, Any]
    status: RunStatus
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class Prediction:
    """A model's answer to one item: the reply as it came and the label read in it, None unless `ok`."""

    item_key: int
    sample: int
    raw: str
    label: str | None
    status: PredictionStatus
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def create_run(session: Session, *, study: Study, model: str, kind: RunKind, settings: Mapping[str, Any]) -> Run:
    """Store a new run, `running` until `finish_run`."""
    row = RunRow(study_id=study.id, model=model, kind=kind, settings=dict(settings))
    session.add(row)
    session.flush()
    return _run(row)


def add_predictions(session: Session, *, run: Run, predictions: Iterable[Prediction]) -> None:
    """Store many predictions of a run at once; none is stored if one of them is there already."""
    rows = [
        {
            "run_id": run.id,
            "item_id": p.item_key,
            "sample": p.sample,
            "raw": p.raw,
            "label": p.label,
            "status": p.status,
            "seconds": p.seconds,
            "prompt_tokens": p.prompt_tokens,
            "completion_tokens": p.completion_tokens,
        }
        for p in predictions
    ]
    if rows:
        session.exec(insert(PredictionRow), params=rows)


def finish_run(session: Session, *, run: Run, stopped: bool = False) -> Run:
    """Return the run as it ended: `complete`, or `incomplete` where it was stopped or any status is `error`."""
    failed = select(PredictionRow.id).where(PredictionRow.run_id == run.id, PredictionRow.status == "error").limit(1)
    row = session.get_one(RunRow, run.id)
    row.status = "incomplete" if stopped or session.exec(failed).first() is not None else "complete"
    row.finished_at = now()
    session.flush()
    return _run(row)


def list_runs(session: Session, *, study: Study) -> list[Run]:
    """Return the runs of a study, the newest first."""
    statement = select(RunRow).where(RunRow.study_id == study.id).order_by(col(RunRow.id).desc())
    return [_run(row) for row in session.exec(statement)]


def latest_runs(session: Session, *, study: Study) -> list[Run]:
    """Return one run for each model, the newest that has a prediction, in the order of the models' names."""
    answered = exists().where(col(PredictionRow.run_id) == col(RunRow.id))
    statement = select(RunRow).where(RunRow.study_id == study.id, answered).order_by(col(RunRow.id))
    newest = {row.model: row for row in session.exec(statement)}
    return [_run(newest[model]) for model in sorted(newest)]


def _run(row: RunRow) -> Run:
    return Run(
        id=cast(int, row.id),
        study_id=row.study_id,
        model=row.model,
        kind=cast(RunKind, row.kind),
        settings=dict(row.settings),
        status=cast(RunStatus, row.status),
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
