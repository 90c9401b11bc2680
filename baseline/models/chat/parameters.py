"""The parameters of a request: the stated defaults, what was asked for, and what the server was found to refuse."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from baseline.models.base import MAX_TOKENS, Stopped
from data.errors import BadSetting

Body = dict[str, Any]
TEMPERATURE, SEED, EFFORT = "temperature", "seed", "reasoning_effort"
LIMIT, RENAMED = "max_tokens", "max_completion_tokens"
SENT, REFUSED = "sent", "refused"
"""Under these names a run keeps what was really sent, and what the server refused: field -> the one in its place."""
NONE = "none"
HOTTEST = 10.0
MOST_PARAMS, LONGEST_PARAM = 32, 10_000
OWNED = {
    "model": "--model",
    "messages": "--prompts",
    "stream": "",
    "stream_options": "",
    "n": "--samples",
    TEMPERATURE: "--temperature",
    LIMIT: "--max-tokens",
    RENAMED: "--max-tokens",
    SEED: "--seed",
    EFFORT: "--reasoning-effort",
    "response_format": "--structured",
}
"""The fields of a request that the program sets, and the option that says how."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


@dataclass(frozen=True)
class Parameters:
    """What is sent beside model and messages; `temperature` None and `seed` None send none, `extra` is sent as it is.

    Where several samples are asked of an item each has its own seed, from 0 on unless `seed` says otherwise. Raises
    BadSetting for what cannot be sent.
    """

    temperature: float | None = 0
    max_tokens: int = MAX_TOKENS
    seed: int | None = None
    reasoning_effort: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        heat = self.temperature
        if heat is not None:
            if not 0 <= heat <= HOTTEST:
                raise BadSetting(
                    f"temperature is {heat!r}; it is a number from 0 to {HOTTEST:g}, or {NONE!r} to send none"
                )
            # 0.0 and 0 are one temperature, and are to be one request.
            object.__setattr__(self, TEMPERATURE, int(heat) if heat == int(heat) else heat)
        if self.max_tokens < 1:
            raise BadSetting(f"max-tokens is {self.max_tokens}; it is a number of tokens from 1 on")
        if self.reasoning_effort is not None and not WORD.fullmatch(self.reasoning_effort):
            raise BadSetting(
                f"reasoning-effort is {self.reasoning_effort[:40]!r}; it is one word that the server knows, "
                "like 'low', 'medium' or 'high'"
            )
        _check_extra(self.extra)

    @property
    def settings(self) -> Body:
        """What of it is stored with a run and tells it from others; what is not asked for is not there."""
        found: Body = {TEMPERATURE: self.temperature, LIMIT: self.max_tokens}
        found |= {SEED: self.seed} if self.seed is not None else {}
        found |= {EFFORT: self.reasoning_effort} if self.reasoning_effort else {}
        return found | ({"params": dict(self.extra)} if self.extra else {})

    def body(self, *, sample: int = 0, samples: int = 1) -> Body:
        """Return the fields of a request as they are asked for, before any is found to be refused."""
        found: Body = {} if self.temperature is None else {TEMPERATURE: self.temperature}
        found[LIMIT] = self.max_tokens
        if self.seed is not None or samples > 1:
            found[SEED] = (self.seed or 0) + sample
        if self.reasoning_effort:
            found[EFFORT] = self.reasoning_effort
        return found | dict(self.extra)

    @property
    def known_before(self) -> bool:
        """Whether versions before this one could ask the same; they sent a seed with it, always."""
        return self.temperature == 0 and self.seed is None and not self.reasoning_effort and not self.extra


class Refusals:
    """What one server does not take, found out once and from then on sent by nobody.

    `now` is field -> the field that is sent in its place, None for none. The limit of tokens has two names; a
    temperature of 0 and a seed that nobody asked for are left out. For what was asked for nothing else is sent: the run
    ends with a sentence.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.now: Mapping[str, str | None] = {}
        self._parameters = parameters

    def sent(self, body: Mapping[str, Any], refused: Mapping[str, str | None] | None = None) -> Body:
        """Return a request without what is refused, `refused` or all that is known by now."""
        named = self.named(body, refused)
        kept = {name: value for name, value in body.items() if name not in named}
        return kept | {other: body[name] for name, other in named.items() if other}

    def named(self, body: Mapping[str, Any], refused: Mapping[str, str | None] | None = None) -> dict[str, str | None]:
        """Return what is refused of this very request, `refused` or all that is known by now."""
        known = self.now if refused is None else refused
        return {name: other for name, other in known.items() if name in body and self._free(name)}

    def settle(self, name: str, reason: str) -> None:
        """Take note that the server refuses a field by its name; raises Stopped where nothing can take its place."""
        if name == LIMIT:
            self.now = {**self.now, LIMIT: RENAMED}
        elif name in (TEMPERATURE, SEED) and self._free(name):
            self.now = {**self.now, name: None}
        elif name == RENAMED:
            raise Stopped(f"the server takes a limit of tokens neither as {LIMIT} nor as {RENAMED} ({reason})")
        else:
            what = f"the {name}" if name in (TEMPERATURE, SEED) else repr(name)
            way = f" (--{TEMPERATURE} {NONE} sends none)" if name == TEMPERATURE else ""
            raise Stopped(f"the server does not take {what} as asked ({reason}); leave {what} out{way} or give another")

    def _free(self, name: str) -> bool:
        """Return whether a field may be left out or renamed: what was asked for keeps its value."""
        if name == TEMPERATURE:
            return self._parameters.temperature == 0
        return name == LIMIT or (name == SEED and self._parameters.seed is None)


def sent_of(settings: Mapping[str, Any]) -> Body:
    """Return the parameters that were really sent by a run with these settings; {} for one that sent nothing."""
    if SENT in settings or LIMIT not in settings:
        return dict(settings.get(SENT, {}))
    asked = (settings.get(TEMPERATURE), settings[LIMIT], settings.get(SEED), settings.get(EFFORT))
    return Parameters(*asked, settings.get("params") or {}).body(samples=settings.get("samples") or 1)


def found_refused(runs: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return what a server refuses by the settings of its runs, the newest first: who tried a field last tells."""
    found: dict[str, str | None] = {}
    tried: set[str] = set()
    for run in runs:
        refused, sent = run.get(REFUSED, {}), sent_of(run)
        found |= {name: other for name, other in refused.items() if name not in tried}
        tried |= refused.keys() | {name for name, value in sent.items() if name != TEMPERATURE or value == 0}
    return found


def refused_words(refused: Mapping[str, str | None]) -> str:
    """Return what a server refused and what was sent instead, "" for nothing.

    >>> refused_words({"max_tokens": "max_completion_tokens", "temperature": None})
    'the server refused max_tokens and temperature: max_completion_tokens was sent in its place, and no temperature'
    """
    if not refused:
        return ""
    instead = [f"{other} was sent in its place" for other in refused.values() if other]
    instead += [f"no {name}" + ("" if instead else " was sent") for name, other in refused.items() if other is None]
    return f"the server refused {' and '.join(refused)}: {', and '.join(instead)}"


def wordless_words(number: int, settings: Mapping[str, Any]) -> str:
    """Return what became of so many replies that ended before a word, and what to do about it."""
    replies = "1 reply" if number == 1 else f"{number} replies"
    limit = f"the limit of {settings[LIMIT]} tokens" if LIMIT in settings else "the limit of tokens"
    return f"{replies} ended at {limit} before a word of the answer; raise --max-tokens (thinking counts)"


def temperature_of(text: str | None) -> float | None:
    """Return the temperature that an option names: 0 for nothing, None for `none`; raises BadSetting."""
    told = (text or "").strip().casefold()
    if told == NONE:
        return None
    try:
        return float(told.replace(",", ".")) if told else 0
    except ValueError as error:
        raise BadSetting(f"temperature is {told[:40]!r}; it is a number from 0 to {HOTTEST:g}, or {NONE!r}") from error


def params_of(lines: Iterable[str]) -> Body:
    """Return the parameters that lines like `top_p=0.9` name, each value as JSON; raises BadSetting."""
    found: Body = {}
    for line in (line.strip() for line in lines):
        name, sign, text = line.partition("=")
        name, text = name.strip(), text.strip()
        if not sign or not NAME.fullmatch(name):
            raise BadSetting(f"{line[:60]!r} is no parameter; write key=value, like top_p=0.9")
        if name in found:
            raise BadSetting(f"the parameter {name!r} is given twice; give it once")
        found[name] = _value(name, text)
    _check_extra(found)
    return found


def params_text(params: Mapping[str, Any]) -> str:
    """Return parameters as `params_of` reads them, a line each."""
    return "\n".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sorted(params.items()))


def _value(name: str, text: str) -> Any:
    if len(text) > LONGEST_PARAM:
        raise BadSetting(f"the parameter {name!r} has {len(text)} characters; it has {LONGEST_PARAM} at most")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        quoted = json.dumps(text[:40], ensure_ascii=False)
        raise BadSetting(
            f"the value of {name!r} is {text[:40]!r}, which is no JSON; a text stands in quotes: '{name}={quoted}'"
        ) from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _check_extra(extra: Mapping[str, Any]) -> None:
    if len(extra) > MOST_PARAMS:
        raise BadSetting(f"{len(extra)} parameters are given, and {MOST_PARAMS} at most are sent")
    for name in extra.keys() & OWNED.keys():
        option = f" by {OWNED[name]}" if OWNED[name] else ""
        raise BadSetting(f"the program sets {name!r} itself{option}; leave it out of the parameters")
