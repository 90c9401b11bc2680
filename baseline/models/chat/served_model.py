"""A model behind a server, whatever its API: asked, asked again where that may help, and never faster than it bears."""

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from baseline.models.chat.failures import (
    FAILURES,
    LONGEST_PAUSE,
    LONGEST_REASON,
    CircuitBreaker,
    Failure,
    failure_of,
    reason_of,
    turned_away,
)
from baseline.models.chat.http_errors import HttpError, NoCompletion
from baseline.models.chat.refusals import SCHEMA
from baseline.models.chat.request_builder import Parameters, RequestBuilder, Schemas
from baseline.models.chat.request_pace import RequestPace
from baseline.models.chat.request_settings import SEED, ServerSettings
from baseline.models.chat.transport import Transport
from baseline.models.chat.wire_format import WireFormat
from baseline.models.hosts import host_of, port_of, without_secrets
from baseline.models.model import Kind, Model, ModelContext, Question, Request, Stopped
from baseline.models.purse import Bill, Tokens
from baseline.models.reply import Reply
from baseline.models.run_fields import stored_values
from data.errors import BadSetting

SHORTEST_SECRET = 6  # "EMPTY" and the like are no secrets, and cutting them out would spoil sentences
HIDDEN = "***"
REFUSED_WITHIN = 1.0  # seconds that a refusal takes at most, unlike a reply
NEVER_REFUSED = {"model", "messages", SCHEMA}
"""Fields without which there is no request; that of the schema is looked at by `Schemas`."""


@dataclass(frozen=True)
class Retries:
    """How often and for how long the same is tried again.

    What fails for a while (no connection, no reply within `timeout` seconds, a body that is no reply, 408, 409, 5xx)
    is tried `attempts` times in all, after as long as Retry-After says or else `first_pause` seconds, twice as long
    each time; then it is an `error`. What comes too fast (429) is tried for `patience` seconds, at the pace that the
    server bears.
    """

    timeout: float = 120.0
    attempts: int = 6
    first_pause: float = 0.5
    patience: float = 600.0


AS_USUAL = Retries()


class ServedModel(Model):
    """One model of one server, asked as its provider's settings say and tried again as `retries` says.

    A key or a connection that is refused ends the run where nothing was answered before, and is a failure that passes
    later (`CircuitBreaker`). Only the hosts of the context are asked. Unless the owner has named the host there, or
    `reveal` says that whoever asks may see all, a reason holds nothing of a body that came from outside the public
    internet but an error's message.
    """

    kind: Kind = "model"

    def __init__(self, name: str, settings: ServerSettings, context: ModelContext, retries: Retries = AS_USUAL) -> None:
        self.name, called = name, name.partition(":")[2]
        self.url, self.key = settings.base_url or settings.public(), context.key or "none"
        context.hosts.check(self.url)
        self._reveal = context.reveal or context.hosts.names(self.url)
        self._secret = self.key if len(self.key) >= SHORTEST_SECRET else None
        self._retries = retries
        self._wire: WireFormat = settings.wire(settings)
        if context.seed is not None and not self._wire.seeded and not context.examples:
            raise BadSetting(f"the API of {name.partition(':')[0]!r} takes no seed; leave --seed out")
        parameters = Parameters.of(settings, context.seed, seeded=self._wire.seeded)
        parameters.check()
        seed = {} if context.seed is None else {SEED: context.seed}
        self.settings = {"model": called, **stored_values(settings), **seed, "base_url": without_secrets(self.url)}
        self._longest = parameters.longest
        self._schemas = Schemas(settings.structured)
        self._builder = RequestBuilder(called, self.url, parameters, self._wire, self._schemas)
        self.pace = RequestPace()
        self._breaker = CircuitBreaker(f"{host_of(self.url)}:{port_of(self.url)}", parameters.option)
        address, headers = self._wire.address(self.url, called), self._wire.headers(self.key)
        self._transport = Transport(address, headers, timeout=retries.timeout)
        self._first: asyncio.Event | None = None  # set when what the first request shows of the server is known

    @property
    def sent(self) -> Mapping[str, Any]:
        """What is really sent, and what the server was found to refuse."""
        return self._builder.sent

    def remember(self, runs: Sequence[Mapping[str, Any]], *, fresh: bool = False, samples: int = 1) -> None:
        """Begin with what earlier runs at the same address have found."""
        here = [run for run in runs if run.get("base_url") == self.settings["base_url"]]
        self._builder.remember(here, fresh=fresh, samples=samples)

    @property
    def batch_url(self) -> str:
        """Where the requests of a Batch file go, whatever stands before that at the server's own address."""
        return f"/v1/{self._wire.path}" if self._wire.batched else ""

    def body(self, question: Question) -> Mapping[str, Any]:
        """Return the very request that would be sent."""
        return self._wire.written(self._builder.taken(self._builder.full_body(question)))

    def request(self, question: Question) -> Request:
        """Return what `reply` would send: two requests with one key are the same in every field."""
        return self._builder.request(question)

    async def reply(self, question: Question) -> Reply:
        """Return what the server replied, or `error` with the last reason; raises Stopped where nothing follows.

        The first request goes ahead: what is refused of it is refused once, and not of all that are sent at a time.
        """
        if first := self._first:
            if not first.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(first.wait(), REFUSED_WITHIN)
                first.set()
            return await self._ask(question)
        first = self._first = asyncio.Event()
        try:
            return await self._ask(question)
        finally:
            first.set()

    async def _ask(self, question: Question) -> Reply:
        asked = self._builder.full_body(question)
        sent = self._builder.taken(asked)
        bill = Bill(self.purse, question.prompt.words, self._longest)
        refused_since: float | None = None
        before = latest = 0.0
        failed, pause = 0, self._retries.first_pause
        self._breaker.sending()
        while True:
            reply = await self._tried(sent, bill)
            if isinstance(reply, Reply):
                self._schemas.answered(sent)
                self._breaker.answered()
                key = self._builder.key_of(sent, asked, question.sample) if self._builder.settled else None
                return replace(reply, cut=question.prompt.cut, key=key, cost=bill.total)
            reason, met = reply
            if met.field:
                sent = self._builder.refused(met.field, asked, reason)
                continue
            if other := self._schemas.without_schema(sent, met, reason):
                sent = other
                continue
            self._breaker.failed(met, reason)
            if met.kind == "limited":
                refused_since = refused_since or time.monotonic()
                if (waited := time.monotonic() - refused_since) > self._retries.patience:
                    return Reply(f"{reason} (for {waited:.0f} s)", "error", cost=bill.total)
            elif met.kind in ("refused", "final") or (met.kind == "denied" and not self._breaker.accepted):
                return Reply(reason, "refused" if met.kind == "refused" else "error", cost=bill.total)
            else:
                failed, before, latest = failed + 1, latest, time.monotonic()
            if failed == self._retries.attempts or self._breaker.enough(met, failed):
                self._breaker.given_up(met, reason, before or latest)
                return Reply(f"{reason} (attempt {failed} of {failed})", "error", cost=bill.total)
            await self.pace.rest(pause * random.uniform(0.75, 1) if met.wait is None else met.wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    def replied(self, bill: Bill, status: int, body: bytes) -> Reply:
        """Return the reply that stands in a file of results, `error` with the reason where it is none."""
        taken = body if 200 <= status < 300 else b""
        try:
            if not taken:
                raise HttpError(status, body, "")
            return replace(self._read(taken, 0.0, bill), seconds=None)
        except FAILURES as error:
            self._charge(bill, error, taken, free=True)  # providers bill what a batch completed
            try:
                reason, met = self._explained(error, ())
            except Stopped as stopped:  # of what was sent long ago nothing is left to be stopped
                return Reply(str(stopped), "error")
            return Reply(reason, "refused" if met.kind == "refused" else "error")

    def halt(self) -> None:
        """Send nothing more until `close`."""
        self.pace.halt()

    async def close(self) -> None:
        """Close the connections; another `reply` opens them anew, in the event loop it is then in."""
        self.pace.halted, self._first = False, None
        self._schemas.forget()
        self._breaker.forget()
        await self._transport.close()

    async def _tried(self, sent: dict[str, Any], bill: Bill) -> Reply | tuple[str, Failure]:
        """Return the reply to one attempt, or why there is none and what that means; raises Stopped and OverBudget."""
        async with bill.attempt(self.pace.rest), self.pace.turn() as since:
            started, body = time.perf_counter(), b""
            bill.sent()
            try:
                body = await self._post(sent)
                reply = self._read(body, time.perf_counter() - started, bill)
            except FAILURES as error:
                self._charge(bill, error, body, free=turned_away(error))
                reason, met = self._explained(error, [*(sent.keys() - NEVER_REFUSED)])
                if met.kind == "limited":
                    self.pace.refused(since, wait=met.wait or 0)
                return reason, met
            self.pace.went_well()
            return reply

    def _charge(self, bill: Bill, error: Exception, body: bytes, *, free: bool) -> None:
        """Charge a failed attempt, which is `free` where no `body` of a reply came and its server states nothing."""
        refusal = error.body if isinstance(error, HttpError) else b""
        bill.failed(self._wire.stated(body or refusal), free=free and not body)

    def _explained(self, error: Exception, fields: Sequence[str]) -> tuple[str, Failure]:
        """Return why a request with these fields failed, and what that means; raises Stopped."""
        explanation = self._wire.explained(error) if isinstance(error, HttpError) else error
        bodies = self._reveal or not self._transport.internal
        reason = self._without_key(reason_of(explanation, self._retries.timeout, bodies=bodies))[:LONGEST_REASON]
        return reason, failure_of(explanation, reason, self._wire.named_in_errors(fields))

    async def _post(self, sent: dict[str, Any]) -> bytes:
        """Return the body of a reply, without the key if the server repeats it; raises one of FAILURES."""
        body = await self._transport.post(self._wire.written(sent))
        return body.replace(self._secret.encode(), HIDDEN.encode()) if self._secret else body

    def _read(self, body: bytes, seconds: float, bill: Bill) -> Reply:
        """Return the reply that a body holds, charged; raises NoCompletion with the reason for none, HttpError."""
        try:
            reply = self._wire.read(json.loads(body), seconds)
            bill.answered(Tokens(reply.prompt_tokens, reply.completion_tokens), len(reply.text.split()))
            return reply
        except NoCompletion:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            start = body[:LONGEST_REASON].decode("utf8", "replace")
            raise NoCompletion(f"the body is not {self._wire.reply_is}", repr(start)) from error

    def _without_key(self, text: str) -> str:
        return text.replace(self._secret, HIDDEN) if self._secret else text
