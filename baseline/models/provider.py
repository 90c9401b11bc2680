"""What a provider of models is."""

from dataclasses import dataclass

from baseline.models.chat.request_settings import ServerSettings
from baseline.models.chat.wire_format import WireFormat
from baseline.models.run_fields import NoSettings


@dataclass(frozen=True)
class Provider:
    """Who answers.

    `made_by` names its class as "module:class", loaded when a model is asked for, since scikit-learn takes seconds to
    import. `settings` are its own ones; those of servers name the form of their API.
    `key` and `address` are the variables of the environment that hold the key and the base URL of its server. `named`
    providers have models of many names and read prompts; the others are one model.
    """

    name: str
    title: str
    made_by: str
    settings: type[NoSettings] = NoSettings
    key: str = ""
    address: str = ""
    named: bool = False

    @property
    def public(self) -> str:
        """The base URL of its own server, "" for what has none."""
        return self.settings.public() if issubclass(self.settings, ServerSettings) else ""

    @property
    def example(self) -> str:
        """What its models are asked for by."""
        return f"{self.name}:NAME" if self.named else self.name

    @property
    def wire(self) -> type[WireFormat] | None:
        """The form of its API, None for what has no server."""
        return self.settings.wire if issubclass(self.settings, ServerSettings) else None


def server(name: str, title: str, settings: type[ServerSettings], key: str, address: str) -> Provider:
    """Return the provider of what a server is asked: its API has the form that its settings name.

    `key` is "" for a server that wants none.
    """
    return Provider(name, title, "baseline.models.chat.served_model:ServedModel", settings, key, address, named=True)
