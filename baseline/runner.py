"""A model answers the items of a study: so many questions at a time, every reply stored as soon as it is there."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event

from baseline.models.base import Model, Question, Reply
from baseline.prompts import prompt_hash
from data.errors import BadSetting
from data.task import Task
from db.engine import Database, reading, transact
from db.items import StoredItem, list_items
from db.runs import Prediction, Run, add_predictions, create_run, finish_run
from db.studies import Study

Progress = Callable[[int, int], None]
Questions = Iterator[tuple[StoredItem, int]]
BETWEEN_WRITES = 0.3  # seconds: the longest a reply waits before it is committed
BETWEEN_REPORTS = 0.5
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class RunSummary:
    """What a run came to.

    `statuses` counts the predictions by status, `seconds` are those of the clock, tokens are summed over the replies
    whose server states them (0 where none does).
    """

    run: Run
    items: int
    statuses: dict[str, int]
    seconds: float
    prompt_tokens: int
    completion_tokens: int


def run(
    database: Database,
    *,
    study: Study,
    model: Model,
    limit: int | None = None,
    samples: int = 1,
    concurrency: int = 16,
    progress: Progress | None = None,
) -> RunSummary:
    """Do `run_model` in an event loop of its own; Ctrl-C ends it as a cancellation does."""
    asked = run_model(
        database,
        study=study,
        model=model,
        limit=limit,
        samples=samples,
        concurrency=concurrency,
        progress=progress,
    )
    return asyncio.run(asked)


async def run_model(
    database: Database,
    *,
    study: Study,
    model: Model,
    limit: int | None = None,
    samples: int = 1,
    concurrency: int = 16,
    progress: Progress | None = None,
) -> RunSummary:
    """Ask a model every main item of a study (the first `limit`) `samples` times, and store one prediction for each.

    At most `concurrency` questions are under way. Every reply is committed within a second of its arrival, so a run
    that is cancelled or killed keeps what it was told; a cancelled one is `incomplete`. `progress` is called with the
    number of replies so far and in all, twice a second at most and at the end. Raises BadSetting for numbers below 1
    and for a study without main items.
    """
    for name, number in (("limit", limit), ("samples", samples), ("concurrency", concurrency)):
        if number is not None and number < 1:
            raise BadSetting(f"{name} is {number}; it must be 1 or more")
    with reading(database) as session:
        items = list_items(session, study=study, role="main")[:limit]
    if not items:
        raise BadSetting(f"study {study.name!r} has no main items to ask about; add some first")
    settings = {**model.settings, "prompt": prompt_hash(study.task), "limit": limit, "samples": samples}
    started = transact(
        database,
        lambda session: create_run(session, study=study, model=model.name, kind=model.kind, settings=settings),
    )
    record = _Record(database, started, len(items) * samples, progress)
    questions = ((stored, sample) for stored in items for sample in range(samples))
    try:
        finished = await _asked(model, study.task, questions, record, min(concurrency, record.total))
    finally:
        await model.close()
    return RunSummary(finished, len(items), dict(record.statuses), record.seconds, record.prompt, record.completion)


async def _asked(model: Model, task: Task, questions: Questions, record: "_Record", workers: int) -> Run:
    """Return the run when everything is asked; whatever ends it, what arrived is stored and the run is closed."""
    stopped = True
    try:
        with closing(record):
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(_ask(model, task, questions, record))
        stopped = False
    except ExceptionGroup as several:
        # One is enough, and it is a sentence for the person at the keyboard.
        raise several.exceptions[0] from None
    finally:
        finished = record.finish(stopped=stopped)
    return finished


async def _ask(model: Model, task: Task, questions: Questions, record: "_Record") -> None:
    """Take question after question until none is left; the workers share one iterator."""
    for stored, sample in questions:
        reply = await model.reply(Question(task, stored.item.public(), stored.item.id, sample))
        record.add(read(task, stored, sample, reply))
        # A model that computes its reply never waits, and would keep the others and Ctrl-C from their turn.
        await asyncio.sleep(0)


def read(task: Task, stored: StoredItem, sample: int, reply: Reply) -> Prediction:
    """Return what is stored of a reply: an `ok` one is parsed into a label, and is `unparsable` where it names none.

    The text is kept as it came, but for NUL and lone surrogates, which databases cannot hold: U+FFFD stands for them.
    """
    label = task.answer.parse(reply.text, stored.item.fields) if reply.status == "ok" else None
    return Prediction(
        item_key=stored.key,
        sample=sample,
        raw=UNSTORABLE.sub("\ufffd", reply.text),
        label=label,
        status="unparsable" if reply.status == "ok" and label is None else reply.status,
        seconds=reply.seconds,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
    )


class _Record:
    """Counts the predictions of a run and stores them in batches, from a thread of its own.

    In a thread, because waiting for the disk or for a lock must not hold up the replies that are coming in.
    """

    def __init__(self, database: Database, run: Run, total: int, progress: Progress | None) -> None:
        self.total = total
        self.statuses: Counter[str] = Counter()
        self.prompt = self.completion = 0
        self._database, self._run, self._progress = database, run, progress
        self._begun, self._reported = time.monotonic(), 0.0
        self._arrived: SimpleQueue[Prediction] = SimpleQueue()
        self._closing = Event()
        self._pool = ThreadPoolExecutor(1, "predictions")
        self._written = self._pool.submit(self._write)

    @property
    def seconds(self) -> float:
        """The seconds since the run began."""
        return time.monotonic() - self._begun

    def add(self, prediction: Prediction) -> None:
        """Take a prediction; raises what keeps earlier ones from being stored, so that no more are asked for."""
        if self._written.done():
            self._written.result()
        self._arrived.put(prediction)
        self.statuses[prediction.status] += 1
        self.prompt += prediction.prompt_tokens or 0
        self.completion += prediction.completion_tokens or 0
        done, moment = self.statuses.total(), time.monotonic()
        if self._progress and (done == self.total or moment - self._reported >= BETWEEN_REPORTS):
            self._reported = moment
            self._progress(done, self.total)

    def close(self) -> None:
        """Store what is left. Interrupted, it still does: the interpreter waits for the thread."""
        self._closing.set()
        self._pool.shutdown(wait=False)
        self._written.result()

    def finish(self, *, stopped: bool) -> Run:
        """Return the run as it ended."""
        return transact(self._database, lambda session: finish_run(session, run=self._run, stopped=stopped))

    def _write(self) -> None:
        while not self._closing.wait(BETWEEN_WRITES):
            self._store()
        self._store()

    def _store(self) -> None:
        batch = [self._arrived.get() for _ in range(self._arrived.qsize())]
        if batch:
            transact(self._database, lambda session: add_predictions(session, run=self._run, predictions=batch))
