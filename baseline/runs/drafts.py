"""What a manager asks for on the page, made into what a run needs; and a stored run made into what was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from baseline.models.base import MAX_TOKENS, TRAIN, Model
from baseline.models.chat.hosts import EVERYWHERE, ModelHosts
from baseline.models.chat.parameters import EFFORT, LIMIT, NONE, TEMPERATURE, params_of, params_text, temperature_of
from baseline.models.messages import FERTILITY, Asking, prompt_of
from baseline.models.providers import make_model
from baseline.runs.cost import Price
from baseline.runs.labels import LABELS
from baseline.runs.order import Options, Order, Wanted
from baseline.runs.resuming import FRESH
from baseline.runs.shots import choose_shots
from data.errors import BadSetting
from data.reading import read_items
from data.task import Item
from db.items import StoredItem
from db.runs import Run
from db.studies import Study

SERVER = "openai"
PROVIDERS = ("random", "majority", "tfidf", "tfidf-published", SERVER)
LEARNING = ("majority", "tfidf", "tfidf-published")
STRUCTURED = ("off", "auto", "on")
LONGEST = 200  # characters of a model's name
WHOLE = {
    "limit": (1, None),
    "samples": (1, 1000),
    "concurrency": (1, 256),
    "shots": (0, 100),
    "context": (1, None),
    "seed": (0, None),
    "max_tokens": (1, 10_000_000),
}
TEXTS = ("provider", "model", "base_url", "currency", "temperature", "reasoning_effort", "params")
AMOUNTS = {
    "price_input": "the price of prompts",
    "price_output": "the price of replies",
    "max_cost": f"“{LABELS['max_cost']}”",
}


@dataclass(frozen=True)
class Draft:
    """What the form says. The key is no part of it: it goes straight into the model, and nowhere else."""

    study: str
    provider: str = "random"
    model: str = ""
    base_url: str = ""
    limit: int | None = None
    samples: int = 1
    concurrency: int = 16
    prompts: tuple[int, ...] = (0,)
    shots: int = 0
    context: int | None = None
    train: Path | None = None
    structured: str = "off"
    fresh: bool = False
    seed: int | None = None
    temperature: str = ""
    max_tokens: int = MAX_TOKENS
    reasoning_effort: str = ""
    params: str = ""
    price_input: float | None = None
    price_output: float | None = None
    currency: str = "USD"
    max_cost: float | None = None


@dataclass(frozen=True)
class Made:
    """A draft as it is carried out: whom to ask, and a run for each prompt, the first prompt last."""

    study: Study
    items: Sequence[StoredItem]
    model: Model
    wanted: Sequence[Wanted]


def draft_of(study: str, values: Mapping[str, Any]) -> Draft:
    """Return the draft that a page's values describe; raises BadSetting for numbers that are none or out of range.

    What is empty takes the default. A browser may send anything.
    """
    given: dict[str, Any] = {name: value for name, value in values.items() if value not in (None, "", [])}
    for name, (least, most) in WHOLE.items():
        if name in given:
            given[name] = _whole(f"“{LABELS[name]}”", given[name], least, most)
    for name, words in AMOUNTS.items():
        if name in given:
            given[name] = _amount(words, given[name])
    prompts = tuple(sorted({_whole(f"“{LABELS['prompts']}”", one, 0, None) for one in given.pop("prompts", [0])}))
    texts: dict[str, Any] = {name: str(given[name]).strip() for name in TEXTS if name in given}
    train = Path(given.pop("train")) if given.get("train") else None
    known = {one.name for one in fields(Draft)}
    unknown = sorted(given.keys() - known)
    if unknown:
        raise BadSetting(f"{unknown[0]!r} is no setting of a run; its settings are {', '.join(sorted(known))}")
    checked: dict[str, Any] = {**given, **texts, "prompts": prompts, "train": train}
    return Draft(study, **checked)


def make(
    draft: Draft,
    study: Study,
    items: Sequence[StoredItem],
    *,
    key: str | None,
    kept: Sequence[Item] = (),
    hosts: ModelHosts = EVERYWHERE,
) -> Made:
    """Return what a draft comes to; raises an EtalonError with one sentence, before anything is stored or sent.

    `kept` are worked examples that a run keeps, for a draft without a train split; `hosts` those that may be asked.
    """
    if not items:
        raise BadSetting(f"study {study.name!r} has no main items to ask about; add some first")
    if draft.provider not in PROVIDERS:
        raise BadSetting(f"the model {draft.provider!r} is not known; choose one of {', '.join(PROVIDERS)}")
    learnt = read_items(draft.train, study.task) if draft.train else None
    model = _model(draft, study, learnt, key, hosts)
    asked = model.kind != "naive"
    if draft.shots and not asked:
        raise BadSetting(f"the model {model.name!r} reads no prompt, so it is shown no examples; set them to 0")
    main = [stored for stored in items if stored.item.role == "main"]
    every = [stored.item for stored in items]
    shots = choose_shots(draft.shots, task=study.task, train=learnt, asked=every, seed=draft.seed or 0, kept=kept)
    wanted = []
    for variant in reversed(draft.prompts if asked else (0,)):
        asking = Asking(variant, shots, draft.context if asked else None, FERTILITY)
        options = _options(draft, asking)
        order = Order(**options)
        # Every prompt is made once before any is sent: one that some item does not have is told of now.
        for stored in main[: draft.limit]:
            study.task.template(stored.item.fields, variant)
        wanted.append(Wanted(options, order.settings(model, study.task, main)))
    return Made(study, main, model, wanted)


def first_prompt(made: Made) -> list[dict[str, str]]:
    """Return the very messages that ask about the first item, [] for a model that reads none."""
    if made.model.kind == "naive":
        return []
    asking = made.wanted[-1].options["asking"]
    return prompt_of(made.study.task, made.items[0].item.public(), asking).messages


def draft_again(study: str, run: Run) -> Draft:
    """Return the draft that made a stored run, as far as its settings tell: train splits and prices are not in them."""
    settings = run.settings
    provider, _, called = run.model.partition(":")
    return Draft(
        study,
        provider=provider,
        model=called,
        base_url=str(settings.get("base_url") or ""),
        limit=settings.get("limit"),
        samples=int(settings.get("samples") or 1),
        prompts=(int(settings.get("variant") or 0),),
        shots=int(settings.get("shots") or 0),
        context=settings.get("context"),
        structured=str(settings.get("structured") or "off"),
        fresh=bool(settings.get(FRESH)),
        seed=settings.get("seed"),
        **_parameters(settings),
    )


def _parameters(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a draft that hold the parameters a run was asked with."""
    heat = settings.get(TEMPERATURE, 0)
    return {
        "temperature": NONE if heat is None else f"{heat:g}" if heat else "",
        "max_tokens": settings.get(LIMIT) or MAX_TOKENS,
        "reasoning_effort": str(settings.get(EFFORT) or ""),
        "params": params_text(settings.get("params") or {}),
    }


def _model(draft: Draft, study: Study, learnt: Sequence[Item] | None, key: str | None, hosts: ModelHosts) -> Model:
    if draft.provider != SERVER:
        if draft.provider in LEARNING and learnt is None:
            raise BadSetting(f"the model {draft.provider!r} learns from a train split; choose its file ({TRAIN})")
        return make_model(draft.provider, task=study.task, train=learnt, seed=draft.seed)
    name = draft.model
    if not name or len(name) > LONGEST or not name.isprintable():
        raise BadSetting("the model's name is what its server calls it, like 'qwen3-8b'; type it")
    _check_address(draft.base_url)
    if key and (not key.isascii() or not key.isprintable() or " " in key):
        raise BadSetting("the key has characters that no key has (spaces, other letters); copy it anew")
    return make_model(
        f"{SERVER}:{name}",
        task=study.task,
        base_url=draft.base_url or None,
        api_key=key,
        seed=draft.seed,
        temperature=temperature_of(draft.temperature),
        max_tokens=draft.max_tokens,
        reasoning_effort=draft.reasoning_effort or None,
        params=params_of(line for line in draft.params.splitlines() if line.strip()),
        structured=draft.structured,
        hosts=hosts,
        reveal=False,
    )


def _check_address(url: str) -> None:
    """Refuse an address with a password or a query in it: it is stored with the run."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadSetting("the address of the server is none; it is like 'http://127.0.0.1:8000/v1'") from error
    if parts.username or parts.password or parts.query:
        raise BadSetting("the address of the server has a password or a query in it; type the key into its own field")


def _options(draft: Draft, asking: Asking) -> Options:
    options = Options(
        limit=draft.limit,
        samples=draft.samples,
        concurrency=draft.concurrency,
        fresh=draft.fresh,
        asking=asking,
        max_cost=draft.max_cost,
    )
    options["price"] = _price(draft)
    return options


def _price(draft: Draft) -> Price | None:
    if draft.price_input is None and draft.price_output is None:
        if draft.max_cost is not None:
            raise BadSetting("a limit of the cost needs the prices of the model; type both, for a million tokens")
        return None
    if draft.price_input is None or draft.price_output is None:
        raise BadSetting("one of the two prices is missing; type both, 0 where one is free")
    return Price(draft.price_input, draft.price_output, draft.currency[:8])


def _whole(name: str, value: Any, least: int, most: int | None) -> int:
    number = int(value) if isinstance(value, int | float) and value == value and abs(value) < 1e9 else None
    if number is None or number != value or number < least or (most is not None and number > most):
        to = f" to {most}" if most is not None else " or more"
        raise BadSetting(f"{name} is {str(value)[:40]!r}; it must be a whole number, {least}{to}")
    return number


def _amount(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise BadSetting(f"{name} is {str(value)[:40]!r}; it must be a number from 0 on")
    return float(value)
