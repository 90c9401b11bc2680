"""The settings of a request to a model behind a server, and what servers were found to refuse of it."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, model_validator

from baseline.models.run_fields import PROMPT, REQUEST, SERVER, NoSettings, RunField, Stored
from data.declared import settings_of
from data.errors import BadSetting

LIMIT, RENAMED = "max_tokens", "max_completion_tokens"
SCHEMA = "response_format"
"""The field of a request that holds the JSON schema of the answer."""


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


Structured = Literal["off", "auto", "on"]
MAX_TOKENS = 2048
TEMPERATURE, SEED, EFFORT, TOP_P, STOP = "temperature", "seed", "reasoning_effort", "top_p", "stop"
API_VERSION = "api_version"
NONE = "none"
HOTTEST = 10.0
MOST_PARAMS, LONGEST_PARAM = 32, 10_000
MOST_STOPS, LONGEST_STOP = 16, 200
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
    SCHEMA: "--structured",
    API_VERSION: f"--set {API_VERSION}",
}
"""The fields of a request that the program sets, and the option that says how."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


def temperature_of(given: object) -> float | None:
    """Return the temperature that somebody names: 0 for nothing, None for `none`; raises BadSetting."""
    text = NONE if given is None else str(given).strip().casefold()
    if text == NONE:
        return None
    advice = f"it is a number from 0 to {HOTTEST:g}, or {NONE!r} to send none"
    try:
        heat = float(text.replace(",", ".")) if text else 0
    except ValueError as error:
        raise BadSetting(f"temperature is {text[:40]!r}; {advice}") from error
    if not 0 <= heat <= HOTTEST:
        raise BadSetting(f"temperature is {heat!r}; {advice}")
    # 0.0 and 0 are one temperature, and are to be one request.
    return int(heat) if heat == int(heat) else heat


def params_of(given: object) -> dict[str, Any]:
    """Return the parameters that lines like `top_p=0.9` name, each value as JSON; raises BadSetting."""
    lines = given.splitlines() if isinstance(given, str) else given
    params = dict(lines) if isinstance(lines, Mapping) else _read_lines(lines if isinstance(lines, Iterable) else ())
    if len(params) > MOST_PARAMS:
        raise BadSetting(f"{len(params)} parameters are given, and {MOST_PARAMS} at most are sent")
    return params


def params_text(params: Mapping[str, Any]) -> str:
    """Return parameters as `params_of` reads them, a line each."""
    return "\n".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sorted(params.items()))


def _effort_of(given: str | None) -> str | None:
    if given is not None and not WORD.fullmatch(given):
        raise BadSetting(
            f"reasoning-effort is {given[:40]!r}; it is one word that the server knows, like 'low', 'medium' or 'high'"
        )
    return given


def _temperature_text(heat: float | None) -> str:
    return NONE if heat is None else f"{heat:g}"


def stops_of(given: object) -> tuple[str, ...]:
    r"""Return the texts that end a reply: one on each line, in which \n is a line break; raises BadSetting."""
    lines = given.splitlines() if isinstance(given, str) else given
    texts = [str(line) for line in (lines if isinstance(lines, Iterable) else ()) if line]
    stops = tuple(text.replace("\\n", "\n").replace("\\t", "\t") for text in texts)
    if len(stops) > MOST_STOPS or any(len(stop) > LONGEST_STOP for stop in stops):
        raise BadSetting(
            f"{len(stops)} texts end a reply, the longest of {max(map(len, stops))} characters; give {MOST_STOPS} at "
            f"most, of {LONGEST_STOP} characters at most"
        )
    return stops


def stops_text(stops: Iterable[str]) -> str:
    """Return such texts as `stops_of` reads them."""
    return "\n".join(stop.replace("\n", "\\n").replace("\t", "\\t") for stop in stops)


def _read_lines(lines: Iterable[str]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for line in filter(None, (str(line).strip() for line in lines)):
        name, sign, text = line.partition("=")
        name, text = name.strip(), text.strip()
        if not sign or not NAME.fullmatch(name):
            raise BadSetting(f"{line[:60]!r} is no parameter; write key=value, like top_p=0.9")
        if name in params:
            raise BadSetting(f"the parameter {name!r} is given twice; give it once")
        params[name] = _value(name, text)
    return params


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


def base_url(public: str) -> Any:
    """Return the field of a server's address; `public` is asked where no other one is named."""
    return RunField(SERVER, Stored.DERIVED, option="--base-url", placeholder=public).setting(
        None, "Base URL", "Address of the server; no other is contacted"
    )


class ServerSettings(NoSettings):
    """What every server is asked beside model and messages; `params` go as they are, `wire` is the form of its API.

    `structured` holds replies to the JSON schema of the answer: "on" where the server must take it, "auto" with plain
    text where it does not. It is "off" unless asked for: people are shown the instruction and no schema, a schema
    leaves no room for thinking aloud or for refusing, and the same command would ask different servers differently.
    """

    wire: ClassVar[type[Any]]
    base_url: str | None = None
    max_tokens: int = RunField(REQUEST, Stored.ALWAYS, option="--max-tokens", phrase="{} reply tokens at most").setting(
        MAX_TOKENS, "Maximum reply tokens", "Reasoning included", ge=1, le=10_000_000
    )
    reasoning_effort: Annotated[str | None, AfterValidator(_effort_of)] = RunField(
        REQUEST, option="--reasoning-effort", placeholder="none is sent", phrase="{} effort"
    ).setting(None, "Reasoning effort", "low, medium, high and the like")
    params: Annotated[Mapping[str, Any], BeforeValidator(params_of), PlainSerializer(params_text, when_used="json")] = (
        RunField(
            REQUEST, option="--param", new_row=True, typed=list[str], placeholder="top_k=40", lines=2, phrase="{}"
        ).setting({}, "Other parameters", "One key=value per line, the value as JSON; stored with the run")
    )
    structured: Structured = RunField(PROMPT, option="--structured").setting(
        "off", "Structured output", "A JSON schema, where known"
    )

    @model_validator(mode="after")
    def _owned(self) -> Self:
        """Refuse parameters that the program sets itself, but a temperature where the provider has no setting of it."""
        for name in self.params.keys() & OWNED.keys():
            if name != TEMPERATURE or name in type(self).model_fields:
                option = f" by {OWNED[name]}" if OWNED[name] else ""
                raise BadSetting(f"the program sets {name!r} itself{option}; leave it out of the parameters")
        return self

    @classmethod
    def public(cls) -> str:
        """The base URL of the provider's own server."""
        return settings_of(cls)["base_url"].asked.placeholder


class SamplingSettings(NoSettings):
    """How a reply is drawn; a `temperature` of None sends none."""

    temperature: Annotated[
        float | None, BeforeValidator(temperature_of), PlainSerializer(_temperature_text, when_used="json")
    ] = RunField(
        REQUEST, Stored.ALWAYS, option="--temperature", typed=str, placeholder="0", phrase="temperature {}"
    ).setting(0, "Temperature", "A number, or none to leave it out")
    top_p: float | None = RunField(REQUEST, option="--top-p", placeholder="none is sent", phrase="top-p {}").setting(
        None, "Top-p", "Only the likeliest tokens, up to this total probability", gt=0, le=1
    )


class StopSettings(NoSettings):
    """The texts that end a reply."""

    stop: Annotated[tuple[str, ...], BeforeValidator(stops_of), PlainSerializer(stops_text, when_used="json")] = (
        RunField(
            REQUEST, option="--stop", typed=list[str], placeholder="none are sent", lines=2, phrase="stops at {}"
        ).setting((), "Stop sequences", "One per line; \\n is a line break")
    )
