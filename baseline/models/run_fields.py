"""A field of a run's settings: in which group people find it, and what becomes of it when the run is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from data.declared import Asked, Setting, asked_in, setting, settings_of
from db.runs import PUBLISHED

SERVER, AMOUNT, REQUEST, PROMPT, FILES, MONEY = "Server", "How much", "Request", "Prompt", "Files", "Money"
TERMINAL = "In a terminal"
GROUPS = (SERVER, AMOUNT, REQUEST, PROMPT, FILES, MONEY, TERMINAL)
"""The groups in the order of the page, on which those of the last one have no field; others come after them."""


class Stored(StrEnum):
    """What is stored of a setting, and whether another value makes another run.

    Replies are known again by the request that was really sent, so a setting that is part of it is part of that key.
    """

    UNLESS_DEFAULT = "stored where it is not the default, tells the run from others"
    ALWAYS = "stored with every run, tells it from others"
    DERIVED = "what comes of it is stored by the prompt or the model, and tells the run from others"
    BESIDE = "stored with every run, may change when the run goes on"
    NEVER = "not stored, may change when the run goes on"


class Fact(StrEnum):
    """What a run keeps beside its settings: learnt on the way or known again by a hash, it makes no other run of it."""

    TEMPLATES = "templates"
    EXAMPLES = "examples"
    PUBLISHED = PUBLISHED
    CURRENCY = "currency"
    SENT = "sent"
    REFUSED = "refused"
    ENDED = "ended"
    RESUMED = "resumed"
    LEAKED = "leaked"
    BATCH = "batch_folder"


@dataclass(frozen=True)
class RunField(Asked):
    """How a setting of a run is asked for, and how it is stored; one that says nothing is stored unless default."""

    stored: Stored = Stored.UNLESS_DEFAULT

    def setting(self, default: Any, title: str, help: str = "", **bounds: Any) -> Any:
        """Return the field of a setting that is asked for so."""
        return setting(self, default, title, help, **bounds)


def _run_field(stored: str = Stored.UNLESS_DEFAULT.name, **given: Any) -> RunField:
    return RunField(stored=Stored[stored.upper()], **given)


asked = asked_in(Path(__file__).with_suffix(".toml"), _run_field)


def stored_as(setting: Setting) -> Stored:
    """Return what becomes of a setting when its run is stored."""
    return setting.asked.stored if isinstance(setting.asked, RunField) else Stored.UNLESS_DEFAULT


def stored_values(settings: BaseModel, *, beside: bool = False) -> dict[str, Any]:
    """Return what is stored of settings as it is, by their names: what tells a run from others, or what is `beside`."""
    always = Stored.BESIDE if beside else Stored.ALWAYS
    values: dict[str, Any] = {}
    for name, declared in settings_of(type(settings)).items():
        how, value = stored_as(declared), getattr(settings, name)
        if how is always or (how is Stored.UNLESS_DEFAULT and not beside and value != declared.default):
            values[name] = _plain(value)
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return str(value) if isinstance(value, Path) else value


class NoSettings(BaseModel):
    """The own settings of a provider that has none."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CorpusSettings(NoSettings):
    """The own settings of a model that may take its words from other texts than those of a train split."""

    corpus: Path | None = asked("corpus", None)
