"""A model behind a server, whatever its API: asked, asked again where that may help, until the whole run is to end."""

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import mktime_tz, parsedate_tz
from typing import Any, Literal

from baseline.models.chat.request_pace import RequestPace
from baseline.models.chat.request_settings import API_VERSION, SEED, Parameters, RequestBuilder, Schemas, ServerSettings
from baseline.models.chat.transport import Transport
from baseline.models.chat.wire_format import SCHEMA, Forbidden, HttpError, NoCompletion, Unreachable, WireFormat
from baseline.models.hosts import host_of, port_of, without_secrets
from baseline.models.model import Kind, Model, ModelContext, Question, Request, Stopped
from baseline.models.reply import Bill, Reply, Tokens
from baseline.models.run_fields import stored_values
from data.errors import BadSetting

LONGEST_PAUSE = 60.0
LONGEST_REASON = 400
FAILURES = (HttpError, OSError, TimeoutError, ValueError)
LIMITED = (429, 529)
"""Too many requests, of one key or of everybody (Anthropic's `overloaded_error`)."""
KEY, DENIED = 401, (401, 403)
TOOK_TOO_LONG = 408
PASSING = (TOOK_TOO_LONG, 409)
USED_UP = {
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance",
    "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded", "enforced_spend_limit_reached", "contract_spend_limit_reached",
}  # fmt: skip
"""The codes of OpenAI's and Anthropic's APIs, and of servers like them, that say that no money or quota is left."""
TURNED_DOWN = {"content_filter", "bio_policy", "misalignment_policy_violation", "invalid_prompt"}
"""The codes with which a filter turns a question down: Azure's, and those of OpenAI's Responses API."""


@dataclass(frozen=True)
class Failure:
    """What kind of failure it was, and the seconds that the server asks to wait, None where it names none.

    `refused`: a content filter turned the question down. `limited`: too many requests at once. `passing`: the same may
    succeed later; `silent` says that nothing came back, `gone` that there was nobody to talk to. `denied`: the key may
    not ask this; `key` says that it is not known at all. `final`: this question will not be answered, others may be;
    `form` says that the server does not take the request as such, so another form of it may do, `field` which of its
    fields it refuses by name, `named` which one it names for another reason, as for a value, `long` that the text is
    too long. `moved`: it is a redirect.
    """

    kind: Literal["refused", "limited", "passing", "denied", "final"]
    wait: float | None = None
    form: bool = False
    gone: bool = False
    silent: bool = False
    key: bool = False
    field: str = ""
    named: str = ""
    long: bool = False
    moved: bool = False


def failure_of(error: Exception, reason: str, fields: Mapping[str, str]) -> Failure:
    """Return what a failure means for a request with these `fields`, by what an error may call them.

    Raises Stopped where no other question would be answered either.
    """
    if isinstance(error, Forbidden):
        raise Stopped(reason)
    if not isinstance(error, HttpError):
        return Failure("passing", gone=isinstance(error, Unreachable), silent=isinstance(error, OSError))
    if error.code in TURNED_DOWN:
        return Failure("refused")
    _stop_where_nothing_follows(error, reason)
    wait = retry_after(error.wait)
    if wait is not None and wait > LONGEST_PAUSE and error.status in LIMITED:
        raise Stopped(f"the server asks to wait {wait:.0f} s ({reason}); go on with this run then")
    if error.status in LIMITED:
        return Failure("limited", wait)
    brief = (wait or 0) <= LONGEST_PAUSE
    if error.status in DENIED and brief:
        return Failure("denied", wait, key=error.status == KEY)
    if (error.status in PASSING or error.status >= 500 or error.moved) and brief:
        return Failure("passing", wait, moved=bool(error.moved))
    field = refused_field(error, fields)
    named = named_field(error, {**fields, "model": "model", API_VERSION: API_VERSION})
    long = TOO_LONG.search(error.message[:LOOKED_AT]) is not None
    return Failure("final", wait, form=error.status in FORM, field=field, named=named, long=long)


def turned_away(error: Exception) -> bool:
    """Return whether a request met nobody, or was refused before any work, so that nothing was paid for it.

    By RFC 9110 a redirect or a status of 4xx is about the request, and 529 is the 429 of a whole service. Not so 408,
    which gateways send when the model behind them took too long, and 5xx, which may come after the work.
    """
    if isinstance(error, HttpError):
        return error.status in LIMITED or (error.status < 500 and error.status != TOOK_TOO_LONG)
    return isinstance(error, Unreachable | Forbidden)


def _stop_where_nothing_follows(error: HttpError, reason: str) -> None:
    reasons = {error.code, error.kind}
    if error.status == 402 or not reasons.isdisjoint(USED_UP):
        raise Stopped(
            f"the quota or the money of this key is used up ({reason}); what was answered is kept: add to it, and "
            "go on with this run"
        )
    if error.status == 404:
        raise Stopped(f"the server has no such model or no such address ({reason}); check the model and the base URL")


def reason_of(error: Exception, timeout: float, *, bodies: bool = True) -> str:
    """Return why a request failed, in one line that is not cut yet; it may still hold what the server repeats.

    Unless `bodies`, nothing of a body is in it but the message of an error in the form of the chat API.
    """
    if isinstance(error, Unreachable | Forbidden):
        text = str(error)
    elif isinstance(error, TimeoutError):
        text = f"no reply within {timeout:g} s"
    elif isinstance(error, HttpError) and error.moved:
        text = f"HTTP {error.status} to {error.moved}" if bodies else f"HTTP {error.status}"
    elif isinstance(error, HttpError):
        status = f"HTTP {error.status}" if error.status else "no reply came of its batch"
        text = f"{status}: {error.message}" if bodies or error.by_a_model else status
    elif isinstance(error, NoCompletion):
        text = f"{error}: {error.got}" if bodies else str(error)
    else:
        text = str(error) or type(error).__name__
    return " ".join(text.split())


def retry_after(header: str) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or as a date; None where it says nothing."""
    try:
        date = parsedate_tz(header)
        wait = max(0.0, mktime_tz(date) - time.time() if date else float(header))
    except (ValueError, OverflowError):
        return None
    return wait if wait == wait else None


FORM = (400, 415, 422)
CODES = ("unsupported_parameter", "unsupported_value", "unknown_parameter")
"""The codes of OpenAI's API; others send the same sentence under codes of their own, or none."""
SAYS_SO = re.compile(
    r"unsupported (?:parameter|value)|unrecognized (?:request )?argument|unknown (?:parameter|argument|field)"
    r"|not (?:supported|permitted)|does(?: not|n't) support|is deprecated|only [\d.]{1,9} is allowed|unknown name"
    r"|cannot both be specified|unexpected fields?\b|only one of",
    re.IGNORECASE,
)
TOO_LONG = re.compile(r"context.(?:length|limit|window)|(?:prompt|input) (?:is )?too long", re.IGNORECASE)
WORDS = re.compile(r"[A-Za-z_]{1,64}")
BEGINS = re.compile(r"([A-Za-z_.-]{1,64}): ")
"""How an error begins that names the field first, as Anthropic's do."""
LOOKED_AT = 1000  # characters of a message


def refused_field(error: HttpError, names: Mapping[str, str]) -> str:
    """Return which of these fields a server refuses by what it may call them, "" for none of them.

    A limit that is too large for one text, or a text that is too long, is no such refusal: another text may do.
    """
    if error.status not in FORM:
        return ""
    known = [error.param] if error.code in CODES and isinstance(error.param, str) else []
    for name in (*error.fields, *known):
        if name in names:
            return names[name]
    text = error.message[:LOOKED_AT]
    if error.code not in CODES and not SAYS_SO.search(text):
        return ""
    # Some write reasoningEffort for reasoning_effort. The first that is named is refused, the next is the advice.
    spelled = {_plain(called): name for called, name in names.items()}
    words = [_plain(word) for word in WORDS.findall(text)]
    # "Thinking level" is thinkingLevel.
    spoken = (joined for word, after in zip(words, [*words[1:], ""], strict=True) for joined in (word, word + after))
    return next((spelled[word] for word in spoken if word in spelled), "")


def named_field(error: HttpError, names: Mapping[str, str]) -> str:
    """Return which of these fields a server names as what is wrong, "" for none: a value of it, say.

    Some name it in their sentence alone: at its beginning, or as no word of prose is written (maxOutputTokens). Of a
    parameter with parts one may be named that was not sent, as what is lacking: `thinking.enabled.budget_tokens: Field
    required` is about thinking.type. A text that is too long for the model is none of that, whatever is named with it:
    another text may do.
    """
    text = error.message[:LOOKED_AT]
    if error.status not in FORM or TOO_LONG.search(text):
        return ""
    begins = BEGINS.match(text)
    written = [word for word in WORDS.findall(text) if "_" in word or not (word.islower() or word.istitle())]
    first = [word for word in (error.param, *(begins.groups() if begins else ())) if isinstance(word, str)]
    beside = {place.partition(".")[0]: name for place, name in names.items() if "." in place}
    known = [names[word] for word in (*first, *written) if word in names]
    known += [beside[root] for word in first if (root := word.partition(".")[0]) in beside]
    return next(iter(known), "")


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


FIRST_LOOKS = 3
FIRST_WAIT = 2.0
"""Where nobody has ever answered, so many attempts or so many seconds are enough: the address is wrong."""
FORBIDDEN = 3
"""So many first answers 403 say that the key may do nothing here; a single one may be of that question alone.

So many that name the same field of the request say that no question will be answered with it.
"""
MALFORMED = 50
"""So many first requests that are refused as such, none for its length, say that all will be, whatever is named."""


class CircuitBreaker:
    """Decides when a failure is that of the whole run: then no other question would be answered either.

    Until the server has replied, a key or a connection that is refused speaks for the run. Later the same is tried
    again like any failure that passes; it ends the run where a question has used up its attempts and nobody was
    answered between its last two, which are the longest apart: what was under way when the server went may still have
    been answered after the first.
    """

    def __init__(self, host: str, option: Callable[[str], str]) -> None:
        self._host, self._option = host, option
        self.forget()

    def forget(self) -> None:
        """Begin anew, as another run does."""
        self._began = self._last_reply = self._answered = 0.0
        self._denied = self._malformed = 0
        self._named: Counter[str] = Counter()

    @property
    def accepted(self) -> bool:
        """Whether the server has replied to a request with this key."""
        return self._answered > 0

    def sending(self) -> None:
        """Take note that a question is about to be sent."""
        self._began = self._began or time.monotonic()

    def answered(self) -> None:
        """Take note of a reply."""
        self._answered = self._last_reply = time.monotonic()

    def failed(self, met: Failure, reason: str) -> None:
        """Take note of a failure; raises Stopped where the first answers say that all will fail alike."""
        if not met.silent:
            self._last_reply = time.monotonic()
        if self.accepted:
            return
        if met.moved:
            raise Stopped(self._redirected(reason))
        self._denied += met.kind == "denied"
        if met.key or self._denied >= FORBIDDEN:
            raise Stopped(f"the server does not accept the key ({reason}); check the API key and what it may do there")
        self._named.update([met.named] if met.named else ())
        if self._named[met.named] >= FORBIDDEN:
            option = self._option(met.named)
            raise Stopped(f"the server does not take {met.named} as it is sent ({reason}); change {option}")
        self._malformed += met.kind == "final" and met.form and not met.long
        if self._malformed >= MALFORMED:
            raise Stopped(
                f"the first {MALFORMED} requests are all refused ({reason}); change what the server does not take, "
                "as a parameter (--param)"
            )

    def enough(self, met: Failure, failed: int) -> bool:
        """Return whether a connection that nobody ever took has been tried often enough."""
        if not met.gone or self._last_reply:
            return False
        return failed >= FIRST_LOOKS or time.monotonic() - self._began >= FIRST_WAIT

    def _redirected(self, reason: str) -> str:
        return (
            f"{self._host} answers with a redirect ({reason}), and none is followed; give the base URL of the server "
            "itself"
        )

    def given_up(self, met: Failure, reason: str, since: float) -> None:
        """Take note of a question that has failed for the last time, and at `since` before it; may raise Stopped."""
        if met.gone and self._last_reply < since:
            more = " any more" if self._last_reply else ""
            raise Stopped(
                f"no answer{more} from {self._host} ({reason}); check that the server runs and the base URL, then "
                "go on with this run"
            )
        if met.moved and self._answered < since:
            raise Stopped(self._redirected(reason))
        if met.key and self._answered < since:
            raise Stopped(f"the server does not accept the key any more ({reason}); check it, then go on with this run")


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
        if self._first:
            await self._first.wait()
            return await self._ask(question)
        first = self._first = asyncio.Event()
        asyncio.get_running_loop().call_later(REFUSED_WITHIN, first.set)
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
            if met.form and (other := self._schemas.without_schema(sent, reason)):
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
            reply = self._wire.reply(json.loads(body), seconds)
            bill.answered(Tokens(reply.prompt_tokens, reply.completion_tokens), len(reply.text.split()))
            return reply
        except NoCompletion:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            start = body[:LONGEST_REASON].decode("utf8", "replace")
            raise NoCompletion(f"the body is not {self._wire.reply_is}", repr(start)) from error

    def _without_key(self, text: str) -> str:
        return text.replace(self._secret, HIDDEN) if self._secret else text
