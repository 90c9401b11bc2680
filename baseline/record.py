"""The record of a run: counts its predictions and stores them within a second, from a thread of its own."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event

from db.engine import Database, transact
from db.runs import Prediction, Run, add_predictions, finish_run

Progress = Callable[[int, int], None]
BETWEEN_WRITES = 0.3  # seconds: the longest a reply waits before it is committed
BETWEEN_REPORTS = 0.5


class Record:
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
