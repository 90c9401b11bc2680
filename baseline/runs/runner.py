"""A model answers the items of a study: its run begins or goes on, is asked, every reply stored at once, summed up."""

import asyncio
from dataclasses import replace
from threading import Event

from baseline.models.purse import Purse
from baseline.models.run_fields import Fact
from baseline.runs.batch_files import refuse_waited_for
from baseline.runs.dispatcher import Dispatcher, lookup
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.prediction_writer import Listener, PredictionWriter
from baseline.runs.run_settings import FRESH
from baseline.runs.run_state import SILENCE, under_way
from baseline.runs.run_summary import RunSummary
from data.errors import BadSetting
from db.clock import now
from db.engine import Database, Session, reading, transact
from db.runs import (
    Run,
    RunTotals,
    answered_runs,
    answered_samples,
    continue_run,
    create_run,
    list_runs,
    tell_of_run,
    totals,
)


def run(
    database: Database, planned: PlannedRun, *, progress: Listener | None = None, stop: Event | None = None
) -> RunSummary:
    """Do `run_model` in an event loop of its own; Ctrl-C ends it as a cancellation does."""
    return asyncio.run(run_model(database, planned, progress=progress, stop=stop))


async def run_model(
    database: Database, planned: PlannedRun, *, progress: Listener | None = None, stop: Event | None = None
) -> RunSummary:
    """Ask a model what is planned; store one prediction for each item and sample.

    A run with the same settings that was cut off goes on, and what was answered is not asked again; errors are. A reply
    that any run got to the very same request is taken instead of another request. Every reply is committed within a
    second of its arrival, so a run that is cancelled or killed keeps what it was told; a cancelled one is `incomplete`.
    `progress` is called with a `RunProgress`, twice a second at most and at the end. When `stop` is set, from any
    thread, nothing more is sent, what is under way is waited for, and the run is `incomplete` with the reason in
    `stopped`: the same call goes on with it. A run that is complete by then stays so.

    Raises BadSetting for a run that is under way elsewhere or waits for results of batches, BadTask where the task has
    no prompt of that number, Stopped where the server answers nothing more.
    """
    settings = planned.settings
    if not (settings.batch or settings.fresh):
        refuse_waited_for(planned.among(planned.runs))
    with reading(database) as session:
        remind(session, planned)
    if planned.reuse and (ended := _ended(database, planned)):
        return ended
    started = transact(database, lambda session: _begun(session, planned))
    with reading(database) as session:
        before = totals(session, run=started)
        done = answered_samples(session, run=started) if before.statuses else set()
    planned.model.purse = Purse(planned.price, fertility=settings.fertility, most=settings.max_cost, spent=before.cost)
    writer = PredictionWriter(database, started, planned.answers, progress, before, model=planned.model)
    dispatcher = Dispatcher(planned, writer, stop)
    finished = await dispatcher.ask(done, lookup(database, started if started.settings.get(FRESH) else None))
    if dispatcher.failed:
        raise dispatcher.failed
    summary = _summary(finished, planned, writer.totals, before=len(done))
    stopped = dispatcher.why if writer.missing else ""
    return replace(summary, seconds=writer.seconds, stopped=stopped, trouble=writer.trouble)


def remind(session: Session, planned: PlannedRun) -> None:
    """Tell a model what its earlier runs have found of its server, in any study; errors have found nothing."""
    model, settings = planned.model, planned.settings
    runs = [run.run.settings for run in answered_runs(session, model=model.name) if run.has_answer]
    model.remember(runs, fresh=settings.fresh, samples=settings.samples)


def _ended(database: Database, planned: PlannedRun) -> RunSummary | None:
    """Return what a complete run with these settings came to, None where there is none."""
    with reading(database) as session:
        earlier = planned.among(list_runs(session, study=planned.study))
        if earlier is None or earlier.status != "complete":
            return None
        before = totals(session, run=earlier)
    return _summary(earlier, planned, before, before=before.predictions)


def _begun(session: Session, planned: PlannedRun) -> Run:
    """Return the run to go on with: the newest unfinished one with these settings, else a new one.

    A fresh one is always new, and stays fresh: cut off, it goes on without looking at replies of before. Raises
    BadSetting where the same run is under way just now.
    """
    model, study = planned.model, planned.study
    earlier = None if planned.settings.fresh else planned.among(list_runs(session, study=study))
    if earlier and under_way(earlier):
        raise BadSetting(
            f"run {earlier.id} of {model.name!r} with these settings is under way just now; wait for its end, or stop "
            f"it first (one that was killed elsewhere can go on after {SILENCE.seconds} s)"
        )
    if earlier and earlier.status != "complete":
        before = earlier.settings.get(Fact.RESUMED, [])
        # One that has ended tells what ended it; one whose program is gone was cut off and tells nothing.
        why = earlier.settings.get(Fact.ENDED, "") if earlier.status == "incomplete" else "cut off"
        resumed = {
            "at": now().isoformat(),
            "after": why,
            "errors": totals(session, run=earlier).statuses.get("error", 0),
        }
        tell_of_run(session, run=earlier, facts={**model.sent, Fact.RESUMED: [*before, resumed]})
        return continue_run(session, run=earlier)
    settings = {**planned.identity, **planned.also_stored}
    return create_run(session, study=study, model=model.name, kind=model.kind, settings=settings)


def _summary(run: Run, planned: PlannedRun, totals: RunTotals, *, before: int) -> RunSummary:
    return RunSummary(
        run=run,
        items=len(planned.items),
        statuses=dict(totals.statuses),
        seconds=0.0,
        prompt_tokens=totals.prompt_tokens,
        completion_tokens=totals.completion_tokens,
        reasoning_tokens=totals.reasoning_tokens,
        wordless=totals.wordless,
        cached=totals.cached,
        cut=totals.cut,
        before=before,
        cost=totals.cost if planned.price else None,
        currency=planned.price.currency if planned.price else "",
    )
