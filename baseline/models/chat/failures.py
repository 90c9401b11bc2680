"""What a request may fail with, what that means for its question, and when the whole run ends (the circuit breaker)."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz
from typing import Literal

from baseline.models.chat.http_errors import Forbidden, HttpError, NoCompletion, Unreachable
from baseline.models.chat.request_settings import API_VERSION
from baseline.models.model import Stopped

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
Kind = Literal["refused", "limited", "passing", "denied", "final"]


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

    kind: Kind
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
    field, named = (
        refused_field(error, fields),
        named_field(error, {**fields, "model": "model", API_VERSION: API_VERSION}),
    )
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
