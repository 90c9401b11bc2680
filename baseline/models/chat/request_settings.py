"""Requests to a server: their settings, the fields these come to, what is refused of them, and the key of each."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, model_validator

from baseline.models.chat.wire_format import SCHEMA, Body, WireFormat
from baseline.models.model import NOTHING_SENT, Question, Request, Stopped
from baseline.models.run_fields import SERVER, Fact, NoSettings, RunField, Stored, asked
from data.declared import settings_of
from data.errors import BadSetting

LIMIT, RENAMED = "max_tokens", "max_completion_tokens"

Structured = Literal["off", "auto", "on"]
MAX_TOKENS = 2048
TEMPERATURE, SEED, EFFORT, TOP_P, STOP = "temperature", "seed", "reasoning_effort", "top_p", "stop"
API_VERSION = "api_version"
NONE = "none"
HOTTEST = 10.0
MOST_PARAMS, LONGEST_PARAM = 32, 10_000
MOST_STOPS, LONGEST_STOP = 16, 200
OWNED = {"model": "--model", "messages": "--prompts", "stream": "", "stream_options": "", "n": "--samples"}
OWNED |= {TEMPERATURE: "--temperature", LIMIT: "--max-tokens", RENAMED: "--max-tokens", SEED: "--seed"}
OWNED |= {EFFORT: "--reasoning-effort", SCHEMA: "--structured", API_VERSION: f"--set {API_VERSION}"}
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
            f"the value of {name!r} is {text[:40]!r}, which is not JSON; put text in quotes: '{name}={quoted}'"
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
    max_tokens: int = asked("max_tokens", MAX_TOKENS, ge=1, le=10_000_000)
    reasoning_effort: Annotated[str | None, AfterValidator(_effort_of)] = asked("reasoning_effort", None)
    params: Annotated[Mapping[str, Any], BeforeValidator(params_of), PlainSerializer(params_text, when_used="json")] = (
        asked("params", {}, typed=list[str])
    )
    structured: Structured = asked("structured", "off")

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
    ] = asked("temperature", 0, typed=str)
    top_p: float | None = asked("top_p", None, gt=0, le=1)


class StopSettings(NoSettings):
    """The texts that end a reply."""

    stop: Annotated[tuple[str, ...], BeforeValidator(stops_of), PlainSerializer(stops_text, when_used="json")] = asked(
        "stop", (), typed=list[str]
    )


FIELDS = (TEMPERATURE, TOP_P, LIMIT, STOP, EFFORT)
"""The settings that are fields of a request, in their order."""


@dataclass(frozen=True)
class Parameters:
    """The fields of a request beside model and messages: the `settings` by their names; a `seed` of None is none.

    Where several samples are asked of an item each has its own seed, from 0 on unless `seed` says otherwise; `seeded`
    says whether the API has one at all.
    """

    settings: Mapping[str, Any]
    seed: int | None = None
    seeded: bool = True

    @staticmethod
    def of(settings: NoSettings | Mapping[str, Any], seed: int | None = None, *, seeded: bool = True) -> "Parameters":
        """Return those of a provider's settings, or those that a stored run was asked with."""
        values = settings if isinstance(settings, Mapping) else dict(settings)
        asked = {name: values[name] for name in (*FIELDS, "params") if values.get(name) not in (None, (), [], {})}
        return Parameters(asked, values.get(SEED) if isinstance(settings, Mapping) else seed, seeded)

    @property
    def longest(self) -> int:
        """The most tokens that a reply may have."""
        return int(self.settings[LIMIT])

    @property
    def heat_is_free(self) -> bool:
        """Whether the temperature is the one that is sent where nothing was asked for."""
        return self.settings.get(TEMPERATURE) == 0

    def option(self, name: str) -> str:
        """Return the option by which a field of the request was said, or would be."""
        own = {**OWNED, **{field: f"--{field.replace('_', '-')}" for field in FIELDS}}
        return own[name] if name in own and name not in self.settings.get("params", {}) else f"--param {name}"

    def check(self) -> None:
        """Refuse (BadSetting) a parameter that is said twice, by its own setting and by its name."""
        for name in self.settings.get("params", {}).keys() & self.settings.keys():
            raise BadSetting(f"{name!r} is given twice, by its own setting and as a parameter; give it once")

    def body(self, *, sample: int = 0, samples: int = 1) -> Body:
        """Return the fields of a request as they are asked for, before any is found to be refused."""
        values = {name: value for name, value in self.settings.items() if name != "params"}
        if self.seeded and (self.seed is not None or samples > 1):
            values[SEED] = (self.seed or 0) + sample
        return values | dict(self.settings.get("params", {}))

    @property
    def known_before(self) -> bool:
        """Whether versions before this one could ask the same; they sent a seed with it, always."""
        return self.heat_is_free and self.seed is None and self.settings.keys() <= {TEMPERATURE, LIMIT}


def sent_of(settings: Mapping[str, Any]) -> Body:
    """Return the parameters that were really sent by a run with these settings; {} for one that sent nothing."""
    if Fact.SENT in settings or LIMIT not in settings:
        return dict(settings.get(Fact.SENT, {}))
    return Parameters.of(settings).body(samples=settings.get("samples") or 1)


def found_refused(runs: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return what a server refuses by the settings of its runs, the newest first: who tried a field last tells."""
    parameters: dict[str, str | None] = {}
    tried: set[str] = set()
    for run in runs:
        refused, sent = run.get(Fact.REFUSED, {}), sent_of(run)
        parameters |= {name: other for name, other in refused.items() if name not in tried}
        tried |= refused.keys() | {name for name, value in sent.items() if name != TEMPERATURE or value == 0}
    return parameters


NOTHING: Mapping[str, str | None] = MappingProxyType({})
_AS_KEY = json.JSONEncoder(ensure_ascii=False, sort_keys=True, check_circular=False).encode


class RequestBuilder:
    """Makes the requests to one model of one server, and the keys by which replies to them are known again.

    A key is a hash of the address, of all that is sent and of the number of the sample. `found` is what is
    stored with a run where the server refuses something: the parameters that are really sent, and what it refuses.
    """

    def __init__(self, called: str, url: str, parameters: Parameters, wire: WireFormat, schemas: "Schemas") -> None:
        self.sent: Mapping[str, Any] = NOTHING_SENT
        self.settled = False
        self._called, self._parameters, self._schemas = called, parameters, schemas
        self._wire, self._known_as = wire, wire.known_as(url, called)
        self._refusals = RefusedFields(parameters, wire.renames)
        self._samples, self._older = 1, False
        self._known: Sequence[Mapping[str, str | None]] = ()

    def remember(self, runs: Sequence[Mapping[str, Any]], *, fresh: bool, samples: int) -> None:
        """Begin a run with what earlier runs of the same model and server have found, the newest first."""
        refusals = [dict(run.get(Fact.REFUSED, NOTHING)) for run in runs]
        self._known = [refused for place, refused in enumerate([*refusals, {}]) if refused not in refusals[:place]]
        self._older = any(SEED in run for run in runs)
        self._samples, self.settled = samples, False
        if fresh:
            self._refusals.known = NOTHING
        elif runs:
            self._refusals.known = found_refused(runs)
        self._note()

    def full_body(self, question: Question) -> Body:
        """Return a request as it is asked for; raises BadTask and BadSetting where the prompt cannot be made."""
        fields = self._parameters.body(sample=question.sample, samples=question.samples)
        return self._schemas.added({"model": self._called, **fields, "messages": question.prompt.messages}, question)

    def taken(self, asked: Body) -> Body:
        """Return a request as the server takes it, as far as that is known by now."""
        return self._schemas.as_taken(self._sent(asked))

    def refused(self, name: str, asked: Body, reason: str) -> Body:
        """Return what to send after the server refused a field by its name; raises Stopped where there is nothing."""
        # Of those that are under way, others may have met it before.
        if name in self.taken(asked):
            self._refusals.add(name, reason)
            self.settled = True
            self._note()
        return self.taken(asked)

    def request(self, question: Question) -> Request:
        """Return the request of a question with all keys under which a reply to it may stand."""
        asked = self.full_body(question)
        first = self._key(asked, question.sample)
        key = self._key(self._sent(asked), question.sample) if self._refusals.known else first
        same = not self._refusals.known and len(self._known) < 2 and not self._older
        others = () if same else tuple(dict.fromkeys(self._others(asked, question)))
        return Request(key, question.prompt, self._parameters.longest, first, others)

    def key_of(self, sent: Body, asked: Body, sample: int) -> str:
        """Return the key of a request that was answered; a schema that was wanted is part of it, taken or not."""
        return self._key(sent | ({SCHEMA: asked[SCHEMA]} if SCHEMA in asked else {}), sample)

    def _others(self, asked: Body, question: Question) -> Iterator[str]:
        """Yield the keys of the same request as other runs sent it, then as versions before this one did."""
        for refused in self._known:
            if refused != self._refusals.known:
                yield self._key(self._refusals.sent(asked, refused), question.sample)
        if self._older and self._parameters.known_before and question.samples == 1:
            yield self._key({**asked, SEED: question.sample}, question.sample)

    def _sent(self, asked: Body) -> Body:
        return self._refusals.sent(asked) if self._refusals.known else asked

    def _key(self, body: Body, sample: int) -> str:
        text = _AS_KEY([self._known_as, self._wire.written(body), sample])
        # A lone surrogate in an item is sent as JSON escapes it; here it only has to tell requests apart.
        return hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()

    def _note(self) -> None:
        asked = self._parameters.body(samples=self._samples)
        refused, sent = self._refusals.named(asked), self._sent(asked)
        self.sent = {Fact.SENT: sent, Fact.REFUSED: refused} if refused else NOTHING_SENT


class RefusedFields:
    """What one server does not take, found out once and from then on sent by nobody.

    `known` is field -> the field that is sent in its place, None for none. The limit of tokens has two names; a
    temperature of 0 and a seed that nobody asked for are left out. For what was asked for nothing else is sent: the run
    ends with a sentence.
    """

    def __init__(self, parameters: Parameters, renames: Mapping[str, str]) -> None:
        self.known: Mapping[str, str | None] = {}
        self._parameters, self._renames = parameters, renames

    def sent(self, body: Mapping[str, Any], refused: Mapping[str, str | None] | None = None) -> Body:
        """Return a request without what is refused, `refused` or all that is known by now."""
        named = self.named(body, refused)
        kept = {name: value for name, value in body.items() if name not in named}
        return kept | {other: body[name] for name, other in named.items() if other}

    def named(self, body: Mapping[str, Any], refused: Mapping[str, str | None] | None = None) -> dict[str, str | None]:
        """Return what is refused of this very request, `refused` or all that is known by now."""
        known = self.known if refused is None else refused
        return {name: other for name, other in known.items() if name in body and self._free(name)}

    def add(self, name: str, reason: str) -> None:
        """Take note that the server refuses a field by its name; raises Stopped where nothing can take its place."""
        if name in self._renames:
            self.known = {**self.known, name: self._renames[name]}
        elif name in (TEMPERATURE, SEED) and self._free(name):
            self.known = {**self.known, name: None}
        elif first := next((one for one, other in self._renames.items() if other == name), ""):
            raise Stopped(f"the server takes a limit of tokens neither as {first} nor as {name} ({reason})")
        else:
            what = f"the {name}" if name in (TEMPERATURE, SEED) else repr(name)
            option = self._parameters.option(name)
            way = f" ({option} {NONE} sends none)" if option == f"--{TEMPERATURE}" else f" ({option})"
            raise Stopped(f"the server does not take {what} as asked ({reason}); leave {what} out{way} or give another")

    def _free(self, name: str) -> bool:
        """Return whether a field may be left out or renamed: what was asked for keeps its value."""
        if name == TEMPERATURE:
            return self._parameters.heat_is_free
        return name in self._renames or (name == SEED and self._parameters.seed is None)


class Schemas:
    """What is known of one server: it takes schemas, or it does not; found out by the first requests of a run.

    A server that takes no schema says so (400, 422); the same question is asked again without one. Where that is
    answered and no schema was ever taken, nothing is sent with one any more. Where others were taken, the fault lies
    with that one schema, and the next question has its own again. A server that ignores the field replies in plain
    text, which answer types read as well.
    """

    def __init__(self, wanted: Structured) -> None:
        self._wanted = wanted
        self._taken = self._plain = False

    def added(self, body: Body, question: Question) -> Body:
        """Return a request with the schema of its answer, if one is wanted; it is what the request is known by."""
        if self._wanted == "off":
            return body
        fields = question.item.fields
        schema = question.task.answer_for(fields).schema(fields)
        return {
            **body,
            SCHEMA: {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}},
        }

    def as_taken(self, body: Body) -> Body:
        """Return the request as this server takes it."""
        return _plain(body) if self._plain else body

    def without_schema(self, sent: Mapping[str, Any], reason: str) -> Body | None:
        """Return what to send in the place of a request whose form is refused, None where it is not for its schema.

        Raises Stopped where the schema is wanted and the server says that it does not take it.
        """
        if SCHEMA not in sent:
            return None
        if self._wanted == "auto":
            return _plain(sent)
        if any(word in reason.casefold() for word in (SCHEMA, "schema", "structured", "format")):
            raise Stopped(f"the server takes no schema of answers ({reason}); set structured output to auto or off")
        return None

    def answered(self, sent: Mapping[str, Any]) -> None:
        """Take note of a reply to what was sent."""
        if SCHEMA in sent:
            self._taken = True
        elif self._wanted == "auto" and not self._taken:
            self._plain = True

    def forget(self) -> None:
        """Forget what was found out: the next run finds it out anew."""
        self._taken = self._plain = False


def _plain(body: Mapping[str, Any]) -> Body:
    return {name: value for name, value in body.items() if name != SCHEMA}
