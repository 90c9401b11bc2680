"""The questions that a run has still to ask, the workers that ask them, the writer of replies, and reading anew."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from queue import SimpleQueue
from threading import Event
from types import MappingProxyType
from typing import Any, NamedTuple

from baseline.models.model import Model, Question, Request
from baseline.models.reply import A_MOMENT, OverBudget, Reply
from baseline.models.run_fields import Fact
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.run_prompts import asked_so, in_our_numbers, order_asked, read_so, requests_each
from baseline.runs.run_state import refused_words
from data.errors import EtalonError
from data.limits import LONGEST_REPLY
from data.task import PublicItem, Task
from db import runs as stored_runs
from db.engine import Database, Session, reading, transact
from db.items import StoredItem, list_items
from db.runs import ItemSample, Prediction, PredictionStatus, Run, RunTotals
from db.studies import Study

BETWEEN_WRITES = 0.3  # seconds: the longest a reply waits before it is committed
BETWEEN_REPORTS = 0.5
BETWEEN_BEATS = 5.0
LONGEST_TROUBLE = 200  # characters of an error that are told; all of it stands beside the item


@dataclass(frozen=True)
class RunProgress:
    """How far a run is: `done` of `total` replies, those of before it went on included, and their `statuses`.

    `rate` is replies a second since it began or went on, earlier replies to the same requests not counted; `eta` the
    seconds that the rest takes at that rate, None before the first reply. `cost` is what was paid in all, whether or
    not a price is known; `cached` counts the replies that came for nothing. `trouble` is what the last error said,
    `refused` which parameters the server did not take.
    """

    done: int
    total: int
    statuses: Mapping[str, int]
    rate: float
    eta: float | None
    cost: float
    cached: int
    trouble: str = ""
    refused: str = ""

    def text(self, model: str) -> str:
        """Return it in one line."""
        errors = self.statuses.get("error", 0)
        parts = [f"{model}: {self.done} of {self.total} answers", f"{self.rate:.1f} a second"]
        parts += [f"{self.eta:.0f} s to go"] if self.eta else []
        parts += [f"{errors} errors"] if errors else []
        return ", ".join(parts)


Listener = Callable[[RunProgress], None]


class PredictionWriter:
    """Counts the predictions of a run and stores them in batches, from a thread of its own; `before` is counted on.

    `totals` are the sums over all of them. `trouble` is what the last error said, "" where there was none since the run
    began or went on. What the model has learnt of its server is stored with the run before the replies that came of it,
    and what it paid for attempts that no prediction tells of.

    In a thread, because waiting for the disk or for a lock must not hold up the replies that are coming in.
    """

    def __init__(
        self, database: Database, run: Run, total: int, progress: Listener | None, before: RunTotals, *, model: Model
    ) -> None:
        self.total, self.totals = total, before
        self.trouble = ""
        self._model, self._sent_stored, self._unanswered = model, model.sent, 0.0
        self.run = run
        self._database, self._progress = database, progress
        self._begun, self._reported, self._beaten = time.monotonic(), 0.0, time.monotonic()
        self._taken = self._stored = 0
        self._before = before.predictions - before.cached
        self._arrived: SimpleQueue[Prediction] = SimpleQueue()
        self._closing = Event()
        self._pool = ThreadPoolExecutor(1, "predictions")
        self._written = self._pool.submit(self._write)

    @property
    def seconds(self) -> float:
        """The seconds since the run began, or went on."""
        return time.monotonic() - self._begun

    @property
    def missing(self) -> int:
        """How many replies the run still lacks."""
        return self.total - self.totals.predictions

    @property
    def waiting(self) -> bool:
        """Whether something is not stored yet; raises what keeps it from being stored."""
        if self._written.done():
            self._written.result()
        return self._stored < self._taken

    def add(self, prediction: Prediction) -> None:
        """Take a prediction; raises what keeps earlier ones from being stored, so that no more are asked for."""
        if self._written.done():
            self._written.result()
        self._arrived.put(prediction)
        self._taken += 1
        self.totals.count(prediction)
        if prediction.status == "error":
            self.trouble = " ".join(prediction.raw.split())[:LONGEST_TROUBLE]
        moment = time.monotonic()
        if self._progress and (not self.missing or moment - self._reported >= BETWEEN_REPORTS):
            self._reported = moment
            self._progress(self.so_far())

    def so_far(self) -> RunProgress:
        """Return how far the run is."""
        totals = self.totals
        replied = totals.predictions - totals.cached - self._before
        rate = replied / max(self.seconds, 1e-9)
        eta = self.missing / rate if replied > 0 else None
        refused = refused_words(self._model.sent.get(Fact.REFUSED, {}))
        done, statuses, spent = totals.predictions, dict(totals.statuses), self._model.purse.spent
        return RunProgress(done, self.total, statuses, rate, eta, spent, totals.cached, self.trouble, refused)

    def close(self) -> None:
        """Store what is left. Interrupted, it still does: the interpreter waits for the thread."""
        self._closing.set()
        self._pool.shutdown(wait=False)
        self._written.result()

    def finish(self, *, stopped: bool, why: str = "") -> Run:
        """Return the run as it ended; where nothing was answered `why` is kept, or else what the last error said."""
        self.totals.cost = self._model.purse.spent
        why = "" if self.totals.statuses.keys() - {"error"} else why or self.trouble

        def end(session: Session) -> Run:
            if why or Fact.ENDED in self.run.settings:
                stored_runs.tell_of_run(session, run=self.run, facts={Fact.ENDED: why})
            return stored_runs.finish_run(session, run=self.run, stopped=stopped)

        return transact(self._database, end)

    def _write(self) -> None:
        while not self._closing.wait(BETWEEN_WRITES):
            self._store()
        self._store()

    def _store(self) -> None:
        facts = self._model.sent
        if facts is not self._sent_stored:
            self._sent_stored = facts
            transact(self._database, lambda session: stored_runs.tell_of_run(session, run=self.run, facts=facts))
        batch = [self._arrived.get() for _ in range(self._arrived.qsize())]
        if batch:
            transact(
                self._database, lambda session: stored_runs.add_predictions(session, run=self.run, predictions=batch)
            )
            self._stored += len(batch)
        # To a billionth: sums of the same costs in another order differ in their last digits.
        unanswered = round(self._model.purse.spent - self.totals.cost, 9)
        if unanswered != self._unanswered:
            self._unanswered, cost = unanswered, self.run.unanswered_cost + unanswered
            transact(self._database, lambda session: stored_runs.charge_unanswered(session, run=self.run, cost=cost))
        if time.monotonic() - self._beaten > BETWEEN_BEATS:
            self._beaten = time.monotonic()
            transact(self._database, lambda session: stored_runs.heartbeat(session, run=self.run))


UNSTORABLE = re.compile("[\0\ud800-\udfff]")
BETWEEN_LOOKS = 0.1
STOPPED = "stopped before its end; the same run again goes on where it stopped"
AT_ONCE = 16
"""Questions made and looked up in one go: the replies that come in meanwhile wait for as long."""
Lookup = Callable[[Sequence[str]], dict[str, Prediction]]


class Due(NamedTuple):
    """A question that is still to be asked, what it comes to, and what was replied to the very same request before.

    `sample` is its number among the requests of its item, `order` that of the options it shows, () for their own.
    """

    stored: StoredItem
    question: Question
    request: Request | None
    earlier: Prediction | None = None
    sample: int = 0
    order: tuple[str, ...] = ()


def lookup(database: Database, run: Run | None) -> Lookup:
    """Return a function that finds the replies to requests, of all runs or of `run` alone."""

    def replies_to(requests: Sequence[str]) -> dict[str, Prediction]:
        with reading(database) as session:
            return stored_runs.earlier_replies(session, requests=requests, run=run)

    return replies_to


def questions(planned: PlannedRun, done: set[ItemSample]) -> Iterator[Due]:
    """Yield every question whose place is not done, in the order of the items, without looking for replies."""
    samples, each, task = planned.settings.samples, requests_each(planned.identity), planned.study.task
    for stored in planned.items:
        item, asked = stored.item, None
        shown: tuple[str, ...] = ()
        for sample in range(planned.each):
            if (stored.key, sample) in done:
                continue
            order = order_asked(task, item.fields, planned.identity, sample)
            if asked and order == shown:
                asked = asked.again(sample // each)
            else:
                ordered, fields = asked_so(task, item.fields, order)
                public = PublicItem(dict(fields))
                asked = Question(ordered, public, item.id, sample // each, planned.prompt_options, samples)
            shown = order
            yield Due(stored, asked, planned.model.request(asked), sample=sample, order=order)


def looked_up(due: Iterator[Due], find: Lookup, later: list[Due] | None = None) -> Iterator[Due]:
    """Yield questions with the reply of before, a few taken together since each look into the database costs.

    Where `later` is given, a request that was yielded already goes there instead: two equal items are paid for once.
    """
    seen: set[str] = set()
    while several := list(islice(due, AT_ONCE)):
        replies = replies_before(
            {question.request.asked_key: question.request.keys for question in several if question.request}, find
        )
        for question in several:
            asked = question.request.asked_key if question.request else None
            if asked is not None and asked in seen and later is not None:
                later.append(question)
                continue
            if asked is not None and later is not None:
                seen.add(asked)
            earlier = replies.get(asked) if asked else None
            yield question._replace(earlier=earlier) if earlier else question


def replies_before(requests: Mapping[str, Sequence[str]], find: Lookup) -> dict[str, Prediction]:
    """Return the reply to each request that has one: to the very same, else to another form of it.

    `requests` are the keys of each, that of the very same first, by the key it was asked with.
    """
    replies = find([keys[0] for keys in requests.values()]) if requests else {}
    others = [key for same, *rest in requests.values() if same not in replies for key in rest]
    replies |= find(others) if others else {}
    known = requests.items() if replies else ()
    return {
        asked: next(replies[key] for key in keys if key in replies)
        for asked, keys in known
        if not replies.keys().isdisjoint(keys)
    }


class Dispatcher:
    """Asks the questions of a run, as many at a time as its settings say.

    Where one of them meets an error that all would meet, it is kept in `failed`; where the money does not reach for the
    next request, `why` says so, and so it does when `stop` was set from another thread. Whatever it is, nothing more is
    sent, and what is under way is waited for: it is paid.
    """

    def __init__(self, planned: PlannedRun, writer: PredictionWriter, stop: Event | None = None) -> None:
        self.failed: EtalonError | None = None
        self.why = ""
        self._stop = stop
        self._planned, self._writer = planned, writer
        self._model, self._task = planned.model, planned.study.task
        self._number = min(planned.settings.concurrency, planned.answers)

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be asked although something is left."""
        return self.failed is not None or bool(self.why)

    async def ask(self, done: set[ItemSample], find: Lookup) -> Run:
        """Ask all but the places that are `done`, while there is money; return the run as it ended.

        Whatever ends it, what arrived is stored, and the run and the model are closed. Raises what is no error of ours.
        """
        stopped = True
        try:
            with closing(self._writer):
                await self._ask_all(done, find)
            stopped = self._writer.missing > 0
        finally:
            finished = self._writer.finish(stopped=stopped, why=str(self.failed or self.why))
        return finished

    async def _ask_all(self, done: set[ItemSample], find: Lookup) -> None:
        """Ask what is left; of equal requests one is sent, and its reply is the others' when it is stored."""
        watching = asyncio.create_task(self._watch(self._stop)) if self._stop else None
        later: list[Due] = []
        try:
            await self._ask(looked_up(questions(self._planned, done), find, later))
            while later and self._writer.waiting:
                await asyncio.sleep(A_MOMENT)
            await self._ask(looked_up(iter(later), find))
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            if watching:
                watching.cancel()
            await self._model.close()

    async def _ask(self, due: Iterator[Due]) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(self._number):
                group.create_task(self._work(due))

    async def _watch(self, stop: Event) -> None:
        while not stop.is_set():
            await asyncio.sleep(BETWEEN_LOOKS)
        self.why = self.why or STOPPED
        self._model.halt()

    async def _work(self, due: Iterator[Due]) -> None:
        try:
            while not self.ended and (question := next(due, None)):
                if question.earlier:
                    self._writer.add(reused_prediction(self._task, question, question.earlier))
                elif self._model.holds(question.request):
                    await self._answer(question)
                # A model that computes its reply never waits, and would keep the others and Ctrl-C from their turn.
                await asyncio.sleep(0)
        except OverBudget as over:
            self.why = self.why or str(over)
        except EtalonError as error:
            # Whoever waited to be sent when the run was stopped is told so with an error, which is none of the run.
            self.failed = self.failed or (None if self.why else error)
            self._model.halt()

    async def _answer(self, due: Due) -> None:
        reply = await self._model.reply(due.question)
        prediction = read(self._task, due.stored, due.sample, reply, due.question.prompt_options.settings, due.order)
        key = reply.key or (due.request.key if due.request else None)
        self._writer.add(replace(prediction, request=key, cost=reply.cost))


def reused_prediction(task: Task, due: Due, earlier: Prediction) -> Prediction:
    """Return an earlier reply as the prediction of another place: read anew, and for nothing."""
    status = "ok" if earlier.status == "unparsable" else earlier.status
    tokens = (earlier.prompt_tokens, earlier.completion_tokens)
    reply = Reply(earlier.raw, status, earlier.seconds, *tokens, earlier.cut, earlier.reasoning_tokens)
    prediction = read(task, due.stored, due.sample, reply, due.question.prompt_options.settings, due.order)
    return replace(prediction, request=earlier.request, cached=True, cost=0.0)


def read(
    task: Task,
    stored: StoredItem,
    sample: int,
    reply: Reply,
    settings: Mapping[str, Any] = MappingProxyType({}),
    order: tuple[str, ...] = (),
) -> Prediction:
    """Return what is stored of a reply: an `ok` one is parsed into a label, and is `unparsable` where it names none.

    The text is kept as it came, but for NUL and lone surrogates, which databases cannot hold: U+FFFD stands for them,
    and for what is beyond LONGEST_REPLY, which nobody reads.
    """
    said = in_our_numbers(reply.text, settings)
    label = read_so(task, stored.item.fields, order, said) if reply.status == "ok" else None
    return Prediction(
        item_id=stored.key,
        sample=sample,
        raw=UNSTORABLE.sub("\ufffd", reply.text[: LONGEST_REPLY + 1]),
        label=label,
        status="unparsable" if reply.status == "ok" and label is None else reply.status,
        seconds=reply.seconds,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        reasoning_tokens=reply.reasoning_tokens,
        cut=reply.cut,
    )


READ = ("ok", "unparsable")
"""The statuses that come from reading a reply; the others the server gave."""


@dataclass(frozen=True)
class Reread:
    """What reading the replies of a run anew changed."""

    run: Run
    replies: int
    changed: int
    unparsable_before: int
    unparsable: int

    def as_dict(self) -> dict[str, object]:
        """Return it as `rescore --json` prints it."""
        return {**vars(self), "run": self.run.id, "model": self.run.model}

    def text(self) -> str:
        """Return it for a terminal."""
        return (
            f"run {self.run.id}, {self.run.model}: {self.changed} of {self.replies} replies are read differently; "
            f"unparsable {self.unparsable}, before {self.unparsable_before}"
        )


def rescore(session: Session, *, study: Study) -> list[Reread]:
    """Read the stored replies of every run of a study anew; store what is read differently."""
    runs = stored_runs.list_runs(session, study=study)
    items = {stored.key: stored for stored in list_items(session, study=study)}
    return [_reread(session, study.task, items, run) for run in reversed(runs)]


def _reread(session: Session, task: Task, items: dict[int, StoredItem], run: Run) -> Reread:
    stored = [(row, old) for row, old in stored_runs.predictions_of(session, run=run) if old.status in READ]
    changed = list(_changes(task, items, stored, run.settings))
    stored_runs.read_anew(session, changed=changed)
    if changed:
        stored_runs.heartbeat(
            session, run=run
        )  # so that what was computed of its former answers is not taken for the present
    before = sum(old.status == "unparsable" for _, old in stored)
    was = {row: old.status for row, old in stored}
    after = before + sum((status == "unparsable") - (was[row] == "unparsable") for row, _, status in changed)
    return Reread(run, len(stored), len(changed), before, after)


def _changes(
    task: Task, items: dict[int, StoredItem], stored: list[tuple[int, Prediction]], settings: Mapping[str, Any]
) -> Iterator[tuple[int, str | None, PredictionStatus]]:
    for row, old in stored:
        fields = items[old.item_id].item.fields
        order = order_asked(task, fields, settings, old.sample)
        label = read_so(task, fields, order, in_our_numbers(old.raw, settings))
        if label is None and old.label == old.raw:
            continue  # a file stated it, and no reply reads so
        if label != old.label:
            yield row, label, "unparsable" if label is None else "ok"
