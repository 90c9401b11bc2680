"""Batches: a run writes its requests into files, and its replies are stored out of files of results."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from baseline.models.chat.batch_format import request_line
from baseline.models.chat.batch_replies import BatchModel, BatchResults
from baseline.models.chat.served_model import ServedModel
from baseline.models.providers import BATCHED
from baseline.models.purse import Purse
from baseline.models.run_fields import Fact
from baseline.runs.batch_folder import BatchFolder, keys_of, known_as
from baseline.runs.batch_state import WAITS, folder_of
from baseline.runs.dispatcher import lookup, questions, replies_before
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.prediction_writer import Listener, RunProgress
from baseline.runs.run_summary import RunSummary
from baseline.runs.runner import remind, run
from data.errors import BadSetting
from db.engine import Database, Session, reading, transact
from db.runs import create_run, finish_run, list_runs, tell_of_run
from db.stored_replies import ItemSample, answered_samples, totals

NEXT = "\nnext: download the files beside the run, run them as batches at the provider, and store their results there"
BETWEEN_REPORTS = 0.5
AT_ONCE = 500
"""Questions looked up in one go: nobody waits meanwhile."""


@dataclass(frozen=True)
class BatchesWritten:
    """What was written: so many requests into these files, which cost so much at most, None without a price.

    Of the run's `answers` so many are there (`answered`), are waited for out of files of before (`waiting`), or come
    for nothing when results are collected (`cached`): from earlier replies, or as equal requests. `stopped` says what
    kept the rest from being written.
    """

    answers: int
    answered: int
    waiting: int
    cached: int
    requests: int
    files: tuple[str, ...]
    cost_at_most: float | None = None
    currency: str = ""
    stopped: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --batch --json` prints it."""
        return asdict(self)

    def text(self) -> str:
        """Return it for a terminal."""
        lines = [f"{self.requests} requests written into {', '.join(self.files) or 'no file'}"]
        lines.append(
            f"of {self.answers} answers {self.answered} are there, {self.waiting} are waited for, {self.cached} come "
            "for nothing"
        )
        if self.cost_at_most is not None:
            lines.append(f"cost: {self.cost_at_most:.4f} {self.currency} at most")
        return "\n".join([*lines, self.stopped] if self.stopped else lines)


@dataclass(frozen=True)
class BatchesCollected:
    """What results came to: the run, None where none are there; and lines that repeat a result or are none.

    `unknown` results are of no request that was written into the folder.
    `missing` requests have neither a reply nor a batch that may still give one: the same run writes them again.
    """

    summary: RunSummary | None
    lines: int = 0
    repeated: int = 0
    unread: int = 0
    unknown: int = 0
    missing: int = 0
    waiting: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return it as `run --collect --json` prints it."""
        values = {name: value for name, value in vars(self).items() if name != "summary"}
        return {"run": self.summary.as_dict() if self.summary else None, **values}

    def text(self, again: str = "the same command without --collect") -> str:
        """Return it in words; `again` is how the missing answers are written once more."""
        lines = [self.summary.text(collected=True)] if self.summary else []
        lines += [f"{self.lines} lines of results"]
        lines += [f"{self.repeated} repeat a request; one reply of each counts"] if self.repeated else []
        lines += [f"{self.unread} are no results and were left out"] if self.unread else []
        if self.unknown:
            lines.append(f"{self.unknown} have a custom_id that stands in no file of requests here, and were left out")
        lines += [f"waited for: {', '.join(self.waiting)}"] if self.waiting else []
        lines += [f"{self.missing} answers are missing; write Batch files again ({again})"] if self.missing else []
        return "\n".join(lines)


class _Draft(NamedTuple):
    """A request that may have to be written: its keys, what it may cost at most, and its line."""

    asked_key: str
    keys: tuple[str, ...]
    amount: float
    line: bytes


class _BatchWriting:
    """The lines of requests that are to be written, counted as they are made."""

    def __init__(
        self, database: Database, planned: PlannedRun, folder: BatchFolder, progress: Listener | None = None
    ) -> None:
        self._progress, self._begun, self._reported = progress, time.monotonic(), 0.0
        self.answered = self.waiting = self.cached = self.requests = 0
        self.stopped = ""
        self._database, self._planned, self._model = database, planned, planned.model
        self.cost = 0.0
        # Of a key its hash is enough: where two are alike, once in ten million times, one request is written later.
        self._open = {hash(key) for path in folder.waiting() for key in keys_of(path)}

    def lines(self) -> Iterator[bytes]:
        """Yield the line of each request that nobody has sent."""
        done, spent = self._done()
        settings = self._planned.settings
        purse = Purse(self._planned.price, fertility=settings.fertility, most=settings.max_cost, spent=spent)
        self.answered = len(done)
        written: set[int] = set()
        drafts, find = self._drafts(done, purse), lookup(self._database, None)
        while several := list(islice(drafts, AT_ONCE)):
            earlier = replies_before({question.asked_key: question.keys for question in several}, find)
            self._report()
            for question in several:
                key = hash(question.keys[0])
                if question.asked_key in earlier or key in written:
                    self.cached += 1
                    continue
                enough = purse.set_aside(question.amount)
                if not self._open.isdisjoint(map(hash, question.keys)):
                    self.waiting += 1
                elif not enough:
                    self.stopped = "not all are written: they could cost more than --max-cost"
                else:
                    written.add(key)
                    self.requests += 1
                    self.cost += question.amount
                    yield question.line

    def _report(self) -> None:
        moment = time.monotonic()
        if not self._progress or moment - self._reported < BETWEEN_REPORTS:
            return
        self._reported = moment
        made, total = self.waiting + self.cached + self.requests, self._planned.answers
        rate = made / max(moment - self._begun, 1e-9)
        eta = (total - self.answered - made) / rate if made else None
        self._progress(RunProgress(self.answered + made, total, {}, rate, eta, 0.0, 0))

    def _drafts(self, done: set[ItemSample], purse: Purse) -> Iterator[_Draft]:
        """Yield every request with its line: these are looked up many at a time, and hold less than the questions."""
        model = self._model
        for question in questions(self._planned, done):
            request = question.request
            assert request
            line = request_line(request.key, model.batch_url, model.body(question.question) or {})
            yield _Draft(request.asked_key, request.keys, purse.at_most(request.prompt.words, request.most), line)

    def _done(self) -> tuple[set[ItemSample], float]:
        planned = self._planned
        with reading(self._database) as session:
            remind(session, planned)
            earlier = planned.among(planned.runs)
            return (
                (answered_samples(session, run=earlier), totals(session, run=earlier).cost) if earlier else (set(), 0.0)
            )


def in_batches(several: Sequence[PlannedRun], home: Path, results: Sequence[Path] = ()) -> PlannedRun:
    """Return a run with the folder of its Batch files: where they were written, else one of its own in `home`.

    Files of `results` are copied there, and are to be collected.
    """
    if len(several) > 1:
        raise BadSetting("Batch files hold the requests of one prompt; choose one")
    (planned,) = several
    earlier = planned.among(planned.runs)
    folder = (earlier and folder_of(earlier)) or home / known_as(planned)[:16]
    ready = replace(
        planned, settings=planned.settings.model_copy(update={"batch": folder, "collect": bool(results)}), reuse=True
    )
    batch_folder(ready).take(results)
    return ready


def batch_folder(planned: PlannedRun) -> BatchFolder:
    """Return the folder of a run's batches; raises BadSetting for a run that cannot be asked so."""
    if not planned.settings.batch:
        raise BadSetting("--send and --collect work in a folder of Batch files; name it with --batch")
    if not planned.model.batch_url:
        raise BadSetting(
            f"the requests of {planned.model.name!r} stand in no OpenAI Batch files; {' and '.join(BATCHED)} have "
            "them, and LiteLLM, asked as openai:, passes them on to other providers"
        )
    if planned.settings.fresh:
        raise BadSetting("a batch asks what was not answered yet; leave --fresh out")
    return BatchFolder(planned.settings.batch, planned)


def write_batches(
    database: Database, planned: PlannedRun, folder: BatchFolder, *, progress: Listener | None = None
) -> BatchesWritten:
    """Write the requests of a run that are neither answered nor waited for, and note with it where; nothing is sent."""
    writing = _BatchWriting(database, planned, folder, progress)
    files = folder.write(writing.lines())
    folder.save()
    if writing.requests:
        transact(database, lambda session: _noted(session, planned, folder))
    price = planned.price
    return BatchesWritten(
        answers=planned.answers,
        answered=writing.answered,
        waiting=writing.waiting,
        cached=writing.cached,
        requests=writing.requests,
        files=tuple(path.name for path in files),
        cost_at_most=writing.cost if price else None,
        currency=price.currency if price else "",
        stopped=writing.stopped,
    )


def collect_batches(
    database: Database, planned: PlannedRun, folder: BatchFolder, *, progress: Listener | None = None
) -> BatchesCollected:
    """Store the replies that stand in the folder's files of results; a file of requests that has some has ended.

    What was paid was paid when the batch was run, so no limit of money holds here.
    """
    files = folder.results()
    results = BatchResults(files)
    came = [path for path in folder.waiting() if any(map(results.holds, keys_of(path)))]
    waiting = tuple(path.name for path in folder.waiting() if path not in came)
    summary = None
    lacking = folder.requests() and _answered(database, planned) < planned.answers
    if len(results) or not (waiting or lacking):  # where nothing came, what failed before stays as it is
        assert isinstance(planned.model, ServedModel)
        settings = planned.settings.model_copy(update={"max_cost": None})
        model = BatchModel(planned.model, results)
        summary = run(database, replace(planned, model=model, settings=settings, reuse=True), progress=progress)
    unknown = results.unknown(chain.from_iterable(map(keys_of, folder.requests())))
    results.close()
    for path in came:
        folder.of(path).ended = True
    folder.have_read(files)
    folder.save()
    open_now = sum(1 for path in folder.waiting() for _ in keys_of(path))
    missing = max(0, planned.answers - _answered(database, planned) - open_now)
    return BatchesCollected(summary, results.lines, results.repeated, results.unread, unknown, missing, waiting)


def work_in_batches(database: Database, planned: PlannedRun, progress: Listener) -> str:
    """Write the requests of a run, or collect where its settings say so; return in words what came of it."""
    folder = batch_folder(planned)
    if planned.settings.collect:
        collected = collect_batches(database, planned, folder, progress=progress)
        if collected.lines == collected.unread + collected.unknown + collected.repeated:
            raise BadSetting(
                f"nothing was stored: none of the {collected.lines} lines of these files is a result of this run's "
                "requests; choose the output and error files that the provider made of them"
            )
        said = collected.text("“Go on”, “Estimate”, “Write Batch files”")
    else:
        written = write_batches(database, planned, folder, progress=progress)
        said = written.text() + NEXT * bool(written.files)
    return said.replace("\n", "; ")


def _noted(session: Session, planned: PlannedRun, folder: BatchFolder) -> None:
    facts: dict[str, object] = {Fact.BATCH: str(folder.path.resolve())}
    if earlier := planned.among(list_runs(session, study=planned.study)):
        tell_of_run(session, run=earlier, facts=facts)
        return
    model, settings = planned.model, {**planned.identity, **planned.also_stored, **facts, Fact.ENDED: WAITS}
    made = create_run(session, study=planned.study, model=model.name, kind=model.kind, settings=settings)
    finish_run(session, run=made, stopped=True)


def _answered(database: Database, planned: PlannedRun) -> int:
    with reading(database) as session:
        earlier = planned.among(list_runs(session, study=planned.study))
        return len(answered_samples(session, run=earlier)) if earlier else 0
