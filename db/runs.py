"""Runs: a model over a study's main items, and its predictions, one for each item and sample."""

import os
import socket
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from db.clock import now
from db.engine import Session, add, read, write
from db.prepared_statements import Row
from db.run_tables import PREDICTION, RUN, RunRow
from db.statuses import RunStatus
from db.studies import Study

RunKind = Literal["naive", "model"]
PredictionStatus = Literal["ok", "unparsable", "refused", "truncated", "error"]
_BY_KEY = select(RUN).where(RUN.c.id == bindparam("run"))
_NEWEST_FIRST = select(RUN).order_by(RUN.c.id.desc())
_KEPT = _NEWEST_FIRST.where(RUN.c.status != "deleted")
_HAS_ANSWER = exists().where(PREDICTION.c.run_id == RUN.c.id, PREDICTION.c.status != "error").label("has_answer")
_ERRORS = PREDICTION.c.run_id == bindparam("run"), PREDICTION.c.status == "error"
_ERROR = select(PREDICTION.c.id).where(*_ERRORS).limit(1)
_COST_OF_ERRORS = select(func.sum(PREDICTION.c.cost)).where(*_ERRORS)
_FORGET_ERRORS = delete(PREDICTION).where(*_ERRORS)
_ADD_PREDICTIONS = insert(PREDICTION)


@dataclass(frozen=True)
class Run:
    """A run as the rest of the program sees it; `settings` is what it takes to repeat it, without secrets.

    `unanswered_cost` is what was paid for attempts that none of its predictions tells of.
    """

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
    unanswered_cost: float = 0.0


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
    return _stored(session, add(session, row))


def continue_run(session: Session, *, run: Run) -> Run:
    """Return the run, which this process goes on with: its errors are taken away, since they are asked again.

    What they cost stays with the run.
    """
    cost = RUN.c.unanswered_cost + (read(session, _COST_OF_ERRORS, run=run.id).scalar() or 0)
    write(session, _FORGET_ERRORS, run=run.id)
    going_on = {"status": "running", "finished_at": None, "alive_at": now(), "process": process()}
    return _changed(session, run, **going_on, unanswered_cost=cost)


def heartbeat(session: Session, *, run: Run) -> None:
    """Say that the run is under way."""
    _changed(session, run, alive_at=now())


def charge_unanswered(session: Session, *, run: Run, cost: float) -> None:
    """Store what was paid in all for attempts of a run that no prediction tells of."""
    _changed(session, run, unanswered_cost=cost)


def tell_of_run(session: Session, *, run: Run, facts: Mapping[str, Any]) -> None:
    """Store what a run has found out since it began, among its settings."""
    _changed(session, run, settings={**_stored(session, run.id).settings, **facts})


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
        write(session, _ADD_PREDICTIONS, rows)


def finish_run(session: Session, *, run: Run, stopped: bool = False) -> Run:
    """Return the run as it ended: `complete`, or `incomplete` where it was stopped or any status is `error`."""
    failed = stopped or read(session, _ERROR, run=run.id).first() is not None
    return _changed(session, run, status="incomplete" if failed else "complete", finished_at=now())


def set_deleted(session: Session, *, run: Run) -> None:
    """Say that a run is deleted: its row stays, so that no other run gets its number, and nothing lists it."""
    _changed(session, run, status="deleted", finished_at=now())


def list_runs(session: Session, *, study: Study) -> list[Run]:
    """Return the runs of a study that are not deleted, the newest first."""
    return [_run(row) for row in read(session, _KEPT.where(RUN.c.study_id == study.id))]


def every_run(session: Session, *, study: Study) -> list[Run]:
    """Return the runs of a study, the newest first, with those whose predictions were deleted."""
    return [_run(row) for row in read(session, _NEWEST_FIRST.where(RUN.c.study_id == study.id))]


def answered_runs(session: Session, *, study: Study | None = None, model: str | None = None) -> list[AnsweredRun]:
    """Return the runs of a study or a model or all, the newest first, and which of them have an answer."""
    statement = _KEPT.add_columns(_HAS_ANSWER)
    if study is not None:
        statement = statement.where(RUN.c.study_id == study.id)
    if model is not None:
        statement = statement.where(RUN.c.model == model)
    return [AnsweredRun(_run(row), bool(row.has_answer)) for row in read(session, statement)]


def _changed(session: Session, run: Run, **values: object) -> Run:
    write(session, update(RUN).where(RUN.c.id == run.id).values(**values))
    return _stored(session, run.id)


def _stored(session: Session, key: int) -> Run:
    return _run(read(session, _BY_KEY, run=key).one())


def _run(row: Row) -> Run:
    return Run(
        id=row.id,
        study_id=row.study_id,
        model=row.model,
        kind=cast(RunKind, row.kind),
        settings=dict(row.settings),
        status=cast(RunStatus, row.status),
        started_at=row.started_at,
        finished_at=row.finished_at,
        alive_at=row.alive_at,
        process=row.process,
        unanswered_cost=row.unanswered_cost,
    )
