"""Pinned runs, which stand for their model, and deleted ones: what people decide about runs, each with an event."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete

from data.errors import UnknownName
from db.engine import Session, write
from db.events import Cause, Event, add_event, list_events
from db.run_tables import PREDICTION
from db.runs import Run, list_runs, set_deleted
from db.statuses import EventKind
from db.stored_replies import totals
from db.studies import Study

PINNED: Final = "run_pinned"
UNPINNED: Final = "run_unpinned"
DELETED: Final = "run_deleted"
_DELETE_PREDICTIONS = delete(PREDICTION)


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
    _stored(session, study, PINNED, run, cause)


def unpin_run(session: Session, *, study: Study, run: Run, cause: Cause) -> None:
    """Let the rule decide again which run stands for a model."""
    _stored(session, study, UNPINNED, run, cause)


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
    write(session, _DELETE_PREDICTIONS.where(PREDICTION.c.run_id == run.id))
    set_deleted(session, run=run)
    _stored(session, study, DELETED, run, cause, paid)


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


def _stored(
    session: Session, study: Study, kind: EventKind, run: Run, cause: Cause, more: Mapping[str, Any] | None = None
) -> None:
    details = {"run": run.id, "model": run.model, **(more or {})}
    add_event(session, study_id=study.id, kind=kind, cause=cause, details=details)


def _cause(event: Event) -> Cause:
    return Cause(event.who, event.at, event.reason)
