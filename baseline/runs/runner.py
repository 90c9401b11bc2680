"""A model answers the items of a study: its run is estimated, begins or goes on, is asked, and is summed up."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from threading import Event
from typing import Any

from baseline.models.chat.request_settings import sent_of
from baseline.models.reply import Purse
from baseline.models.run_fields import Fact
from baseline.runs.batch_files import refuse_waited_for
from baseline.runs.dispatcher import Dispatcher, Due, Listener, PredictionWriter, looked_up, lookup, questions
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.run_settings import FRESH
from baseline.runs.run_state import SILENCE, refused_words, status_words, under_way, wordless_words
from data.errors import BadSetting
from data.numbers import counted
from db import runs as stored_runs
from db.clock import now
from db.engine import Database, Session, reading, transact
from db.runs import ItemSample, Run, RunTotals


@dataclass(kw_only=True)
class RunSummary(RunTotals):
    """What a run came to, with all that it was before it was cut off and went on.

    `before` answers were there when it went on, which `lasted` so many seconds of the clock. `currency` is None where
    no price is known, and the cost means nothing. `stopped` says in a sentence what ended the run early: the money, or
    somebody. `trouble` is what the last error said, "" where none came since the run began or went on.
    """

    run: Run
    items: int
    lasted: float = 0.0
    before: int = 0
    currency: str | None = None
    stopped: str = ""
    trouble: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --json` prints it."""
        summed = {name: value for name, value in vars(self).items() if name not in ("run", "trouble", "lasted")}
        return {
            "run": self.run.id,
            "model": self.run.model,
            "status": self.run.status,
            **summed,
            "seconds": round(self.lasted, 3),
            "cost": None if self.currency is None else self.cost,
            "currency": self.currency or "",
            "sent": sent_of(self.run.settings),
            "refused": self.run.settings.get(Fact.REFUSED, {}),
            "stopped": self.stopped or None,
            "last_error": self.trouble or None,
        }

    def text(self, *, collected: bool = False) -> str:
        """Return it for a terminal; `collected` says that its replies came out of files of results."""
        answers, items = sum(self.statuses.values()), counted(self.items, "item")
        asked = f"{counted(answers, 'answer')} to {items} read" if collected else f"{items} asked"
        how = f"{items}, nothing was left to ask" if self.before == answers else f"{asked} in {self.lasted:.1f} s"
        lines = [f"{self.run.model}: {how}; {status_words(self.statuses)}"]
        if self.before:
            lines.append(f"run {self.run.id} went on: {self.before} answers were there before")
        if self.cached:
            lines.append(f"{self.cached} answers are earlier replies to the same requests, and cost nothing")
        if self.cut:
            lines.append(f"{self.cut} prompts were too long and were cut")
        if refused := refused_words(self.run.settings.get(Fact.REFUSED, {})):
            lines.append(refused)
        if self.reasoning_tokens:
            lines.append(f"{self.reasoning_tokens} of {self.completion_tokens} tokens of replies were thinking")
        if self.wordless:
            lines.append(wordless_words(self.wordless, self.run.settings))
        if self.currency is not None:
            lines.append(f"cost {self.cost:.4f} {self.currency}")
        if self.stopped:
            lines.append(self.stopped)
        elif self.run.status == "incomplete" and not collected:
            lines.append("the run is incomplete: errors are never scored; run it again")
        if self.trouble:
            lines.append(f"the last error: {self.trouble}")
        return "\n".join(lines)


@dataclass(frozen=True)
class RunEstimate:
    """How many answers a run has, how many are there, how many earlier replies give, and what the rest comes to.

    Tokens of prompts are words x fertility; those of replies are the most that replies may have. Costs are None where
    no price is known: the least is for the prompts alone, the most with the longest replies, thinking and all. `body`
    is the first request as it would be sent, None where none would be.
    """

    answers: int
    answered: int
    cached: int
    requests: int
    cut: int
    prompt_tokens: int
    completion_tokens_at_most: int
    cost_at_least: float | None
    cost_at_most: float | None
    currency: str = ""
    body: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --dry-run --json` prints it."""
        return asdict(self)

    def text(self) -> str:
        """Return it for a terminal."""
        lines = [
            f"answers {self.answers}: {self.answered} are there, {self.cached} come from earlier replies",
            f"requests {self.requests}: about {self.prompt_tokens} tokens of prompts, replies of "
            f"{self.completion_tokens_at_most} tokens at most",
        ]
        if self.cut:
            lines.append(f"{self.cut} prompts are too long and would be cut")
        if self.cost_at_least is None:
            lines.append("cost: no price is known; give a list of prices")
        else:
            lines.append(f"cost: {self.cost_at_least:.4f} to {self.cost_at_most:.4f} {self.currency}")
        if self.body is not None:
            lines.append(f"the first request: {json.dumps(self.body, ensure_ascii=False, indent=1)}")
        return "\n".join(lines)


def estimate(database: Database, planned: PlannedRun) -> RunEstimate:
    """Return what a run would come to; nothing is stored and nothing is sent."""
    model, settings, price = planned.model, planned.settings, planned.price
    earlier = None if settings.fresh else planned.among(planned.runs)
    going_on = earlier if earlier and earlier.status != "complete" else None
    with reading(database) as session:
        done: set[ItemSample] = stored_runs.answered_samples(session, run=going_on) if going_on else set()
        remind(session, planned)
    twice: list[Due] = []
    # A fresh run that goes on looks for earlier replies in itself alone.
    alone = going_on if going_on and going_on.settings.get(FRESH) else None
    find = (lambda _: {}) if settings.fresh else lookup(database, alone)
    all_due = list(looked_up(questions(planned, done), find, twice))
    sent = [due_request.request for due_request in all_due if due_request.request and not due_request.earlier]
    prompt = round(sum(request.prompt.words for request in sent) * settings.fertility)
    most = sum(request.most for request in sent)
    return RunEstimate(
        answers=planned.answers,
        answered=len(done),
        cached=sum(due_request.earlier is not None for due_request in all_due) + len(twice),
        requests=len(sent),
        cut=sum(request.prompt.cut for request in sent),
        prompt_tokens=prompt,
        completion_tokens_at_most=most,
        cost_at_least=price.of(prompt, 0) if price else None,
        cost_at_most=price.of(prompt, most) if price else None,
        currency=price.currency if price else "",
        body=next((model.body(due_request.question) for due_request in all_due), None),
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
        before = stored_runs.totals(session, run=started)
        done = stored_runs.answered_samples(session, run=started) if before.statuses else set()
    planned.model.purse = Purse(planned.price, fertility=settings.fertility, most=settings.max_cost, spent=before.cost)
    writer = PredictionWriter(database, started, planned.answers, progress, before, model=planned.model)
    dispatcher = Dispatcher(planned, writer, stop)
    finished = await dispatcher.ask(done, lookup(database, started if started.settings.get(FRESH) else None))
    if dispatcher.failed:
        raise dispatcher.failed
    summary = _summary(finished, planned, writer.totals, before=len(done))
    stopped = dispatcher.why if writer.missing else ""
    return replace(summary, lasted=writer.seconds, stopped=stopped, trouble=writer.trouble)


def remind(session: Session, planned: PlannedRun) -> None:
    """Tell a model what its earlier runs have found of its server, in any study; errors have found nothing."""
    model, settings = planned.model, planned.settings
    runs = [run.run.settings for run in stored_runs.answered_runs(session, model=model.name) if run.has_answer]
    model.remember(runs, fresh=settings.fresh, samples=settings.samples)


def _ended(database: Database, planned: PlannedRun) -> RunSummary | None:
    """Return what a complete run with these settings came to, None where there is none."""
    with reading(database) as session:
        earlier = planned.among(stored_runs.list_runs(session, study=planned.study))
        if earlier is None or earlier.status != "complete":
            return None
        before = stored_runs.totals(session, run=earlier)
    return _summary(earlier, planned, before, before=before.predictions)


def _begun(session: Session, planned: PlannedRun) -> Run:
    """Return the run to go on with: the newest unfinished one with these settings, else a new one.

    A fresh one is always new, and stays fresh: cut off, it goes on without looking at replies of before. Raises
    BadSetting where the same run is under way just now.
    """
    model, study = planned.model, planned.study
    earlier = None if planned.settings.fresh else planned.among(stored_runs.list_runs(session, study=study))
    if earlier and under_way(earlier):
        raise BadSetting(
            f"run {earlier.id} of {model.name!r} with these settings is under way just now; wait for its end, or stop "
            f"it first (one that was killed elsewhere can go on after {SILENCE.seconds} s)"
        )
    if earlier and earlier.status != "complete":
        before = earlier.settings.get(Fact.RESUMED, [])
        # One that has ended tells what ended it; one whose program is gone was cut off and tells nothing.
        why = earlier.settings.get(Fact.ENDED, "") if earlier.status == "incomplete" else "cut off"
        errors = stored_runs.totals(session, run=earlier).statuses.get("error", 0)
        resumed = {"at": now().isoformat(), "after": why, "errors": errors}
        stored_runs.tell_of_run(session, run=earlier, facts={**model.sent, Fact.RESUMED: [*before, resumed]})
        return stored_runs.continue_run(session, run=earlier)
    settings = {**planned.identity, **planned.also_stored}
    return stored_runs.create_run(session, study=study, model=model.name, kind=model.kind, settings=settings)


def _summary(run: Run, planned: PlannedRun, totals: RunTotals, *, before: int) -> RunSummary:
    currency = planned.price.currency if planned.price else None
    return RunSummary(**vars(totals), run=run, items=len(planned.items), before=before, currency=currency)
