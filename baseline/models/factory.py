"""A model by the name it is asked for: `random`, `majority`, `tfidf` or `openai:NAME`."""

from collections.abc import Sequence
from importlib import import_module
from typing import cast

from baseline.models.base import MAX_TOKENS, TIMEOUT, Model
from baseline.models.naive import MajorityClass, Random
from data.errors import UnknownName
from data.task import Item, Task

NAMES = ("random", "majority", "tfidf", "openai:NAME")


def make_model(
    name: str,
    *,
    task: Task,
    train: Sequence[Item] | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    seed: int = 0,
    max_tokens: int = MAX_TOKENS,
    timeout: float = TIMEOUT,
) -> Model:
    """Return the model of that name, trained where it learns: `make_model(name).name == name`.

    `train` is for `majority` and `tfidf`, `base_url`, `api_key`, `max_tokens` and `timeout` (seconds for one request)
    are for `openai:NAME`. Raises UnknownName, and BadSetting where a model lacks what it needs.
    """
    provider, _, called = name.partition(":")
    if provider == "openai" and called:
        settings = {"seed": seed, "max_tokens": max_tokens, "timeout": timeout}
        return _heavy("openai", "ChatModel", called, base_url=base_url, api_key=api_key, **settings)
    if name == "random":
        return Random(seed)
    if name == "majority":
        return MajorityClass(task, train)
    if name == "tfidf":
        return _heavy("tfidf", "Tfidf", task, train, seed=seed)
    raise UnknownName("model", name, NAMES)


def _heavy(module: str, model: str, *given: object, **settings: object) -> Model:
    """Return a model of a module that is loaded when it is asked for, as tasks are by the catalogue.

    The openai package and scikit-learn take seconds to import, and commands that ask no such model are not to wait.
    """
    return cast(Model, getattr(import_module(f"baseline.models.{module}"), model)(*given, **settings))
