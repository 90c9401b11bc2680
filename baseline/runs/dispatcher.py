"""The workers of a run: each takes question after question, and all end together where nothing more is to be had."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

from baseline.models.reply import Reply
from baseline.runs.cost import Purse
from baseline.runs.planned_runs import Due, PlannedRun
from baseline.runs.prediction_writer import PredictionWriter
from data.errors import EtalonError
from data.limits import LONGEST_REPLY
from data.task import Task
from db.items import StoredItem
from db.runs import Prediction

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
A_MOMENT = 0.02
BETWEEN_LOOKS = 0.1
STOPPED = "stopped before its end; the same run again goes on where it stopped"


class Dispatcher:
    """Asks the questions of a run, as many at a time as its settings say.

    Where one of them meets an error that all would meet, it is kept in `failed`; where the money does not reach for the
    next request, `why` says so, and so it does when `stop` was set from another thread. Whatever it is, nothing more is
    sent, and what is under way is waited for: it is paid.
    """

    def __init__(self, planned: PlannedRun, writer: PredictionWriter, purse: Purse, stop: Event | None = None) -> None:
        self.failed: EtalonError | None = None
        self.why = ""
        self._stop = stop
        self._model, self._task, self._writer, self._purse = planned.model, planned.study.task, writer, purse
        self._number = min(planned.settings.concurrency, planned.answers)

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be asked although something is left."""
        return self.failed is not None or bool(self.why)

    async def ask(self, due: Iterator[Due]) -> None:
        """Ask all of these whose replies are to be had, while there is money; raises what is no error of ours."""
        watching = asyncio.create_task(self._watch(self._stop)) if self._stop else None
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._number):
                    group.create_task(self._work(due))
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            if watching:
                watching.cancel()

    async def _watch(self, stop: Event) -> None:
        while not stop.is_set():
            await asyncio.sleep(BETWEEN_LOOKS)
        self.why = self.why or STOPPED
        self._model.halt()

    async def _work(self, due: Iterator[Due]) -> None:
        try:
            while not self.ended and (question := next(due, None)):
                if question.earlier:
                    self._writer.add(taken(self._task, question, question.earlier))
                elif self._model.holds(question.request):
                    await self._answer(question)
                # A model that computes its reply never waits, and would keep the others and Ctrl-C from their turn.
                await asyncio.sleep(0)
        except EtalonError as error:
            # Whoever waited to be sent when the run was stopped is told so with an error, which is none of the run.
            self.failed = self.failed or (None if self.why else error)

    async def _answer(self, due: Due) -> None:
        amount = self._purse.at_most(due.request)
        while not self._purse.set_aside(amount):
            if self.ended:
                return
            if self._purse.idle:
                self.why = _broke(self._purse, amount)
                return
            await asyncio.sleep(A_MOMENT)
        reply = None
        try:
            reply = await self._model.reply(due.question)
        finally:
            cost = self._purse.pay(amount, due.request, reply)
        prediction = read(self._task, due.stored, due.question.sample, reply)
        key = reply.key or (due.request.key if due.request else None)
        self._writer.sent = self._model.sent
        self._writer.add(replace(prediction, request=key, cost=cost))


def _broke(purse: Purse, amount: float) -> str:
    currency = purse.price.currency if purse.price else ""
    return (
        f"stopped at {purse.spent:.4f} {currency}: the next request may cost {amount:.4f} {currency}, and at most "
        f"{purse.most:g} {currency} may be paid; with more than that this run goes on"
    )


def taken(task: Task, due: Due, earlier: Prediction) -> Prediction:
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
    label = task.answer_for(stored.item.fields).heard(reply.text, stored.item.fields) if reply.status == "ok" else None
    return Prediction(
        item_key=stored.key,
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
