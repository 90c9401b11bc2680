"""The writer of predictions: counts them and stores each within a second, from a thread of its own."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event

from baseline.models.chat.refusals import refused_words
from baseline.models.model import Model
from baseline.models.run_fields import Fact
from db.engine import Database, Session, transact
from db.runs import Prediction, Run, RunTotals, add_predictions, charge_unanswered, finish_run, heartbeat, tell_of_run

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
        return RunProgress(
            totals.predictions,
            self.total,
            dict(totals.statuses),
            rate,
            eta,
            self._model.purse.spent,
            totals.cached,
            self.trouble,
            refused,
        )

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
                tell_of_run(session, run=self.run, facts={Fact.ENDED: why})
            return finish_run(session, run=self.run, stopped=stopped)

        return transact(self._database, end)

    def _write(self) -> None:
        while not self._closing.wait(BETWEEN_WRITES):
            self._store()
        self._store()

    def _store(self) -> None:
        facts = self._model.sent
        if facts is not self._sent_stored:
            self._sent_stored = facts
            transact(self._database, lambda session: tell_of_run(session, run=self.run, facts=facts))
        batch = [self._arrived.get() for _ in range(self._arrived.qsize())]
        if batch:
            transact(self._database, lambda session: add_predictions(session, run=self.run, predictions=batch))
            self._stored += len(batch)
        # To a billionth: sums of the same costs in another order differ in their last digits.
        unanswered = round(self._model.purse.spent - self.totals.cost, 9)
        if unanswered != self._unanswered:
            self._unanswered, cost = unanswered, self.run.unanswered_cost + unanswered
            transact(self._database, lambda session: charge_unanswered(session, run=self.run, cost=cost))
        if time.monotonic() - self._beaten > BETWEEN_BEATS:
            self._beaten = time.monotonic()
            transact(self._database, lambda session: heartbeat(session, run=self.run))
