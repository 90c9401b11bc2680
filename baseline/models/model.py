"""What every model is: something that replies to a question with a text, which the task's answer type then reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from baseline.models.hosts import EVERYWHERE, ModelHosts
from baseline.models.prompts import AS_IT_IS, TRAIN, Prompt, PromptOptions, prompt_of
from baseline.models.reply import Purse, Reply
from data.errors import BadSetting, EtalonError
from data.task import Item, PublicItem, Task
from db.runs import RunKind

Kind = RunKind
NOTHING_SENT: Mapping[str, Any] = MappingProxyType({})


class Stopped(EtalonError):
    """No other question would be answered now either: the run ends, and what was answered is kept."""


@dataclass(frozen=True)
class ModelContext:
    """What a model is made for, and what is for a server alone: its key, the hosts that may be asked.

    `train` is the train split of models that learn. Without a `seed` naive models draw with 0, and a server is sent
    none; `examples` says that it draws worked examples as well, so that it means something to every server. `reveal`
    says whether bodies that are no replies may be told.
    """

    task: Task
    train: Sequence[Item] | None = None
    seed: int | None = None
    key: str | None = None
    hosts: ModelHosts = EVERYWHERE
    reveal: bool = True
    examples: bool = False


@dataclass(frozen=True)
class Question:
    """One item as a model is asked it for the `sample`-th of so many `samples`.

    `key` tells items apart and is never sent anywhere.
    """

    task: Task
    item: PublicItem
    key: str
    sample: int = 0
    prompt_options: PromptOptions = AS_IT_IS
    samples: int = 1

    @cached_property
    def prompt(self) -> Prompt:
        """The messages that ask it, made once; raises BadTask and BadSetting as `prompt_of` does."""
        return prompt_of(self.task, self.item, self.prompt_options)

    def again(self, sample: int) -> "Question":
        """Return the question for another sample; what is asked is made once."""
        other = object.__new__(Question)
        vars(other).update(vars(self), sample=sample)
        return other


class Request(NamedTuple):
    """What a question comes to before it is sent.

    `key` is the same for the same request to the same server only, as it would be sent now; `asked_key` is that of the
    request as it was asked for, and `others` are all other keys under which a reply to it may stand. `most` is the most
    tokens that a reply may have.
    """

    key: str
    prompt: Prompt
    most: int
    asked_key: str = ""
    others: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys under which a reply may stand, that of the request as it would be sent first."""
        return (self.key, *self.others)


class Model(Protocol):
    """A provider is a class that inherits from this one and has a `reply`.

    It is made with its full name, its provider's own settings and a `ModelContext`. `settings` is what it takes to ask
    the same again, as plain data without secrets: it is stored with the run. From its `purse`, that of the run, a model
    pays every attempt to have a reply (`Bill`); one that sends nothing leaves it alone.
    """

    name: str
    kind: Kind
    settings: Mapping[str, object]
    purse: Purse = Purse()

    @property
    def sent(self) -> Mapping[str, Any]:
        """What is really sent, stored beside the settings; another object where the server taught otherwise."""
        return NOTHING_SENT

    def remember(self, runs: Sequence[Mapping[str, Any]], *, fresh: bool = False, samples: int = 1) -> None:
        """Begin a run with what earlier runs of this model have found; `runs` are their settings, the newest first.

        With `fresh` all is to be found out anew; `samples` are asked of each item.
        """
        del runs, fresh, samples

    def body(self, question: Question) -> Mapping[str, Any] | None:
        """Return the very request that would be sent, None for a model that sends none."""
        del question
        return None

    def request(self, question: Question) -> Request | None:
        """Return what would be sent, None for a model that sends and pays nothing.

        Raises BadTask where the prompt cannot be made, BadSetting where it cannot be cut to fit.
        """
        del question
        return None

    @property
    def batch_url(self) -> str:
        """Where the requests of a Batch file go, "" for a model whose requests stand in none."""
        return ""

    def holds(self, request: Request | None) -> bool:
        """Return whether a reply is to be had; only where replies come from files of results some are not."""
        del request
        return True

    async def reply(self, question: Question) -> Reply:
        """Return the reply; what goes wrong outside is a status, not an exception, but for Stopped and OverBudget."""

    def halt(self) -> None:
        """Send nothing more until `close`: a `reply` that waits to be sent or tried again raises Stopped.

        What is under way is paid for, so its reply is still given.
        """
        return None

    async def close(self) -> None:
        """Let go of connections; most models hold none."""
        return None


def with_gold(name: str, train: Sequence[Item] | None) -> list[Item]:
    """Return the items of a train split whose answer is known; raises BadSetting where there are none."""
    if train is None:
        raise BadSetting(f"the model {name!r} learns from a train split; give it one ({TRAIN})")
    known = [item for item in train if item.gold is not None]
    if not known:
        raise BadSetting(
            f"the train split of {len(train)} items has not one right answer, and the model {name!r} learns from "
            "them; give it a train split with answers"
        )
    return known
