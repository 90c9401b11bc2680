"""What every model is: something that replies to a question with a text, which the task's answer type then reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from baseline.runs.asking import AS_IT_IS, Asking, Prompt, prompt_of
from baseline.runs.labels import TRAIN
from data.errors import BadSetting, EtalonError
from data.task import Item, PublicItem, Task
from db.runs import PredictionStatus, RunKind

Kind = RunKind
Status = PredictionStatus
Structured = Literal["off", "auto", "on"]
MAX_TOKENS = 2048
TIMEOUT = 120.0
PUBLIC = "https://api.openai.com/v1"
"""The server that is asked where no other one is named."""


class Stopped(EtalonError):
    """No other question would be answered now either: the run ends, and what was answered is kept."""


@dataclass(frozen=True)
class Question:
    """One item as a model is asked it for the `sample`-th time; `key` tells items apart and is never sent anywhere."""

    task: Task
    item: PublicItem
    key: str
    sample: int = 0
    asking: Asking = AS_IT_IS

    @cached_property
    def prompt(self) -> Prompt:
        """The messages that ask it, made once; raises BadTask and BadSetting as `prompt_of` does."""
        return prompt_of(self.task, self.item, self.asking)


@dataclass(frozen=True)
class Request:
    """What a question comes to before it is sent.

    `key` is the same for the same request to the same server only. `words` are those of the prompt, `most` is the most
    tokens that a reply may have, `cut` tells that the item's text was cut to fit.
    """

    key: str
    words: int
    most: int
    cut: bool = False


@dataclass(frozen=True)
class Reply:
    """What came back. With the status `error` the text is the reason; `seconds` are those of the request that gave it.

    A model never says `unparsable`: whether an `ok` text names an answer is for the answer type to find out.
    `cut` tells that the item's text was too long for the model and had to be cut.
    """

    text: str
    status: Status = "ok"
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: bool = False


class Model(Protocol):
    """A provider is a class that inherits from this one and has a `reply`.

    `settings` is what it takes to ask the same again, as plain data without secrets: it is stored with the run.
    """

    name: str
    kind: Kind
    settings: Mapping[str, object]

    def request(self, question: Question) -> Request | None:
        """Return what would be sent, None for a model that sends and pays nothing.

        Raises BadTask where the prompt cannot be made, BadSetting where it cannot be cut to fit.
        """
        del question
        return None

    async def reply(self, question: Question) -> Reply:
        """Return the reply; what goes wrong outside is a status, not an exception, but for Stopped."""

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
