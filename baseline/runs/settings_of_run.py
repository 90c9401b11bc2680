"""The settings of a run from what people typed, and again from a run that is stored."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from baseline.models.chat.request_settings import params_text, stops_text
from baseline.models.providers import PROVIDERS, Provider, provider_of
from baseline.models.run_fields import SERVER, TERMINAL, Stored, stored_as
from baseline.runs.prompt_languages import language_asked
from baseline.runs.run_settings import GENERAL, OPTIONS, OWN, RunSettings, settings_for
from data.declared import settings_of
from data.errors import BadSetting
from data.wording import MODEL_LANGUAGE
from db.runs import Run

LONGEST_NAME, LONGEST_VALUE, LONGEST_TOLD = 200, 40, 120
WITH_QUERY = (
    "the base URL has a query (?), and none is sent; leave it out: a key has its own place, and Azure is asked without "
    "one below https://NAME.openai.azure.com/openai/v1"
)
Declared = TypeVar("Declared", bound=BaseModel)


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
    telling = {Stored.ALWAYS, Stored.UNLESS_DEFAULT, Stored.DERIVED}
    declared = (GENERAL | OWN[provider.name]).items()
    again = {name for name, setting in declared if stored_as(setting) in telling and setting.kind is not Path}
    values = {name: stored[name] for name in again if name in stored}
    own = {name: values.pop(name) for name in OWN[provider.name] if name in values}
    asked = {"variants": (int(stored.get("variant") or 0),), MODEL_LANGUAGE: language_asked(stored)}
    made = _checked(provider.settings, own)
    return _checked(RunSettings, {**values, **asked, "model": run.model, "own": made})


def told_settings(run: Run) -> Iterator[str]:
    """Yield in words what a run was asked for otherwise than by default, as far as a list tells it."""
    provider = PROVIDERS.get(run.model.partition(":")[0])
    for name, setting in (settings_for(provider) if provider else OPTIONS).items():
        value, default = run.settings.get(name), setting.default
        if name == "variants":
            value, default = run.settings.get("variant"), 0
        if setting.asked.phrase and value not in (None, "", [], {}) and value != default:
            yield setting.asked.phrase.format(_words(value))[:LONGEST_TOLD]


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
