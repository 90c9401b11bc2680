"""What a failed request means: asked too fast, fails for a while or for good, or nothing more is to be had."""

import re
import time
from collections.abc import Mapping
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
