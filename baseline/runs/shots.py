"""Worked examples for a prompt: items of the train split, never one of those that are asked about."""

import random
from collections.abc import Sequence

from baseline.runs.asking import check_shots
from data.errors import BadSetting
from data.task import Item, Task


def choose_shots(
    number: int, *, task: Task, train: Sequence[Item] | None, asked: Sequence[Item], seed: int = 0
) -> tuple[Item, ...]:
    """Return so many train items with a known answer, drawn by the seed, the same ones for every question.

    An item whose texts are those of an item of the study (`asked`, of any role) is never taken. Raises BadTask for a
    task whose texts carry their own examples, BadSetting where there is no train split or too little in it.
    """
    if number == 0:
        return ()
    if train is None:
        raise BadSetting("--shots takes worked examples from a train split; give one with --train FILE")
    held = {_texts(item) for item in asked}
    free = [item for item in train if item.gold is not None and _texts(item) not in held]
    if len(free) < number:
        raise BadSetting(
            f"the train split has {len(free)} items with an answer that are not in the study, and --shots asks for "
            f"{number}; give a larger file or fewer shots"
        )
    shots = tuple(random.Random(seed).sample(free, number))
    check_shots(task, shots)
    return shots


def _texts(item: Item) -> frozenset[tuple[str, str]]:
    return frozenset((name, " ".join(text.split())) for name, text in item.fields.items() if text.strip())
