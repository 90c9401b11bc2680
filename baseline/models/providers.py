"""The providers of models, a row for each, and a model by the name it is asked for, like `random` or `openai:NAME`."""

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, cast

from baseline.models.anthropic import AnthropicSettings
from baseline.models.gemini import GeminiSettings
from baseline.models.hosts import ModelHosts
from baseline.models.model import Model, ModelContext
from baseline.models.openai import ChatSettings, ResponsesSettings
from baseline.models.provider import Provider, server
from baseline.models.run_fields import CorpusSettings, NoSettings
from data.errors import BadSetting, UnknownName
from data.extensions import extended
from db.settings import secret, variable

if TYPE_CHECKING:
    from baseline.models.chat.batch_service import BatchService


PROVIDERS = extended(
    "providers",
    (
        server("openai", "A server that speaks the OpenAI chat API", ChatSettings, "OPENAI_API_KEY", "OPENAI_BASE_URL"),
        server("responses", "OpenAI Responses", ResponsesSettings, "OPENAI_API_KEY", "OPENAI_BASE_URL"),
        server("anthropic", "Anthropic Messages", AnthropicSettings, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        server("gemini", "Google Gemini", GeminiSettings, "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        Provider("random", "Random", "baseline.models.naive:Random"),
        Provider("majority", "Majority class", "baseline.models.naive:MajorityClass"),
        Provider("tfidf", "TF-IDF", "baseline.models.tfidf:Tfidf", CorpusSettings),
        Provider("tfidf-published", "TF-IDF as published", "baseline.models.tfidf:Tfidf", CorpusSettings),
    ),
    attrgetter("name"),
)
EXAMPLES = tuple(provider.example for provider in PROVIDERS.values())
BATCHED = tuple(f"{provider.name}:" for provider in PROVIDERS.values() if provider.wire and provider.wire.batched)
"""How the models begin whose requests may stand in OpenAI's Batch files."""


def provider_of(model: str) -> Provider:
    """Return the provider of a model by its full name; raises UnknownName."""
    name, _, called = model.partition(":")
    provider = PROVIDERS.get(name)
    if provider is None or provider.named != bool(called):
        raise UnknownName("the model", model, EXAMPLES)
    return provider


def make_model(name: str, own: NoSettings, context: ModelContext) -> Model:
    """Return the model of that name, trained where it learns: `make_model(name, ...).name == name`.

    Raises UnknownName, and BadSetting where it lacks what it needs or is given parameters that it cannot send.
    """
    provider = provider_of(name)
    if provider.key and not context.key and not getattr(own, "base_url", None):
        raise BadSetting(f"the model {name!r} needs an API key ({provider.key}), or the base URL of another server")
    return cast(Model, resolve_name(provider.made_by)(name, own, context))


def batch_service(url: str, key: str) -> "BatchService":
    """Return the batches of an account; what speaks with it is loaded here and not for a live run."""
    made = import_module(f"{__package__}.chat.batch_service").BatchService(url, key)
    return cast("BatchService", made)


def key_of(provider: Provider) -> str | None:
    """Return the key of a provider that the environment holds, None for none."""
    return secret(provider.key) if provider.key else None


def address_of(provider: Provider) -> str:
    """Return the base URL of a provider's server that the environment names, "" for none."""
    return variable(provider.address) if provider.address else ""


def addressed(provider: Provider, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with the base URL of the environment where they name none."""
    there = values.get("base_url") or address_of(provider)
    return {**values, "base_url": there} if there else dict(values)


def asked_hosts(setting: str) -> ModelHosts:
    """Return the hosts that models may be asked at: those listed, and the servers of the environment."""
    return ModelHosts.of(setting, *(variable(provider.address) for provider in PROVIDERS.values() if provider.address))
