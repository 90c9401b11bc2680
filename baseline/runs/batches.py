"""Batches: requests go into files and to the provider, and replies are stored out of files of results."""

import asyncio
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from baseline.models.chat.served_model import ServedModel
from baseline.models.model import Question, Request, Stopped
from baseline.models.providers import BATCHED, batch_service
from baseline.models.reply import KEY_LENGTH, Bill, Purse, Reply
from baseline.models.run_fields import Fact
from baseline.runs.batch_files import WAITS, BatchFolder, folder_of, keys_of, request_line
from baseline.runs.dispatcher import BETWEEN_REPORTS, Listener, RunProgress, lookup, questions, replies_before
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.runner import RunSummary, remind, run
from data.errors import BadFile, BadSetting
from data.limits import GB, LARGEST_RESULTS, LONGEST_LINE, MOST_ROWS
from db.engine import Database, Session, reading, transact
from db.runs import answered_samples, create_run, finish_run, list_runs, tell_of_run, totals

PLACE_BITS = 40
"""A place of a line: the number of its file, and in so many bits behind it where it begins there."""
NEVER_RUN = 0
"""In the place of a status: the request was not run at all, since its batch expired or was cancelled before."""


@dataclass(frozen=True)
class BatchResult:
    """What a line of results says of one request: the status of HTTP and the body that the server would have sent."""

    key: str
    status: int
    body: Any


def read_result(line: bytes) -> BatchResult:
    """Return what a line of results says; raises ValueError for a line that is none.

    OpenAI's output and error files and LiteLLM's have a response, or an error with `code` and `message` alone where
    the request was never run; `vllm run-batch` has a response without a body beside an error.
    """
    try:
        values = json.loads(line)
        key, response, error = values["custom_id"], values.get("response") or {}, values.get("error")
        status, body = response.get("status_code"), response.get("body")
        if body is None:
            body = error if isinstance(error, dict) and "error" in error else {"error": error or {}}
            status = status if isinstance(status, int) and status >= 300 else NEVER_RUN
        if not isinstance(key, str) or type(status) is not int:
            raise ValueError("no custom_id or status")
    except (LookupError, TypeError, AttributeError, RecursionError) as wrong:
        raise ValueError("no line of results") from wrong
    return BatchResult(key, status, body)


class BatchResults:
    """The results of files by the keys of their requests; of each only the place is kept in memory.

    Of several results of one request the first reply counts, else the last error: so it is paid for once. `lines`
    counts all, `repeated` those of requests that had one before, `unread` those that are no results at all.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.lines = self.repeated = self.unread = 0
        self._places: dict[bytes, int] = {}
        self._failed: set[bytes] = set()
        self._files: list[BinaryIO] = []
        for path in paths:
            if path.stat().st_size > LARGEST_RESULTS:
                raise BadFile(f"{path.name}: has more than {LARGEST_RESULTS // GB} GB; split the file of results")
            self._files.append(path.open("rb"))
            self._index(path)

    def __len__(self) -> int:
        return len(self._places)

    def unknown(self, requests: Iterable[str]) -> int:
        """Return how many results are of none of the requests with these keys."""
        return len(self._places.keys() - map(_packed, requests))

    def holds(self, key: str) -> bool:
        """Return whether there is a result of the request of that key."""
        return _packed(key) in self._places

    def result(self, keys: Sequence[str]) -> BatchResult | None:
        """Return the result of the first of these keys that has one."""
        place = next((self._places[packed] for packed in map(_packed, keys) if packed in self._places), None)
        if place is None:
            return None
        file = self._files[place >> PLACE_BITS]
        file.seek(place & ((1 << PLACE_BITS) - 1))
        return read_result(file.readline(LONGEST_LINE))

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()

    def _index(self, path: Path) -> None:
        file, number = self._files[-1], len(self._files) - 1
        place = 0
        for count, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
            if count > MOST_ROWS or len(line) > LONGEST_LINE:
                raise BadFile(
                    f"{path.name}, line {count}: is too long, or one of more than {MOST_ROWS}; split the file"
                )
            if line.strip():
                self._take(line, number << PLACE_BITS | place)
            place += len(line)

    def _take(self, line: bytes, place: int) -> None:
        self.lines += 1
        try:
            result = read_result(line)
        except ValueError:
            self.unread += 1
            return
        key = _packed(result.key)
        known = key in self._places
        self.repeated += known
        if not known or key in self._failed:
            self._places[key] = place
            (self._failed.discard if 200 <= result.status < 300 else self._failed.add)(key)


class BatchModel(ServedModel):
    """A served model that is asked nothing: its replies stand in results, read, paid and known as live ones are."""

    def __init__(self, served: ServedModel, results: BatchResults) -> None:
        vars(self).update(vars(served))
        self._results = results

    def holds(self, request: Request | None) -> bool:
        """Return whether there is a result of a request, in the form that is sent now or in another."""
        return request is not None and any(map(self._results.holds, _keys(request)))

    async def reply(self, question: Question) -> Reply:
        """Return the reply of the results."""
        request = self.request(question)
        result = self._results.result(_keys(request))
        if result is None:
            raise Stopped("the files of results changed while they were read; collect them again")
        bill = Bill(self.purse, question.prompt.words, request.most)
        async with bill.attempt(asyncio.sleep):
            reply = self.replied(bill, result.status, json.dumps(result.body).encode())
        return replace(reply, seconds=None, cut=question.prompt.cut, key=result.key, cost=bill.total)

    async def close(self) -> None:
        """Close the files."""
        self._results.close()
        await super().close()


def _keys(request: Request) -> tuple[str, ...]:
    return (request.key, request.asked_key, *request.others)


def _packed(key: str) -> bytes:
    """Return a key in half of its bytes; one that is none of ours as it is."""
    try:
        return bytes.fromhex(key) if len(key) == KEY_LENGTH else key.encode("utf8", "replace")
    except ValueError:
        return key.encode("utf8", "replace")


NEXT = "\nnext: download the files beside the run, run them as batches at the provider, and store their results there"
AT_ONCE = 500
"""Questions looked up in one go: nobody waits meanwhile."""


@dataclass
class BatchesWritten:
    """What was written: so many requests into these files, which cost so much at most, None without a price.

    Of the run's `answers` so many are there (`answered`), are waited for out of files of before (`waiting`), or come
    for nothing when results are collected (`cached`): from earlier replies, or as equal requests. `stopped` says what
    kept the rest from being written.
    """

    answers: int
    answered: int = 0
    waiting: int = 0
    cached: int = 0
    requests: int = 0
    files: tuple[str, ...] = ()
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
            f"of {self.answers} answers {self.answered} have arrived, {self.waiting} are pending, {self.cached} are "
            "reused free of charge"
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
            lines.append(f"{self.unknown} have a custom_id that no file of requests here has, and were left out")
        lines += [f"waited for: {', '.join(self.waiting)}"] if self.waiting else []
        lines += [f"{self.missing} answers are missing; write Batch files again ({again})"] if self.missing else []
        return "\n".join(lines)


class _Draft(NamedTuple):
    """A request that may have to be written: its keys, what it may cost at most, and its line."""

    asked_key: str
    keys: tuple[str, ...]
    amount: float
    line: bytes


def in_batches(several: Sequence[PlannedRun], home: Path, results: Sequence[Path] = ()) -> PlannedRun:
    """Return a run with the folder of its Batch files: where they were written, else one of its own in `home`.

    Files of `results` are copied there, and are to be collected.
    """
    if len(several) > 1:
        raise BadSetting("Batch files hold the requests of one prompt; choose one")
    (planned,) = several
    earlier = planned.among(planned.runs)
    folder = (earlier and folder_of(earlier)) or home / _known_as(planned)[:16]
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
            f"the requests of {planned.model.name!r} cannot be written as OpenAI Batch files; use "
            f"{' or '.join(BATCHED)}, or LiteLLM as openai: for other providers"
        )
    if planned.settings.fresh:
        raise BadSetting("a batch asks what was not answered yet; leave --fresh out")
    return BatchFolder(planned.settings.batch, _known_as(planned))


def _known_as(planned: PlannedRun) -> str:
    """Return what tells the run of these files from others."""
    parts = [planned.study.name, planned.model.name, planned.identity]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def write_batches(
    database: Database, planned: PlannedRun, folder: BatchFolder, *, progress: Listener | None = None
) -> BatchesWritten:
    """Write the requests of a run that are neither answered nor waited for, and note with it where; nothing is sent."""
    written = BatchesWritten(planned.answers, currency=planned.price.currency if planned.price else "")
    files = folder.write(_lines(database, planned, folder, written, progress))
    written.files = tuple(path.name for path in files)
    folder.save()
    if written.requests:
        transact(database, lambda session: _noted(session, planned, folder))
    return written


def _lines(
    database: Database, planned: PlannedRun, folder: BatchFolder, written: BatchesWritten, progress: Listener | None
) -> Iterator[bytes]:
    """Yield the line of each request that nobody has sent; all are counted in `written`."""
    with reading(database) as session:
        remind(session, planned)
        earlier = planned.among(planned.runs)
        done = answered_samples(session, run=earlier) if earlier else set()
        spent = totals(session, run=earlier).cost if earlier else 0.0
    settings, written.answered, cost = planned.settings, len(done), 0.0
    purse = Purse(planned.price, fertility=settings.fertility, most=settings.max_cost, spent=spent)
    # Of a key its hash is enough: where two are alike, once in ten million times, one request is written later.
    waiting, here = {hash(key) for key in keys_of(folder.waiting())}, set[int]()
    begun, reported = time.monotonic(), 0.0

    def drafts() -> Iterator[_Draft]:
        """Yield every request with its line: these are looked up many at a time, and hold less than the questions."""
        for due in questions(planned, done):
            request = due.request
            assert request
            line = request_line(request.key, planned.model.batch_url, planned.model.body(due.question) or {})
            yield _Draft(request.asked_key, request.keys, purse.at_most(request.prompt.words, request.most), line)

    unwritten, find = drafts(), lookup(database, None)
    while several := list(islice(unwritten, AT_ONCE)):
        replies = replies_before({draft.asked_key: draft.keys for draft in several}, find)
        moment = time.monotonic()
        if progress and moment - reported >= BETWEEN_REPORTS:
            reported, made = moment, written.waiting + written.cached + written.requests
            rate = made / max(moment - begun, 1e-9)
            eta = (planned.answers - len(done) - made) / rate if made else None
            progress(RunProgress(len(done) + made, planned.answers, {}, rate, eta, 0.0, 0))
        for draft in several:
            key = hash(draft.keys[0])
            if draft.asked_key in replies or key in here:
                written.cached += 1
                continue
            enough = purse.set_aside(draft.amount)
            if not waiting.isdisjoint(map(hash, draft.keys)):
                written.waiting += 1
            elif not enough:
                written.stopped = "not all are written: they could cost more than --max-cost"
            else:
                here.add(key)
                written.requests += 1
                cost += draft.amount
                yield draft.line
    written.cost_at_most = cost if planned.price else None


def send_batches(planned: PlannedRun, folder: BatchFolder) -> list[str]:
    """Upload each file of requests that has no batch yet and start its batch; return what was sent, in words."""
    model = planned.model
    assert isinstance(model, ServedModel)

    async def sent() -> list[str]:
        lines: list[str] = []
        async with batch_service(model.url, model.key) as service:
            for path in folder.waiting():
                known, name = folder.of(path), f"{folder.run}/{path.name}"
                if known.batch:
                    continue
                # Where the program ended between the start of a batch and its id, the batch is there and is paid.
                known.batch = await service.find(name) if known.begun else ""
                if not known.batch:
                    known.begun = True
                    folder.save()
                    known.batch = await service.start(path, model.batch_url, name)
                folder.save()
                lines.append(f"{path.name} is batch {known.batch}")
        return lines

    return asyncio.run(sent())


def fetch_results(planned: PlannedRun, folder: BatchFolder) -> list[str]:
    """Fetch the results of the folder's batches that have ended; return in words how all of them stand."""
    model = planned.model
    assert isinstance(model, ServedModel)
    sent = [path for path in folder.waiting() if folder.of(path).batch]

    async def fetched() -> list[str]:
        lines: list[str] = []
        async with batch_service(model.url, model.key) as service:
            for path in sent:
                known = folder.of(path)
                outcome = await service.outcome(known.batch)
                known.state = outcome.state
                why = f" ({outcome.reason})" if outcome.reason else ""
                lines.append(f"{path.name}: batch {known.batch} is {outcome.state}{why}")
                if outcome.ended:
                    for kind, file in outcome.files.items():
                        await service.fetch(file, path.with_name(path.name.replace("requests", kind)))
                    known.ended = True
        return lines

    return asyncio.run(fetched()) if sent else []


def collect_batches(
    database: Database, planned: PlannedRun, folder: BatchFolder, *, progress: Listener | None = None
) -> BatchesCollected:
    """Store the replies that stand in the folder's files of results; a file of requests that has some has ended.

    What was paid was paid when the batch was run, so no limit of money holds here.
    """
    files = folder.results()
    results = BatchResults(files)
    came = [path for path in folder.waiting() if any(map(results.holds, keys_of([path])))]
    waiting = tuple(path.name for path in folder.waiting() if path not in came)
    summary = None
    lacking = folder.requests() and _answered(database, planned) < planned.answers
    if len(results) or not (waiting or lacking):  # where nothing came, what failed before stays as it is
        assert isinstance(planned.model, ServedModel)
        settings = planned.settings.model_copy(update={"max_cost": None})
        model = BatchModel(planned.model, results)
        summary = run(database, replace(planned, model=model, settings=settings, reuse=True), progress=progress)
    unknown = results.unknown(keys_of(folder.requests()))
    results.close()
    for path in came:
        folder.of(path).ended = True
    folder.save(read=files)
    open_now = sum(1 for _ in keys_of(folder.waiting()))
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
