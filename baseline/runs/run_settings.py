"""The settings of a run, declared once: how much is asked, in what words, for how much money, and whom.

Every provider adds its own (`baseline/models/providers.py`); two may have settings of one name, and each is asked as
its own declaration says. The options of `run`, its `--set`, the form of the page /models and what is stored with a run
are made of them.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny, ValidationError

from baseline.models.chat.request_settings import params_text, stops_text
from baseline.models.prompts import FERTILITY
from baseline.models.provider import Provider
from baseline.models.providers import PROVIDERS, provider_of
from baseline.models.run_fields import (
    MONEY,
    PROMPT,
    SERVER,
    TERMINAL,
    Fact,
    NoSettings,
    Stored,
    asked,
    stored_as,
)
from baseline.runs.run_prompts import language_asked
from data.declared import Setting, settings_of
from data.errors import BadSetting
from data.wording import MODEL_LANGUAGE, english_name, languages
from db.runs import Run

LONGEST_NAME, LONGEST_VALUE, LONGEST_TOLD = 200, 40, 120
WITH_QUERY = (
    "the base URL has a query (?), and none is sent; leave it out: a key has its own place, and Azure is asked without "
    "one below https://NAME.openai.azure.com/openai/v1"
)
Declared = TypeVar("Declared", bound=BaseModel)
OF_STUDY = "study"
LONGEST_TYPED = 20_000  # characters of a text in a field
FRESH = "fresh"
"""The setting that pays for every reply anew; a run that was begun so goes on so."""


Number = Annotated[int, Field(ge=0)]
Variants = Annotated[
    tuple[Number, ...],
    BeforeValidator(lambda given: given.split(",") if isinstance(given, str) else given),
    AfterValidator(lambda numbers: tuple(sorted(set(numbers)))),
]


def _offered_languages() -> dict[str, str]:
    return {OF_STUDY: "as the study says"} | {code: english_name(code) for code in languages()}


class RunSettings(BaseModel):
    """How a run is to be made, and the `own` settings of its model's provider.

    The first `limit` main items are asked `samples` times each, at most `concurrency` at once, in each of the prompts
    that `variants` number. `fresh` pays for every reply anew. No request is sent that could bring what was paid above
    `max_cost`. Prices are those of a million tokens, by themselves or in the list `prices`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    own: SerializeAsAny[NoSettings] = NoSettings()

    limit: int | None = asked("limit", None, ge=1)
    samples: int = asked("samples", 1, ge=1, le=1000)
    concurrency: int = asked("concurrency", 16, ge=1, le=256)
    seed: int | None = asked("seed", None)
    variants: Variants = asked("variants", (0,), typed=list[int])
    model_language: str = asked("model_language", OF_STUDY, choices=_offered_languages)
    order: Literal["published", "drawn"] = asked("order", "published")
    both_orders: bool = asked("both_orders", False)
    shots: int = asked("shots", 0, ge=0, le=100)
    context: int | None = asked("context", None, ge=1)
    system: str = asked("system", "", max_length=LONGEST_TYPED)
    published: Path | None = asked("published", None)
    fertility: float = asked("fertility", FERTILITY, gt=0)
    as_published: bool = asked("as_published", False)
    prompts: Path | None = asked("prompts", None)
    train: Path | None = asked("train", None)
    prices: Path | None = asked("prices", None)
    price_input: float | None = asked("price_input", None, ge=0, allow_inf_nan=False)
    price_output: float | None = asked("price_output", None, ge=0, allow_inf_nan=False)
    currency: str = asked("currency", "USD", max_length=8)
    max_cost: float | None = asked("max_cost", None, ge=0, allow_inf_nan=False)
    fresh: bool = asked("fresh", False)

    batch: Path | None = asked("batch", None)
    send: bool = asked("send", False)
    collect: bool = asked("collect", False)

    @property
    def provider(self) -> Provider:
        """Who answers."""
        return provider_of(self.model)

    def values(self) -> dict[str, Any]:
        """Return every setting by its name, those of the provider too, as a form holds them."""
        plain = self.model_dump(mode="json", exclude={"model", "own"})
        return plain | self.own.model_dump(mode="json")


EACH_ITS_OWN = "each provider's own"
GENERAL = settings_of(RunSettings)
OWN = {provider.name: settings_of(provider.settings) for provider in PROVIDERS.values()}


def settings_for(provider: Provider) -> dict[str, Setting]:
    """Return the settings that mean something to the models of a provider, by their names."""
    unread = () if provider.named else (PROMPT, MONEY)
    return {name: known for name, known in GENERAL.items() if known.asked.group not in unread} | OWN[provider.name]


def setting_key(provider: Provider, name: str) -> str:
    """Return under which key of SETTINGS a setting of a provider stands: its name, unless another provider has that.

    Providers whose settings are declared alike, as by a class that they share, have one together.
    """
    if name not in OWN[provider.name]:
        return name
    having = [other for other, own in OWN.items() if name in own]
    alike = next(other for other in having if _alike(OWN[other][name], OWN[provider.name][name]))
    return name if alike == having[0] else f"{alike}.{name}"


def _alike(one: Setting, other: Setting) -> bool:
    words = (one.title, one.help, one.default) == (other.title, other.help, other.default)
    # In what pydantic keeps of a field stand its bounds, and how it is asked for.
    return words and (one.info.annotation, one.info.metadata) == (other.info.annotation, other.info.metadata)


def _option(declared: list[Setting]) -> Setting:
    """Return what a command takes for the settings of one name; a provider reads what was typed by its own."""
    first = next((annotation for annotation in declared if annotation.asked.option), declared[0])
    if all(_alike(annotation, first) for annotation in declared):
        return first
    asked, info = first.asked, copy(first.info)
    if len({annotation.kind for annotation in declared}) > 1:
        asked = replace(asked, typed=str, choices={})
    if len({(annotation.default, annotation.asked.placeholder) for annotation in declared}) > 1:
        info.default, asked = None, replace(asked, placeholder=EACH_ITS_OWN)
    return replace(first, asked=asked, info=info)


SETTINGS = GENERAL | {
    setting_key(provider, name): declared
    for provider in PROVIDERS.values()
    for name, declared in OWN[provider.name].items()
}
"""Every setting by its key."""
NOT_COMPARED = {*Fact, *(setting.name for setting in SETTINGS.values() if stored_as(setting) is Stored.BESIDE)}
"""What stands among the settings of a stored run and makes no other run of it."""
OPTIONS = {
    name: _option([setting for setting in SETTINGS.values() if setting.name == name])
    for name in dict.fromkeys(setting.name for setting in SETTINGS.values())
}
"""What a command takes, by the names of the settings."""


def compared(run: Run) -> dict[str, Any]:
    """Return the settings by which a stored run is known again."""
    return {name: value for name, value in run.settings.items() if name not in NOT_COMPARED}


def run_settings(model: str, values: Mapping[str, Any]) -> RunSettings:
    """Return the settings that these values name, of which those that are empty take their defaults.

    Raises BadSetting for what is no setting or out of its bounds, and for what the model is not sent, UnknownName.
    """
    provider = provider_of(model)
    given = {name: value for name, value in values.items() if value not in (None, "", [], ())}
    if unknown := sorted(given.keys() - OPTIONS.keys()):
        known = ", ".join(sorted(OPTIONS))
        raise BadSetting(f"{unknown[0]!r} is no setting of a run; its settings are {known}")
    own = {name: given.pop(name) for name in OWN[provider.name] if name in given}
    for name in sorted(given.keys() - GENERAL.keys()):
        _refuse_foreign(provider, model, name, given.pop(name))
    made = _checked(provider.settings, own)
    if "?" in str(getattr(made, "base_url", "")):
        raise BadSetting(WITH_QUERY)
    return _checked(RunSettings, {**given, "model": model, "own": made})


def model_name(provider: str, called: str) -> str:
    """Return the full name of a model; raises BadSetting where its provider has many and none is named, UnknownName."""
    provider_found = PROVIDERS.get(provider)
    if provider_found is None or not provider_found.named:
        return provider_of(provider).name
    if not called or len(called) > LONGEST_NAME or not called.isprintable():
        raise BadSetting("the model's name is what its server calls it, like 'qwen3-8b'; type it")
    return f"{provider}:{called}"


def settings_again(run: Run) -> RunSettings:
    """Return what a stored run was asked for, as far as it tells: files and what may change are not read again."""
    stored, provider = run.settings, provider_of(run.model)
    kept = (Stored.ALWAYS, Stored.DERIVED, Stored.UNLESS_DEFAULT)
    declared = (GENERAL | OWN[provider.name]).items()
    again = {name for name, known in declared if stored_as(known) in kept and known.kind is not Path}
    values = {name: stored[name] for name in again & stored.keys()}
    own = {name: values.pop(name) for name in OWN[provider.name] if name in values}
    asked = {"variants": (int(stored.get("variant") or 0),), MODEL_LANGUAGE: language_asked(stored)}
    made = _checked(provider.settings, own)
    return _checked(RunSettings, {**values, **asked, "model": run.model, "own": made})


def told_settings(run: Run) -> Iterator[str]:
    """Yield in words what a run was asked for otherwise than by default, as far as a list tells it."""
    provider = PROVIDERS.get(run.model.partition(":")[0])
    for name, declared in (settings_for(provider) if provider else OPTIONS).items():
        value, default = run.settings.get(name), declared.default
        if name == "variants":
            value, default = run.settings.get("variant"), 0
        if declared.asked.phrase and value not in (None, "", [], {}) and value != default:
            yield declared.asked.phrase.format(_words(value))[:LONGEST_TOLD]


def _words(value: Any) -> str:
    """Return a stored value in one line: parameters and texts to stop at as people typed them."""
    if isinstance(value, dict):
        return params_text(value).replace("\n", ", ")
    return stops_text(value).replace("\n", ", ") if isinstance(value, list) else str(value)


def _refuse_foreign(provider: Provider, model: str, name: str, value: Any) -> None:
    """Refuse a parameter that a model is not sent, unless it is what would be sent anyway or says only where to."""
    setting = OPTIONS[name]
    owner = next(declared_provider for declared_provider in PROVIDERS.values() if name in OWN[declared_provider.name])
    sent_anyway = getattr(_checked(owner.settings, {name: value}), name) == OWN[owner.name][name].default
    if setting.asked.group in (SERVER, TERMINAL) or sent_anyway:
        return
    what = setting.title.casefold()
    if provider.named:
        raise BadSetting(f"the models of {provider.name!r} have no such setting as {what} ({name}); leave it out")
    raise BadSetting(f"the model {model!r} is sent no request, so {what} means nothing to it; leave it out")


def _checked(model: type[Declared], values: Mapping[str, Any]) -> Declared:
    try:
        return model(**values)
    except ValidationError as error:
        first = error.errors()[0]
        value = str(first["input"])[:LONGEST_VALUE]
        setting = settings_of(model)[str(first["loc"][0])]
        allowed = f"one of {', '.join(setting.choices)}" if setting.choices else f"a {setting.allowed}"
        raise BadSetting(f"“{setting.title}” is {value!r}; it must be {allowed}") from error
