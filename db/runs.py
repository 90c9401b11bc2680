"""Runs: a model over a study's main items, and its predictions, one for each item and sample."""

import os
import socket
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import delete, exists, insert
from sqlmodel import Session, col, select

from db.clock import now
from db.statuses import RunStatus
from db.studies import Study
from db.tables import PredictionRow, RunRow

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
    alive_at: datetime | None = None
    process: str | None = None


@dataclass(frozen=True)
class AnsweredRun:
    """A run, and whether one of its predictions is an answer: an error is none."""

    run: Run
    has_answer: bool


@dataclass(frozen=True)
class Prediction:
    """A model's answer to one item: the reply as it came and the label read in it, None unless `ok`.

    `request` is the key of the request that it answers; a `cached` one took the reply of an earlier prediction, with
    its tokens and seconds; of the tokens of the completion `reasoning_tokens` were thinking. `cut`: the item's text was
    cut to fit. `cost` is what was paid, None without a price.
    """

    item_key: int
    sample: int
    raw: str
    label: str | None
    status: PredictionStatus
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    request: str | None = None
    cached: bool = False
    cut: bool = False
    cost: float | None = None


def create_run(session: Session, *, study: Study, model: str, kind: RunKind, settings: Mapping[str, Any]) -> Run:
    """Store a new run of this process, `running` until `finish_run`."""
    row = RunRow(study_id=study.id, model=model, kind=kind, settings=dict(settings), alive_at=now(), process=process())
    session.add(row)
    session.flush()
    return _run(row)


def continue_run(session: Session, *, run: Run) -> Run:
    """Return the run, which this process goes on with: its errors are taken away, since they are asked again."""
    failed = (col(PredictionRow.run_id) == run.id, col(PredictionRow.status) == "error")
    session.exec(delete(PredictionRow).where(*failed))
    row = session.get_one(RunRow, run.id)
    row.status, row.finished_at, row.alive_at, row.process = "running", None, now(), process()
    session.flush()
    return _run(row)


def beat(session: Session, *, run: Run) -> None:
    """Say that the run is under way."""
    session.get_one(RunRow, run.id).alive_at = now()


def tell_of_run(session: Session, *, run: Run, told: Mapping[str, Any]) -> None:
    """Store what a run has found out since it began, among its settings."""
    row = session.get_one(RunRow, run.id)
    row.settings = {**row.settings, **told}


def process() -> str:
    """Return the name of this process: its host and its number there."""
    return f"{socket.gethostname()}:{os.getpid()}"


def add_predictions(session: Session, *, run: Run, predictions: Iterable[Prediction]) -> None:
    """Store many predictions of a run at once; none is stored if one of them is there already."""
    rows = []
    for prediction in predictions:
        values = asdict(prediction)
        rows.append({"run_id": run.id, "item_id": values.pop("item_key"), **values})
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


def answered_runs(session: Session, *, study: Study | None = None, model: str | None = None) -> list[AnsweredRun]:
    """Return the runs of a study or a model or all, the newest first, and which of them have an answer."""
    answer = exists().where(col(PredictionRow.run_id) == col(RunRow.id), col(PredictionRow.status) != "error")
    statement = select(RunRow, answer).order_by(col(RunRow.id).desc())
    if study is not None:
        statement = statement.where(RunRow.study_id == study.id)
    if model is not None:
        statement = statement.where(RunRow.model == model)
    return [AnsweredRun(_run(row), bool(has_answer)) for row, has_answer in session.exec(statement)]


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
        alive_at=row.alive_at,
        process=row.process,
    )
