"""A model answers the items of a study: so many questions at a time, every reply stored as soon as it is there."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Unpack

from baseline.models.base import Model
from baseline.runs.asking import Workers
from baseline.runs.cost import Purse
from baseline.runs.order import Options, Order, items_to_ask
from baseline.runs.record import Listener, Record
from baseline.runs.resuming import FRESH, begin, remind, same_run
from baseline.runs.reuse import Due, looked_up, lookup, questions
from db.engine import Database, reading, transact
from db.items import StoredItem
from db.replies import Totals, answered, totals
from db.runs import Run
from db.studies import Study

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


@dataclass(frozen=True)
class Outside:
    """Who listens to a run, and what stops it from another thread."""

    progress: Listener | None = None
    stop: Event | None = None


def run(
    database: Database,
    *,
    study: Study,
    model: Model,
    progress: Listener | None = None,
    stop: Event | None = None,
    **options: Unpack[Options],
) -> RunSummary:
    """Do `run_model` in an event loop of its own; Ctrl-C ends it as a cancellation does."""
    return asyncio.run(run_model(database, study=study, model=model, progress=progress, stop=stop, **options))


async def run_model(
    database: Database,
    *,
    study: Study,
    model: Model,
    progress: Listener | None = None,
    stop: Event | None = None,
    **options: Unpack[Options],
) -> RunSummary:
    """Ask a model the main items of a study as an `Order` of these options says; store one prediction for each sample.

    A run with the same settings that was cut off goes on, and what was answered is not asked again; errors are. A reply
    that any run got to the very same request is taken instead of another request. Every reply is committed within a
    second of its arrival, so a run that is cancelled or killed keeps what it was told; a cancelled one is `incomplete`.
    `progress` is called with a `Progress`, twice a second at most and at the end. When `stop` is set, from any thread,
    nothing more is sent, what is under way is waited for, and the run is `incomplete` with the reason in `stopped`: the
    same call goes on with it. A run that is complete by then stays so.

    Raises BadSetting for numbers out of range, for a study without main items and for a run that is under way
    elsewhere, BadTask where the task has no prompt of that number, Stopped where the server answers nothing more.
    """
    order = Order(**options)
    with reading(database) as session:
        items = items_to_ask(session, study=study, limit=order.limit)
        remind(session, model, fresh=order.fresh, samples=order.samples)
    settings = order.settings(model, study.task, items)
    # An order without a price is refused before anything is stored.
    purse = Purse(order.price, fertility=order.asking.fertility, most=order.max_cost, model=model.name)
    try:
        if order.reuse and (ended := _ended(database, study, model, settings, items, purse)):
            return ended
        started = transact(
            database,
            lambda session: begin(
                session, study=study, model=model, settings=settings, beside=order.beside(model, study.task)
            ),
        )
        return await _made(database, study, model, order, items, purse, started, Outside(progress, stop))
    finally:
        await model.close()


def _ended(
    database: Database, study: Study, model: Model, settings: Mapping[str, Any], items: list[StoredItem], purse: Purse
) -> RunSummary | None:
    """Return what a complete run with these settings came to, None where there is none."""
    with reading(database) as session:
        found = same_run(session, study=study, model=model, settings=settings)
        if found is None or found.status != "complete":
            return None
        before = totals(session, run=found)
    return _summary(found, items, before, purse, before=sum(before.statuses.values()))


async def _made(
    database: Database,
    study: Study,
    model: Model,
    order: Order,
    items: list[StoredItem],
    purse: Purse,
    started: Run,
    outside: Outside,
) -> RunSummary:
    with reading(database) as session:
        before = totals(session, run=started)
        done = answered(session, run=started) if before.statuses else set()
    purse.spent = before.cost
    record = Record(database, started, len(items) * order.samples, outside.progress, before, found=model.found)
    workers = Workers(model, study.task, record, purse, min(order.concurrency, record.total), outside.stop)
    due = questions(model, study.task, order.asking, items, order.samples, done)
    own = started if started.settings.get(FRESH) else None
    finished = await _asked(workers, due, record, database, own)
    if workers.failed:
        raise workers.failed
    came_to = record.totals()
    summary = _summary(finished, items, came_to, purse, before=len(done))
    stopped = workers.why if record.left else ""
    return replace(summary, seconds=record.seconds, stopped=stopped, trouble=record.trouble)


async def _asked(workers: Workers, due: Iterator[Due], record: Record, database: Database, own: Run | None) -> Run:
    """Return the run when everything is asked; whatever ends it, what arrived is stored and the run is closed."""
    stopped = True
    later: list[Due] = []
    try:
        with closing(record):
            await workers.ask(looked_up(due, lookup(database, own), later))
            while later and record.waiting:
                await asyncio.sleep(A_MOMENT)
            await workers.ask(looked_up(iter(later), lookup(database, own)))
        stopped = workers.ended and record.left > 0
    finally:
        finished = record.finish(stopped=stopped, why=str(workers.failed or workers.why))
    return finished


def _summary(run: Run, items: list[StoredItem], sums: Totals, purse: Purse, *, before: int) -> RunSummary:
    return RunSummary(
        run=run,
        items=len(items),
        statuses=dict(sums.statuses),
        seconds=0.0,
        prompt_tokens=sums.prompt_tokens,
        completion_tokens=sums.completion_tokens,
        reasoning_tokens=sums.reasoning_tokens,
        wordless=sums.wordless,
        cached=sums.cached,
        cut=sums.cut,
        before=before,
        cost=sums.cost if purse.price else None,
        currency=purse.price.currency if purse.price else "",
    )
