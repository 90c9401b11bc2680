"""How the items of a run are put to a model: the wording, worked examples before the question, the longest prompt."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from baseline.models.prompts import prompt_text
from data.errors import BadSetting, BadTask
from data.task import Item, PublicItem, Task

FERTILITY = 3.0
"""Tokens a word, as LIBRA (section 3.3) reckons for Russian."""
WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Asking:
    """How every item of a run is asked.

    `variant` is the number of the task's prompt, `shots` are train items whose answers are shown first. A prompt of
    more than `context` tokens, reckoned as words x `fertility`, is cut: the item's long text at its end, or with
    `as_published` the whole prompt at its end, as LIBRA's script does.
    """

    variant: int = 0
    shots: tuple[Item, ...] = ()
    context: int | None = None
    fertility: float = FERTILITY
    as_published: bool = False

    @property
    def settings(self) -> dict[str, object]:
        """What of it is stored with a run: of the shots their number and a hash of what they hold."""
        told: dict[str, object] = {"variant": self.variant, "shots": len(self.shots), "context": self.context}
        if self.shots:
            held = json.dumps([[dict(shot.fields), shot.gold] for shot in self.shots], sort_keys=True)
            told["shots_hash"] = hashlib.sha256(held.encode()).hexdigest()[:12]
        if self.context:
            told |= {"fertility": self.fertility, "as_published": self.as_published}
        return told


AS_IT_IS = Asking()
"""The task's own prompt and nothing else."""


@dataclass(frozen=True)
class Prompt:
    """The messages of a request, and whether something was cut to make them fit."""

    messages: list[dict[str, str]]
    cut: bool = False


def prompt_of(task: Task, item: PublicItem, asking: Asking) -> Prompt:
    """Return the messages that ask about an item: each shot with its answer, then the item.

    Raises BadTask where a prompt cannot be made, BadSetting where it cannot be cut to fit.
    """
    shown = list(_shown(task, asking))
    text = prompt_text(task, item.fields, asking.variant)
    words = sum(len(message["content"].split()) for message in shown) if asking.context else 0
    fitting = _fitting(task, item.fields, text, asking, words)
    return Prompt([*shown, {"role": "user", "content": fitting}], cut=fitting != text)


def check_shots(task: Task, shots: Sequence[Item]) -> None:
    """Refuse (BadTask) worked examples for a task whose texts carry their own."""
    if shots and not task.shots:
        raise BadTask(f"task {task.id!r}: its texts carry their worked examples themselves; ask for none")


def _shown(task: Task, asking: Asking) -> Iterator[dict[str, str]]:
    check_shots(task, asking.shots)
    for shot in asking.shots:
        answer = task.answer_for(shot.fields)
        right = answer.best(str(shot.gold), shot.fields)
        yield {"role": "user", "content": prompt_text(task, shot.fields, asking.variant)}
        yield {"role": "assistant", "content": answer.show(right, shot.fields)}


def _fitting(task: Task, fields: Mapping[str, str], text: str, asking: Asking, before: int) -> str:
    """Return the prompt, cut where it and the `before` words of the shots are over the limit."""
    if asking.context is None:
        return text
    room = math.floor(asking.context / asking.fertility) - before
    over = len(text.split()) - room
    if over <= 0:
        return text
    if asking.as_published and room > 0:
        return without_end(text, over)
    long = {f.name: len(fields[f.name].split()) for f in task.fields if f.kind == "long"}
    name = max(long, key=lambda name: long[name], default=None)
    if name is None or long[name] < over:
        raise BadSetting(
            f"a prompt of task {task.id!r} has {over + room} words where {asking.context} tokens leave room for "
            f"{max(0, room)}, and the question is never cut; allow a prompt more tokens"
        )
    return prompt_text(task, {**fields, name: without_end(fields[name], over)}, asking.variant)


def without_end(text: str, words: int) -> str:
    """Return the text without its last `words` words, white space before them as it stands; all of it may go."""
    found = list(WORD.finditer(text))
    kept = len(found) - words
    return text[: found[kept - 1].end()] if kept > 0 else ""
