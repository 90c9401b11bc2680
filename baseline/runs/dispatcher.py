"""The questions that a run has still to ask, each with the reply of an earlier run, and the workers that ask them."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from threading import Event
from typing import NamedTuple

from baseline.models.model import Question, Request
from baseline.models.purse import A_MOMENT, OverBudget
from baseline.models.reply import Reply
from baseline.runs.planned_runs import PlannedRun
from baseline.runs.prediction_writer import PredictionWriter
from data.errors import EtalonError
from data.limits import LONGEST_REPLY
from data.task import Task
from db.engine import Database, reading
from db.items import StoredItem
from db.runs import ItemSample, Prediction, Run, earlier_replies

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
BETWEEN_LOOKS = 0.1
STOPPED = "stopped before its end; the same run again goes on where it stopped"
AT_ONCE = 16
"""Questions made and looked up in one go: the replies that come in meanwhile wait for as long."""
Lookup = Callable[[Sequence[str]], dict[str, Prediction]]


class Due(NamedTuple):
    """A question that is still to be asked, what it comes to, and what was replied to the very same request before."""

    stored: StoredItem
    question: Question
    request: Request | None
    earlier: Prediction | None = None


def lookup(database: Database, run: Run | None) -> Lookup:
    """Return a function that finds the replies to requests, of all runs or of `run` alone."""

    def replies_to(requests: Sequence[str]) -> dict[str, Prediction]:
        with reading(database) as session:
            return earlier_replies(session, requests=requests, run=run)

    return replies_to


def questions(planned: PlannedRun, done: set[ItemSample]) -> Iterator[Due]:
    """Yield every question whose place is not done, in the order of the items, without looking for replies."""
    samples = planned.settings.samples
    for stored in planned.items:
        item, asked = stored.item, None
        for sample in range(samples):
            if (stored.key, sample) in done:
                continue
            if asked:
                asked = asked.again(sample)
            else:
                asked = Question(planned.study.task, item.public(), item.id, sample, planned.prompt_options, samples)
            yield Due(stored, asked, planned.model.request(asked))


def looked_up(
    due: Iterator[Due], find: Lookup, later: list[Due] | None = None, *, at_once: int = AT_ONCE
) -> Iterator[Due]:
    """Yield questions with the reply of before, a few taken together since each look into the database costs.

    Where `later` is given, a request that was yielded already goes there instead: two equal items are paid for once.
    """
    seen: set[str] = set()
    while several := list(islice(due, at_once)):
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
        prediction = read(self._task, due.stored, due.question.sample, reply)
        key = reply.key or (due.request.key if due.request else None)
        self._writer.add(replace(prediction, request=key, cost=reply.cost))


def reused_prediction(task: Task, due: Due, earlier: Prediction) -> Prediction:
    """Return an earlier reply as the prediction of another place: read anew, and for nothing."""
    status = "ok" if earlier.status == "unparsable" else earlier.status
    tokens = (earlier.prompt_tokens, earlier.completion_tokens)
    reply = Reply(earlier.raw, status, earlier.seconds, *tokens, earlier.cut, earlier.reasoning_tokens)
    prediction = read(task, due.stored, due.question.sample, reply)
    return replace(prediction, request=earlier.request, cached=True, cost=0.0)


def read(task: Task, stored: StoredItem, sample: int, reply: Reply) -> Prediction:
    """Return what is stored of a reply: an `ok` one is parsed into a label, and is `unparsable` where it names none.

    The text is kept as it came, but for NUL and lone surrogates, which databases cannot hold: U+FFFD stands for them,
    and for what is beyond LONGEST_REPLY, which nobody reads.
    """
    label = (
        task.answer_for(stored.item.fields).read_reply(reply.text, stored.item.fields) if reply.status == "ok" else None
    )
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
