"""A model answers the items of a study: so many questions at a time, every reply stored as soon as it is there."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event

from baseline.runs.cost import Purse
from baseline.runs.dispatcher import Dispatcher
from baseline.runs.planned_runs import Due, PlannedRun
from baseline.runs.prediction_writer import Listener, PredictionWriter
from baseline.runs.resuming import begin, remind, same_run
from baseline.runs.reuse import looked_up, lookup, questions
from baseline.runs.run_settings import FRESH
from db.engine import Database, reading, transact
from db.runs import Run, list_runs
from db.stored_replies import RunTotals, answered_samples, totals

A_MOMENT = 0.02


@dataclass(frozen=True)
class RunSummary:
    """What a run came to, with all that it was before it was cut off and went on.

    `statuses` counts the predictions by status, `cached` those that earlier replies gave for nothing, `cut` those whose
    text did not fit, `before` those that were there when it went on; `seconds` are those of the clock since then.
    Tokens are summed over the replies that were paid for and whose server states them (0 where none does), `cost` is
    None where no price is known. `stopped` says in a sentence what ended the run early: the money, or somebody.
    `trouble` is what the last error said, "" where none came since the run began or went on. Of the tokens of replies
    `reasoning_tokens` were thinking; `wordless` replies ended at the limit of tokens before a word of an answer.
    """

    run: Run
    items: int
    statuses: dict[str, int]
    seconds: float
    prompt_tokens: int
    completion_tokens: int
    cached: int = 0
    cut: int = 0
    before: int = 0
    cost: float | None = None
    currency: str = ""
    stopped: str = ""
    trouble: str = ""
    reasoning_tokens: int = 0
    wordless: int = 0


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

    Raises BadSetting for a run that is under way elsewhere, BadTask where the task has no prompt of that number,
    Stopped where the server answers nothing more.
    """
    model, settings = planned.model, planned.settings
    with reading(database) as session:
        remind(session, model, fresh=settings.fresh, samples=settings.samples)
    identity, answers = planned.identity, planned.answers
    try:
        if planned.reuse and (ended := _ended(database, planned)):
            return ended
        started = transact(
            database,
            lambda session: begin(
                session, study=planned.study, model=model, settings=identity, also_stored=planned.also_stored
            ),
        )
        with reading(database) as session:
            before = totals(session, run=started)
            done = answered_samples(session, run=started) if before.statuses else set()
        writer = PredictionWriter(database, started, answers, progress, before, facts=model.sent)
        purse = Purse(planned.price, fertility=settings.fertility, most=settings.max_cost, spent=before.cost)
        dispatcher = Dispatcher(planned, writer, purse, stop)
        finished = await _asked(dispatcher, questions(planned, done), writer, database)
        summary = _summary(finished, planned, writer.totals(), before=len(done))
    finally:
        await model.close()
    if dispatcher.failed:
        raise dispatcher.failed
    stopped = dispatcher.why if writer.left else ""
    return replace(summary, seconds=writer.seconds, stopped=stopped, trouble=writer.trouble)


def _ended(database: Database, planned: PlannedRun) -> RunSummary | None:
    """Return what a complete run with these settings came to, None where there is none."""
    with reading(database) as session:
        runs = list_runs(session, study=planned.study)
        earlier = same_run(runs, model=planned.model, settings=planned.identity)
        if earlier is None or earlier.status != "complete":
            return None
        before = totals(session, run=earlier)
    return _summary(earlier, planned, before, before=sum(before.statuses.values()))


async def _asked(dispatcher: Dispatcher, due: Iterator[Due], writer: PredictionWriter, database: Database) -> Run:
    """Return the run when everything is asked; whatever ends it, what arrived is stored and the run is closed."""
    find = lookup(database, writer.run if writer.run.settings.get(FRESH) else None)
    stopped = True
    later: list[Due] = []
    try:
        with closing(writer):
            await dispatcher.ask(looked_up(due, find, later))
            while later and writer.waiting:
                await asyncio.sleep(A_MOMENT)
            await dispatcher.ask(looked_up(iter(later), find))
        stopped = writer.left > 0
    finally:
        finished = writer.finish(stopped=stopped, why=str(dispatcher.failed or dispatcher.why))
    return finished


def _summary(run: Run, planned: PlannedRun, sums: RunTotals, *, before: int) -> RunSummary:
    return RunSummary(
        run=run,
        items=len(planned.items),
        statuses=dict(sums.statuses),
        seconds=0.0,
        prompt_tokens=sums.prompt_tokens,
        completion_tokens=sums.completion_tokens,
        reasoning_tokens=sums.reasoning_tokens,
        wordless=sums.wordless,
        cached=sums.cached,
        cut=sums.cut,
        before=before,
        cost=sums.cost if planned.price else None,
        currency=planned.price.currency if planned.price else "",
    )
