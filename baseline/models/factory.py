"""A model by the name it is asked for: `random`, `majority`, `tfidf`, `tfidf-published` or `openai:NAME`."""

from collections.abc import Sequence
from importlib import import_module
from typing import cast, get_args

from baseline.models.base import MAX_TOKENS, TIMEOUT, Model, Structured
from baseline.models.hosts import EVERYWHERE, ModelHosts
from baseline.models.naive import MajorityClass, Random
from data.errors import BadSetting, UnknownName
from data.task import Item, Task

NAMES = ("random", "majority", "tfidf", "tfidf-published", "openai:NAME")


def make_model(
    name: str,
    *,
    task: Task,
    train: Sequence[Item] | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    corpus: Sequence[str] | None = None,
    seed: int = 0,
    max_tokens: int = MAX_TOKENS,
    timeout: float = TIMEOUT,
    structured: str = "off",
    hosts: ModelHosts = EVERYWHERE,
    reveal: bool = True,
) -> Model:
    """Return the model of that name, trained where it learns: `make_model(name).name == name`.

    `train` is for `majority` and both `tfidf`, which may take their words from the texts of `corpus`; `base_url`,
    `api_key`, `max_tokens`, `timeout` (seconds for one request), `structured` ("off", "auto", "on"), the `hosts` that
    may be asked and `reveal` (what bodies that are no replies say may be told) are for `openai:NAME`. Raises
    UnknownName, and BadSetting where a model lacks what it needs.
    """
    provider, _, called = name.partition(":")
    if structured not in get_args(Structured):
        raise BadSetting(f"structured is {structured!r}; use one of {', '.join(get_args(Structured))}")
    if provider == "openai" and called:
        settings = {"seed": seed, "max_tokens": max_tokens, "timeout": timeout, "structured": structured}
        reached = {"base_url": base_url, "api_key": api_key, "hosts": hosts, "reveal": reveal}
        return _heavy("openai", "ChatModel", called, **reached, **settings)
    if structured != "off" and name in NAMES:
        raise BadSetting(
            f"the model {name!r} is sent no request, so structured output means nothing to it; leave it off"
        )
    if name == "random":
        return Random(seed)
    if name == "majority":
        return MajorityClass(task, train)
    if name in ("tfidf", "tfidf-published"):
        return _heavy("tfidf", "Tfidf", task, train, seed=seed, published=name != "tfidf", corpus=corpus)
    raise UnknownName("model", name, NAMES)


def _heavy(module: str, model: str, *given: object, **settings: object) -> Model:
    """Return a model of a module that is loaded when it is asked for, as tasks are by the catalogue.

    openai and scikit-learn take seconds to import, and commands that ask no such model are not to wait.
    """
    return cast(Model, getattr(import_module(f"baseline.models.{module}"), model)(*given, **settings))
