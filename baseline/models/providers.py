"""A model by the name it is asked for: `random`, `majority`, `tfidf`, `tfidf-published` or `openai:NAME`."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, TypedDict, Unpack, cast, get_args

from baseline.models.base import MAX_TOKENS, Model, Structured
from baseline.models.chat.hosts import ModelHosts
from baseline.models.naive import MajorityClass, Random
from data.errors import BadSetting, UnknownName
from data.task import Item, Task

NAMES = ("random", "majority", "tfidf", "tfidf-published", "openai:NAME")


class ServerOptions(TypedDict, total=False):
    """What is for models that a server is asked for: where it is, the parameters of a request, how it is sent.

    `timeout` is of one request, in seconds; `structured` is "off", "auto" or "on"; `hosts` are those that may be asked;
    `reveal` says whether bodies that are no replies may be told.
    """

    base_url: str | None
    api_key: str | None
    temperature: float | None
    max_tokens: int
    reasoning_effort: str | None
    params: Mapping[str, Any] | None
    timeout: float
    structured: str
    hosts: ModelHosts
    reveal: bool


UNASKED: ServerOptions = {
    "temperature": 0,
    "max_tokens": MAX_TOKENS,
    "reasoning_effort": None,
    "params": {},
    "structured": "off",
}
"""The parameters of a request as they are where nobody asks for others."""


def make_model(
    name: str,
    *,
    task: Task,
    train: Sequence[Item] | None = None,
    corpus: Sequence[str] | None = None,
    seed: int | None = None,
    **server: Unpack[ServerOptions],
) -> Model:
    """Return the model of that name, trained where it learns: `make_model(name).name == name`.

    `train` is for `majority` and both `tfidf`, which may take their words from the texts of `corpus`; `server` is for
    `openai:NAME`. Without a `seed` naive models draw with 0, and a server is sent none. Raises UnknownName, and
    BadSetting where a model lacks what it needs or is given parameters that it cannot send.
    """
    provider, _, called = name.partition(":")
    if (structured := server.get("structured", "off")) not in get_args(Structured):
        raise BadSetting(f"structured is {structured!r}; use one of {', '.join(get_args(Structured))}")
    if provider == "openai" and called:
        return _heavy("openai", "ChatModel", called, seed=seed, **server)
    for option, unasked in UNASKED.items():
        if server.get(option, unasked) != unasked and name in NAMES:
            what = "structured output" if option == "structured" else option
            raise BadSetting(f"the model {name!r} is sent no request, so {what} means nothing to it; leave it out")
    if name == "random":
        return Random(seed or 0)
    if name == "majority":
        return MajorityClass(task, train)
    if name in ("tfidf", "tfidf-published"):
        return _heavy("tfidf", "Tfidf", task, train, seed=seed or 0, published=name != "tfidf", corpus=corpus)
    raise UnknownName("model", name, NAMES)


def _heavy(module: str, model: str, *given: object, **settings: object) -> Model:
    """Return a model of a module that is loaded when it is asked for, as tasks are by the catalogue.

    openai and scikit-learn take seconds to import, and commands that ask no such model are not to wait.
    """
    return cast(Model, getattr(import_module(f"baseline.models.{module}"), model)(*given, **settings))
