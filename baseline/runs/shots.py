"""Few-shot prompts: the worked examples are items of the train split, never one of those that are asked about."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from baseline.models.model import TRAIN
from baseline.models.prompts import check_shots
from baseline.models.run_fields import Fact
from data.errors import BadSetting
from data.shared_texts import word_for_word
from data.task import Item, Task
from db.runs import Run

LONGEST = 1_000_000  # characters of all of them: whoever lists the runs of a study reads them


def choose_shots(
    number: int,
    *,
    task: Task,
    train: Sequence[Item] | None,
    asked: Sequence[Item],
    seed: int = 0,
    kept: Sequence[Item] = (),
) -> tuple[Item, ...]:
    """Return so many train items with a known answer, drawn by the seed, the same ones for every question.

    Without a train split they are those `kept` with a run, if these are so many. An item whose words are those of an
    item of the study (`asked`, of any role) is never taken. Raises BadTask for a task whose texts carry their own
    examples, BadSetting where there is no train split or too little in it, and where the examples are too long.
    """
    if number == 0:
        return ()
    if train is None and len(kept) != number:
        raise BadSetting(f"worked examples are taken from a train split; give one ({TRAIN})")
    known = [item for item in (kept if train is None else train) if item.gold is not None]
    held = word_for_word(task, known, asked)
    free = [item for item in known if item.id not in held]
    if len(free) < number:
        raise BadSetting(
            f"the train split has {len(free)} items with an answer that are not in the study, where {number} "
            "worked examples are wanted; give a larger file or ask for fewer"
        )
    shots = tuple(free if train is None else random.Random(seed).sample(free, number))
    check_shots(task, shots)
    length = sum(len(text) for shot in shots for text in shot.fields.values())
    if length > LONGEST:
        raise BadSetting(
            f"the worked examples have {length} characters, and a run keeps {LONGEST} of them at most; give fewer or "
            "a train split with shorter ones"
        )
    return shots


def kept_with(shots: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the examples as they are stored with a run."""
    return [{"id": shot.id, "fields": dict(shot.fields), "gold": shot.gold} for shot in shots]


def kept_shots(settings: Mapping[str, Any]) -> tuple[Item, ...]:
    """Return the examples stored with a run; () where it has none, and for a run made before they were stored."""
    return tuple(
        Item(example["id"], example["fields"], example["gold"]) for example in settings.get(Fact.EXAMPLES) or ()
    )


def newest_shots(runs: Iterable[Run], *, number: int, seed: int) -> tuple[Item, ...]:
    """Return the so many examples of the first run that has them and drew them by this seed, () where none has."""
    for run in runs:
        if (run.settings.get("seed") or 0) == seed and len(kept := kept_shots(run.settings)) == number:
            return kept
    return ()
