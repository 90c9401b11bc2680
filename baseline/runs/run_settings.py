"""The settings of a run, declared once: how much is asked, in what words, for how much money, and whom.

Every provider adds its own (`baseline/models/providers.py`); two may have settings of one name, and each is asked as
its own declaration says. The options of `run`, its `--set`, the form of the page /models and what is stored with a run
are made of them.
"""

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny

from baseline.models.prompts import FERTILITY
from baseline.models.providers import PROVIDERS, Provider, provider_of
from baseline.models.run_fields import (
    AMOUNT,
    FILES,
    MONEY,
    PROMPT,
    TERMINAL,
    Fact,
    NoSettings,
    RunField,
    Stored,
    stored_as,
)
from data.declared import Setting, setting, settings_of
from data.wording import english_name, languages
from db.runs import Run

OF_STUDY = "study"
LONGEST_TYPED = 20_000  # characters of a text in a field
FRESH = "fresh"
"""The setting that pays for every reply anew; a run that was begun so goes on so."""


def _split(given: Any) -> Any:
    return given.split(",") if isinstance(given, str) else given


def _in_order(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))


Number = Annotated[int, Field(ge=0)]
Variants = Annotated[tuple[Number, ...], BeforeValidator(_split), AfterValidator(_in_order)]


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

    limit: int | None = setting(
        RunField(AMOUNT, option="--limit", placeholder="all of them", stored=Stored.ALWAYS), None, "Maximum items", ge=1
    )
    samples: int = setting(
        RunField(AMOUNT, option="--samples", phrase="{} samples", stored=Stored.ALWAYS),
        1,
        "Answers per item",
        ge=1,
        le=1000,
    )
    concurrency: int = setting(
        RunField(AMOUNT, option="--concurrency", stored=Stored.NEVER), 16, "Concurrent requests", ge=1, le=256
    )
    seed: int | None = setting(
        RunField(AMOUNT, option="--seed", placeholder="none is sent", phrase="seed {}", stored=Stored.DERIVED),
        None,
        "Seed",
    )
    variants: Variants = setting(
        RunField(PROMPT, option="--prompt-variant", typed=list[int], phrase="prompt {}", stored=Stored.DERIVED),
        (0,),
        "Prompts",
        "Each is a run of its own",
    )
    model_language: str = setting(
        RunField(
            PROMPT, option="--model-language", choices=_offered_languages, phrase="prompts in {}", stored=Stored.DERIVED
        ),
        OF_STUDY,
        "Language of the prompt",
        "Prompts from 1 on stay in the language they are written in",
    )
    shots: int = setting(
        RunField(PROMPT, option="--shots", phrase="{} examples", stored=Stored.DERIVED),
        0,
        "Few-shot examples",
        "From the train split or an earlier run",
        ge=0,
        le=100,
    )
    context: int | None = setting(
        RunField(PROMPT, option="--context", stored=Stored.DERIVED),
        None,
        "Maximum prompt tokens",
        "Longer texts are cut",
        ge=1,
    )
    system: str = setting(
        RunField(
            PROMPT,
            new_row=True,
            option="--system",
            placeholder="none is sent",
            lines=3,
            phrase="system prompt",
            stored=Stored.DERIVED,
        ),
        "",
        "System prompt",
        "Sent before everything else; people do not see it",
        max_length=LONGEST_TYPED,
    )
    fertility: float = setting(
        RunField(TERMINAL, option="--fertility", stored=Stored.DERIVED),
        FERTILITY,
        "Tokens per word",
        "Used wherever tokens are estimated",
        gt=0,
    )
    as_published: bool = setting(
        RunField(TERMINAL, option="--as-published", stored=Stored.DERIVED),
        False,
        "Cut the whole prompt at its end",
        "As LIBRA’s script does",
    )
    prompts: Path | None = setting(
        RunField(TERMINAL, option="--prompts", stored=Stored.DERIVED),
        None,
        "Prompts file",
        "TOML with a prompt for each task ID",
    )
    train: Path | None = setting(
        RunField(FILES, option="--train", stored=Stored.DERIVED),
        None,
        "Train split",
        "For few-shot examples, majority and TF-IDF",
    )
    prices: Path | None = setting(
        RunField(TERMINAL, option="--prices", stored=Stored.NEVER),
        None,
        "Price list",
        "In the format of baseline/runs/prices.toml",
    )
    price_input: float | None = setting(
        RunField(MONEY, stored=Stored.NEVER), None, "Price per million prompt tokens", ge=0, allow_inf_nan=False
    )
    price_output: float | None = setting(
        RunField(MONEY, stored=Stored.NEVER), None, "Price per million reply tokens", ge=0, allow_inf_nan=False
    )
    currency: str = setting(RunField(MONEY, stored=Stored.NEVER), "USD", "Currency", max_length=8)
    max_cost: float | None = setting(
        RunField(MONEY, option="--max-cost", placeholder="no limit", stored=Stored.NEVER),
        None,
        "Maximum cost",
        ge=0,
        allow_inf_nan=False,
    )
    fresh: bool = setting(
        RunField(TERMINAL, option="--fresh", stored=Stored.BESIDE), False, "Ask again instead of using stored replies"
    )

    batch: Path | None = setting(
        RunField(TERMINAL, option="--batch", stored=Stored.NEVER),
        None,
        "Folder of OpenAI Batch files",
        "Requests are written there instead of being sent",
    )
    send: bool = setting(
        RunField(TERMINAL, option="--send", stored=Stored.NEVER),
        False,
        "Upload the folder’s files and start their batches",
    )
    collect: bool = setting(
        RunField(TERMINAL, option="--collect", stored=Stored.NEVER),
        False,
        "Store the replies from the folder’s result files",
    )

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
    asked = {
        name: setting
        for name, setting in GENERAL.items()
        if provider.named or setting.asked.group not in (PROMPT, MONEY)
    }
    return asked | OWN[provider.name]


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


def _declared() -> dict[str, Setting]:
    own = ((provider, *setting) for provider in PROVIDERS.values() for setting in OWN[provider.name].items())
    return GENERAL | {setting_key(provider, name): setting for provider, name, setting in own}


SETTINGS = _declared()
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
