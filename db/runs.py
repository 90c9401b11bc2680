"""Runs of models over a study: each prediction, what it cost, and which run is a pinned run or was deleted."""

import json
import os
import socket
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import bindparam, case, delete, exists, func, insert, select, update

from data.errors import UnknownName
from db.clock import now
from db.engine import Session, add, read, write
from db.events import Cause, Event, add_event, list_events
from db.statuses import EventKind, RunStatus
from db.studies import Study
from db.tables import PREDICTION, RUN, RunRow, columns_of, texts_in

RunKind = Literal["naive", "model"]
PUBLISHED: Final = "published_prompts"
"""The key among a run's settings under which stands whence its words are, where they are those of a task's authors."""
PredictionStatus = Literal["ok", "unparsable", "refused", "truncated", "error"]
_BY_KEY = select(RUN).where(RUN.c.id == bindparam("run"))
_NEWEST_FIRST = select(RUN).order_by(RUN.c.id.desc())
_KEPT = _NEWEST_FIRST.where(RUN.c.status.not_in(("deleted", "submitted")))
_SUBMITTED = _NEWEST_FIRST.where(RUN.c.status == "submitted")
_HAS_ANSWER = exists().where(PREDICTION.c.run_id == RUN.c.id, PREDICTION.c.status != "error").label("has_answer")
_ERRORS = PREDICTION.c.run_id == bindparam("run"), PREDICTION.c.status == "error"
_ERROR = select(PREDICTION.c.id).where(*_ERRORS).limit(1)
_COST_OF_ERRORS = select(func.sum(PREDICTION.c.cost)).where(*_ERRORS)


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
    contact: str = ""


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

    item_id: int
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


_PREDICTED = columns_of(Prediction, PREDICTION)


def create_run(session: Session, *, study: Study, model: str, kind: RunKind, settings: Mapping[str, Any]) -> Run:
    """Store a new run of this process, `running` until `finish_run`."""
    row = RunRow(study_id=study.id, model=model, kind=kind, settings=dict(settings), alive_at=now(), process=process())
    return _stored(session, add(session, row))


def continue_run(session: Session, *, run: Run) -> Run:
    """Return the run, which this process goes on with: its errors are taken away, since they are asked again.

    What they cost stays with the run.
    """
    cost = RUN.c.unanswered_cost + (read(session, _COST_OF_ERRORS, run=run.id).scalar() or 0)
    write(session, delete(PREDICTION).where(*_ERRORS), run=run.id)
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
    rows = [{"run_id": run.id, **vars(prediction)} for prediction in predictions]
    if rows:
        write(session, insert(PREDICTION), rows)


def finish_run(session: Session, *, run: Run, stopped: bool = False) -> Run:
    """Return the run as it ended: `complete`, or `incomplete` where it was stopped or any status is `error`."""
    failed = stopped or read(session, _ERROR, run=run.id).first() is not None
    return _changed(session, run, status="incomplete" if failed else "complete", finished_at=now())


def submit_run(session: Session, *, run: Run, contact: str) -> Run:
    """Return a run that came from outside: nothing lists it before it is accepted."""
    return _changed(session, run, status="submitted", contact=contact)


def submitted_runs(session: Session, *, study: Study) -> list[Run]:
    """Return the runs from outside that wait to be accepted, the newest first."""
    return [Run(*row) for row in read(session, _SUBMITTED.where(RUN.c.study_id == study.id))]


def list_runs(session: Session, *, study: Study) -> list[Run]:
    """Return the runs of a study that are not deleted and do not wait to be accepted, the newest first."""
    return [Run(*row) for row in read(session, _KEPT.where(RUN.c.study_id == study.id))]


def every_run(session: Session, *, study: Study) -> list[Run]:
    """Return the runs of a study, the newest first, with those whose predictions were deleted."""
    of_study = RUN.c.study_id == study.id, RUN.c.status != "submitted"
    return [Run(*row) for row in read(session, _NEWEST_FIRST.where(*of_study))]


def answered_runs(session: Session, *, study: Study | None = None, model: str | None = None) -> list[AnsweredRun]:
    """Return the runs of a study or a model or all, the newest first, and which of them have an answer."""
    statement = _KEPT.add_columns(_HAS_ANSWER)
    if study is not None:
        statement = statement.where(RUN.c.study_id == study.id)
    if model is not None:
        statement = statement.where(RUN.c.model == model)
    return [AnsweredRun(Run(*run), bool(has_answer)) for *run, has_answer in read(session, statement)]


def _changed(session: Session, run: Run, **values: object) -> Run:
    write(session, update(RUN).where(RUN.c.id == run.id).values(**values))
    return _stored(session, run.id)


def _stored(session: Session, key: int) -> Run:
    return Run(*read(session, _BY_KEY, run=key).one())


ItemSample = tuple[int, int]
"""An item's key and a sample."""


@dataclass
class RunTotals:
    """What a run came to so far: its predictions by status, those taken from earlier replies, tokens and money paid.

    The money is that of all attempts, also of those that no prediction tells of.
    `seconds` is what a reply that was asked for took on average, None where none was; `reasoning_tokens` are those of
    the completions that were thinking; `wordless` counts the replies that ended at the limit of tokens before a word.
    """

    statuses: dict[str, int]
    cached: int = 0
    cut: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float | None = None
    reasoning_tokens: int = 0
    wordless: int = 0

    @property
    def predictions(self) -> int:
        """How many there are."""
        return sum(self.statuses.values())

    def count(self, prediction: Prediction) -> None:
        """Count one more."""
        self.statuses[prediction.status] = self.statuses.get(prediction.status, 0) + 1
        self.cut += prediction.cut
        self.cost += prediction.cost or 0
        self.wordless += prediction.status == "truncated" and not prediction.raw.strip()
        if prediction.cached:
            self.cached += 1
        else:
            self.prompt_tokens += prediction.prompt_tokens or 0
            self.completion_tokens += prediction.completion_tokens or 0
            self.reasoning_tokens += prediction.reasoning_tokens or 0


WORDLESS = (PREDICTION.c.status == "truncated") & (func.trim(PREDICTION.c.raw) == "")
"""A reply that ended at the limit of tokens with nothing to show for it."""
_READ_ANEW = (
    update(PREDICTION)
    .where(PREDICTION.c.id == bindparam("row"))
    .values(label=bindparam("read"), status=bindparam("found"))
)


def totals(session: Session, *, run: Run) -> RunTotals:
    """Return the sums over all that is stored of a run; what came from earlier replies was not paid again."""
    return totals_of(session, runs=[run])[run.id]


def totals_of(session: Session, *, runs: Sequence[Run]) -> dict[int, RunTotals]:
    """Return the sums of each of these runs by its number, in one look."""
    paid = PREDICTION.c.cached.is_(False)
    timed = case((paid, PREDICTION.c.seconds), else_=None)
    statement = (
        select(
            PREDICTION.c.run_id,
            PREDICTION.c.status,
            func.count(),
            func.sum(case((paid, 0), else_=1)),
            func.sum(case((PREDICTION.c.cut, 1), else_=0)),
            func.sum(case((paid, PREDICTION.c.prompt_tokens), else_=0)),
            func.sum(case((paid, PREDICTION.c.completion_tokens), else_=0)),
            func.sum(case((paid, PREDICTION.c.reasoning_tokens), else_=0)),
            func.sum(case((WORDLESS, 1), else_=0)),
            func.count(timed),
            func.sum(PREDICTION.c.cost),
            func.sum(timed),
        )
        .where(PREDICTION.c.run_id.in_([run.id for run in runs]))
        .group_by(PREDICTION.c.run_id, PREDICTION.c.status)
    )
    rows: dict[int, list[Sequence[Any]]] = {run.id: [] for run in runs}
    for number, *by_status in read(session, statement):
        rows[int(number)].append(by_status)
    return {run.id: _summed(rows[run.id], run.unanswered_cost) for run in runs}


def _summed(rows: Sequence[Sequence[Any]], unanswered_cost: float) -> RunTotals:
    cached, cut, prompt, completion, reasoning, wordless, timed = (
        sum(int(row[place] or 0) for row in rows) for place in range(2, 9)
    )
    cost, seconds = (sum(float(row[place] or 0) for row in rows) for place in (9, 10))
    statuses = {str(row[0]): int(row[1]) for row in rows}
    each = seconds / timed if timed else None
    return RunTotals(statuses, cached, cut, prompt, completion, cost + unanswered_cost, each, reasoning, wordless)


def thinking(session: Session, *, runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """Return of each of these runs that has any the tokens of thinking, and all of its replies they are part of."""
    summed = func.sum(PREDICTION.c.reasoning_tokens), func.sum(PREDICTION.c.completion_tokens)
    statement = select(PREDICTION.c.run_id, *summed).where(PREDICTION.c.run_id.in_([run.id for run in runs]))
    rows = read(session, statement.group_by(PREDICTION.c.run_id))
    return {run: (int(part), int(of or 0)) for run, part, of in rows if part}


def wordless(session: Session, *, runs: Sequence[Run]) -> dict[int, int]:
    """Return how many replies of each of these runs ended at the limit of tokens before a word of an answer."""
    of_runs = PREDICTION.c.run_id.in_([run.id for run in runs])
    statement = select(PREDICTION.c.run_id, func.count()).where(of_runs, WORDLESS).group_by(PREDICTION.c.run_id)
    return {int(run): int(number) for run, number in read(session, statement)}


def answered_samples(session: Session, *, run: Run) -> set[ItemSample]:
    """Return the places of a run that have an answer; an error is none."""
    statement = select(PREDICTION.c.item_id, PREDICTION.c.sample)
    answered = read(session, statement.where(PREDICTION.c.run_id == run.id, PREDICTION.c.status != "error"))
    return {(item, sample) for item, sample in answered}


def earlier_replies(session: Session, *, requests: Collection[str], run: Run | None = None) -> dict[str, Prediction]:
    """Return the newest reply to each of these requests that has one, of any run or of `run` alone; never an error."""
    asked = PREDICTION.c.request.in_(texts_in("requests"))
    statement = select(*_PREDICTED).where(asked, PREDICTION.c.status != "error").order_by(PREDICTION.c.id)
    if run is not None:
        statement = statement.where(PREDICTION.c.run_id == run.id)
    rows = read(session, statement, requests=json.dumps(list(requests)))
    replies = (Prediction(*row) for row in rows)
    return {str(reply.request): reply for reply in replies}


def predictions_of(session: Session, *, run: Run) -> list[tuple[int, Prediction]]:
    """Return every prediction of a run with the number of its row."""
    statement = select(PREDICTION.c.id, *_PREDICTED).where(PREDICTION.c.run_id == run.id).order_by(PREDICTION.c.id)
    return [(key, Prediction(*columns)) for key, *columns in read(session, statement)]


def read_anew(session: Session, *, changed: Iterable[tuple[int, str | None, PredictionStatus]]) -> None:
    """Store what replies were read into this time: (row, label, status)."""
    rows = [{"row": row, "read": label, "found": status} for row, label, status in changed]
    if rows:
        write(session, _READ_ANEW, rows)


PINNED: Final = "run_pinned"
UNPINNED: Final = "run_unpinned"
DELETED: Final = "run_deleted"


@dataclass(frozen=True)
class Pin:
    """A run that stands for its model because somebody chose it; `cause` says who, when and why."""

    run: int
    cause: Cause

    def words(self) -> str:
        """Return who pinned the run, when and why."""
        why = f": {self.cause.reason}" if self.cause.reason else ""
        return f"pinned by {self.cause.who} on {self.cause.at:%Y-%m-%d}{why}"


@dataclass(frozen=True)
class DeletedRun:
    """A run whose replies are gone. `paid` has what it came to before: statuses, tokens, cost, currency."""

    run: int
    model: str
    paid: Mapping[str, Any]
    cause: Cause

    def words(self) -> str:
        """Return who deleted the run and why."""
        why = f": {self.cause.reason}" if self.cause.reason else ""
        return f"deleted by {self.cause.who}{why}"


def pin_run(session: Session, *, study: Study, run: Run, cause: Cause) -> None:
    """Let a run stand for its model until it is unpinned or deleted, or another one is pinned after it."""
    _add_run_event(session, study, PINNED, run, cause)


def unpin_run(session: Session, *, study: Study, run: Run, cause: Cause) -> None:
    """Let the rule decide again which run stands for a model."""
    _add_run_event(session, study, UNPINNED, run, cause)


def pins(session: Session, *, study: Study) -> dict[int, Pin]:
    """Return the runs of a study that are pinned, by their numbers, the last one that was pinned first."""
    by_run: dict[int, Pin] = {}
    passed: set[int] = set()
    for event in list_events(session, study=study, most=None, kinds=(PINNED, UNPINNED, DELETED)):
        run = int(event.details["run"])
        if run not in passed and event.kind == PINNED:
            by_run[run] = Pin(run, _cause(event))
        passed.add(run)
    return by_run


def delete_run(session: Session, *, study: Study, run: Run, cause: Cause, currency: str) -> None:
    """Delete the predictions of a run for good; its number stays taken, and what was paid stays with the event."""
    run_totals = totals(session, run=run)
    paid = {
        "statuses": dict(run_totals.statuses),
        "prompt_tokens": run_totals.prompt_tokens,
        "completion_tokens": run_totals.completion_tokens,
        "cost": run_totals.cost,
        "currency": currency,
    }
    write(session, delete(PREDICTION).where(PREDICTION.c.run_id == run.id))
    _changed(session, run, status="deleted", finished_at=now(), contact="")  # its row stays: no other gets its number
    _add_run_event(session, study, DELETED, run, cause, paid)


def accept_run(session: Session, *, study: Study, run: Run, cause: Cause) -> None:
    """Let a run from outside be a run as any other."""
    finish_run(session, run=run)
    _add_run_event(session, study, "run_accepted", run, cause, {})


def deleted_runs(session: Session, *, study: Study) -> list[DeletedRun]:
    """Return the runs of a study that were deleted, the last one first."""
    return [
        DeletedRun(int(event.details["run"]), str(event.details["model"]), event.details, _cause(event))
        for event in list_events(session, study=study, most=None, kinds=(DELETED,))
    ]


def run_numbered(session: Session, *, study: Study, number: int, runs: Iterable[Run] | None = None) -> Run:
    """Return the run of that number; raises UnknownName where there is none, saying so of one that was deleted.

    `runs` are those of the study, where they are read already.
    """
    known = {run.id: run for run in (list_runs(session, study=study) if runs is None else runs)}
    if number in known:
        return known[number]
    gone = next((run for run in deleted_runs(session, study=study) if run.run == number), None)
    raise UnknownName("run", str(number), map(str, known), gone=gone_words([gone] if gone else []))


def gone_words(deleted: Sequence[DeletedRun]) -> str:
    """Return what became of deleted runs of one model and how to have new answers of it; "" for none."""
    runs = "; ".join(f"on {each.cause.at:%Y-%m-%d at %H:%M} UTC run {each.run} was {each.words()}" for each in deleted)
    again = f". Its replies are gone: ask or import {deleted[0].model} again, or name another run" if deleted else ""
    return runs + again


def _add_run_event(
    session: Session, study: Study, kind: EventKind, run: Run, cause: Cause, more: Mapping[str, Any] | None = None
) -> None:
    details = {"run": run.id, "model": run.model, **(more or {})}
    add_event(session, study_id=study.id, kind=kind, cause=cause, details=details)


def _cause(event: Event) -> Cause:
    return Cause(event.who, event.at, event.reason)
